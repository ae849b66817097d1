"""The points that stand for faces, and back.

A face is hashed to the group: nobody knows a relation between two of these points, so nothing can
be computed from sums and multiples of masked cards. (With faces 1 * G, 2 * G, .. the order of a
masked deck is public: the second card is twice the first.) Equal faces share one point; the
shuffles re-randomise, so two such cards still cannot be told from others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from nodealer.cards import Composition
from nodealer.crypto import Group, Point
from nodealer.kernel import Bug, LocalError, Reason

_DOMAIN: Final = "nodealer/1/face"


@dataclass(frozen=True)
class FaceTable:
    """The faces of one composition as points of one group."""

    points: Mapping[str, Point]
    names: Mapping[bytes, str]

    def point(self, name: str) -> Point:
        """Return the point of a face of this deck."""
        if name not in self.points:
            raise LocalError(Reason.DECK_FACE_UNKNOWN, repr(name)[:80])
        return self.points[name]

    def name(self, point: Point) -> str:
        """Return the face of a point. After verified releases every point is a face."""
        name = self.names.get(point.encode())
        if name is None:
            raise Bug(Reason.DECK_UNDECODABLE)
        return name


@lru_cache(maxsize=64)
def face_table(group: Group, composition: Composition) -> FaceTable:
    """Return the table of a composition, made once."""
    points = {name: group.hash_to_point(_DOMAIN, name) for name in composition.distinct}
    names = {point.encode(): name for name, point in points.items()}
    if len(names) < len(points):
        raise LocalError(Reason.LOCAL_ARGUMENT, "two faces share a point; the group is too small")
    return FaceTable(MappingProxyType(points), MappingProxyType(names))

"""The program that stands in the pages: their Python blocks, extracted and executed in order.

Nothing of nodealer goes into it. What it needs of a group comes in through `Algebra`, which has
exactly the names that the pages promise and turns our refusals into those of the pages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import SimpleNamespace

from nodealer.crypto import Group, Point
from nodealer.kernel import PeerError
from tests.tidy.project import ROOT

SPECS = ROOT / "specs"
PROGRAM_PAGES = ("01-encoding.md", "02-proofs.md", "03-deck.md")

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str) -> list[str]:
    """Return the Python blocks of a page."""
    return _BLOCK.findall((SPECS / name).read_text())


@lru_cache(maxsize=1)
def program() -> SimpleNamespace:
    """Return everything that the blocks of all pages define."""
    names: dict[str, object] = {}
    for page in PROGRAM_PAGES:
        for block in blocks(page):
            exec(compile(block, page, "exec"), names)  # noqa: S102 - it is what this is for
    return SimpleNamespace(**names)


class Algebra:
    """A group of ours under the names of the pages."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self.name = group.name
        self.order = group.order
        self.endomorphism = group.endomorphism
        self.generator = group.generator
        self.identity = group.identity

    def read_point(self, data: bytes) -> Point:
        """Return a point, or refuse as the pages do."""
        try:
            return self._group.read_point(data)
        except PeerError as refused:
            raise program().Refusal(refused.slug) from None

    def hash_to_point(self, domain: str, item: int | str) -> Point:
        """Return a hashed point."""
        return self._group.hash_to_point(domain, item)

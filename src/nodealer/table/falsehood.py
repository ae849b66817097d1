"""What can be lied about in the parts of a step, as data that a simulation makes liars of.

An operation says for its parts what a seat could give in place of the good one, and by which trick;
what is to come of each trick is the affair of whoever tries it. Nothing at a real table reads this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from nodealer.deck import Keyring, deck_messages
from nodealer.kernel import Seat
from nodealer.table.parts import PartKind, Place

Other: TypeAlias = Callable[[Place, Keyring, bytes], bytes | None]
"""What a seat with these keys gives in place of its good part; nothing where that cannot be."""


class Trick(Enum):
    """How a part is lied about.

    INSTEAD gives something that is not good, COPIED the part of another seat. TWICE gives two that
    are as good to different seats, ANEW another one where seats were left out before all had given
    theirs; by the label of the part the first one binds. SILENT gives nothing any more.
    """

    INSTEAD = "instead"
    COPIED = "copied"
    TWICE = "twice"
    ANEW = "anew"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Falsehood:
    """A lie about a part; `other` is None for tricks that make nothing.

    `sits` is the seat that owes nearly all parts of the kind, if there is one.
    """

    name: str
    part: PartKind
    trick: Trick
    other: Other | None = None
    sits: Seat | None = None


def bent(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Turn the last byte of a part: it belongs to a proof."""
    return data[:-1] + bytes([data[-1] ^ 1])


def always(data: bytes) -> Other:
    """Give these bytes, whatever would be good."""
    return lambda where, keyring, good: data  # noqa: ARG005 - every lie


def by_another_seed(part: PartKind) -> Other:
    """Give what the seat would make if its secrets were others."""

    def other(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
        assert part.make is not None, "it is made of keys"
        ring = Keyring(keyring.group, keyring.seat, bytes(range(32)))
        return deck_messages(keyring.group).write(part.make(where, ring))

    return other

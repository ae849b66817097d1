"""The proofs of an entry in words: what whoever signs it has checked, and nobody has to believe.

Every kind of part has its sentence here, as it has one of what was done in its operation; parts
that prove nothing beside who has made them have an empty one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from nodealer.kernel import PeerError, Seat
from nodealer.ledger import AuthoredStep, ChainEntry, DueStep, EvictStep
from nodealer.table import CLOSE, Acted, read_action
from nodealer.verify import joined

PROOFS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "keys": "{all}: each has proven to have the key that was shown.",
        "commit": "{all}: nobody can change a coin any more.",
        "shuffle": "{all}: each has proven that it is the same cards, in another order.",
        "mask": "{all}: each has proven to have put a lock of their own on the same cards.",
        "open": "{all}: the coins are those that everybody was bound to.",
        "return": "{all}: proven to have brought back the very cards that they held.",
        "release": "{all}: each has proven to have opened the right locks.",
        "verdict": "{all}: proven to be alike or not, without showing the cards.",
        "acks": "",
        "choose": "{all}: nobody can change what they have chosen any more.",
        "restack": "{all}: proven to have the same cards as before, in another order.",
        "give": "{all}: proven to have handed over the very cards that were named.",
        "claim": "{all}: proven to have the card or not, without showing the others.",
        "ask": "{all}: nobody can change what they will say any more.",
        "answer": "{all}: what is said is what everybody was bound to.",
        CLOSE: "",
    }
)
"""What a part of a due step proves, with `{all}` for the seats that gave it."""

OPENED: Final = "{all}: proven to have played the very cards that lay there."
LEFT_OUT: Final = "The votes are signed by those who stay."


def proven(link: ChainEntry, names: Mapping[Seat, str]) -> Iterator[str]:
    """Yield what is proven of an entry beside who has signed it."""
    match None if link.content is None else link.content.step:
        case DueStep(parts=parts):
            for part in parts:
                who = joined([names[seat] for seat in part.seats])
                yield from filter(None, [PROOFS.get(part.kind, "").replace("{all}", who)])
        case AuthoredStep(seat=seat, action=written):
            if _opens(written):
                yield OPENED.replace("{all}", names[seat])
        case EvictStep():
            yield LEFT_OUT
        case _:
            pass  # a charter is signed, and that is all


def _opens(written: bytes) -> bool:
    try:
        done = read_action(written)
    except PeerError:
        return False
    return isinstance(done, Acted) and bool(done.openings)

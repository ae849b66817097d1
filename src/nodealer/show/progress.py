"""The progress of a joint step, seat by seat: never a bare "please wait".

A joint step is something that all seats, or some, have to do: shuffle one after the other, lock the
cards, countersign. For each seat this says whether its part is here and was found good, whether it
is its turn to give it, or whether it still has to wait for somebody else. It is read from what lies
on the ledger's desk; nothing is decided by it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from nodealer.kernel import Seat
from nodealer.table import PARTS, Table
from nodealer.verify import joined

DOINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "charter": "sign the charter",
        "action": "act",
        "seal": "countersign",
        "vote": "vote",
        **{part.kind: part.doing for part in PARTS.values()},
    }
)
"""What seats are waited for to do, by the words of `ledger.Awaited` and the kinds of parts."""


class Share(Enum):
    """The progress of one seat's part."""

    DONE = "done"
    BUSY = "busy"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class StepProgress:
    """The joint work that is done, and how far each seat is, in the order of their turns."""

    kinds: tuple[str, ...]
    shares: tuple[tuple[Seat, Share], ...]

    @property
    def doing(self) -> str:
        """What is done, in words."""
        return doing_of(self.kinds)

    @property
    def why(self) -> str:
        """Why it is done, if that is worth saying."""
        whys = [PARTS[kind].why for kind in self.kinds if kind in PARTS]
        return " ".join(filter(None, whys))

    @property
    def done(self) -> int:
        """How many seats have done their part."""
        return sum(share is Share.DONE for _, share in self.shares)


def doing_of(kinds: Sequence[str]) -> str:
    """Say what somebody has to do."""
    return joined([DOINGS.get(kind, f"give what is due ({kind})") for kind in kinds])


def progress_of(table: Table) -> StepProgress | None:
    """Return what is being done jointly, if anything is."""
    ledger = table.ledger
    tip, desk = ledger.tip, ledger.desk
    match ledger.reading().phase:
        case "opening":
            return _shared("charter", tip.roster, desk.seals.get(tip.id, {}))
        case "giving":
            return _giving(table)
        case "sealing":
            return _shared("seal", tip.roster, desk.sealed)
        case "voting":
            return _shared("vote", tip.roster, desk.votes[desk.last_round()])
        case _:
            return None


def _shared(what: str, roster: Sequence[Seat], here: Collection[Seat]) -> StepProgress:
    shares = ((seat, Share.DONE if seat in here else Share.BUSY) for seat in roster)
    return StepProgress((what,), tuple(shares))


def _giving(table: Table) -> StepProgress:
    tip, desk = table.ledger.tip, table.ledger.desk
    done = {seat for seat in tip.owing() if desk.first.get(seat) in desk.judged}

    def share(seat: Seat) -> Share:
        if seat in done:
            return Share.DONE
        return Share.BUSY if done.issuperset(tip.predecessors(seat)) else Share.LATER

    kinds = tuple(dict.fromkeys(part.kind for part in tip.parts))
    return StepProgress(kinds, tuple((seat, share(seat)) for seat in tip.owing()))

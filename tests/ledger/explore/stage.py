"""The smallest application with both kinds of step: one authored, one due, then nothing more.

Every entry is one height, an eviction too, so a table has exactly as many heights as the script has
words, however many seats are left out on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.kernel import Seat, digest
from nodealer.ledger import Authored, Closed, Due, Given, LedgerDuty, Moment, Owed

SCRIPT = ("turn", "due")


@dataclass(frozen=True, slots=True)
class Stage:
    """The state after some heights: who is left, and what happened."""

    roster: tuple[Seat, ...]
    script: tuple[str, ...] = SCRIPT
    log: tuple[str, ...] = ()

    def due(self) -> LedgerDuty:
        if len(self.log) >= len(self.script):
            return Closed()
        if self.script[len(self.log)] == "turn":
            return Authored(self.roster[0])
        return Due((Owed("due", "it", self.roster),))

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Stage:
        del moment
        return self._after(self.roster, f"{seat}:{action.decode()}")

    def check(
        self,
        moment: Moment,
        seat: Seat,
        payloads: Sequence[tuple[bytes, bytes]],
        earlier: Sequence[Given],
    ) -> None:
        """Every payload is good."""

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Stage:
        del moment
        given = [f"{one.seat}:{data.decode()}" for one in contributions for _, data in one.payloads]
        return self._after(self.roster, "+".join(given))

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Stage:
        del moment
        left = tuple(seat for seat in self.roster if seat not in seats)
        return self._after(left, f"out {list(seats)}")

    def digest(self) -> bytes:
        return digest("stage", self.roster, self.log)

    def is_over(self) -> bool:
        return False

    def _after(self, roster: tuple[Seat, ...], event: str) -> Stage:
        return Stage(roster, self.script, (*self.log, event))

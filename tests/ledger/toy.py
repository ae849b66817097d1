"""A tiny application: a list of steps that are authored or due, and a log of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodealer.kernel import PeerError, Reason, Seat, digest
from nodealer.ledger import Authored, Closed, Due, Given, LedgerDuty, Moment, Owed

BAD = b"bad"
"""An action or payload that replay refuses."""

CRASH = b"crash"
"""An action over which this application fails, as a program with an error would."""


@dataclass(frozen=True, slots=True)
class Toy:
    """What is due is read from a script of words.

    `turn` is authored by the next seat in turn, `due` is owed by all, `chain` and `shuffle`
    by all in order, `bind` by all under a binding label, `choose` too, by players who decide;
    `close` and `acks` are steps of seals alone, and any other word is a kind of part that all owe
    at once.
    """

    roster: tuple[Seat, ...]
    script: tuple[str, ...]
    at: int = 0
    log: tuple[str, ...] = ()

    def due(self) -> LedgerDuty:
        if self.at >= len(self.script):
            return Closed()
        word = self.script[self.at]
        if word == "turn":
            turns = self.script[: self.at].count("turn")
            return Authored(self.roster[turns % len(self.roster)])
        if word == "close":
            return Due(())
        if word == "acks":
            return Due((Owed(word, "", ()),))
        is_bound, is_chained = word in ("bind", "choose"), word in ("chain", "shuffle")
        decided = word == "choose"
        return Due((Owed(word, "it", self.roster, is_bound, is_chained, decided),))

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Toy:
        del moment
        if action == BAD:
            raise PeerError(Reason.COMMIT_MISMATCH, "a bad action")
        if action == CRASH:
            raise ValueError(action)
        if self.at >= len(self.script):
            return Toy(self.roster, self.script, 0, (*self.log, "again"))
        return self._next(f"{seat}:{action.decode()}")

    def check(
        self,
        moment: Moment,
        seat: Seat,
        payloads: Sequence[tuple[bytes, bytes]],
        earlier: Sequence[Given],
    ) -> None:
        del moment, seat, earlier
        if any(data == BAD for _, data in payloads):
            raise PeerError(Reason.COMMIT_MISMATCH, "a bad payload")

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Toy:
        del moment
        given = [f"{one.seat}:{data.decode()}" for one in contributions for _, data in one.payloads]
        return self._next("+".join(given) or "close")

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Toy:
        del moment
        roster = tuple(seat for seat in self.roster if seat not in seats)
        left = replace(self, roster=roster, log=(*self.log, f"out {list(seats)}"))
        if len(roster) == 1 and "close" in self.script:
            return replace(left, at=max(self.at, self.script.index("close")))
        return left

    def digest(self) -> bytes:
        return digest("toy", self.roster, self.at, self.log)

    def is_over(self) -> bool:
        return "close" in self.script[: self.at]

    def _next(self, event: str) -> Toy:
        return replace(self, at=self.at + 1, log=(*self.log, event))

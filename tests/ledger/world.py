"""Several ledgers and the links between them, under the full control of a test."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from nodealer.crypto.signing import SigningKey
from nodealer.kernel import Seat
from nodealer.ledger import (
    DUTIES,
    Ask,
    AskAction,
    AskContribution,
    Charter,
    Clock,
    Duties,
    Fixed,
    Ledger,
    LedgerEvent,
    LedgerMessage,
    Ready,
    Signatures,
    found,
    read,
    recover,
    resent,
    write,
)
from tests.ledger.toy import Toy

CLOCK = Clock(act=30, answer=10, rejoin=20, longest=400)


def keys(count: int) -> list[SigningKey]:
    """Return the identity keys of so many seats."""
    return [SigningKey(hashlib.sha256(bytes([seat])).digest()) for seat in range(count)]


def charter_of(count: int, terms: bytes = b"toy") -> Charter:
    """Return the charter of so many seats."""
    return Charter(terms, CLOCK, tuple(key.verify_key.raw for key in keys(count)), "redeal")


def seats(count: int) -> tuple[Seat, ...]:
    """Return so many seats."""
    return tuple(Seat(number) for number in range(count))


class World:
    """Ledgers, their journals, and everything on the way between them as bytes."""

    def __init__(
        self,
        count: int,
        script: Sequence[str],
        duties: Duties = DUTIES,
        terms: bytes = b"toy",
    ) -> None:
        self.charter = charter_of(count, terms)
        self.keys = keys(count)
        self.start = Toy(seats(count), tuple(script))
        self.duties = duties
        self.ledgers: dict[Seat, Ledger] = {}
        self.journals: dict[Seat, list[LedgerMessage]] = {seat: [] for seat in seats(count)}
        self.wires: list[tuple[Seat, Seat, bytes]] = []
        self.shown: list[tuple[Seat, LedgerEvent]] = []
        self.cut: set[tuple[Seat, Seat]] = set()
        self.gone: set[Seat] = set()
        self.wakes: dict[Seat, int | None] = {}
        self.asks: dict[Seat, tuple[Ask, ...]] = {}
        self.watch: Callable[[Seat, LedgerMessage, Seat], None] | None = None
        for seat in seats(count):
            self.take(seat, found(self.fixed(seat), self.start))

    def fixed(self, seat: Seat | None) -> Fixed:
        """Return what never changes for a seat, as it is after a restart; or for a reader."""
        signer = None if seat is None else self.keys[seat]
        return Fixed(self.charter, seat, signer, Signatures(self.charter.keys), self.duties)

    def take(self, seat: Seat, result: tuple[Ledger, Ready]) -> Ready:
        """Store, send and show what an input came to."""
        self.ledgers[seat], ready = result
        self.journals[seat].extend(ready.persist)
        for outgoing in ready.send:
            data = write(outgoing.message)
            for to in self.charter.seats if outgoing.to is None else (outgoing.to,):
                if to != seat:
                    self.wires.append((seat, to, data))
        self.shown.extend((seat, event) for event in ready.show)
        self.wakes[seat] = ready.wake
        if ready.ask or self.asks.get(seat) is None:
            self.asks[seat] = ready.ask
        return ready

    def deliver(self, place: int = 0) -> None:
        """Deliver one message; what is cut off or gone loses it."""
        sender, to, data = self.wires.pop(place)
        if (sender, to) in self.cut or {sender, to} & self.gone or to not in self.ledgers:
            return
        message = read(data)
        if self.watch is not None:
            self.watch(sender, message, to)
        self.take(to, self.ledgers[to].receive(message, sender))

    def settle(self) -> None:
        """Deliver everything until nothing is on the way."""
        for _ in range(20_000):
            if not self.wires:
                return
            self.deliver()
        raise AssertionError("the links never come to rest")

    def play(self, payload: Callable[[Seat, int], bytes] | None = None, steps: int = 200) -> None:
        """Let everybody do what it is asked for until nothing is asked any more."""
        for _ in range(steps):
            self.settle()
            if not self.act(payload):
                return

    def act(self, payload: Callable[[Seat, int], bytes] | None = None) -> bool:
        """Let every seat answer what it is asked; say whether anybody was."""
        acted = False
        for seat in sorted(self.ledgers):
            if seat not in self.gone:
                acted |= self.answer(seat, payload)
        return acted

    def answer(self, seat: Seat, payload: Callable[[Seat, int], bytes] | None = None) -> bool:
        """Let a seat answer what it is asked; say whether it did."""
        ledger = self.ledgers[seat]
        height = ledger.tip.height
        data = payload(seat, height) if payload else b"x%d" % height
        for ask in ledger.asked:
            if isinstance(ask, AskAction) and not ask.again:
                self.take(seat, ledger.propose(data))
                return True
            if isinstance(ask, AskContribution):
                self.take(seat, ledger.contribute([data] * len(ask.parts)))
                return True
        return False

    def pass_time(self, ticks: int, who: Iterable[Seat] | None = None) -> None:
        """Let time pass for all seats, without delivering anything."""
        for seat in sorted(self.ledgers if who is None else who):
            if seat not in self.gone:
                now = self.ledgers[seat].now + ticks
                self.take(seat, self.ledgers[seat].tick(now))

    def crash(self, seat: Seat) -> None:
        """Forget what a seat held in memory, and start it from its journal."""
        now = self.ledgers[seat].now
        records = [read(write(record)) for record in self.journals[seat]]
        if not records:  # it had not even sealed the charter
            self.take(seat, found(self.fixed(seat), self.start))
            return
        self.take(
            seat,
            recover(self.fixed(seat), self.start, records, now),
        )
        for message in resent(self.ledgers[seat]):
            for to in self.ledgers:
                if to != seat:
                    self.wires.append((seat, to, write(message)))
        self.take(seat, self.ledgers[seat].tell())

    def log(self, seat: int = 0) -> tuple[str, ...]:
        """Return what has happened, as one seat holds it."""
        state = self.ledgers[Seat(seat)].tip.state
        assert isinstance(state, Toy)
        return state.log

    def tips(self, *but: int) -> set[bytes]:
        """Return the tips of all seats that are there."""
        return {
            ledger.tip.id
            for seat, ledger in self.ledgers.items()
            if seat not in self.gone and seat not in but
        }

    def accused(self) -> set[Seat]:
        """Return all seats that somebody holds evidence against."""
        return {seat for ledger in self.ledgers.values() for seat in ledger.proven}

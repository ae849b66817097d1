"""The cost of countersigning: whole authored transitions, beside that of their signatures.

Peers sit in one thread with a ledger each. An action is proposed, written as bytes, read and
replayed by every other peer, sealed by all and taken by all. Nothing is shared between the peers
but the bytes of a message, which are written once by whoever sends them. What is left out is
storing and the network, and everything above the ledger: the application counts and does nothing
else.

The bare cost is that of as many signatures made and checked over as few bytes as possible, through
the same keys. The quotient says how much a transition costs beside its cryptography; it does not
depend on how fast a machine is.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Final

from nodealer.crypto import SigningKey
from nodealer.kernel import Seat
from nodealer.lab.benches.bench_cards import filler
from nodealer.ledger import (
    SEAL,
    Authored,
    Charter,
    Clock,
    Fixed,
    Ledger,
    LedgerDuty,
    Moment,
    Ready,
    Signatures,
    found,
    read,
    write,
)
from nodealer.verify import NoState

SEATS: Final = 4
TRANSITIONS: Final = 40
"""Transitions of one measurement: about 80 ms."""

ROUNDS: Final = 7
"""Measurements, of which the median counts."""

BENCH_CLOCK: Final = Clock(act=30, answer=10, rejoin=20, longest=400)


@dataclass(frozen=True, slots=True)
class Counter(NoState):
    """An application in which every seat in turn adds to a count."""

    seats: int
    count: int = 0

    def due(self) -> LedgerDuty:
        """Return whose turn it is."""
        return Authored(Seat(self.count % self.seats))

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Counter:
        """Count one."""
        del moment, seat, action
        return Counter(self.seats, self.count + 1)

    def digest(self) -> bytes:
        """Return the hash of the count."""
        return filler(f"count {self.count}")


class Peers:
    """The ledgers of a table in one thread, and the bytes on their way between them."""

    def __init__(self, seats: int = SEATS) -> None:
        self.keys = [SigningKey(filler(f"seat {seat}")) for seat in range(seats)]
        raw = tuple(key.verify_key.raw for key in self.keys)
        charter = Charter(b"", BENCH_CLOCK, raw, "void")
        self._wires: deque[tuple[int, int, bytes]] = deque()
        begun = [
            found(Fixed(charter, Seat(seat), key, Signatures(raw)), Counter(seats))
            for seat, key in enumerate(self.keys)
        ]
        self.ledgers: list[Ledger] = [ledger for ledger, _ in begun]
        for seat, result in enumerate(begun):
            self._take(seat, result)
        self._settle()

    def transition(self) -> None:
        """Let the seat on turn propose, and all seal and take it."""
        seat = self.ledgers[0].tip.height % len(self.ledgers)
        self._take(seat, self.ledgers[seat].propose(b"one more"))
        self._settle()

    def _take(self, seat: int, result: tuple[Ledger, Ready]) -> None:
        self.ledgers[seat], ready = result
        for outgoing in ready.send:
            data = write(outgoing.message)
            for to in range(len(self.keys)) if outgoing.to is None else (outgoing.to,):
                if to != seat:
                    self._wires.append((seat, to, data))

    def _settle(self) -> None:
        while self._wires:
            sender, to, data = self._wires.popleft()
            self._take(to, self.ledgers[to].receive(read(data), Seat(sender)))


def signatures(keys: Sequence[SigningKey]) -> None:
    """Make and check as many signatures as one transition among these keys has."""
    for key in keys:
        signature = key.sign(SEAL, b"")
        for _ in range(len(keys) - 1):
            key.verify_key.verify(SEAL, b"", signature)


def transition_over_signatures(seats: int = SEATS, rounds: int = ROUNDS) -> float:
    """Return the time of an authored transition, in bare costs of its signatures."""
    peers = Peers(seats)
    quotients = []
    for _ in range(rounds):
        bare = _seconds(lambda: signatures(peers.keys))
        whole = _seconds(peers.transition)
        quotients.append(whole / bare)
    return median(quotients)


def _seconds(operation: Callable[[], None]) -> float:
    gc.collect()
    start = process_time()
    for _ in range(TRANSITIONS):
        operation()
    return process_time() - start

"""Whole games of clients around a plain dealer."""

from __future__ import annotations

from nodealer.kernel import Seat
from tests.seat.clients import CLIENTS, Client
from tests.seat.picking import picking
from tests.seat.plainly import PlainTable, Sent

STEPS_MAX = 200_000


class Game:
    """A table at which all seats have clients; `log` is all that was sent to them, in order."""

    def __init__(
        self,
        protocol: str,
        seats: int,
        seed: str | int,
        table: type[PlainTable] = PlainTable,
    ) -> None:
        self.table = table(protocol, seats, seed)
        self.log: list[Sent] = []
        made = CLIENTS[protocol]
        self.clients: dict[Seat, Client] = {
            seat: made(seat, picking("client", seed, seat), starts=seat == 0)
            for seat in self.table.dealer.seats
        }
        for seat, client in self.clients.items():
            for message in client.opening():
                self.table.say(seat, message)

    def step(self) -> bool:
        """Deliver a message, or carry out an effect; say whether there was anything to do."""
        if not self.table.sent:
            return self.table.go_on()
        sent = self.table.sent.pop(0)
        self.log.append(sent)
        for answer in self.clients[sent.to].hear(sent.message):
            self.table.say(sent.to, answer)
        return True

    def play(self) -> None:
        """Play to the end."""
        for _ in range(STEPS_MAX):
            if not self.step():
                return
        raise AssertionError("a game without an end")

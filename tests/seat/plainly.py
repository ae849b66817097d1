"""Clients around a plain dealer: whole tables without keys, entry by entry, to look at closely.

Every joint effect is an entry, as it is at a table. A seat that has a client hears of each entry in
order; where acks are due nothing goes on before everybody has acknowledged everything, as the seats
of clients do at a table. What was sent to whom is in `sent`, in its order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nodealer.games.api import Action
from nodealer.games.base import AnyGame
from nodealer.games.dealer import PlainDealer
from nodealer.games.registry import resolve
from nodealer.games.seeds import SeenEntry, may_act
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.seat.conversation import Conversation, read_note, restored
from nodealer.seat.json_text import written
from tests.seat.spoken import PROTOCOLS, RULES

Message = dict[str, Any]

OPTIONS: dict[str, dict[str, int | str | bool]] = {
    "66-v1": {"variant": "v1"},
    "66-v2": {"variant": "v2"},
    "take5": {"turn_count": 4, "deck_size": 30, "win_score": 20},
}


@dataclass
class Sent:
    """A message to the client of a seat."""

    to: Seat
    message: Message


class PlainTable:
    """A running game with a conversation for every seat."""

    def __init__(self, protocol: str, seats: int, seed: str | int) -> None:
        self.protocol = PROTOCOLS[protocol]
        self.rules: AnyGame = RULES[protocol]
        options = resolve(self.rules, seats, OPTIONS[protocol])
        self.players = seats
        everybody = [Seat(seat) for seat in range(seats)]
        self.dealer: PlainDealer[Any] = PlainDealer(
            self.rules, everybody, options, Chance("seat", protocol, seed)
        )
        self.sent: list[Sent] = []
        self.acted: list[tuple[Seat, Action]] = []
        self.course: list[Sent] = []
        """Requests that were taken, as sent by their seat, and all that was told, in order."""
        self.phases: list[str] = []
        self.views = {seat: self.dealer.view(seat) for seat in everybody}
        self.conversations = dict.fromkeys(everybody, Conversation(self.protocol))
        self._events = len(self.dealer.events)
        for seat in everybody:
            self.link(seat)
        self.tell()

    def link(self, seat: Seat) -> None:
        """Let the client of a seat come, or come again."""
        self.conversations[seat], lines = self.conversations[seat].linked()
        self._send(seat, lines)

    def tell(self) -> None:
        """Tell everybody of the entry that has just been taken."""
        events = tuple(self.dealer.events[self._events :])
        self._events = len(self.dealer.events)
        self.phases.append(str(self.dealer.view().facts["phase"]))
        for seat in self.dealer.seats:
            view = self.dealer.view(seat)
            sight = SeenEntry(self.views[seat], view, events)
            after = self.conversations[seat].after(sight, self.dealer.legal(seat))
            self.conversations[seat] = after
            self.views[seat] = view
            self._flush(seat)

    def say(self, seat: Seat, message: Message) -> None:
        """Let the client of a seat say something."""
        self.say_text(seat, written(message))

    def say_text(self, seat: Seat, text: str) -> None:
        """Let the client of a seat say something that may be anything."""
        view, legal = self.dealer.view(seat), self.dealer.legal(seat)
        said = self.conversations[seat].heard(text, view, legal, self.players)
        self.conversations[seat], reply = said
        self._send(seat, reply.lines)
        if reply.action is None:
            return
        number = self.conversations[seat].asked_number
        was_choice = self.dealer.choice is not None
        self.dealer.begin(seat, reply.action)
        self.acted.append((seat, reply.action))
        self.course.append(Sent(seat, {**json.loads(text), "request": True}))
        self.conversations[seat] = self.conversations[seat].acted(number)
        self._flush(seat)
        if not was_choice:
            self.tell()

    def go_on(self) -> bool:
        """Carry out the next joint effect; say whether there was one that could be."""
        if not self.dealer.underway or self.dealer.is_asking or self.is_waiting():
            return False
        self.dealer.advance()
        self.tell()
        return True

    def is_waiting(self) -> bool:
        """Say whether acks are awaited."""
        waiting = [self.conversations[seat] for seat in self.dealer.seats]
        return self.protocol.has_acks and any(not one.is_heard_out for one in waiting)

    def leave(self, seats: Sequence[Seat]) -> None:
        """Leave seats out."""
        self.dealer.leave(seats, self.rules.policies[0])
        self.tell()

    def restart(self, seat: Seat) -> None:
        """Let the program of a seat be started anew, with nothing but the note."""
        note = read_note(written(self.conversations[seat].note()).encode())
        self.conversations[seat] = restored(self.protocol, note)
        self._flush(seat)
        self.link(seat)

    def cut(self, seat: Seat) -> None:
        """Let the connection of a seat's client be lost, with all that was on its way."""
        self.sent = [one for one in self.sent if one.to != seat]
        self.conversations[seat] = replace(self.conversations[seat], sent=0, is_greeted=False)

    def _flush(self, seat: Seat) -> None:
        """Send what can be sent, now that the table waits for this seat or does not."""
        is_awaited = may_act(self.dealer.view(seat))
        after, again = self.conversations[seat].awaited(is_awaited=is_awaited)
        self.conversations[seat], lines = after.flushed()
        self._send(seat, (*again, *lines))

    def _send(self, seat: Seat, lines: Sequence[str]) -> None:
        sent = [Sent(seat, json.loads(line)) for line in lines]
        self.sent += sent
        self.course += sent

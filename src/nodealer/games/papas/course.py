"""A step in the making: how far one transition has come, with its effects and events so far.

One thing that happens can lead through several phases at once, each of which adds to what the cards
are asked for and to what people are told. A `Course` is carried through them; it knows the board as
it is once the cards it has moved lie where they belong. Its end is a `Step`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.cards import Board, Zone, hand
from nodealer.games.api import Event, Plain, Step, event
from nodealer.games.effects import Effect, Move
from nodealer.games.papas.state import Phase, State
from nodealer.kernel import Seat, SlotId, changed


@dataclass(frozen=True)
class Course:
    """The way that a transition has come."""

    state: State
    board: Board
    effects: tuple[Effect, ...] = ()
    events: tuple[Event, ...] = ()

    def hand_of(self, seat: Seat) -> tuple[SlotId, ...]:
        """Return the slots of a seat's hand."""
        return self.board.at(hand(seat))

    def becoming(self, state: State) -> Course:
        """Return the course with another state."""
        return changed(self, state=state)

    def to(self, trigger: str, phase: Phase) -> Course:
        """Return the course in the next phase."""
        return changed(self, state=self.state.moved(trigger, phase))

    def on(self, trigger: str) -> Course:
        """Return the course after something that does not lead out of its phase."""
        return self.to(trigger, self.state.phase)

    def told(self, kind: str, /, **fields: Plain) -> Course:
        """Return the course with one event more."""
        return changed(self, events=(*self.events, event(kind, **fields)))

    def moved(self, slots: Sequence[SlotId], zone: Zone) -> Course:
        """Return the course with cards put behind those of a zone."""
        move = Move(tuple(slots), zone)
        return changed(self, board=self.board.moved(slots, zone), effects=(*self.effects, move))

    def step(self, *effects: Effect) -> Step[State]:
        """Return the step to which this has come, with some effects at its end."""
        return Step(self.state, (*self.effects, *effects), self.events)

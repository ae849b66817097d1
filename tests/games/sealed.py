"""A small game with joint choices: the sample game, in which all lay their cards at once.

Everybody chooses a card, hidden from the others; then all are opened, and the highest takes the
trick. It has both ways of going on when seats leave: `continue` drops the cards of those who have
left, `void` deals anew.
"""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from high_card.rules import GAME as HIGH_CARD
from high_card.rules import TAKEN, TRICK
from high_card.rules import Rules as HighCard
from high_card.rules import State as TrickState
from nodealer.cards import Board, hand
from nodealer.games.api import (
    Action,
    ActionKind,
    Duty,
    Options,
    Over,
    Step,
    Turn,
    View,
    action,
    event,
)
from nodealer.games.effects import Choose, Effect, Move, Outcome, Show
from nodealer.kernel import Seat, SlotId

LAY = ActionKind("lay", "lay a card", fields=("card",))


@dataclass(frozen=True)
class State(TrickState):
    """What the rules remember: the sample game's state, and the cards that were chosen."""

    is_dealt: bool = False
    chosen: tuple[tuple[Seat, SlotId], ...] = ()


@dataclass(frozen=True)
class Sealed(HighCard):
    """High card with sealed envelopes."""

    id: str = "sealed"
    policies: tuple[str, ...] = ("continue", "void")
    actions: tuple[ActionKind, ...] = field(default=(LAY,))

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[TrickState]:
        step = super().setup(seats, options)
        return replace(step, state=State(tuple(seats), tuple(options.items())))

    def duty(self, state: TrickState) -> Duty:
        # There is never a turn; a seat is named here for games that ask for one in error.
        return Over() if state.is_over else Turn(state.seats[0], ("lay",))

    def resume(self, state: TrickState, board: Board, outcome: Outcome) -> Step[TrickState]:
        assert isinstance(state, State)
        if not state.tricks:
            return super().resume(state, board, outcome)
        if not state.is_dealt:
            return self.ask(replace(state, is_dealt=True), board)
        if not state.chosen:
            slots = outcome.slots(-1)
            chosen = tuple(zip(state.seats, slots, strict=True))
            return Step(replace(state, chosen=chosen), self.opening(slots))
        return self.taken(state, board)

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        """Let everybody choose a card."""
        return Step(state, (Choose("card", "lay", tuple(hand(seat) for seat in state.seats)),))

    def opening(self, slots: Sequence[SlotId]) -> tuple[Effect, ...]:
        """Return the effects that open what was chosen."""
        return (Move(tuple(slots), TRICK), Show(tuple(slots)))

    def taken(self, state: State, board: Board) -> Step[TrickState]:
        """Give the trick to the highest card."""
        numbers = {seat: int(board.face(slot)) for seat, slot in state.chosen}
        winner = max(numbers, key=lambda seat: numbers[seat])
        told = [event("laid", seat=seat, number=number) for seat, number in numbers.items()]
        tricks = tuple((seat, count + (seat == winner)) for seat, count in state.tricks)
        after = replace(state, chosen=(), tricks=tricks)
        events = (*told, event("taken", seat=winner))
        if not board.at(hand(winner)):
            return Step(replace(after, is_over=True), events=events)
        asked = self.ask(after, board)
        clearing = Move(board.at(TRICK), TAKEN)
        return Step(after, (clearing, *asked.effects), events)

    def leave(
        self, state: TrickState, board: Board, seats: Sequence[Seat], policy: str
    ) -> Step[TrickState]:
        assert isinstance(state, State)
        staying = tuple(seat for seat in state.seats if seat not in seats)
        if state.is_over or len(staying) == 1 or policy == "void" or not state.is_dealt:
            return super().leave(state, board, seats, policy)
        return self.without(state, board, staying, seats)

    def without(
        self, state: State, board: Board, staying: tuple[Seat, ...], seats: Sequence[Seat]
    ) -> Step[TrickState]:
        """Go on with the cards as they lie."""
        after = replace(
            state,
            seats=staying,
            tricks=tuple(entry for entry in state.tricks if entry[0] in staying),
            chosen=tuple(entry for entry in state.chosen if entry[0] in staying),
            left=(*state.left, tuple(seats)),
        )
        if after.chosen:
            return Step(after, (Show(tuple(slot for _, slot in after.chosen)),))
        return self.ask(after, board)

    def legal(self, view: View) -> tuple[Action, ...]:
        if not view.owes_choice:
            return ()
        return tuple(action("lay", card=(card.slot,)) for card in view.zone("hand", view.viewer))

    def rules(self) -> str:
        return f"{HIGH_CARD.rules()}\nOr `continue`.\n"


SEALED = Sealed()

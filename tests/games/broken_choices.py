"""Games that break one rule of joint choices each; all are the sealed game but for that."""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from high_card.rules import State as TrickState
from nodealer.cards import STOCK, Board, Zone, hand
from nodealer.games.api import Action, ActionKind, Choice, Standing, Step, View
from nodealer.games.effects import Choose, Move, Show
from nodealer.kernel import Seat
from tests.games.sealed import LAY, Sealed, State


class Absent(Sealed):
    """Asks seats that have left."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        seats = sorted({*state.seats, *(seat for gone in state.left for seat in gone)})
        return Step(state, (Choose("card", "lay", tuple(hand(seat) for seat in seats)),))


class Twice(Sealed):
    """Asks a seat for two cards at once."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        seats = (*state.seats, state.seats[0])
        return Step(state, (Choose("card", "lay", tuple(hand(seat) for seat in seats)),))


class Common(Sealed):
    """Lets a seat choose from what is nobody's."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        return Step(state, (Choose("card", "lay", (hand(state.seats[0]), STOCK)),))


class Nobody(Sealed):
    """Asks nobody."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        return Step(state, (Choose("card", "lay", ()),))


class Empty(Sealed):
    """Has nothing to choose from for one of the seats."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        away = Move(board.at(hand(state.seats[0])), Zone("away"))
        return Step(state, (away, *super().ask(state, board).effects))


class Showing(Sealed):
    """Lets a seat choose among cards of which another has seen one."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        seen = Show(board.at(hand(state.seats[0]))[:1], (state.seats[-1],))
        return Step(state, (seen, *super().ask(state, board).effects))


class Opening(Sealed):
    """Lets a seat choose among cards of which one is open."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        seen = Show(board.at(hand(state.seats[0]))[:1])
        return Step(state, (seen, *super().ask(state, board).effects))


class Blind(Sealed):
    """Lets a seat choose among cards that it has not seen."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        more = Move(board.at(STOCK)[:1], hand(state.seats[0]))
        return Step(state, (more, *super().ask(state, board).effects))


class Unkind(Sealed):
    """Asks for a kind of action that it does not have."""

    def ask(self, state: State, board: Board) -> Step[TrickState]:
        (choose,) = super().ask(state, board).effects
        assert isinstance(choose, Choose)
        return Step(state, (replace(choose, kind="throw"),))


class Revealing(Sealed):
    """Opens a card by choosing it."""

    def __init__(self) -> None:
        super().__init__(policies=("void",), actions=(replace(LAY, opens=("card",)),))


class Verbose(Sealed):
    """Has more to say of a choice than the card."""

    def __init__(self) -> None:
        super().__init__(actions=(ActionKind("lay", "lay a card", fields=("card", "word")),))


class Selective(Sealed):
    """Leaves out one of the cards that can be chosen."""

    def legal(self, view: View) -> tuple[Action, ...]:
        legal = super().legal(view)
        return legal[1:] if len(legal) > 1 else legal


class Silent(Sealed):
    """Has nothing to do for those who owe a choice."""

    def legal(self, view: View) -> tuple[Action, ...]:
        return ()


class Insistent(Sealed):
    """Lets those choose again who have chosen."""

    def legal(self, view: View) -> tuple[Action, ...]:
        if not isinstance(view.duty, Choice):
            return ()
        return super().legal(replace(view, duty=replace(view.duty, owing=view.duty.asked)))


class Finished(Sealed):
    """Has a result while seats still choose."""

    def result(self, state: TrickState) -> Standing | None:
        return super().result(replace(state, is_over=bool(state.tricks)))


class Exchanging(Sealed):
    """Takes cards away from which others have chosen, and asks the same again."""

    def without(
        self, state: State, board: Board, staying: tuple[Seat, ...], seats: Sequence[Seat]
    ) -> Step[TrickState]:
        step = super().without(state, board, staying, seats)
        hands = [board.at(hand(seat)) for seat in staying]
        away = [Move(slots[:-1], Zone("away")) for slots in hands]
        return replace(step, effects=(*away, *step.effects))


BROKEN_CHOICES = [
    # the game, and the rule that the kit finds broken
    (Absent(), "seats of the game are asked to choose"),
    (Twice(), "seats of the game are asked to choose"),
    (Common(), "seats of the game are asked to choose"),
    (Nobody(), "seats of the game are asked to choose"),
    (Empty(), "there is something to choose from"),
    (Showing(), "who chooses a card knows it, and nobody else does"),
    (Opening(), "who chooses a card knows it, and nobody else does"),
    (Blind(), "who chooses a card knows it, and nobody else does"),
    (Unkind(), "a choice names one card and opens none"),
    (Revealing(), "a choice names one card and opens none"),
    (Verbose(), "a choice names one card and opens none"),
    (Selective(), "every card of the zone can be chosen"),
    (Silent(), "whoever has the turn can do something"),
    (Insistent(), "who has not the turn can do nothing"),
    (Finished(), "a game with a result is over"),
    (Exchanging(), "what was chosen can be chosen again"),
]

"""High card: everybody lays a card, the highest takes the trick; most tricks win.

A whole game, small enough to be read in one go. The deck has the numbers 1 to 40. Each seat is
dealt some cards. In every trick the seats lay one card each, in order; whoever lays the highest
number has won the trick and lays first in the next one. When the hands are empty the seat with the
most tricks wins. A game of one deal begins anew when a seat leaves; `RoundGame` sees to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nodealer.cards import STOCK, Board, Composition, Zone, hand
from nodealer.games import (
    Action,
    ActionKind,
    Duty,
    Effect,
    Event,
    Move,
    NewDeck,
    Option,
    Options,
    Outcome,
    Over,
    Plain,
    RoundGame,
    RoundState,
    Show,
    Standing,
    Step,
    Turn,
    View,
    action,
    event,
    illegal,
    named_in,
    ranked,
)
from nodealer.kernel import Seat

DECK = Composition(tuple(str(number) for number in range(1, 41)))
TRICK = Zone("trick")
TAKEN = Zone("taken")


@dataclass(frozen=True)
class State(RoundState):
    """What the rules remember; `turn` is None while cards are dealt."""

    turn: Seat | None = None
    tricks: tuple[tuple[Seat, int], ...] = ()
    laid: tuple[tuple[Seat, int], ...] = ()


@dataclass(frozen=True)
class Rules(RoundGame[State]):
    """The rules, as nodealer asks for them."""

    id: str = "high-card"
    title: str = "High card"
    seats: tuple[int, int] = (2, 6)
    options: tuple[Option, ...] = (Option("cards", "cards for each", 3, minimum=1, maximum=6),)
    actions: tuple[ActionKind, ...] = (
        ActionKind("lay", "lay a card", fields=("card",), opens=("card",)),
    )

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle the deck."""
        return Step(State(tuple(seats), tuple(options.items())), (NewDeck(DECK, STOCK),))

    def duty(self, state: State) -> Duty:
        """Return whose turn it is."""
        if state.is_over:
            return Over()
        assert state.turn is not None
        return Turn(state.turn, ("lay",))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Lay a card."""
        slots = chosen.slots("card")
        if len(slots) != 1 or slots[0] not in board.at(hand(seat)):
            raise illegal("one card of the hand is laid")
        number = int(board.face(slots[0]))
        laid = (*state.laid, (seat, number))
        told = event("laid", seat=seat, number=number)
        effects: list[Effect] = [Move(slots, TRICK)]
        if len(laid) < len(state.seats):
            following = state.seats[(state.seats.index(seat) + 1) % len(state.seats)]
            return Step(replace(state, laid=laid, turn=following), tuple(effects), (told,))
        winner = max(laid, key=lambda entry: entry[1])[0]
        tricks = tuple((seat, count + (seat == winner)) for seat, count in state.tricks)
        effects.append(Move((*board.at(TRICK), *slots), TAKEN))
        is_over = len(board.at(hand(seat))) == 1
        after = replace(state, laid=(), tricks=tricks, turn=winner, is_over=is_over)
        return Step(after, tuple(effects), (told, event("taken", seat=winner)))

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Deal the shuffled deck."""
        if state.turn is not None:
            return Step(state)
        if state.tricks:
            return Step(replace(state, turn=state.seats[0]))
        slots, cards = outcome.slots(0), int(state.option("cards"))
        effects: list[Effect] = []
        for index, seat in enumerate(state.seats):
            given = slots[index * cards : (index + 1) * cards]
            effects += [Move(given, hand(seat)), Show(given, (seat,))]
        return Step(replace(state, tricks=tuple((seat, 0) for seat in state.seats)), tuple(effects))

    def result(self, state: State) -> Standing | None:
        """Return the standing: most tricks first."""
        if not state.is_over:
            return None
        won = {seat: dict(state.tricks).get(seat, 0) for seat in state.seats}
        return Standing(ranked(state.seats, state.left, lambda seat: -won[seat]), won)

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return the cards of the hand."""
        if not view.has_turn:
            return ()
        return tuple(action("lay", card=(card.slot,)) for card in view.zone("hand", view.viewer))

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say what has happened."""
        if happened.kind == "laid":
            return f"{named_in(happened, names)} lays {happened.get('number')}."
        return f"{named_in(happened, names)} takes the trick."

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what has been laid and won."""
        return {"laid": state.laid, "tricks": state.tricks}

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say who has won how many tricks."""
        won = [f"{names[seat]} {count}" for seat, count in view.by_seat("tricks").items()]
        return (f"tricks: {', '.join(won)}",) if won else ()


GAME = Rules()

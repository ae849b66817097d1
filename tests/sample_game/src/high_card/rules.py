"""High card: everybody lays a card, the highest takes the trick; most tricks win.

A whole game, small enough to be read in one go. The deck has the numbers 1 to 40. Each seat is
dealt some cards. In every trick the seats lay one card each, in order; whoever lays the highest
number has won the trick and lays first in the next one. When the hands are empty the seat with the
most tricks wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby

from nodealer.cards import STOCK, Board, Composition, Zone, hand
from nodealer.games.api import (
    Action,
    ActionKind,
    Bot,
    Duty,
    Event,
    Milestone,
    Option,
    Options,
    Over,
    Plain,
    Standing,
    Step,
    Turn,
    View,
    action,
    event,
    illegal,
)
from nodealer.games.effects import Effect, Move, NewDeck, Outcome, Show
from nodealer.kernel import Seat

DECK = Composition(tuple(str(number) for number in range(1, 41)))
TRICK = Zone("trick")
TAKEN = Zone("taken")


@dataclass(frozen=True, slots=True)
class State:
    """What the rules remember; `turn` is None while cards are dealt and when the game is over."""

    seats: tuple[Seat, ...]
    cards: int
    turn: Seat | None = None
    tricks: tuple[tuple[Seat, int], ...] = ()
    laid: tuple[tuple[Seat, int], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules, as nodealer asks for them."""

    id: str = "high-card"
    version: int = 1
    title: str = "High card"
    seats: tuple[int, int] = (2, 6)
    options: tuple[Option, ...] = (Option("cards", "cards for each", 3, minimum=1, maximum=6),)
    policies: tuple[str, ...] = ("void",)
    actions: tuple[ActionKind, ...] = (
        ActionKind("lay", "lay a card", fields=("card",), opens=("card",)),
    )

    def check_options(self, seats: int, options: Options) -> None:
        """Accept all: six cards for six seats are fewer than there are."""

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle the deck."""
        return _begin(State(tuple(seats), int(options["cards"])))

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
            return Step(replace(state, laid=laid, turn=_next(state, seat)), tuple(effects), (told,))
        winner = max(laid, key=lambda entry: entry[1])[0]
        tricks = tuple((seat, count + (seat == winner)) for seat, count in state.tricks)
        effects.append(Move((*board.at(TRICK), *slots), TAKEN))
        after = replace(
            state, laid=(), tricks=tricks, turn=winner, is_over=len(board.at(hand(seat))) == 1
        )
        return Step(after, tuple(effects), (told, event("taken", seat=winner)))

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Deal the shuffled deck."""
        if state.turn is not None:
            return Step(state)
        if state.tricks:
            return Step(replace(state, turn=state.seats[0]))
        slots = outcome.slots(0)
        effects: list[Effect] = []
        for index, seat in enumerate(state.seats):
            given = slots[index * state.cards : (index + 1) * state.cards]
            effects += [Move(given, hand(seat)), Show(given, (seat,))]
        return Step(replace(state, tricks=tuple((seat, 0) for seat in state.seats)), tuple(effects))

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Begin anew without these seats."""
        if state.is_over:
            return Step(state)
        staying = tuple(seat for seat in state.seats if seat not in seats)
        after = State(staying, state.cards, left=(*state.left, tuple(seats)))
        if len(staying) == 1:
            return Step(replace(after, tricks=((staying[0], 0),), is_over=True))
        return _begin(after)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what has been laid and won."""
        return {"laid": state.laid, "tricks": state.tricks}

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return the cards of the hand."""
        if not view.has_turn:
            return ()
        return tuple(action("lay", card=(card.slot,)) for card in view.zone("hand", view.viewer))

    def result(self, state: State) -> Standing | None:
        """Return the standing by tricks."""
        if not state.is_over:
            return None
        ranked = sorted(state.tricks, key=lambda entry: -entry[1])
        places = [tuple(s for s, _ in group) for _, group in groupby(ranked, lambda e: e[1])]
        return Standing((*places, *reversed(state.left)), dict(state.tricks))

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say who has won how many tricks."""
        won = [f"{names[seat]} {count}" for seat, count in view.by_seat("tricks").items()]
        return (f"tricks: {', '.join(won)}",) if won else ()

    def remark(self, view: View, word: str) -> str:
        """Return nothing: a card is worth its number."""
        return ""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say what has happened."""
        seat = happened.get("seat")
        assert isinstance(seat, int)
        if happened.kind == "laid":
            return f"{names[Seat(seat)]} lays {happened.get('number')}."
        return f"{names[Seat(seat)]} takes the trick."

    def rules(self) -> str:
        """Return the page of rules for players."""
        return files(__package__).joinpath("page.md").read_text(encoding="utf-8")

    def bot(self) -> Bot | None:
        """Return nothing: chance plays it well enough."""
        return None

    def milestones(self) -> tuple[Milestone, ...]:
        """Return nothing: a simulation counts what all games come to."""
        return ()


def _begin(state: State) -> Step[State]:
    return Step(state, (NewDeck(DECK, STOCK),))


def _next(state: State, seat: Seat) -> Seat:
    return state.seats[(state.seats.index(seat) + 1) % len(state.seats)]


GAME = Rules()

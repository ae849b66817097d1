"""A small game with all that hidden cards can be asked: sealed choices, verdicts, and notices.

Everybody has a hand, and a *pair*: two cards that all others have seen and their owner has not. In
every round all choose a card of their hand at once; then these are opened. Who has laid the highest
(of equals the first in order) says whether its pair has one face. Everybody learns the verdict, and
takes notice; who was right has a point. It has both ways of going on when seats leave.
"""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from nodealer.cards import STOCK, Board, Composition, Zone, hand
from nodealer.games.api import (
    Action,
    ActionKind,
    Duty,
    Event,
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
from nodealer.games.base import Game, ranked
from nodealer.games.effects import Acks, Choose, Compare, Effect, Move, NewDeck, Outcome, Show
from nodealer.kernel import Seat, SlotId

DECK = Composition.of({"1": 13, "2": 13, "3": 13, "4": 13})
TRICK = Zone("trick")
TAKEN = Zone("taken")

LAY = ActionKind("lay", "lay a card", fields=("card",))
GUESS = ActionKind("guess", "say whether your pair is alike", fields=("alike",))

PAGE = """\
# Pairs

Guess what others see. With `cards` it is said how many cards each seat gets. When a seat leaves,
the table goes on by `continue` with the cards as they lie, or by `void` with others.
"""


class Phase(Enum):
    """What is under way."""

    DEALING = "dealing"
    CHOOSING = "choosing"
    OPENING = "opening"
    GUESSING = "guessing"
    JUDGING = "judging"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """What the rules remember."""

    seats: tuple[Seat, ...]
    cards: int
    phase: Phase = Phase.DEALING
    chosen: tuple[tuple[Seat, SlotId], ...] = ()
    winner: Seat | None = None
    guess: bool | None = None
    points: tuple[tuple[Seat, int], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()


def pair(seat: Seat) -> Zone:
    """Return the zone of the two cards that a seat does not know."""
    return Zone("pair", seat)


@dataclass(frozen=True)
class Pairs(Game[State]):
    """The rules."""

    id: str = "pairs"
    title: str = "Pairs"
    seats: tuple[int, int] = (2, 10)
    options: tuple[Option, ...] = field(
        default=(Option("cards", "cards for each", 2, minimum=1, maximum=3),)
    )
    policies: tuple[str, ...] = ("continue", "void")
    actions: tuple[ActionKind, ...] = field(default=(LAY, GUESS))
    deck: Composition = DECK

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle."""
        return self.begun(State(tuple(seats), int(options["cards"])))

    def begun(self, state: State) -> Step[State]:
        """Begin to deal."""
        fresh = replace(state, phase=Phase.DEALING, points=(), chosen=(), winner=None, guess=None)
        return Step(fresh, (NewDeck(self.deck, STOCK),))

    def duty(self, state: State) -> Duty:
        """Return whose turn it is."""
        return Over() if state.winner is None else Turn(state.winner, ("guess",))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Hear a guess, and ask how it is."""
        guess = chosen.get("alike")
        if not isinstance(guess, bool):
            raise illegal("yes or no")
        after = replace(state, phase=Phase.JUDGING, guess=guess)
        told = event("guessed", seat=seat, alike=guess)
        return Step(after, (Move(board.at(TRICK), TAKEN), *self.asking(board, seat)), (told,))

    def asking(self, board: Board, seat: Seat) -> tuple[Effect, ...]:
        """Return the effects by which all learn of a pair."""
        return (Compare(board.at(pair(seat))), Acks())

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Go on."""
        match state.phase:
            case Phase.DEALING if not state.points:
                return self.dealt(state, outcome.slots(0))
            case Phase.DEALING:
                return self.ask(state)
            case Phase.CHOOSING:
                slots = outcome.slots(-1)
                chosen = tuple(zip(state.seats, slots, strict=True))
                after = replace(state, phase=Phase.OPENING, chosen=chosen)
                return Step(after, (Move(slots, TRICK), Show(slots)))
            case Phase.OPENING:
                return self.opened(state, board)
            case Phase.OVER:
                return Step(state)
            case _:
                return self.judged(state, board, outcome)

    def dealt(self, state: State, slots: Sequence[SlotId]) -> Step[State]:
        """Deal hands and pairs."""
        effects: list[Effect] = []
        each = state.cards + 2
        for index, seat in enumerate(state.seats):
            given = tuple(slots[index * each : (index + 1) * each])
            effects += [Move(given[2:], hand(seat)), Move(given[:2], pair(seat))]
        for index, seat in enumerate(state.seats):
            given = tuple(slots[index * each : (index + 1) * each])
            others = tuple(other for other in state.seats if other != seat)
            effects += [Show(given[2:], (seat,)), Show(given[:2], others)]
        return Step(replace(state, points=tuple((seat, 0) for seat in state.seats)), tuple(effects))

    def ask(self, state: State) -> Step[State]:
        """Let everybody choose a card."""
        after = replace(state, phase=Phase.CHOOSING, chosen=(), winner=None, guess=None)
        return Step(after, (Choose("card", "lay", tuple(hand(seat) for seat in state.seats)),))

    def opened(self, state: State, board: Board) -> Step[State]:
        """Let the highest guess."""
        faces = {seat: board.face(slot) for seat, slot in state.chosen}
        winner = max(faces, key=lambda seat: faces[seat])
        told = [event("laid", seat=seat, face=face) for seat, face in faces.items()]
        return Step(replace(state, phase=Phase.GUESSING, winner=winner), (), tuple(told))

    def judged(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Give the point, and go on to the next round."""
        alike, winner = outcome.verdict(-2), state.winner
        told = event("judged", seat=winner, alike=alike)
        right = alike == state.guess
        points = tuple((seat, n + (right and seat == winner)) for seat, n in state.points)
        step = self.next_round(replace(state, points=points), board)
        return replace(step, events=(told,))

    def next_round(self, state: State, board: Board) -> Step[State]:
        """Begin the next round, or end."""
        if board.at(hand(state.seats[0])):
            return self.ask(state)
        return Step(replace(state, phase=Phase.OVER, chosen=(), winner=None, guess=None))

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Go on without some seats."""
        if state.phase is Phase.OVER:
            return Step(state)
        after = replace(
            state,
            seats=tuple(seat for seat in state.seats if seat not in seats),
            left=(*state.left, tuple(seats)),
            chosen=tuple(entry for entry in state.chosen if entry[0] not in seats),
            points=tuple(entry for entry in state.points if entry[0] not in seats),
        )
        if len(after.seats) == 1:
            points = after.points or ((after.seats[0], 0),)
            ended = replace(after, phase=Phase.OVER, chosen=(), winner=None, guess=None)
            return Step(replace(ended, points=points))
        if policy == "void" or state.phase is Phase.DEALING:
            return self.begun(after)
        return self.without(after, board)

    def without(self, state: State, board: Board) -> Step[State]:
        """Go on with the cards as they lie."""
        match state.phase:
            case Phase.CHOOSING:
                return self.ask(state)
            case Phase.OPENING:
                return Step(state, (Show(tuple(slot for _, slot in state.chosen)),))
            case _ if state.winner not in state.seats:
                step = self.next_round(state, board)
                return replace(step, effects=(Move(board.at(TRICK), TAKEN), *step.effects))
            case Phase.JUDGING:
                assert state.winner is not None
                return Step(state, self.asking(board, state.winner))
            case _:
                return Step(state)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return the points, and who guesses what."""
        return {"points": state.points, "winner": state.winner, "guess": state.guess}

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return the cards of the hand, or both guesses."""
        if view.owes_choice:
            cards = view.zone("hand", view.viewer)
            return tuple(action("lay", card=(card.slot,)) for card in cards)
        if view.has_turn:
            return tuple(action("guess", alike=alike) for alike in (False, True))
        return ()

    def result(self, state: State) -> Standing | None:
        """Return the standing by points."""
        if state.phase is not Phase.OVER:
            return None
        points = dict(state.points)
        return Standing(ranked(state.seats, state.left, lambda seat: -points[seat]), points)

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say who has how many points."""
        points = [f"{names[seat]} {count}" for seat, count in view.by_seat("points").items()]
        return (f"points: {', '.join(points)}",) if points else ()

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say what has happened."""
        seat = happened.get("seat")
        assert isinstance(seat, int)
        said = {True: "alike", False: "not alike"}.get(bool(happened.get("alike")))
        if happened.kind == "laid":
            return f"{names[Seat(seat)]} lays {happened.get('face')}."
        verb = "says that the pair is" if happened.kind == "guessed" else "has a pair that is"
        return f"{names[Seat(seat)]} {verb} {said}."

    def rules(self) -> str:
        """Return the page of rules."""
        return PAGE


PAIRS = Pairs()

SMALL_PAIRS = Pairs(deck=Composition.of({"1": 4, "2": 4, "3": 4, "4": 4}))
"""The same with cards for up to four seats, where many records are checked."""

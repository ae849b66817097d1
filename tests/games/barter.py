"""A small game with all that becomes of hands: restacked, looked into, given, taken back.

Everybody has a hand. In a turn a seat does one thing: takes a card of another hand blind, looks
into a hand and takes one, exchanges hands, asks for a face, draws if nobody objects, lets a card of
every other hand go into the stock by chance, plays a card, or waits. After so many turns it is
over. Who leaves ends it.
"""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import prod

from nodealer.cards import DISCARD, STOCK, Board, Composition, hand
from nodealer.games.api import (
    Action,
    ActionKind,
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
from nodealer.games.base import RoundGame, RoundState, ranked
from nodealer.games.effects import (
    Ask,
    Claim,
    Coin,
    Effect,
    Give,
    Move,
    NewDeck,
    Outcome,
    Reshuffle,
    Restack,
    Show,
)
from nodealer.kernel import Seat, SlotId

DECK = Composition.of({"a": 6, "b": 6, "c": 6, "d": 6})

STEAL = ActionKind("steal", "take a card of a hand blind", fields=("seat",))
LOOK = ActionKind("look", "look into a hand and take a card", fields=("seat",))
SWAP = ActionKind("swap", "exchange hands", fields=("seat",))
SCATTER = ActionKind("scatter", "let a card of every other hand go")
WANT = ActionKind("want", "ask a hand for a face", fields=("face", "seat"))
PLAY = ActionKind("play", "play a card and draw one", fields=("card",), opens=("card",))
CALL = ActionKind("call", "draw two cards, if nobody objects")
WAIT = ActionKind("wait", "do nothing")
OBJECT = ActionKind("object", "object by a card", fields=("card",), proves=("card",))
AGREE = ActionKind("agree", "say nothing")
TAKE = ActionKind("take", "take a card", fields=("card",))

OBJECTING = "a"
"""The face by which a call is objected to."""

AT_SEATS = ("steal", "look", "swap")

PAGE = """\
# Barter

Take cards. With `cards` it is said how many cards each seat gets, with `turns` how many turns there
are. When a seat leaves, others begin anew without it (`void`).
"""


class Phase(Enum):
    """What is under way."""

    DEALING = "dealing"
    TURN = "turn"
    RESTACKING = "restacking"
    LOOKING = "looking"
    PICKING = "picking"
    DRAWING = "drawing"
    SCATTERING = "scattering"
    CLAIMING = "claiming"
    ASKING = "asking"
    DONE = "done"


@dataclass(frozen=True)
class State(RoundState):
    """What the rules remember."""

    phase: Phase = Phase.DEALING
    turn: Seat | None = None
    target: Seat | None = None
    is_looking: bool = False
    turns_left: int = 0


@dataclass(frozen=True)
class Barter(RoundGame[State]):
    """The rules."""

    id: str = "barter"
    title: str = "Barter"
    seats: tuple[int, int] = (2, 6)
    options: tuple[Option, ...] = field(
        default=(
            Option("cards", "cards for each", 2, minimum=1, maximum=3),
            Option("turns", "turns in all", 6, minimum=1, maximum=12),
        )
    )
    actions: tuple[ActionKind, ...] = field(
        default=(STEAL, LOOK, SWAP, WANT, SCATTER, PLAY, CALL, WAIT, TAKE, OBJECT, AGREE)
    )

    window: int = 0

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Shuffle."""
        turns = int(options["turns"])
        state = State(tuple(seats), tuple(options.items()), turns_left=turns)
        return Step(state, (NewDeck(DECK, STOCK),))

    def longest_window(self, options: Options) -> int:
        """Return how many seconds there are for a question."""
        return self.window

    def duty(self, state: State) -> Duty:
        """Return whose turn it is."""
        if state.is_over:
            return Over()
        assert state.turn is not None
        if state.phase is Phase.PICKING:
            return Turn(state.turn, ("take",))
        others = (TAKE, OBJECT, AGREE)
        return Turn(state.turn, tuple(one.kind for one in self.actions if one not in others))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Do what a seat wants."""
        match chosen.kind:
            case "take":
                return self.taken(state, board, chosen.slots("card"), chosen)
            case "play":
                return self.played(state, board, seat, chosen)
            case "wait":
                return self.next_turn(state)
            case "call":
                return self.called(state, board, seat)
            case "scatter":
                return self.scattering(state, board, seat)
            case _:
                return self.aimed(state, board, seat, chosen)

    def called(self, state: State, board: Board, seat: Seat) -> Step[State]:
        """Ask all others whether they object."""
        others = tuple(other for other in state.seats if other != seat)
        asking = Ask("objections", (OBJECT.kind, AGREE.kind), others, AGREE.kind, self.window)
        told = (event("called", seat=seat),)
        return Step(replace(state, phase=Phase.ASKING), (asking,), told)

    def heard(self, state: State, board: Board, answers: Sequence[Action]) -> Step[State]:
        """Lay the first card by which somebody objects aside, or draw."""
        assert state.turn is not None
        others = [seat for seat in state.seats if seat != state.turn]
        said = dict(zip(others, answers, strict=True))
        told = tuple(event("said", seat=seat, what=one.kind) for seat, one in said.items())
        done = replace(state, phase=Phase.DONE)
        for one in said.values():
            if one.kind == OBJECT.kind:
                return Step(done, (Move(one.slots("card"), DISCARD),), told)
        drawn = board.at(STOCK)[:2]
        if not drawn:
            return replace(self.next_turn(state), events=told)
        effects = (Move(drawn, hand(state.turn)), Show(drawn, (state.turn,)))
        return Step(done, effects, told)

    def aimed(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Do something to the hand of another."""
        target = self.target(state, board, seat, chosen)
        told = (event("aimed", seat=seat, at=target, how=chosen.kind),)
        if chosen.kind == "swap":
            mine, theirs = board.at(hand(seat)), board.at(hand(target))
            gifts: list[Effect] = [Give(mine, hand(target))] if mine else []
            gifts.append(Give(theirs, hand(seat)))
            return Step(replace(state, phase=Phase.DONE), tuple(gifts), told)
        if chosen.kind == "want":
            face = chosen.get("face")
            if face not in DECK.distinct:
                raise illegal("a face is asked for")
            wanted = Claim(hand(target), str(face))
            return Step(replace(state, phase=Phase.CLAIMING, target=target), (wanted,), told)
        is_looking = chosen.kind == "look"
        after = replace(state, phase=Phase.RESTACKING, target=target, is_looking=is_looking)
        return Step(after, (Restack((hand(target),)),), told)

    def target(self, state: State, board: Board, seat: Seat, chosen: Action) -> Seat:
        """Return the seat at which an action aims, which has cards."""
        target = chosen.get("seat")
        others = [other for other in state.seats if other != seat and board.at(hand(other))]
        if type(target) is not int or target not in others:
            raise illegal("another seat with cards")
        return Seat(target)

    def played(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Play a card, and draw one."""
        slots = chosen.slots("card")
        if len(slots) != 1 or slots[0] not in board.at(hand(seat)):
            raise illegal("one card of the hand is played")
        told = (event("played", seat=seat, face=board.face(slots[0])),)
        drawn = board.at(STOCK)[:1]
        effects: list[Effect] = [Move(slots, DISCARD)]
        if drawn:
            effects += [Move(drawn, hand(seat)), Show(drawn, (seat,))]
        return Step(replace(state, phase=Phase.DONE), tuple(effects), told)

    def scattering(self, state: State, board: Board, seat: Seat) -> Step[State]:
        """Let all others restack their hands."""
        zones = tuple(
            hand(other) for other in state.seats if other != seat and board.at(hand(other))
        )
        if not zones:
            raise illegal("somebody else has cards")
        told = (event("scattered", seat=seat),)
        return Step(replace(state, phase=Phase.DRAWING), (Restack(zones),), told)

    def taken(
        self, state: State, board: Board, slots: Sequence[SlotId], chosen: Action
    ) -> Step[State]:
        """Take a card of the hand aimed at."""
        assert state.target is not None
        assert state.turn is not None
        if len(slots) != 1 or slots[0] not in board.at(hand(state.target)):
            raise illegal("one card of that hand is taken")
        if chosen.get("card") != tuple(slots):
            raise illegal("a card is taken")
        after = replace(state, phase=Phase.DONE)
        told = (event("taken", seat=state.turn, looked=state.is_looking),)
        return Step(after, (Give(tuple(slots), hand(state.turn)),), told)

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Go on."""
        match state.phase:
            case Phase.DEALING:
                return self.dealt(state, board)
            case Phase.RESTACKING if state.is_looking:
                assert state.turn is not None
                shown = Show(outcome.slots(0), (state.turn,), closed=True)
                return Step(replace(state, phase=Phase.LOOKING), (shown,))
            case Phase.RESTACKING | Phase.LOOKING:
                return Step(replace(state, phase=Phase.PICKING))
            case _:
                return self.resolved(state, board, outcome)

    def resolved(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Do what follows when a claim is answered, or when all is restacked or drawn."""
        match state.phase:
            case Phase.DRAWING:
                sides = prod(len(slots) for slots in self.hands(state, board))
                return Step(replace(state, phase=Phase.SCATTERING), (Coin("scatter", sides),))
            case Phase.CLAIMING:
                return self.claimed(state, outcome.claimed(0))
            case Phase.SCATTERING:
                return self.scattered(state, board, outcome.coin("scatter"))
            case Phase.ASKING:
                return self.heard(state, board, outcome.answers(0))
            case _:
                return self.next_turn(state)

    def claimed(self, state: State, slot: SlotId | None) -> Step[State]:
        """Give what was asked for, if it is there."""
        assert state.turn is not None
        told = (event("claimed", seat=state.target, held=slot is not None),)
        if slot is None:
            return replace(self.next_turn(state), events=told)
        given = Give((slot,), hand(state.turn))
        return Step(replace(state, phase=Phase.DONE), (given,), told)

    def hands(self, state: State, board: Board) -> list[tuple[SlotId, ...]]:
        """Return the hands of all seats but the one on turn that have cards."""
        others = (seat for seat in state.seats if seat != state.turn)
        return [board.at(hand(seat)) for seat in others if board.at(hand(seat))]

    def scattered(self, state: State, board: Board, number: int) -> Step[State]:
        """Mix a card of each hand into the stock, as the coin says."""
        drawn = []
        for slots in self.hands(state, board):
            number, index = divmod(number, len(slots))
            drawn.append(slots[index])
        mixed = Reshuffle((*drawn, *board.at(STOCK)), STOCK)
        return Step(replace(state, phase=Phase.DONE), (mixed,))

    def dealt(self, state: State, board: Board) -> Step[State]:
        """Deal the hands, and begin."""
        if board.at(hand(state.seats[0])):
            return Step(replace(state, phase=Phase.TURN, turn=state.seats[0]))
        slots, effects = board.at(STOCK), list[Effect]()
        each = int(state.option("cards"))
        for index, seat in enumerate(state.seats):
            given = tuple(slots[index * each : (index + 1) * each])
            effects += [Move(given, hand(seat)), Show(given, (seat,))]
        return Step(state, tuple(effects))

    def next_turn(self, state: State) -> Step[State]:
        """Let the next seat act, or end."""
        assert state.turn is not None
        following = state.seats[(state.seats.index(state.turn) + 1) % len(state.seats)]
        left = state.turns_left - 1
        after = replace(
            state,
            phase=Phase.TURN,
            turn=following,
            target=None,
            is_looking=False,
            turns_left=left,
            is_over=left == 0,
        )
        return Step(after)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return whose hand is aimed at, and how many turns are left."""
        counts = tuple((seat, len(board.at(hand(seat)))) for seat in state.seats)
        return {"counts": counts, "target": state.target, "turns": state.turns_left}

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return all that can be done."""
        if view.owes_choice:
            cards = view.zone("hand", view.viewer)
            objections = (one.slot for one in cards if one.face == OBJECTING)
            return (*(action("object", card=(slot,)) for slot in objections), action("agree"))
        if not view.has_turn or not isinstance(view.duty, Turn):
            return ()
        if view.duty.kinds == ("take",):
            target = view.facts["target"]
            assert type(target) is int
            cards = view.zone("hand", Seat(target))
            return tuple(action("take", card=(card.slot,)) for card in cards)
        others = [seat for seat in view.seats if seat != view.viewer and view.zone("hand", seat)]
        aimed = [action(kind, seat=seat) for kind in AT_SEATS for seat in others]
        wanted = [action("want", seat=seat, face=face) for seat in others for face in DECK.distinct]
        played = [action("play", card=(one.slot,)) for one in view.zone("hand", view.viewer)]
        scattered = [action("scatter")] if others else []
        return (*aimed, *wanted, *played, *scattered, action("call"), action("wait"))

    def result(self, state: State) -> Standing | None:
        """Return the standing: all who have stayed to the end share the first place."""
        if not state.is_over:
            return None
        return Standing(ranked(state.seats, state.left, lambda _: 0))

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say what has happened."""
        seat, at = happened.get("seat"), happened.get("at")
        assert isinstance(seat, int)
        aimed = f" at {names[Seat(at)]}" if isinstance(at, int) else ""
        return f"{names[Seat(seat)]} {happened.kind}{aimed}."

    def milestones(self) -> tuple[Milestone, ...]:
        """Return what many games come to."""
        return (
            Milestone("taken", "taken"),
            Milestone("scattered", "scattered"),
            Milestone("claimed", "claimed", lambda one: one.get("held") is True),
            Milestone("objected", "said", lambda one: one.get("what") == "object"),
            Milestone("denied", "claimed", lambda one: one.get("held") is False),
        )

    def rules(self) -> str:
        """Return the page of rules."""
        return PAGE


BARTER = Barter()

HURRIED = Barter(id="hurried-barter", window=6)
"""The same with six seconds for a question."""

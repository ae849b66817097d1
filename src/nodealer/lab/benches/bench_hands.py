"""The cost of what becomes of hands at whole tables: restacks, denials, thefts, questions.

The game is made for that: everybody holds seven cards, all of them different. In a turn a seat says
what is to be done to the hand of the next one, and how often in a row, so that little else is
measured with it. Answers leave without the delay by which nodes hide who has thought.

    restack    seven cards are shuffled by their holder
    claim      their holder proves that a card is not among them
    steal      a restack, the position that is named, and the card that is given
    window     three seats commit to an answer and open it, each by a card that is proven
"""

# ruff: noqa: ARG002 - the interface has more arguments than this game needs

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from nodealer.cards import STOCK, Board, hand
from nodealer.games import (
    Action,
    ActionKind,
    Ask,
    Claim,
    Duty,
    Effect,
    Event,
    Give,
    Move,
    NewDeck,
    Options,
    Outcome,
    Restack,
    RoundGame,
    RoundState,
    Show,
    Step,
    Turn,
    View,
    action,
)
from nodealer.kernel import Seat
from nodealer.lab.benches.bench_cards import faces
from nodealer.lab.benches.bench_play import Lockstep, lockstep
from nodealer.table import Table, position_of

SEATS: Final = 4
HELD: Final = 7

TIMES: Final = 5
"""How often in a row each thing is done; who answers has another card for it each time."""

ROUNDS: Final = 3

DECK: Final = faces(SEATS * HELD)

ACTOR: Final = Seat(0)
VICTIM: Final = Seat(1)


@dataclass(frozen=True, slots=True)
class HandFigures:
    """Milliseconds of processor time: a seat's share, and for a theft that of all seats."""

    claim: float
    restack: float
    steal: float
    window: float


@dataclass(frozen=True)
class BenchedState(RoundState):
    """The thing that is done, with which face, how often more; none before the cards are dealt."""

    is_dealt: bool = False
    doing: str = ""
    face: str = ""
    times: int = 0


@dataclass(frozen=True)
class BenchedHands(RoundGame[BenchedState]):
    """The rules of a game that is made for measuring; its first seat has the turn for ever."""

    id: str = "benched-hands"
    title: str = "Benched hands"
    seats: tuple[int, int] = (SEATS, SEATS)
    actions: tuple[ActionKind, ...] = (
        ActionKind("do", "say what is done", fields=("face", "times", "what")),
        ActionKind("take", "name the position of a card", fields=("card",)),
        ActionKind("say", "say something by a card", fields=("card",), proves=("card",)),
        ActionKind("pass", "say nothing"),
    )

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[BenchedState]:
        """Shuffle."""
        return Step(BenchedState(tuple(seats), tuple(options.items())), (NewDeck(DECK, STOCK),))

    def duty(self, state: BenchedState) -> Duty:
        """Return whose turn it is."""
        return Turn(ACTOR, ("do", "take"))

    def apply(
        self, state: BenchedState, board: Board, seat: Seat, chosen: Action
    ) -> Step[BenchedState]:
        """Begin with what is to be done, or take a card."""
        if chosen.kind == "take":
            return Step(state, (Give(chosen.slots("card"), hand(ACTOR)),))
        what, face, times = (chosen.get(name) for name in ("what", "face", "times"))
        assert isinstance(times, int), "how often"
        return self._go_on(replace(state, doing=str(what), face=str(face), times=times))

    def resume(self, state: BenchedState, board: Board, outcome: Outcome) -> Step[BenchedState]:
        """Deal, or do the same once more."""
        if state.is_dealt:
            return self._go_on(state)
        effects: list[Effect] = []
        for seat in state.seats:
            given = board.at(STOCK)[seat * HELD : (seat + 1) * HELD]
            effects += [Move(given, hand(seat)), Show(given, (seat,))]
        return Step(replace(state, is_dealt=True), tuple(effects))

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return what may be answered; in its turn the seat does what is measured."""
        if not view.owes_choice:
            return ()
        held = (card.slot for card in view.zone("hand", view.viewer) if card.face)
        return (*(action("say", card=(slot,)) for slot in held), action("pass"))

    def result(self, state: BenchedState) -> None:
        """Return that it is never over."""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say nothing, since nothing is told."""
        return ""

    def _go_on(self, state: BenchedState) -> Step[BenchedState]:
        if not state.times:
            return Step(state)
        doing: Effect
        match state.doing:
            case "claim":
                doing = Claim(hand(VICTIM), state.face)
            case "restack":
                doing = Restack((hand(VICTIM),))
            case _:
                doing = Ask("window", ("say", "pass"), state.seats[1:], "pass")
        return Step(replace(state, times=state.times - 1), (doing,))


def measure_hands() -> HandFigures:
    """Return the median of some rounds."""
    rounds = [_measured(_dealt(number)) for number in range(ROUNDS)]
    return HandFigures(
        claim=median(one.claim for one in rounds),
        restack=median(one.restack for one in rounds),
        steal=median(one.steal for one in rounds),
        window=median(one.window for one in rounds),
    )


def _dealt(number: int) -> Lockstep:
    made = lockstep(SEATS, f"hands {number}", BenchedHands())
    made.deal()
    made.settle()
    return made


def _measured(made: Lockstep) -> HandFigures:
    gc.collect()
    claim = _done(made, "claim", _absent(made))
    restack = _done(made, "restack")
    steal = restack + _taken(made)
    return HandFigures(claim / SEATS, restack / SEATS, steal, _asked(made) / SEATS)


def _done(made: Lockstep, what: str, face: str = "") -> float:
    """Return the milliseconds that all seats take for one of several in a row."""
    took, _ = made.move(action("do", face=face, times=TIMES, what=what))
    return took / TIMES * 1e3


def _asked(made: Lockstep) -> float:
    """Return the milliseconds that all seats take until one question is answered."""
    took, _ = made.move(action("do", face="", times=TIMES, what="window"))
    for _ in range(TIMES):
        said = {seat: _answer(made.tables[seat]) for seat in range(1, SEATS)}
        took += made.answer(said)
    return took / TIMES * 1e3


def _answer(table: Table) -> Action:
    """Return an answer by a card that nobody has seen yet."""
    public = position_of(table.ledger.tip).board.faces.keys()
    return next(one for one in table.legal() if public.isdisjoint(one.slots("card")))


def _taken(made: Lockstep) -> float:
    """Return the milliseconds that all seats take from the name of a position to the card."""
    board = position_of(made.tables[0].ledger.tip).board
    took, _ = made.move(action("take", card=board.at(hand(VICTIM))[:1]))
    return took * 1e3


def _absent(made: Lockstep) -> str:
    """Return a face that is not in the hand that is asked for it."""
    view = made.tables[VICTIM].view()
    held = {card.face for card in view.zone("hand", VICTIM)}
    return next(face for face in DECK.distinct if face not in held)

"""The deeds of a seat in its turn: play, draw, take a challenge, pass, miss turns.

Each function takes the state and board of the turn and returns the step that follows; whatever is
not allowed raises `illegal`. The turn always goes on by `_turned`, and whoever still has to draw
cards does so by `drawing.go_on`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from nodealer.cards import DISCARD, Board, hand
from nodealer.games.api import Action, Event, Plain, Step, event, illegal
from nodealer.games.effects import Effect, Move
from nodealer.games.macaua.cards import SUITS, rank_of
from nodealer.games.macaua.drawing import CALL_PENALTY, available, drawn, go_on
from nodealer.games.macaua.legality import (
    ACE,
    STOPPER,
    Burden,
    Situation,
    challenge_of,
    skips_of,
)
from nodealer.games.macaua.state import Phase, State, turn_after
from nodealer.kernel import Seat, SlotId, changed

Doing: TypeAlias = Callable[[State, Board, Seat, Action], Step[State]]
"""What one kind of action does."""


def play(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Play cards of one rank; the last of them is the new top card."""
    slots = chosen.slots("cards")
    faces = _faces(board, seat, slots)
    if not situation_of(state, board).allows(faces):
        raise illegal(f"{', '.join(faces)} cannot be played now")
    left = len(board.at(hand(seat))) - len(slots)
    _require_suit(faces, left, chosen.get("suit"))
    _require_call(state, left, chosen.get("macaua"))

    laid = board.moved(slots, DISCARD)
    effects = (Move(slots, DISCARD),)
    events: list[Event] = [_played(state, seat, faces, chosen)]
    after = changed(_burdened(state, seat, faces), suit=_suit(chosen.get("suit")), passed=())
    if not left:
        return over(changed(after.relieved(), suit=None), laid, "play", effects, events)
    after, passed_over = _turned(after, seat)
    events.extend(passed_over)
    if state.settings.call and left == 1 and not chosen.get("macaua"):
        after, drew = drawn(after, laid, seat, CALL_PENALTY, "call")
        events.append(drew)
    return go_on(after, laid, "play", effects, events)


def draw(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Draw a card instead of playing."""
    if not available(board):
        raise illegal("there is nothing left to draw")
    after, passed_over = _turned(changed(state, passed=()), seat)
    after, drew = drawn(after, board, seat, 1, "turn")
    return go_on(after, board, chosen.kind, (), (drew, *passed_over))


def take(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Take the cards of the challenge, or as many of them as there are."""
    if not available(board):
        return _passed(state.relieved(), board, seat, chosen.kind)
    after, passed_over = _turned(changed(state.relieved(), passed=()), seat)
    after, drew = drawn(after, board, seat, state.challenge, "challenge")
    return go_on(after, board, chosen.kind, (), (drew, *passed_over))


def pass_by(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Do nothing, where there is nothing left to draw."""
    if available(board):
        raise illegal("a card can be drawn")
    return _passed(state, board, seat, chosen.kind)


def miss(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Miss this turn, and as many more as the fours ask for."""
    misses = dict(state.misses)
    if state.skip > 1:
        misses[seat] = state.skip - 1
    after = changed(state.relieved(), misses=tuple(sorted(misses.items())))
    after, passed_over = _turned(after, seat)
    events = (event("skipped", seat=seat, turns=state.skip), *passed_over)
    return go_on(after, board, chosen.kind, (), events)


DOINGS: Final[Mapping[str, Doing]] = {
    "play": play,
    "draw": draw,
    "take": take,
    "pass": pass_by,
    "miss": miss,
}
"""What the kinds of action do."""


def situation_of(state: State, board: Board) -> Situation:
    """Return what decides which cards may be played."""
    return Situation(state.burden, board.face(board.at(DISCARD)[-1]), state.suit, state.settings)


def over(
    state: State,
    board: Board,
    trigger: str,
    effects: Sequence[Effect] = (),
    events: Sequence[Event] = (),
) -> Step[State]:
    """End the game as the cards lie."""
    cards_left = tuple((seat, len(board.at(hand(seat)))) for seat in state.seats)
    fewest = min(count for _, count in cards_left)
    winners = tuple(seat for seat, count in cards_left if count == fewest)
    ended = changed(state, turn=None, drawing=None, hands=(), misses=(), cards_left=cards_left)
    return Step(
        ended.moved(trigger, Phase.OVER),
        tuple(effects),
        (*events, event("won", seats=winners, cards=fewest)),
    )


def _faces(board: Board, seat: Seat, slots: Sequence[SlotId]) -> list[str]:
    if not slots or not set(board.at(hand(seat))).issuperset(slots):
        raise illegal("a play is of cards of the own hand")
    return [board.face(slot) for slot in slots]


def _require_suit(faces: Sequence[str], left: int, suit: Plain) -> None:
    declares = rank_of(faces[0]) == ACE and left > 0
    if declares and suit not in SUITS:
        raise illegal("whoever plays an ace declares a suit")
    if not declares and suit is not None:
        raise illegal("there is no suit to declare")


def _require_call(state: State, left: int, flag: Plain) -> None:
    if not isinstance(flag, bool):
        raise illegal("macaua is said or it is not")
    if flag and not (state.settings.call and left == 1):
        raise illegal('"macaua" is said with the last card but one')


def _suit(declared: Plain) -> str | None:
    return declared if isinstance(declared, str) else None


def _played(state: State, seat: Seat, faces: Sequence[str], chosen: Action) -> Event:
    stopped = state.burden is Burden.CHALLENGE and rank_of(faces[0]) == STOPPER
    return event(
        "played",
        seat=seat,
        cards=tuple(faces),
        slots=chosen.get("cards"),
        suit=chosen.get("suit"),
        macaua=chosen.get("macaua"),
        stopped=state.challenge if stopped else 0,
    )


def _burdened(state: State, seat: Seat, faces: Sequence[str]) -> State:
    """Return the state with what these cards leave for the next seat; a stopper leaves nothing."""
    challenge = challenge_of(faces, state.settings)
    skip = skips_of(faces, state.settings)
    if not challenge and not skip:
        return state.relieved()
    return changed(
        state,
        challenge=state.challenge + challenge if challenge else 0,
        skip=state.skip + skip if skip else 0,
        challenger=seat,
    )


def _turned(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """Give the turn to the next seat, with all that lies on it.

    What would come back to the seat that has laid it, since all others miss their turns, lapses.
    """
    turn, misses, over = turn_after(seat, state.seats, state.seats, dict(state.misses))
    after = changed(state, turn=turn, misses=misses)
    events = [event("missed", seat=missing) for missing in over]
    if after.burden is Burden.NOTHING:
        return after, events
    if turn == seat:
        return after.relieved(), [*events, event("lapsed", seat=seat)]
    burden = event("challenged", seat=turn, by=seat, cards=after.challenge, turns=after.skip)
    return after, [*events, burden]


def _passed(state: State, board: Board, seat: Seat, trigger: str) -> Step[State]:
    events = [event("passed", seat=seat)]
    passed = tuple(sorted({*state.passed, seat}))
    if set(passed) >= set(state.seats):
        ended = [*events, event("stuck")]
        return over(changed(state, passed=passed, suit=None), board, trigger, (), ended)
    after, passed_over = _turned(changed(state, passed=passed), seat)
    return go_on(after, board, trigger, (), (*events, *passed_over))

"""The flow of turns: what is looked at when state 2 is entered, drawing, state 90, and the end.

    2   entered with the threshold reached     90, and the end
        entered with an empty hand             3 cards are drawn, 90
    90  the threshold is reached               98, 99
        nothing is drawn yet                   1 card is drawn
        the hand has more than 7 cards         30
        it was the last turn                   98, 99
        otherwise                              2 for the next seat

A draw takes what the stock has, lets all discards be shuffled into the stock when it is empty, and
goes on; it ends early if both are empty. Where it leads depends on the phase alone.
"""

from __future__ import annotations

from typing import Final

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Step
from nodealer.games.effects import Outcome, Reshuffle, Show
from nodealer.games.papas.cards import CARDS
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Draw, Phase, State, seats_after
from nodealer.kernel import Seat, changed

HAND_MAX: Final = 7
"""Who ends a turn keeps no more cards."""

DRAWN_AT_THE_END: Final = 1
DRAWN_WITHOUT_CARDS: Final = 3


def go_on(course: Course, trigger: str) -> Step[State]:
    """Let the turn go on after a play, unless the threshold is reached with it."""
    after = course.becoming(changed(course.state, playing=None, is_fresh=False))
    if _winners(after.state):
        return next_player(after.to(trigger, Phase.NEXT_PLAYER))
    return enter(after.to(trigger, Phase.PLAYER_TURN))


def enter(course: Course) -> Step[State]:
    """Let the seat whose turn it is act; without cards it draws instead."""
    seat = course.state.on_turn
    if course.hand_of(seat):
        return course.step()
    return draw_last(course.told("empty", seat=seat), DRAWN_WITHOUT_CARDS)


def resolved(course: Course) -> Step[State]:
    """Go on after a card was carried out; an alarm card ends the turn."""
    state = course.state
    after = course.told("carried-out", seat=state.on_turn, card=state.play.face)
    if not CARDS[state.play.face].is_alarm:
        return go_on(after, "resolved")
    return next_player(
        after.becoming(changed(state, playing=None)).to("resolved", Phase.NEXT_PLAYER)
    )


def draw_last(course: Course, count: int) -> Step[State]:
    """Let the seat whose turn it is draw the cards with which its turn ends."""
    ending = course.becoming(changed(course.state, has_drawn=True))
    return draw(ending, course.state.on_turn, count)


def draw(course: Course, seat: Seat, count: int) -> Step[State]:
    """Let a seat draw so many cards, or as many as there are."""
    return draw_on(course.becoming(changed(course.state, drawing=Draw(seat, count))))


def draw_on(course: Course) -> Step[State]:
    """Go on with a draw: with cards of the stock, with the discards, or with what follows."""
    state, drawing = course.state, course.state.drawing
    assert drawing is not None, "somebody draws"
    stock, discards = course.board.at(STOCK), course.board.at(DISCARD)
    if not drawing.count or not (stock or discards):
        return _drawn(course.becoming(changed(state, drawing=None)))
    if not stock:
        return course.on("reshuffle").step(Reshuffle(discards, STOCK))
    taken = stock[: drawing.count]
    left = Draw(drawing.seat, drawing.count - len(taken))
    after = course.becoming(changed(state, drawing=left)).moved(taken, hand(drawing.seat))
    told = after.told("drew", seat=drawing.seat, slots=taken)
    return told.on("draw").step(Show(taken, (drawing.seat,)))


def draw_further(course: Course, outcome: Outcome) -> Step[State]:
    """Go on with a draw when some cards are shown, or the discards are shuffled into the stock."""
    if isinstance(outcome.results[-1], tuple):
        course = course.told("reshuffled", count=len(outcome.slots(-1)))
    return draw_on(course)


def _drawn(course: Course) -> Step[State]:
    if course.state.phase is Phase.ACTION_RESOLUTION:
        return resolved(course)
    if course.state.phase is Phase.PLAYER_TURN:
        return next_player(course.to("drawn", Phase.NEXT_PLAYER))
    return next_player(course)


def next_player(course: Course) -> Step[State]:
    """End a turn: draw, discard, see whether the game is over, or give the turn to the next."""
    state = course.state
    winners = _winners(state)
    if winners:
        return _ended(course, winners, "threshold")
    if not state.has_drawn:
        return draw_last(course, DRAWN_AT_THE_END)
    surplus = len(course.hand_of(state.on_turn)) - HAND_MAX
    if surplus > 0:
        after = course.told("surplus", seat=state.on_turn, count=surplus)
        return after.to("surplus", Phase.DISCARD).step()
    if state.turns == state.settings.max_turns:
        return _ended(course, leaders(state), "turns")
    return _passed_on(course)


def leaders(state: State) -> tuple[Seat, ...]:
    """Return the seats in the game that have the most golden potatoes."""
    most = max(count for _, count in state.golden)
    return tuple(seat for seat, count in state.golden if count == most)


def _winners(state: State) -> tuple[Seat, ...]:
    """Return the seats that have reached the threshold."""
    return leaders(state) if state.has(leaders(state)[0]) >= state.threshold else ()


def _passed_on(course: Course) -> Step[State]:
    state = course.state
    coming = state.next_seat(state.seats)
    after = course
    if seats_after(state.on_turn, state.seats, state.direction)[0] == state.skipped:
        after = course.told("skipped", seat=state.skipped)
        state = changed(state, skipped=None)
    begun = changed(state, turn=coming, turns=state.turns + 1, is_fresh=True, has_drawn=False)
    told = after.told("turn", seat=coming, number=begun.turns)
    return enter(told.becoming(begun).to("next", Phase.PLAYER_TURN))


def _ended(course: Course, winners: tuple[Seat, ...], why: str) -> Step[State]:
    scored = course.to("won", Phase.END_SCORE).to("scored", Phase.GAME_END)
    golden = course.state.has(winners[0])
    return scored.told("won", seats=winners, golden=golden, why=why).step()

"""The window in which others say no: state 20, and what becomes of a play after it.

Everybody but who played, and who holds cards, is asked; always, whatever anybody holds, so that
being asked tells nothing. All decide without knowing what the others do. Several interrupts: the
one nearest after the player counts, and goes to the discards as it is; the others stay in hand,
named and with their layer closed.

With `interrupt_chain` an interrupt that counts opens a window of its own, for all but who said it.
The interrupts that count make a pile: each undoes the one below it, so an odd number cancels.
"""

from __future__ import annotations

from typing import Final

from nodealer.cards import DISCARD
from nodealer.games.api import Action, Step
from nodealer.games.effects import Ask, Outcome
from nodealer.games.papas import resolving, turns
from nodealer.games.papas.cards import INTERRUPTS, answers, trio_pays
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Phase, State, seats_after
from nodealer.kernel import Seat, changed

REACTION: Final = "reaction"
"""The purpose of what is asked in the window."""

SKIP: Final = "skip-reaction"


def open_window(course: Course) -> Step[State]:
    """Ask who says no to what was played last; if nobody has cards, nobody can."""
    asked = _asked(course)
    if not asked:
        return _settled(course)
    play = course.state.play
    kinds = (*(one for one in INTERRUPTS if answers(one, play.against)), SKIP)
    window = course.state.settings.window
    return course.step(Ask(REACTION, kinds, asked, SKIP, window))


def closed(course: Course, outcome: Outcome) -> Step[State]:
    """Go on when all have answered."""
    said = _said(course, outcome)
    if not said:
        return _settled(course)
    seats, chosen = tuple(said), tuple(said.values())
    slots = tuple(slot for one in chosen for slot in one.slots("card"))
    kinds = tuple(one.kind for one in chosen)
    play = course.state.play
    pile = changed(play, said=(*play.said, (seats[0], kinds[0])))
    heard = course.becoming(changed(course.state, playing=pile)).moved(slots[:1], DISCARD)
    told = heard.told("interrupted", seats=seats, cards=kinds, slots=slots)
    if not course.state.settings.interrupt_chain:
        return _settled(told)
    return open_window(told.to("interrupted", Phase.REACTION))


def player_of(state: State) -> Seat:
    """Return whose card the window is about: the last interrupt's, or the play's."""
    return state.play.said[-1][0] if state.play.said else state.on_turn


def _asked(course: Course) -> tuple[Seat, ...]:
    player = player_of(course.state)
    return tuple(seat for seat in course.state.seats if seat != player and course.hand_of(seat))


def _said(course: Course, outcome: Outcome) -> dict[Seat, Action]:
    """Return who has said no, the nearest after who played first."""
    state = course.state
    answers_by_seat = dict(zip(_asked(course), outcome.answers(-1), strict=True))
    order = seats_after(player_of(state), state.seats, state.direction)
    return {
        seat: answers_by_seat[seat]
        for seat in order
        if seat in answers_by_seat and answers_by_seat[seat].kind != SKIP
    }


def _settled(course: Course) -> Step[State]:
    """Go on with a play to which all has been said."""
    state, play, seat = course.state, course.state.play, course.state.on_turn
    if len(play.said) % 2:
        return turns.go_on(course.told("cancelled", seat=seat, cards=play.faces), "cancelled")
    if not play.is_trio:
        return resolving.begin(course)
    pays = trio_pays(play.faces)
    paid = course.becoming(state.gained(seat, pays))
    return turns.go_on(paid.told("paid", seat=seat, cards=play.faces, golden=pays), "paid")

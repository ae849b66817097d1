"""The deeds of the seat whose turn it is: states 2, 25, 26, 28 and 30.

Each function takes the course of a transition that has just begun, with the action, and returns the
step that follows; whatever is not allowed raises `illegal`. The cards that an action opens are open
on the board, and lie still in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nodealer.cards import DISCARD
from nodealer.games.api import Action, Step, illegal
from nodealer.games.papas import reactions, resolving, turns
from nodealer.games.papas.agreed import ENTERED
from nodealer.games.papas.cards import ACTION_CARDS, CARDS, trio_pays
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Phase, Play, State
from nodealer.kernel import Seat, SlotId, changed

DRAWN_FOR_THE_LAST: Final = 3


def play_card(course: Course, chosen: Action) -> Step[State]:
    """Play an action card; it lies in the discards from now on."""
    slot = _one_of(chosen.slots("card"), _own(course))
    face = course.board.face(slot)
    if face not in ACTION_CARDS:
        raise illegal(f"{face} is not played alone")
    played = _played(course, (slot,))
    if CARDS[face].targets:
        return played.to("play", Phase.TARGET_SELECTION).step()
    return reactions.open_window(played.to("play", Phase.REACTION))


def play_threesome(course: Course, chosen: Action) -> Step[State]:
    """Play a trio, named in the order in which its cards lie in the hand."""
    slots = chosen.slots("cards")
    if slots != tuple(slot for slot in _own(course) if slot in slots):
        raise illegal("a trio is of cards of the own hand, in their order")
    if not trio_pays([course.board.face(slot) for slot in slots]):
        raise illegal("these are no trio")
    return reactions.open_window(_played(course, slots).to("play", Phase.REACTION))


def end_turn(course: Course, _: Action) -> Step[State]:
    """End the turn, with or without a play before it."""
    return turns.next_player(course.to("end-turn", Phase.NEXT_PLAYER))


def discard_and_draw(course: Course, chosen: Action) -> Step[State]:
    """Discard the last card for three others, and end the turn."""
    slot = _one_of(chosen.slots("card"), _own(course))
    if not may_change(course.state, len(_own(course))):
        raise illegal("only a last card is changed for others")
    discarded = course.moved((slot,), DISCARD)
    face, seat = course.board.face(slot), course.state.on_turn
    told = discarded.told("changed", seat=seat, card=face, slots=(slot,))
    return turns.draw_last(told, DRAWN_FOR_THE_LAST)


def select_targets(course: Course, chosen: Action) -> Step[State]:
    """Say at whom a card is aimed."""
    state, named = course.state, chosen.get("seats")
    count = CARDS[state.play.face].targets
    possible = state.seats if count > 1 else [one for one in state.seats if one != state.on_turn]
    targets = tuple(seat for seat in possible if isinstance(named, tuple) and seat in named)
    if named != targets or len(targets) != count or any(type(one) is bool for one in named):
        raise illegal(f"{count} seats are chosen, ascending")
    aimed = changed(state.play, targets=targets)
    told = course.becoming(changed(state, playing=aimed))
    told = told.told("aimed", seat=state.on_turn, seats=targets, card=state.play.face)
    return reactions.open_window(told.to("targets", Phase.REACTION))


def select_card(course: Course, chosen: Action) -> Step[State]:
    """Name the position of the card that is taken."""
    target, slots = course.state.play.target, chosen.slots("card")
    held = course.hand_of(target)
    slot = _one_of(slots, held)
    if chosen.get("card") != slots:
        raise illegal("a card is named by its slot")
    told = course.told(
        "selected",
        seat=course.state.on_turn,
        target=target,
        position=held.index(slot),
        slots=(slot,),
    )
    return resolving.take(told, slot)


def select_card_name(course: Course, chosen: Action) -> Step[State]:
    """Name a card that the target gives if it has one."""
    name = chosen.get("name")
    if not isinstance(name, str) or name not in CARDS:
        raise illegal("there is no such card")
    play, seat = course.state.play, course.state.on_turn
    return resolving.ask_for(course.told("named", seat=seat, target=play.target, card=name), name)


def discard_card(course: Course, chosen: Action) -> Step[State]:
    """Discard a card of those that are too many."""
    slot = _one_of(chosen.slots("card"), _own(course))
    state, face = course.state, course.board.face(slot)
    owed = len(_own(course)) - 1 - turns.HAND_MAX
    discarded = course.moved((slot,), DISCARD)
    told = discarded.told("discarded", seat=state.on_turn, card=face, slots=(slot,), owed=owed)
    if owed > 0:
        return told.on("discard").step()
    return turns.next_player(told.to("discarded", Phase.NEXT_PLAYER))


Doing = Callable[[Course, Action], Step[State]]

DEEDS: Final[Mapping[str, Doing]] = MappingProxyType(
    {
        "play-card": play_card,
        "play-threesome": play_threesome,
        "end-turn": end_turn,
        "discard-and-draw": discard_and_draw,
        "select-targets": select_targets,
        "select-card": select_card,
        "select-card-name": select_card_name,
        "discard-card": discard_card,
    }
)
"""What the kinds of action do; those of the window are answers, and come as the result of it."""


def may_change(state: State, held: int) -> bool:
    """Whether the seat whose turn it is may change its last card for others."""
    return held == 1 and (state.is_fresh or state.settings.one_card == ENTERED)


def _own(course: Course) -> tuple[SlotId, ...]:
    return course.hand_of(course.state.on_turn)


def _one_of(slots: Sequence[SlotId], held: Sequence[SlotId]) -> SlotId:
    if len(slots) != 1 or slots[0] not in held:
        raise illegal("one card is named")
    return slots[0]


def _played(course: Course, slots: tuple[SlotId, ...]) -> Course:
    """Lay cards on the discards."""
    state = course.state
    faces = tuple(course.board.face(slot) for slot in slots)
    laid = course.moved(slots, DISCARD).becoming(changed(state, playing=Play(faces)))
    seat: Seat = state.on_turn
    return laid.told("played", seat=seat, cards=faces, slots=slots)

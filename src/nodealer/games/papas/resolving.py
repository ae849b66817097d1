"""The effects of a card that was not cancelled: states 26, 28 and 27.

    get off the pony       a golden potato of the target changes hands
    lend me a buck         the target restacks its hand, a position is named, the card is given
    runaway potatoes       all others restack; a coin names a card of each; these go into the stock
    harry potato           2 cards are drawn
    pope potato            a card is named; the target gives one or proves that it has none
    look ahead             a golden potato of the target is gone
    potato of the year     one golden potato more
    potato of destiny      the target's hand is discarded, it draws 2
    potato dawan           the target restacks and shows its hand to the player, who takes a card
    jump to the side       the next seat will be skipped, 1 card is drawn
    papageddon             who would be next is stolen from as by a buck; the direction turns
    spider potato          two seats exchange their hands

Before anything is taken blind there is a restack, always, whatever anybody knows of the hand: so
nobody has to know who has seen what, and positions tell nothing. It is complete before a position
is named or a coin is tossed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Step
from nodealer.games.effects import Claim, Coin, Effect, Give, Outcome, Reshuffle, Restack, Show
from nodealer.games.papas import cards, turns
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Phase, Play, State
from nodealer.kernel import Seat, SlotId, changed

RUNAWAY_COIN: Final = "runaway"
"""The purpose of the coin that names a card of every hand."""

STEALS: Final = (cards.BUCK, cards.DAWAN, cards.PAPAGEDDON)
"""The cards by which one card of a hand is taken by its position."""

Carrying = Callable[[Course], Step[State]]
Resuming = Callable[[Course, Outcome], Step[State]]


def begin(course: Course) -> Step[State]:
    """Go on with a card to which nobody has said no."""
    face = course.state.play.face
    if face == cards.PAPAGEDDON:
        course = _turned(course)
    if face in STEALS and course.hand_of(course.state.play.target):
        entering = course.to("uncontested", Phase.CARD_SELECTION)
        return entering.step(Restack((hand(course.state.play.target),)))
    if face == cards.POPE and course.hand_of(course.state.play.target):
        return course.to("uncontested", Phase.CARD_NAME_SELECTION).step()
    return _CARRYING[face](course.to("uncontested", Phase.ACTION_RESOLUTION))


def selecting(course: Course, _: Outcome) -> Step[State]:
    """Go on in 26: once the hand is restacked it may have to be shown, then a position is named."""
    play, seat = course.state.play, course.state.on_turn
    stage = play.stage + 1
    after = _staged(course, stage)
    if stage == 1:
        after = _restacked(after, (play.target,)).on("restacked")
        if play.face == cards.DAWAN:
            return after.step(Show(after.hand_of(play.target), (seat,), closed=True))
        return after.step()
    shown = after.becoming(after.state.looked_into((play.target,), known=True))
    return shown.told("looked", seat=seat, target=play.target).step()


def take(course: Course, slot: SlotId) -> Step[State]:
    """Let the target give the card whose position was named."""
    state = course.state
    return course.to("card", Phase.ACTION_RESOLUTION).step(Give((slot,), hand(state.on_turn)))


def ask_for(course: Course, name: str) -> Step[State]:
    """Let the target give a card of this name, or prove that it has none."""
    named = course.becoming(changed(course.state, playing=changed(course.state.play, name=name)))
    claim = Claim(hand(course.state.play.target), name)
    return named.to("name", Phase.ACTION_RESOLUTION).step(claim)


def go_on(course: Course, outcome: Outcome) -> Step[State]:
    """Go on in 27 when effects of the card are done; draws are the business of `turns`."""
    face = course.state.play.face
    if face in STEALS:
        return _given(course, outcome)
    return _FURTHER[face](course, outcome)


def _turned(course: Course) -> Course:
    """Turn the direction; who would have been next is the target."""
    state = course.state
    aimed = changed(state.play, targets=(state.next_seat(state.seats),))
    turned = changed(state, playing=aimed, direction=-state.direction)
    return course.becoming(turned).told("turned", seat=state.on_turn, direction=turned.direction)


def _pony(course: Course) -> Step[State]:
    state, target = course.state, course.state.play.target
    count = min(state.has(target), 1)
    after = course.becoming(state.gained(target, -count).gained(state.on_turn, count))
    return turns.resolved(after.told("robbed", seat=state.on_turn, target=target, golden=count))


def _ahead(course: Course) -> Step[State]:
    state, target = course.state, course.state.play.target
    count = min(state.has(target), 1)
    after = course.becoming(state.gained(target, -count))
    return turns.resolved(after.told("destroyed", seat=state.on_turn, target=target, golden=count))


def _of_the_year(course: Course) -> Step[State]:
    state = course.state
    after = course.becoming(state.gained(state.on_turn, 1))
    return turns.resolved(after.told("gained", seat=state.on_turn, golden=1))


def _harry(course: Course) -> Step[State]:
    return turns.draw(course, course.state.on_turn, 2)


def _jump(course: Course) -> Step[State]:
    state = course.state
    skipped = state.next_seat(state.seats)
    marked = course.becoming(changed(state, skipped=skipped)).told("marked", seat=skipped)
    return turns.draw(marked, state.on_turn, 1)


def _nothing(course: Course) -> Step[State]:
    """End a card for which its target has no cards."""
    return turns.resolved(course.told("nothing", seat=course.state.play.target))


def _destiny(course: Course) -> Step[State]:
    """Discard the target's hand; what is open already is not shown again."""
    play = course.state.play
    slots = course.hand_of(play.target)
    if not slots:
        return turns.draw(course, play.target, 2)
    emptied = course.moved(slots, DISCARD)
    after = emptied.becoming(changed(course.state, playing=changed(play, slots=slots)))
    return after.on("destiny").step(Show(slots))


def _destined(course: Course, _: Outcome) -> Step[State]:
    play = course.state.play
    faces = tuple(course.board.face(slot) for slot in play.slots)
    told = course.told("hand-discarded", seat=play.target, cards=faces, slots=play.slots)
    return turns.draw(told, play.target, 2)


def _spider(course: Course) -> Step[State]:
    gives = _gives(course)
    if not gives:
        return _exchanged(course, Outcome(()))
    return course.on("exchange").step(*gives)


def _gives(course: Course) -> list[Effect]:
    """Return the gifts of both hands; an empty one gives nothing."""
    one, other = course.state.play.targets
    ways = ((one, other), (other, one))
    return [Give(course.hand_of(a), hand(b)) for a, b in ways if course.hand_of(a)]


def _exchanged(course: Course, _: Outcome) -> Step[State]:
    state, seats = course.state, course.state.play.targets
    holding = tuple(seat for seat in seats if course.hand_of(seat))
    known = state.looked_into(seats, known=False).looked_into(holding, known=True)
    received = tuple(course.hand_of(seat) for seat in seats)
    told = course.becoming(known).told(
        "exchanged", seat=state.on_turn, seats=seats, received=received
    )
    return turns.resolved(told)


def _runaway(course: Course) -> Step[State]:
    holding = _runaway_seats(course)
    if not holding:
        return turns.resolved(course)
    return course.on("runaway").step(Restack(tuple(hand(seat) for seat in holding)))


def _ran_away(course: Course, outcome: Outcome) -> Step[State]:
    stage = course.state.play.stage
    return _RUNAWAY_STAGES[stage](_staged(course, stage + 1), outcome)


def _hands_restacked(course: Course, _: Outcome) -> Step[State]:
    """Toss the coin once all hands are shuffled, and no sooner."""
    holding = _runaway_seats(course)
    sizes = [len(course.hand_of(seat)) for seat in holding]
    return _restacked(course, holding).on("restacked").step(Coin(RUNAWAY_COIN, prod(sizes)))


def _cards_drawn(course: Course, outcome: Outcome) -> Step[State]:
    """Shuffle the cards that the coin names, with all of the stock."""
    coin, holding = outcome.coin(RUNAWAY_COIN), _runaway_seats(course)
    hands = [course.hand_of(seat) for seat in holding]
    positions = positions_of(coin, [len(slots) for slots in hands])
    drawn = tuple(slots[position] for slots, position in zip(hands, positions, strict=True))
    told = course.told("ran-away", seats=holding, slots=drawn, coin=coin)
    return told.on("coin").step(Reshuffle((*drawn, *course.board.at(STOCK)), STOCK))


def _stock_mixed(course: Course, outcome: Outcome) -> Step[State]:
    return turns.resolved(course.told("mixed", count=len(outcome.slots(-1))))


def positions_of(coin: int, sizes: list[int]) -> list[int]:
    """Return the digits of a number, one below each of these sizes, the first the lowest."""
    found = []
    for size in sizes:
        coin, position = divmod(coin, size)
        found.append(position)
    return found


def _runaway_seats(course: Course) -> tuple[Seat, ...]:
    others = (seat for seat in course.state.seats if seat != course.state.on_turn)
    return tuple(seat for seat in others if course.hand_of(seat))


def _claimed(course: Course, outcome: Outcome) -> Step[State]:
    play, seat = course.state.play, course.state.on_turn
    if play.stage:
        return _given(course, outcome)
    found = outcome.claimed(-1)
    told = course.told("claimed", seat=play.target, card=play.name, slots=_some(found))
    if found is None:
        return turns.resolved(told)
    return _staged(told, 1).on("claimed").step(Give((found,), hand(seat)))


def _some(found: SlotId | None) -> tuple[SlotId, ...]:
    return () if found is None else (found,)


def _given(course: Course, outcome: Outcome) -> Step[State]:
    """Tell which card came; its former holder knows it until the hand is restacked."""
    state, play = course.state, course.state.play
    after = course.becoming(state.looked_into((state.on_turn,), known=True))
    slots = outcome.slots(-1)
    return turns.resolved(
        after.told("given", seat=state.on_turn, giver=play.target, card=play.face, slots=slots)
    )


def _restacked(course: Course, seats: tuple[Seat, ...]) -> Course:
    """Tell that hands were shuffled by their holders, and of which others had known cards."""
    state = course.state
    told = course.told(
        "restacked",
        seats=seats,
        card=state.play.face,
        seen=tuple(seat for seat in seats if seat in state.seen),
        slots=tuple(slot for seat in seats for slot in course.hand_of(seat)),
    )
    return told.becoming(state.looked_into(seats, known=False))


def _staged(course: Course, stage: int) -> Course:
    play: Play = changed(course.state.play, stage=stage)
    return course.becoming(changed(course.state, playing=play))


_CARRYING: Final[Mapping[str, Carrying]] = MappingProxyType(
    {
        cards.PONY: _pony,
        cards.BUCK: _nothing,
        cards.RUNAWAY: _runaway,
        cards.HARRY: _harry,
        cards.POPE: _nothing,
        cards.AHEAD: _ahead,
        cards.OF_THE_YEAR: _of_the_year,
        cards.DESTINY: _destiny,
        cards.DAWAN: _nothing,
        cards.JUMP: _jump,
        cards.PAPAGEDDON: _nothing,
        cards.SPIDER: _spider,
    }
)
"""What the cards do in 27, those that need nothing to be selected."""

_RUNAWAY_STAGES: Final[Sequence[Resuming]] = (_hands_restacked, _cards_drawn, _stock_mixed)

_FURTHER: Final[Mapping[str, Resuming]] = MappingProxyType(
    {
        cards.RUNAWAY: _ran_away,
        cards.POPE: _claimed,
        cards.DESTINY: _destined,
        cards.SPIDER: _exchanged,
    }
)
"""How those go on that ask the cards for something in 27."""

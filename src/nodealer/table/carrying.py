"""Carrying out what the rules ask for, up to the next step that seats owe something to.

Rules return a step: a state, effects and events. The effects go into the queue; what can be done at
once (moving cards, granting audiences for which nobody has to release anything) is done at once;
the first effect that takes a joint step stays at the head of the queue, with that step due. When
all are done the rules are asked to go on, until a step has no effects.

The plain dealer of `games.dealer` does the same with open cards; both must come to the same boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from nodealer.deck import (
    PUBLIC,
    Deck,
    Stage,
    announce,
    cleared,
    gather,
    verdict_prover,
    without_seats,
)
from nodealer.games.api import Event, Step
from nodealer.games.choosing import require_choosable, require_repeatable
from nodealer.games.effects import Choose, Compare, Move, NewDeck, Reshuffle, Show
from nodealer.kernel import Bug, LocalError, Reason, Seat, SlotId, changed
from nodealer.table.position import Position
from nodealer.table.program import Joint, Program

STEPS_WITHOUT_TURN_MAX: Final = 1000
"""A game that goes on longer without giving anybody the turn will go on for ever."""


def set_up(position: Position) -> Position:
    """Return the position at the beginning of a game for all seats of the roster.

    Nothing of an earlier game lies on the board any more; only its numbers of slots are used up.
    """
    terms = position.setting.agreed.terms
    step = position.game.setup(position.roster, terms.chosen)
    deck = None if position.deck is None else cleared(position.deck)
    games = position.games + 1
    fresh = changed(position, deck=deck, work=None, games=games, is_closed=False)
    return entered(fresh, step)


def left_out(position: Position, seats: Sequence[Seat]) -> Position:
    """Return the position after seats were left out of the roster.

    Once the result stands nothing else changes. Before that the rules say how the game goes on; the
    effect under way is never finished, and everything behind it is dropped.
    """
    roster = tuple(seat for seat in position.roster if seat not in seats)
    if position.standing is not None:
        return changed(position, roster=roster, events=())
    policy = position.setting.agreed.charter.policy
    step = position.game.leave(position.rules, position.board, tuple(seats), policy)
    fresh = changed(position, roster=roster, work=None)
    if fresh.deck is not None:
        fresh = changed(fresh, deck=without_seats(fresh.deck, seats))
    after = entered(fresh, step)
    require_repeatable(position.program.head, after.program.head, position.board, after.board)
    return after


def entered(position: Position, step: Step[object]) -> Position:
    """Return the position after a step of the rules, as far as it can be carried out at once.

    Of the events of earlier entries nothing is left.
    """
    return go_on(_taken(position, step, step.events))


def go_on(position: Position) -> Position:
    """Return the position with everything done that nobody owes anything for."""
    for _ in range(STEPS_WITHOUT_TURN_MAX):
        position = _at_once(position)
        if position.underway or not position.program.results:
            return position
        outcome = position.program.outcome()
        step = position.game.resume(position.rules, position.board, outcome)
        position = _taken(position, step, (*position.events, *step.events))
    raise _bug("somebody gets the turn")


def _taken(position: Position, step: Step[object], events: tuple[Event, ...]) -> Position:
    program = Program(step.effects)
    return changed(position, rules=step.state, program=program, events=events)


def _at_once(position: Position) -> Position:
    while position.program.head is not None and position.program.step is None:
        position = _begun(position)
    return position


def _begun(position: Position) -> Position:
    """Begin the effect at the head; what takes no joint step is done with that."""
    program, head = position.program, position.program.head
    try:
        match head:
            case Move(slots, to):
                deck = _deck(position)
                deck = deck.with_layout(deck.layout.brought(slots, to))
                return changed(position, deck=deck, program=program.done(None))
            case Show():
                return _shown(position, program.shows)
            case Reshuffle(slots, into):
                work = gather(_deck(position), slots, into)
                return changed(position, work=work, program=program.begun())
            case NewDeck():
                _require_kept(position, head)
            case Compare(slots):
                verdict_prover(_deck(position), slots)
            case Choose():
                _require_choosable(position, head)
            case _:
                pass  # nothing to prepare for a coin, or for acks
    except LocalError as error:
        raise Bug(error.reason, f"{head}: {error.detail}") from error
    return changed(position, program=program.begun())


def _shown(position: Position, shows: Sequence[Show]) -> Position:
    """Grant what is to be shown; a card that is open is shown to everybody already."""
    wishes: dict[SlotId, set[Seat]] = {}
    faces = position.board.faces
    for show in shows:
        for slot in (slot for slot in show.slots if slot not in faces):
            wishes.setdefault(slot, set()).update(show.seats or (PUBLIC,))
    deck = announce(_deck(position), [(slot, sorted(seats)) for slot, seats in wishes.items()])
    program = position.program
    if deck.stage is Stage.RELEASE:
        return changed(position, deck=deck, program=changed(program, step=Joint.RELEASE))
    return changed(position, deck=deck, program=program.done(*[None] * len(shows)))


def _require_choosable(position: Position, effect: Choose) -> None:
    deck = _deck(position)

    def viewers(slot: SlotId) -> set[Seat]:
        return set(deck.slot(slot).audience) & {*position.roster, PUBLIC}

    require_choosable(effect, position.board, viewers, position.roster)


def _require_kept(position: Position, effect: NewDeck) -> None:
    if not effect.keep:
        return
    faces = position.board.faces
    if not faces.keys() >= set(effect.keep):
        raise _bug("only open cards outlive a new deck")
    kept = Counter(faces[slot] for slot in effect.keep)
    if kept + Counter(effect.composition.faces) != Counter(_deck(position).composition.faces):
        raise _bug("kept cards and new deck are the cards that were there")


def _deck(position: Position) -> Deck:
    if position.deck is None:
        raise _bug("there are cards")
    return position.deck


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")

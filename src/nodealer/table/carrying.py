"""Carrying out what the rules ask for: one loop over the operations.

Rules return a step: a state, effects and events. The effects go into the queue; what can be done at
once (moving cards, granting audiences for which nobody has to release anything) is done at once;
the first effect that takes a joint step stays at the head of the queue, with that step due. When
all are done the rules are asked to go on, until a step has no effects.

What seats owe to the step that is due, how a part of it is made and checked, and what the whole
step comes to, is asked of the operation under way. What is the same for all of them stands here:
parts are judged at their place; once all are there they are taken in; then the next step is due,
or the effect is done, with everything behind it that takes no step.

The plain dealer of `games.dealer` does the same with open cards; both must come to the same boards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from nodealer.deck import Deck, Keyring, cleared, without_seats
from nodealer.games import Event, Step, require_repeatable
from nodealer.kernel import Bug, EntryId, LocalError, Reason, Seat, changed
from nodealer.ledger import Owed
from nodealer.table.operation import NO_PARTS, Checked, JointStep, Operation, Parts, Place
from nodealer.table.operations import PARTS, operation_of
from nodealer.table.position import Position
from nodealer.table.program import Program

STEPS_WITHOUT_TURN_MAX: Final = 1000
"""A game that goes on longer without giving anybody the turn will go on for ever."""


def due_step(position: Position) -> JointStep | None:
    """Return the step that is due, if one is."""
    program = position.program
    if program.head is None or program.step is None:
        return None
    return next(one for one in operation_of(program.head).steps if one.word == program.step)


def owed(position: Position) -> tuple[Owed, ...]:
    """Return the parts that are due, in order."""
    step = due_step(position)
    return () if step is None else step.owed(position)


def ground_of(position: Position, parent: EntryId) -> Deck | None:
    """Return the deck over which the due step runs, before any part of it."""
    step = due_step(position)
    return position.deck if step is None else step.ground(position, parent)


def make(where: Place, kind: str, keyring: Keyring) -> bytes:
    """Return what a seat sends for a part that it owes, and that follows from its keys."""
    made_of_keys = PARTS[kind].make
    assert made_of_keys is not None, "what players decide is not made"
    return made_of_keys(where, keyring)


def judge_of(kind: str) -> Callable[[Place, Seat, bytes], Checked]:
    """Return what judges the parts of a kind: a part that is good, or `PeerError`."""
    judge = PARTS[kind].check
    assert judge is not None, "what nobody owes is not checked"
    return judge


def leaves(kind: str, checked: Checked) -> Deck:
    """Return the deck that a part leaves for the next one, which builds on it."""
    left_by = PARTS[kind].leaves
    assert left_by is not None, "only chained parts build on each other"
    return left_by(checked)


def taken(position: Position, ground: Deck | None, parts: Parts) -> Position:
    """Return the position after the due step, all of whose parts were checked.

    `ground` is the deck under the step, for chained parts the one that the last of them leaves.
    """
    step, head = due_step(position), position.program.head
    assert step is not None, "a step is due"
    assert head is not None, "for an effect"
    position = changed(position, events=())
    after = step.take(position, ground, parts)
    operation = operation_of(head)
    following = _first_due(operation.steps[operation.steps.index(step) + 1 :], after)
    if following is not None:
        return _due(after, following)
    return go_on(changed(_finished(operation, position, after, parts), work=None))


def set_up(position: Position) -> Position:
    """Return the position at the beginning of a game for all seats of the roster.

    Nothing of an earlier game lies on the board any more; only its numbers of slots are used up.
    """
    terms = position.setting.agreed.terms
    step = position.game.setup(position.roster, terms.chosen)
    deck = None if position.deck is None else cleared(position.deck)
    games = position.games + 1
    ended = (*position.ended, position.standing) if position.games else ()
    fresh = changed(position, deck=deck, work=None, games=games, is_closed=False, ended=ended)
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
        position = _begun(operation_of(position.program.head), position)
    return position


def _begun(operation: Operation, position: Position) -> Position:
    """Begin the effect at the head; if none of its steps is due, it is done with that."""
    try:
        after = operation.begin(position)
        first = _first_due(operation.steps, after)
    except LocalError as error:
        raise Bug(error.reason, f"{position.program.head}: {error.detail}") from error
    if first is not None:
        return _due(after, first)
    return _finished(operation, position, after, NO_PARTS)


def _first_due(steps: Sequence[JointStep], position: Position) -> JointStep | None:
    """Return the first of these steps that is due; what nobody owes anything to is passed over."""
    return next((step for step in steps if step.owed(position)), None)


def _due(position: Position, step: JointStep) -> Position:
    return changed(position, program=changed(position.program, step=step.word))


def _finished(operation: Operation, before: Position, after: Position, parts: Parts) -> Position:
    """Return the position once the effects under way are done, mostly one."""
    results = operation.results(before, after, parts)
    return changed(after, program=after.program.done(*results))


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")

"""The joint steps: what every seat owes to them, and what they come to.

Each step has one part of the deck, or one of a coin, or both:

    step       part of the deck, owed by        part of a coin, owed by
    keys       keys, all                        commit, all
    shuffle    shuffle, all, each on the last   -
    mask       mask, all                        open, those who committed
    commit     -                                commit, all
    open       -                                open, those who committed
    release    release, whom the planner names  -
    verdict    verdict, the seat that proves it -
    choose     choose, the seats that are asked -
    acks       acks, nobody: seals alone        -

How each part is made and checked stands in `parts`. Shuffles build on each other, so the deck under
a shuffle is the one that those before it have left. What a check returns is taken in once all of
the step is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from nodealer import deck as ops
from nodealer.deck import Deck, Vetted
from nodealer.games.choosing import asked_in, slots_of
from nodealer.games.effects import NewDeck
from nodealer.kernel import EntryId, EpochId, SlotId, changed
from nodealer.ledger import Moment, Owed
from nodealer.table.carrying import go_on
from nodealer.table.parts import (
    ACKS,
    CHOOSE,
    COMMIT,
    OPEN,
    VERDICT,
    Checked,
    Judged,
    Picked,
    Place,
    Said,
)
from nodealer.table.position import Position
from nodealer.table.program import Committed, Joint, Program


def owed(position: Position) -> tuple[Owed, ...]:
    """Return the parts that are due, in order."""
    step = position.program.step
    return () if step is None else _OWED[step](position)


def ground_of(position: Position, parent: EntryId) -> Deck | None:
    """Return the deck over which the due step runs, before any part of it."""
    if position.program.step is Joint.KEYS:
        return _new_epoch(position, EpochId(parent))
    return position.deck if position.work is None else position.work


def place(position: Position, deck: Deck | None, moment: Moment, label: bytes) -> Place:
    """Return the place of a part with this label."""
    at = ops.ProofMoment(moment.table, moment.height, moment.parent, label)
    return Place(position, deck, at)


def taken(
    position: Position, ground: Deck | None, parts: Mapping[str, Sequence[Checked]], label: bytes
) -> Position:
    """Return the position after the due step, all of whose parts were checked.

    `ground` is the deck under the step, for shuffles the one that the last of them leaves. `parts`
    has what the checks returned, by kind and in the order of the seats; `label` is that of the
    commitments, where there are some.
    """
    step = position.program.step
    assert step is not None, "a step is due"
    position = changed(position, events=())
    after = _TAKERS[step](position, ground, parts)
    if COMMIT in parts:
        made = Committed(label, tuple((one.seat, one.value) for one in _said(parts[COMMIT])))
        after = changed(after, program=changed(after.program, committed=made))
    if OPEN in parts:
        after = changed(after, program=_fallen(position, parts[OPEN]))
    following = after.program.next_step()
    if following is not None:
        return changed(after, program=changed(after.program, step=following))
    return go_on(changed(after, work=None, program=_finished(position, after, parts)))


def _finished(before: Position, after: Position, parts: _Parts) -> Program:
    """Return the program once the effect under way is done, with its results."""
    match after.program.step:
        case Joint.MASK:
            assert after.deck is not None, "the mask has made slots"
            first = 0 if before.work is None else before.work.next_slot
            made = tuple(SlotId(number) for number in range(first, after.deck.next_slot))
            return after.program.done(made)
        case Joint.RELEASE:
            return after.program.done(*[None] * len(after.program.shows))
        case Joint.VERDICT:
            (judged,) = parts[VERDICT]
            assert isinstance(judged, Judged), "a verdict was given"
            return after.program.done(judged.is_one_face)
        case Joint.CHOOSE:
            picked = {one.seat: one.slot for one in parts[CHOOSE] if isinstance(one, Picked)}
            return after.program.done(slots_of(after.program.asking, picked))
        case Joint.ACKS:
            return after.program.done(None)
        case _:
            (_, fell) = after.program.coins[-1]
            return after.program.done(fell)


# What is owed.


def _owed_keys(position: Position) -> tuple[Owed, ...]:
    return (Owed("keys", "", position.roster), *_owed_commit(position))


def _owed_shuffle(position: Position) -> tuple[Owed, ...]:
    return (Owed("shuffle", "", position.roster, chained=True),)


def _owed_mask(position: Position) -> tuple[Owed, ...]:
    return (Owed("mask", "", position.roster), *_owed_open(position))


def _owed_commit(position: Position) -> tuple[Owed, ...]:
    thrown = position.program.coin
    return () if thrown is None else (Owed(COMMIT, thrown.purpose, position.roster, binding=True),)


def _owed_open(position: Position) -> tuple[Owed, ...]:
    thrown = position.program.coin
    return () if thrown is None else (Owed(OPEN, thrown.purpose, position.roster),)


def _owed_release(position: Position) -> tuple[Owed, ...]:
    assert position.deck is not None, "something of a deck is released"
    return (Owed("release", "", ops.owing(position.deck)),)


def _owed_verdict(position: Position) -> tuple[Owed, ...]:
    assert position.deck is not None, "cards of a deck are compared"
    return (Owed(VERDICT, "", (ops.verdict_prover(position.deck, position.program.compared),)),)


def _owed_choose(position: Position) -> tuple[Owed, ...]:
    asking = position.program.asking
    seats = tuple(sorted(seat for seat, _ in asked_in(asking)))
    return (Owed(CHOOSE, asking.purpose, seats, binding=True, decided=True),)


def _owed_acks(position: Position) -> tuple[Owed, ...]:  # noqa: ARG001 - every step
    return (Owed(ACKS, "", ()),)


_OWED: Final[Mapping[Joint, Callable[[Position], tuple[Owed, ...]]]] = MappingProxyType(
    {
        Joint.KEYS: _owed_keys,
        Joint.SHUFFLE: _owed_shuffle,
        Joint.MASK: _owed_mask,
        Joint.COMMIT: _owed_commit,
        Joint.OPEN: _owed_open,
        Joint.RELEASE: _owed_release,
        Joint.VERDICT: _owed_verdict,
        Joint.CHOOSE: _owed_choose,
        Joint.ACKS: _owed_acks,
    }
)


# What a whole step comes to.

_Parts: TypeAlias = Mapping[str, Sequence[Checked]]


def _take_keys(position: Position, ground: Deck | None, parts: _Parts) -> Position:
    head = position.program.head
    assert ground is not None, "the keys are of a new deck"
    assert isinstance(head, NewDeck), "keys are for a new deck"
    return changed(position, work=ops.take_deck_keys(ground, _vetted(parts["keys"]), head.into))


def _take_shuffles(position: Position, ground: Deck | None, parts: _Parts) -> Position:  # noqa: ARG001 - every taker
    return changed(position, work=ground)


def _take_masks(position: Position, ground: Deck | None, parts: _Parts) -> Position:
    assert ground is not None, "the cards of a deck are masked"
    return changed(position, deck=ops.take_masks(ground, _vetted(parts["mask"])))


def _take_releases(position: Position, ground: Deck | None, parts: _Parts) -> Position:
    assert ground is not None, "the layers of a deck are released"
    return changed(position, deck=ops.take_releases(ground, _vetted(parts["release"])))


def _take_words(position: Position, ground: Deck | None, parts: _Parts) -> Position:  # noqa: ARG001 - every taker
    return position


_TAKERS: Final[Mapping[Joint, Callable[[Position, Deck | None, _Parts], Position]]] = (
    MappingProxyType(
        {
            Joint.KEYS: _take_keys,
            Joint.SHUFFLE: _take_shuffles,
            Joint.MASK: _take_masks,
            Joint.COMMIT: _take_words,
            Joint.OPEN: _take_words,
            Joint.RELEASE: _take_releases,
            Joint.VERDICT: _take_words,
            Joint.CHOOSE: _take_words,
            Joint.ACKS: _take_words,
        }
    )
)


def after_shuffle(shuffle: Checked) -> Deck:
    """Return the deck that a shuffle leaves; the one after it is made over that."""
    assert isinstance(shuffle, Vetted), "a shuffle is of a deck"
    return ops.take_shuffle(shuffle.over, shuffle)


def _fallen(position: Position, opened: Sequence[Checked]) -> Program:
    program = position.program
    assert program.coin is not None, "a coin was thrown"
    assert program.committed is not None, "and committed to"
    values = {one.seat: one.value for one in _said(opened)}
    result = ops.coin(
        position.setting.agreed.charter.table, program.committed.label, values, values
    )
    return program.fallen(ops.draw(result, program.coin.sides))


def _new_epoch(position: Position, epoch: EpochId) -> Deck:
    head, agreed = position.program.head, position.setting.agreed
    assert isinstance(head, NewDeck), "keys are for a new deck"
    if head.keep:
        assert position.deck is not None, "what is kept lies there already"
        return ops.renewed(position.deck, epoch, head.composition, position.roster, keep=head.keep)
    return ops.new_deck(
        position.setting.group,
        agreed.charter.table,
        agreed.terms.hash,
        epoch,
        agreed.sealing_keys,
        head.composition,
        roster=position.roster,
        first_slot=SlotId(0) if position.deck is None else position.deck.next_slot,
    )


def _vetted(parts: Sequence[Checked]) -> list[Vetted[Any]]:
    return [part for part in parts if isinstance(part, Vetted)]


def _said(parts: Sequence[Checked]) -> list[Said]:
    return [part for part in parts if isinstance(part, Said)]

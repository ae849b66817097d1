"""What is bound under a label stays bound, whatever becomes of the step."""

from __future__ import annotations

import pytest

from nodealer.kernel import EntryId, LocalError, Seat
from nodealer.ledger.objects import Evict, anchor_of, label_of
from tests.ledger.forge import Forger, codes, voted
from tests.ledger.telling import cut_off, finish, opened
from tests.ledger.world import World

SCRIPT = ("bind", "turn", "close")


def killed() -> World:
    """Return a world whose first binding step an eviction has undone."""
    world = opened(SCRIPT, 4)
    for seat in (0, 1):
        world.answer(Seat(seat))
    world.settle()
    cut_off(world, 3)
    world.answer(Seat(2))
    world.settle()
    world.pass_time(40)
    world.settle()
    assert world.log(0) == ("out [3]",)
    return world


def test_the_label_survives_the_eviction() -> None:
    world = killed()
    tip = world.ledgers[Seat(0)].tip
    assert tip.below is not None
    assert tip.parts[0].label == tip.below.parts[0].label
    assert anchor_of(tip.parts[0].label) == tip.anchor == tip.below.id


def test_the_same_commitment_again_is_no_fault() -> None:
    world = killed()
    for seat in (0, 1, 2):
        world.take(Seat(seat), world.ledgers[Seat(seat)].contribute([b"x0"]))
    finish(world)
    assert world.log(0)[-1] == "close"
    assert not world.accused()


def test_another_commitment_is_refused_before_it_is_signed() -> None:
    world = killed()
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(0)].contribute([b"other"])


def test_a_restart_remembers_what_is_bound() -> None:
    world = killed()
    world.crash(Seat(0))
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(0)].contribute([b"other"])
    world.take(Seat(0), world.ledgers[Seat(0)].contribute([b"x0"]))


def test_another_commitment_under_the_same_label_names_its_seat() -> None:
    world = killed()
    byzantine = Forger(world, 0)
    tip = world.ledgers[Seat(1)].tip
    byzantine.tell(byzantine.contribution(tip, b"other"), 1)
    assert codes(world, 1) == {Seat(0): "E1"}
    evidence = world.ledgers[Seat(1)].proven[Seat(0)]
    fresh = Forger(world, 1)
    fresh.tell(voted(fresh.vote(tip, 1, Evict((Seat(0),))), evidence), 2)
    assert codes(world, 2) == {Seat(0): "E1"}


def test_the_second_one_is_found_even_after_a_second_eviction() -> None:
    world = opened(SCRIPT, 6)
    world.answer(Seat(0))
    world.settle()
    for height, seat in ((1, Seat(5)), (2, Seat(4))):
        world.take(seat, world.ledgers[seat].leave())
        world.settle()
        assert world.ledgers[Seat(1)].tip.height == height
    byzantine = Forger(world, 0)
    byzantine.tell(byzantine.contribution(world.ledgers[Seat(1)].tip, b"other"), 1)
    assert codes(world, 1) == {Seat(0): "E1"}


def test_once_the_step_is_in_the_chain_its_label_is_gone() -> None:
    world = opened(("bind", "bind", "close"))
    world.play()
    ledger = world.ledgers[Seat(0)]
    assert world.log(0)[-1] == "close"
    assert not ledger.own.bound
    assert not ledger.bound


def test_what_was_bound_is_kept_while_the_step_may_still_be_undone() -> None:
    world = opened(("bind", "turn", "close"))
    world.act()
    world.settle()
    ledger = world.ledgers[Seat(1)]
    assert ledger.tip.height == 1
    assert ledger.tip.below is not None
    assert {anchor_of(label) for label in ledger.own.bound} == {ledger.tip.below.id}


def test_labels_differ_by_kind_purpose_and_anchor() -> None:
    one, other = EntryId(bytes(32)), EntryId(b"\x01" * 32)
    labels = {
        label_of(kind, purpose, anchor)
        for kind in ("commit", "choose")
        for purpose in ("first", "second")
        for anchor in (one, other)
    }
    assert len(labels) == 8

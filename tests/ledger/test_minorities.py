"""One seat that signs whatever it likes cannot keep a majority that is there from going on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import read
from nodealer.ledger.answers import ANSWERS_MAX
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.desk import ROUNDS_MAX
from nodealer.ledger.messages import Sealed, Voted
from nodealer.ledger.objects import Evict, Keep
from tests.ledger.forge import Forger, voted
from tests.ledger.telling import cut_off, finish, opened
from tests.ledger.world import World

SCRIPT = ("turn", "due", "turn", "close")


@pytest.mark.parametrize("number", [1, ROUNDS_MAX // 2, ROUNDS_MAX // 2 + 1, ROUNDS_MAX])
def test_a_vote_in_a_round_far_ahead_keeps_nobody_from_opening_the_next(number: int) -> None:
    world = opened(SCRIPT, 4)
    world.gone.add(Seat(0))  # it is on turn, and says nothing but this
    racer = Forger(world, 0)
    racer.tell(racer.vote(world.ledgers[Seat(1)].tip, number, Evict((Seat(1),))), 1, 2, 3)
    finish(world, ticks=100)
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


def behind() -> World:
    """Return a world in which seat 2 lacks the first entry, for want of the seal of seat 3.

    It lost patience meanwhile. Seats 0 and 1 have gone on to the due step over that entry, and each
    knows that the other one has.
    """
    world = opened(SCRIPT, 4)
    world.answer(Seat(0))
    while world.wires:
        _, to, data = world.wires[0]
        message = read(data)
        if to == Seat(2) and isinstance(message, Sealed) and message.seal.seat == Seat(3):
            world.wires.pop(0)
        else:
            world.deliver()
    cut_off(world, 2)
    for seat in (0, 1):
        world.answer(Seat(seat))
    for _ in range(2):
        world.pass_time(31, [Seat(2)])
        world.settle()
    assert [vote.choice for vote in world.ledgers[Seat(2)].own.votes[1]] == [Evict((Seat(3),))]
    return world


def test_who_was_answered_in_rounds_apart_still_answers_a_seat_that_is_behind() -> None:
    world = behind()
    base, liar = world.ledgers[Seat(2)].tip, Forger(world, 3)
    for turn in range(1, 2 * ANSWERS_MAX):
        liar.tell(liar.vote(base, ROUNDS_MAX * turn, Evict((Seat(1),))), 0)
        liar.tell(liar.vote(base, ROUNDS_MAX * turn - 1, Evict((Seat(0),))), 1)
        world.settle()
    rounds = {world.ledgers[Seat(seat)].own.last_round(1) for seat in (0, 1)}
    assert len(rounds) == 2
    assert min(rounds) >= ROUNDS_MAX
    world.gone.add(Seat(3))
    world.cut.clear()
    finish(world, rounds=60, ticks=50)
    assert world.log(2)[-1] == "close"
    assert len(world.tips()) == 1
    assert not any(world.ledgers[Seat(seat)].own.is_out for seat in (0, 1, 2))
    assert world.accused() <= {Seat(3)}


def test_nobody_is_answered_in_a_round_that_nobody_can_follow_to() -> None:
    world = opened(SCRIPT, 4)
    link = world.ledgers[Seat(3)].tip
    world.play()
    ledger = replace(world.ledgers[Seat(1)], placed={})  # seat 3 may lack all of it
    liar = Forger(world, 3)
    for number, answered in ((1 << 32, 0), (ROUNDS_MAX + 1, 0), (ROUNDS_MAX, 1)):
        after, _ = ledger.receive(voted(liar.vote(link, number, Evict((Seat(0),)))), Seat(3))
        assert len(after.own.votes.get(1, ())) == answered


def test_a_majority_whose_clocks_are_out_of_step_comes_to_one_choice() -> None:
    world = opened(("due", "close"), 5)
    for seat in (0, 1, 3):
        world.answer(Seat(seat))
    world.settle()
    half = Forger(world, 2)  # it has contributed, and does nothing more; seat 3 hears it late
    half.tell(half.contribution(world.ledgers[Seat(0)].tip, b"x"), 0, 1)
    world.gone |= {Seat(2), Seat(4)}
    for _ in range(30):
        world.pass_time(450, [Seat(3)])
        world.settle()
        world.pass_time(450, [Seat(0), Seat(1)])
        world.play()
    assert world.log(0)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


def test_a_seat_that_runs_ahead_stands_by_what_a_majority_has_agreed_on() -> None:
    """Two seats are gone, of whom only the first can be missed; so all who stay have to agree."""
    world = opened(("shuffle", "close"), 5)
    world.gone |= {Seat(0), Seat(4)}
    for _ in range(12):
        for _ in range(ROUNDS_MAX // 2 + 8):
            world.pass_time(400, [Seat(1)])
            world.settle()
        for slow in (2, 3):
            world.pass_time(400, [Seat(slow)])
            world.settle()
        world.play()
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


def test_votes_for_different_things_are_no_agreement() -> None:
    world = opened(SCRIPT, 4)
    world.gone |= {Seat(0), Seat(2), Seat(3)}
    tip = world.ledgers[Seat(1)].tip
    for number in (1, 2, 3):
        for seat, other in ((2, 3), (3, 2)):
            teller = Forger(world, seat)
            teller.tell(teller.vote(tip, number, Evict((Seat(other),))), 1)
        world.pass_time(400, [Seat(1)])
    votes = world.ledgers[Seat(1)].own.votes[1]
    assert [(vote.round, vote.choice) for vote in votes][-1] == (3, Evict((Seat(0),)))


def test_who_holds_the_tip_cannot_have_others_missed_by_voting_to_keep_it() -> None:
    world = opened(("turn", "due", "close"), 4)
    world.answer(Seat(0))
    world.settle()
    tip = world.ledgers[Seat(1)].tip
    assert tip.below is not None
    world.take(Seat(3), world.ledgers[Seat(3)].tell())  # it says that it holds the tip
    world.settle()
    idle, vote = Forger(world, 3), Keep(tip.id, tip.rank)
    idle.tell(Voted(idle.vote(tip.below, 1, vote), (), entry_message(tip)))
    world.gone.add(Seat(3))
    finish(world, rounds=20, ticks=100)
    assert world.log(0)[-1] == "close"
    assert [world.ledgers[Seat(seat)].own.is_out for seat in range(3)] == [False] * 3
    assert len(world.tips()) == 1

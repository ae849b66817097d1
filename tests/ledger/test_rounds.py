"""Rounds: who is missed, who votes for what, and that a majority gets on."""

from __future__ import annotations

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import Entry, Evidence
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Voted
from nodealer.ledger.missed import missed
from nodealer.ledger.objects import Evict, EvictStep, Keep, Vote
from nodealer.ledger.ready import Stalled, Suspended
from tests.ledger.forge import Forger, codes, voted
from tests.ledger.telling import cut_off, events, finish, opened
from tests.ledger.world import CLOCK, World

SCRIPT = ("turn", "due", "turn", "close")


def waits_for(world: World, seat: int) -> tuple[Seat, ...]:
    return missed(Draft(world.ledgers[Seat(seat)]))


def test_before_the_table_is_open_those_are_missed_whose_seal_of_the_charter_lacks() -> None:
    world = World(3, SCRIPT)
    cut_off(world, 2)
    world.settle()
    assert waits_for(world, 0) == (Seat(2),)
    world.pass_time(100)
    world.settle()
    assert not events(world, Vote)
    world.cut.clear()
    world.pass_time(100)
    world.settle()
    assert all(ledger.asked or seat != 0 for seat, ledger in world.ledgers.items())
    world.play()
    assert world.log(2)[-1] == "close"


def test_a_step_not_begun_is_held_up_by_its_author_alone() -> None:
    world = opened(SCRIPT, 4)
    assert waits_for(world, 1) == (Seat(0),)
    assert waits_for(world, 0) == ()


def test_a_step_begun_is_held_up_by_whose_seal_lacks() -> None:
    world = opened(SCRIPT, 4)
    cut_off(world, 3)
    world.answer(Seat(0))
    world.settle()
    assert waits_for(world, 0) == waits_for(world, 1) == (Seat(3),)


def test_a_due_step_is_held_up_by_whose_contribution_lacks() -> None:
    world = opened(("due", "close"), 4)
    for seat in (0, 2):
        world.answer(Seat(seat))
    world.settle()
    assert waits_for(world, 0) == (Seat(1), Seat(3))
    assert waits_for(world, 1) == (Seat(3),)


def test_a_contribution_that_is_not_enabled_is_never_missed() -> None:
    world = opened(("chain", "close"), 4)
    assert waits_for(world, 3) == (Seat(0),)
    world.answer(Seat(0))
    world.settle()
    assert waits_for(world, 3) == (Seat(1),)
    world.pass_time(CLOCK.answer)
    assert {event.missed for event in events(world, Suspended)} == {(Seat(1),)}


def test_a_seat_that_sealed_something_else_is_missed_for_the_seal_on_mine() -> None:
    world = opened(SCRIPT, 4)
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    world.gone.add(Seat(0))
    one, other = author.proposal(tip, b"one"), author.proposal(tip, b"other")
    author.tell(one, 1, 2)
    author.tell(other, 3)
    author.tell(author.seal(tip, one.content.id), 3)
    assert codes(world, 3) == {Seat(0): "E1"}


def test_an_author_that_tells_two_stories_is_found_out_by_asking_around() -> None:
    world = opened(SCRIPT, 4)
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    world.gone.add(Seat(0))
    author.tell(author.proposal(tip, b"one"), 1, 2)
    author.tell(author.proposal(tip, b"other"), 3)
    world.settle()
    assert not world.accused()
    assert waits_for(world, 1) == (Seat(3),)
    finish(world)
    assert world.accused() == {Seat(0)}
    assert world.log(1)[0] == "out [0]"
    assert world.log(3)[-1] == "close"
    assert len(world.tips(0)) == 1


@pytest.mark.parametrize("script", [("due", "turn", "close"), ("chain", "turn", "close")])
def test_a_giver_that_tells_two_stories_is_found_out_by_asking_around(
    script: tuple[str, ...],
) -> None:
    world = opened(script, 4)
    giver, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    world.gone.add(Seat(0))
    one, other = giver.contribution(tip, b"one"), giver.contribution(tip, b"other")
    giver.tell(one, 1, 2)
    giver.tell(other, 3)
    finish(world)
    assert world.accused() == {Seat(0)}
    assert {codes(world, seat)[Seat(0)] for seat in (1, 2, 3)} == {"E1"}
    assert world.log(3)[-1] == "close"
    assert len(world.tips(0)) == 1


def test_nobody_seals_a_due_step_whose_parts_build_on_different_ones() -> None:
    world = opened(("chain", "close"), 3)
    tip = world.ledgers[Seat(2)].tip
    giver, second = Forger(world, 0), Forger(world, 1)
    one, other = giver.contribution(tip, b"one"), giver.contribution(tip, b"other")
    giver.tell(other, 2)
    giver.tell(one, 2)
    second.tell(second.contribution(tip, b"x", on=[one.id]), 2)
    world.answer(Seat(2))
    sealed = world.ledgers[Seat(2)].desk.sealed[Seat(2)]
    content = world.ledgers[Seat(2)].desk.contents[sealed.entry]
    assert content.contributions[0] == (Seat(0), one.id)


def test_patience_doubles_and_is_bounded() -> None:
    world = opened(SCRIPT, 4)
    cut_off(world, 1)
    starts, now = [], 0
    for _ in range(60):
        before = len(events(world, Stalled, 1)) + len(events(world, Vote, 1))
        wake = world.wakes[Seat(1)]
        assert wake is not None
        now = wake
        world.take(Seat(1), world.ledgers[Seat(1)].tick(now))
        if len(events(world, Stalled, 1)) + len(events(world, Vote, 1)) > before:
            starts.append(now)
    waits = [late - early for early, late in zip([0, *starts], starts, strict=False)]
    first = CLOCK.act + CLOCK.rejoin
    assert waits[:4] == [first, 2 * first, 4 * first, CLOCK.longest]
    assert set(waits[3:]) == {CLOCK.longest}


def test_a_seat_joins_the_highest_round_it_has_seen() -> None:
    world = opened(SCRIPT, 4)
    ahead = Forger(world, 3)
    tip = world.ledgers[Seat(1)].tip
    ahead.tell(ahead.vote(tip, 7, Evict((Seat(0),))), 1)
    world.pass_time(4 * CLOCK.longest, [Seat(1)])
    assert [event.round for event in events(world, Vote, 1)] == [7]


def test_in_the_second_round_those_are_voted_out_who_cast_no_vote_in_the_first() -> None:
    world = opened(("due", "close"), 5)
    world.answer(Seat(1))
    tip = world.ledgers[Seat(1)].tip
    for seat in (2, 3):
        giver = Forger(world, seat)
        giver.tell(giver.contribution(tip, b"x"), 1)
    assert waits_for(world, 1) == (Seat(0), Seat(4))
    world.pass_time(35, [Seat(1)])
    zero = Forger(world, 0)
    zero.tell(zero.vote(tip, 1, Evict((Seat(4),))), 1)
    world.pass_time(100, [Seat(1)])
    assert [event.choice for event in events(world, Vote, 1)] == [
        Evict((Seat(0), Seat(4))),
        Evict((Seat(4),)),
    ]


def test_the_stubborn_majority_leaves_out_all_others() -> None:
    world = opened(SCRIPT, 5)
    byzantine, tip = Forger(world, 4), world.ledgers[Seat(1)].tip
    world.gone |= {Seat(0), Seat(4)}
    for number in range(1, 12):
        byzantine.tell(byzantine.vote(tip, number, Evict((Seat(0), Seat(number % 3 + 1)))))
        world.pass_time(CLOCK.longest)
        world.settle()
        if world.log(1):
            break
    assert world.log(1)[0] == "out [0, 4]"
    link = world.ledgers[Seat(1)].tip.at(1)
    assert link is not None
    assert link.content is not None
    assert isinstance(link.content.step, EvictStep)
    assert link.content.step.round == 3


def test_half_and_half_stalls_and_says_for_whom() -> None:
    world = opened(SCRIPT, 4)
    world.gone |= {Seat(0), Seat(3)}
    finish(world, 40, 40)
    assert world.log(1) == ()
    assert {event.missed for event in events(world, Stalled)} <= {(Seat(0),), (Seat(0), Seat(3))}
    assert not world.accused()
    world.gone.clear()
    finish(world, 40, 40)
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1


def test_two_seats_stall_and_go_on_when_the_other_is_back() -> None:
    world = opened(SCRIPT, 2)
    world.gone.add(Seat(0))
    finish(world, 20, 40)
    assert not events(world, Vote)
    assert {event.missed for event in events(world, Stalled)} == {(Seat(0),)}
    world.gone.clear()
    finish(world)
    assert world.log(1)[-1] == "close"


def test_directly_after_an_eviction_the_majority_still_counts_those_that_are_out() -> None:
    world = opened(SCRIPT, 4)
    world.gone.add(Seat(0))
    world.pass_time(60)
    world.settle()
    tip = world.ledgers[Seat(1)].tip
    assert tip.content is not None
    assert isinstance(tip.content.step, EvictStep)
    assert tip.quorum_roster == (Seat(0), Seat(1), Seat(2), Seat(3))
    assert not tip.is_majority(2)
    assert tip.is_majority(3)


def test_a_missed_seat_that_comes_back_in_time_is_simply_there_again() -> None:
    world = opened(SCRIPT, 4)
    cut_off(world, 0)
    world.answer(Seat(0))
    world.pass_time(60, [Seat(1)])
    world.cut.clear()
    finish(world)
    assert world.log(1)[0] == "0:x0"
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1
    assert not world.accused()


def test_who_waits_for_the_result_of_a_keep_is_not_missed_but_who_withholds_its_keep() -> None:
    world = opened(("turn", "turn", "close"), 4)
    cut_off(world, 3)
    world.answer(Seat(0))
    world.settle()
    tip = world.ledgers[Seat(1)].tip
    last = Forger(world, 3)
    proposal = next(iter(world.ledgers[Seat(1)].desk.contents.values()))
    last.tell(last.seal(tip, proposal.id), 1)
    taken = world.ledgers[Seat(1)].tip
    assert taken.height == 1
    two = Forger(world, 2)
    kept = Entry(proposal, (), taken.certificate)
    vote = two.vote(tip, 2, Keep(proposal.id, 0))
    two.tell(Voted(vote, (), kept), 1)
    world.take(Seat(1), world.ledgers[Seat(1)].propose(b"mine"))
    assert waits_for(world, 1) == (Seat(0), Seat(3))
    assert Keep(proposal.id, 0) in [event.choice for event in events(world, Vote, 1)]
    last.tell(Voted(last.vote(tip, 2, Keep(proposal.id, 0)), (), kept), 1)
    assert world.ledgers[Seat(1)].tip.rank == 2
    assert waits_for(world, 1) == (Seat(0), Seat(2), Seat(3))


def test_grounds_that_cannot_be_followed_do_not_spoil_a_vote_with_a_majority() -> None:
    world = opened(SCRIPT, 4)
    voter, other = Forger(world, 3), Forger(world, 0)
    tip = world.ledgers[Seat(1)].tip
    unknown = other.signed(other.seal(tip, bytes(32)))
    ground = Evidence("E5", Seat(0), (unknown,))
    voter.tell(voted(voter.vote(tip, 1, Evict((Seat(0),))), ground), 1)
    assert Seat(3) in world.ledgers[Seat(1)].desk.votes[1]
    assert not codes(world, 1)
    assert world.ledgers[Seat(1)].counts == {"ledger/evidence": 1}

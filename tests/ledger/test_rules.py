"""Every rule of signing: that it holds, and what breaks without it.

The harm of the rules of rounds is searched for by the explorer, over all states of a small table;
here stand single conversations in which one rule decides.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import LocalError, Seat
from nodealer.ledger import DUTIES, ChainEntry, Duties, Entry, Evidence, Ledger, recover, resent
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.chain import eviction
from nodealer.ledger.forks import compare_copies
from nodealer.ledger.messages import Sealed, Voted, signed_of
from nodealer.ledger.objects import Certificate, Content, Evict, Keep, Seal, Vote
from tests.ledger.forge import Forger, voted
from tests.ledger.proving import prove_all
from tests.ledger.telling import cut_off, events, finish
from tests.ledger.world import World

SCRIPT = ("turn", "turn", "due", "close")


def opened(script: tuple[str, ...] = SCRIPT, count: int = 3, duties: Duties = DUTIES) -> World:
    world = World(count, script, duties)
    world.settle()
    return world


def named(world: World, seat: int) -> set[str]:
    """Return what a seat's own journal proves against it."""
    signed = [one for m in world.journals[Seat(seat)] if (one := signed_of(m)) is not None]
    leave = world.ledgers[Seat(seat)].own.leave
    mine = [one for one in signed if one.seat == seat] + ([] if leave is None else [leave])
    contents: list[Content] = []
    for ledger in world.ledgers.values():
        links = (link.content for link in ledger.tip.downwards())
        contents.extend(content for content in links if content is not None)
    found: tuple[Evidence, ...] = prove_all(mine, contents)
    return {evidence.code for evidence in found}


# 1: one seal and one contribution for a parent.


def test_a_seat_proposes_once_over_a_parent() -> None:
    world = opened()
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"one"))
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(0)].propose(b"other")


def test_without_rule_1_two_proposals_name_their_author() -> None:
    world = opened(duties=replace(DUTIES, one_seal=lambda *_: True))
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"one"))
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"other"))
    assert named(world, 0) == {"E1"}


def test_a_seat_seals_one_content_whatever_it_is_shown() -> None:
    world = opened()
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    for action in (b"one", b"other"):
        author.tell(author.proposal(tip, action), 1)
    seals = [m.seal for m in world.journals[Seat(1)] if isinstance(m, Sealed) and m.seal.seat == 1]
    assert len([seal for seal in seals if seal.height == 1]) == 1


def test_a_seat_contributes_once_over_a_parent() -> None:
    world = opened(("due", "close"))
    world.take(Seat(0), world.ledgers[Seat(0)].contribute([b"one"]))
    with pytest.raises(LocalError, match="local/may-not-sign"):
        world.ledgers[Seat(0)].contribute([b"other"])


def test_without_rule_1_two_contributions_name_their_seat() -> None:
    world = opened(("due", "close"), duties=replace(DUTIES, one_contribution=lambda *_: True))
    world.take(Seat(0), world.ledgers[Seat(0)].contribute([b"one"]))
    world.take(Seat(0), world.ledgers[Seat(0)].contribute([b"other"]))
    assert named(world, 0) == {"E1"}


def test_a_vote_over_the_tip_does_not_end_the_right_to_seal_over_it() -> None:
    world = opened()
    world.pass_time(60, [Seat(1)])
    assert world.ledgers[Seat(1)].own.last_round(1) == 1
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    author.tell(author.proposal(tip, b"x"), 1)
    assert tip.id in world.ledgers[Seat(1)].own.seals


# 2: one vote for a height and round, and rounds only go up.


def test_rounds_only_go_up() -> None:
    world = opened(count=4)
    cut_off(world, 1)
    for _ in range(5):
        world.pass_time(400, [Seat(1)])
    numbers = [event.round for event in events(world, Vote, 1)]
    assert numbers == sorted(set(numbers))
    assert not named(world, 1)


def test_a_seat_that_has_voted_in_a_round_does_not_answer_in_it() -> None:
    world = opened(count=4)
    world.pass_time(60, [Seat(1)])
    before = len(events(world, Vote, 1))
    author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    asker = Forger(world, 3)
    author.tell(author.proposal(tip, b"x"), 1)
    asker.tell(asker.vote(tip, 1, Evict((Seat(2),))), 1)
    assert len(events(world, Vote, 1)) == before


# 3 and 4: who knows a complete entry takes it or keeps it.


def complete_but_voted(duties: Duties) -> tuple[World, ChainEntry]:
    """Let seat 1 lose patience, and then see all seals of the step."""
    world = opened(count=4, duties=duties)
    cut_off(world, 1)
    world.pass_time(60, [Seat(1)])
    tip = world.ledgers[Seat(1)].tip
    author = Forger(world, 0)
    proposal = author.proposal(tip, b"x")
    author.tell(proposal, 1)
    for seat in (2, 3):
        sealer = Forger(world, seat)
        sealer.tell(sealer.seal(tip, proposal.content.id), 1)
    return world, tip


def test_after_a_vote_the_seals_alone_are_not_taken_but_kept() -> None:
    world, tip = complete_but_voted(DUTIES)
    ledger = world.ledgers[Seat(1)]
    assert ledger.tip is tip
    entry = next(iter(ledger.desk.results))
    world.pass_time(200, [Seat(1)])
    assert events(world, Vote, 1)[-1].choice == Keep(entry, 0)
    assert not named(world, 1)


def test_without_rule_4_a_seat_that_voted_and_took_the_seals_is_named() -> None:
    world, tip = complete_but_voted(replace(DUTIES, guard=lambda *_: True))
    ledger: Ledger = world.ledgers[Seat(1)]
    assert ledger.tip.below is tip
    world.take(Seat(1), ledger.propose(b"y"))
    assert named(world, 1) == {"E4"}


# 6: the rank by which the parent is held is stated, and shown.


def kept_by_a_round(duties: Duties) -> World:
    world, tip = complete_but_voted(duties)
    entry = next(iter(world.ledgers[Seat(1)].desk.followed.values())).content
    certificate = world.ledgers[Seat(1)].desk.results[entry.id][0]
    kept = Entry(entry, (), certificate)
    for seat in (0, 2, 3):
        voter = Forger(world, seat)
        voter.tell(Voted(voter.vote(tip, 1, Keep(entry.id, 0)), (), kept), 1)
    assert world.ledgers[Seat(1)].tip.rank == 1
    world.take(Seat(1), world.ledgers[Seat(1)].propose(b"y"))
    return world


def test_a_seal_over_a_kept_entry_states_its_rank_and_shows_it() -> None:
    world = kept_by_a_round(DUTIES)
    message = world.journals[Seat(1)][-1]
    seal = signed_of(message)
    assert isinstance(seal, Seal)
    assert seal.rank == 1
    assert [each.rank for each in getattr(message, "beside", ())] == [0, 1]
    assert not named(world, 1)


def test_without_rule_6_a_seat_that_was_kept_in_is_named() -> None:
    world = kept_by_a_round(replace(DUTIES, stated_rank=lambda _: 0))
    assert named(world, 1) == {"E4"}


def test_an_overstated_rank_is_not_kept_and_without_rule_6_it_is() -> None:
    for duties, is_kept in (
        (DUTIES, False),
        (replace(DUTIES, ranks_need_certificates=False), True),
    ):
        world = opened(duties=duties)
        byzantine, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
        byzantine.tell(byzantine.seal(tip, bytes(32), 9), 1)
        assert (Seat(0) in world.ledgers[Seat(1)].desk.sealed) == is_kept


# 7: the tip gives way to the result of a later round, and to nothing else.


def two_results(duties: Duties) -> tuple[World, Entry]:
    """Let seat 2 hold an eviction of seat 3 by round 1, and show it one of seat 0 by round 2."""
    world = opened(count=4, duties=duties)
    cut_off(world, 2)
    tip = world.ledgers[Seat(2)].tip
    shown = []
    for number, seat in ((1, 3), (2, 0)):
        content = eviction(tip, number, (Seat(seat),)).content
        stay = [Forger(world, one) for one in range(4) if one != seat]
        votes = tuple(one.vote(tip, number, Evict((Seat(seat),))) for one in stay)
        shown.append(Entry(content, (), Certificate(content.id, number, votes=votes)))
    world.take(Seat(2), world.ledgers[Seat(2)].receive(shown[0], Seat(1)))
    assert world.ledgers[Seat(2)].tip.rank == 1
    return world, shown[1]


def test_the_result_of_a_later_round_takes_the_place_of_the_tip() -> None:
    world, later = two_results(DUTIES)
    first = entry_message(world.ledgers[Seat(2)].tip)
    world.take(Seat(2), world.ledgers[Seat(2)].receive(later, Seat(1)))
    assert world.ledgers[Seat(2)].tip.id == later.content.id
    world.take(Seat(2), world.ledgers[Seat(2)].receive(first, Seat(1)))
    assert world.ledgers[Seat(2)].tip.id == later.content.id
    world.crash(Seat(2))
    assert world.ledgers[Seat(2)].tip.id == later.content.id


def test_without_rule_7_two_seats_stay_with_different_tips() -> None:
    world, later = two_results(replace(DUTIES, replace=lambda *_: False))
    world.take(Seat(2), world.ledgers[Seat(2)].receive(later, Seat(1)))
    assert world.ledgers[Seat(2)].tip.id != later.content.id


# 8: who has taken its own eviction signs nothing more.


def back_again(duties: Duties) -> World:
    """Let seat 3 take its own eviction, and then a later round that keeps the step before it."""
    world = opened(count=4, duties=duties)
    cut_off(world, 3)
    tip = world.ledgers[Seat(3)].tip
    author = Forger(world, 0)
    proposal = author.proposal(tip, b"x")
    author.tell(proposal, 3)
    out = eviction(tip, 1, (Seat(3),)).content
    votes = tuple(Forger(world, one).vote(tip, 1, Evict((Seat(3),))) for one in (0, 1, 2))
    entry = Entry(out, (), Certificate(out.id, 1, votes=votes))
    world.take(Seat(3), world.ledgers[Seat(3)].receive(entry, Seat(0)))
    assert world.ledgers[Seat(3)].own.is_out
    for seat in (1, 2):
        sealer = Forger(world, seat)
        sealer.tell(sealer.seal(tip, proposal.content.id), 3)
    kept = Entry(
        proposal.content,
        (),
        world.ledgers[Seat(3)].past.results[proposal.content.id][0],
    )
    for seat in (0, 1, 2):
        voter = Forger(world, seat)
        voter.tell(Voted(voter.vote(tip, 2, Keep(proposal.content.id, 0)), (), kept), 3)
    assert world.ledgers[Seat(3)].tip.id == proposal.content.id
    next_one = Forger(world, 1)
    next_one.tell(next_one.proposal(world.ledgers[Seat(3)].tip, b"y"), 3)
    return world


def test_who_was_out_signs_nothing_even_if_a_later_round_brings_it_back() -> None:
    world = back_again(DUTIES)
    assert world.ledgers[Seat(3)].tip.id not in world.ledgers[Seat(3)].own.seals
    world.crash(Seat(3))
    assert world.ledgers[Seat(3)].own.is_out
    world.pass_time(500, [Seat(3)])
    assert world.ledgers[Seat(3)].tip.id not in world.ledgers[Seat(3)].own.seals
    assert not [event for event in events(world, Vote, 3) if event.height == 2]


def test_a_restart_does_not_forget_that_the_seat_was_out() -> None:
    world = opened(count=4)
    cut_off(world, 3)
    tip = world.ledgers[Seat(3)].tip
    for number, seat in ((1, 3), (2, 2)):
        content = eviction(tip, number, (Seat(seat),)).content
        stay = [Forger(world, one) for one in range(3) if one != seat]
        votes = [one.vote(tip, number, Evict((Seat(seat),))) for one in stay]
        if seat == 2:
            votes.append(Forger(world, 3).vote(tip, number, Evict((Seat(2),))))
        entry = Entry(content, (), Certificate(content.id, number, votes=tuple(votes)))
        world.take(Seat(3), world.ledgers[Seat(3)].receive(entry, Seat(0)))
    assert world.ledgers[Seat(3)].tip.rank == 2
    assert world.ledgers[Seat(3)].own.is_out
    world.crash(Seat(3))
    assert world.ledgers[Seat(3)].tip.rank == 2
    assert world.ledgers[Seat(3)].own.is_out


def test_without_rule_8_it_signs_over_what_its_eviction_has_undone() -> None:
    world = back_again(replace(DUTIES, signs_on=lambda own: own.leave is None))
    assert world.ledgers[Seat(3)].tip.id in world.ledgers[Seat(3)].own.seals


# 9: what a signature rests on is stored before it leaves.


def test_what_a_seal_rests_on_is_stored_before_it() -> None:
    world = opened(("turn", "due", "close"))
    world.play()
    for seat in range(3):
        known: set[bytes] = set()
        for message in world.journals[Seat(seat)]:
            signed = signed_of(message)
            content = getattr(message, "content", None)
            if content is not None:
                known.add(content.id)
            if isinstance(signed, Seal) and signed.seat == seat and signed.height == 1:
                assert signed.entry in known


def test_a_restart_signs_nothing_that_was_not_signed_before() -> None:
    world = opened(("turn", "due", "close"))
    me, others = Seat(1), (Forger(world, 0), Forger(world, 2))
    base = world.ledgers[me].tip
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"one"))
    world.settle()
    tip = world.ledgers[me].tip
    for other in others:  # they show that they hold the tip: their votes below it ask for nothing
        other.tell(other.contribution(tip, b"x"), 1)
    kept = entry_message(tip)
    for other in others:
        vote = other.vote(base, 1, Keep(tip.id, 0))
        other.tell(replace(voted(vote), kept=kept), me)
    assert world.ledgers[me].tip.rank == 1
    assert not world.ledgers[me].own.votes
    journal = world.journals[me]
    again, _ = recover(world.fixed(me), world.start, journal)
    assert not again.own.votes
    assert not any(isinstance(message, Voted) for message in resent(again))


def test_without_rule_9_a_restarted_seat_cannot_show_what_it_has_sealed() -> None:
    for duties, knows in ((DUTIES, True), (replace(DUTIES, remembers=False), False)):
        world = opened(duties=duties)
        cut_off(world, 1)
        author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
        author.tell(author.proposal(tip, b"x"), 1)
        world.crash(Seat(1))
        ledger = world.ledgers[Seat(1)]
        assert (ledger.own.seals[tip.id].entry in ledger.desk.contents) == knows


# 10: who has left signs nothing more.


def test_without_rule_10_who_signs_on_is_named() -> None:
    for duties, expected in (
        (DUTIES, set[str]()),
        (replace(DUTIES, signs_on=lambda own: not own.is_out), {"E7"}),
    ):
        world = opened(count=4, duties=duties)
        world.take(Seat(1), world.ledgers[Seat(1)].leave())
        author, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
        author.tell(author.proposal(tip, b"x"), 1)
        assert named(world, 1) == expected


# Majorities, and answering.


def split_table(duties: Duties) -> World:
    world = opened(("turn", "turn", "turn", "turn", "close"), 4, duties)
    pairs = [(one, other) for one in (0, 1) for other in (2, 3)]
    world.cut = {(Seat(a), Seat(b)) for a, b in pairs} | {(Seat(b), Seat(a)) for a, b in pairs}
    finish(world, 60, 40)
    return world


def test_half_of_a_table_goes_nowhere_alone() -> None:
    world = split_table(DUTIES)
    assert {len(ledger.tip.roster) for ledger in world.ledgers.values()} == {4}


def test_without_majorities_two_tables_go_on_and_nobody_is_guilty() -> None:
    world = split_table(replace(DUTIES, quorum_of=lambda _: 1))
    one, other = world.ledgers[Seat(0)].tip, world.ledgers[Seat(2)].tip
    fork = compare_copies(one, other)
    assert fork is not None
    assert fork.holds is None
    assert not any(named(world, seat) for seat in range(4))


def false_patience(duties: Duties) -> World:
    world = opened(duties=duties)
    world.pass_time(60, [Seat(1)])
    finish(world, 4)
    return world


def test_false_patience_is_answered_with_keep() -> None:
    world = false_patience(DUTIES)
    assert len(world.tips()) == 1
    assert not [event for event in world.log() if event.startswith("out")]
    assert world.log()[-1] == "close"


def test_without_answers_a_live_seat_is_voted_out() -> None:
    world = false_patience(replace(DUTIES, answers_with_keep=False))
    assert "out [1]" in world.log() or len(world.tips()) > 1


def test_a_vote_to_leave_oneself_out_is_never_cast() -> None:
    world = opened(count=4)
    byzantine, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    for number in range(1, 5):
        byzantine.tell(voted(byzantine.vote(tip, number, Evict((Seat(1),)))), 1)
        world.pass_time(400, [Seat(1)])
    assert all(
        not isinstance(event.choice, Evict) or Seat(1) not in event.choice.seats
        for event in events(world, Vote, 1)
    )

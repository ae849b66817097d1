"""Whoever lacks something gets it from whoever has it, in order and over any path."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Height, Seat
from nodealer.ledger import Entry, LedgerMessage, read, recover
from nodealer.ledger.answers import ANSWERS_MAX, MEETINGS_EVERY, MEETINGS_MAX, SLOTS_MAX
from nodealer.ledger.catch_up import ENTRIES_MAX, entry_message, status_of
from nodealer.ledger.chain import eviction
from nodealer.ledger.desk import ROUNDS_MAX
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Proposal, Status, Voted
from nodealer.ledger.objects import NO_PARENT, Certificate, Evict, Keep
from nodealer.ledger.ready import Dropped, LeftOut, Took
from tests.ledger.forge import Forger, voted
from tests.ledger.telling import cut_off, events, finish, opened
from tests.ledger.world import World

SCRIPT = ("turn", "due", "chain", "turn", "close")
LONG = ("turn", "due") * 40


def sent(world: World, sender: int, to: int) -> list[LedgerMessage]:
    return [read(data) for by, at, data in world.wires if (by, at) == (sender, to)]


def test_two_that_cannot_reach_each_other_are_served_through_a_third() -> None:
    world = opened(SCRIPT)
    world.cut = {(Seat(0), Seat(2)), (Seat(2), Seat(0))}
    finish(world, 40)
    assert world.log(0)[-1] == world.log(2)[-1] == "close"
    assert len(world.tips()) == 1
    assert not any(event.startswith("out") for event in world.log(0))
    assert not world.accused()


def test_a_chain_of_links_is_enough() -> None:
    world = opened(("turn", "due", "close"), 4)
    near = {(0, 1), (1, 2), (2, 3)}
    world.cut = {
        (Seat(one), Seat(other))
        for one in range(4)
        for other in range(4)
        if one != other and (one, other) not in near and (other, one) not in near
    }
    finish(world, 60, 10)
    assert len(world.tips()) == 1
    assert world.log(3)[-1] == "close"
    assert not world.accused()


def test_a_seat_that_was_away_gets_every_entry_in_order() -> None:
    world = opened(LONG, 4)
    away = Seat(3)
    old = list(world.journals[away])
    world.play(steps=400)
    height = world.ledgers[Seat(0)].tip.height
    assert height == len(LONG) > ENTRIES_MAX
    world.shown.clear()
    world.take(away, recover(world.fixed(away), world.start, old))
    # Its journal lost what it had signed since: it asks, adopts, and follows.
    world.take(away, world.ledgers[away].recall())
    world.settle()
    taken = [event.height for event in events(world, Took, 3)]
    assert taken == list(range(1, height + 1))
    assert world.ledgers[away].suspect is None
    assert len(world.tips()) == 1


def test_what_comes_before_its_parent_waits_for_it() -> None:
    world = opened(("turn", "due", "close"))
    messages: list[bytes] = []
    world.cut = {(Seat(0), Seat(2)), (Seat(1), Seat(2))}
    world.act()
    messages = [data for _, to, data in world.wires if to == Seat(2)]
    world.settle()
    one, tip = Forger(world, 2), world.ledgers[Seat(0)].tip
    proposal = read(messages[0])
    assert isinstance(proposal, Proposal)
    one.tell(one.seal(tip, proposal.content.id), 0, 1)
    assert world.ledgers[Seat(0)].tip.height == 1
    world.act()
    late = [data for _, to, data in world.wires if to == Seat(2)]
    entry = entry_message(world.ledgers[Seat(0)].tip)
    for data in late:
        world.take(Seat(2), world.ledgers[Seat(2)].receive(read(data), Seat(0)))
    assert not world.ledgers[Seat(2)].desk.contributions
    assert world.ledgers[Seat(2)].ahead
    world.take(Seat(2), world.ledgers[Seat(2)].receive(entry, Seat(0)))
    assert len(world.ledgers[Seat(2)].desk.contributions) >= 2
    assert not world.ledgers[Seat(2)].ahead


def test_what_is_kept_aside_is_bounded_for_every_seat() -> None:
    world = opened(SCRIPT)
    byzantine, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    unknown = byzantine.proposal(tip, b"x").content.id
    for number in range(1, 3 * SLOTS_MAX):
        vote = byzantine.vote(tip, number, Evict((Seat(1),)))
        away = byzantine.signed(
            type(vote)(vote.table, Height(2), unknown, 0, number, Evict((Seat(1),)), Seat(0), b"")
        )
        byzantine.tell(away, 1)
    assert len(world.ledgers[Seat(1)].ahead) <= SLOTS_MAX
    other = Forger(world, 2)
    seal = other.seal(tip, unknown)
    over = other.signed(type(seal)(seal.table, Height(2), unknown, unknown, 0, Seat(2), b""))
    other.tell(over, 1)
    assert any(seat == Seat(2) for _, seat, _ in world.ledgers[Seat(1)].ahead)


def test_what_is_far_ahead_is_not_kept_but_asked_for() -> None:
    world = opened(SCRIPT)
    world.play()
    far = world.ledgers[Seat(0)].tip
    behind = opened(SCRIPT)
    one = Forger(behind, 0)
    seal = one.seal(far, bytes(32))
    one.tell(seal, 1)
    assert not behind.ledgers[Seat(1)].ahead
    assert [type(message) for message in sent(behind, 1, 0)] == [Status]
    entry = entry_message(far)
    behind.take(Seat(2), behind.ledgers[Seat(2)].receive(entry, Seat(1)))
    assert not behind.ledgers[Seat(2)].ahead
    assert [type(message) for message in sent(behind, 2, 1)] == [Status]
    # The same seat is not asked twice while nothing has changed.
    one.tell(seal, 1)
    assert len(sent(behind, 1, 0)) == 1


def test_a_round_far_ahead_is_not_kept_but_asked_for() -> None:
    world = opened(SCRIPT)
    byzantine, tip = Forger(world, 0), world.ledgers[Seat(1)].tip
    byzantine.tell(byzantine.vote(tip, ROUNDS_MAX, Evict((Seat(2),))), 1)
    byzantine.tell(byzantine.vote(tip, ROUNDS_MAX + 1, Evict((Seat(2),))), 1)
    assert list(world.ledgers[Seat(1)].desk.votes) == [ROUNDS_MAX]
    assert world.ledgers[Seat(1)].counts == {"ledger/round-far-ahead": 1}
    assert [type(message) for message in sent(world, 1, 0)] == [Status]


def test_the_result_of_a_round_far_ahead_is_believed_by_its_certificate() -> None:
    world = opened(SCRIPT, 4)
    tip = world.ledgers[Seat(1)].tip
    number = 3 * ROUNDS_MAX
    out = Evict((Seat(3),))
    votes = [Forger(world, seat).vote(tip, number, out) for seat in (0, 1, 2)]
    content = eviction(tip, number, (Seat(3),)).content
    certificate = Certificate(content.id, number, votes=tuple(votes))
    world.take(Seat(3), world.ledgers[Seat(3)].receive(Entry(content, (), certificate), Seat(0)))
    assert world.ledgers[Seat(3)].tip.id == content.id
    assert [event.height for event in events(world, LeftOut, 3)] == [1]


def test_messages_before_the_table_is_open_are_kept() -> None:
    world = World(3, SCRIPT)
    late = Seat(2)
    held = [(by, to, data) for by, to, data in world.wires if to == late]
    world.wires = [wire for wire in world.wires if wire[1] != late]
    world.settle()
    world.answer(Seat(0))
    early = [(by, to, data) for by, to, data in world.wires if to == late]
    for by, _, data in [*early, *held]:
        world.take(late, world.ledgers[late].receive(read(data), by))
    assert world.ledgers[late].desk.followed
    assert late in world.ledgers[late].desk.sealed


def test_a_kept_entry_comes_with_what_it_was_kept_by() -> None:
    world = opened(SCRIPT, 4)
    cut_off(world, 3)
    world.answer(Seat(0))
    world.settle()
    last, tip = Forger(world, 3), world.ledgers[Seat(0)].tip
    proposal = next(iter(world.ledgers[Seat(0)].desk.contents.values()))
    last.tell(last.seal(tip, proposal.id))
    taken = world.ledgers[Seat(0)].tip
    kept = Entry(proposal, (), taken.certificate)
    for seat in (1, 2):
        voter = Forger(world, seat)
        voter.tell(Voted(voter.vote(tip, 1, Keep(proposal.id, 0)), (), kept), 0)
    assert world.ledgers[Seat(0)].tip.rank == 1
    world.cut.clear()
    entry = entry_message(world.ledgers[Seat(0)].tip)
    assert [each.rank for each in entry.beside] == [0]
    # Seat 3 has never seen the content, and needs nothing but this one message.
    world.take(Seat(3), world.ledgers[Seat(3)].receive(entry, Seat(0)))
    assert world.ledgers[Seat(3)].tip.id == proposal.id
    assert world.ledgers[Seat(3)].tip.rank == 1


def test_false_patience_far_below_is_answered_with_keep() -> None:
    world = opened(("turn", "turn", "due", "close"), 4)
    quiet = Seat(3)
    link = world.ledgers[quiet].tip
    world.play()
    away = Forger(world, 3)
    vote = away.vote(link, 1, Evict((Seat(0),)))
    ledger = world.ledgers[Seat(1)]
    unplaced = replace(ledger, placed={})
    after, ready = unplaced.receive(voted(vote), quiet)
    cast = [m.message for m in ready.send if isinstance(m.message, Voted)]
    at = ledger.tip.at(1)
    assert at is not None
    assert [one.vote.choice for one in cast] == [Keep(at.id, 0)]
    served = [m.message for m in ready.send if isinstance(m.message, Entry) and m.to == quiet]
    assert [entry.content.height for entry in served] == [1, 2, 3, 4]
    # Asked for the same round again it stays silent; it votes once.
    again, ready = after.receive(voted(vote), quiet)
    assert not ready.persist
    assert again.tip is ledger.tip


def test_who_keeps_asking_about_what_is_final_is_answered_only_so_often() -> None:
    world = opened(("turn", "turn", "due", "close"), 4)
    link = world.ledgers[Seat(3)].tip
    world.play()
    away, ledger = Forger(world, 3), world.ledgers[Seat(1)]
    unplaced = replace(ledger, placed={})
    for number in range(1, ANSWERS_MAX + (MEETINGS_MAX + 1) * MEETINGS_EVERY + 1):
        unplaced, _ = unplaced.receive(voted(away.vote(link, number, Evict((Seat(0),)))), Seat(3))
    assert len(unplaced.own.votes[1]) == ANSWERS_MAX + MEETINGS_MAX


def test_whoever_is_a_step_ahead_is_sent_the_votes_that_it_did_not_hear() -> None:
    """A seat that has lost patience and its vote on the way can be answered only so."""
    world = opened(SCRIPT, 4)
    quiet = Seat(3)
    alone = Forger(world, 3)
    vote = alone.vote(world.ledgers[quiet].tip, 1, Evict((Seat(0),)))
    behind, _ = world.ledgers[quiet].receive(voted(vote), None)
    world.answer(Seat(0))
    world.settle()
    ahead = world.ledgers[Seat(1)]
    assert ahead.tip.height == behind.tip.height + 1
    _, ready = behind.receive(status_of(Draft(ahead)), Seat(1))
    told = [out for out in ready.send if isinstance(out.message, Voted)]
    assert [(out.message, out.to) for out in told] == [(voted(vote), Seat(1))]
    after, _ = ahead.receive(told[0].message, quiet)
    _, ready = behind.receive(status_of(Draft(after)), Seat(1))
    assert not [out for out in ready.send if isinstance(out.message, Voted)]


@pytest.mark.parametrize("what", ["table", "seat", "sender"])
def test_a_status_that_speaks_for_somebody_else_is_dropped(what: str) -> None:
    world = opened(SCRIPT)
    table = b"\x01" * 32 if what == "table" else world.charter.table
    seat = Seat(7) if what == "seat" else Seat(2)
    status = Status(type(world.charter.table)(table), seat, Height(0), NO_PARENT, *(0,) * 7)
    after, ready = world.ledgers[Seat(1)].receive(status, Seat(0) if what == "sender" else None)
    slug = "ledger/other-table" if what == "table" else "ledger/wrong-sender"
    assert after.counts == {slug: 1}
    assert ready.show == (Dropped(slug, Seat(0) if what == "sender" else None),)


def test_an_eviction_that_a_seat_may_not_take_is_told_once_it_is_final_elsewhere() -> None:
    world = opened(("turn", "turn", "close"), 4)
    cut_off(world, 3)
    # Seat 3 has voted in round 5 alone, so no result of an earlier round is for it to take.
    away = Forger(world, 0)
    tip = world.ledgers[Seat(3)].tip
    world.take(
        Seat(3),
        world.ledgers[Seat(3)].receive(voted(away.vote(tip, 5, Evict((Seat(1),)))), Seat(0)),
    )
    world.pass_time(10 * 400, [Seat(3)])
    assert world.ledgers[Seat(3)].own.last_round(1) == 5
    world.answer(Seat(0))
    for _ in range(6):
        world.settle()
        world.pass_time(40, [Seat(0), Seat(1), Seat(2)])
    world.play()
    first, second = world.ledgers[Seat(0)].tip.at(1), world.ledgers[Seat(0)].tip.at(2)
    assert first is not None
    assert second is not None
    ledger = world.ledgers[Seat(3)]
    for link in (first, second):
        ledger, ready = ledger.receive(entry_message(link), Seat(0))
        is_told = any(isinstance(event, LeftOut) for event in ready.show)
        assert is_told == (link is second)
    assert ledger.tip.height == 0
    assert not ledger.own.is_out
    _, ready = ledger.receive(entry_message(second), Seat(0))
    assert not ready.show

"""The open end of a record: what a seat holds that is in no entry yet."""

from __future__ import annotations

from nodealer.kernel import Seat
from nodealer.ledger import AuthoredStep, Ledger, read, recover, write
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.ledger.objects import Evict, Keep
from nodealer.ledger.open_end import evidence_held, open_messages
from tests.ledger.forge import Forger, voted
from tests.ledger.telling import cut_off, opened
from tests.ledger.world import World

SCRIPT = ("turn", "turn", "due", "close")


def awaited(ledger: Ledger) -> tuple[tuple[Seat, str], ...]:
    return tuple((one.seat, ", ".join(one.owed)) for one in ledger.reading().waits)


def kinds(world: World, seat: int) -> list[str]:
    return [type(message).__name__ for message in open_messages(world.ledgers[Seat(seat)])]


def test_before_the_table_is_open_nothing_is() -> None:
    world = World(3, SCRIPT)
    assert open_messages(world.ledgers[Seat(0)]) == ()
    assert awaited(world.ledgers[Seat(0)]) == ((1, "charter"), (2, "charter"))


def test_who_is_waited_for_and_for_what() -> None:
    world = opened(SCRIPT)
    assert awaited(world.ledgers[Seat(1)]) == ((0, "action"),)
    cut_off(world, 2)
    world.answer(Seat(0))
    world.settle()
    assert awaited(world.ledgers[Seat(1)]) == ((2, "seal"),)
    due = opened(("due", "close"))
    due.answer(Seat(0))
    due.settle()
    assert awaited(due.ledgers[Seat(0)]) == ((1, "due"), (2, "due"))


def test_a_step_that_waits_lies_open_in_the_order_of_seats() -> None:
    world = opened(SCRIPT)
    cut_off(world, 2)
    world.answer(Seat(0))
    world.settle()
    assert kinds(world, 1) == ["Proposal", "Sealed"]
    due = opened(("due", "close"))
    for seat in (2, 0):
        due.answer(Seat(seat))
    due.settle()
    given = open_messages(due.ledgers[Seat(1)])
    seats = [one.contribution.seat for one in given if isinstance(one, Contributed)]
    assert seats == [0, 2]


def test_what_the_tip_holds_is_not_open_but_what_came_beside_it_is() -> None:
    world = opened(SCRIPT, 4)
    world.answer(Seat(0))
    world.settle()
    assert kinds(world, 1) == []
    below = world.ledgers[Seat(1)].tip.below
    assert below is not None
    author, voter = Forger(world, 0), Forger(world, 2)
    author.tell(author.proposal(below, b"other"), 1)
    author.tell(author.vote(below, 1, Evict((Seat(3),))), 1)
    voter.tell(Forger(world, 2).refusal(world.ledgers[Seat(1)].tip, bytes(32), "rules/illegal"), 1)
    found = open_messages(world.ledgers[Seat(1)])
    assert isinstance(found[0], Proposal)
    content = found[0].content
    assert isinstance(content.step, AuthoredStep)
    assert content.step.action == b"other"
    assert [type(one) for one in found if isinstance(one, Voted)]
    assert isinstance(found[-1], Refused)
    (evidence,) = evidence_held(world.ledgers[Seat(1)])
    assert evidence.seat == Seat(0)


def test_a_rank_is_shown_with_what_backs_it() -> None:
    world = opened(("turn", "turn", "turn", "close"), 4)
    cut_off(world, 3)
    world.answer(Seat(0))
    world.settle()
    tip, last = world.ledgers[Seat(1)].tip, Forger(world, 3)
    entry = next(iter(world.ledgers[Seat(1)].desk.followed))
    world.pass_time(60, [Seat(1)])
    last.tell(last.seal(tip, entry), 1)
    for seat in (0, 2, 3):
        voter = Forger(world, seat)
        voter.tell(voted(voter.vote(tip, 1, Keep(entry, 0))), 1)
    ledger = world.ledgers[Seat(1)]
    assert (ledger.tip.id, ledger.tip.rank) == (entry, 1)
    world.answer(Seat(1))
    (proposal,) = [m for m in open_messages(world.ledgers[Seat(1)]) if isinstance(m, Proposal)]
    assert proposal.seal.rank == 1
    assert [each.rank for each in proposal.beside] == [0, 1]


def test_leaves_come_first_ones_own_among_them() -> None:
    world = opened(SCRIPT, 4)
    forger = Forger(world, 3)
    forger.tell(forger.leave(world.ledgers[Seat(1)].tip, 5), 1)
    world.take(Seat(1), world.ledgers[Seat(1)].leave())
    found = open_messages(world.ledgers[Seat(1)])
    assert [m.leave.seat for m in found if isinstance(m, Left)] == [1, 3]
    assert all(isinstance(message, Left) for message in found[:2])


def test_a_reader_takes_the_open_end_in_again() -> None:
    world = opened(SCRIPT)
    cut_off(world, 2)
    world.answer(Seat(0))
    world.settle()
    records = world.journals[Seat(1)]
    sealed = [m for m in records if isinstance(m, Sealed) and m.seal.height == 0]
    reader, _ = recover(world.fixed(None), world.start, sealed)
    for message in open_messages(world.ledgers[Seat(1)]):
        reader, ready = reader.receive(read(write(message)))
        assert not ready.show
    assert open_messages(reader) == open_messages(world.ledgers[Seat(1)])
    assert awaited(reader) == ((2, "seal"),)

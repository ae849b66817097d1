"""What a refused contribution leads to, and a status that names another tip of one height."""

from __future__ import annotations

from nodealer.kernel import EntryId, Seat
from nodealer.ledger.catch_up import status_of
from nodealer.ledger.draft import Draft
from nodealer.ledger.guilt import built_on
from nodealer.ledger.messages import Entry, Status
from tests.ledger.forge import Forger
from tests.ledger.world import World


def test_only_what_replay_looks_at_is_named() -> None:
    world = World(3, ("chain",))
    world.settle()
    ledger = world.ledgers[Seat(0)]
    first = Forger(world, 0).contribution(ledger.tip, b"a")
    stray = Forger(world, 1).contribution(ledger.tip, b"x", [first.id])
    second = Forger(world, 1).contribution(ledger.tip, b"b", [stray.id])
    third = Forger(world, 2).contribution(ledger.tip, b"c", [second.id])
    known = {bytes(one.id): one for one in (first, stray, second)}
    assert set(built_on(ledger.tip, third, known)) == {second, stray}
    lost = Forger(world, 2).contribution(ledger.tip, b"d", [bytes(32)])
    assert built_on(ledger.tip, lost, known) == ()


def test_what_a_contribution_builds_on_is_in_the_order_of_seats() -> None:
    world = World(3, ("chain",))
    world.settle()
    tip = world.ledgers[Seat(0)].tip
    first = Forger(world, 0).contribution(tip, b"a")
    second = Forger(world, 1).contribution(tip, b"b", [first.id])
    third = Forger(world, 2).contribution(tip, b"c", [second.id])
    known = {bytes(one.id): one for one in (second, first)}
    assert built_on(tip, third, known) == (first, second)


def test_who_stands_on_another_entry_of_this_height_gets_ours() -> None:
    world = World(3, ("turn", "turn"))
    world.settle()
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"one"))
    world.settle()
    ledger = world.ledgers[Seat(0)]
    assert ledger.tip.height == 1
    stands = status_of(Draft(world.ledgers[Seat(1)]))
    other = Status(
        stands.table,
        stands.seat,
        stands.height,
        EntryId(bytes(31) + b"\x01"),
        *(0, 0, 0, 0, 0, 0, 0),
    )
    _, ready = ledger.receive(other, Seat(1))
    sent = [out.message for out in ready.send if out.to == Seat(1)]
    assert any(isinstance(one, Entry) and one.content.id == ledger.tip.id for one in sent)
    assert any(isinstance(one, Status) for one in sent)

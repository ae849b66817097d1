"""Whole tables over real links: the normal way, silence, false patience, restart."""

from __future__ import annotations

from nodealer.kernel import Seat
from tests.ledger.world import World

SCRIPT = ("turn", "due", "chain", "turn", "bind", "close")


def test_a_table_plays_to_its_close() -> None:
    world = World(3, SCRIPT)
    world.play()
    assert len(world.tips()) == 1
    assert world.log()[-1] == "close"
    assert not world.accused()
    assert not any(ledger.counts for ledger in world.ledgers.values())


def test_a_silent_seat_is_left_out_and_nobody_is_named() -> None:
    world = World(3, ("turn", "due", "turn", "close"))
    world.settle()
    world.gone.add(Seat(2))
    for _ in range(12):
        world.play()
        world.pass_time(15)
    assert len(world.tips()) == 1
    assert world.log()[0] == "out [2]"
    assert world.log()[-1] == "close"
    assert not world.accused()


def test_false_patience_leaves_nobody_out() -> None:
    world = World(3, ("turn", "due", "turn", "close"))
    world.settle()
    world.answer(Seat(0))
    world.pass_time(50, [Seat(1)])
    world.pass_time(50, [Seat(1)])
    for _ in range(12):
        world.play()
        world.pass_time(15)
    assert len(world.tips()) == 1
    assert world.log()[-1] == "close"
    assert not any(event.startswith("out") for event in world.log())
    assert not world.accused()


def test_a_restart_comes_back_to_where_it_was() -> None:
    world = World(3, SCRIPT)
    world.play()
    before = world.ledgers[Seat(1)].tip.id
    world.crash(Seat(1))
    world.settle()
    assert world.ledgers[Seat(1)].tip.id == before
    assert world.ledgers[Seat(1)].suspect is None
    assert not world.accused()

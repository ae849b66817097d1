"""What waits for players: contributions that they decide on, and seals that wait for their word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import LocalError, Seat
from nodealer.ledger import DUTIES, AskSeal
from nodealer.ledger.objects import EvictStep
from nodealer.ledger.ready import Suspended
from tests.ledger.telling import cut_off, events, opened
from tests.ledger.world import CLOCK, World, seats

HEEDING = replace(DUTIES, held=frozenset({"acks"}))


def suspended_at(script: tuple[str, ...], silent: int = 2) -> int:
    """Return the tick at which seat 0 shows that a step stands still for want of a seat."""
    world = opened(script)
    for seat in set(seats(3)) - {silent}:
        world.answer(Seat(seat))
    world.settle()
    cut_off(world, silent)
    (seen,) = events_at_wake(world)
    return seen


def events_at_wake(world: World) -> list[int]:
    wake = world.wakes[Seat(0)]
    assert wake is not None
    world.take(Seat(0), world.ledgers[Seat(0)].tick(wake))
    return [wake for _ in events(world, Suspended, 0)]


def test_players_have_the_time_to_act_for_what_they_decide() -> None:
    assert suspended_at(("choose", "close")) == CLOCK.act
    assert suspended_at(("bind", "close")) == CLOCK.answer


def test_once_all_have_decided_there_is_the_time_to_answer() -> None:
    world = opened(("choose", "close"))
    for seat in seats(3):
        world.answer(seat)
    # Seat 2 hears nothing of what the others have decided, so it cannot seal.
    world.cut = {(Seat(0), Seat(2)), (Seat(1), Seat(2))}
    world.settle()
    assert events_at_wake(world) == [CLOCK.answer]


def test_who_does_not_decide_is_left_out_in_the_end() -> None:
    world = opened(("choose", "close"), 4)
    world.gone = {Seat(3)}
    for _ in range(14):
        world.play(lambda _seat, _height: b"decided")
        world.pass_time(15)
    links = world.ledgers[Seat(0)].tip.downwards()
    steps = [link.content.step for link in links if link.content is not None]
    assert [step.seats for step in steps if isinstance(step, EvictStep)] == [(3,)]
    assert world.log(0)[-1] == "close"


def heeding(script: tuple[str, ...] = ("due", "acks", "close")) -> World:
    """Return a world of three at which every seat waits for the word of its player."""
    world = World(3, script, HEEDING)
    world.play()
    return world


def test_acks_are_sealed_by_all_at_once_where_nobody_waits_for_word() -> None:
    world = opened(("due", "acks", "close"))
    world.play()
    assert world.log(0)[1:] == ("close", "close")


def test_a_seat_waits_for_word_before_it_seals() -> None:
    world = heeding()
    assert len(world.log(0)) == 1
    for seat in seats(3):
        ledger = world.ledgers[seat]
        assert world.asks[seat] == ledger.asked == (AskSeal(ledger.tip.id),)
        assert ledger.tip.id not in ledger.own.seals
    for seat in seats(3):
        assert len(world.log(0)) == 1
        world.take(seat, world.ledgers[seat].notice())
        world.settle()
    assert world.log(0)[1:] == ("close", "close")
    assert not any(ledger.asked for ledger in world.ledgers.values() if ledger.tip.height < 3)


def test_only_what_is_held_waits_for_word() -> None:
    world = heeding()
    for seat in seats(3):
        world.take(seat, world.ledgers[seat].notice())
        with pytest.raises(LocalError, match="nothing waits for word"):
            world.ledgers[seat].notice()
    world.settle()
    assert world.log(0)[-1] == "close"


def test_the_others_wait_for_its_seal() -> None:
    world = heeding()
    for seat in (Seat(0), Seat(1)):
        world.take(seat, world.ledgers[seat].notice())
    world.settle()
    assert [(one.seat, one.what) for one in world.ledgers[Seat(0)].reading().waits] == [(2, "seal")]
    assert world.ledgers[Seat(2)].reading().waits == ()


def test_after_a_restart_word_is_asked_for_again() -> None:
    world = heeding()
    world.crash(Seat(1))
    assert world.asks[Seat(1)] == (AskSeal(world.ledgers[Seat(1)].tip.id),)
    world.take(Seat(1), world.ledgers[Seat(1)].notice())
    world.crash(Seat(1))
    assert not world.ledgers[Seat(1)].asked
    for seat in (Seat(0), Seat(2)):
        world.take(seat, world.ledgers[seat].notice())
    world.settle()
    assert world.log(0)[-1] == "close"
    assert not world.accused()

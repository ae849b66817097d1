"""After the close nothing is due; whoever likes may play again at the same table."""

from __future__ import annotations

import pytest

from nodealer.kernel import LocalError, Seat
from nodealer.ledger import AskAction, read
from nodealer.ledger.messages import Status
from nodealer.ledger.objects import Vote
from nodealer.ledger.ready import Stalled, Suspended
from tests.ledger.telling import events, finish, opened

SCRIPT = ("turn", "due", "close")


def test_after_the_close_only_the_lowest_seat_is_asked_and_nobody_is_missed() -> None:
    world = opened(SCRIPT)
    world.play()
    tip = world.ledgers[Seat(0)].tip
    assert world.asks[Seat(0)] == (AskAction(tip.id, again=True),)
    assert not world.ledgers[Seat(1)].asked
    finish(world)
    assert not events(world, Suspended)
    assert world.ledgers[Seat(0)].tip.id == tip.id
    with pytest.raises(LocalError, match="ledger/not-on-turn"):
        world.ledgers[Seat(1)].propose(b"again")


def test_play_again_goes_on_in_the_same_chain() -> None:
    world = opened(SCRIPT)
    world.play()
    first = world.ledgers[Seat(0)].tip
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
    world.play()
    assert len(world.tips()) == 1
    assert world.ledgers[Seat(1)].tip.find(first.id) is not None
    assert world.log(1) == ("0:x0", "0:x1+1:x1+2:x1", "close", "again", "0:x4", *world.log(1)[5:])
    assert world.log(1)[-1] == "close"
    assert world.ledgers[Seat(1)].tip.height == 2 * first.height + 1


def test_a_seal_on_again_that_does_not_come_ends_nothing() -> None:
    world = opened(SCRIPT)
    world.play()
    world.gone.add(Seat(2))
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
    finish(world)
    assert world.ledgers[Seat(0)].tip.height == 3
    assert not events(world, Vote)
    assert not events(world, Stalled)
    world.gone.clear()
    world.pass_time(5)
    for seat in (0, 1, 2):
        world.take(Seat(seat), world.ledgers[Seat(seat)].tell())
    finish(world)
    assert world.log(2)[3] == "again"
    assert len(world.tips()) == 1


def test_who_has_left_after_the_close_is_let_go_when_others_play_again() -> None:
    world = opened(SCRIPT)
    world.play()
    world.take(Seat(2), world.ledgers[Seat(2)].leave())
    world.settle()
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
    world.settle()
    assert world.log(0)[-1] == "out [2]"
    assert world.asks[Seat(0)] == (AskAction(world.ledgers[Seat(0)].tip.id, again=True),)
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
    world.play()
    assert world.log(1)[4] == "again"
    assert world.log(1)[-1] == "close"


def test_when_the_lowest_seat_has_left_the_next_one_may_play_again() -> None:
    world = opened(SCRIPT, 4)
    world.play()
    world.take(Seat(0), world.ledgers[Seat(0)].leave())
    world.settle()
    assert not world.ledgers[Seat(1)].asked
    assert world.log(1)[-1] == "close"


def test_who_missed_the_close_is_served_it() -> None:
    world = opened(SCRIPT)
    world.cut = {(Seat(0), Seat(2)), (Seat(1), Seat(2))}
    world.play()
    assert world.ledgers[Seat(2)].tip.height < 3
    world.cut.clear()
    finish(world, 4)
    assert world.log(2)[-1] == "close"
    assert len(world.tips()) == 1


def test_who_is_told_again_that_others_are_ahead_asks_again() -> None:
    """After the close nobody is missed: what is lost then is asked for by nobody else."""
    world = opened(SCRIPT, 2)
    world.play()
    world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
    world.deliver()
    assert world.ledgers[Seat(1)].tip.height == 4
    world.wires.clear()  # the seal that seat 0 lacks
    world.take(Seat(1), world.ledgers[Seat(1)].tell())
    world.deliver()
    (question,) = world.wires
    assert isinstance(read(question[2]), Status)
    world.wires.clear()
    world.take(Seat(1), world.ledgers[Seat(1)].tell())
    world.deliver()
    assert not world.wires, "so soon it does not ask once more"
    finish(world)
    assert world.log(0)[-1] == "close"
    assert world.ledgers[Seat(0)].tip.height > 4
    assert len(world.tips()) == 1

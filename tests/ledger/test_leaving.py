"""A seat that says goodbye is let go at once, and can be named if it goes on signing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import LocalError, Seat
from nodealer.ledger import Ledger
from nodealer.ledger.desk import ROUNDS_MAX
from nodealer.ledger.messages import Status
from nodealer.ledger.objects import Evict, Leave, Vote
from nodealer.ledger.ready import LeftOut, Suspended
from tests.ledger.forge import Forger, codes, voted
from tests.ledger.telling import cut_off, events, finish, opened
from tests.ledger.world import World

SCRIPT = ("turn", "due", "turn", "turn", "close")


def leave(world: World, seat: int) -> None:
    world.take(Seat(seat), world.ledgers[Seat(seat)].leave())


def test_who_leaves_while_it_is_missed_is_let_go_without_waiting() -> None:
    world = opened(SCRIPT)
    leave(world, 0)
    world.play()
    assert world.log(1)[0] == "out [0]"
    assert world.log(1)[-1] == "close"
    assert not events(world, Suspended)
    assert not world.accused()
    assert {event.seat for event in events(world, Leave)} == {Seat(0)}


def test_who_leaves_during_the_turn_of_another_is_let_go_before_that_one_acts() -> None:
    world = opened(SCRIPT)
    leave(world, 2)
    world.settle()
    assert world.log(0) == world.log(1) == ("out [2]",)
    world.play()
    assert world.log(0)[-1] == "close"
    assert not events(world, Suspended)


def test_a_seal_that_the_leave_admits_still_completes_the_step() -> None:
    world = opened(SCRIPT)
    world.answer(Seat(0))
    while Seat(2) not in world.ledgers[Seat(2)].desk.sealed and world.wires:
        world.deliver()
    leave(world, 2)
    world.play()
    assert world.log(0)[:2] == ("0:x0", "out [2]")
    assert world.log(0)[-1] == "close"
    assert not world.accused()


def test_the_leaver_sees_itself_left_out_and_signs_nothing() -> None:
    world = opened(SCRIPT)
    leave(world, 2)
    world.play()
    assert [event.height for event in events(world, LeftOut, 2)] == [1]
    assert world.ledgers[Seat(2)].own.is_out
    for act in (Ledger.leave, propose, contribute):
        with pytest.raises(LocalError, match="local/may-not-sign"):
            act(world.ledgers[Seat(2)])


def test_who_is_out_takes_nothing_more_and_is_sent_nothing() -> None:
    world = opened(SCRIPT)
    leave(world, 2)
    world.play()
    out, other = world.ledgers[Seat(2)], world.ledgers[Seat(0)]
    assert out.tip.height < other.tip.height
    (told,) = out.tell()[1].send
    assert isinstance(told.message, Status)
    assert not other.receive(told.message, Seat(2))[1].send


def propose(ledger: Ledger) -> object:
    return ledger.propose(b"x")


def contribute(ledger: Ledger) -> object:
    return ledger.contribute([b"x"])


def test_a_leave_that_was_lost_is_told_again() -> None:
    world = opened(SCRIPT)
    cut_off(world, 0)
    leave(world, 0)
    world.settle()
    assert not world.ledgers[Seat(1)].leaves
    world.cut.clear()
    world.pass_time(35, [Seat(1)])
    world.settle()
    assert world.ledgers[Seat(1)].leaves[Seat(0)] == world.ledgers[Seat(0)].own.leave
    world.play()
    assert world.log(1)[-1] == "close"


def test_a_leave_survives_a_restart() -> None:
    world = opened(SCRIPT)
    leave(world, 2)
    world.crash(Seat(2))
    assert world.ledgers[Seat(2)].own.leave is not None
    world.play()
    assert world.log(0)[0] == "out [2]"
    assert not world.accused()


def test_with_two_seats_the_other_goes_on_alone_and_closes() -> None:
    world = opened(("turn", "due", "close"), 2)
    leave(world, 1)
    world.play()
    assert world.log(0)[0] == "out [1]"
    assert world.log(0)[-1] == "close"
    link = world.ledgers[Seat(0)].tip.at(1)
    assert link is not None
    assert [type(ground).__name__ for ground in link.certificate.grounds] == ["Leave"]


def test_with_two_seats_a_leave_during_my_own_turn_needs_no_action() -> None:
    world = opened(("turn", "turn", "close"), 2)
    world.answer(Seat(0))
    world.settle()
    leave(world, 0)
    world.settle()
    assert world.log(1) == ("0:x0", "out [0]", "close")


def test_half_of_the_seats_may_leave() -> None:
    world = opened(SCRIPT, 4)
    leave(world, 2)
    leave(world, 3)
    world.play()
    assert world.log(0)[0] == "out [2, 3]"
    assert world.log(0)[-1] == "close"


def test_one_has_left_and_another_is_silent() -> None:
    world = opened(SCRIPT, 5)
    leave(world, 4)
    world.gone.add(Seat(3))
    finish(world, 40)
    assert {event for event in world.log(0) if event.startswith("out")} in (
        {"out [3, 4]"},
        {"out [4]", "out [3]"},
    )
    assert world.log(0)[-1] == "close"
    assert not world.accused()


def test_a_leave_after_the_close_is_no_matter() -> None:
    world = opened(("turn", "close"))
    world.play()
    tips = world.tips()
    leave(world, 1)
    finish(world)
    assert world.tips() == tips
    assert not events(world, Vote)


@pytest.mark.parametrize("signed", ["seal", "contribution", "vote"])
def test_who_signs_beyond_its_leave_is_named(signed: str) -> None:
    world = opened(("due", "close"))
    world.gone.add(Seat(2))
    byzantine = Forger(world, 2)
    tip = world.ledgers[Seat(0)].tip
    made = {
        "seal": byzantine.seal(tip, bytes(32)),
        "contribution": byzantine.contribution(tip, b"x"),
        "vote": byzantine.vote(tip, 1, Evict((Seat(1),))),
    }[signed]
    byzantine.tell(byzantine.leave(tip, 0), 0)
    byzantine.tell(made, 0)
    byzantine.tell(made, 1)
    byzantine.tell(byzantine.leave(tip, 0), 1)
    assert codes(world, 0) == codes(world, 1) == {Seat(2): "E7"}


def test_a_leave_counts_as_ground_only_with_its_seats_signature() -> None:
    world = opened(SCRIPT, 4)
    byzantine = Forger(world, 0)
    tip = world.ledgers[Seat(1)].tip
    false = replace(byzantine.leave(tip, 0), seat=Seat(2))
    byzantine.tell(voted(byzantine.vote(tip, 1, Evict((Seat(2), Seat(3)))), false), 1)
    assert world.ledgers[Seat(1)].counts == {"ledger/no-grounds": 1}
    assert not world.ledgers[Seat(1)].leaves
    assert not world.ledgers[Seat(1)].desk.votes


def test_whoever_votes_far_above_does_not_lead_the_others_out_of_reach() -> None:
    """Who has left is let go at once, in a round that everybody can still join."""
    world = opened(SCRIPT, 4)
    tip, liar = world.ledgers[Seat(1)].tip, Forger(world, 3)
    world.gone.add(Seat(3))
    liar.tell(liar.vote(tip, ROUNDS_MAX, Evict((Seat(0),))))
    leave(world, 0)
    world.settle()
    for seat in (1, 2):
        assert [vote.round for vote in world.ledgers[Seat(seat)].own.votes[1]] == [1]

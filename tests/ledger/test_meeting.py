"""From the third round on: who follows whom, and who is left out with the missed.

One or two seats are silent, and another one says what it likes to whom it likes. The rest are
honest, there, and a majority; so they go on without those, and without losing one of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from nodealer.kernel import Seat
from nodealer.ledger.catch_up import status_of
from nodealer.ledger.draft import Draft
from nodealer.ledger.objects import Choice, Evict
from tests.ledger.forge import Forger
from tests.ledger.telling import opened
from tests.ledger.world import CLOCK, World

SCRIPT = ("turn", "due", "close")


def without(*seats: int) -> Evict:
    """Return the choice to leave out these seats."""
    return Evict(tuple(map(Seat, seats)))


def silent(count: int, *gone: int) -> World:
    """Return a table of so many at which seat 0 is on turn, and these seats say nothing."""
    world = opened(SCRIPT, count)
    world.gone |= set(map(Seat, gone))
    return world


def lose_patience(world: World, seats: Iterable[int]) -> None:
    """Let seats lose patience one after another; each is heard by all before the next one does."""
    for seat in seats:
        world.pass_time(CLOCK.longest, [Seat(seat)])
        world.settle()


def says_where_it_stands(world: World, seat: int, *to: int) -> None:
    """Have some seats alone hear the status of one."""
    status = status_of(Draft(world.ledgers[Seat(seat)]))
    for one in to:
        world.take(Seat(one), world.ledgers[Seat(one)].receive(status, Seat(seat)))
    world.settle()


def choices(world: World, seat: int) -> list[tuple[int, Choice]]:
    """Return what a seat has voted for over the charter, each with its round."""
    return [(vote.round, vote.choice) for vote in world.ledgers[Seat(seat)].own.votes.get(1, ())]


def require_left_out(world: World, *seats: int) -> None:
    """Raise unless all who are there have left out these seats and no others."""
    assert {world.log(seat) for seat in world.ledgers if seat not in world.gone} == {
        (f"out {list(seats)}",)
    }
    assert not world.accused()


def test_who_alone_has_heard_a_seat_is_not_left_out_with_it() -> None:
    """Seat 6 reaches seat 5 and nobody else; all others have called it silent."""
    world = silent(7, 0, 6)
    lose_patience(world, range(1, 6))
    says_where_it_stands(world, 6, 5)
    lose_patience(world, range(1, 6))
    assert [choices(world, seat)[-1] for seat in (1, 5)] == [(2, without(0, 6)), (2, without(0))]
    lose_patience(world, range(1, 6))
    require_left_out(world, 0, 6)


def test_who_is_shown_something_later_than_others_is_not_left_out_for_it() -> None:
    """Two of three hear seat 4, which votes with them against the one that has not heard it."""
    world = silent(5, 0, 4)
    liar, tip = Forger(world, 4), world.ledgers[Seat(1)].tip
    lose_patience(world, (1, 2, 3, 1))
    says_where_it_stands(world, 4, 2, 3)
    lose_patience(world, (2, 3))
    liar.tell(liar.vote(tip, 2, without(0)), 1, 2, 3)
    lose_patience(world, (2, 3, 1))
    liar.tell(liar.vote(tip, 3, without(0, 1)), 1, 2, 3)
    world.settle()
    assert [choices(world, seat)[-1] for seat in (1, 2, 3)] == [(3, without(0))] * 3
    lose_patience(world, (1, 2, 3, 1, 2, 3))
    require_left_out(world, 0, 4)


def test_a_vote_that_some_see_late_parts_the_others_in_one_round() -> None:
    """Seat 6 shows a vote of the second round when one of four has voted in the third."""
    world = silent(7, 0, 5, 6)
    liar, tip, others = Forger(world, 6), world.ledgers[Seat(1)].tip, (1, 2, 3, 4)
    lose_patience(world, others)
    for seat in (5, 6):
        says_where_it_stands(world, seat, *others)
    lose_patience(world, (*others, 1))
    liar.tell(liar.vote(tip, 2, without(0)), 2, 3, 4)
    world.settle()
    lose_patience(world, (2, 3, 4))
    liar.tell(liar.vote(tip, 3, without(0, 5)), *others)
    assert [choices(world, seat)[-1][1] for seat in others] == [
        without(0, 5, 6),
        *[without(0, 5)] * 3,
    ]
    lose_patience(world, others)
    liar.tell(liar.vote(tip, 4, without(0, 1, 5)), *others)
    world.settle()
    assert [choices(world, seat)[-1] for seat in others] == [(4, without(0, 5))] * 4
    lose_patience(world, (*others, *others, *others))
    require_left_out(world, 0, 5, 6)


def test_two_that_vote_in_turns_do_not_hold_up_a_majority() -> None:
    """Each round lacks one of them, and it is never the same one twice in a row."""
    world = silent(7, 0, 5, 6)
    tip, others = world.ledgers[Seat(1)].tip, (1, 2, 3, 4)
    liars = {seat: Forger(world, seat) for seat in (5, 6)}
    for number in range(1, 9):
        lose_patience(world, others)
        says_where_it_stands(world, 5, *others)
        seat, choice = 5 + number % 2, choices(world, 1)[-1][1]
        if isinstance(choice, Evict) and seat not in choice.seats:
            liars[seat].tell(liars[seat].vote(tip, number, choice), *others)
            world.settle()
    require_left_out(world, 0, 5)


def race(world: World, seat: int) -> None:
    """Let a seat whose clock runs much too fast vote until it waits for the others."""
    before = -1
    while before != (before := world.ledgers[Seat(seat)].own.last_round(1)):
        lose_patience(world, [seat])


def test_clocks_out_of_step_come_to_one_choice() -> None:
    """Seat 7 runs ahead, seat 6 is a round behind, and seat 3 knows nothing of the first rounds.

    So one comes to a round when others are in the next one already: what the last of them is
    about to say, the first ones do not know when they go on.
    """
    world = opened(("shuffle", "close"), 8)
    world.gone |= {Seat(4), Seat(5)}
    world.play()
    here, there = (0, 1, 2, 6), (3, 7)
    pairs = [(Seat(one), Seat(other)) for one in here for other in there]
    world.cut = {*pairs, *((other, one) for one, other in pairs)}
    world.pass_time(CLOCK.answer + CLOCK.rejoin, map(Seat, here))
    world.settle()
    lose_patience(world, (0, 1, 2))
    race(world, 7)
    world.cut.clear()
    for seat in (*here, *there):
        world.take(Seat(seat), world.ledgers[Seat(seat)].tell())
    world.settle()
    for _ in range(8):
        lose_patience(world, (3, 6, 1, 2, 0))
        if world.log(0):
            break
        race(world, 7)
    lose_patience(world, (*here, *there))
    require_left_out(world, 4, 5)


def test_who_was_in_no_round_with_a_majority_votes_on_the_missed() -> None:
    """Four of eight are no majority: whatever they say in however many rounds binds nobody."""
    world = silent(8, 0, 5, 6, 7)
    for _ in range(4):
        lose_patience(world, (1, 2, 3, 4))
    assert {choice for _, choice in choices(world, 1)} == {without(0)}
    assert not world.log(1)


def test_three_of_seven_cannot_have_the_others_follow_them() -> None:
    """They vote against one of four where one of the others has voted, and in the next round."""
    world = silent(7, 0, 5, 6)
    tip, others = world.ledgers[Seat(1)].tip, (1, 2, 3, 4)
    liars = [Forger(world, seat) for seat in (0, 5, 6)]
    lose_patience(world, others)
    for seat in (5, 6):
        says_where_it_stands(world, seat, *others)
    lose_patience(world, (*others, 2))
    for number in (3, 4):
        for liar in liars:
            liar.tell(liar.vote(tip, number, without(1)), *others)
    lose_patience(world, (3, 4, 2))
    assert without(1) not in {choice for seat in others for _, choice in choices(world, seat)}


@pytest.mark.parametrize("ahead", [(2, 4), (2,)], ids=str)
def test_who_is_a_round_behind_does_not_part_from_the_others(ahead: tuple[int, ...]) -> None:
    """All lose patience at the same moments from then on, so nobody comes up with the others."""
    world = silent(5, 0, 3)
    lose_patience(world, ahead)
    for _ in range(12):
        says_where_it_stands(world, 3, 1, 2, 4)
        world.pass_time(CLOCK.longest)
        world.settle()
    require_left_out(world, 0, 3)

"""Seats that fall silent at once, and who has answered: what is voted for in the second round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger.catch_up import status_of
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Contributed, LedgerMessage, Sealed
from nodealer.ledger.objects import Choice, Evict, EvictStep
from tests.ledger.forge import Forger
from tests.ledger.telling import cut_off, finish, opened
from tests.ledger.timed import Timed
from tests.ledger.world import CLOCK

ACT, ANSWER = CLOCK.act + CLOCK.rejoin, CLOCK.answer + CLOCK.rejoin
"""The first patience: for an action, and for all else. The second is twice as long."""

SCRIPT = ("turn", "due", "turn", "close")


def choices(world: Timed, seat: int) -> list[tuple[int, Choice]]:
    """Return what a seat has voted for, each with its round."""
    return [(vote.round, vote.choice) for vote in world.votes(seat)]


# How long the others are held up.


@pytest.mark.parametrize(
    ("count", "gone", "rounds"),
    [(4, (0,), 1), (5, (0,), 1), (5, (0, 4), 2), (6, (0, 5), 2), (7, (0, 6), 2), (7, (0, 2, 6), 2)],
)
def test_several_silent_at_once_are_settled_in_one_round_more_than_one(
    count: int, gone: tuple[int, ...], rounds: int
) -> None:
    world = Timed(count, SCRIPT, gone=gone)
    world.run(lambda: bool(world.evictions(1)))
    assert world.evictions(1) == [EvictStep(rounds, tuple(map(Seat, gone)))]
    assert world.now == sum(ACT << number for number in range(rounds))
    world.run()
    assert world.log(1)[-1] == "close"
    assert len(world.tips()) == 1


@pytest.mark.parametrize("script", [("due", "close"), ("shuffle", "close"), ("choose", "close")])
def test_so_it_is_where_one_has_given_what_it_owed_before(script: tuple[str, ...]) -> None:
    world = Timed(5, script, gone=(0,))
    world.play_now()  # of a chain nobody else may begin
    world.run(ticks=0)
    world.gone.add(Seat(4))
    world.run(lambda: bool(world.evictions(1)))
    assert world.evictions(1) == [EvictStep(2, (Seat(0), Seat(4)))]
    patience = ACT if script[0] == "choose" else ANSWER
    assert world.now == patience + 2 * patience


def test_where_no_majority_would_be_left_only_the_missed_are_voted_on() -> None:
    world = Timed(4, SCRIPT, gone=(0, 3))
    world.run(ticks=20 * CLOCK.longest)
    assert not world.evictions(1)
    assert {choice for _, choice in choices(world, 1)} == {Evict((Seat(0),))}


# Who has answered.

BOTH, ONE = Evict((Seat(0), Seat(4))), Evict((Seat(0),))


def after_the_first_round(script: tuple[str, ...] = SCRIPT) -> Timed:
    """Return a table of five at which three have voted to leave out seat 0; seat 4 says nothing.

    If a due step comes first it has contributed before that.
    """
    world = Timed(5, script, gone=(0,))
    if script[0] == "due":
        world.play_now()
        world.run(ticks=0)
    world.gone.add(Seat(4))
    world.run(lambda: all(world.votes(seat) for seat in (1, 2, 3)))
    assert [choices(world, seat) for seat in (1, 2, 3)] == [[(1, ONE)]] * 3
    return world


def second_votes(world: Timed) -> list[Choice]:
    """Return what seats 1, 2 and 3 vote for in the second round."""
    world.run(lambda: all(len(world.votes(seat)) > 1 for seat in (1, 2, 3)))
    return [choices(world, seat)[1][1] for seat in (1, 2, 3)]


def tell(world: Timed, message: LedgerMessage, sender: int) -> None:
    """Have seats 1, 2 and 3 hear a message over the link of a seat."""
    for seat in {1, 2, 3} - {sender}:
        world.take(Seat(seat), world.ledgers[Seat(seat)].receive(message, Seat(sender)))


def test_who_says_nothing_has_not_answered() -> None:
    assert second_votes(after_the_first_round()) == [BOTH] * 3
    assert second_votes(after_the_first_round(("due", "close"))) == [BOTH] * 3


def test_who_votes_has_answered_whatever_it_votes_for() -> None:
    for number in (1, 2):
        world = after_the_first_round()
        voter = Forger(world, 4)
        voter.tell(voter.vote(world.ledgers[Seat(1)].tip, number, Evict((Seat(2),))), 1, 2, 3)
        assert second_votes(world) == [ONE] * 3


def test_who_votes_before_the_others_has_answered() -> None:
    world = Timed(5, SCRIPT, gone=(0, 4))
    voter = Forger(world, 4)
    voter.tell(voter.vote(world.ledgers[Seat(1)].tip, 40, Evict((Seat(2),))), 1, 2, 3)
    world.run(lambda: all(world.votes(seat) for seat in (1, 2, 3)))
    assert second_votes(world) == [ONE] * 3


@pytest.mark.parametrize("ahead", [0, 1, 9])
def test_who_says_where_it_stands_has_answered(ahead: int) -> None:
    """No signature is on that, but nobody else speaks over the link of a seat."""
    world = after_the_first_round()
    status = status_of(Draft(world.ledgers[Seat(4)]))
    tip = EntryId(bytes(32)) if ahead else status.tip
    tell(world, replace(status, height=Height(status.height + ahead), tip=tip), 4)
    assert second_votes(world) == [ONE] * 3
    world.run(lambda: bool(world.evictions(1)))
    assert world.evictions(1) == [EvictStep(3, (Seat(0), Seat(4)))]


@pytest.mark.parametrize("sender", [4, 3])
def test_who_gives_what_it_owes_has_answered_whoever_passes_it_on(sender: int) -> None:
    """Two of seven owe a contribution, and one that owes none is gone; then one of the two gives.

    Without that one nobody could be settled in the first round.
    """
    world = Timed(7, ("due", "close"))
    for seat in (1, 2, 3, 5, 6):
        world.answer(Seat(seat))
    world.gone |= {Seat(0), Seat(4)}
    world.run(ticks=0)
    world.gone.add(Seat(6))
    world.run(lambda: all(world.votes(seat) for seat in (1, 2, 3, 5)))
    one = Forger(world, 4).contribution(world.ledgers[Seat(1)].tip, b"x")
    for seat in (1, 2, 3, 5):
        heard = world.ledgers[Seat(seat)].receive(Contributed(one), Seat(sender))
        world.take(Seat(seat), heard)
    assert second_votes(world) == [Evict((Seat(0), Seat(6)))] * 3


def test_what_is_not_valid_is_no_answer() -> None:
    world = after_the_first_round()
    tip = world.ledgers[Seat(1)].tip
    seal = Forger(world, 4).seal(tip, bytes(32))
    tell(world, Sealed(Forger(world, 3).signed(seal)), 4)
    assert world.ledgers[Seat(1)].counts == {"signature/bad": 1}
    assert second_votes(world) == [BOTH] * 3


def test_what_was_said_before_the_first_round_is_no_answer_in_the_second() -> None:
    world = after_the_first_round(("due", "close"))
    one = world.ledgers[Seat(1)].desk.first_of(Seat(4))
    assert one is not None
    tell(world, Contributed(one), 3)
    assert second_votes(world) == [BOTH] * 3


def test_whoever_has_not_voted_in_the_first_round_calls_nobody_silent() -> None:
    """The first vote of all is in the second round: who has not voted in it yet is about to."""
    world = Timed(5, SCRIPT, gone=(0, 4))
    for seat in (1, 2, 3):
        world.crash(Seat(seat))
    racer = Forger(world, 0)
    racer.tell(racer.vote(world.ledgers[Seat(1)].tip, 2, Evict((Seat(1),))), 1, 2, 3)
    world.run(lambda: all(world.votes(seat) for seat in (1, 2, 3)))
    assert [choices(world, seat) for seat in (1, 2, 3)] == [[(2, ONE)]] * 3
    world.run(lambda: bool(world.evictions(1)))
    assert world.evictions(1) == [EvictStep(4, (Seat(0), Seat(4)))]


def test_a_seat_that_was_restarted_asks_again_and_votes_as_the_others() -> None:
    world = after_the_first_round()
    world.crash(Seat(2))
    assert second_votes(world) == [BOTH] * 3
    world.run(lambda: bool(world.evictions(2)))
    assert world.evictions(2) == [EvictStep(2, (Seat(0), Seat(4)))]


def test_who_is_missed_and_votes_goes_with_the_silent() -> None:
    """Without the seat that is on turn the table goes on, and not without the silent one alone."""
    world = after_the_first_round()
    voter = Forger(world, 0)
    voter.tell(voter.vote(world.ledgers[Seat(1)].tip, 1, Evict((Seat(1),))), 1, 2, 3)
    assert second_votes(world) == [BOTH] * 3


def test_what_a_journal_holds_was_said_before() -> None:
    """Seat 2 builds on what seat 1 has given, so it has stored that; seat 1 is gone, and seat 3."""
    world = Timed(5, ("shuffle", "close"), gone=(3,))
    world.play_now()
    for _ in range(2):
        world.run(ticks=0)
        world.play_now()
    world.gone.add(Seat(1))
    world.run(lambda: all(world.votes(seat) for seat in (0, 2, 4)))
    world.crash(Seat(2))
    world.run(lambda: all(len(world.votes(seat)) > 1 for seat in (0, 2, 4)))
    assert [choices(world, seat)[1][1] for seat in (0, 2, 4)] == [Evict((Seat(1), Seat(3)))] * 3


# Nothing is worse than it was.


def test_who_answers_some_and_others_late_holds_nobody_up_for_long() -> None:
    """Seat 4 votes as soon as some have called it silent, so that the others see it answer.

    None of the two choices had a majority then; in the next two rounds they vote alike again.
    """
    world = Timed(5, SCRIPT, lambda _, to: 2 * (to == 3), gone=(0, 4))
    byzantine, tip = Forger(world, 4), world.ledgers[Seat(1)].tip
    answered: set[int] = set()

    def answer() -> None:
        first = max((vote.round for vote in world.votes(1)), default=1)
        if first % 2 == 0 and first not in answered and not world.evictions(1):
            answered.add(first)
            byzantine.tell(byzantine.vote(tip, first - 1, Evict((Seat(1),))), 3)

    world.after = answer
    world.run(lambda: bool(world.evictions(1)), 40 * CLOCK.longest)
    assert choices(world, 1)[1] == (2, BOTH)
    assert choices(world, 3)[1] == (2, ONE)
    assert world.evictions(1) == [EvictStep(5, (Seat(0), Seat(4)))]


def test_who_comes_to_the_second_round_later_votes_with_those_who_are_there() -> None:
    """Seat 1 was cut off, so the others have heard nothing of it either, and named seat 0 alone."""
    world = opened(SCRIPT, 5)
    world.gone |= {Seat(0), Seat(3)}
    cut_off(world, 1)
    for patience in (ACT, 2 * ACT):
        world.pass_time(patience, (Seat(2), Seat(4)))
        world.settle()
    world.pass_time(ACT, (Seat(1),))
    world.cut.clear()
    for seat in (1, 2, 4):
        world.take(Seat(seat), world.ledgers[Seat(seat)].tell())
    world.settle()
    world.pass_time(2 * ACT, (Seat(1),))
    votes = [world.ledgers[Seat(seat)].own.votes[1] for seat in (1, 2, 4)]
    assert [[(vote.round, vote.choice) for vote in cast] for cast in votes] == [
        [(1, ONE), (2, ONE)]
    ] * 3
    finish(world, 4, 4 * ACT)
    assert world.log(1)[0] == "out [0, 3]"
    assert len(world.tips()) == 1


DELAYS = [(0, ANSWER - 1), (ANSWER - 1, 0), (14, 15)]
"""To a slow seat, and from it: just not as long as the others are patient."""


@pytest.mark.parametrize("slow", range(1, 5))
@pytest.mark.parametrize("gone", [(), (0,)])
@pytest.mark.parametrize(("to_it", "from_it"), DELAYS)
def test_who_is_slow_and_answers_within_the_clock_keeps_its_place(
    slow: int, gone: tuple[int, ...], to_it: int, from_it: int
) -> None:
    def delay(sender: Seat, to: Seat) -> int:
        return to_it * (to == slow) + from_it * (sender == slow)

    world = Timed(5, ("turn", "due", "shuffle", "turn", "close"), delay, gone)
    world.run(ticks=40 * CLOCK.longest)
    assert {seat for step in world.evictions(slow) for seat in step.seats} == set(gone)
    assert world.log(slow)[-1] == "close"
    assert len(world.tips()) == 1


def test_a_vote_that_comes_just_before_the_second_round_ends_is_an_answer() -> None:
    """The seat that is on turn is gone; seat 4 votes with the others, and is heard much later."""

    def delay(sender: Seat, to: Seat) -> int:
        return (2 * ACT - 1) * (sender == 4 and to != 4)

    world = Timed(5, ("turn", "close"), lambda *_: 0, gone=(0,))
    world.delay = delay
    world.run(lambda: bool(world.evictions(1)))
    assert world.now == ACT + 2 * ACT - 1
    assert world.evictions(1) == [EvictStep(1, (Seat(0),))]


LATE: Callable[[int], st.SearchStrategy[list[int]]] = lambda count: st.lists(  # noqa: E731
    st.integers(0, ANSWER // 5), min_size=count, max_size=count
)
"""So that two slow seats, to and fro, are within the patience of each other."""


@settings(max_examples=settings().max_examples // 3)
@given(st.data())
def test_a_majority_leaves_out_the_silent_together_and_nobody_else(data: st.DataObject) -> None:
    count = data.draw(st.integers(5, 7))
    to_it, from_it = data.draw(LATE(count)), data.draw(LATE(count))
    others = data.draw(st.sets(st.integers(1, count - 1), max_size=(count - 1) // 2 - 1))
    gone = (0, *sorted(others))
    script = data.draw(st.sampled_from([SCRIPT, ("shuffle", "turn", "close")]))
    world = Timed(count, script, lambda sender, to: from_it[sender] + to_it[to], gone)
    world.run(ticks=40 * CLOCK.longest)
    one = next(seat for seat in range(count) if seat not in gone)
    assert [step.seats for step in world.evictions(one)] == [tuple(map(Seat, gone))]
    assert all(step.round <= 2 for step in world.evictions(one))
    assert len(world.tips()) == 1
    assert world.log(one)[-1] == "close"

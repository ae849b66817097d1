"""Seats leave games of 66: rounds are void until they are counted; who has left comes last."""

from __future__ import annotations

import pytest

from nodealer.games.api import Turn
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.cards import DECK
from nodealer.games.sixty_six.state import State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.sixty_six.positions import Dealer, act, acting, kinds, on_turn, phase, position

BOTH = pytest.mark.parametrize("variant", ["v1", "v2"])

FOUR = ["1 2", "3 4", "5 6", "7 8"]


def begun(variant: str, seed: int = 1, seats: int = 4) -> PlainDealer[State]:
    """Return a game in which nobody has said that it starts."""
    options = resolve(SIXTY_SIX, seats, {"variant": variant})
    return deal(SIXTY_SIX, [Seat(number) for number in range(seats)], options, Chance(seed))


def leave(dealer: Dealer, *seats: int, settle: bool = True) -> list[str]:
    """Leave seats out, carry out what follows, and return what has happened."""
    told = len(dealer.events)
    dealer.leave([Seat(seat) for seat in seats], "void")
    if settle:
        dealer.settle()
    return kinds(dealer.events[told:])


def counted(variant: str, hands: list[str] = FOUR, total: int = 0) -> Dealer:
    """Return a game whose hands are opened, before anything else is done."""
    totals = tuple((Seat(seat), total) for seat in range(len(hands)))
    dealer = position(variant, hands, stock="6", totals=totals)
    act(dealer, "take-card-from-deck")
    dealer.begin(on_turn(dealer), acting(dealer, "discard"))
    while not dealer.state.points:
        dealer.advance()
    return dealer


@BOTH
def test_before_the_start_nothing_is_dealt(variant: str) -> None:
    dealer = begun(variant)
    assert leave(dealer, 0, 2) == ["left"]
    assert SIXTY_SIX.duty(dealer.state) == Turn(Seat(1), ("start-game",))
    act(dealer, "start-game")
    assert set(dealer.view().seats) == {1, 3}


@BOTH
def test_the_first_round_is_dealt_again_with_a_new_coin(variant: str) -> None:
    begins = set()
    for seed in range(12):
        dealer = begun(variant, seed)
        act(dealer, "start-game")
        assert leave(dealer, 1) == ["left", "voided", "dealt"]
        assert (dealer.state.round, dealer.state.turn, phase(dealer)) == (1, 1, "READY_FOR_TURN")
        assert sorted(dealer.pack.faces.values()) == sorted(DECK.faces)
        begins.add(on_turn(dealer))
    assert begins == {0, 2, 3}


@BOTH
@pytest.mark.parametrize(("gone", "begins"), [((0,), 2), ((2,), 3), ((2, 3), 0), ((1, 2, 3), None)])
def test_a_later_round_is_begun_by_who_began_it_or_the_next(
    variant: str, gone: tuple[int, ...], begins: int | None
) -> None:
    dealer = position(
        variant,
        FOUR,
        "5",
        round=3,
        starter=Seat(2),
        stopper=Seat(3),
        stop_counter=2,
        totals=tuple((Seat(seat), 10 * seat) for seat in range(4)),
    )
    told = leave(dealer, *gone)
    assert dict(dealer.state.totals) == {0: 0, 1: 10, 2: 20, 3: 30}
    if begins is None:
        assert told == ["left", "won"]
        return
    assert told == ["left", "voided", "dealt"]
    assert (dealer.state.round, on_turn(dealer)) == (3, begins)
    assert (dealer.state.stopper, dealer.state.stop_counter) == (None, None)


@BOTH
def test_a_round_under_way_is_void_in_the_middle_of_effects(variant: str) -> None:
    dealer = position(variant, FOUR)
    dealer.begin(Seat(0), acting(dealer, "take-card-from-deck"))
    assert dealer.underway
    assert leave(dealer, 3) == ["left", "voided", "dealt"]


@BOTH
def test_a_counted_round_stands(variant: str) -> None:
    dealer = counted(variant)
    assert dealer.state.starter == 0
    assert leave(dealer, 2) == ["left"]
    assert (phase(dealer), dealer.state.starter) == ("ROUND_FINISHED", 0)
    assert dict(dealer.state.totals) == {0: 0, 1: 7, 2: 11, 3: 15}
    act(dealer, "start-next-round")
    assert (dealer.state.round, on_turn(dealer)) == (2, 0)


@BOTH
def test_everybody_takes_notice_again_before_the_next_round(variant: str) -> None:
    dealer = counted(variant)
    dealer.settle()
    leave(dealer, 2, settle=False)
    assert dealer.underway


@BOTH
def test_who_was_to_begin_is_followed_by_the_next_best(variant: str) -> None:
    dealer = counted(variant)
    assert leave(dealer, 0) == ["left", "begins"]
    assert dealer.state.starter == 1
    assert SIXTY_SIX.duty(dealer.state) == Turn(Seat(1), ("start-next-round",))


@BOTH
def test_of_several_next_best_a_coin_names_one(variant: str) -> None:
    hands = ["1 2", "3 4", "2 5", "7 8"]
    begins = set()
    for seed in range(12):
        dealer = counted(variant, hands).fork(Chance(seed))
        assert leave(dealer, 0) == ["left", "begins"]
        begins.add(dealer.state.starter)
    assert begins == {1, 2}


@BOTH
def test_a_coin_under_way_falls_among_those_who_stay(variant: str) -> None:
    hands = ["1 2", "3 0", "2 1", "7 8"]
    dealer = counted(variant, hands)
    assert (phase(dealer), dealer.state.starter) == ("ROUND_SCORING", None)
    begins = set()
    for seed in range(12):
        twin = dealer.fork(Chance(seed))
        assert leave(twin, 1) == ["left", "begins"]
        begins.add(twin.state.starter)
    assert begins == {0, 2}
    assert leave(dealer, 0, 1) == ["left", "begins"]
    assert dealer.state.starter == 2


def test_a_game_that_a_counted_round_has_ended_stays_ended() -> None:
    dealer = counted("v2", total=60)
    assert phase(dealer) == "ROUND_FINISHED"
    assert leave(dealer, 3) == ["left", "won"]
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((0,), (1,), (2,), (3,))
    assert dict(standing.points) == {0: 60, 1: 67, 2: 71, 3: 75}


@BOTH
def test_leavers_keep_their_totals_and_come_last(variant: str) -> None:
    dealer = position(variant, FOUR, totals=tuple((Seat(s), 5 * s) for s in range(4)))
    leave(dealer, 0)
    leave(dealer, 1, 2)
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((3,), (1, 2), (0,))
    assert dict(standing.points) == {0: 0, 1: 5, 2: 10, 3: 15}
    assert dealer.view().facts["left"] == (0, 1, 2)


@BOTH
def test_after_the_end_nothing_changes(variant: str) -> None:
    dealer = counted(variant, total=60)
    dealer.settle()
    before = dealer.result()
    assert before is not None
    assert leave(dealer, 0) == []
    assert dealer.result() == before

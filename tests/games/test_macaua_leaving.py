"""Seats leave games of Macaua: what stays, what is dealt again, who comes last."""

from __future__ import annotations

import pytest

from nodealer.cards import DISCARD, Zone
from nodealer.games.api import Turn
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.cards import DECK
from nodealer.games.macaua.state import Phase, State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.positions import act, faces, kinds, on_turn, position, sizes, top

SEATS = [Seat(0), Seat(1), Seat(2), Seat(3)]


def begun(seed: int = 1, seats: int = 4, *options: str) -> PlainDealer[State]:
    """Return a real game at its first turn."""
    given = resolve(MACAUA, seats, dict.fromkeys(options, True))
    return deal(MACAUA, [Seat(number) for number in range(seats)], given, Chance(seed))


def leave(dealer: PlainDealer[State], *seats: int, policy: str = "redeal") -> list[str]:
    """Leave seats out, carry out what follows, and return what has happened."""
    told = len(dealer.events)
    dealer.leave([Seat(seat) for seat in seats], policy)
    dealer.settle()
    return kinds(dealer.events[told:])


def whole(dealer: PlainDealer[State]) -> bool:
    """Whether the 54 cards are all there."""
    return sorted(dealer.pack.faces.values()) == sorted(DECK.faces)


def test_a_redeal_keeps_discards_hand_sizes_suit_and_turn() -> None:
    dealer = begun()
    for _ in range(7):
        act(dealer, dealer.legal(Seat(on_turn(dealer)))[0])
    before = dict(zip(dealer.seats, sizes(dealer), strict=True))
    discards = dealer.board.at(DISCARD)
    suit, turn = dealer.state.suit, on_turn(dealer)
    gone = next(seat for seat in SEATS if seat != turn)
    hidden = set(dealer.pack.faces) - set(discards)
    assert leave(dealer, gone) == ["left", "redealt", "dealt"]
    assert dict(zip(dealer.seats, sizes(dealer), strict=True)) == {
        seat: count for seat, count in before.items() if seat != gone
    }
    assert dealer.board.at(DISCARD) == discards
    assert (dealer.state.suit, on_turn(dealer)) == (suit, turn)
    assert not hidden & set(dealer.pack.faces)
    assert whole(dealer)


def test_a_void_begins_anew() -> None:
    dealer = begun()
    act(dealer, "draw")
    assert leave(dealer, 1, policy="void") == ["left", "voided", "dealt"]
    assert sizes(dealer) == [5, 5, 5]
    assert len(dealer.board.faces) == 1
    assert whole(dealer)


@pytest.mark.parametrize("policy", ["redeal", "void"])
def test_whoever_is_left_alone_wins(policy: str) -> None:
    dealer = begun()
    leave(dealer, 1, policy=policy)
    leave(dealer, 0, 2, policy=policy)
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((3,), (0, 2), (1,))
    assert leave(dealer, 3) == []
    assert dealer.result() == standing


@pytest.mark.parametrize("policy", ["redeal", "void"])
def test_the_deal_begins_anew_while_no_start_card_lies_open(policy: str) -> None:
    options = resolve(MACAUA, 3, {})
    for pauses in range(5):
        dealer = PlainDealer(MACAUA, SEATS[:3], options, Chance(pauses))
        for _ in range(pauses):
            dealer.advance()
        if dealer.state.phase in (Phase.SHUFFLE_MASK, Phase.DEAL):
            assert leave(dealer, 0, policy=policy) == ["left", "voided", "dealt"]
            assert sizes(dealer) == [5, 5]
            assert whole(dealer)


def test_the_turn_of_a_leaver_goes_to_the_next_with_its_challenge() -> None:
    dealer = position(["9C 8C", "9D", "8S 8H"], "2H", "KC", challenge=4)
    leave_by_position(dealer, 0)
    assert dealer.game.duty(dealer.state) == Turn(Seat(1), ("play", "take"))
    assert dealer.state.challenge == 4


def test_a_challenge_does_not_come_back_to_who_laid_it() -> None:
    dealer = position(["9C 8C", "9D", "8S 8H"], "2H", "KC", challenge=4, challenger=Seat(1))
    assert "lapsed" in leave_by_position(dealer, 0)
    assert (on_turn(dealer), dealer.state.challenge) == (1, 0)


def test_a_challenge_outlives_who_laid_it() -> None:
    dealer = position(["9C 8C", "9D", "8S 8H"], "2H", "KC", challenge=4, challenger=Seat(2))
    leave_by_position(dealer, 2)
    assert (on_turn(dealer), dealer.state.challenge) == (0, 4)


def test_the_turn_of_a_leaver_passes_over_whoever_misses_turns() -> None:
    dealer = position(
        ["9C 8C", "9D", "8S 8H"], "7H", "KC", misses=((1, 2),), options=("four_skips",)
    )
    assert "missed" in leave_by_position(dealer, 0)
    assert (on_turn(dealer), dealer.state.misses) == (2, ((1, 1),))


def test_the_passes_of_others_count_no_more() -> None:
    dealer = position(["9C 8C", "9D", "8S 8H"], "7H", stock="", passed=(Seat(1),))
    leave_by_position(dealer, 2)
    assert dealer.state.passed == ()


def test_a_draw_under_way_is_finished_after_the_redeal() -> None:
    for advanced in range(3):
        dealer = position(["9C 8C", "9D", "8S 8H"], "5C 6C 2H", stock="KC", challenge=3)
        dealer.begin(Seat(0), dealer.legal(Seat(0))[-1])
        for _ in range(advanced):
            dealer.advance()
        leave_by_position(dealer, 2)
        assert sizes(dealer) == [5, 1]
        assert on_turn(dealer) == 1


def test_the_draw_of_a_leaver_is_dropped() -> None:
    dealer = position(["9C 8C", "9D", "8S 8H"], "5C 6C 2H", stock="KC", challenge=3)
    dealer.begin(Seat(0), dealer.legal(Seat(0))[-1])
    leave_by_position(dealer, 0)
    assert sizes(dealer) == [1, 2]
    assert (dealer.state.challenge, on_turn(dealer)) == (0, 1)


def test_a_second_seat_leaves_in_the_middle_of_a_redeal() -> None:
    for advanced in range(4):
        dealer = begun(2)
        act(dealer, "draw")
        held = dict(zip(dealer.seats, sizes(dealer), strict=True))
        dealer.leave([Seat(0)], "redeal")
        for _ in range(advanced):
            dealer.advance()
        leave(dealer, 3)
        assert sizes(dealer) == [held[Seat(1)], held[Seat(2)]]
        assert whole(dealer)


def test_play_goes_on_after_a_redeal() -> None:
    dealer = begun(5, 3)
    leave(dealer, 1)
    before = top(dealer)
    assert faces(dealer, 0)
    seat = Seat(on_turn(dealer))
    plays = [chosen for chosen in dealer.legal(seat) if chosen.kind == "play"]
    act(dealer, plays[0] if plays else "draw")
    assert top(dealer) != before or not plays


def leave_by_position(dealer: PlainDealer[State], seat: int) -> list[str]:
    """Leave a seat out of a made position, in which the other cards are not in the game.

    A redeal takes all 54 cards, so a made position gets those that it left out.
    """
    missing = DECK.without(dealer.pack.faces.values()).faces
    dealer.pack, _ = dealer.pack.placed(missing, Zone("box"))
    return leave(dealer, seat)

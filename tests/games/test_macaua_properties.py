"""What holds in every game of Macaua, whoever plays and whatever is agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import DISCARD, hand
from nodealer.games.api import Bot, Turn
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.encoding import encode_state
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.cards import DECK, rank_of
from nodealer.games.macaua.legality import Burden
from nodealer.games.macaua.rules import OPTIONS
from nodealer.games.macaua.state import State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat, encode
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

SWITCHES = [option.name for option in OPTIONS if isinstance(option.default, bool)]

ACTIONS_MAX = 3000

agreed = st.lists(st.sampled_from(SWITCHES), unique=True)


def game(seats: int, options: Sequence[str], seed: int) -> Dealer:
    """Return a game at its first turn."""
    resolved = resolve(MACAUA, seats, dict.fromkeys(options, True))
    return deal(MACAUA, [Seat(number) for number in range(seats)], resolved, Chance(seed))


def played(dealer: Dealer, seed: int, bots: Sequence[Bot]) -> Iterator[Dealer]:
    """Play a game to its end, with a halt at every turn."""
    chance = Chance("played", seed)
    for _ in range(ACTIONS_MAX):
        yield dealer
        duty = MACAUA.duty(dealer.state)
        if not isinstance(duty, Turn):
            return
        bot = bots[duty.seat % len(bots)]
        legal = dealer.legal(duty.seat)
        dealer.act(duty.seat, bot.choose(dealer.view(duty.seat), legal, chance))
    raise AssertionError("the game does not end")


@given(seats=st.integers(2, 10), options=agreed, seed=st.integers(0, 1 << 32))
def test_sensible_games_end_and_conserve_all_cards(
    seats: int, options: list[str], seed: int
) -> None:
    numbers: set[int] = set()
    for dealer in played(game(seats, options, seed), seed, [bot_for(MACAUA)]):
        assert sorted(dealer.pack.faces.values()) == sorted(DECK.faces)
        numbers |= set(dealer.pack.faces)
        assert len(numbers) == dealer.pack.next_slot
        assert dealer.board.faces.keys() == set(dealer.board.at(DISCARD))
    assert dealer.result() is not None


@given(seats=st.integers(2, 10), options=agreed, seed=st.integers(0, 1 << 32))
def test_the_invariants_of_the_state(seats: int, options: list[str], seed: int) -> None:
    for dealer in played(game(seats, options, seed), seed, [bot_for(MACAUA), ChanceBot()]):
        state = dealer.state
        assert not (state.challenge and state.skip)
        assert (state.challenger is None) == (state.burden is Burden.NOTHING)
        assert state.challenger is None or state.challenger != state.turn
        top = dealer.board.face(dealer.board.at(DISCARD)[-1])
        assert state.suit is None or rank_of(top) == "A"
        assert all(count > 0 and seat != state.turn for seat, count in state.misses)
        assert state.misses == tuple(sorted(state.misses))
        assert state.drawing is None
        assert state.hands == ()
        assert bool(state.cards_left) == (dealer.result() is not None)
        encode(encode_state(state))


@given(seats=st.integers(2, 10), options=agreed, seed=st.integers(0, 1 << 32))
def test_whoever_wins_has_the_fewest_cards(seats: int, options: list[str], seed: int) -> None:
    *_, dealer = played(game(seats, options, seed), seed, [bot_for(MACAUA)])
    standing = dealer.result()
    assert standing is not None
    counts = [[len(dealer.board.at(hand(seat))) for seat in place] for place in standing.places]
    assert all(len(set(place)) == 1 for place in counts)
    assert [place[0] for place in counts] == sorted({place[0] for place in counts})

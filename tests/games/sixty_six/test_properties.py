"""What holds in every game of 66, whoever plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Bot, Turn
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.encoding import encode_state
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.cards import DECK
from nodealer.games.sixty_six.state import Phase, State
from nodealer.games.sixty_six.turns import taken
from nodealer.kernel import Seat, encode
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

ACTIONS_MAX = 10_000

BETWEEN_ROUNDS = (
    Phase.AWAITING_START,
    Phase.ROUND_SCORING,
    Phase.ROUND_FINISHED,
    Phase.GAME_FINISHED,
)

variants = st.sampled_from(["v1", "v2"])
tables = st.integers(2, 5)
seeds = st.integers(0, 1 << 32)


def game(seats: int, variant: str, seed: int) -> Dealer:
    """Return a game before its start."""
    resolved = resolve(SIXTY_SIX, seats, {"variant": variant})
    return deal(SIXTY_SIX, [Seat(number) for number in range(seats)], resolved, Chance(seed))


def played(dealer: Dealer, seed: int, bots: Sequence[Bot]) -> Iterator[Dealer]:
    """Play a game to its end, with a halt at every turn."""
    chance = Chance("played", seed)
    for _ in range(ACTIONS_MAX):
        yield dealer
        duty = SIXTY_SIX.duty(dealer.state)
        if not isinstance(duty, Turn):
            return
        bot = bots[duty.seat % len(bots)]
        legal = dealer.legal(duty.seat)
        dealer.act(duty.seat, bot.choose(dealer.view(duty.seat), legal, chance))
    raise AssertionError("the game does not end")


@given(seats=tables, variant=variants, seed=seeds)
def test_games_end_and_conserve_all_cards(seats: int, variant: str, seed: int) -> None:
    numbers: set[int] = set()
    for dealer in played(game(seats, variant, seed), seed, [bot_for(SIXTY_SIX), ChanceBot()]):
        faces = sorted(dealer.pack.faces.values())
        assert faces == (sorted(DECK.faces) if dealer.state.round else [])
        numbers |= set(dealer.pack.faces)
        assert len(numbers) == dealer.pack.next_slot
        assert dealer.board.faces.keys() >= set(dealer.board.at(DISCARD))
    assert dealer.result() is not None


@given(seats=tables, variant=variants, seed=seeds)
def test_the_invariants_of_the_state(seats: int, variant: str, seed: int) -> None:
    for dealer in played(game(seats, variant, seed), seed, [ChanceBot(), bot_for(SIXTY_SIX)]):
        state = dealer.state
        is_between = state.phase in BETWEEN_ROUNDS
        assert (state.active is None) == is_between
        assert (state.stopper is None) == (state.stop_counter is None)
        assert state.chosen == tuple(sorted(set(state.chosen)))
        assert bool(state.points) == (state.phase in BETWEEN_ROUNDS[2:])
        assert [seat for seat, _ in state.totals] == list(dealer.seats)
        held = [len(dealer.board.at(taken(seat))) for seat in dealer.seats]
        assert sum(held) == (state.phase is Phase.DECK_CARD_TAKEN)
        encode(encode_state(state))
        if not is_between:
            assert state.stop_counter is None or 0 < state.stop_counter < seats
            assert 1 <= state.turn
            assert all(1 <= len(dealer.board.at(hand(seat))) <= 4 for seat in dealer.seats)
        if state.phase is Phase.READY_FOR_TURN:
            assert dealer.board.at(STOCK)
            assert state.source is None
            assert state.chosen == ()


@given(seats=tables, variant=variants, seed=seeds)
def test_a_round_begins_with_two_known_cards_and_no_total_stays_at_66(
    seats: int, variant: str, seed: int
) -> None:
    rounds = set()
    dealer = game(seats, variant, seed)
    for _ in played(dealer, seed, [ChanceBot()]):
        if dealer.state.phase is Phase.READY_FOR_TURN and dealer.state.turn == 1:
            rounds.add(dealer.state.round)
            assert {len(dealer.pack.notebooks[seat]) for seat in dealer.seats} == {2}
            assert not dealer.board.faces
        assert all(total != 66 for _, total in dealer.state.totals)
        is_over = max(total for _, total in dealer.state.totals) > 66
        assert is_over == (dealer.result() is not None)
    assert rounds == set(range(1, dealer.state.round + 1))

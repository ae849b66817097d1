"""What holds in every game of Papas, whoever plays and whatever is agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Bot, Over, Turn, View
from nodealer.games.dealer import PlainDealer
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import DECK
from nodealer.games.papas.state import Phase, State
from nodealer.kernel.chance import Chance
from tests.games.papas.positions import begun, number, sizes

Dealer = PlainDealer[State]

ACTIONS_MAX = 20_000
NOBODYS = {10, 20, 27, 90, 98, 99}
"""The states in which nobody has the turn."""


def played(dealer: Dealer, seed: int, bots: Sequence[Bot]) -> Iterator[Dealer]:
    """Play a game to its end, with a halt at every decision."""
    chance = Chance("played", seed)
    for _ in range(ACTIONS_MAX):
        yield dealer
        due = dealer.view().duty
        assert due is not None
        if isinstance(due, Over):
            return
        seat = due.seat if isinstance(due, Turn) else chance.pick(due.owing)
        bot = bots[seat % len(bots)]
        dealer.act(seat, bot.choose(dealer.view(seat), dealer.legal(seat), chance))
    raise AssertionError("the game does not end")


@given(seats=st.integers(2, 6), seed=st.integers(0, 1 << 32), chained=st.booleans())
@settings(max_examples=settings().max_examples // 20)
def test_what_holds_at_every_decision(seats: int, seed: int, chained: bool) -> None:
    deck, before = sorted(DECK.faces), [0] * seats
    game = begun(seats, seed, interrupt_chain=chained, max_turns=60)
    for dealer in played(game, seed, [bot_for(PAPAS), ChanceBot()]):
        state, board = dealer.state, dealer.board
        assert sorted(dealer.pack.faces.values()) == deck
        assert not [slot for slot in board.at(STOCK) if slot in board.faces]
        assert not [slot for slot in board.at(DISCARD) if slot not in board.faces]
        for seat in dealer.seats:
            known = dealer.pack.notebooks[seat].keys() | board.faces.keys()
            assert set(board.at(hand(seat))) <= known, "a seat knows its hand"
        golden = [count for _, count in state.golden]
        assert min(golden) >= 0
        assert sum(golden) - sum(before) <= 3
        before = golden
        assert isinstance(dealer.view().duty, Turn) == (number(dealer) not in NOBODYS)
        assert (state.playing is None) == (number(dealer) in (2, 30, 99))
        assert state.drawing is None
        if number(dealer) == 2:
            assert sizes(dealer)[dealer.seats.index(state.on_turn)] > 0
            assert max(golden) < state.threshold
    assert dealer.state.phase is Phase.GAME_END


@given(seats=st.integers(2, 6), seed=st.integers(0, 1 << 32))
@settings(max_examples=settings().max_examples // 4)
def test_nobody_learns_an_answer_before_all_have_answered(seats: int, seed: int) -> None:
    chance = Chance("answers", seed)
    for dealer in played(begun(seats, seed, max_turns=12), seed, [ChanceBot()]):
        if dealer.choice is None or len(dealer.choice.owing) < 2:
            continue
        seat = chance.pick(dealer.choice.owing)
        views = set()
        for chosen in dealer.legal(seat):
            twin = dealer.fork(Chance("twin"))
            twin.begin(seat, chosen)
            views.add(repr([told(twin.view(other)) for other in twin.seats]))
        assert len(views) == 1


def told(view: View) -> tuple[object, ...]:
    """Return all of a view, to be compared."""
    return (view.viewer, view.duty, view.zones, dict(view.facts))

"""What holds in every game of 6 nimmt!, whoever plays and whatever is agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import Zone, hand
from nodealer.games.api import Bot, Choice, Over, View
from nodealer.games.dealer import PlainDealer
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.dealing import totals
from nodealer.games.take5.placing import stacks_on
from nodealer.games.take5.settings import STACK_NAMES
from nodealer.games.take5.stacks import stack
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.take5.positions import begun

Dealer = PlainDealer[State]

ACTIONS_MAX = 3000

"""Where a round has one turn, hundreds of rounds are played before somebody has 200 bull heads."""


def played(dealer: Dealer, seed: int, bots: Sequence[Bot]) -> Iterator[Dealer]:
    """Play a game to its end, with a halt at every decision."""
    chance = Chance("played", seed)
    for _ in range(ACTIONS_MAX):
        yield dealer
        due = dealer.view().duty
        assert due is not None
        if isinstance(due, Over):
            return
        seat = chance.pick(due.owing) if isinstance(due, Choice) else due.seat
        bot = bots[seat % len(bots)]
        dealer.act(seat, bot.choose(dealer.view(seat), dealer.legal(seat), chance))
    raise AssertionError("the game does not end")


@given(seats=st.integers(2, 10), seed=st.integers(0, 1 << 32))
@settings(max_examples=settings().max_examples // 10)
def test_games_end_and_conserve_all_cards(seats: int, seed: int) -> None:
    deck = sorted(str(number) for number in range(1, 105))
    for dealer in played(begun(seats, seed), seed, [bot_for(TAKE5), ChanceBot()]):
        assert sorted(dealer.pack.faces.values()) == deck
        assert sum(dealer.state.settings.worth([face]) for face in deck) == 171
    standing = dealer.result()
    assert standing is not None
    assert max(standing.points.values()) >= 66
    assert len(standing.places[0]) == 1


@given(seats=st.integers(2, 10), seed=st.integers(0, 1 << 32))
@settings(max_examples=settings().max_examples // 10)
def test_what_holds_at_every_decision(seats: int, seed: int) -> None:
    before: dict[Seat, int] = {}
    for dealer in played(begun(seats, seed, win_score=20), seed, [ChanceBot()]):
        state, board = dealer.state, dealer.board
        assert (not state.played) == (state.phase is not Phase.AWAITING_ROW_CHOICE)
        for lying in stacks_on(board).values():
            assert 1 <= len(lying) <= state.settings.stack_size
            assert list(lying) == sorted(lying, key=int)
        held = {len(board.at(hand(seat))) for seat in dealer.seats}
        assert len(held) == 1
        hidden = {slot for seat in dealer.seats for slot in board.at(hand(seat))}
        assert not hidden & board.faces.keys()
        now = dict(totals(state, board))
        assert all(now[seat] >= score for seat, score in before.items())
        before = now


@given(seats=st.integers(2, 6), seed=st.integers(0, 1 << 32), chooser=st.integers(0, 5))
def test_nobody_learns_a_card_before_all_have_chosen(seats: int, seed: int, chooser: int) -> None:
    dealer = begun(seats, seed)
    seat = Seat(chooser % seats)
    views = set()
    for chosen in dealer.legal(seat):
        twin = dealer.fork(Chance("twin"))
        twin.act(seat, chosen)
        views.add(repr([told(twin.view(other)) for other in twin.seats]))
    assert len(views) == 1


def told(view: View) -> tuple[object, ...]:
    """Return all of a view, to be compared."""
    return (view.viewer, view.duty, view.zones, dict(view.facts))


def test_every_zone_of_a_stack_is_one_of_four() -> None:
    assert [stack(name) for name in STACK_NAMES] == [Zone(f"stack-{letter}") for letter in "ABCD"]

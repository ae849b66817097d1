"""What holds in every game of Macaua, whoever plays and whatever is agreed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import DISCARD, hand
from nodealer.games.api import Bot, Plain, Turn, action
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.encoding import encode_state
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.cards import DECK, rank_of
from nodealer.games.macaua.legality import Burden
from nodealer.games.macaua.rules import OPTIONS
from nodealer.games.macaua.state import State
from nodealer.games.registry import resolve
from nodealer.kernel import PeerError, Reason, Seat, encode
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

ROOT = Path(__file__).resolve().parents[2]

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


plain = st.recursive(
    st.sampled_from([None, True, False, 0, 1, -1, "C", "S", "", "joker"]) | st.integers(-2, 60),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)
slots = st.lists(st.integers(0, 53), min_size=1, max_size=3).map(tuple)
kinds = st.sampled_from([None] * 8 + [kind.kind for kind in MACAUA.actions] + ["deal", ""])
names = st.sampled_from(["cards", "macaua", "macaua", "suit", "suit", "seat"])
changes = st.lists(st.tuples(names, plain | slots), max_size=2).map(dict)


@settings(max_examples=8 * settings().max_examples)
@given(
    kind=kinds,
    changed=changes,
    options=agreed,
    seed=st.integers(0, 1 << 32),
    base=st.integers(0, 1 << 16),
)
def test_whatever_is_sent_is_legal_or_refused_as_illegal(
    kind: str | None, changed: dict[str, Plain], options: list[str], seed: int, base: int
) -> None:
    dealer = game(2, options, seed)
    seat = Seat(dealer.state.on_turn)
    listed = dealer.legal(seat)
    good = listed[base % len(listed)]
    chosen = action(kind or good.kind, **{**dict(good.fields), **changed})
    # By text, because True == 1.
    legal = {repr(item) for item in listed}
    if repr(chosen) in legal:
        dealer.begin(seat, chosen)
        return
    before = (dealer.pack, dealer.state)
    with pytest.raises(PeerError) as refused:
        dealer.begin(seat, chosen)
    assert refused.value.reason is Reason.RULES_ILLEGAL
    assert (dealer.pack, dealer.state) == before


PROGRAM = """
from tests.games.test_macaua_properties import game, played
from nodealer.bots import bot_for
from nodealer.games.conformance.checks import digest_of
from nodealer.games.macaua import MACAUA
for dealer in played(game(5, ["four_skips", "call"], 7), 7, [bot_for(MACAUA)]):
    print(digest_of(dealer).hex())
"""


def test_a_game_is_the_same_in_every_process() -> None:
    outputs = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000

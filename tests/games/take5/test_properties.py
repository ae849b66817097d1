"""What holds in every game of 6 nimmt!, whoever plays and whatever is agreed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import Zone, hand
from nodealer.games.api import Bot, Choice, Options, Over, Plain, View, action
from nodealer.games.conformance import Report, check_game, check_rules
from nodealer.games.conformance.tables import option_tables
from nodealer.games.dealer import PlainDealer
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.dealing import totals
from nodealer.games.take5.placing import stacks_on
from nodealer.games.take5.settings import STACK_NAMES
from nodealer.games.take5.stacks import stack
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import PeerError, Reason, Seat
from nodealer.kernel.chance import Chance
from tests.games.take5.positions import begun

Dealer = PlainDealer[State]

ACTIONS_MAX = 3000

PATIENCE = 20_000
"""Where a round has one turn, hundreds of rounds are played before somebody has 200 bull heads."""

WIN_SCORE_MAX = next(option.maximum for option in TAKE5.options if option.name == "win_score")


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


def is_long(options: Options) -> bool:
    """Whether hundreds of rounds may be played with these options."""
    return options["turn_count"] == 1 or options["win_score"] == WIN_SCORE_MAX


@pytest.mark.parametrize("seats", range(2, 11))
def test_take5_keeps_the_rules(seats: int, is_full: bool) -> None:
    if is_full:
        check_rules(TAKE5, seats=[seats], actions_max=PATIENCE)
        return
    # A part of the options: no game of hundreds of rounds, and the usual ones for few seats.
    check_rules(TAKE5, seats=[seats], rounds=0)
    report = Report()
    short = [one for one in option_tables(TAKE5, seats) if not is_long(one)]
    usual = option_tables(TAKE5, seats)[:1] if seats < 4 else ()
    for number, options in enumerate((*usual, short[seats % len(short)])):
        report.add(check_game(TAKE5, seats, options, f"quick/{number}"))
    assert report.games >= 1
    assert report.refused > 500


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


plain = st.recursive(
    st.sampled_from([None, True, False, 0, 1, -1, "A", "D", "E", "", "104"]) | st.integers(-2, 110),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)
kinds = st.sampled_from([None] * 6 + [kind.kind for kind in TAKE5.actions] + ["deal", ""])
changes = st.lists(st.tuples(st.sampled_from(["card", "stack", "seat"]), plain), max_size=2)


@settings(max_examples=4 * settings().max_examples)
@given(kind=kinds, changed=changes.map(dict), seed=st.integers(0, 50), base=st.integers(0, 999))
def test_whatever_is_sent_is_legal_or_refused_as_illegal(
    kind: str | None, changed: dict[str, Plain], seed: int, base: int
) -> None:
    dealer = begun(2, seed)
    for _ in range(base % 7):  # some of these games wait for a stack to be chosen
        due = dealer.view().duty
        assert due is not None
        assert not isinstance(due, Over)
        seat = due.owing[0] if isinstance(due, Choice) else due.seat
        dealer.act(seat, dealer.legal(seat)[0])
    due = dealer.view().duty
    assert due is not None
    assert not isinstance(due, Over)
    seat = due.owing[0] if isinstance(due, Choice) else due.seat
    listed = dealer.legal(seat)
    good = listed[base % len(listed)]
    chosen = action(kind or good.kind, **{**dict(good.fields), **changed})
    # By text, because True == 1.
    if repr(chosen) in {repr(item) for item in listed}:
        dealer.begin(seat, chosen)
        return
    before = (dealer.pack, dealer.state, dealer.choice)
    with pytest.raises(PeerError) as refused:
        dealer.begin(seat, chosen)
    assert refused.value.reason is Reason.RULES_ILLEGAL
    assert (dealer.pack, dealer.state, dealer.choice) == before


def test_every_zone_of_a_stack_is_one_of_four() -> None:
    assert [stack(name) for name in STACK_NAMES] == [Zone(f"stack-{letter}") for letter in "ABCD"]

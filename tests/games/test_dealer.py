"""The plain dealer does with open cards what the table does with masked ones."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import cast

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.cards import STOCK, Composition, Zone, hand
from nodealer.games.api import Action, Plain, action
from nodealer.games.base import AnyGame
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.effects import (
    Acks,
    Coin,
    Compare,
    Effect,
    Move,
    NewDeck,
    OpenTable,
    Outcome,
    Reshuffle,
    Result,
    Show,
)
from nodealer.games.macaua import MACAUA
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.games.views import NOTHING_KNOWN
from nodealer.kernel import Bug, PeerError, Seat, SlotId
from nodealer.kernel.chance import Chance
from tests.games.broken_games import Busy, Restless
from tests.games.positions import cards, position

DECK = Composition(tuple("abcdefgh"))
PILE = Zone("pile")


def carry_out(pack: Pack, effect: Effect, chance: Chance) -> tuple[Pack, Result]:
    """Return the cards after an effect, and its result."""
    done = effect.carry_out(OpenTable(pack, chance))
    return done.pack, done.result


def pack(opened: Sequence[int] = ()) -> Pack:
    """Return eight cards in the stock for two seats, some of them open."""
    empty = Pack(notebooks=MappingProxyType({Seat(0): NOTHING_KNOWN, Seat(1): NOTHING_KNOWN}))
    made, _ = carry_out(empty, NewDeck(DECK, STOCK), Chance("pack"))
    return made.opened(SlotId(slot) for slot in opened)


def slots(*numbers: int) -> tuple[SlotId, ...]:
    return tuple(SlotId(number) for number in numbers)


def test_a_new_deck_is_shuffled_into_its_zone() -> None:
    made, result = carry_out(pack(), NewDeck(DECK, PILE), Chance(1))
    assert result == made.board.at(PILE) == slots(8, 9, 10, 11, 12, 13, 14, 15)
    assert sorted(made.faces.values()) == sorted(DECK.faces)
    assert made.board.at(STOCK) == ()


def test_a_new_deck_retires_all_but_the_open_cards_to_keep() -> None:
    before = pack([0, 1]).shown(slots(2), [Seat(0)])
    rest = DECK.without([before.faces[SlotId(0)]])
    after, _ = carry_out(before, NewDeck(rest, PILE, keep=slots(0)), Chance(1))
    assert after.board.at(STOCK) == (0,)
    assert after.board.faces == {0: before.faces[SlotId(0)]}
    assert after.notebooks[Seat(0)] == {}
    assert sorted(after.faces.values()) == sorted(DECK.faces)


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    small = Composition(("a", "b", "c"))
    seen: dict[str, int] = {}
    for seed in range(600):
        made, _ = carry_out(Pack(), NewDeck(small, STOCK), Chance(seed))
        order = "".join(made.faces.values())
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 6
    assert all(70 < count < 130 for count in seen.values())


def test_a_coin_is_fair() -> None:
    fell = [carry_out(Pack(), Coin("first", 3), Chance(seed))[1] for seed in range(600)]
    assert all(160 < fell.count(side) < 240 for side in range(3))


def test_a_reshuffle_gives_new_slots_behind_those_of_the_zone() -> None:
    before = pack([6, 7]).shown(slots(5), [Seat(1)])
    after, result = carry_out(before, Reshuffle(slots(7, 5, 6), STOCK), Chance(1))
    assert result == slots(8, 9, 10)
    assert after.board.at(STOCK) == slots(0, 1, 2, 3, 4, 8, 9, 10)
    assert {after.faces[slot] for slot in slots(8, 9, 10)} == {
        before.faces[slot] for slot in slots(5, 6, 7)
    }
    assert not after.board.faces
    assert not after.notebooks[Seat(1)]


def test_shown_cards_are_noted_by_those_who_see_them() -> None:
    after, result = carry_out(pack(), Show(slots(3, 4), (Seat(1),)), Chance(1))
    assert result is None
    assert after.notebooks[Seat(1)].keys() == {3, 4}
    assert not after.notebooks[Seat(0)]
    assert not after.board.faces


@pytest.mark.parametrize("seats", [(), (Seat(0), Seat(1))])
def test_what_all_may_see_is_open(seats: tuple[Seat, ...]) -> None:
    after, _ = carry_out(pack(), Show(slots(3), seats), Chance(1))
    assert after.board.faces == {3: after.faces[SlotId(3)]}


def test_moved_cards_lie_behind_the_others_in_the_order_named() -> None:
    after, _ = carry_out(pack(), Move(slots(4, 2), PILE), Chance(1))
    after, _ = carry_out(after, Move(slots(3), PILE), Chance(1))
    assert after.board.at(PILE) == slots(4, 2, 3)
    assert after.board.at(STOCK) == slots(0, 1, 5, 6, 7)


PAIRS = Composition(tuple("aabb"))


def pairs(seats: int, shown: dict[int, tuple[int, ...]]) -> tuple[Pack, list[SlotId]]:
    """Return a pack of two pairs, its slots in the order of the faces; who is shown which."""
    seated = {Seat(seat): NOTHING_KNOWN for seat in range(seats)}
    made, _ = carry_out(Pack(notebooks=MappingProxyType(seated)), NewDeck(PAIRS, STOCK), Chance(1))
    ordered = sorted(made.faces, key=lambda slot: made.faces[slot])
    for seat, places in shown.items():
        made = made.shown([ordered[place] for place in places], [Seat(seat)])
    return made, ordered


VERDICTS = [
    # seats, who has seen which of the cards a a b b, the cards compared, the verdict
    (2, {1: (0, 1)}, (0, 1), True),
    (2, {1: (0, 1, 2)}, (0, 1, 2), False),
    (3, {1: (0, 1, 2, 3), 2: (0, 1, 2, 3)}, (3, 2), True),
    (3, {1: (0,), 2: (0, 2)}, (0, 2), False),
    (2, {0: (0, 1), 1: (0, 1)}, (0, 1), True),  # open, so that all have seen them
    (3, {0: (0,), 1: (0, 2), 2: (0,)}, (0, 2), False),  # one of them is open
]


@pytest.mark.parametrize(("seats", "shown", "compared", "verdict"), VERDICTS)
def test_a_verdict_is_true_and_shows_nobody_a_card(
    seats: int, shown: dict[int, tuple[int, ...]], compared: tuple[int, ...], verdict: bool
) -> None:
    before, ordered = pairs(seats, shown)
    effect = Compare(tuple(ordered[place] for place in compared))
    after, result = carry_out(before, effect, Chance(1))
    assert result is verdict
    assert after is before


@pytest.mark.parametrize("shown", [{}, {0: (0,), 1: (1,)}, {1: (0,)}])
def test_what_no_seat_has_seen_as_a_whole_is_not_compared(
    shown: dict[int, tuple[int, ...]],
) -> None:
    before, ordered = pairs(2, shown)
    with pytest.raises(Bug, match="a seat that sees all slots compares them"):
        carry_out(before, Compare((ordered[0], ordered[1])), Chance(1))


def test_shown_to_all_but_its_owner_a_card_stays_hidden_from_it() -> None:
    before, ordered = pairs(3, {})
    others = (Seat(1), Seat(2))
    after, _ = carry_out(before, Show(tuple(ordered[:2]), others), Chance(1))
    assert not after.notebooks[Seat(0)]
    assert not after.board.faces
    assert all(after.notebooks[seat].keys() == set(ordered[:2]) for seat in others)
    assert carry_out(after, Compare(tuple(ordered[:2])), Chance(1))[1] is True


def test_acks_change_nothing() -> None:
    before = pack()
    assert carry_out(before, Acks(), Chance(1)) == (before, None)


def test_who_has_seen_a_card_knows_it_where_it_is_exchanged_to() -> None:
    before = pack()
    mine, other = hand(Seat(0)), hand(Seat(1))
    before, _ = carry_out(before, Move(slots(0, 1, 2), mine), Chance(1))
    before, _ = carry_out(before, Move(slots(3, 4, 5), other), Chance(1))
    before, _ = carry_out(before, Show(slots(1), (Seat(0),)), Chance(1))
    after, _ = carry_out(before, Move(slots(0, 4, 2), mine), Chance(1))
    after, _ = carry_out(after, Move(slots(3, 1, 5), other), Chance(1))
    assert after.board.at(mine) == slots(0, 4, 2)
    assert after.board.at(other) == slots(3, 1, 5)
    assert after.notebooks == before.notebooks


def test_an_outcome_tells_verdicts_and_what_was_made() -> None:
    outcome = Outcome((slots(4, 5), True, None, False, 3), (("first", 2),))
    assert (outcome.verdict(1), outcome.verdict(3)) == (True, False)
    assert (outcome.slots(0), outcome.coin("first")) == (slots(4, 5), 2)


IMPOSSIBLE: list[Effect] = [
    NewDeck(DECK, STOCK, keep=slots(0)),  # a card appears
    NewDeck(Composition(("a",)), STOCK, keep=slots(1)),  # cards vanish
    NewDeck(DECK, STOCK, keep=slots(5)),  # it is hidden
    Reshuffle((), STOCK),
    Reshuffle(slots(1, 1), STOCK),
    Reshuffle(slots(99), STOCK),
    Move(slots(99), STOCK),
    Move(slots(1, 1), STOCK),
    Show(slots(99)),
    Compare(slots(0)),
    Compare(slots(0, 0)),
    Compare(slots(0, 99)),
    Compare(slots(0, 2)),  # nobody has seen one of them
]


@pytest.mark.parametrize("effect", IMPOSSIBLE, ids=str)
def test_what_cannot_be_is_a_bug(effect: Effect) -> None:
    with pytest.raises(Bug):
        carry_out(pack([0, 1]), effect, Chance(1))


def test_a_pack_that_contradicts_itself_is_a_bug() -> None:
    made = pack()
    wrong = {SlotId(0): "z"}
    broken = Pack(made.faces, made.board.opened(wrong), made.notebooks, made.next_slot)
    with pytest.raises(Bug):
        broken.check()


REFUSED = [
    # seat, action, and why it is refused before the rules see it
    (1, action("lay", card=(0,)), "not the turn"),
    (0, action("draw"), "not among"),
    (0, action("lay"), "has the fields card"),
    (0, action("lay", card=(0,), more=None), "has the fields card"),
    (0, action("lay", card=cast("Plain", 1.5)), "not plain"),
    (0, action("lay", card="first"), "names no cards"),
    (0, action("lay", card=("first",)), "names no cards"),
    (0, action("lay", card=(0, 0)), "named twice"),
    (0, action("lay", card=(3,)), "not the seat's own"),
    (0, action("lay", card=(30,)), "not the seat's own"),
    (0, action("lay", card=(999,)), "not the seat's own"),
]


@pytest.mark.parametrize(("seat", "chosen", "why"), REFUSED)
def test_a_bad_action_is_refused_before_the_rules_see_it(
    seat: int, chosen: Action, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealer = deal(HIGH_CARD, [Seat(0), Seat(1)], {"cards": 3}, Chance(1))
    before = (dealer.pack, dealer.state, list(dealer.events))

    def unasked(*_: object) -> None:
        raise AssertionError("the rules were asked")

    monkeypatch.setattr(type(HIGH_CARD), "apply", unasked)
    with pytest.raises(PeerError, match=why):
        dealer.act(Seat(seat), chosen)
    assert (dealer.pack, dealer.state, dealer.events) == before


def test_a_seat_cannot_open_an_own_card_that_it_has_not_seen() -> None:
    dealer = position(["9C 5H", "8C"], "7H")
    dealer.pack = dealer.pack.placed(["KH"], hand(Seat(0)))[0]
    blind = action("play", cards=cards(dealer, 0, "KH"), suit=None, macaua=False)
    with pytest.raises(PeerError, match="only cards that it knows"):
        dealer.act(Seat(0), blind)


def test_nobody_acts_while_effects_are_under_way() -> None:
    dealer = PlainDealer(MACAUA, [Seat(0), Seat(1)], resolve(MACAUA, 2, {}), Chance(1))
    assert dealer.underway
    assert dealer.view().duty is None
    assert dealer.legal(Seat(0)) == ()
    with pytest.raises(PeerError, match="under way"):
        dealer.act(Seat(0), action("draw"))


@pytest.mark.parametrize("game", [Busy(), Restless()])
def test_a_game_that_gives_nobody_the_turn_is_a_bug(game: AnyGame) -> None:
    with pytest.raises(Bug, match="somebody gets the turn"):
        deal(game, [Seat(0), Seat(1)], {"cards": 3}, Chance(1))


def test_a_fork_goes_its_own_way() -> None:
    dealer = position(["9C 5H", "8C"], "7H")
    twin = dealer.fork(Chance("twin"))
    twin.act(Seat(0), action("draw"))
    assert (len(dealer.events), len(twin.events)) == (0, 1)
    assert dealer.pack is not twin.pack


def test_an_action_opens_its_cards_to_everybody() -> None:
    dealer = position(["9C 5H", "8C"], "7H")
    (slot,) = cards(dealer, 0, "5H")
    assert dealer.view().zone("hand", Seat(0))[1].face is None
    dealer.act(Seat(0), action("play", cards=(slot,), suit=None, macaua=False))
    assert dealer.board.faces[slot] == "5H"

"""The table comes to the same as the plain dealer, whoever leaves and whenever."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from nodealer.cards import STOCK, Board, Composition, Zone, hand
from nodealer.games.api import Options, Step
from nodealer.games.effects import Coin, Effect, Move, NewDeck, Outcome, Reshuffle, Show
from nodealer.games.macaua import Macaua
from nodealer.games.macaua.state import State
from nodealer.kernel import Bug, Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.ledger import Authored, Closed
from nodealer.table import Player, Position
from nodealer.table.carrying import entered
from tests.support.rehearsal import rehearsal
from tests.table.twin import Twin

ALL_ON = {
    "free_counter": True,
    "four_skips": True,
    "red_joker_ten": True,
    "seven_stops": True,
    "call": True,
}


def play(twin: Twin, entries: int, chance: Chance, leaving_percent: int = 0) -> None:
    """Go on at both; now and then a seat leaves."""
    table = twin.table
    for _ in range(entries):
        if isinstance(table.duty, Closed):
            return
        if len(table.position.roster) > 1 and chance.happens(leaving_percent):
            twin.evict(chance.pick(table.position.roster))
        elif isinstance(table.duty, Authored):
            twin.act(*table.choose())
        else:
            twin.settle()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_goes_as_with_a_dealer(seats: int) -> None:
    twin = Twin(rehearsal(seats, salt="plain"))
    play(twin, 1000, Chance(seats))
    assert isinstance(twin.table.duty, Closed)


@pytest.mark.parametrize("policy", ["redeal", "void"])
@pytest.mark.parametrize("seed", range(4))
def test_it_does_so_when_seats_leave(policy: str, seed: int, is_full: bool) -> None:
    for number in range(20 if is_full else 1):
        options: Options = {**ALL_ON, "first": "host"} if seed % 2 else {}
        made = rehearsal(2 + seed, policy=policy, options=options, salt=("leaving", seed, number))
        twin = Twin(made)
        play(twin, 2000, Chance("leaving", seed, number), leaving_percent=8)
        assert isinstance(made.duty, Closed)


# Effects that Macaua does not ask for, over a deck that has been dealt.

DECK = Composition(tuple("abcdefgh"))
ASIDE = Zone("aside")


def dealt() -> Twin:
    """Return a table at the first turn."""
    twin = Twin(rehearsal(3, salt="effects"))
    while not isinstance(twin.table.duty, Authored):
        twin.settle()
    return twin


def carry_out(twin: Twin, *effects: Effect) -> Position:
    """Let the rules ask for effects out of turn, and return the position after them."""
    table, dealer = twin.table, twin.dealer
    step: Step[object] = Step(table.position.rules, effects)
    after = entered(table.position, step)
    table.state = type(table.state)(after)
    dealer._enter(step)
    twin._catch_up()
    while table.position.underway:
        twin.settle()
    return table.position


def test_a_coin_of_its_own_falls_for_both() -> None:
    twin = dealt()
    carry_out(twin, Coin("who", 6))
    assert not twin.told.coins


def test_what_everybody_sees_already_is_not_shown_again() -> None:
    twin = dealt()
    stock = twin.table.position.board.at(STOCK)
    position = carry_out(twin, Show(stock[:1]))
    assert stock[0] in position.board.faces
    height = twin.table.moment.height
    carry_out(twin, Show(stock[:1], (Seat(1),)), Show(stock[:1]), Show(()))
    assert twin.table.moment.height == height


def test_who_sees_a_card_already_is_shown_nothing() -> None:
    twin = dealt()
    mine = twin.table.position.board.at(hand(Seat(1)))
    height = twin.table.moment.height
    carry_out(twin, Show(mine[:1], (Seat(1),)))
    assert twin.table.moment.height == height


def test_a_peek_leaves_the_card_hidden_from_others() -> None:
    twin = dealt()
    mine = twin.table.position.board.at(hand(Seat(1)))[:2]
    carry_out(twin, Show(mine, (Seat(2),)), Show(mine[:1], (Seat(0),)))
    assert mine[0] in twin.table.position.board.faces
    assert mine[1] not in twin.table.position.board.faces


def test_who_sees_a_card_sees_it_while_others_wait_for_it() -> None:
    """Also after a restart: it follows from the deck, not from what was looked at before."""
    table = dealt().table
    mine = table.position.board.at(hand(Seat(1)))
    known = table.players[Seat(1)].notebook(table.position)
    peeking = entered(table.position, Step(table.position.rules, (Show(mine, (Seat(2),)),)))
    assert peeking.deck is not None
    assert set(peeking.deck.owed) == set(mine)
    keyring, signer = table.players[Seat(1)].keyring, table.players[Seat(1)].signer
    assert Player(keyring, signer).notebook(peeking) == known
    assert not set(mine) & set(table.players[Seat(2)].notebook(peeking))


def test_hidden_and_open_cards_are_shuffled_into_a_zone() -> None:
    twin = dealt()
    board = twin.table.position.board
    mixed = (*board.at(Zone("discard")), *board.at(STOCK)[:5], *board.at(hand(Seat(0))))
    position = carry_out(twin, Move(board.at(STOCK)[6:8], ASIDE), Reshuffle(mixed, ASIDE))
    assert len(position.board.at(ASIDE)) == 2 + len(mixed)
    assert not position.board.at(hand(Seat(0)))


def test_a_new_deck_keeps_what_it_is_to_keep() -> None:
    twin = dealt()
    stock = twin.table.position.board.at(STOCK)
    carry_out(twin, Show(stock[:2]))
    faces = twin.table.position.board.faces
    kept = stock[0]
    rest = Composition.of({"x": 1})
    assert twin.table.position.deck is not None
    rest = twin.table.position.deck.composition.without([faces[kept]])
    position = carry_out(twin, NewDeck(rest, ASIDE, keep=(kept,)))
    assert position.board.at(STOCK) == (kept,)
    assert len(position.board.at(ASIDE)) == len(rest.faces)
    assert set(position.board.faces) == {kept}


def test_another_deck_takes_the_place_of_the_first() -> None:
    twin = dealt()
    position = carry_out(twin, NewDeck(DECK, ASIDE, coin=Coin("more", 3)))
    assert len(position.board.at(ASIDE)) == len(DECK.faces)
    assert not position.board.at(STOCK)


def test_a_zone_of_nobody_may_have_the_name_of_zones_of_seats() -> None:
    twin = dealt()
    stock = twin.table.position.board.at(STOCK)
    before = twin.table.state.digest()
    position = carry_out(twin, Move(stock[:2], Zone("hand")))
    assert position.digest() != before
    names = [zone.seat for zone in position.view().zones if zone.name == "hand"]
    assert names == [None, 0, 1, 2]


UNKNOWN = SlotId(1000)

IMPOSSIBLE: list[tuple[str, Effect]] = [
    ("a slot that does not exist is moved", Move((UNKNOWN,), ASIDE)),
    ("a slot that does not exist is shown", Show((UNKNOWN,))),
    ("a card is shown to a stranger", Show((SlotId(30),), (Seat(9),))),
    ("a slot that does not exist is shuffled", Reshuffle((UNKNOWN,), ASIDE)),
    ("nothing is shuffled", Reshuffle((), ASIDE)),
    ("a card is shuffled twice", Reshuffle((SlotId(30), SlotId(30)), ASIDE)),
    ("a hidden card is kept", NewDeck(DECK, ASIDE, keep=(SlotId(30),))),
    ("cards are lost", NewDeck(DECK, ASIDE, keep=(SlotId(15),))),
]


@pytest.mark.parametrize("effect", [case[1] for case in IMPOSSIBLE], ids=[c[0] for c in IMPOSSIBLE])
def test_effects_that_cannot_be_are_a_bug_of_the_rules(effect: Effect) -> None:
    twin = dealt()
    assert SlotId(15) in twin.table.position.board.faces
    with pytest.raises(Bug):
        entered(twin.table.position, Step(twin.table.position.rules, (effect,)))


@pytest.mark.parametrize("effect", [Move((), STOCK), Show((SlotId(0),)), Reshuffle((), STOCK)])
def test_before_there_is_a_deck_nothing_can_be_done_with_cards(effect: Effect) -> None:
    position = rehearsal(2).position
    with pytest.raises(Bug):
        entered(replace(position), Step(position.rules, (effect,)))


def test_rules_that_never_give_a_turn_are_stopped() -> None:
    position = dealt().table.position

    class Restless(Macaua):
        def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
            assert board.layout.zones
            assert outcome.results == (None,)
            return Step(state, (Move((), STOCK),))

    setting = replace(position.setting, game=Restless())
    with pytest.raises(Bug, match="somebody gets the turn"):
        entered(replace(position, setting=setting), Step(position.rules, (Move((), STOCK),)))


def test_a_wrong_face_of_the_dealer_would_be_noticed() -> None:
    twin = dealt()
    pack = twin.dealer.pack
    slot, other = pack.board.at(hand(Seat(0)))[:2]
    faces = {**pack.faces, slot: pack.faces[other], other: pack.faces[slot]}
    seen = {seat: {s: faces[s] for s in known} for seat, known in pack.notebooks.items()}
    twin.dealer.pack = replace(
        pack, faces=MappingProxyType(faces), notebooks=MappingProxyType(seen)
    )
    with pytest.raises(AssertionError):
        twin.compare()

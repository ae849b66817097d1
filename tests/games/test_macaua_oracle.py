"""The legal actions of Macaua are those that a second reading of the rules page allows."""

from __future__ import annotations

import pytest

from nodealer.games.api import Action, action
from nodealer.games.macaua.cards import DECK as DECK_OF_THE_GAME
from nodealer.games.macaua.rules import OPTIONS
from nodealer.kernel import PeerError, Seat
from nodealer.kernel.chance import Chance
from tests.games.macaua_oracle import DECK, Act, Position, everything, may
from tests.games.positions import Dealer, cards, position

SWITCHES = [option.name for option in OPTIONS if isinstance(option.default, bool)]


def some_position(chance: Chance) -> tuple[Dealer, Position]:
    """Return a position by chance, as the game and as the oracle has it."""
    deck = list(DECK)
    chance.shuffle(deck)
    options = [name for name in SWITCHES if chance.happens(50)]
    top, *rest = deck
    owed = misses = 0
    declared = None
    if top[0] in "23" or "joker" in top:
        owed = chance.below(7)
    elif top[0] == "4" and "four_skips" in options:
        misses = chance.below(4)
    elif top[0] == "A" and chance.happens(75):
        declared = chance.pick("CDHS")
    # Mostly cards of few ranks, so that several can be played together.
    if chance.happens(60):
        rest.sort(key=lambda face: face[0] not in "A2347br")
        special = rest[:20]
        chance.shuffle(special)
        rest[:20] = special
    hand, stock = rest[: 1 + chance.below(6)], rest[20 : 20 + chance.below(3)]
    under = rest[30 : 30 + chance.below(3)]
    dealer = position(
        [" ".join(hand), "", ""],
        " ".join([*under, top]),
        " ".join(stock),
        options,
        suit=declared,
        challenge=owed,
        skip=misses,
    )
    drawable = len(stock) + len(under)
    switched = dict.fromkeys(options, True)
    return dealer, Position(hand, top, declared, owed, misses, drawable, switched)


def as_action(dealer: Dealer, act: Act) -> Action:
    """Return what the oracle calls an act as an action of the game."""
    if act.kind != "play":
        return action(act.kind)
    slots = cards(dealer, 0, " ".join(act.faces))
    return action("play", cards=slots, suit=act.suit, macaua=act.says_macaua)


def is_accepted(dealer: Dealer, chosen: Action) -> bool:
    """Whether the game takes an action."""
    try:
        dealer.fork(Chance("twin")).begin(Seat(0), chosen)
    except PeerError:
        return False
    return True


def compare(seed: int) -> int:
    """Compare game and oracle in a position; return how many actions are legal."""
    dealer, reading = some_position(Chance("oracle", seed))
    legal = set(dealer.legal(Seat(0)))
    allowed = set()
    for act in everything(reading.hand):
        chosen = as_action(dealer, act)
        if may(act, reading):
            allowed.add(chosen)
    assert legal == allowed, reading
    for chosen in sorted(legal, key=repr)[:5]:
        assert is_accepted(dealer, chosen), (reading, chosen)
    # The game refuses on its own what is not on the list.
    attempts = everything(reading.hand)
    chance = Chance("oracle attempts", seed)
    for act in (chance.pick(attempts) for _ in range(10)):
        assert is_accepted(dealer, as_action(dealer, act)) == may(act, reading), (reading, act)
    return len(legal)


@pytest.mark.parametrize("block", range(8))
def test_the_game_allows_what_the_page_allows(block: int, is_full: bool) -> None:
    size = 5000 if is_full else 250
    counts = [compare(seed) for seed in range(block * size, (block + 1) * size)]
    assert max(counts) > 20
    assert min(counts) == 1


def test_the_oracle_knows_the_same_deck() -> None:
    assert sorted(DECK_OF_THE_GAME.faces) == sorted(DECK)

"""What is told of games of Papas is what a second reading of the rules page makes of them.

Whole games by chance and by bots, with all numbers of seats and any options; in some of them seats
leave. The oracle reads who did what and what was told, and agrees at the end on everything.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from nodealer.bots import ChanceBot, bot_for
from nodealer.cards import hand
from nodealer.games.api import Event, Turn
from nodealer.games.dealer import PlainDealer
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import CARDS, DECK
from nodealer.games.papas.cards import trio_pays as trio_pays_in_the_game
from nodealer.games.papas.sentences import _SENTENCES
from nodealer.games.papas.state import State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.papas.oracle import (
    ALONE,
    CARDS_IN_ALL,
    NAMES,
    Deed,
    ObjectionError,
    Oracle,
    Word,
    worth,
)

ACTIONS_MAX = 20_000
LEAVING_PERCENT = 1


def word_of(event: Event) -> Word:
    """Return an event as the oracle reads it."""
    return Word(event.kind, dict(event.fields))


@dataclass
class Recorded:
    """A game of the plain dealer, with all that was done and told."""

    dealer: PlainDealer[State]
    record: list[Deed | Word] = field(default_factory=list)
    told: int = 0

    def note(self) -> None:
        self.record += [word_of(event) for event in self.dealer.events[self.told :]]
        self.told = len(self.dealer.events)


def some_options(chance: Chance) -> dict[str, int | str | bool]:
    """Return options by chance."""
    return {
        "interrupt_chain": chance.happens(40),
        "one_card": chance.pick(("entered", "turn-start")),
        "max_turns": chance.pick((0, 0, 40)),
    }


def recorded(seed: int) -> tuple[Recorded, Oracle]:
    """Play a game to its end; return it, and the oracle that is to read it."""
    chance = Chance("oracle", seed)
    count = 2 + chance.below(5)
    places = list(range(10))
    chance.shuffle(places)
    seats = sorted(places[:count])
    options = some_options(chance)
    game = Recorded(
        PlainDealer(
            PAPAS,
            [Seat(seat) for seat in seats],
            resolve(PAPAS, count, options),
            chance.branch("cards"),
        )
    )
    leaves, by_chance = chance.happens(30), chance.below(80)
    for _ in range(ACTIONS_MAX):
        dealer = game.dealer
        while maybe_leave(game, chance, leaves=leaves):
            dealer.advance()
        game.note()
        if dealer.result() is not None:
            return game, Oracle(seats, options, game.record)
        due = dealer.view().duty
        seat = due.seat if isinstance(due, Turn) else chance.pick(due.owing)  # type: ignore[union-attr]
        bot = ChanceBot() if chance.happens(by_chance) else bot_for(PAPAS)
        chosen = bot.choose(dealer.view(seat), dealer.legal(seat), chance)
        game.record.append(Deed(int(seat), chosen.kind, dict(chosen.fields)))
        dealer.begin(seat, chosen)
    raise AssertionError("the game does not end")


def maybe_leave(game: Recorded, chance: Chance, *, leaves: bool) -> bool:
    """Let somebody leave now and then; return whether effects are to be carried out."""
    dealer = game.dealer
    is_over = not dealer.underway and dealer.result() is not None
    if leaves and not is_over and chance.happens(LEAVING_PERCENT):
        game.note()
        gone = chance.pick(dealer.seats)
        dealer.leave([gone], chance.pick(PAPAS.policies))
        if not dealer.underway:
            return False
    return dealer.underway and not dealer.is_asking


def read(seed: int) -> Counter[str]:
    """Let the oracle read a game; return what has happened in it."""
    game, oracle = recorded(seed)
    oracle.follow()
    dealer = game.dealer
    assert oracle.golden == {int(seat): count for seat, count in dealer.state.golden}
    standing = dealer.result()
    assert standing is not None
    assert oracle.places() == [list(place) for place in standing.places]
    if oracle.is_dealt:
        hands = {int(seat): list(dealer.board.at(hand(seat))) for seat in dealer.seats}
        assert len(dealer.seats) == 1 or oracle.hands == hands
    return Counter(event.kind for event in dealer.events)


def test_the_oracle_agrees_with_the_game(is_full: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000 if is_full else 30):
        seen += read(seed)
    assert set(seen) == set(_SENTENCES)


def test_the_oracle_knows_the_same_cards() -> None:
    assert set(CARDS) == NAMES
    assert len(DECK.faces) == CARDS_IN_ALL
    assert {
        face: (card.value, card.is_alarm, card.targets)
        for face, card in CARDS.items()
        if face in ALONE
    } == ALONE


def test_the_oracle_knows_the_same_trios() -> None:
    for one in CARDS:
        for two in CARDS:
            for three in CARDS:
                assert worth([one, two, three]) == trio_pays_in_the_game([one, two, three])


SPOILT = ["paid", "drew", "restacked", "given", "interrupted", "cancelled", "won", "surplus"]


@pytest.mark.parametrize("kind", SPOILT)
def test_the_oracle_objects_to_what_did_not_happen(kind: str) -> None:
    """A record without one thing that happened is none of a game."""
    for seed in range(20):
        _, oracle = recorded(seed)
        found = [item for item in oracle.record if isinstance(item, Word) and item.kind == kind]
        if found:
            oracle.record.remove(found[0])
            with pytest.raises((ObjectionError, AssertionError)):
                oracle.follow()
            return
    raise AssertionError(f"nothing is {kind}")

"""Who knows a card of a hand cannot find it there once the hand was restacked.

A table with keys and proofs. In each episode a thief knows where a card of its victim's hand lies:
it was shown the hand, had the hand before, gave the card, or watched it being drawn. Then the
victim restacks, and the thief names a position. It has two ways to guess: the place where the card
lay before, and the place where a card from there went the last time. Neither is better than chance.
A build that keeps the order loses to the first, one that orders twice alike to the second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Final

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.deck.keyring import SecretRow
from nodealer.games.api import Step
from nodealer.games.effects import Effect, Give, Move, Reshuffle, Restack, Show
from nodealer.games.papas import PAPAS
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.table import Replay
from nodealer.table.carrying import entered
from tests.support.rehearsal import Rehearsal, rehearsal

THIEF, VICTIM = Seat(0), Seat(1)
MINE, THEIRS = hand(THIEF), hand(VICTIM)
HELD: Final = 5
UNLIKELY: Final = 0.001
EPISODES_MAX: Final = 4000


@dataclass
class Theft:
    """A table at which one seat steals from another, again and again."""

    table: Rehearsal
    chance: Chance
    wins: Counter[str] = field(default_factory=Counter)
    went: dict[int, int] = field(default_factory=dict)
    """Where a card from each place went the last time."""

    def ask(self, *effects: Effect) -> None:
        """Let the rules ask for effects out of turn."""
        step: Step[object] = Step(self.table.position.rules, effects)
        self.table.state = Replay(entered(self.table.position, step))
        while self.table.position.underway:
            self.table.settle()

    def at(self, seat: Seat) -> tuple[SlotId, ...]:
        return self.table.position.board.at(hand(seat))

    def faces(self) -> list[str]:
        """Return what lies in the victim's hand, as all keyrings together find it."""
        position = self.table.position
        assert position.deck is not None
        ring = self.table.players[VICTIM].keyring
        slots = [position.deck.slots[slot] for slot in self.at(VICTIM)]
        points = [slot.N - ring.layer_secret(slot.layers[VICTIM]) * slot.E for slot in slots]
        return [position.deck.faces.name(point) for point in points]

    def known_by_showing(self) -> list[int]:
        """Show the hand to the thief; it knows all places."""
        self.ask(Show(self.at(VICTIM), (THIEF,), closed=True))
        return list(range(HELD))

    def known_by_having_had_it(self) -> list[int]:
        """Exchange the hands; the thief knows all places of its old one."""
        self.ask(Give(self.at(VICTIM), MINE), Give(self.at(THIEF), THEIRS))
        return list(range(HELD))

    def known_by_giving(self) -> list[int]:
        """Take a card and give another; the thief knows where that lies."""
        self.ask(Give(self.at(VICTIM)[:1], MINE))
        self.ask(Give(self.at(THIEF)[:1], THEIRS))
        return [HELD - 1]

    def known_by_watching(self) -> list[int]:
        """Let the victim discard and draw a card; the thief knows which is the new one."""
        discards = self.table.position.board.at(DISCARD)
        if not self.table.position.board.at(STOCK):
            self.ask(Reshuffle(discards, STOCK))
        drawn = self.table.position.board.at(STOCK)[:1]
        gone = self.at(VICTIM)[:1]
        self.ask(Move(gone, DISCARD), Show(gone), Move(drawn, THEIRS), Show(drawn, (VICTIM,)))
        return [HELD - 1]

    def episode(self, known: Callable[[Theft], list[int]]) -> bool:
        """Let the thief learn of a card, and guess where it is; say whether that could be tried."""
        places, faces = known(self), self.faces()
        alone = [place for place in places if faces.count(faces[place]) == 1]
        self.ask(Restack((THEIRS,)))
        if not alone:
            return False
        place = self.chance.pick(alone)
        found = self.faces().index(faces[place])
        self.wins["same place"] += found == place
        self.wins["as last time"] += found == self.went.get(place, place)
        self.went[place] = found
        return True


WAYS: Final[Sequence[Callable[[Theft], list[int]]]] = (
    Theft.known_by_showing,
    Theft.known_by_having_had_it,
    Theft.known_by_giving,
    Theft.known_by_watching,
)


def stolen(episodes: int) -> Counter[str]:
    """Return how often the thief was right, by each of its ways to guess."""
    table = rehearsal(3, PAPAS, salt=("theft", episodes))
    table.until_turn()
    theft, tried = Theft(table, Chance("theft")), 0
    for number in range(EPISODES_MAX):
        tried += theft.episode(WAYS[number % len(WAYS)])
        if tried == episodes:
            return theft.wins
    raise AssertionError("cards of their own face are rare")


def chance_of(least: int, episodes: int) -> float:
    """Return how likely it is to be right so often or more, by mere chance."""
    ways = sum(
        comb(episodes, wins) * (HELD - 1) ** (episodes - wins)
        for wins in range(least, episodes + 1)
    )
    return float(Fraction(ways, HELD**episodes))


def test_a_thief_is_right_no_oftener_than_by_chance(is_full: bool) -> None:
    episodes = 1000 if is_full else 100
    wins = stolen(episodes)
    for guess in ("same place", "as last time"):
        assert chance_of(wins[guess], episodes) > UNLIKELY, guess


def in_order(_: SecretRow, size: int) -> list[int]:
    """Keep the order."""
    return list(range(size))


def the_same(_: SecretRow, size: int) -> list[int]:
    """Order as the time before."""
    return [*range(2, size), 0, 1]


@pytest.mark.parametrize(
    ("planted", "guess"), [(in_order, "same place"), (the_same, "as last time")]
)
def test_a_thief_wins_where_the_order_can_be_told(
    planted: Callable[[SecretRow, int], list[int]], guess: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SecretRow, "permutation", planted)
    episodes = 20
    wins = stolen(episodes)[guess]
    # Where it ordered twice alike, the thief has to see every place once.
    assert wins >= episodes - HELD
    assert chance_of(wins, episodes) < UNLIKELY

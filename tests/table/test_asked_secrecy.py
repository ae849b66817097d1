"""Nobody sees a card early in a game with sealed choices and verdicts, whatever coalition looks.

Who may see a card is written down here anew, from where it lies: a hand is its holder's, a pair is
all others', the trick is everybody's once the chosen cards are opened, the stock is nobody's.
"""

from __future__ import annotations

import pytest

from nodealer.cards import hand
from nodealer.deck import PUBLIC, OpenKey, ReleasePart
from nodealer.kernel import Seat, SlotId
from tests.games.pairs import PAIRS, State, pair
from tests.support.coalition import Watcher
from tests.support.fleet import Fleet, WatchedKeyring
from tests.support.rehearsal import rehearsal
from tests.table.test_secrecy import Audit


class AskedAudit(Audit):
    """An audit of the game that asks."""

    def _expect(self) -> None:
        position = self.table.position
        deck, rules = position.deck, position.rules
        assert deck is not None
        assert isinstance(rules, State)
        for number in deck.slots:
            self.expected.setdefault(number, frozenset())
        for seat in position.roster:
            self._add(position.board.at(hand(seat)), frozenset({seat}))
            self._add(position.board.at(pair(seat)), frozenset(set(position.roster) - {seat}))
        self._add(tuple(slot for _, slot in rules.chosen), frozenset({PUBLIC}))

    def _add(self, slots: tuple[SlotId, ...], seats: frozenset[Seat]) -> None:
        for slot in slots:
            self.expected[slot] |= seats


def audit(seats: int, salt: object, policy: str = "continue") -> AskedAudit:
    """Return a game that is listened to from its very beginning."""
    table = rehearsal(seats, PAIRS, salt=salt, policy=policy)
    table.settle()
    deck = table.position.work
    assert deck is not None
    rings = {}
    for seat, player in table.players.items():
        assert isinstance(player.keyring, WatchedKeyring)
        rings[seat] = player.keyring
    return AskedAudit(table, Watcher(Fleet(deck, rings)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nobody_sees_a_card_early(seats: int, is_full: bool) -> None:
    for number in range(3 if is_full else 1):
        audit(seats, ("secrecy", number)).go_on(16)


@pytest.mark.parametrize("policy", ["continue", "void"])
def test_nobody_sees_a_card_early_when_a_seat_is_left_out(policy: str, is_full: bool) -> None:
    for entries in range(2, 15) if is_full else (4, 5, 7):
        made = audit(3, ("leaving", policy), policy)
        made.go_on(entries)
        made.table.evict(Seat(entries % 3))
        made.has_lost_seats = True
        made.go_on(12)


def test_releases_that_were_broken_off_show_nothing_but_what_was_granted() -> None:
    """All have opened what they chose when a seat is left out; it is counted as seen by all."""
    made = audit(3, "broken off")
    while made.table.position.program.step != "release" or not made.table.moment.height > 4:
        made.go_on(1)
    made.table._note(made.table.contributions())
    made.table.evict(Seat(1))
    made.has_lost_seats = True
    made.go_on(6)


def test_a_chosen_card_that_is_opened_too_early_is_noticed() -> None:
    made = audit(3, "planted")
    while made.table.position.program.step != "choose":
        made.go_on(1)
    deck = made.table.position.deck
    assert deck is not None
    number = made.table.position.board.at(hand(Seat(1)))[0]
    layer = deck.slots[number].layers[Seat(1)]
    key = OpenKey(made.table.players[Seat(1)].keyring.layer_secret(layer))
    made.watcher.hear(deck, Seat(1), ReleasePart((key,)))
    readers = {found.coalition for found in made.findings() if found.why.startswith("reads")}
    assert {frozenset({Seat(0)}), frozenset({Seat(2)})} <= readers

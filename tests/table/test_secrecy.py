"""No card is seen early: at every height, by nobody, whatever coalition puts its keys together.

Everything that seats send is heard by a watcher who also computes, for every coalition of seats,
which cards its keys and all that was sent are enough for. That is compared with who may see a card
by the rules of the game, written down here anew from where cards lie: a hand is its holder's, the
stock nobody's, the discards everybody's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from nodealer.cards import DISCARD, hand
from nodealer.deck import PUBLIC, Deck, OpenKey, ReleasePart, deck_messages
from nodealer.kernel import Seat, SlotId
from nodealer.ledger import Authored, Closed
from nodealer.table import Acted, Replay, read_action
from tests.support.coalition import Finding, Watcher
from tests.support.fleet import Fleet, WatchedKeyring
from tests.support.rehearsal import Rehearsal, rehearsal


@dataclass
class Audit:
    """A rehearsal, and the watcher that hears all of it."""

    table: Rehearsal
    watcher: Watcher
    heard: int = 0
    has_lost_seats: bool = False
    expected: dict[SlotId, frozenset[Seat]] = field(default_factory=dict)

    def findings(self) -> list[Finding]:
        """Return what some coalition can read and must not, or cannot and should."""
        position, fleet = self.table.position, self.watcher.fleet
        self._hear()
        if position.deck is None or not position.deck.slots:
            return []
        fleet.deck = position.deck
        self._expect()
        self.watcher.expected = self.expected
        is_settled = not position.deck.owed and not self.has_lost_seats
        return [
            found
            for found in self.watcher.findings(settled=is_settled)
            if not self._is_everybody(found)
        ]

    def go_on(self, entries: int) -> None:
        """Go on by so many entries; nothing may be found after any of them."""
        for _ in range(entries):
            assert self.findings() == [], self.table.moment.height
            if not isinstance(self.table.duty, Closed):
                self.table.step()
        assert self.findings() == []

    def until_turn(self) -> None:
        """Go on to the next turn."""
        while not isinstance(self.table.duty, Authored):
            self.go_on(1)

    def _is_everybody(self, found: Finding) -> bool:
        """Say whether the coalition is all seats of the epoch: they have every layer."""
        layers = self.watcher.cards[found.card].slot.layers
        return found.why != "cannot finish" and found.coalition >= set(layers)

    def _hear(self) -> None:
        for deck, seat, kind, data in self.table.sent[self.heard :]:
            for part in parts_of(deck, kind, data):
                self.watcher.hear(deck, seat, part)
        self.heard = len(self.table.sent)

    def _expect(self) -> None:
        """Note who may see each card in play by where it lies, cards that were open included."""
        board, roster = self.table.position.board, self.table.position.roster
        deck = self.table.position.deck
        assert deck is not None
        for number in deck.slots:
            self.expected.setdefault(number, frozenset())
        for seat in roster:
            for number in board.at(hand(seat)):
                self.expected[number] |= {seat}
        for number in board.at(DISCARD):
            self.expected[number] |= {PUBLIC}


def parts_of(deck: Deck, kind: str, data: bytes) -> Iterator[object]:
    """Yield the parts of the deck in a payload or an action."""
    messages = deck_messages(deck.group)
    if kind != "action":
        yield messages.read_any(data)
        return
    acted = read_action(data)
    for opening in acted.openings if isinstance(acted, Acted) else ():
        yield messages.read_any(opening)


def audit(seats: int, salt: object, policy: str = "redeal") -> Audit:
    """Return a game that is listened to from its very beginning."""
    table = rehearsal(seats, salt=salt, policy=policy)
    table.settle()
    deck = table.position.work
    assert deck is not None
    rings = {}
    for seat, player in table.players.items():
        assert isinstance(player.keyring, WatchedKeyring)
        rings[seat] = player.keyring
    return Audit(table, Watcher(Fleet(deck, rings)))


@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_sees_a_card_early(seats: int, is_full: bool) -> None:
    for number in range(5 if is_full else 1):
        audit(seats, ("secrecy", number)).go_on(300 if is_full else 40)


@pytest.mark.parametrize("policy", ["redeal", "void"])
def test_nobody_sees_a_card_early_when_a_seat_is_left_out(policy: str, is_full: bool) -> None:
    for entries in range(1, 30) if is_full else (3, 9):
        made = audit(3, ("leaving", policy), policy)
        made.go_on(entries)
        made.table.evict(Seat(entries % 3))
        made.has_lost_seats = True
        made.go_on(12)


def test_a_release_that_is_sent_too_early_is_noticed() -> None:
    """Two seats open their layers of a card in the stock: the third reads it, with or without."""
    made = audit(3, "planted")
    made.until_turn()
    deck = made.table.position.deck
    assert deck is not None
    number = max(deck.slots)
    for seat in (Seat(1), Seat(2)):
        layer = deck.slots[number].layers[seat]
        key = OpenKey(made.table.players[seat].keyring.layer_secret(layer))
        made.watcher.hear(deck, seat, ReleasePart((key,)))
    readers = {found.coalition for found in made.findings() if found.why.startswith("reads")}
    assert {frozenset({Seat(0)}), frozenset({Seat(0), Seat(1)})} <= readers


def test_a_plan_that_opens_too_much_is_noticed() -> None:
    """The holder of a dealt card opens its layer as well: then the card is everybody's."""
    made = audit(3, "planted plan")
    while made.table.position.deck is None or not made.table.position.deck.owed:
        made.go_on(1)
    table = made.table
    deck = table.position.deck
    assert deck is not None
    owed = {
        number: replace(plan, guard=None, viewers=(), opens=deck.roster)
        for number, plan in deck.owed.items()
    }
    leaky = replace(deck, owed=MappingProxyType(owed))
    table.state = Replay(replace(table.position, deck=leaky))
    table.settle()
    assert any(found.why.startswith("reads") for found in made.findings())


def test_a_view_holds_nothing_but_what_its_seat_may_know() -> None:
    """Hands, stock and discards at every height, for every seat and for a spectator."""
    table = rehearsal(3, salt="views")
    while not isinstance(table.duty, Closed):
        for viewer in (*table.position.roster, None):
            view = table.position.view() if viewer is None else table.view(viewer)
            for zone in view.zones:
                faces = [card.face for card in zone.cards]
                if zone.name == "discard":
                    open_now = table.position.deck is not None and not table.position.deck.owed
                    assert not open_now or all(faces)
                elif zone.name == "hand" and zone.seat == viewer and viewer is not None:
                    owed = table.position.deck.owed if table.position.deck else {}
                    for card in zone.cards:
                        assert (card.face is None) == (card.slot in owed)
                else:
                    assert not any(faces)
        table.step()

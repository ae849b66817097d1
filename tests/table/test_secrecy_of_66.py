"""Nobody's node ever holds a face of 66 that its player may not see, whoever works together.

Everything that seats send is heard by a watcher, who computes for every coalition of seats which
cards their keys and all those bytes are enough for, with the deck's own opening code. That is
compared at every height with who was shown what by the game, as a dealer with open cards notes it:
of the first two cards, of what was drawn, peeked at, claimed and exchanged.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from nodealer.cards import hand
from nodealer.deck import PUBLIC, OpenKey, ReleasePart
from nodealer.games.registry import game
from nodealer.kernel import Seat, SlotId, Value
from nodealer.kernel.chance import Chance
from nodealer.ledger import Authored, Closed
from nodealer.table import Replay
from tests.games.sixty_six.positions import KindBot
from tests.support.coalition import Watcher
from tests.support.fleet import Fleet, WatchedKeyring
from tests.support.rehearsal import rehearsal
from tests.table.test_secrecy import Audit
from tests.table.twin import Twin

VARIANTS = pytest.mark.parametrize("variant", ["v1", "v2"])


@dataclass
class Claims(Audit):
    """A game of 66 that is listened to, and the dealer who plays the same one."""

    twin: Twin | None = None
    chance: Chance = field(default_factory=lambda: Chance("claims"))

    def go_on(self, entries: int) -> None:
        """Go on by so many entries; nothing may be found after any of them."""
        for _ in range(entries):
            if isinstance(self.table.duty, Closed):
                return
            self.step()
            assert self.findings() == [], self.table.moment.height

    def step(self) -> None:
        """Go on by one entry: what is due, or anything that the seat on turn may do but stop."""
        assert self.twin is not None
        if not isinstance(self.table.duty, Authored):
            self.twin.settle()
            return
        seat = self.table.duty.seat
        view = self.table.view(seat)
        legal = [one for one in self.table.setting.game.legal(view) if one.kind != "stop-round"]
        self.twin.act(seat, KindBot().choose(view, legal, self.chance))

    def _expect(self) -> None:
        """Note who was shown each card; the dealer notes a card as soon as it is asked for."""
        assert self.twin is not None
        pack, deck = self.twin.dealer.pack, self.table.position.deck
        assert deck is not None
        for number in deck.slots:
            shown = {seat for seat, known in pack.notebooks.items() if number in known}
            shown |= {PUBLIC} if number in pack.board.faces else set()
            self.expected[number] = self.expected.get(number, frozenset()) | shown


def listened_to(seats: int, variant: str, salt: Value) -> Claims:
    """Return a game of 66 whose first deck is being made."""
    table = rehearsal(seats, game("66"), options={"variant": variant}, salt=salt)
    twin = Twin(table)
    twin.act(*table.choose())
    twin.settle()
    deck = table.position.work
    assert deck is not None
    rings = {}
    for seat, player in table.players.items():
        assert isinstance(player.keyring, WatchedKeyring)
        rings[seat] = player.keyring
    return Claims(table, Watcher(Fleet(deck, rings)), twin=twin, chance=Chance("claims", salt))


@VARIANTS
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_can_finish_a_card_that_it_was_not_shown(
    variant: str, seats: int, is_full: bool
) -> None:
    told: Counter[str] = Counter()
    for number in range(4 if is_full else 1):
        made = listened_to(seats, variant, ("secrecy of 66", variant, seats, number))
        made.go_on(400 if is_full else 60)
        told.update(one.kind for one in made.table.events)
    assert {"compared", "replaced", "discarded"} <= set(told)


@VARIANTS
def test_nor_when_a_round_is_void_because_a_seat_is_left_out(variant: str, is_full: bool) -> None:
    for entries in range(1, 30) if is_full else (3, 12):
        made = listened_to(3, variant, ("leaving 66", variant))
        made.go_on(entries)
        assert made.twin is not None
        made.twin.evict(Seat(entries % 3))
        made.has_lost_seats = True
        made.go_on(14)
        assert "voided" in {one.kind for one in made.table.events} or entries < 5


def test_keys_that_are_sent_unasked_are_noticed() -> None:
    """All others open their layers of a card that nobody has seen: then its owner can see it."""
    made = listened_to(3, "v1", "planted")
    while not isinstance(made.table.duty, Authored):
        made.go_on(1)
    deck = made.table.position.deck
    assert deck is not None
    number = made.table.position.board.at(hand(Seat(0)))[3]
    for seat in (Seat(1), Seat(2)):
        layer = deck.slots[number].layers[seat]
        key = OpenKey(made.table.players[seat].keyring.layer_secret(layer))
        made.watcher.hear(deck, seat, ReleasePart((key,)))
    readers = {one.coalition for one in made.findings() if one.why.startswith("reads")}
    assert frozenset({Seat(0)}) in readers


def test_a_claim_that_its_owner_can_see_is_noticed() -> None:
    """A plan that opens the layer of the guard as well shows the cards to everybody."""
    made = listened_to(3, "v1", "planted plan")
    while not sealed_plans(made):
        made.go_on(1)
    table, deck = made.table, made.table.position.deck
    assert deck is not None
    owed = {
        number: replace(plan, guard=None, viewers=(), opens=tuple(deck.slots[number].layers))
        for number, plan in deck.owed.items()
    }
    leaky = replace(deck, owed=MappingProxyType(owed))
    table.state = Replay(replace(table.position, deck=leaky))
    table.settle()
    assert any(one.why.startswith("reads") for one in made.findings())


def sealed_plans(made: Claims) -> list[SlotId]:
    """Return the cards that are being shown to some seats and kept from others."""
    deck = made.table.position.deck
    return [] if deck is None else [number for number, plan in deck.owed.items() if plan.viewers]

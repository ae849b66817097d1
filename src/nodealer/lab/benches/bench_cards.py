"""Whole tables in one thread, for measuring: every seat has a deck of its own and checks the rest.

Nothing is shared between the seats. Each makes its parts from its own keyring and state, checks the
parts of all others, and takes them into its own deck, as it would on a machine of its own. What is
left out is what comes around the deck: messages as bytes, signatures, the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from nodealer.cards import STOCK, Composition, hand
from nodealer.crypto import SECP256K1
from nodealer.deck import (
    Deck,
    Keyring,
    ProofMoment,
    Stage,
    announce,
    check_deck_key,
    check_mask,
    check_releases,
    check_sealing_key,
    check_shuffle,
    make_deck_key,
    make_mask,
    make_releases,
    make_sealing_key,
    make_shuffle,
    new_deck,
    next_shuffler,
    owing,
    take_deck_keys,
    take_masks,
    take_releases,
    take_shuffle,
    vouch_mask,
    vouch_shuffle,
)
from nodealer.kernel import EntryId, EpochId, Height, Seat, SlotId, TableId, digest

GROUP: Final = SECP256K1

HAND: Final = 5
"""Cards that a measured deal gives to each seat, as far as the deck reaches."""


class BenchTable:
    """All seats of one table, each with its own copy of the deck."""

    def __init__(self, seats: int, composition: Composition) -> None:
        self.table = TableId(filler("table"))
        terms = filler("terms")
        self.rings = {
            Seat(seat): Keyring(GROUP, Seat(seat), filler(f"seed {seat}")) for seat in range(seats)
        }
        sealing = {
            seat: check_sealing_key(GROUP, terms, seat, b"", make_sealing_key(ring, terms, b""))
            for seat, ring in self.rings.items()
        }
        deck = new_deck(GROUP, self.table, terms, EpochId(filler("epoch")), sealing, composition)
        self.decks = dict.fromkeys(self.rings, deck)
        self._height = 0

    @property
    def deck(self) -> Deck:
        """The deck as seat 0 holds it; all seats hold the same."""
        return self.decks[Seat(0)]

    def moment(self) -> ProofMoment:
        """Return the next moment of the table."""
        self._height += 1
        parent = EntryId(filler(f"entry {self._height}"))
        return ProofMoment(self.table, Height(self._height), parent, b"bench")

    def deal(self) -> None:
        """Make the deck and deal a hand to each seat, everything proven and checked."""
        self.deck_made()
        cards = min(HAND, len(self.deck.layout.at(STOCK)) // len(self.rings))
        dealt = [self.moved(seat, cards) for seat in self.rings]
        self.grant(
            (slot, (seat,)) for seat, slots in zip(self.rings, dealt, strict=True) for slot in slots
        )

    def deck_made(self) -> None:
        """Keys, all shuffles and the mask."""
        self.keys()
        while self.deck.stage is Stage.SHUFFLE:
            self.shuffle()
        self.mask()

    def keys(self) -> None:
        """Every seat shows its deck key; every seat checks all of them."""
        at = self.moment()
        made = {seat: make_deck_key(self.decks[seat], ring, at) for seat, ring in self._each()}
        self._take(
            lambda deck, _: take_deck_keys(
                deck, [check_deck_key(deck, at, seat, part) for seat, part in made.items()]
            )
        )

    def shuffle(self) -> None:
        """The next seat shuffles; every other seat checks it."""
        at, seat = self.moment(), next_shuffler(self.deck)
        ring = self.rings[seat]
        part = make_shuffle(self.decks[seat], ring, at)
        self._take(
            lambda deck, viewer: take_shuffle(
                deck,
                vouch_shuffle(deck, ring, at, part)
                if viewer == seat
                else check_shuffle(deck, at, seat, part),
            )
        )

    def mask(self) -> None:
        """Every seat masks the deck; every seat checks all the others."""
        at = self.moment()
        made = {seat: make_mask(self.decks[seat], ring, at) for seat, ring in self._each()}
        self._take(
            lambda deck, viewer: take_masks(
                deck,
                [
                    vouch_mask(deck, self.rings[seat], at, part)
                    if viewer == seat
                    else check_mask(deck, at, seat, part)
                    for seat, part in made.items()
                ],
            )
        )

    def hand_out(self, seat: Seat, cards: int) -> None:
        """Deal cards to one seat, which sees them."""
        self.grant((slot, (seat,)) for slot in self.moved(seat, cards))

    def moved(self, seat: Seat, cards: int) -> tuple[SlotId, ...]:
        """Let cards of the stock lie in a hand from now on, unseen."""
        slots = self.deck.layout.at(STOCK)[:cards]
        self._take(lambda deck, _: deck.with_layout(deck.layout.moved(slots, STOCK, hand(seat))))
        return slots

    def grant(self, wishes: Iterable[tuple[SlotId, tuple[Seat, ...]]]) -> None:
        """Agree on audiences; every seat releases what it owes and checks all releases."""
        agreed = list(wishes)
        self._take(lambda deck, _: announce(deck, agreed))
        if self.deck.stage is not Stage.RELEASE:
            return
        at = self.moment()
        made = {
            seat: make_releases(self.decks[seat], self.rings[seat], at) for seat in owing(self.deck)
        }
        self._take(
            lambda deck, _: take_releases(
                deck, [check_releases(deck, at, seat, part) for seat, part in made.items()]
            )
        )

    def _each(self) -> Iterable[tuple[Seat, Keyring]]:
        return self.rings.items()

    def _take(self, step: Callable[[Deck, Seat], Deck]) -> None:
        """Let every seat take a step with its own deck."""
        self.decks = {seat: step(deck, seat) for seat, deck in self.decks.items()}


def faces(count: int, *, alike: bool = False) -> Composition:
    """Return a deck of this many different faces, or of one face alone."""
    names: Mapping[str, int] = {"A": count} if alike else {f"F{i}": 1 for i in range(count)}
    return Composition.of(names)


def filler(text: str) -> bytes:
    """Return 32 bytes for an id or seed; figures do not depend on their values."""
    return digest("nodealer/1/bench-id", text)

"""All seats of one table in one process, driving the real deck code.

A `Fleet` holds the public deck and one keyring for each seat. Its methods run one whole operation
each: every owing seat makes its part, the part is checked as any other seat would check it, and the
deck takes it in. Everything that was ever sent is kept in `sent`, with the deck over which it was
made, so that other checks can ask what a coalition could do with it.

Nothing here is random: the same arguments give the same bytes.

The keyrings keep a note of the randomness that they draw (`WatchedKeyring`), since a seat that drew
it knows it: who hands a card over knows the exponent of the new ciphertext.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from nodealer.cards import STOCK, Composition, Zone, hand
from nodealer.crypto import SECP256K1, Group
from nodealer.deck import (
    Deck,
    Keyring,
    ProofMoment,
    Stage,
    announce,
    check_deck_key,
    check_mask,
    check_releases,
    check_restack,
    check_return,
    check_reveal,
    check_sealing_key,
    check_shuffle,
    check_transfer,
    gather,
    make_deck_key,
    make_mask,
    make_releases,
    make_restack,
    make_return,
    make_reveal,
    make_sealing_key,
    make_shuffle,
    make_transfer,
    new_deck,
    next_shuffler,
    owing,
    returns_due,
    see,
    take_deck_keys,
    take_masks,
    take_releases,
    take_restacks,
    take_reveal,
    take_shuffle,
    take_transfers,
)
from nodealer.deck.keyring import SecretRow
from nodealer.kernel import EntryId, EpochId, Height, Seat, SlotId, TableId, Value

PartT = TypeVar("PartT")


def hashed(*items: object) -> bytes:
    """Return 32 bytes that depend on the items: an id or a seed for tests."""
    return sha256(repr(items).encode()).digest()


def identity_of(seat: Seat) -> bytes:
    """Return what stands for a seat's identity key in tests of the deck."""
    return hashed("identity", seat)


class _WatchedRow(SecretRow):
    """Scalars of one operation; each one drawn is noted."""

    __slots__ = ("_drawn",)

    def __init__(self, row: SecretRow, drawn: list[int]) -> None:
        super().__init__(row._seed, row._label, row._context)
        self._drawn = drawn

    def scalar(self, index: int = 0) -> int:
        self._drawn.append(super().scalar(index))
        return self._drawn[-1]


class WatchedKeyring(Keyring):
    """A keyring that notes every random scalar it draws for an operation."""

    __slots__ = ("drawn",)

    def __init__(self, group: Group, seat: Seat, seed: bytes) -> None:
        super().__init__(group, seat, seed)
        self.drawn: list[int] = []

    def randomness(self, operation: str, moment: ProofMoment, *inputs: Value) -> SecretRow:
        return _WatchedRow(super().randomness(operation, moment, *inputs), self.drawn)


@dataclass
class Fleet:
    """A deck and the keyrings of all its seats.

    `decks` holds every state of the deck in order; `about` holds for each item of `sent` the slots
    that its maker named, which are in no part.
    """

    deck: Deck
    rings: dict[Seat, WatchedKeyring]
    height: int = 0
    sent: list[tuple[Deck, ProofMoment, Seat, object]] = field(default_factory=list)
    about: list[tuple[SlotId, ...]] = field(default_factory=list)
    decks: list[Deck] = field(init=False)

    def __setattr__(self, name: str, value: object) -> None:
        """Keep every state that the deck had."""
        if name == "deck" and isinstance(value, Deck):
            self.__dict__.setdefault("decks", []).append(value)
        super().__setattr__(name, value)

    def moment(self, step: str) -> ProofMoment:
        """Return the next moment of this table."""
        self.height += 1
        parent = EntryId(hashed("entry", self.deck.table, self.height))
        return ProofMoment(self.deck.table, Height(self.height), parent, step.encode())

    def send(
        self, moment: ProofMoment, seat: Seat, part: PartT, about: Sequence[SlotId] = ()
    ) -> PartT:
        """Keep what a seat sent."""
        self.sent.append((self.deck, moment, seat, part))
        self.about.append(tuple(about))
        return part

    def keys(self) -> None:
        """Every seat shows its deck key."""
        at, deck = self.moment("keys"), self.deck
        parts = [
            check_deck_key(deck, at, s, self.send(at, s, make_deck_key(deck, self.rings[s], at)))
            for s in deck.roster
        ]
        self.deck = take_deck_keys(deck, parts)

    def shuffle(self) -> None:
        """Every seat shuffles the pile in turn."""
        while self.deck.stage is Stage.SHUFFLE:
            at, deck, seat = self.moment("shuffle"), self.deck, next_shuffler(self.deck)
            part = self.send(at, seat, make_shuffle(deck, self.rings[seat], at))
            self.deck = take_shuffle(deck, check_shuffle(deck, at, seat, part))

    def mask(self) -> None:
        """Every seat masks the pile."""
        at, deck = self.moment("mask"), self.deck
        parts = [
            check_mask(deck, at, s, self.send(at, s, make_mask(deck, self.rings[s], at)))
            for s in deck.roster
        ]
        self.deck = take_masks(deck, parts)

    def mix(self) -> None:
        """Shuffle and mask the pile."""
        self.shuffle()
        self.mask()

    def grant(self, wishes: Iterable[tuple[SlotId, Iterable[Seat]]]) -> None:
        """Agree on audiences and send every release that this takes."""
        self.deck = announce(self.deck, wishes)
        self.release()

    def release(self) -> None:
        """Send every release that is owed."""
        if self.deck.stage is not Stage.RELEASE:
            return
        at, deck = self.moment("release"), self.deck
        parts = [
            check_releases(deck, at, s, self.send(at, s, make_releases(deck, self.rings[s], at)))
            for s in owing(deck)
        ]
        self.deck = take_releases(deck, parts)

    def deal(self, seat: Seat, count: int, *, seen: bool = True) -> tuple[SlotId, ...]:
        """Move cards from the stock to a hand; its owner sees them unless told otherwise."""
        slots = self.deck.layout.at(STOCK)[:count]
        self.deck = self.deck.with_layout(self.deck.layout.moved(slots, STOCK, hand(seat)))
        if seen:
            self.grant([(slot, (seat,)) for slot in slots])
        return slots

    def reveal(self, seat: Seat, slot: SlotId) -> str:
        """A seat turns over a card that it can see."""
        at, deck = self.moment("play"), self.deck
        part = self.send(at, seat, make_reveal(deck, self.rings[seat], at, slot), [slot])
        vetted = check_reveal(deck, at, seat, slot, part)
        self.deck = take_reveal(deck, vetted)
        return vetted.part.face

    def restack(self, seat: Seat, zone: Zone | None = None) -> None:
        """A seat restacks its hand."""
        at, deck, where = self.moment("restack"), self.deck, zone or hand(seat)
        slots = deck.layout.at(where)
        part = self.send(at, seat, make_restack(deck, self.rings[seat], at, where), slots)
        self.deck = take_restacks(deck, [check_restack(deck, at, seat, where, part)])

    def transfer(self, giver: Seat, slots: Sequence[SlotId], receiver: Seat) -> None:
        """A seat hands cards to another."""
        at, deck = self.moment("move"), self.deck
        part = make_transfer(deck, self.rings[giver], at, slots, receiver)
        self.send(at, giver, part, slots)
        vetted = check_transfer(deck, at, giver, slots, receiver, part)
        self.deck = take_transfers(deck, [vetted])

    def gather(self, slots: Sequence[SlotId], zone: Zone = STOCK) -> None:
        """Take cards back into a pile, their holders' proofs included."""
        at, deck = self.moment("return"), self.deck
        parts = []
        for s in returns_due(deck, slots):
            part = self.send(at, s, make_return(deck, self.rings[s], at, slots), slots)
            parts.append(check_return(deck, at, s, slots, part))
        self.deck = gather(deck, slots, zone, parts)

    def faces(self, seat: Seat, slots: Iterable[SlotId]) -> list[str]:
        """Return what a seat sees on these slots."""
        return [see(self.deck, self.rings[seat], slot) for slot in slots]


def fleet(
    seats: int, composition: Composition, *, group: Group = SECP256K1, salt: object = 0
) -> Fleet:
    """Return a fleet before the keys of its first epoch."""
    terms = hashed("terms", salt)
    rings = {
        Seat(seat): WatchedKeyring(group, Seat(seat), hashed("seed", salt, seat))
        for seat in range(seats)
    }
    sealing = {
        seat: check_sealing_key(
            group, terms, seat, identity_of(seat), make_sealing_key(ring, terms, identity_of(seat))
        )
        for seat, ring in rings.items()
    }
    table, epoch = TableId(hashed("table", salt)), EpochId(hashed("epoch", salt))
    return Fleet(new_deck(group, table, terms, epoch, sealing, composition), rings)


def mixed(
    seats: int, composition: Composition, *, group: Group = SECP256K1, salt: object = 0
) -> Fleet:
    """Return a fleet whose deck is shuffled, masked and lies in the stock."""
    made = fleet(seats, composition, group=group, salt=salt)
    made.keys()
    made.mix()
    return made

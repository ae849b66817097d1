"""Three seats make a proven deck, deal a hand each, show one card to one seat, and play it.

All seats run in one program here, so nothing is sent: each part goes straight from the seat that
makes it to the check that every other seat would do. At a real table a part travels as
`deck_messages(SECP256K1).write(part)`, signed, and each seat keeps a deck of its own.

    python examples/deal.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from nodealer import deck as ops
from nodealer.cards import STOCK, Composition, hand
from nodealer.crypto import SECP256K1
from nodealer.kernel import EntryId, EpochId, Height, Seat, SlotId, TableId, digest

SEATS = [Seat(0), Seat(1), Seat(2)]
TABLE, TERMS = TableId(os.urandom(32)), os.urandom(32)
RINGS = {seat: ops.Keyring(SECP256K1, seat, os.urandom(32)) for seat in SEATS}


def moments() -> Iterator[ops.ProofMoment]:
    """Give every step its place in the history; the parent is the hash of the entry before."""
    height = 0
    while True:
        height += 1
        yield ops.ProofMoment(TABLE, Height(height), EntryId(digest("example", height)), b"step")


MOMENTS = moments()


def made_deck(faces: Composition) -> ops.Deck:
    """Keys, a shuffle by every seat, and the mask: everything proven, everything checked."""
    sealing = {
        seat: ops.check_sealing_key(
            SECP256K1, TERMS, seat, b"identity", ops.make_sealing_key(ring, TERMS, b"identity")
        )
        for seat, ring in RINGS.items()
    }
    deck = ops.new_deck(SECP256K1, TABLE, TERMS, EpochId(os.urandom(32)), sealing, faces)
    at = next(MOMENTS)
    deck = ops.take_deck_keys(
        deck,
        [ops.check_deck_key(deck, at, s, ops.make_deck_key(deck, RINGS[s], at)) for s in SEATS],
    )
    while deck.stage is ops.Stage.SHUFFLE:
        at, seat = next(MOMENTS), ops.next_shuffler(deck)
        part = ops.make_shuffle(deck, RINGS[seat], at)
        deck = ops.take_shuffle(deck, ops.check_shuffle(deck, at, seat, part))
    at = next(MOMENTS)
    return ops.take_masks(
        deck, [ops.check_mask(deck, at, s, ops.make_mask(deck, RINGS[s], at)) for s in SEATS]
    )


def shown(deck: ops.Deck, slots: Sequence[SlotId], seat: Seat) -> ops.Deck:
    """Agree that a seat may see some slots; the others release what it lacks."""
    deck = ops.announce(deck, [(slot, [seat]) for slot in slots])
    at = next(MOMENTS)
    return ops.take_releases(
        deck,
        [
            ops.check_releases(deck, at, s, ops.make_releases(deck, RINGS[s], at))
            for s in ops.owing(deck)
        ],
    )


def main() -> None:
    """Deal, show, play."""
    deck = made_deck(Composition.of(dict.fromkeys(("7", "8", "9", "10", "J", "Q"), 2)))
    for seat in SEATS:
        slots = deck.layout.at(STOCK)[:3]
        deck = deck.with_layout(deck.layout.moved(slots, STOCK, hand(seat)))
        deck = shown(deck, slots, seat)
        print(f"seat {seat} holds", [ops.see(deck, RINGS[seat], slot) for slot in slots])
    card = deck.layout.at(hand(SEATS[0]))[0]
    deck = shown(deck, [card], SEATS[1])
    print("seat 1 is shown", ops.see(deck, RINGS[SEATS[1]], card))
    at = next(MOMENTS)
    part = ops.make_reveal(deck, RINGS[SEATS[0]], at, card)
    deck = ops.take_reveal(deck, ops.check_reveal(deck, at, SEATS[0], card, part))
    print("seat 0 plays", deck.slot(card).face)


if __name__ == "__main__":
    main()

"""Coins that nobody can bias, and choices that nobody sees in time."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from nodealer.cards import DISCARD, hand
from nodealer.deck import (
    CommitPart,
    OpenPart,
    announce,
    check_coin,
    check_open,
    coin,
    coin_value,
    draw,
    make_commit,
    make_open,
    see,
)
from nodealer.kernel import LocalError, PeerError, Reason, Seat, TableId
from nodealer.kernel.limits import OPENED_VALUE_BYTES_MAX
from tests.support.fleet import Fleet, hashed
from tests.support.tables import P, Q, table

LABEL = b"first player"


def tossed(made: Fleet, label: bytes = LABEL) -> dict[Seat, bytes]:
    """Let every seat commit, and then open."""
    at = made.deck.table
    values = {seat: coin_value(ring, at, label) for seat, ring in made.rings.items()}
    committed = {s: make_commit(made.rings[s], at, label, value) for s, value in values.items()}
    opened = {s: make_open(made.rings[s], at, label, value) for s, value in values.items()}
    return {seat: check_open(at, label, seat, committed[seat], opened[seat]) for seat in values}


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_every_seat_decides_the_coin(seats: int) -> None:
    made = table(seats)
    values = tossed(made)
    result = coin(made.deck.table, LABEL, values, values)
    assert len(result) == 32
    assert coin(made.deck.table, LABEL, reversed(list(values)), values) == result
    assert coin(made.deck.table, LABEL, values, dict(reversed(values.items()))) == result
    assert coin(made.deck.table, b"other", values, values) != result
    for seat in values:
        other = {**values, seat: hashed("other", seat)}
        assert coin(made.deck.table, LABEL, values, other) != result


def test_a_seat_that_did_not_open_voids_the_coin() -> None:
    made = table(3)
    values = tossed(made)
    del values[Q]
    with pytest.raises(LocalError) as refusal:
        coin(made.deck.table, LABEL, made.rings, values)
    assert refusal.value.reason is Reason.COMMIT_MISSING
    with pytest.raises(LocalError, match="commit/missing"):
        coin(made.deck.table, LABEL, [], values)


def test_a_coin_of_another_length_is_refused() -> None:
    made = table(2)
    at, ring = made.deck.table, made.rings[Q]
    for value in (b"short", bytes(33)):
        committed, opened = make_commit(ring, at, LABEL, value), make_open(ring, at, LABEL, value)
        assert check_open(at, LABEL, Q, committed, opened) == value
        with pytest.raises(PeerError) as refusal:
            check_coin(at, LABEL, Q, committed, opened)
        assert refusal.value.reason is Reason.COMMIT_LENGTH
        with pytest.raises(LocalError, match="commit/length"):
            coin(at, LABEL, [P, Q], {**tossed(made), Q: value})


def test_a_coin_that_fits_is_taken() -> None:
    made = table(2)
    at, ring = made.deck.table, made.rings[Q]
    value = coin_value(ring, at, LABEL)
    committed, opened = make_commit(ring, at, LABEL, value), make_open(ring, at, LABEL, value)
    assert check_coin(at, LABEL, Q, committed, opened) == value
    with pytest.raises(PeerError, match="commit/mismatch"):
        check_coin(at, LABEL, P, committed, opened)


def test_an_opening_fits_one_commitment_only() -> None:
    made = table(2)
    at, ring = made.deck.table, made.rings[P]
    committed, opened = make_commit(ring, at, LABEL, b"rock"), make_open(ring, at, LABEL, b"rock")
    assert check_open(at, LABEL, P, committed, opened) == b"rock"
    other_table = TableId(hashed("other"))
    attempts = [
        (Reason.COMMIT_MISMATCH, at, LABEL, Q, committed, opened),
        (Reason.COMMIT_MISMATCH, other_table, LABEL, P, committed, opened),
        (Reason.COMMIT_MISMATCH, at, b"other", P, committed, opened),
        (Reason.COMMIT_MISMATCH, at, LABEL, P, committed, replace(opened, value=b"paper")),
        (Reason.COMMIT_MISMATCH, at, LABEL, P, committed, replace(opened, salt=bytes(32))),
        (Reason.COMMIT_MISMATCH, at, LABEL, P, CommitPart(hashed("x")), opened),
        (Reason.COMMIT_LENGTH, at, LABEL, P, committed, replace(opened, salt=b"")),
        (Reason.COMMIT_LENGTH, at, LABEL, P, CommitPart(b""), opened),
        (
            Reason.COMMIT_OVERSIZED,
            at,
            LABEL,
            P,
            committed,
            OpenPart(bytes(OPENED_VALUE_BYTES_MAX + 1), opened.salt),
        ),
    ]
    for reason, where, label, seat, commitment, opening in attempts:
        with pytest.raises(PeerError) as refusal:
            check_open(where, label, seat, commitment, opening)
        assert refusal.value.reason is reason


def test_a_commitment_can_be_made_again_and_hides_its_value() -> None:
    """After a crash the same bytes; another value has another salt."""
    made = table(2)
    at, ring = made.deck.table, made.rings[P]
    assert make_commit(ring, at, LABEL, b"rock") == make_commit(ring, at, LABEL, b"rock")
    one, other = (make_open(ring, at, LABEL, value) for value in (b"rock", b"paper"))
    assert one.salt != other.salt
    salts = {
        make_open(r, at, label, b"rock").salt
        for r, label in product(made.rings.values(), (LABEL, b"other"))
    }
    assert len(salts) == 4


def test_a_value_that_nobody_would_read_is_not_committed_to() -> None:
    made = table(2)
    with pytest.raises(LocalError) as refusal:
        make_commit(made.rings[P], made.deck.table, LABEL, bytes(OPENED_VALUE_BYTES_MAX + 1))
    assert refusal.value.reason is Reason.COMMIT_OVERSIZED


def test_a_hidden_choice_of_a_card_is_naming_the_slot() -> None:
    """All name a slot; only when every choice stands are the cards turned over."""
    made = table(3, 54)
    for seat in made.rings:
        made.deal(seat, 3)
    chosen = {seat: made.deck.layout.at(hand(seat))[1] for seat in made.rings}
    faces = {seat: see(made.deck, made.rings[seat], slot) for seat, slot in chosen.items()}
    for seat, slot in chosen.items():
        made.deck = made.deck.with_layout(made.deck.layout.moved([slot], hand(seat), DISCARD))
        assert made.deck.slot(slot).audience == {seat}
    assert {seat: made.reveal(seat, slot) for seat, slot in chosen.items()} == faces
    with pytest.raises(LocalError, match="deck/face-known"):
        announce(made.deck, [(chosen[P], (Q,))])


def test_a_random_card_of_a_restacked_hand() -> None:
    """The order that matters: restack, coin, and only then is it known which card goes."""
    made = table(2, 54)
    made.deal(P, 5)
    made.restack(P)
    values = tossed(made, b"which")
    place = draw(coin(made.deck.table, b"which", values, values), 5)
    made.transfer(P, [made.deck.layout.at(hand(P))[place]], Q)
    assert len(made.deck.layout.at(hand(P))) == 4


def test_draws_are_within_bounds_and_even() -> None:
    counts = [0] * 3
    for index in range(600):
        counts[draw(hashed("draw", index), 3)] += 1
    assert min(counts) > 160
    assert draw(hashed("one"), 1) == 0
    assert draw(hashed("wide"), 1 << 32) < 1 << 32
    for bound in (0, -1, (1 << 32) + 1):
        with pytest.raises(LocalError, match="local/argument"):
            draw(hashed("x"), bound)

"""Shuffles that were done right are accepted, in every size; all others are refused.

The prover's own code is given wrong inputs here, and honest proofs are changed in single places.
Forgeries that take thought are in `tests.crypto.test_shuffle_forgery`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from nodealer.crypto import (
    SECP256K1,
    Group,
    Masked,
    NonceSource,
    Point,
    ProofTranscript,
    Seed,
    ShuffleProof,
    prove_shuffle,
    shuffled,
    toy_group,
    verify_shuffle,
)
from nodealer.kernel import Reason
from tests.crypto.tools import G, Q, chosen, nonces, our_mistake, refused, seed

CONTEXT = b"table, height, parent, step, epoch, seat, shuffle"
X_SECRET = chosen("joint key")
X = X_SECRET * G
IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"
SIZES = [1, 2, 3, 5, 52, *((104, 210) if IS_FULL else ())]


class Shuffle(NamedTuple):
    """Everything that a shuffler knows."""

    before: list[Masked]
    after: list[Masked]
    order: list[int]
    fresh: list[int]


def face(name: object) -> Point:
    return SECP256K1.hash_to_point("nodealer/1/face", str(name))


def deck(faces: Sequence[object]) -> list[Masked]:
    """Return a deck as an earlier shuffle would leave it."""
    secrets = [chosen("e", place) for place in range(len(faces))]
    return [Masked(e * G, face(name) + e * X) for e, name in zip(secrets, faces, strict=True)]


def shuffle(before: list[Masked], name: str = "shuffle") -> Shuffle:
    order = seed().permutation("order", name.encode(), len(before))
    fresh = [chosen("r", name, place) for place in range(len(before))]
    return Shuffle(before, shuffled(SECP256K1, X, before, order, fresh), order, fresh)


def prove(done: Shuffle, context: bytes = CONTEXT, key: Point = X) -> ShuffleProof:
    transcript = ProofTranscript(SECP256K1, context)
    return prove_shuffle(SECP256K1, transcript, key, *done, nonces())


def check(
    before: Sequence[Masked],
    after: Sequence[Masked],
    proof: ShuffleProof,
    key: Point = X,
    context: bytes = CONTEXT,
) -> None:
    verify_shuffle(SECP256K1, ProofTranscript(SECP256K1, context), key, before, after, proof)


@pytest.fixture(scope="module")
def five() -> tuple[Shuffle, ShuffleProof]:
    done = shuffle(deck(["a", "b", "b", "c", "d"]))
    return done, prove(done)


@pytest.mark.parametrize("size", SIZES)
def test_an_honest_shuffle_is_accepted(size: int) -> None:
    done = shuffle(deck(range(size)))
    proof = prove(done)
    check(done.before, done.after, proof)
    data = proof.to_bytes()
    assert len(data) == 130 * size + 144
    read = ShuffleProof.from_bytes(SECP256K1, data, size)
    assert read == proof
    assert prove(done) == proof
    opened = [card.M - X_SECRET * card.E for card in done.after]
    assert opened == [face(old) for old in done.order]


@pytest.mark.parametrize("faces", [["a"] * 5, ["a", "a", "b"], ["a", "b", "b", "a"]], ids="".join)
def test_duplicates_make_no_difference(faces: list[str]) -> None:
    done = shuffle(deck(faces))
    check(done.before, done.after, prove(done))


@pytest.mark.parametrize("faces", [range(5), ["a"] * 5])
def test_the_first_shuffle_starts_from_a_deck_that_everybody_can_read(
    faces: Sequence[object],
) -> None:
    done = shuffle([Masked(G, face(name) + X) for name in faces])
    check(done.before, done.after, prove(done))


def test_cards_may_be_left_in_place_and_randomness_may_vanish() -> None:
    """The shuffler harms herself alone; and sums that are O stop nobody."""
    before = deck(range(4))
    fresh = [5, -5 % Q, 7, -7 % Q]
    for randomness in (fresh, [0, 0, 0, 0]):
        order = list(range(4))
        after = shuffled(SECP256K1, X, before, order, randomness)
        check(before, after, prove(Shuffle(before, after, order, randomness)))


@pytest.mark.parametrize("order", [7, 13, 19])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_permutation_in_a_toy_group(order: int, size: int) -> None:
    group = toy_group(order)
    source = Seed(group, bytes(32)).nonce_source("proof")
    key = group.times_generator(3)
    before = [
        Masked(group.times_generator(e), group.times_generator(e * 3 + face))
        for e, face in zip(range(1, size + 1), (2, 2, 0, 5), strict=False)
    ]
    for permutation in permutations(range(size)):
        for shift in range(order):
            fresh = [(shift + place * place) % order for place in range(size)]
            verify_in(group, key, before, permutation, fresh, source)


def verify_in(
    group: Group,
    key: Point,
    before: Sequence[Masked],
    permutation: Sequence[int],
    fresh: Sequence[int],
    source: NonceSource,
) -> None:
    after = shuffled(group, key, before, permutation, fresh)
    transcripts = ProofTranscript(group, CONTEXT), ProofTranscript(group, CONTEXT)
    proof = prove_shuffle(group, transcripts[0], key, before, after, permutation, fresh, source)
    verify_shuffle(group, transcripts[1], key, before, after, proof)


def places(count: int) -> Iterator[int]:
    """Return all positions, or in the fast profile the first, the last and one between."""
    yield from range(count) if IS_FULL else sorted({0, count // 2, count - 1})


def with_field(proof: ShuffleProof, name: str, value: object) -> ShuffleProof:
    changed: dict[str, Any] = {name: value}
    return replace(proof, **changed)


def fields_changed(proof: ShuffleProof) -> Iterator[ShuffleProof]:
    for name in ("c", "chain"):
        points: tuple[Point, ...] = getattr(proof, name)
        for at in places(len(points)):
            for point in (points[at] + G, -points[at], points[at - 1], SECP256K1.identity):
                yield with_field(proof, name, (*points[:at], point, *points[at + 1 :]))
        yield with_field(proof, name, points[::-1])
    for name in ("sums", "chain_responses", "weight_responses"):
        scalars: tuple[int, ...] = getattr(proof, name)
        for at in range(len(scalars)) if name == "sums" else places(len(scalars)):
            for other in (scalars[at] + 1, -scalars[at], scalars[at - 1], 0):
                yield with_field(proof, name, (*scalars[:at], other % Q, *scalars[at + 1 :]))
        yield with_field(proof, name, scalars[::-1])
    yield replace(proof, c=proof.chain, chain=proof.c)
    yield replace(
        proof,
        chain_responses=proof.weight_responses,
        weight_responses=proof.chain_responses,
    )
    number = int.from_bytes(proof.challenge, "big")
    for bit in range(128) if IS_FULL else (0, 1, 63, 64, 127):
        yield replace(proof, challenge=(number ^ 1 << bit).to_bytes(16, "big"))


def test_every_field_of_the_proof_counts(five: tuple[Shuffle, ShuffleProof]) -> None:
    done, proof = five
    tried = 0
    for other in fields_changed(proof):
        assert other != proof
        with refused(Reason.PROOF_SHUFFLE):
            check(done.before, done.after, other)
        tried += 1
    assert tried > 60


def decks_changed(cards: list[Masked]) -> Iterator[list[Masked]]:
    for at in places(len(cards)):
        E, M = cards[at]
        twist = chosen("twist")
        others = [
            Masked(E + G, M),
            Masked(E, M + G),
            Masked(E, M + face("joker") - face("a")),
            Masked(E + twist * G, M + twist * X),
            Masked(M, E),
            Masked(-E, -M),
            Masked(SECP256K1.identity, M),
            cards[at - 1],
        ]
        for other in others:
            yield [*cards[:at], other, *cards[at + 1 :]]
    yield cards[::-1]
    yield cards[1:] + cards[:1]
    yield [cards[1], cards[0], *cards[2:]]


@pytest.mark.parametrize("side", ["before", "after"])
def test_every_card_of_both_decks_counts(five: tuple[Shuffle, ShuffleProof], side: str) -> None:
    done, proof = five
    is_input = side == "before"
    for cards in decks_changed(done.before if is_input else done.after):
        decks = (cards, done.after) if is_input else (done.before, cards)
        with refused(Reason.PROOF_SHUFFLE):
            check(*decks, proof)


def test_a_proof_for_fifty_two_cards_is_as_sensitive() -> None:
    done = shuffle(deck(range(52)))
    proof = prove(done)
    for at in places(52):
        sums = (*proof.weight_responses[:at], 1, *proof.weight_responses[at + 1 :])
        E, M = done.after[at]
        for after, other in (
            (done.after, replace(proof, weight_responses=sums)),
            ([*done.after[:at], Masked(E, M + G), *done.after[at + 1 :]], proof),
        ):
            with refused(Reason.PROOF_SHUFFLE):
                check(done.before, after, other)


def test_the_key_and_the_place_count(five: tuple[Shuffle, ShuffleProof]) -> None:
    done, proof = five
    for key in (X + G, -X, G, SECP256K1.identity):
        with refused(Reason.PROOF_SHUFFLE):
            check(done.before, done.after, proof, key=key)
    for context in (b"", CONTEXT[:-1], CONTEXT + b"\0", CONTEXT.replace(b"seat", b"tase")):
        with refused(Reason.PROOF_SHUFFLE):
            check(done.before, done.after, proof, context=context)


def test_input_and_output_cannot_change_places(five: tuple[Shuffle, ShuffleProof]) -> None:
    done, proof = five
    with refused(Reason.PROOF_SHUFFLE):
        check(done.after, done.before, proof)
    with refused(Reason.PROOF_SHUFFLE):
        check(done.before, done.before, proof)


def lengths_changed(proof: ShuffleProof) -> Iterator[ShuffleProof]:
    for name in ("c", "chain", "sums", "chain_responses", "weight_responses"):
        items = getattr(proof, name)
        for other in ((), items[:-1], (*items, items[0])):
            yield with_field(proof, name, other)


def test_every_list_has_the_length_of_the_deck(five: tuple[Shuffle, ShuffleProof]) -> None:
    done, proof = five
    for other in lengths_changed(proof):
        with refused(Reason.DECK_COUNT):
            check(done.before, done.after, other)
    for before, after in (
        (done.before[1:], done.after),
        (done.before, done.after[1:]),
        (done.before[1:], done.after[1:]),
        ([*done.before, done.before[0]], done.after),
        (done.before, [*done.after, done.after[0]]),
        ([], done.after),
        (done.before, []),
        ([], []),
    ):
        with refused(Reason.DECK_COUNT):
            check(before, after, proof)
    with refused(Reason.GROUP_CHALLENGE_LENGTH):
        check(done.before, done.after, replace(proof, challenge=b""))


def test_no_cards_are_not_shuffled() -> None:
    with our_mistake(Reason.LOCAL_ARGUMENT):
        prove(Shuffle([], [], [], []))
    nothing = ShuffleProof((), (), bytes(16), (0, 0, 0, 0), (), ())
    with our_mistake(Reason.LOCAL_ARGUMENT):
        check([], [], nothing)


def test_bytes_of_another_length_are_no_proof(five: tuple[Shuffle, ShuffleProof]) -> None:
    data = five[1].to_bytes()
    for length in {*range(300), *range(len(data) - 140, len(data) + 140)} - {len(data)}:
        with refused(Reason.PROOF_LENGTH):
            ShuffleProof.from_bytes(SECP256K1, (data * 2)[:length], 5)
    for cards in (0, 1, 4, 6, 52):
        with refused(Reason.PROOF_LENGTH):
            ShuffleProof.from_bytes(SECP256K1, data, cards)


def test_points_and_scalars_of_the_bytes_are_read_strictly(
    five: tuple[Shuffle, ShuffleProof],
) -> None:
    data = five[1].to_bytes()
    for at in range(0, 330, 33):
        for start, reason in (
            (b"\x04", Reason.GROUP_POINT_PREFIX),
            (b"\x00", Reason.GROUP_POINT_PREFIX),
            (b"\x02" + b"\xff" * 32, Reason.GROUP_POINT_OFF_CURVE),
        ):
            with refused(reason):
                bent = data[:at] + start + data[at + len(start) :]
                ShuffleProof.from_bytes(SECP256K1, bent, 5)
    for at in range(346, len(data), 32):
        with refused(Reason.GROUP_SCALAR_RANGE):
            bent = data[:at] + Q.to_bytes(32, "big") + data[at + 32 :]
            ShuffleProof.from_bytes(SECP256K1, bent, 5)


def test_every_byte_of_a_proof_counts(five: tuple[Shuffle, ShuffleProof]) -> None:
    done, proof = five
    data = proof.to_bytes()
    for at in range(330, len(data), 1 if IS_FULL else 9):
        bent = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with refused(Reason.PROOF_SHUFFLE):
            check(done.before, done.after, ShuffleProof.from_bytes(SECP256K1, bent, 5))

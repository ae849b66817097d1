"""Shufflers who cheat: a card replaced, doubled, lost, twisted; and the deck left out of the hash.

Each cheater runs the prover's own code as far as it goes, knows the secret of the joint key, and
fails. The last one (attack A6) succeeds against a verifier that forgets to hash the new deck before
it draws the weights, which shows that the check is worth something.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from nodealer.crypto import (
    SECP256K1,
    Masked,
    Point,
    ProofTranscript,
    ShuffleProof,
    prove_shuffle,
    read_points,
    shuffled,
    verify_shuffle,
)
from nodealer.kernel import Reason
from tests.crypto.test_shuffle_proof import (
    CONTEXT,
    X_SECRET,
    Shuffle,
    X,
    check,
    deck,
    face,
    prove,
    shuffle,
)
from tests.crypto.tools import G, Q, chosen, nonces, refused

FACES = ["seven", "king", "king", "queen", "jack"]


def encrypted(name: str, key: Point = X) -> Masked:
    e = chosen("encrypted", name)
    return Masked(e * G, face(name) + e * key)


def assert_refused(done: Shuffle) -> None:
    proof = prove(done)
    with refused(Reason.PROOF_SHUFFLE):
        check(done.before, done.after, proof)


@pytest.mark.parametrize("place", range(5))
def test_a_card_cannot_be_replaced(place: int) -> None:
    done = shuffle(deck(FACES))
    after = [*done.after[:place], encrypted("joker"), *done.after[place + 1 :]]
    assert_refused(done._replace(after=after))


@pytest.mark.parametrize("place", range(5))
def test_a_card_cannot_be_bent_by_whoever_knows_its_face_and_the_key(place: int) -> None:
    done = shuffle(deck(FACES))
    E, M = done.after[place]
    name = FACES[done.order[place]]
    assert face(name) == M - X_SECRET * E
    bent = Masked(E, M + face("joker") - face(name))
    assert_refused(done._replace(after=[*done.after[:place], bent, *done.after[place + 1 :]]))


def test_two_cards_cannot_be_bent_so_that_their_sum_stays() -> None:
    done = shuffle(deck(FACES))
    after = list(done.after)
    after[0] = Masked(after[0].E, after[0].M + G)
    after[1] = Masked(after[1].E, after[1].M - G)
    assert_refused(done._replace(after=after))
    after = list(done.after)
    after[0] = Masked(after[0].E + G, after[0].M + X)
    after[1] = Masked(after[1].E - G, after[1].M - X)
    assert_refused(done._replace(after=after))


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 3], [0, 0, 0, 0, 0], [1, 0, 2, 3, 0]])
def test_a_card_cannot_be_doubled_and_another_lost(order: list[int]) -> None:
    before = deck(FACES)
    fresh = [chosen("fresh", place) for place in range(5)]
    after = shuffled(SECP256K1, X, before, order, fresh)
    assert_refused(Shuffle(before, after, order, fresh))
    assert_refused(Shuffle(before, after, list(range(5)), fresh))


def test_a_doubled_card_of_equal_face_is_still_a_fraud() -> None:
    """Two kings for two kings, but one of them twice: re-encryptions of one card."""
    before = deck(["king", "king"])
    fresh = [chosen("fresh", place) for place in range(2)]
    after = shuffled(SECP256K1, X, before, [0, 0], fresh)
    assert_refused(Shuffle(before, after, [0, 0], fresh))
    # Whoever knows the key could have shuffled honestly to the very same deck, and may say so.
    moved = chosen("e", 0) - chosen("e", 1) + fresh[1]
    honest = Shuffle(before, after, [0, 1], [fresh[0], moved % Q])
    check(before, after, prove(honest))


@pytest.mark.parametrize("keep_first", [True, False])
def test_a_card_cannot_be_encrypted_under_another_key(*, keep_first: bool) -> None:
    done = shuffle(deck(FACES))
    other = X + G
    r = done.fresh[0]
    old = done.before[done.order[0]]
    first = Masked(old.E + r * G, old.M + r * other)
    rest = (
        done.after[1:]
        if keep_first
        else shuffled(SECP256K1, other, done.before, done.order, done.fresh)[1:]
    )
    assert_refused(done._replace(after=[first, *rest]))


def test_a_shuffle_proven_under_another_key_is_no_shuffle() -> None:
    done = shuffle(deck(FACES))
    other = X + G
    wrong = done._replace(after=shuffled(SECP256K1, other, done.before, done.order, done.fresh))
    proof = prove(wrong, key=other)
    check(wrong.before, wrong.after, proof, key=other)
    with refused(Reason.PROOF_SHUFFLE):
        check(wrong.before, wrong.after, proof)


def test_wrong_secrets_prove_nothing() -> None:
    done = shuffle(deck(FACES))
    assert_refused(done._replace(fresh=[(r + 1) % Q for r in done.fresh]))
    assert_refused(done._replace(fresh=done.fresh[::-1]))
    assert_refused(done._replace(order=done.order[::-1]))


def test_cards_cannot_be_multiplied() -> None:
    """(2 E, 2 M) has the right form for the same key, and is another card."""
    done = shuffle(deck(FACES))
    after = [Masked(2 * E, 2 * M) for E, M in done.after]
    assert_refused(done._replace(after=after))
    assert_refused(
        done._replace(after=after, order=done.order, fresh=[2 * r % Q for r in done.fresh])
    )


class ForgetfulTranscript(ProofTranscript):
    """The flaw of attack A6: the new deck does not go into the hash."""

    __slots__ = ()

    def absorb_points(self, label: str, points: Iterable[Point]) -> None:
        if label != "after":
            super().absorb_points(label, points)


def bent_by_weights(
    kind: type[ProofTranscript], done: Shuffle, first: int, second: int
) -> tuple[list[Masked], ShuffleProof]:
    """Bend two cards so that their errors cancel in the weighted sum, and prove the result."""
    rehearsal = prove_shuffle(SECP256K1, kind(SECP256K1, CONTEXT), X, *done, nonces())
    watcher = kind(SECP256K1, CONTEXT)
    watcher.absorb_points("key", [X])
    watcher.absorb("cards", len(done.before))
    watcher.absorb_points("before", [point for card in done.before for point in card])
    watcher.absorb_points("after", [point for card in done.after for point in card])
    watcher.absorb_points("c", rehearsal.c)
    u = watcher.weights("u", len(done.before))
    mine, other = u[done.order[first]], u[done.order[second]]
    bend = face("joker") - face(FACES[done.order[first]])
    after = list(done.after)
    after[first] = Masked(after[first].E, after[first].M + bend)
    ratio = mine * pow(other, -1, Q) % Q
    after[second] = Masked(after[second].E, after[second].M - ratio * bend)
    forged = done._replace(after=after)
    return after, prove_shuffle(SECP256K1, kind(SECP256K1, CONTEXT), X, *forged, nonces())


@pytest.mark.parametrize(("first", "second"), [(0, 1), (4, 2)])
def test_leaving_the_new_deck_out_of_the_hash_lets_any_card_become_any_other(
    first: int, second: int
) -> None:
    done = shuffle(deck(FACES))
    after, proof = bent_by_weights(ForgetfulTranscript, done, first, second)
    forgetful = ForgetfulTranscript(SECP256K1, CONTEXT)
    verify_shuffle(SECP256K1, forgetful, X, done.before, after, proof)
    shown = after[first].M - X_SECRET * after[first].E
    assert shown == face("joker")
    with refused(Reason.PROOF_SHUFFLE):
        check(done.before, after, proof)


def test_the_same_forger_fails_where_the_new_deck_is_hashed() -> None:
    done = shuffle(deck(FACES))
    after, proof = bent_by_weights(ProofTranscript, done, 0, 1)
    with refused(Reason.PROOF_SHUFFLE):
        check(done.before, after, proof)


def test_points_come_in_whole_encodings() -> None:
    data = b"".join(card.E.encode() for card in deck(FACES))
    assert read_points(SECP256K1, data) == tuple(card.E for card in deck(FACES))
    assert read_points(SECP256K1, b"") == ()
    for length in {*range(len(data))} - {0, 33, 66, 99, 132}:
        with refused(Reason.GROUP_POINT_LENGTH):
            read_points(SECP256K1, data[:length])


def test_permutation_and_randomness_have_one_length() -> None:
    before = deck(FACES)
    with pytest.raises(ValueError, match="shorter"):
        shuffled(SECP256K1, X, before, [0, 1, 2, 3, 4], [1, 2, 3])

"""Attack A2: two proofs that share a nonce and differ in their challenge give the secret away.

The attacker takes pairs of proofs that differ in exactly one item of their context and computes
(s - s') / (c - c'). Against a prover whose nonces see less than the challenge this is the secret;
against ours it is a number without meaning. The same for the three stages of a proof of shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Masked,
    NonceSource,
    ProofTranscript,
    prove,
    prove_any,
    prove_shuffle,
    relations,
    shuffled,
)
from nodealer.crypto.derive import Nonces
from nodealer.kernel import digest
from tests.crypto.tools import G, Q, chosen, hashed, nonces

SECRET = chosen("secret")
STATEMENT = relations.key(SECP256K1, SECRET * G)

PLACE: dict[str, bytes | int | str] = {
    "table": hashed("table"),
    "height": 12,
    "parent": hashed("parent"),
    "step": b"keys",
    "epoch": hashed("epoch"),
    "seat": 1,
    "relation": "key",
    "slots": b"",
}
OTHER_PLACE: dict[str, bytes | int | str] = {
    "table": hashed("another table"),
    "height": 13,
    "parent": hashed("another parent"),
    "step": b"keys again",
    "epoch": hashed("another epoch"),
    "seat": 2,
    "relation": "share",
    "slots": b"\x01",
}
each_item = pytest.mark.parametrize("item", PLACE)


def blind_to_the_challenge(_digest: bytes, witness: Sequence[int]) -> Nonces:
    """Draw nonces from the secret alone: the flaw."""
    return nonces()(bytes(32), witness)


def transcript(place: dict[str, bytes | int | str]) -> ProofTranscript:
    return ProofTranscript(SECP256K1, digest("test", *place.values()))


def quotient(one: tuple[int, int], other: tuple[int, int]) -> int:
    (c, s), (d, t) = one, other
    return (s - t) * pow(c - d, -1, Q) % Q


def guessed(item: str, source: NonceSource) -> int:
    conversations = []
    for place in (PLACE, PLACE | {item: OTHER_PLACE[item]}):
        proof = prove(SECP256K1, transcript(place), STATEMENT, [SECRET], source)
        conversations.append((SECP256K1.short_scalar(proof.challenge), proof.responses[0]))
    return quotient(*conversations)


@each_item
def test_the_attack_works_on_nonces_that_do_not_see_the_context(item: str) -> None:
    assert guessed(item, blind_to_the_challenge) == SECRET


@each_item
def test_the_attack_fails_on_ours(item: str) -> None:
    assert guessed(item, nonces()) * G != SECRET * G


def test_a_statement_that_differs_changes_the_nonces() -> None:
    """The same key and place, another slot: shares of one layer on two E."""
    for source, succeeds in ((blind_to_the_challenge, True), (nonces(), False)):
        conversations = []
        for E in (5 * G, 7 * G):
            statement = relations.share(SECP256K1, SECRET * G, E, SECRET * E)
            proof = prove(SECP256K1, transcript(PLACE), statement, [SECRET], source)
            conversations.append((SECP256K1.short_scalar(proof.challenge), proof.responses[0]))
        assert (quotient(*conversations) == SECRET) == succeeds


def test_a_witness_that_differs_changes_the_nonces() -> None:
    """Two witnesses of one statement: the difference of the responses would show theirs."""
    B = 3 * G
    statement = relations.seal(SECP256K1, G, B, G, [])
    one, other = (
        prove(SECP256K1, transcript(PLACE), statement, witness, nonces())
        for witness in ([1, 1], [1, 2])
    )
    assert one.challenge != other.challenge


@each_item
def test_the_true_branch_of_an_or_keeps_its_secret(item: str) -> None:
    N = SECP256K1.hash_to_point("face", 0) + SECRET * (5 * G)
    claims = [
        relations.face(SECP256K1, SECRET * G, 5 * G, N, SECP256K1.hash_to_point("face", face))
        for face in range(3)
    ]
    for source, succeeds in ((blind_to_the_challenge, True), (nonces(), False)):
        proofs: list[AnyProof] = [
            prove_any(SECP256K1, transcript(place), claims, 0, [SECRET], source)
            for place in (PLACE, PLACE | {item: OTHER_PLACE[item]})
        ]
        (c, (s,)), (d, (t,)) = (proof.branches[0] for proof in proofs)
        assert (quotient((c, s), (d, t)) == SECRET) == succeeds
        # The simulated branches differ too: else their sameness would say which one is true.
        rows = [proof.branches[1:] for proof in proofs]
        assert (rows[0] == rows[1]) == succeeds


def order_shown(item: str, source: NonceSource) -> list[int]:
    """Return which old cards a pair of proofs of one shuffle shows at each new place."""
    X = chosen("X") * G
    before = [Masked(chosen("E", i) * G, chosen("M", i) * G) for i in range(6)]
    order, fresh = [3, 5, 0, 2, 1, 4], [chosen("r", i) for i in range(6)]
    after = shuffled(SECP256K1, X, before, order, fresh)
    proofs, weights = [], []
    for place in (PLACE, PLACE | {item: OTHER_PLACE[item]}):
        run = transcript(place)
        proof = prove_shuffle(SECP256K1, run, X, before, after, order, fresh, source)
        watcher = transcript(place)
        watcher.absorb_points("key", [X])
        watcher.absorb("cards", 6)
        for label, deck in (("before", before), ("after", after)):
            watcher.absorb_points(label, [point for card in deck for point in card])
        watcher.absorb_points("c", proof.c)
        proofs.append(proof)
        weights.append(watcher.weights("u", 6))
    # With equal nonces s - t = c u' - d v' along the weights: see which old cards fit each place.
    c, d = (SECP256K1.short_scalar(proof.challenge) for proof in proofs)
    found = []
    for s, t in zip(proofs[0].weight_responses, proofs[1].weight_responses, strict=True):
        fitting = [
            old
            for old, (u, v) in enumerate(zip(*weights, strict=True))
            if (s - t - c * u + d * v) % Q == 0
        ]
        found += fitting
    return found


@each_item
def test_one_shuffle_proven_in_two_places_keeps_its_permutation(item: str) -> None:
    assert order_shown(item, blind_to_the_challenge) == [3, 5, 0, 2, 1, 4]
    assert order_shown(item, nonces()) == []


def test_the_commitment_to_a_permutation_is_fresh_in_every_place() -> None:
    """Equal c in two proofs, with weights that differ, would publish the permutation as well."""
    X = chosen("X") * G
    before = [Masked(chosen("E", i) * G, chosen("M", i) * G) for i in range(3)]
    after = shuffled(SECP256K1, X, before, [2, 0, 1], [1, 2, 3])
    proofs = [
        prove_shuffle(
            SECP256K1,
            transcript(PLACE | {item: OTHER_PLACE[item]}),
            X,
            before,
            after,
            [2, 0, 1],
            [1, 2, 3],
            nonces(),
        )
        for item in PLACE
    ]
    for one, other in pairwise(proofs):
        assert not {*one.c, *one.chain} & {*other.c, *other.chain}


def test_the_stages_of_a_proof_of_shuffle_do_not_share_nonces() -> None:
    """Keep what every stage asks for: digests differ, so the same index means another nonce."""
    asked: list[bytes] = []

    def watched(state: bytes, witness: Sequence[int]) -> Nonces:
        asked.append(state)
        return nonces()(state, witness)

    X = chosen("X") * G
    before = [Masked(G, chosen("M", i) * G) for i in range(3)]
    after = shuffled(SECP256K1, X, before, [2, 0, 1], [1, 2, 3])
    prove_shuffle(SECP256K1, transcript(PLACE), X, before, after, [2, 0, 1], [1, 2, 3], watched)
    assert len(asked) == len(set(asked)) == 3

"""The proof that one of several statements holds: every change is refused, in whichever branch."""

from __future__ import annotations

from itertools import permutations

import pytest

from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Equation,
    Proof,
    ProofTranscript,
    Statement,
    Term,
    prove,
    prove_any,
    relations,
    verify,
    verify_any,
)
from nodealer.kernel import Reason
from tests.crypto.tools import G, Q, chosen, fixed_nonces, nonces, refused

CONTEXT = b"table, height, parent, step, epoch, seat, relation, slot"
BRANCHES = 4
K = chosen("k")
L = K * G
E = chosen("E") * G
FACES = [SECP256K1.hash_to_point("nodealer/1/face", f"face {number}") for number in range(BRANCHES)]

each_branch = pytest.mark.parametrize("branch", range(BRANCHES))


def statements(face: int) -> list[Statement]:
    """Return the claims that the slot has the first, second .. face, when it has this one."""
    N = FACES[face] + K * E
    return [relations.face(SECP256K1, L, E, N, C) for C in FACES]


def proven(face: int) -> AnyProof:
    transcript = ProofTranscript(SECP256K1, CONTEXT)
    return prove_any(SECP256K1, transcript, statements(face), face, [K], nonces())


def check(claims: list[Statement], proof: AnyProof, context: bytes = CONTEXT) -> None:
    transcript = ProofTranscript(SECP256K1, context)
    verify_any(SECP256K1, transcript, claims, proof, Reason.PROOF_MEMBER)


def with_row(proof: AnyProof, row: int, challenge: int, response: int) -> AnyProof:
    rows = list(proof.branches)
    rows[row] = (challenge % Q, (response % Q,))
    return AnyProof(tuple(rows))


@each_branch
def test_the_honest_proof_is_accepted_and_always_the_same(branch: int) -> None:
    proof = proven(branch)
    check(statements(branch), proof)
    assert proven(branch) == proof
    assert len(proof.to_bytes()) == 64 * BRANCHES
    assert AnyProof.from_bytes(SECP256K1, proof.to_bytes(), BRANCHES, 1) == proof


@each_branch
def test_every_challenge_and_every_response_counts(branch: int) -> None:
    proof = proven(branch)
    for row, (challenge, (response,)) in enumerate(proof.branches):
        bits = (0, 1, 63, 64, 127, 128, 200, 255)
        changes = [
            *((challenge ^ 1 << bit, response) for bit in bits),
            *((challenge, response ^ 1 << bit) for bit in bits),
            (challenge + 1, response),
            (challenge - 1, response),
            (challenge, response + 1),
            (challenge, -response),
            (response, challenge),
            (0, 0),
        ]
        for other in changes:
            with refused(Reason.PROOF_MEMBER):
                check(statements(branch), with_row(proof, row, *other))


@each_branch
def test_challenges_cannot_be_moved_from_one_branch_to_another(branch: int) -> None:
    """The sum stays right; then the commitments do not."""
    proof = proven(branch)
    for one, other in permutations(range(BRANCHES), 2):
        (c, (s,)), (d, (t,)) = proof.branches[one], proof.branches[other]
        moved = with_row(with_row(proof, one, c + 1, s), other, d - 1, t)
        with refused(Reason.PROOF_MEMBER):
            check(statements(branch), moved)
        exchanged = with_row(with_row(proof, one, d, s), other, c, t)
        with refused(Reason.PROOF_MEMBER):
            check(statements(branch), exchanged)


@each_branch
def test_the_order_of_branches_counts(branch: int) -> None:
    proof, claims = proven(branch), statements(branch)
    for order in permutations(range(BRANCHES)):
        if order == tuple(range(BRANCHES)):
            continue
        with refused(Reason.PROOF_MEMBER):
            check([claims[i] for i in order], proof)
        rows = AnyProof(tuple(proof.branches[i] for i in order))
        with refused(Reason.PROOF_MEMBER):
            check(claims, rows)
        with refused(Reason.PROOF_MEMBER):
            check([claims[i] for i in order], rows)


@each_branch
def test_the_number_of_branches_counts(branch: int) -> None:
    proof, claims = proven(branch), statements(branch)
    for count in range(BRANCHES):
        with refused(Reason.PROOF_LENGTH):
            check(claims[:count], proof)
        with refused(Reason.PROOF_LENGTH):
            check(claims, AnyProof(proof.branches[:count]))
        with refused(Reason.PROOF_MEMBER):
            check(claims[:count], AnyProof(proof.branches[:count]))
    with refused(Reason.PROOF_LENGTH):
        check([*claims, claims[0]], proof)
    with refused(Reason.PROOF_MEMBER):
        check([*claims, claims[0]], AnyProof((*proof.branches, (0, (0,)))))


@each_branch
def test_each_branch_has_as_many_responses_as_its_statement_has_witnesses(branch: int) -> None:
    proof = proven(branch)
    for row, (challenge, (response,)) in enumerate(proof.branches):
        for responses in ((), (response, response)):
            rows = list(proof.branches)
            rows[row] = (challenge, responses)
            with refused(Reason.PROOF_LENGTH):
                check(statements(branch), AnyProof(tuple(rows)))


@each_branch
def test_every_face_key_and_slot_counts(branch: int) -> None:
    proof, N = proven(branch), FACES[branch] + K * E
    other_slots = [(L + G, E, N), (L, E + G, N), (L, E, N + G), (E, L, N), (L, N, E)]
    for slot in other_slots:
        with refused(Reason.PROOF_MEMBER):
            check([relations.face(SECP256K1, *slot, C) for C in FACES], proof)
    for row in range(BRANCHES):
        claims = statements(branch)
        claims[row] = relations.face(SECP256K1, L, E, N, FACES[row] + G)
        with refused(Reason.PROOF_MEMBER):
            check(claims, proof)


@each_branch
def test_the_place_counts(branch: int) -> None:
    for context in (b"", CONTEXT[:-1], CONTEXT + b"\0", bytes(len(CONTEXT))):
        with refused(Reason.PROOF_MEMBER):
            check(statements(branch), proven(branch), context)


def test_bytes_of_another_length_are_no_proof() -> None:
    data = proven(1).to_bytes()
    for length in range(len(data) + 70):
        if length != len(data):
            with refused(Reason.PROOF_LENGTH):
                AnyProof.from_bytes(SECP256K1, (data * 2)[:length], BRANCHES, 1)
    for branches, witnesses in ((BRANCHES - 1, 1), (BRANCHES + 1, 1), (BRANCHES, 2), (0, 1)):
        with refused(Reason.PROOF_LENGTH):
            AnyProof.from_bytes(SECP256K1, data, branches, witnesses)


def test_challenges_and_responses_have_one_encoding() -> None:
    data = proven(1).to_bytes()
    for at in range(0, len(data), 32):
        for outside in (Q, Q + 1, (1 << 256) - 1):
            bent = data[:at] + outside.to_bytes(32, "big") + data[at + 32 :]
            with refused(Reason.GROUP_SCALAR_RANGE):
                AnyProof.from_bytes(SECP256K1, bent, BRANCHES, 1)


def test_nothing_follows_from_no_branches() -> None:
    with refused(Reason.PROOF_MEMBER):
        check([], AnyProof.from_bytes(SECP256K1, b"", 0, 1))


@each_branch
def test_a_face_that_is_not_among_those_named_cannot_be_claimed(branch: int) -> None:
    N = SECP256K1.hash_to_point("nodealer/1/face", "another") + K * E
    claims = [relations.face(SECP256K1, L, E, N, C) for C in FACES]
    proof = prove_any(SECP256K1, ProofTranscript(SECP256K1, CONTEXT), claims, branch, [K], nonces())
    with refused(Reason.PROOF_MEMBER):
        check(claims, proof)


@each_branch
def test_the_wrong_branch_cannot_be_proven_with_the_right_key(branch: int) -> None:
    claims, pretended = statements(branch), (branch + 1) % BRANCHES
    proof = prove_any(
        SECP256K1, ProofTranscript(SECP256K1, CONTEXT), claims, pretended, [K], nonces()
    )
    with refused(Reason.PROOF_MEMBER):
        check(claims, proof)


def test_a_proof_of_one_branch_is_not_a_proof_of_the_statement_alone() -> None:
    (claim,) = statements(0)[:1]
    here = ProofTranscript(SECP256K1, CONTEXT)
    proof = prove_any(SECP256K1, here, [claim], 0, [K], nonces())
    check([claim], proof)
    (challenge, responses), *_ = proof.branches
    plain = Proof((challenge % (1 << 128)).to_bytes(16, "big"), responses)
    with refused(Reason.PROOF_FACE):
        there = ProofTranscript(SECP256K1, CONTEXT)
        verify(SECP256K1, there, claim, plain, Reason.PROOF_FACE)
    alone = prove(SECP256K1, ProofTranscript(SECP256K1, CONTEXT), claim, [K], nonces())
    factor = SECP256K1.short_scalar(alone.challenge)
    with refused(Reason.PROOF_MEMBER):
        check([claim], AnyProof(((factor, alone.responses),)))


def test_branches_may_be_about_different_relations_of_as_many_witnesses() -> None:
    x = chosen("x")
    known = relations.key(SECP256K1, x * G)
    unknown = Statement(
        ("l",), (Equation(chosen("L") * G, (Term(0, G),)), Equation(E, (Term(0, L),)))
    )
    for claims, branch in (([known, unknown], 0), ([unknown, known], 1)):
        here = ProofTranscript(SECP256K1, CONTEXT)
        check(claims, prove_any(SECP256K1, here, claims, branch, [x], nonces()))


def test_nonces_of_simulated_branches_do_not_matter_to_the_verifier() -> None:
    claims = statements(2)
    source = fixed_nonces([0, 0, 0, 0, 0, chosen("only this one hides k"), 0, 0])
    proof = prove_any(SECP256K1, ProofTranscript(SECP256K1, CONTEXT), claims, 2, [K], source)
    check(claims, proof)

"""The proof engine over a toy group: complete, extractable, and simulated without a trace.

* Completeness: every honest proof verifies, for every witness, nonce and challenge tried.
* Extraction: two answers to one set of commitments give a witness; a false statement has at most
  one challenge for each set of commitments that can be answered at all.
* Zero knowledge: what honest provers send is distributed exactly like what a simulator makes that
  knows no witness; and which branch of an OR is true makes no difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, product

import pytest

from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Group,
    NonceSource,
    Point,
    Proof,
    ProofTranscript,
    Seed,
    Statement,
    prove,
    prove_any,
    relations,
    sigma,
    toy_group,
    verify,
    verify_any,
)
from nodealer.kernel import PeerError, Reason
from tests.crypto.shapes import Shape, face, on
from tests.crypto.tools import Q, chosen, fixed_nonces, nonces
from tests.crypto.toy_algebra import sample, solves, table
from tests.crypto.view_shapes import SHAPES

all_shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
TOY = toy_group(7)


def commitments(group: Group, statement: Statement, nonce: Sequence[int]) -> tuple[Point, ...]:
    return tuple(sigma._left_sides(group, statement, nonce))


def fitting(
    group: Group, statement: Statement, challenge: int, responses: Sequence[int]
) -> tuple[Point, ...]:
    return tuple(sigma._recomputed(group, statement, challenge, responses))


def answer(q: int, nonce: Sequence[int], challenge: int, witness: Sequence[int]) -> list[int]:
    return [(n + challenge * w) % q for n, w in zip(nonce, witness, strict=True)]


@all_shapes
@pytest.mark.parametrize("order", [7, 13])
def test_every_honest_proof_verifies(shape: Shape, order: int, *, is_full: bool) -> None:
    group = toy_group(order)
    source = Seed(group, bytes(32)).nonce_source("proof")
    for number, values in enumerate(sample(order, len(shape.free), 10_000 if is_full else 25)):
        logs, witness = shape.at(order, values)
        statement, context = shape.statement(group, logs), bytes([number % 251])
        proof = prove(group, ProofTranscript(group, context), statement, witness, source)
        verify(group, ProofTranscript(group, context), statement, proof, shape.reason)
        again = Proof.from_bytes(group, proof.to_bytes(), len(witness))
        assert again == proof


@all_shapes
def test_every_challenge_is_answered(shape: Shape, *, is_full: bool) -> None:
    q = TOY.order
    for number, values in enumerate(sample(q, len(shape.free), 2000 if is_full else 25)):
        logs, witness = shape.at(q, values)
        statement = shape.statement(TOY, logs)
        nonce = [(3 * number + 2 * place) % q for place in range(len(witness))]
        announced = commitments(TOY, statement, nonce)
        for challenge in range(q):
            responses = answer(q, nonce, challenge, witness)
            assert fitting(TOY, statement, challenge, responses) == announced


@all_shapes
def test_what_is_sent_is_distributed_like_what_a_simulator_makes(shape: Shape) -> None:
    """For each challenge, all nonces on one side, all responses without a witness on the other."""
    q = TOY.order
    logs, witness = shape.at(q, [(3 * i + 2) % q for i in range(len(shape.free))])
    statement = shape.statement(TOY, logs)
    for challenge in (5,) if len(witness) > 3 else range(q):
        honest, simulated = Counter[object](), Counter[object]()
        for row in product(range(q), repeat=len(witness)):
            responses = tuple(answer(q, row, challenge, witness))
            honest[commitments(TOY, statement, row), responses] += 1
            simulated[fitting(TOY, statement, challenge, row), row] += 1
        assert honest == simulated


@all_shapes
def test_two_answers_give_the_witness(shape: Shape) -> None:
    for order in (7, 13):
        group = toy_group(order)
        for number, values in enumerate(sample(order, len(shape.free), 10)):
            logs, witness = shape.at(order, values)
            rows = table(group, shape.statement(group, logs))
            nonce = [(5 * number + place) % order for place in range(len(witness))]
            for one, other in combinations(range(order), 2):
                answers = [answer(order, nonce, c, witness) for c in (one, other)]
                extracted = difference_quotient(order, (one, other), answers)
                assert extracted == list(witness)
                assert solves(order, rows, extracted)


def difference_quotient(
    q: int, challenges: tuple[int, int], answers: Sequence[Sequence[int]]
) -> list[int]:
    inverse = pow(challenges[0] - challenges[1], -1, q)
    return [(one - other) * inverse % q for one, other in zip(*answers, strict=True)]


@pytest.mark.parametrize("name", ["share", "face", "view-face without layer"])
def test_whoever_can_answer_two_challenges_knows_a_witness(name: str) -> None:
    """Take all conversations there are, over all statements, not only honest ones."""
    (shape,) = (shape for shape in SHAPES if shape.name == name)
    q = TOY.order
    for values in sample(q, len(shape.public), 300):
        logs = dict(zip(shape.public, values, strict=True))
        statement = shape.statement(TOY, logs)
        rows = table(TOY, statement)
        answered = defaultdict[object, list[tuple[int, int]]](list)
        for challenge, response in product(range(q), repeat=2):
            announced = fitting(TOY, statement, challenge, [response])
            answered[announced].append((challenge, response))
        for conversations in answered.values():
            for (c, s), (d, t) in combinations(conversations, 2):
                if c != d:
                    extracted = difference_quotient(q, (c, d), [[s], [t]])
                    assert solves(q, rows, extracted)
            if not shape.truth(q, logs):
                assert len({challenge for challenge, _ in conversations}) == 1


@all_shapes
def test_one_nonce_for_two_proofs_gives_the_witness_away_on_the_curve(shape: Shape) -> None:
    logs, witness = shape.at(Q, [chosen(shape.name, name) for name in shape.free])
    statement = shape.statement(SECP256K1, logs)
    flawed = fixed_nonces([chosen("nonce", place) for place in range(len(witness))])

    def conversations(source: NonceSource) -> tuple[tuple[int, int], list[tuple[int, ...]]]:
        proofs = [
            prove(SECP256K1, ProofTranscript(SECP256K1, context), statement, witness, source)
            for context in (b"here", b"there")
        ]
        one, other = (SECP256K1.short_scalar(proof.challenge) for proof in proofs)
        return (one, other), [proof.responses for proof in proofs]

    assert difference_quotient(Q, *conversations(flawed)) == list(witness)
    kept = difference_quotient(Q, *conversations(nonces()))
    assert not any(guess == secret for guess, secret in zip(kept, witness, strict=True))


def accepts(statements: Sequence[Statement], proof: AnyProof) -> bool:
    try:
        verify_any(TOY, ProofTranscript(TOY, b""), statements, proof, Reason.PROOF_MEMBER)
    except PeerError:
        return False
    return True


def all_proofs(statements: Sequence[Statement], true_branch: int, k: int) -> Counter[AnyProof]:
    """Return what the prover of this branch sends, over all nonces that play a part."""
    q, made = TOY.order, Counter[AnyProof]()
    for other_challenge, *responses in product(range(q), repeat=3):
        row = [0, responses[0], 0, responses[1]]
        row[2 * (1 - true_branch)] = other_challenge
        source = fixed_nonces(row)
        made[prove_any(TOY, ProofTranscript(TOY, b""), statements, true_branch, [k], source)] += 1
    return made


@pytest.mark.parametrize(("k", "E", "C"), [(3, 2, 5), (1, 1, 1), (6, 4, 2)])
def test_all_proofs_of_an_or_are_what_honest_provers_make(k: int, E: int, C: int) -> None:
    """Every accepted proof is made by exactly one choice of nonces, whatever the true branch."""
    q, shape = TOY.order, face()
    logs, _ = shape.at(q, [k, E, C])
    true = shape.statement(TOY, logs)
    false = shape.statement(TOY, {**logs, "C": (C + 1) % q})
    for statements, branches in (
        ([true, false], [0]),
        ([false, true], [1]),
        ([true, true], [0, 1]),
    ):
        accepted = {
            proof
            for c, s, d, t in product(range(q), repeat=4)
            if accepts(statements, proof := AnyProof(((c, (s,)), (d, (t,)))))
        }
        for branch in branches:
            assert all_proofs(statements, branch, k) == Counter(dict.fromkeys(accepted, 1))


def test_an_or_of_any_length_is_complete_in_each_branch() -> None:
    q, source = TOY.order, Seed(TOY, bytes(32)).nonce_source("proof")
    L, E = on(TOY, {"L": 3, "E": 2}, "L", "E")
    for count in range(1, 8):
        for branch in range(count):
            N = TOY.times_generator(branch + 3 * 2)
            faces = [TOY.times_generator(value % q) for value in range(count)]
            statements = [relations.face(TOY, L, E, N, C) for C in faces]
            transcripts = ProofTranscript(TOY, b"or"), ProofTranscript(TOY, b"or")
            proof = prove_any(TOY, transcripts[0], statements, branch, [3], source)
            verify_any(TOY, transcripts[1], statements, proof, Reason.PROOF_MEMBER)
            assert AnyProof.from_bytes(TOY, proof.to_bytes(), count, 1) == proof

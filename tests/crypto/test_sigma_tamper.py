"""An honest proof on secp256k1, and every single change of it, of its statement or of its place.

Each change is refused with the reason that was asked for, except where the bytes already are no
proof; then with the reason of the reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nodealer.crypto import (
    SECP256K1,
    Equation,
    Point,
    Proof,
    ProofTranscript,
    Statement,
    Sum,
    Term,
    prove,
    toy_group,
    verify,
    write_scalar,
)
from nodealer.kernel import Reason
from tests.crypto.shapes import Shape
from tests.crypto.tools import G, Q, chosen, nonces, refused
from tests.crypto.view_shapes import SHAPES

CONTEXT = b"table, height, parent, step, epoch, seat, relation, slots"
all_shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


def free_values(shape: Shape) -> list[int]:
    return [chosen(shape.name, name) for name in shape.free]


def proven(shape: Shape) -> tuple[Statement, Proof]:
    logs, witness = shape.at(Q, free_values(shape))
    statement = shape.statement(SECP256K1, logs)
    transcript = ProofTranscript(SECP256K1, CONTEXT)
    return statement, prove(SECP256K1, transcript, statement, witness, nonces())


def check(shape: Shape, statement: Statement, proof: Proof, context: bytes = CONTEXT) -> None:
    verify(SECP256K1, ProofTranscript(SECP256K1, context), statement, proof, shape.reason)


@all_shapes
def test_the_honest_proof_is_accepted_and_always_the_same(shape: Shape) -> None:
    statement, proof = proven(shape)
    check(shape, statement, proof)
    assert proven(shape) == (statement, proof)
    size = 16 + 32 * len(statement.witnesses)
    assert len(proof.to_bytes()) == size
    assert Proof.from_bytes(SECP256K1, proof.to_bytes(), len(statement.witnesses)) == proof


@all_shapes
def test_every_bit_of_the_challenge_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    number = int.from_bytes(proof.challenge, "big")
    for bit in range(128):
        changed = replace(proof, challenge=(number ^ 1 << bit).to_bytes(16, "big"))
        with refused(shape.reason):
            check(shape, statement, changed)


def changed_responses(responses: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i, response in enumerate(responses):
        for other in (response + 1, response - 1, -response, response ^ 1 << 200, 0, chosen("?")):
            yield (*responses[:i], other % Q, *responses[i + 1 :])
    for i in range(1, len(responses)):
        swapped = list(responses)
        swapped[0], swapped[i] = swapped[i], swapped[0]
        yield tuple(swapped)
    if len(responses) > 1:
        yield responses[1:] + responses[:1]
        yield tuple((response + 1) % Q for response in responses)


@all_shapes
def test_every_response_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    for responses in changed_responses(proof.responses):
        with refused(shape.reason):
            check(shape, statement, replace(proof, responses=responses))


@all_shapes
def test_there_are_as_many_responses_as_witnesses(shape: Shape) -> None:
    statement, proof = proven(shape)
    for responses in ((), proof.responses[1:], (*proof.responses, 0), proof.responses * 2):
        if len(responses) != len(proof.responses):
            with refused(Reason.PROOF_LENGTH):
                check(shape, statement, replace(proof, responses=responses))


@all_shapes
def test_a_challenge_has_sixteen_bytes(shape: Shape) -> None:
    statement, proof = proven(shape)
    for challenge in (b"", proof.challenge[:-1], proof.challenge + b"\0", proof.challenge * 2):
        with refused(Reason.GROUP_CHALLENGE_LENGTH):
            check(shape, statement, replace(proof, challenge=challenge))


@all_shapes
def test_bytes_of_another_length_are_no_proof(shape: Shape) -> None:
    statement, proof = proven(shape)
    data, count = proof.to_bytes(), len(statement.witnesses)
    for length in range(len(data) + 70):
        if length != len(data):
            with refused(Reason.PROOF_LENGTH):
                Proof.from_bytes(SECP256K1, (data + data)[:length], count)
    for other in range(count + 3):
        if other != count:
            with refused(Reason.PROOF_LENGTH):
                Proof.from_bytes(SECP256K1, data, other)


@all_shapes
def test_responses_have_one_encoding(shape: Shape) -> None:
    statement, proof = proven(shape)
    data = proof.to_bytes()
    for i in range(len(statement.witnesses)):
        at = 16 + 32 * i
        for outside in (Q, Q + 5, (1 << 256) - 1):
            with refused(Reason.GROUP_SCALAR_RANGE):
                Proof.from_bytes(
                    SECP256K1,
                    data[:at] + outside.to_bytes(32, "big") + data[at + 32 :],
                    len(statement.witnesses),
                )
        assert data[at : at + 32] == write_scalar(proof.responses[i])


@all_shapes
def test_every_bit_of_some_bytes_of_the_proof_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    data = proof.to_bytes()
    for at in range(16, len(data), 8):
        bent = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        read = Proof.from_bytes(SECP256K1, bent, len(statement.witnesses))
        with refused(shape.reason):
            check(shape, statement, read)


@all_shapes
def test_every_public_value_of_the_statement_counts(shape: Shape) -> None:
    logs, _ = shape.at(Q, free_values(shape))
    _, proof = proven(shape)
    for name in shape.public:
        others = [logs[name] + 1, -logs[name], 0, *(logs[other] for other in shape.public)]
        for other in {value % Q for value in others} - {logs[name] % Q}:
            with refused(shape.reason):
                check(shape, shape.statement(SECP256K1, {**logs, name: other}), proof)


def points_changed(point: Point) -> tuple[Point, ...]:
    return point + G, -point, SECP256K1.identity


def targets_changed(equation: Equation) -> Iterator[Equation]:
    if isinstance(equation.target, Sum):
        for i, (c, point) in enumerate(equation.target.parts):
            for part in ((c + 1, point), *((c, other) for other in points_changed(point))):
                parts = list(equation.target.parts)
                parts[i] = part
                yield replace(equation, target=Sum(tuple(parts)))
        yield replace(equation, target=Sum(equation.target.parts[1:]))
    else:
        for other in points_changed(equation.target):
            if other != equation.target:
                yield replace(equation, target=other)


def terms_changed(equation: Equation) -> Iterator[Equation]:
    for i, term in enumerate(equation.terms):
        others = [
            *(replace(term, base=base) for base in points_changed(term.base)),
            replace(term, coefficient=(term.coefficient + 1) % Q),
            replace(term, coefficient=-term.coefficient % Q),
        ]
        for other in others:
            yield replace(equation, terms=(*equation.terms[:i], other, *equation.terms[i + 1 :]))
        yield replace(equation, terms=equation.terms[:i] + equation.terms[i + 1 :])
        yield replace(equation, terms=(*equation.terms, Term(term.witness, G)))
    if len(equation.terms) > 1:
        yield replace(equation, terms=equation.terms[::-1])
        first, second, *rest = equation.terms
        yield replace(
            equation,
            terms=(
                replace(first, witness=second.witness),
                replace(second, witness=first.witness),
                *rest,
            ),
        )
        yield replace(
            equation,
            terms=(replace(first, base=second.base), replace(second, base=first.base), *rest),
        )


def statements_changed(statement: Statement) -> Iterator[Statement]:
    equations = statement.equations
    for i, equation in enumerate(equations):
        for other in (*targets_changed(equation), *terms_changed(equation)):
            yield replace(statement, equations=(*equations[:i], other, *equations[i + 1 :]))
        yield replace(statement, equations=equations[:i] + equations[i + 1 :])
        yield replace(statement, equations=(*equations, equation))
    if len(equations) > 1:
        yield replace(statement, equations=equations[::-1])
        first, second, *rest = equations
        yield replace(
            statement,
            equations=(
                replace(first, target=second.target),
                replace(second, target=first.target),
                *rest,
            ),
        )
    names = statement.witnesses
    yield replace(statement, witnesses=(f"{names[0]}'", *names[1:]))


@all_shapes
def test_every_part_of_every_equation_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    tried = 0
    for other in statements_changed(statement):
        if other != statement:
            with refused(shape.reason):
                check(shape, other, proof)
            tried += 1
    assert tried > 7


@all_shapes
def test_the_place_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    bent = [CONTEXT[:at] + bytes([CONTEXT[at] ^ 1]) + CONTEXT[at + 1 :] for at in range(5)]
    for context in (b"", CONTEXT[:-1], CONTEXT + b"\0", CONTEXT * 2, *bent):
        with refused(shape.reason):
            check(shape, statement, proof, context)


@all_shapes
def test_what_the_transcript_held_before_counts(shape: Shape) -> None:
    statement, proof = proven(shape)
    transcript = ProofTranscript(SECP256K1, CONTEXT)
    transcript.absorb("faces", ["QH"])
    with refused(shape.reason):
        verify(SECP256K1, transcript, statement, proof, shape.reason)
    with refused(shape.reason):
        verify(SECP256K1, ProofTranscript(toy_group(7), CONTEXT), statement, proof, shape.reason)


@all_shapes
def test_the_given_reason_is_the_one_that_is_given(shape: Shape) -> None:
    statement, proof = proven(shape)
    bent = replace(proof, responses=(0,) * len(proof.responses))
    for reason in (Reason.PROOF_KEY, Reason.PROOF_SHARE, Reason.PROOF_EQUAL):
        with refused(reason):
            verify(SECP256K1, ProofTranscript(SECP256K1, CONTEXT), statement, bent, reason)


@all_shapes
def test_a_witness_that_is_wrong_in_one_place_gives_a_void_proof(shape: Shape) -> None:
    logs, witness = shape.at(Q, free_values(shape))
    statement = shape.statement(SECP256K1, logs)
    for i in range(len(witness)):
        wrong = (*witness[:i], (witness[i] + 1) % Q, *witness[i + 1 :])
        transcript = ProofTranscript(SECP256K1, CONTEXT)
        proof = prove(SECP256K1, transcript, statement, wrong, nonces())
        with refused(shape.reason):
            check(shape, statement, proof)


def test_a_proof_of_nothing_but_zeros_shows_nothing() -> None:
    for shape in SHAPES:
        statement, proof = proven(shape)
        for responses in ((0,) * len(proof.responses), (1,) * len(proof.responses)):
            with refused(shape.reason):
                check(shape, statement, Proof(bytes(16), responses))

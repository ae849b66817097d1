"""One engine for every claim about hidden cards: linear relations between public points.

A statement is a list of equations

    target = w_1 * B_1 + w_2 * B_2 + ...

with public targets and bases and secret witnesses w, where one witness may stand in several
equations: that is how "the same key" is said. The prover shows that she knows witnesses that
satisfy all equations at once and shows nothing else. `crypto.relations` writes every claim of the
project in this form.

The proof is Schnorr's, generalised. One nonce for each witness, one commitment for each equation,
one challenge for all, one response for each witness:

    t_e = sum of nonce_k * B_ek    c = H(context, statement, all t)    s_k = nonce_k + c * w_k

What is sent is `c` and the responses. The verifier recomputes `t_e = sum s_k * B_ek - c * target_e`
and the hash. A target that is O drops out of that sum: an equation "... = O" costs nothing extra.

`prove_any` proves that at least one of several statements holds without showing which. The
branches that do not hold are simulated with challenges of their own; those of all branches must
add up to the hash.

A term may carry a public coefficient. It lets several equations be merged by random weights, which
is sound only if every witness in them is pinned by an unmerged equation of the same statement
(`specs/02-proofs.md`, section "Merging").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.crypto.derive import NonceSource
from nodealer.crypto.group import (
    SCALAR_BYTES,
    SHORT_SCALAR_BYTES,
    Group,
    Point,
    write_scalar,
)
from nodealer.crypto.proof_transcript import ProofTranscript
from nodealer.kernel import PeerError, Reason

_ONE: Final = write_scalar(1)


@dataclass(frozen=True, slots=True)
class Term:
    """`coefficient * witness * base`; the witness is named by its index in the statement."""

    witness: int
    base: Point
    coefficient: int = 1


@dataclass(frozen=True, slots=True)
class Sum:
    """A public linear combination of points that only the verifier has to compute."""

    parts: tuple[tuple[int, Point], ...]

    def total(self, group: Group) -> Point:
        """Return the point that it stands for."""
        return group.total([point if c == 1 else c * point for c, point in self.parts])


@dataclass(frozen=True, slots=True)
class Equation:
    """A public target and the secret sum that it equals."""

    target: Point | Sum
    terms: tuple[Term, ...]

    def target_point(self, group: Group) -> Point:
        """Return the target as one point."""
        return self.target.total(group) if isinstance(self.target, Sum) else self.target

    def packed(self) -> bytes:
        """Return all public points and coefficients, each list behind its length."""
        parts = self.target.parts if isinstance(self.target, Sum) else ((1, self.target),)
        pieces = [_count(len(parts))]
        for coefficient, point in parts:
            pieces += (_coefficient(coefficient), point.encode())
        pieces.append(_count(len(self.terms)))
        for term in self.terms:
            pieces += (
                _count(term.witness),
                _coefficient(term.coefficient),
                term.base.encode(),
            )
        return b"".join(pieces)


@dataclass(frozen=True, slots=True)
class Statement:
    """Equations that hold together for the named witnesses; names are single words."""

    witnesses: tuple[str, ...]
    equations: tuple[Equation, ...]

    def absorb_into(self, transcript: ProofTranscript) -> None:
        """Put the whole statement, structure included, into a transcript."""
        packed = b"".join([equation.packed() for equation in self.equations])
        names = " ".join(self.witnesses)
        transcript.absorb("statement", names, len(self.equations), packed)


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of one statement: the challenge as 16 bytes, and a response for each witness.

    What comes from a peer is read by `from_bytes`, which gives each proof one form only.
    """

    challenge: bytes
    responses: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """Return 16 bytes and 32 for each response."""
        return self.challenge + b"".join([write_scalar(value) for value in self.responses])

    @classmethod
    def from_bytes(cls, group: Group, data: bytes, witnesses: int) -> Proof:
        """Read the proof of a statement that has this many witnesses."""
        if len(data) != SHORT_SCALAR_BYTES + SCALAR_BYTES * witnesses:
            raise PeerError(Reason.PROOF_LENGTH, f"{len(data)} bytes")
        return cls(data[:SHORT_SCALAR_BYTES], _read_scalars(group, data[SHORT_SCALAR_BYTES:]))


@dataclass(frozen=True, slots=True)
class AnyProof:
    """The proof that one of several statements holds: a full challenge and responses for each."""

    branches: tuple[tuple[int, tuple[int, ...]], ...]

    def to_bytes(self) -> bytes:
        """Return 32 bytes for each challenge and each response, branch after branch."""
        return b"".join(
            [
                write_scalar(value)
                for challenge, responses in self.branches
                for value in (challenge, *responses)
            ]
        )

    @classmethod
    def from_bytes(cls, group: Group, data: bytes, branches: int, witnesses: int) -> AnyProof:
        """Read the proof of this many branches with this many witnesses each."""
        if len(data) != SCALAR_BYTES * branches * (1 + witnesses):
            raise PeerError(Reason.PROOF_LENGTH, f"{len(data)} bytes")
        values = _read_scalars(group, data)
        width = 1 + witnesses
        rows = [values[start : start + width] for start in range(0, len(values), width)]
        return cls(tuple((row[0], row[1:]) for row in rows))


def prove(
    group: Group,
    transcript: ProofTranscript,
    statement: Statement,
    witness: Sequence[int],
    nonces_for: NonceSource,
) -> Proof:
    """Prove that `witness` satisfies the statement. Proving what is false gives a void proof."""
    statement.absorb_into(transcript)
    nonce = nonces_for(transcript.digest(), witness)
    nonces = [nonce(index) for index in range(len(witness))]
    _absorb_commitments(transcript, _left_sides(group, statement, nonces))
    challenge = transcript.challenge("challenge")
    factor = group.short_scalar(challenge)
    responses = tuple(
        (fresh + factor * secret) % group.order
        for fresh, secret in zip(nonces, witness, strict=True)
    )
    return Proof(challenge, responses)


def verify(
    group: Group, transcript: ProofTranscript, statement: Statement, proof: Proof, reason: Reason
) -> None:
    """Raise `reason` unless the proof shows the statement in the context of the transcript."""
    if len(proof.responses) != len(statement.witnesses):
        raise PeerError(Reason.PROOF_LENGTH, f"{len(proof.responses)} responses")
    statement.absorb_into(transcript)
    factor = group.short_scalar(proof.challenge)
    _absorb_commitments(transcript, _recomputed(group, statement, factor, proof.responses))
    if transcript.challenge("challenge") != proof.challenge:
        raise PeerError(reason)


def prove_any(
    group: Group,
    transcript: ProofTranscript,
    statements: Sequence[Statement],
    true_branch: int,
    witness: Sequence[int],
    nonces_for: NonceSource,
) -> AnyProof:
    """Prove that one of the statements holds; `witness` satisfies the one at `true_branch`."""
    _absorb_branches(transcript, statements)
    nonce = nonces_for(transcript.digest(), [true_branch, *witness])
    width = 1 + len(witness)
    drawn = [
        [nonce(branch * width + column) for column in range(width)]
        for branch in range(len(statements))
    ]
    for branch, statement in enumerate(statements):
        challenge, *responses = drawn[branch]
        if branch == true_branch:
            _absorb_commitments(transcript, _left_sides(group, statement, responses))
        else:
            _absorb_commitments(transcript, _recomputed(group, statement, challenge, responses))
    total = group.short_scalar(transcript.challenge("challenge"))
    others = sum(row[0] for branch, row in enumerate(drawn) if branch != true_branch)
    own = (total - others) % group.order
    row = drawn[true_branch]
    row[:] = [own] + [
        (fresh + own * secret) % group.order for fresh, secret in zip(row[1:], witness, strict=True)
    ]
    return AnyProof(tuple((challenge, tuple(rest)) for challenge, *rest in drawn))


def verify_any(
    group: Group,
    transcript: ProofTranscript,
    statements: Sequence[Statement],
    proof: AnyProof,
    reason: Reason,
) -> None:
    """Raise `reason` unless the proof shows that at least one of the statements holds."""
    if len(proof.branches) != len(statements):
        raise PeerError(Reason.PROOF_LENGTH, f"{len(proof.branches)} branches")
    _absorb_branches(transcript, statements)
    for statement, (challenge, responses) in zip(statements, proof.branches, strict=True):
        if len(responses) != len(statement.witnesses):
            raise PeerError(Reason.PROOF_LENGTH, f"{len(responses)} responses")
        _absorb_commitments(transcript, _recomputed(group, statement, challenge, responses))
    total = group.short_scalar(transcript.challenge("challenge"))
    if sum(challenge for challenge, _ in proof.branches) % group.order != total:
        raise PeerError(reason)


def _absorb_branches(transcript: ProofTranscript, statements: Sequence[Statement]) -> None:
    transcript.absorb("branches", len(statements))
    for statement in statements:
        statement.absorb_into(transcript)


def _absorb_commitments(transcript: ProofTranscript, commitments: Sequence[Point]) -> None:
    transcript.absorb_points("commitments", commitments)


def _left_sides(group: Group, statement: Statement, values: Sequence[int]) -> list[Point]:
    """Return the sums of all equations with `values` in place of the witnesses."""
    return [group.total(_products(group, equation, values)) for equation in statement.equations]


def _recomputed(
    group: Group, statement: Statement, challenge: int, responses: Sequence[int]
) -> list[Point]:
    """Return the commitments that fit this challenge and these responses."""
    negated = -challenge % group.order
    return [
        group.total(
            [*_products(group, equation, responses), negated * equation.target_point(group)]
        )
        for equation in statement.equations
    ]


def _products(group: Group, equation: Equation, values: Sequence[int]) -> list[Point]:
    generator = group.generator
    return [
        group.times_generator(term.coefficient * values[term.witness])
        if term.base is generator
        else (term.coefficient * values[term.witness]) * term.base
        for term in equation.terms
    ]


def _count(number: int) -> bytes:
    """Return a length or index as two bytes."""
    return number.to_bytes(2, "big")


def _coefficient(scalar: int) -> bytes:
    return _ONE if scalar == 1 else write_scalar(scalar)


def _read_scalars(group: Group, data: bytes) -> tuple[int, ...]:
    return tuple(
        group.read_scalar(data[start : start + SCALAR_BYTES])
        for start in range(0, len(data), SCALAR_BYTES)
    )

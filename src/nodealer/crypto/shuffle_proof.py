"""The proof of shuffle of Terelius and Wikström for decks of ElGamal ciphertexts.

A shuffler turns the deck (E_1, M_1) .. (E_n, M_n) under the public key X into

    E'_i = E_psi(i) + r_i * G        M'_i = M_psi(i) + r_i * X

and proves that some permutation psi and some scalars r exist, showing neither. The argument has
two halves. The shuffler commits to psi by the points c_j; random weights u_j, drawn only when both
decks and all c_j are fixed, then make one equation do for n: the weighted sum of the new deck, in
permuted order of the weights, is a re-encryption of the weighted sum of the old one. The chain of
points c^_i shows that the permuted weights u'_i have the same product as the weights, and with the
sums of the c_j this forces them to be a permutation of the weights.

Two things are easy to get wrong and fatal, and each has a test that plants it:

- the *new* deck must be hashed before the weights are drawn, otherwise two cards can be bent so
  that the errors cancel and a known card becomes any other;
- the randomness must depend on everything hashed: the same shuffle proven in two places with the
  same randomness and different weights publishes the permutation.

The proof says nothing about what is encrypted and stays sound if the prover knows the key, so it
serves a seat that shuffles its own hand as well.

Letters follow `specs/02-proofs.md`; a trailing `p` stands for the prime (`Ep` is E').
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from nodealer.crypto.derive import Nonces, NonceSource
from nodealer.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    SHORT_SCALAR_BYTES,
    Group,
    Point,
    write_scalar,
)
from nodealer.crypto.proof_transcript import ProofTranscript
from nodealer.kernel import LocalError, PeerError, Reason

_SUMS: Final = 4
"""Responses that do not depend on n: one each for t1, t2, t3, and one for t4a and t4b."""

_GENERATOR_DOMAIN: Final = "nodealer/1/tw-gen"


class Masked(NamedTuple):
    """A masked card: `M = face + (joint key) * e` where `E = e * G`."""

    E: Point
    M: Point


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """Commitments c and c^, the challenge, and the responses; 130 n + 144 bytes."""

    c: tuple[Point, ...]
    chain: tuple[Point, ...]
    challenge: bytes
    sums: tuple[int, ...]
    chain_responses: tuple[int, ...]
    weight_responses: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """Return the fields one after the other, without lengths: n gives them all."""
        points = b"".join([point.encode() for point in (*self.c, *self.chain)])
        scalars = (*self.sums, *self.chain_responses, *self.weight_responses)
        return points + self.challenge + b"".join([write_scalar(value) for value in scalars])

    @classmethod
    def from_bytes(cls, group: Group, data: bytes, cards: int) -> ShuffleProof:
        """Read the proof for a deck of this many cards."""
        challenge_at = 2 * cards * POINT_BYTES
        scalars_at = challenge_at + SHORT_SCALAR_BYTES
        if len(data) != scalars_at + (_SUMS + 2 * cards) * SCALAR_BYTES:
            raise PeerError(Reason.PROOF_LENGTH, f"{len(data)} bytes for {cards} cards")
        points = read_points(group, data[:challenge_at])
        scalars = tuple(
            group.read_scalar(data[at : at + SCALAR_BYTES])
            for at in range(scalars_at, len(data), SCALAR_BYTES)
        )
        return cls(
            c=points[:cards],
            chain=points[cards:],
            challenge=data[challenge_at:scalars_at],
            sums=scalars[:_SUMS],
            chain_responses=scalars[_SUMS : _SUMS + cards],
            weight_responses=scalars[_SUMS + cards :],
        )


def read_points(group: Group, data: bytes) -> tuple[Point, ...]:
    """Return the points of a string of 33-byte encodings."""
    if len(data) % POINT_BYTES:
        raise PeerError(Reason.GROUP_POINT_LENGTH, f"{len(data)} bytes of points")
    return tuple(
        group.read_point(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)
    )


def shuffled(
    group: Group, key: Point, deck: Sequence[Masked], order: Sequence[int], fresh: Sequence[int]
) -> list[Masked]:
    """Return the deck permuted and re-randomised: position i gets the old card `order[i]`."""
    return [
        Masked(deck[old].E + group.times_generator(r), deck[old].M + r * key)
        for old, r in zip(order, fresh, strict=True)
    ]


def prove_shuffle(
    group: Group,
    transcript: ProofTranscript,
    key: Point,
    before: Sequence[Masked],
    after: Sequence[Masked],
    order: Sequence[int],
    fresh: Sequence[int],
    nonces_for: NonceSource,
) -> ShuffleProof:
    """Prove that `after` is `before` in the given order, re-randomised by `fresh`."""
    q, n = group.order, len(before)
    witness = [*order, *fresh]
    _absorb_decks(transcript, key, before, after)

    commit_nonce = nonces_for(transcript.digest(), witness)
    c, r = _commit_permutation(group, order, commit_nonce)
    transcript.absorb_points("c", c)
    u = transcript.weights("u", n)
    up = [u[old] for old in order]

    chain_nonce = nonces_for(transcript.digest(), witness)
    rhat = [chain_nonce(index) for index in range(n)]
    H0, _ = _generators(group, n)
    chain = _linked(group, H0, rhat, up)
    transcript.absorb_points("chain", chain)

    nonce = nonces_for(transcript.digest(), witness)
    own = [nonce(index) for index in range(_SUMS)]
    along_chain = [nonce(_SUMS + index) for index in range(n)]
    along_weights = [nonce(_SUMS + n + index) for index in range(n)]
    t = _commitments(group, key, after, own, along_weights)
    tchain = [
        group.times_generator(along_chain[i]) + along_weights[i] * link
        for i, link in enumerate([H0, *chain[:-1]])
    ]
    _absorb_commitments(transcript, t, tchain)
    challenge = transcript.challenge("challenge")
    factor = group.short_scalar(challenge)

    secrets = (
        sum(r),
        _chain_randomness(rhat, up, q),
        sum(weight * value for weight, value in zip(u, r, strict=True)),
        sum(weight * value for weight, value in zip(up, fresh, strict=True)),
    )
    return ShuffleProof(
        c=tuple(c),
        chain=tuple(chain),
        challenge=challenge,
        sums=_responses(own, factor, secrets, q),
        chain_responses=_responses(along_chain, factor, rhat, q),
        weight_responses=_responses(along_weights, factor, up, q),
    )


def verify_shuffle(
    group: Group,
    transcript: ProofTranscript,
    key: Point,
    before: Sequence[Masked],
    after: Sequence[Masked],
    proof: ShuffleProof,
) -> None:
    """Raise `proof/shuffle` unless `after` is shown to be a shuffle of `before` under `key`."""
    _require_lengths(len(before), len(after), proof)
    _absorb_decks(transcript, key, before, after)
    transcript.absorb_points("c", proof.c)
    u = transcript.weights("u", len(before))
    transcript.absorb_points("chain", proof.chain)

    negated = -group.short_scalar(proof.challenge) % group.order
    t = _recomputed_sums(group, key, before, after, proof, u, negated)
    tchain = _recomputed_chain(group, proof, negated)
    _absorb_commitments(transcript, t, tchain)
    if transcript.challenge("challenge") != proof.challenge:
        raise PeerError(Reason.PROOF_SHUFFLE)


def _generators(group: Group, count: int) -> tuple[Point, list[Point]]:
    """Return H_0 and H_1 .. H_count, points without known relations."""
    points = [group.hash_to_point(_GENERATOR_DOMAIN, index) for index in range(count + 1)]
    return points[0], points[1:]


def _absorb_decks(
    transcript: ProofTranscript, key: Point, before: Sequence[Masked], after: Sequence[Masked]
) -> None:
    if not before:
        raise LocalError(Reason.LOCAL_ARGUMENT, "a shuffle of no cards")
    transcript.absorb_points("key", [key])
    transcript.absorb("cards", len(before))
    for label, deck in (("before", before), ("after", after)):
        transcript.absorb_points(label, [point for card in deck for point in card])


def _absorb_commitments(
    transcript: ProofTranscript, t: Sequence[Point], tchain: Sequence[Point]
) -> None:
    transcript.absorb_points("t", t)
    transcript.absorb_points("tchain", tchain)


def _commit_permutation(
    group: Group, order: Sequence[int], nonce: Nonces
) -> tuple[list[Point], list[int]]:
    """Return c with `c[order[i]] = r[order[i]] * G + H_i`, and r."""
    _, H = _generators(group, len(order))
    r = [nonce(index) for index in range(len(order))]
    c = list(H)
    for position, old in enumerate(order):
        c[old] = group.times_generator(r[old]) + H[position]
    return c, r


def _linked(
    group: Group, start: Point, fresh: Sequence[int], weights: Sequence[int]
) -> list[Point]:
    """Return the chain `link[i] = fresh[i] * G + weights[i] * link[i - 1]`."""
    link = start
    links = []
    for own, weight in zip(fresh, weights, strict=True):
        link = group.times_generator(own) + weight * link
        links.append(link)
    return links


def _chain_randomness(rhat: Sequence[int], up: Sequence[int], order: int) -> int:
    """Return the logarithm of the chain's last link beside its part in H_0."""
    total = 0
    for fresh, weight in zip(rhat, up, strict=True):
        total = (total * weight + fresh) % order
    return total


def _commitments(
    group: Group,
    key: Point,
    after: Sequence[Masked],
    own: Sequence[int],
    along_weights: Sequence[int],
) -> list[Point]:
    """Return t1, t2, t3, t4a, t4b."""
    _, H = _generators(group, len(after))
    return [
        group.times_generator(own[0]),
        group.times_generator(own[1]),
        group.times_generator(own[2]) + group.linear(along_weights, H),
        -own[3] * key + group.linear(along_weights, [card.M for card in after]),
        group.times_generator(-own[3]) + group.linear(along_weights, [card.E for card in after]),
    ]


def _responses(
    nonces: Sequence[int], factor: int, secrets: Sequence[int], order: int
) -> tuple[int, ...]:
    return tuple(
        (nonce + factor * secret) % order for nonce, secret in zip(nonces, secrets, strict=True)
    )


def _recomputed_sums(
    group: Group,
    key: Point,
    before: Sequence[Masked],
    after: Sequence[Masked],
    proof: ShuffleProof,
    u: Sequence[int],
    negated: int,
) -> list[Point]:
    """Return t1, t2, t3, t4a, t4b as they must have been; `negated` is minus the challenge."""
    H0, H = _generators(group, len(before))
    s1, s2, s3, s4 = proof.sums
    sp = proof.weight_responses
    product = 1
    for weight in u:
        product = product * weight % group.order
    cbar = group.total(proof.c) - group.total(H)
    chat = proof.chain[-1] - product * H0

    def committed(own: Point, new: Sequence[Point], old: Sequence[Point]) -> Point:
        return group.total([own, group.linear(sp, new), negated * group.linear(u, old)])

    return [
        group.times_generator(s1) + negated * cbar,
        group.times_generator(s2) + negated * chat,
        committed(group.times_generator(s3), H, proof.c),
        committed(-s4 * key, [card.M for card in after], [card.M for card in before]),
        committed(
            group.times_generator(-s4), [card.E for card in after], [card.E for card in before]
        ),
    ]


def _recomputed_chain(group: Group, proof: ShuffleProof, negated: int) -> list[Point]:
    """Return the commitments of the chain as they must have been."""
    H0, _ = _generators(group, 0)
    links = [H0, *proof.chain]
    return [
        group.total((group.times_generator(own), weight * links[i], negated * links[i + 1]))
        for i, (own, weight) in enumerate(
            zip(proof.chain_responses, proof.weight_responses, strict=True)
        )
    ]


def _require_lengths(before: int, after: int, proof: ShuffleProof) -> None:
    lengths = {
        len(proof.c),
        len(proof.chain),
        len(proof.chain_responses),
        len(proof.weight_responses),
        after,
    }
    if lengths != {before} or len(proof.sums) != _SUMS:
        raise PeerError(Reason.DECK_COUNT, f"{sorted(lengths)} for {before} cards")

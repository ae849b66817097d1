"""A prover of shuffles that cheats.

The shuffle argument proves that a matrix, committed to column by column, is a permutation matrix,
and that the new deck is the old one under it. This prover takes any two matrices instead:

    committed   what stands behind the points c
    weighted    how the weights u are turned into the weights u' of the new deck

and builds the proof otherwise as the real one does. Whatever the matrices violate, no other
equation of the argument notices, so each equation can be shown to be needed on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.crypto import Masked, Point, ProofTranscript, ShuffleProof
from nodealer.crypto.shuffle_proof import _absorb_commitments, _absorb_decks
from tests.attacks.tools import GROUP, Q, scalars

Matrix = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Forgery:
    """The two matrices, and whether the chain of commitments is simply made up."""

    committed: Matrix
    weighted: Matrix
    made_up_chain: bool = False


def generators(count: int) -> list[Point]:
    """Return the points H_0 .. H_count of the argument."""
    return [GROUP.hash_to_point("nodealer/1/tw-gen", index) for index in range(count + 1)]


def times(matrix: Matrix, values: Sequence[int]) -> list[int]:
    """Return the product of a matrix and a column."""
    return [sum(a * v for a, v in zip(row, values, strict=True)) % Q for row in matrix]


def forge_shuffle(
    transcript: ProofTranscript,
    key: Point,
    before: Sequence[Masked],
    after: Sequence[Masked],
    plan: Forgery,
) -> ShuffleProof:
    """Return a proof that `after` is a shuffle of `before`, as good as the matrices allow."""
    n = len(before)
    H0, *H = generators(n)
    fresh = scalars("forged", count=5 * n + 4)
    r, rhat, tchain_own, sp_own, own = (
        fresh[:n],
        fresh[n : 2 * n],
        fresh[2 * n : 3 * n],
        fresh[3 * n : 4 * n],
        fresh[5 * n :],
    )
    _absorb_decks(transcript, key, before, after)
    columns = list(zip(*plan.committed, strict=True))
    c = [r[j] * GROUP.generator + GROUP.linear(columns[j], H) for j in range(n)]
    transcript.absorb_points("c", c)
    u = transcript.weights("u", n)
    up = times(plan.weighted, u)

    chain, rbar = _chain(H0, rhat, u, up, made_up=plan.made_up_chain)
    transcript.absorb_points("chain", chain)
    t = [
        own[0] * GROUP.generator,
        own[1] * GROUP.generator,
        own[2] * GROUP.generator + GROUP.linear(sp_own, H),
        -own[3] * key + GROUP.linear(sp_own, [card.M for card in after]),
        -own[3] * GROUP.generator + GROUP.linear(sp_own, [card.E for card in after]),
    ]
    links = [H0, *chain]
    tchain = [tchain_own[i] * GROUP.generator + sp_own[i] * links[i] for i in range(n)]
    _absorb_commitments(transcript, t, tchain)
    challenge = transcript.challenge("challenge")
    factor = GROUP.short_scalar(challenge)
    secrets = (sum(r), rbar, sum(a * b for a, b in zip(u, r, strict=True)), 0)
    return ShuffleProof(
        c=tuple(c),
        chain=tuple(chain),
        challenge=challenge,
        sums=tuple((own[i] + factor * secrets[i]) % Q for i in range(4)),
        chain_responses=tuple((a + factor * b) % Q for a, b in zip(tchain_own, rhat, strict=True)),
        weight_responses=tuple((a + factor * b) % Q for a, b in zip(sp_own, up, strict=True)),
    )


def _chain(
    start: Point, rhat: Sequence[int], u: Sequence[int], up: Sequence[int], *, made_up: bool
) -> tuple[list[Point], int]:
    """Return the chain and the randomness of its last link."""
    if made_up:
        product = 1
        for weight in u:
            product = product * weight % Q
        last = rhat[-1] * GROUP.generator + product * start
        return [*(value * GROUP.generator for value in rhat[:-1]), last], rhat[-1]
    link, rbar, chain = start, 0, []
    for own, weight in zip(rhat, up, strict=True):
        link = own * GROUP.generator + weight * link
        rbar = (rbar * weight + own) % Q
        chain.append(link)
    return chain, rbar

"""Exchanging the keys of layers: the algebra that the mask round and the restack share.

A seat replaces its key l on a slot by l' without touching the card: it publishes `L' = l' * G` and
`delta = (l' - l) * E`, which everybody adds to N. The proof shows that both differences have one
exponent. With the deck key as the old one this is the mask; with a common new or old key it is the
way into and out of a restack.

All deltas go into one equation by weights that are drawn after all points are fixed, which halves
the work. It is sound because each exponent is pinned by its own equation over G.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.crypto import (
    Group,
    NonceSource,
    Point,
    Proof,
    ProofTranscript,
    Statement,
    prove,
    relations,
    verify,
)
from nodealer.kernel import PeerError, Reason


@dataclass(frozen=True, slots=True)
class ExchangeProof:
    """The points that are added to each N, and the proof that they change nothing but the key."""

    deltas: tuple[Point, ...]
    proof: Proof


def make_exchange(
    group: Group,
    transcript: ProofTranscript,
    old: Sequence[tuple[int, Point]],
    new: Sequence[tuple[int, Point]],
    Es: Sequence[Point],
    nonces_for: NonceSource,
) -> ExchangeProof:
    """Replace the old keys, given as (secret, public), by the new ones."""
    secrets = [
        (fresh - former) % group.order for (former, _), (fresh, _) in zip(old, new, strict=True)
    ]
    deltas = tuple(secret * E for secret, E in zip(secrets, Es, strict=True))
    statement = _statement(group, transcript, [L for _, L in old], [L for _, L in new], Es, deltas)
    return ExchangeProof(deltas, prove(group, transcript, statement, secrets, nonces_for))


def check_exchange(
    group: Group,
    transcript: ProofTranscript,
    old: Sequence[Point],
    new: Sequence[Point],
    Es: Sequence[Point],
    part: ExchangeProof,
    reason: Reason,
) -> None:
    """Raise unless every delta exchanges the old key for the new one and does nothing else."""
    if len(new) != len(old) or len(part.deltas) != len(old):
        raise PeerError(Reason.DECK_COUNT, f"{len(part.deltas)} for {len(old)} cards")
    statement = _statement(group, transcript, old, new, Es, part.deltas)
    verify(group, transcript, statement, part.proof, reason)


def _statement(
    group: Group,
    transcript: ProofTranscript,
    old: Sequence[Point],
    new: Sequence[Point],
    Es: Sequence[Point],
    deltas: Sequence[Point],
) -> Statement:
    """Fix all points, draw the weights, and build the merged statement."""
    for label, points in (("old", old), ("new", new), ("E", Es), ("delta", deltas)):
        transcript.absorb_points(label, points)
    weights = transcript.weights("w", len(Es))
    return relations.exchange(group, list(zip(old, new, strict=True)), Es, deltas, weights)

"""Points, cards and proofs as byte strings: the codecs of which the deck's messages are made.

Lists are packed: one byte string of fixed-width items, without a count. How many items there must
be follows from the state of the deck and is compared by the checks; here only the bounds hold that
every deck has. A proof's length gives the number of its responses, which the checks compare too.
"""

from __future__ import annotations

from typing import Final

from nodealer.crypto import (
    POINT_BYTES,
    SCALAR_BYTES,
    SHORT_SCALAR_BYTES,
    AnyProof,
    Group,
    Masked,
    Point,
    Proof,
    ShuffleProof,
    read_points,
    write_scalar,
)
from nodealer.kernel import CARDS_MAX, LocalError, Reason
from nodealer.wire import Codec, bytes_in_units, bytes_up_to, exact_bytes, mapped

_PROOF_SCALARS_MAX: Final = 4 + 2 * CARDS_MAX
"""The proofs with the most responses: a shuffle, or an absence over a hand of the whole deck."""

_SHUFFLE_PROOF_BYTES: Final = (
    2 * CARDS_MAX * POINT_BYTES + SHORT_SCALAR_BYTES + _PROOF_SCALARS_MAX * SCALAR_BYTES
)


def point(group: Group) -> Codec[Point]:
    """Return the codec of one point."""
    return mapped(exact_bytes(POINT_BYTES), group.read_point, lambda element: element.encode())


def scalar(group: Group) -> Codec[int]:
    """Return the codec of one scalar."""

    def dump(number: int) -> bytes:
        if not 0 <= number < group.order:
            raise LocalError(Reason.LOCAL_ARGUMENT, "a scalar that is not below the order")
        return write_scalar(number)

    return mapped(exact_bytes(SCALAR_BYTES), group.read_scalar, dump)


def points(group: Group, *, at_most: int = CARDS_MAX) -> Codec[tuple[Point, ...]]:
    """Return the codec of a list of points, packed into one string."""
    packed = bytes_in_units(POINT_BYTES, at_least=1, at_most=at_most)
    return mapped(packed, lambda data: read_points(group, data), _packed)


def cards(group: Group) -> Codec[tuple[Masked, ...]]:
    """Return the codec of a list of masked cards, packed."""
    packed = bytes_in_units(2 * POINT_BYTES, at_least=1, at_most=CARDS_MAX)
    return mapped(packed, lambda data: _paired(read_points(group, data)), _packed_cards)


def card(group: Group) -> Codec[Masked]:
    """Return the codec of one masked card."""
    return mapped(
        exact_bytes(2 * POINT_BYTES), lambda data: Masked(*read_points(group, data)), _packed
    )


def proof(group: Group) -> Codec[Proof]:
    """Return the codec of the proof of one statement."""
    packed = bytes_up_to(SHORT_SCALAR_BYTES + _PROOF_SCALARS_MAX * SCALAR_BYTES)

    def load(data: bytes) -> Proof:
        witnesses = max(0, len(data) - SHORT_SCALAR_BYTES) // SCALAR_BYTES
        return Proof.from_bytes(group, data, witnesses)

    return mapped(packed, load, Proof.to_bytes)


def any_proof(group: Group) -> Codec[AnyProof]:
    """Return the codec of the proof of one of several statements with one witness each."""
    packed = bytes_in_units(2 * SCALAR_BYTES, at_least=1, at_most=CARDS_MAX)

    def load(data: bytes) -> AnyProof:
        return AnyProof.from_bytes(group, data, len(data) // (2 * SCALAR_BYTES), 1)

    return mapped(packed, load, AnyProof.to_bytes)


def shuffle_proof(group: Group) -> Codec[ShuffleProof]:
    """Return the codec of a proof of shuffle."""
    fixed = SHORT_SCALAR_BYTES + 4 * SCALAR_BYTES
    per_card = 2 * (POINT_BYTES + SCALAR_BYTES)

    def load(data: bytes) -> ShuffleProof:
        return ShuffleProof.from_bytes(group, data, max(0, len(data) - fixed) // per_card)

    return mapped(bytes_up_to(_SHUFFLE_PROOF_BYTES), load, ShuffleProof.to_bytes)


def _packed(points: tuple[Point, ...]) -> bytes:
    return b"".join([point.encode() for point in points])


def _packed_cards(cards: tuple[Masked, ...]) -> bytes:
    return b"".join([_packed(card) for card in cards])


def _paired(points: tuple[Point, ...]) -> tuple[Masked, ...]:
    return tuple(Masked(E, M) for E, M in zip(points[::2], points[1::2], strict=True))

"""Feeds bytes of all kinds to everything that reads a peer's bytes in `nodealer.crypto`.

Run in a process of its own: what is shown is that the process lives to its last line, and that
nothing but `PeerError` was raised on the way. What was read is used, since some bytes harm only
then. The bytes are the same at every start.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import shake_128

from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Equation,
    Group,
    Masked,
    Point,
    Proof,
    ProofTranscript,
    ShuffleProof,
    Statement,
    Term,
    VerifyKey,
    read_points,
    toy_group,
    verify,
    verify_any,
    verify_opening,
    verify_shuffle,
    write_scalar,
)
from nodealer.kernel import PeerError, Reason, Seat, TableId

BYTES_MAX = 420
G = SECP256K1.generator
TABLE = TableId(bytes(32))

Reader = Callable[[Group, bytes], None]


def use(point: Point) -> None:
    """Do with a point everything that verifying does."""
    assert (point + point - point).encode() == point.encode()
    assert not (5 * point).is_identity or point.is_identity


def read_a_point(group: Group, data: bytes) -> None:
    use(group.read_point(data))


def read_some_points(group: Group, data: bytes) -> None:
    for point in read_points(group, data):
        use(point)


def read_a_scalar(group: Group, data: bytes) -> None:
    scalar = group.read_scalar(data)
    use(group.times_generator(scalar))
    use(scalar * group.times_generator(3))


def read_a_challenge(group: Group, data: bytes) -> None:
    use(group.short_scalar(data) * group.generator)


def read_a_proof(group: Group, data: bytes) -> None:
    """Read proofs of several sizes, and let the bytes stand for a challenge as well."""
    B = group.times_generator(3)
    for witnesses in range(4):
        terms = tuple(Term(index, B) for index in range(witnesses))
        names = tuple(f"w{index}" for index in range(witnesses))
        statement = Statement(names, (Equation(group.generator, terms),))
        for made in (Proof.from_bytes, unread):
            with suppress(PeerError):
                proof = made(group, data, witnesses)
                verify(group, ProofTranscript(group, b""), statement, proof, Reason.PROOF_FACE)


def unread(_group: Group, data: bytes, witnesses: int) -> Proof:
    return Proof(data, (1,) * witnesses)


def read_a_proof_of_branches(group: Group, data: bytes) -> None:
    statement = Statement(("w",), (Equation(group.generator, (Term(0, group.identity),)),))
    for branches in range(4):
        with suppress(PeerError):
            proof = AnyProof.from_bytes(group, data, branches, 1)
            transcript = ProofTranscript(group, b"")
            verify_any(group, transcript, [statement] * branches, proof, Reason.PROOF_MEMBER)


def read_a_shuffle_proof(group: Group, data: bytes) -> None:
    for cards in range(4):
        deck = [Masked(group.generator, group.times_generator(3))] * cards
        with suppress(PeerError):
            proof = ShuffleProof.from_bytes(group, data, cards)
            if cards:
                key = group.generator
                verify_shuffle(group, ProofTranscript(group, b""), key, deck, deck, proof)


def read_a_key(_group: Group, data: bytes) -> None:
    key = VerifyKey(data[:32])
    key.verify("domain", 1, data[32:96])


def read_an_opening(_group: Group, data: bytes) -> None:
    verify_opening(TABLE, b"", Seat(0), data[:32], data[64:], data[32:64])


READERS: tuple[Reader, ...] = (
    read_a_point,
    read_some_points,
    read_a_scalar,
    read_a_challenge,
    read_a_proof,
    read_a_proof_of_branches,
    read_a_shuffle_proof,
    read_a_key,
    read_an_opening,
)


def candidates() -> Iterator[bytes]:
    """Bytes of every length: noise, constants, and good items with a byte changed."""
    for length in range(BYTES_MAX):
        yield shake_128(length.to_bytes(2, "big")).digest(length)
        for filler in (0, 1, 2, 255):
            yield bytes([filler]) * length
        yield (G.encode() * 13)[:length]
        yield (G.encode() + write_scalar(5) * 13)[:length]
    for cards in range(1, 4):
        points = G.encode() * (2 * cards)
        yield points + bytes(16) + write_scalar(1) * (4 + 2 * cards)
        yield points + bytes(16) + write_scalar(0) * (4 + 2 * cards)
        yield points + b"\xff" * 16 + write_scalar(SECP256K1.order - 1) * (4 + 2 * cards)
    for place in range(33):
        for value in range(0, 256, 5):
            yield G.encode()[:place] + bytes([value]) + G.encode()[place + 1 :]
    for value in range(256):
        yield bytes([value]) + bytes(31) + b"\x05"
        yield bytes([value]) + G.encode()[1:] + bytes(32)


def main() -> None:
    """Try everything on both groups, and say how much that was."""
    tried = read = 0
    for data in candidates():
        for group in (SECP256K1, toy_group(13)):
            for reader in READERS:
                tried += 1
                with suppress(PeerError):
                    reader(group, data)
                    read += 1
    sys.stdout.write(f"tried {tried}, read {read}\n")

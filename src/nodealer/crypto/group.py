"""The group of prime order as every proof needs it, and nothing else of it.

A `Group` makes and reads points; a `Point` is a value with `+`, `-` and `scalar * point`. The
identity O is an ordinary value here: `0 * P`, `P - P` and an empty sum are O and nothing raises
or aborts. Scalars are plain integers, taken modulo the order.

Bytes are another matter. On the wire a point has exactly 33 bytes and starts with 02 or 03, so O
cannot be sent at all: whatever a peer shows is a real point, and a check for O is needed only for
points that we compute. Hashing writes O as the single byte 00; as no other point starts so,
strings of points stay unambiguous. A scalar has exactly 32 bytes, big-endian, below the order.

Challenges are short: `a + b * endomorphism` with 64-bit a and b. There are 2^128 of them, their
differences are invertible, and on secp256k1 multiplying by one takes 60 % of the time.

Two groups stand behind this interface: `secp256k1`, and a toy group of order below 20 in which
the same protocol code can be tried on *every* input. Discrete logarithms in the toy group are
read off the paper, so it is for tests alone; `specs/02-proofs.md` fixes everything here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final

from nodealer.kernel import PeerError, Reason, frame

POINT_BYTES: Final = 33
SCALAR_BYTES: Final = 32
SHORT_SCALAR_BYTES: Final = 16

IDENTITY_HASHED: Final = b"\x00"
"""How hashes write O."""


class Point(ABC):
    """An element of the group, O included. Immutable, comparable, hashable."""

    __slots__ = ()

    @property
    @abstractmethod
    def is_identity(self) -> bool:
        """Whether this is O."""

    @abstractmethod
    def encode(self) -> bytes:
        """Return the 33 bytes of the point, or the one byte 00 for O."""

    @abstractmethod
    def __add__(self, other: Point) -> Point: ...

    @abstractmethod
    def __neg__(self) -> Point: ...

    @abstractmethod
    def __rmul__(self, scalar: int) -> Point: ...

    def __sub__(self, other: Point) -> Point:
        """Return the sum with the negation of `other`."""
        return self + -other

    def __eq__(self, other: object) -> bool:
        """Compare by encoding, which is unique."""
        if not isinstance(other, Point):
            return NotImplemented
        return self is other or self.encode() == other.encode()

    def __hash__(self) -> int:
        """Hash the encoding."""
        return hash(self.encode())

    def __repr__(self) -> str:
        """Show enough of the encoding to tell points apart."""
        return f"<point {self.encode().hex()[:12]}>"


class Group(ABC):
    """A group of prime order with a generator, an endomorphism and a hash to points."""

    name: str
    order: int
    endomorphism: int
    """A cube root of one modulo the order; it multiplies the second half of a short scalar."""

    @property
    @abstractmethod
    def generator(self) -> Point:
        """The base point G."""

    @property
    @abstractmethod
    def identity(self) -> Point:
        """The neutral element O."""

    @abstractmethod
    def times_generator(self, scalar: int) -> Point:
        """Return `scalar * G`, faster than `*` does, and in constant time where possible."""

    @abstractmethod
    def total(self, points: Iterable[Point]) -> Point:
        """Return the sum of any number of points, O for none."""

    @abstractmethod
    def read_point(self, data: bytes) -> Point:
        """Return the point with these 33 bytes; anything else is refused by name."""

    @abstractmethod
    def hash_to_point(self, domain: str, item: int | str) -> Point:
        """Return a point other than O to which nobody knows a discrete logarithm."""

    def linear(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """Return the sum of `scalars[i] * points[i]`."""
        return self.total([s * p for s, p in zip(scalars, points, strict=True)])

    def read_scalar(self, data: bytes) -> int:
        """Return the scalar with these 32 bytes; a number not below the order is refused."""
        if len(data) != SCALAR_BYTES:
            raise PeerError(Reason.GROUP_SCALAR_LENGTH, f"{len(data)} bytes")
        scalar = int.from_bytes(data, "big")
        if scalar >= self.order:
            raise PeerError(Reason.GROUP_SCALAR_RANGE)
        return scalar

    def short_scalar(self, data: bytes) -> int:
        """Return the challenge or weight that these 16 bytes stand for."""
        if len(data) != SHORT_SCALAR_BYTES:
            raise PeerError(Reason.GROUP_CHALLENGE_LENGTH, f"{len(data)} bytes")
        plain, rotated = int.from_bytes(data[:8], "big"), int.from_bytes(data[8:], "big")
        return (plain + rotated * self.endomorphism) % self.order


def write_scalar(scalar: int) -> bytes:
    """Return the 32 bytes of a scalar that is already below the order."""
    return scalar.to_bytes(SCALAR_BYTES, "big")


def hash_input(domain: str, item: int | str, counter: int) -> bytes:
    """Return what is hashed at the given try of hashing to a point."""
    return frame(domain, item, counter)

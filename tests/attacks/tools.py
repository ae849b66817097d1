"""What several attacks need: a table to attack, an attacker's scalars, and what a refusal is.

An attacker here is ordinary code. It computes with public values, with the keyrings of its own
coalition and with the deck's own functions, and it may send whatever it likes. `refused` says by
which name a forged part must be turned away; `Heard` is a verifier that writes down what the proof
system hashes, for all of that is public too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass

import pytest

from nodealer.cards import Composition, hand
from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Group,
    NonceSource,
    Point,
    Proof,
    ProofTranscript,
    Seed,
    ShuffleProof,
)
from nodealer.deck import Deck, OpenKey, ProofMoment
from nodealer.deck.keyring import SecretRow
from nodealer.kernel import EntryId, Height, LocalError, PeerError, Reason, Seat, SlotId, Value
from tests.support.fleet import Fleet, WatchedKeyring, hashed

GROUP = SECP256K1
G = GROUP.generator
Q = GROUP.order

SEAT_0, SEAT_1, SEAT_2, SEAT_3 = (Seat(seat) for seat in range(4))

SIX = Composition(("a", "b", "c", "d", "e", "f"))
"""Six different faces."""

PAIRS = Composition.of({"a": 3, "b": 3})
"""Few faces with many copies, so that equal cards are at hand."""


@contextmanager
def refused(reason: Reason) -> Iterator[None]:
    """Expect that a peer's part is refused for this reason."""
    with pytest.raises(PeerError) as caught:
        yield
    assert caught.value.reason is reason


@contextmanager
def forbidden(reason: Reason) -> Iterator[None]:
    """Expect that our own program is stopped for this reason."""
    with pytest.raises(LocalError) as caught:
        yield
    assert caught.value.reason is reason


def scalars(*about: object, count: int = 8) -> list[int]:
    """Return scalars of an attacker's choice, the same at every call with the same arguments."""
    seed = Seed(GROUP, hashed("attacker", *about))
    return [seed.secret("attack", b"", index) for index in range(count)]


def nowhere(*about: object) -> Point:
    """Return a point to which nobody knows a logarithm."""
    return GROUP.hash_to_point("attack", repr(about))


def inverse(scalar: int) -> int:
    """Return the inverse modulo the order of the group."""
    return pow(scalar, -1, Q)


def attacker_nonces(*about: object) -> NonceSource:
    """Return nonces for proofs that the attacker makes of its own statements."""
    return Seed(GROUP, hashed("nonces", *about)).nonce_source("attack")


def moment(table: Fleet | Deck, step: str = "attack") -> ProofMoment:
    """Return a moment of the table at which nothing else was made."""
    deck = table.deck if isinstance(table, Fleet) else table
    return ProofMoment(deck.table, Height(1000), EntryId(hashed("tip")), step.encode())


def held(fleet: Fleet, seat: Seat) -> tuple[SlotId, ...]:
    """Return the slots of a seat's hand, in order."""
    return fleet.deck.layout.at(hand(seat))


class Heard(ProofTranscript):
    """A transcript that keeps what is absorbed, and the weights that are drawn from it."""

    def __init__(self, group: Group, context: bytes = b"") -> None:
        super().__init__(group, context)
        self.points: list[Point] = []
        self.drawn: list[tuple[str, int, list[int]]] = []
        """For weights and challenges: the label, how many points stood before it, the weights."""

    def absorb_points(self, label: str, points: Iterable[Point]) -> None:
        kept = list(points)
        self.points += kept
        super().absorb_points(label, kept)

    def weights(self, label: str, count: int) -> list[int]:
        drawn = super().weights(label, count)
        self.drawn.append((label, len(self.points), drawn))
        return drawn

    def challenge(self, label: str) -> bytes:
        self.drawn.append((label, len(self.points), []))
        return super().challenge(label)


class Careless(WatchedKeyring):
    """The keyring of a seat that uses one and the same randomness for everything."""

    def randomness(self, operation: str, moment: ProofMoment, *inputs: Value) -> SecretRow:
        del operation, moment, inputs
        return SecretRow(Seed(self.group, bytes(32)), "careless", b"")


def careless(fleet: Fleet, seat: Seat) -> None:
    """Put a careless keyring in the place of a seat's own; its keys stay the same."""
    worse = Careless(GROUP, seat, bytes(32))
    worse._seed = fleet.rings[seat]._seed
    fleet.rings[seat] = worse


def parts_within(item: object) -> Iterator[object]:
    """Return an item and everything that it is made of."""
    yield item
    if is_dataclass(item):
        inner: Iterable[object] = [getattr(item, field.name) for field in fields(item)]
    elif isinstance(item, tuple | list):
        inner = item
    else:
        return
    for part in inner:
        yield from parts_within(part)


def sent_scalars(part: object) -> list[int]:
    """Return every number modulo the order that a part shows, opened keys left out."""
    found: list[int] = []
    for item in parts_within(part):
        if isinstance(item, Proof):
            found += [GROUP.short_scalar(item.challenge), *item.responses]
        elif isinstance(item, AnyProof):
            found += [value for challenge, rest in item.branches for value in (challenge, *rest)]
        elif isinstance(item, ShuffleProof):
            found += [GROUP.short_scalar(item.challenge), *item.sums]
            found += [*item.chain_responses, *item.weight_responses]
    return found


def opened_scalars(parts: Iterable[object]) -> list[int]:
    """Return the secrets of all layers that were opened by their scalar."""
    found: list[int] = []
    for part in parts:
        found += [item.secret for item in parts_within(part) if isinstance(item, OpenKey)]
    return found


def differences(points: Sequence[Point]) -> set[Point]:
    """Return all differences of two different points of a list."""
    return {a - b for a in points for b in points if a != b}

"""Vectors of the proof of shuffle: for one, two and five cards, and each part altered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodealer.crypto import (
    SECP256K1,
    SHORT_SCALAR_BYTES,
    Masked,
    Point,
    ProofTranscript,
    Seed,
    ShuffleProof,
    prove_shuffle,
    shuffled,
)
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import cards, flipped, hashed, point, scalar, some_point

_G: Final = SECP256K1.generator
_KEY: Final = some_point("joint key")
_CONTEXT: Final = hashed("shuffle")
_REASON: Final = "proof/shuffle"


@dataclass(frozen=True)
class Shuffle:
    """A shuffle and its proof."""

    before: tuple[Masked, ...]
    after: tuple[Masked, ...]
    proof: ShuffleProof
    key: Point = _KEY

    def given(self, **changes: object) -> Json:
        """Return what a vector gives."""
        statement: Json = {
            "key": point(self.key),
            "before": cards(self.before),
            "after": cards(self.after),
        }
        plain = {
            "context": _CONTEXT.hex(),
            "statement": statement,
            "proof": self.proof.to_bytes().hex(),
        }
        return plain | changes


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `proofs/shuffle`."""
    for size, order in ((1, [0]), (2, [1, 0]), (5, [3, 0, 4, 1, 2])):
        good = _made(_deck(size), order)
        yield Vector(f"proofs/shuffle/{size}", f"a shuffle of {size}", _REASON, good.given())
    same = _made(_deck(2), [0, 1])
    yield Vector("proofs/shuffle/identity", "the order stays as it was: that is a shuffle too",
                 _REASON, same.given())  # fmt: skip
    yield from _altered(_made(_deck(2), [1, 0]))
    yield from _false(_deck(2))


def _deck(size: int) -> tuple[Masked, ...]:
    return tuple(Masked(some_point("E", index), some_point("M", index)) for index in range(size))


def _made(
    before: tuple[Masked, ...], order: Sequence[int], after: Sequence[Masked] | None = None
) -> Shuffle:
    fresh = [scalar("fresh", index) for index in range(len(before))]
    new = shuffled(SECP256K1, _KEY, before, order, fresh) if after is None else after
    proof = prove_shuffle(
        SECP256K1,
        ProofTranscript(SECP256K1, _CONTEXT),
        _KEY,
        before,
        new,
        order,
        fresh,
        Seed(SECP256K1, hashed("nonces")).nonce_source("proof"),
    )
    return Shuffle(before, tuple(new), proof)


def _refused(
    name: str, about: str, bad: Shuffle, reason: str = _REASON, **changes: object
) -> Vector:
    return Vector(f"proofs/shuffle/refused/{name}", about, _REASON, bad.given(**changes), reason)


def _altered(good: Shuffle) -> Iterator[Vector]:
    """Return the good shuffle of two with one part of statement, proof or context altered."""
    (E1, M1), second = good.before
    (F1, N1), other = good.after
    changes: dict[str, tuple[str, Shuffle]] = {
        "key": ("under another key", replace(good, key=good.key + _G)),
        "before-E": ("another old E", replace(good, before=(Masked(E1 + _G, M1), second))),
        "before-M": ("another old M", replace(good, before=(Masked(E1, M1 + _G), second))),
        "before-order": ("the old deck turned round", replace(good, before=good.before[::-1])),
        "after-E": ("another new E", replace(good, after=(Masked(F1 + _G, N1), other))),
        "after-M": ("another new M", replace(good, after=(Masked(F1, N1 + _G), other))),
        "after-order": ("the new deck turned round", replace(good, after=good.after[::-1])),
        "after-twice": ("a card twice and the other not", replace(good, after=(other, other))),
        "after-unchanged": ("the old deck as the new one", replace(good, after=good.before)),
    }
    for name, (about, bad) in changes.items():
        yield _refused(name, about, bad)
    yield _refused("context", "made for another place", good, context=flipped(_CONTEXT).hex())
    longer = replace(good, after=(*good.after, other))
    yield _refused("after-count", "a card more than before", longer, "deck/count")
    both = replace(longer, before=(*good.before, second))
    yield _refused("proof-count", "the proof of a smaller deck", both, "deck/count")
    yield from _altered_proof(good)


def _altered_proof(good: Shuffle) -> Iterator[Vector]:
    data, n = good.proof.to_bytes(), len(good.before)
    challenge = 2 * n * 33
    sums = challenge + SHORT_SCALAR_BYTES
    chain = sums + 4 * 32
    scalars = {
        "challenge": challenge,
        **{f"s-{index + 1}": sums + 32 * index + 31 for index in range(4)},
        "chain-response": chain + 31,
        "weight-response": chain + 32 * n + 31,
    }
    for name, at in scalars.items():
        yield _refused(name, f"another {name}", good, proof=flipped(data, at).hex())
    proof = good.proof
    points = {
        "c": replace(proof, c=(proof.c[0] + _G, proof.c[1])),
        "c-order": replace(proof, c=proof.c[::-1]),
        "chain": replace(proof, chain=(proof.chain[0] + _G, proof.chain[1])),
        "chain-end": replace(proof, chain=(proof.chain[0], proof.chain[1] + _G)),
    }
    for name, bad in points.items():
        yield _refused(name, f"another {name}", replace(good, proof=bad))
    yield _refused("proof-short", "a response is missing", good, "proof/length",
                   proof=data[:-32].hex())  # fmt: skip
    yield _refused("proof-long", "a byte too many", good, "proof/length",
                   proof=(data + b"\x00").hex())  # fmt: skip
    yield _refused("point", "a commitment that is no point", good, "group/point-prefix",
                   proof=(b"\x00" + data[1:]).hex())  # fmt: skip
    order = SECP256K1.order.to_bytes(32, "big")
    yield _refused("range", "a response that is the order", good, "group/scalar-range",
                   proof=(data[:-32] + order).hex())  # fmt: skip


def _false(before: tuple[Masked, ...]) -> Iterator[Vector]:
    """Return decks that are no shuffle, with the proof that an honest prover would make."""
    new = _made(before, [1, 0]).after
    changed = (Masked(new[0].E, new[0].M + _G), new[1])
    yield _refused("false-card", "a card has become another", _made(before, [1, 0], changed))
    moved = (Masked(new[0].E, new[0].M + _G), Masked(new[1].E, new[1].M - _G))
    about = "two cards are changed so that their sum is not"
    yield _refused("false-sum", about, _made(before, [1, 0], moved))
    twice = tuple(shuffled(SECP256K1, _KEY, before, [1, 1], [scalar("fresh", 0), scalar("again")]))
    yield _refused("false-twice", "a card is there twice", _made(before, [1, 0], twice))

"""Vectors of contexts, transcripts and weights, and of the derivation of secrets from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from nodealer.crypto import SECP256K1, ProofTranscript, Seed, write_scalar
from nodealer.deck import ProofMoment
from nodealer.kernel import EntryId, EpochId, Height, Seat, SlotId, TableId, digest
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import hashed, item, moment, points, scalar, some_point

_CONTEXT: Final = hashed("context")


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topics `context`, `transcript` and `secrets`."""
    yield from _contexts()
    yield from _transcripts()
    yield from _secrets()


def _contexts() -> Iterator[Vector]:
    cases: dict[str, tuple[str, Json]] = {
        "plain": ("no slots", {}),
        "slots": ("several slots, in the order in which they were named", {"slots": [17, 3]}),
        "table": ("another table", {"table": hashed("other table")}),
        "height": ("another height", {"height": 1 << 40}),
        "parent": ("another entry before it", {"parent": hashed("other parent")}),
        "step": ("another step, empty and so shorter", {"step": b""}),
        "epoch": ("another epoch", {"epoch": hashed("other epoch")}),
        "seat": ("another seat", {"seat": 9}),
        "relation": ("another relation", {"relation": "transfer/2"}),
    }
    for name, (about, changes) in cases.items():
        yield _context(name, about, changes)
    terms, identity = hashed("terms"), hashed("identity")
    yield Vector(
        "context/sealing-key",
        "the context of the proof of a sealing key, which stands before the first entry",
        "context/sealing-key",
        {"terms": terms.hex(), "seat": 1, "identity": identity.hex()},
        then={"context": digest("nodealer/1/sealing-key", terms, 1, identity).hex()},
    )


def _context(name: str, about: str, changes: Json) -> Vector:
    plain: Json = {
        "table": hashed("table"),
        "height": 5,
        "parent": hashed("parent"),
        "step": b"deal",
        "epoch": hashed("epoch"),
        "seat": 1,
        "relation": "share",
        "slots": [],
    }
    merged = plain | changes
    at = ProofMoment(
        TableId(merged["table"]),
        Height(merged["height"]),
        EntryId(merged["parent"]),
        merged["step"],
    )
    epoch, seat, slots = EpochId(merged["epoch"]), Seat(merged["seat"]), merged["slots"]
    context = at.context(epoch, seat, merged["relation"], [SlotId(slot) for slot in slots])
    given: Json = {
        "moment": moment(at),
        "epoch": epoch.hex(),
        "seat": int(seat),
        "relation": merged["relation"],
        "slots": slots,
    }
    return Vector(f"context/{name}", about, "context/proof", given, then={"context": context.hex()})


def _transcripts() -> Iterator[Vector]:
    pair = [some_point("transcript", 0), some_point("transcript", 1)]
    values = {"absorb": "viewers", "items": [item([0, 2])]}
    listed = {"absorb": "commitments", "points": points(pair)}
    with_identity = {"absorb": "view", "points": [*points(pair), "00"]}
    cases: dict[str, tuple[str, list[Json]]] = {
        "digest": ("nothing absorbed", [{"digest": True}]),
        "items": ("plain values under a label", [values, {"digest": True}]),
        "points": ("points under a label, as one string", [listed, {"digest": True}]),
        "identity": ("O in a list of points is one byte", [with_identity, {"digest": True}]),
        "none": ("an empty list of points", [{"absorb": "none", "points": []}, {"digest": True}]),
        "challenge": ("16 bytes of challenge", [listed, {"challenge": "challenge"}]),
        "weights": ("short scalars, one hash for each", [listed, {"weights": "w", "count": 3}]),
        "weights-many": ("an index that needs a second byte", [{"weights": "u", "count": 26}]),
        "weights-none": (
            "no weights are drawn, and yet absorbed",
            [{"weights": "w", "count": 0}, {"digest": True}],
        ),
        "continued": (
            "what is drawn stays absorbed",
            [
                values,
                {"weights": "w", "count": 1},
                listed,
                {"challenge": "challenge"},
                {"digest": True},
            ],
        ),
    }
    for name, (about, steps) in cases.items():
        transcript = ProofTranscript(SECP256K1, _CONTEXT)
        drawn = [_drawn(transcript, step) for step in steps]
        given: Json = {"context": _CONTEXT.hex(), "steps": steps}
        then = {"drawn": [value for value in drawn if value is not None]}
        yield Vector(f"transcript/{name}", about, "transcript", given, then=then)


def _drawn(transcript: ProofTranscript, step: Json) -> Any:  # noqa: ANN401 - text or a list of texts
    match step:
        case {"absorb": label, "items": _}:
            transcript.absorb(label, [0, 2])
        case {"absorb": label, "points": listed}:
            transcript.absorb_points(label, [_listed(text) for text in listed])
        case {"weights": label, "count": count}:
            return [write_scalar(w).hex() for w in transcript.weights(label, count)]
        case {"challenge": label}:
            return transcript.challenge(label).hex()
        case _:
            return transcript.digest().hex()
    return None


def _listed(text: str) -> Any:  # noqa: ANN401 - a point of the group
    data = bytes.fromhex(text)
    return SECP256K1.identity if data == b"\x00" else SECP256K1.read_point(data)


def _secrets() -> Iterator[Vector]:
    seed, context = hashed("seed"), hashed("inputs")
    ours = Seed(SECP256K1, seed)
    base: Json = {"seed": seed.hex(), "label": "slot", "context": context.hex()}
    for index in (0, 1, 200):
        secret = write_scalar(ours.secret("slot", context, index)).hex()
        yield _secret(f"secret-{index}", "secret", base | {"index": index}, {"secret": secret})
    salt = ours.secret_bytes("salt", context).hex()
    yield _secret("bytes", "bytes", base | {"label": "salt"}, {"bytes": salt})
    for size in (1, 2, 52):
        order = ours.permutation("shuffle/order", context, size)
        given = base | {"label": "shuffle/order", "size": size}
        yield _secret(f"permutation-{size}", "permutation", given, {"order": order})
    witness = [scalar("witness", 0), scalar("witness", 1)]
    nonces = ours.nonce_source("proof")(context, witness)
    given = {
        "seed": seed.hex(),
        "label": "proof",
        "digest": context.hex(),
        "witness": [write_scalar(value).hex() for value in witness],
        "count": 3,
    }
    then = {"nonces": [write_scalar(nonces(index)).hex() for index in range(3)]}
    yield _secret("nonces", "nonces", given, then)


def _secret(name: str, what: str, given: Json, then: Json) -> Vector:
    about = "INTERNAL: how this implementation derives it; others may derive otherwise"
    return Vector(f"secrets/{name}", about, f"secrets/{what}", given, then=then)

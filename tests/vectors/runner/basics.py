"""Encoding, group, hashing, contexts, transcripts and the derivation of secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from nodealer.crypto import SECP256K1, ProofTranscript, Seed, write_scalar
from nodealer.kernel import EpochId, Seat, digest, encode, frame
from nodealer.wire import decode
from tests.vectors.runner.reading import (
    Json,
    data_of,
    moment,
    noted,
    point,
    points,
    scalar,
    value_of,
)


def _decode(given: Json) -> Json:
    data = data_of(given)
    value = decode(data)
    assert encode(value) == data, "what was read is written as it was"
    return {"value": noted(value)}


def _frame(given: Json) -> Json:
    return {"frame": frame(*[value_of(item) for item in given["items"]]).hex()}


def _hash(given: Json) -> Json:
    return {"hash": digest(given["domain"], *[value_of(item) for item in given["items"]]).hex()}


def _read_point(given: Json) -> None:
    data = data_of(given)
    assert SECP256K1.read_point(data).encode() == data, "a point has one encoding"


def _read_scalar(given: Json) -> None:
    data = data_of(given)
    assert write_scalar(SECP256K1.read_scalar(data)) == data, "a scalar has one encoding"


def _linear(given: Json) -> Json:
    scalars = [int.from_bytes(bytes.fromhex(text), "big") for text in given["scalars"]]
    return {"sum": SECP256K1.linear(scalars, points(given["points"])).encode().hex()}


def _challenge(given: Json) -> Json:
    return {"scalar": write_scalar(SECP256K1.short_scalar(data_of(given))).hex()}


def _hash_to_point(given: Json) -> Json:
    return {"point": SECP256K1.hash_to_point(given["domain"], given["item"]).encode().hex()}


def _proof_context(given: Json) -> Json:
    epoch, seat = EpochId(bytes.fromhex(given["epoch"])), Seat(given["seat"])
    at = moment(given["moment"])
    return {"context": at.context(epoch, seat, given["relation"], given["slots"]).hex()}


def _sealing_context(given: Json) -> Json:
    terms, identity = bytes.fromhex(given["terms"]), bytes.fromhex(given["identity"])
    return {"context": digest("nodealer/1/sealing-key", terms, given["seat"], identity).hex()}


def _transcript(given: Json) -> Json:
    transcript = ProofTranscript(SECP256K1, bytes.fromhex(given["context"]))
    drawn: list[str | list[str]] = []
    for step in given["steps"]:
        match step:
            case {"absorb": label, "items": items}:
                transcript.absorb(label, *[value_of(item) for item in items])
            case {"absorb": label, "points": texts}:
                transcript.absorb_points(label, [point(text) for text in texts])
            case {"weights": label, "count": count}:
                drawn.append([write_scalar(w).hex() for w in transcript.weights(label, count)])
            case {"challenge": label}:
                drawn.append(transcript.challenge(label).hex())
            case {"digest": True}:
                drawn.append(transcript.digest().hex())
            case _:
                raise ValueError(f"{step} is no step of a transcript")
    return {"drawn": drawn}


def _seed(given: Json) -> tuple[Seed, str, bytes]:
    seed = Seed(SECP256K1, bytes.fromhex(given["seed"]))
    return seed, given["label"], bytes.fromhex(given.get("context", ""))


def _secret(given: Json) -> Json:
    seed, label, context = _seed(given)
    return {"secret": write_scalar(seed.secret(label, context, given["index"])).hex()}


def _secret_bytes(given: Json) -> Json:
    seed, label, context = _seed(given)
    return {"bytes": seed.secret_bytes(label, context).hex()}


def _permutation(given: Json) -> Json:
    seed, label, context = _seed(given)
    return {"order": seed.permutation(label, context, given["size"])}


def _nonces(given: Json) -> Json:
    seed, label, _ = _seed(given)
    witness = [scalar(text) for text in given["witness"]]
    nonces = seed.nonce_source(label)(bytes.fromhex(given["digest"]), witness)
    return {"nonces": [write_scalar(nonces(index)).hex() for index in range(given["count"])]}


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    "encoding/decode": _decode,
    "encoding/frame": _frame,
    "encoding/hash": _hash,
    "point/read": _read_point,
    "point/linear": _linear,
    "scalar/read": _read_scalar,
    "challenge/scalar": _challenge,
    "hash-to-point": _hash_to_point,
    "context/proof": _proof_context,
    "context/sealing-key": _sealing_context,
    "transcript": _transcript,
    "secrets/secret": _secret,
    "secrets/bytes": _secret_bytes,
    "secrets/permutation": _permutation,
    "secrets/nonces": _nonces,
}

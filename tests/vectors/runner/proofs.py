"""Proofs, verified from their statements: what is absorbed before each follows the specs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from nodealer.crypto import (
    SECP256K1,
    AnyProof,
    Point,
    Proof,
    ProofTranscript,
    ShuffleProof,
    Statement,
    relations,
    verify,
    verify_any,
    verify_shuffle,
)
from nodealer.deck import ExchangeProof
from nodealer.deck.exchange import check_exchange
from nodealer.kernel import PeerError, Reason
from tests.vectors.runner.reading import Json, cards, point, points


def _named(statement: Json, *names: str) -> list[Point]:
    return [point(statement[name]) for name in names]


def _key(statement: Json, _: ProofTranscript) -> Statement:
    return relations.key(SECP256K1, *_named(statement, "X"))


def _share(statement: Json, _: ProofTranscript) -> Statement:
    return relations.share(SECP256K1, *_named(statement, "L", "E", "S"))


def _seal(statement: Json, transcript: ProofTranscript) -> Statement:
    transcript.absorb("viewers", list(statement["viewers"]))
    sealed = [(point(Y), point(V)) for Y, V in statement["sealed"]]
    L, E, U = _named(statement, "L", "E", "U")
    return relations.seal(SECP256K1, L, E, U, sealed)


def _handover(statement: Json, _: ProofTranscript) -> Statement:
    return relations.handover(SECP256K1, *_named(statement, "L", "E", "N", "E'", "M'", "P"))


def _face(statement: Json, _: ProofTranscript) -> Statement:
    return relations.face(SECP256K1, *_named(statement, "L", "E", "N", "C"))


def _absent(statement: Json, transcript: ProofTranscript) -> Statement:
    slots = [(point(L), point(E), point(N)) for L, E, N in statement["slots"]]
    Ts = points(statement["Ts"])
    if len(Ts) != len(slots):
        raise PeerError(Reason.DECK_COUNT)
    C = point(statement["C"])
    transcript.absorb_points("hand", [C, *[element for slot in slots for element in slot]])
    return relations.absent(SECP256K1, slots, C, Ts)


def _view(given: Json) -> relations.SlotView:
    E, Q, W = _named(given, "E", "Q", "W")
    return relations.SlotView(E, Q, W, point(given["L"]) if "L" in given else None)


def _view_face(statement: Json, _: ProofTranscript) -> Statement:
    Y, C = _named(statement, "Y", "C")
    return relations.view_face(SECP256K1, Y, _view(statement["view"]), C)


def _equal(statement: Json, _: ProofTranscript) -> Statement:
    views = [_view(view) for view in statement["views"]]
    return relations.equal(SECP256K1, point(statement["Y"]), views)


def _not_equal(statement: Json, transcript: ProofTranscript) -> Statement:
    Y, T = _named(statement, "Y", "T")
    views = [_view(view) for view in statement["views"]]
    transcript.absorb_points("viewer", [Y])
    for view in views:
        L = SECP256K1.identity if view.L is None else view.L
        transcript.absorb_points("view", [view.E, view.Q, view.W, L])
    transcript.absorb("tries", statement["tries"])
    weights = transcript.weights("w", len(views) - 1)
    return relations.not_equal(SECP256K1, Y, views, weights, T)


_STATEMENTS: Final[Mapping[str, Callable[[Json, ProofTranscript], Statement]]] = {
    "proof/key": _key,
    "proof/share": _share,
    "proof/seal": _seal,
    "proof/transfer": _handover,
    "proof/return": _handover,
    "proof/face": _face,
    "proof/absent": _absent,
    "proof/view-face": _view_face,
    "proof/equal": _equal,
    "proof/not-equal": _not_equal,
}


def _and(run: str, given: Json) -> None:
    transcript = ProofTranscript(SECP256K1, bytes.fromhex(given["context"]))
    statement = _STATEMENTS[run](given["statement"], transcript)
    data = bytes.fromhex(given["proof"])
    proof = Proof.from_bytes(SECP256K1, data, len(statement.witnesses))
    verify(SECP256K1, transcript, statement, proof, Reason(run))


def _exchange(run: str, given: Json) -> None:
    transcript = ProofTranscript(SECP256K1, bytes.fromhex(given["context"]))
    old, new, Es, deltas = (
        points(given["statement"][name]) for name in ("old", "new", "E", "deltas")
    )
    proof = Proof.from_bytes(SECP256K1, bytes.fromhex(given["proof"]), len(old))
    part = ExchangeProof(tuple(deltas), proof)
    check_exchange(SECP256K1, transcript, old, new, Es, part, Reason(run))


def _member(given: Json) -> None:
    transcript = ProofTranscript(SECP256K1, bytes.fromhex(given["context"]))
    L, E, N = _named(given["statement"], "L", "E", "N")
    faces = given["statement"]["faces"]
    transcript.absorb("faces", [name for name, _ in faces])
    branches = [relations.face(SECP256K1, L, E, N, point(C)) for _, C in faces]
    proof = AnyProof.from_bytes(SECP256K1, bytes.fromhex(given["proof"]), len(branches), 1)
    verify_any(SECP256K1, transcript, branches, proof, Reason.PROOF_MEMBER)


def _shuffle(given: Json) -> None:
    transcript = ProofTranscript(SECP256K1, bytes.fromhex(given["context"]))
    statement, data = given["statement"], bytes.fromhex(given["proof"])
    before, after = cards(statement["before"]), cards(statement["after"])
    # The size of the proof is its own, as in a message; the check compares it with the decks.
    proof = ShuffleProof.from_bytes(SECP256K1, data, (len(data) - 144) // 130)
    verify_shuffle(SECP256K1, transcript, point(statement["key"]), before, after, proof)


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    **{name: partial(_and, name) for name in _STATEMENTS},
    "proof/mask": partial(_exchange, "proof/mask"),
    "proof/convert": partial(_exchange, "proof/convert"),
    "proof/member": _member,
    "proof/shuffle": _shuffle,
}

"""From the statement of a vector to what a prover proves: transcript and equations.

This is the prover's half of what the specs say is absorbed before each statement. The runner of the
vectors has its own, so that a mistake here is seen there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nodealer.crypto import SECP256K1, Point, ProofTranscript, Statement, relations
from scripts.vectors.files import Json

_Built = list[Statement]


def build(run: str, context: bytes, statement: Json) -> tuple[ProofTranscript, _Built]:
    """Return the transcript up to the statement, and the statement (all branches of an OR)."""
    transcript = ProofTranscript(SECP256K1, context)
    return transcript, _BUILDERS[run](transcript, statement)


def _point(text: str) -> Point:
    data = bytes.fromhex(text)
    return SECP256K1.identity if data == b"\x00" else SECP256K1.read_point(data)


def _all(statement: Json, *names: str) -> list[Point]:
    return [_point(statement[name]) for name in names]


def _key(_: ProofTranscript, given: Json) -> _Built:
    return [relations.key(SECP256K1, *_all(given, "X"))]


def _share(_: ProofTranscript, given: Json) -> _Built:
    return [relations.share(SECP256K1, *_all(given, "L", "E", "S"))]


def _seal(transcript: ProofTranscript, given: Json) -> _Built:
    transcript.absorb("viewers", given["viewers"])
    sealed = [(_point(Y), _point(V)) for Y, V in given["sealed"]]
    L, E, U = _all(given, "L", "E", "U")
    return [relations.seal(SECP256K1, L, E, U, sealed)]


def _face(_: ProofTranscript, given: Json) -> _Built:
    return [relations.face(SECP256K1, *_all(given, "L", "E", "N", "C"))]


def _member(transcript: ProofTranscript, given: Json) -> _Built:
    transcript.absorb("faces", [name for name, _ in given["faces"]])
    L, E, N = _all(given, "L", "E", "N")
    return [relations.face(SECP256K1, L, E, N, _point(C)) for _, C in given["faces"]]


def _view_face(_: ProofTranscript, given: Json) -> _Built:
    Y, C = _all(given, "Y", "C")
    E, Q, W = _all(given["view"], "E", "Q", "W")
    L = _point(given["view"]["L"]) if "L" in given["view"] else None
    return [relations.view_face(SECP256K1, Y, relations.SlotView(E, Q, W, L), C)]


_BUILDERS: Final[dict[str, Callable[[ProofTranscript, Json], _Built]]] = {
    "proof/key": _key,
    "proof/share": _share,
    "proof/seal": _seal,
    "proof/face": _face,
    "proof/member": _member,
    "proof/view-face": _view_face,
}

"""One vector: its function, its refusal or its result, and whether they are as expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from nodealer.kernel import LocalError, PeerError
from tests.vectors.runner import basics, choices, conversation, messages, names, proofs
from tests.vectors.runner.reading import Json

RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    **basics.RUNS,
    **messages.RUNS,
    **proofs.RUNS,
    **choices.RUNS,
    **names.RUNS,
    **conversation.RUNS,
}

MEMBERS: Final = ("about", "run", "given", "expect", "then")


class Mismatch(AssertionError):  # noqa: N818 - it is no error of the runner
    """The code does not do what the vector says."""


def run(vector: Json) -> None:
    """Raise `Mismatch` unless the code does what the vector says."""
    unknown = vector.keys() - set(MEMBERS)
    if unknown:
        raise Mismatch(f"unknown members {sorted(unknown)}")
    result: Json | None = None
    reason = "ok"
    try:
        result = RUNS[vector["run"]](vector["given"])
    except (PeerError, LocalError) as refused:
        reason = refused.slug
    if reason != vector["expect"]:
        raise Mismatch(f"expected {vector['expect']}, found {reason}")
    if reason == "ok" and result != vector.get("then"):
        raise Mismatch(f"expected {vector.get('then')}, found {result}")

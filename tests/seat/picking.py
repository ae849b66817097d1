"""What the clients of tests choose by, the same in every run."""

from __future__ import annotations

from nodealer.kernel import Value
from nodealer.kernel.chance import Chance
from tests.seat.clients import Picks


def picking(*seed: Value) -> Picks:
    """Return what a client chooses by: the same at the same message, unless it was refused."""
    return lambda number, errors: Chance("picks", *seed, number, errors).below

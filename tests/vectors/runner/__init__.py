"""Runs a test vector from its JSON alone, as another implementation would.

Nothing here knows how vectors are made. `run` reads what a vector gives, does what its `run` asks,
and compares: with `then` if it expects `ok`, else the reason of the refusal.
"""

from tests.vectors.runner.case import Mismatch, run

__all__ = ["Mismatch", "run"]

"""What the tests of `nodealer.crypto` share: fixed numbers, expected refusals, chosen nonces."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

import pytest
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, NonceSource, Point, Seed
from nodealer.crypto.derive import Nonces
from nodealer.kernel import LocalError, PeerError, Reason
from tests.tidy.project import ROOT

Q = SECP256K1.order
G = SECP256K1.generator

SCALARS: st.SearchStrategy[int] = st.one_of(
    st.integers(0, Q - 1), st.sampled_from([0, 1, 2, Q - 2, Q - 1])
)
POINTS: st.SearchStrategy[Point] = SCALARS.map(SECP256K1.times_generator)


def chosen(*names: object) -> int:
    """Return a scalar of secp256k1, other than zero, that the names fix."""
    return int.from_bytes(sha256(repr(names).encode()).digest(), "big") % (Q - 1) + 1


def hashed(*names: object) -> bytes:
    """Return 32 bytes that the names fix."""
    return sha256(repr(names).encode()).digest()


def seed(name: object = "prover") -> Seed:
    """Return the seed of secp256k1 that the name fixes."""
    return Seed(SECP256K1, hashed("seed", name))


def nonces(name: object = "prover") -> NonceSource:
    """Return what an honest prover draws nonces from."""
    return seed(name).nonce_source("proof")


def fixed_nonces(values: Sequence[int]) -> NonceSource:
    """Return a flawed source: the same nonces for whatever is proven."""

    def source(_digest: bytes, _witness: Sequence[int]) -> Nonces:
        return lambda index: values[index]

    return source


@contextmanager
def refused(reason: Reason) -> Iterator[None]:
    """Expect that a peer's bytes or claim are refused for exactly this reason."""
    with pytest.raises(PeerError) as caught:
        yield
    assert caught.value.reason is reason


@contextmanager
def our_mistake(reason: Reason) -> Iterator[None]:
    """Expect that a call of our own is refused for exactly this reason."""
    with pytest.raises(LocalError) as caught:
        yield
    assert caught.value.reason is reason


def in_a_process_of_its_own(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code where it can do no harm to the tests, with the same modules in reach."""
    places = [str(ROOT), *filter(None, sys.path)]
    prelude = f"import sys; sys.path[:] = {places!r}\n"
    return subprocess.run(
        [sys.executable, "-P", "-c", prelude + code],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )

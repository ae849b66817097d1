"""Where the tests of the store keep their files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

MEMORY = Path("/dev/shm")  # noqa: S108 - a directory of its own is made in it


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory of the test's own, in memory where there is such a place.

    Everything here is synced many times, which on a disk is most of the time that a test takes.
    """
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path_factory.mktemp("store")
        return
    with TemporaryDirectory(dir=MEMORY) as made:
        yield Path(made)

"""How tests say which trouble they expect, and how they bring one about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nodealer.store.journal import Journal
from nodealer.store.trouble import StoreError, Trouble


@contextmanager
def trouble(expected: Trouble, found: str = "") -> Iterator[None]:
    """Require that what is done inside is refused for this trouble, and that it says what it found.

    What is said has advice, and names the place.
    """
    with pytest.raises(StoreError) as caught:
        yield
    error = caught.value
    assert error.trouble is expected, error
    assert found in error.found
    assert error.advice == expected.advice
    assert error.place in str(error)


@contextmanager
def without_room(journal: Journal) -> Iterator[None]:
    """Let the file of a journal grow no further; that is what a full disk is to SQLite."""
    connection = journal._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    yield

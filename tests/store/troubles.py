"""How tests say which trouble they expect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

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

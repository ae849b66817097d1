"""What all tests share: the sizes in which they run.

`NODEALER_TEST_PROFILE` chooses the sizes:

* `ci` (the default) runs the same examples at every start: a failure is somebody's change, never
  luck, and everybody sees the same one.
* `full` looks for new examples, many of them, and remembers those that failed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest
from hypothesis import HealthCheck, settings

from tests.hanging import TEST_SECONDS, at_most

# No deadlines: machines that run tests are shared, and speed is the benchmark's concern. A shuffle
# proof is slow as data generation goes, so that health check would only ever raise false alarms.
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    max_examples=50,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "full",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is where a shell starts the tests in the background; their programs would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Whoever runs the tests sits in front of no screen: no program that they start opens a page there.
os.environ["SSH_TTY"] = "tests"

settings.load_profile(os.environ.get("NODEALER_TEST_PROFILE", "ci"))


@pytest.fixture(scope="session")
def is_full() -> bool:
    """Whether the full sizes are wanted, for tests that choose their sizes themselves."""
    return os.environ.get("NODEALER_TEST_PROFILE") == "full"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Let what a test needs not hang for ever."""
    with at_most(_limit()):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let no test hang for ever, and note no lines of some."""
    is_traced = not (item.nodeid.startswith(UNTRACED) or "/test_bot.py" in item.nodeid)
    with at_most(_limit()), nullcontext() if is_traced else _untraced():
        yield


@contextmanager
def _untraced() -> Iterator[None]:
    """Take coverage out of what is done inside.

    Its plugin has a marker for this, which does nothing in a worker: there it measures twice, one
    around the other, and the marker stops the inner one.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


def _limit() -> float:
    """Return after how long something hangs; full sizes may take hours."""
    return TEST_SECONDS * (100 if os.environ.get("NODEALER_TEST_PROFILE") == "full" else 1)


UNTRACED = (
    "tests/attacks/",
    "tests/bots/test_bots.py",
    "tests/deck/test_sequences.py",
    "tests/games/sixty_six/test_oracle.py",
    "tests/games/sixty_six/test_properties.py",
    "tests/games/sixty_six/test_second.py",
    "tests/games/take5/test_properties.py",
    "tests/games/take5/test_second.py",
    "tests/games/test_macaua_oracle.py",
    "tests/games/test_macaua_properties.py",
    "tests/games/test_macaua_second.py",
    "tests/ledger/test_explored.py",
    "tests/processes/",
    "tests/sim/test_fleet.py",
    "tests/sim/test_same.py",
    "tests/store/test_mortal.py",
    "tests/verify/test_forger.py",
    "tests/verify/test_tampering.py",
)
"""Tests that do the same again and again: to note every line would treble what they cost. What they
reach is reached by others too, or coverage would say so."""

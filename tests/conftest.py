"""What all tests share: the sizes in which they run.

`NODEALER_TEST_PROFILE` chooses the sizes:

* `ci` (the default) runs the same examples at every start: a failure is somebody's change, never
  luck, and everybody sees the same one.
* `full` looks for new examples, many of them, and remembers those that failed.
"""

from __future__ import annotations

import gc
import os
import signal
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.hanging import TEST_SECONDS, at_most
from tests.support.remembered import remember_products

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

if os.environ.get("NODEALER_TEST_PROFILE") != "full":
    remember_products()


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
def pytest_runtest_call() -> Iterator[None]:
    """Let no test hang for ever."""
    with at_most(_limit()):
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let only some tests be run, by whether the lines are watched that they reach."""
    parser.addoption("--watched", choices=("yes", "no"), help="only tests of this kind")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `--watched` says."""
    wanted = config.getoption("watched")
    if wanted is None:
        return
    lines = (config.rootpath / "tests" / "unwatched.txt").read_text(encoding="utf-8").splitlines()
    listed, found = frozenset(lines), set[str]()
    by_kind: dict[str, list[pytest.Item]] = {"yes": [], "no": []}
    for item in items:
        path, _, test = item.nodeid.partition("::")
        names = listed & {path, item.nodeid, f"{path}::{test.partition('[')[0]}"}
        found |= names
        by_kind["no" if names else "yes"].append(item)
    files = {item.nodeid.partition("::")[0] for item in items}
    gone = {line for line in listed - found if line.partition("::")[0] in files}
    if gone:
        raise pytest.UsageError(f"not there, and in tests/unwatched.txt: {', '.join(sorted(gone))}")
    items[:] = by_kind.pop(wanted)
    config.hook.pytest_deselected(items=[item for left in by_kind.values() for item in left])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the collector of cycles all that stays: thousands of tests and what they import."""
    gc.freeze()
    config = session.config
    if config.option.collectonly and config.args_source is not pytest.Config.ArgsSource.ARGS:
        _require_tests_of_flaws(config, session.items)


def _require_tests_of_flaws(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whoever collects all tests learns which ones a planted flaw names that are not there."""
    known = {item.nodeid for item in items}
    known |= {name.partition("[")[0] for name in known} | {name.split("::")[0] for name in known}
    named = {
        test
        for path in sorted((config.rootpath / "scripts" / "flaws").glob("*.toml"))
        for flaw in tomllib.loads(path.read_text(encoding="utf-8"))["flaw"]
        for test in flaw["tests"]
    }
    if named - known:
        gone = ", ".join(sorted(named - known))
        raise pytest.UsageError(f"not there, and named by a flaw of scripts/flaws: {gone}")


def _limit() -> float:
    """Return after how long something hangs; full sizes may take hours."""
    return TEST_SECONDS * (100 if os.environ.get("NODEALER_TEST_PROFILE") == "full" else 1)

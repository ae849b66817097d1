"""A browser, and a home with its page, for all tests of the table."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.games.installed import beside_us, install_sample
from tests.page.cards.gallery import chromium
from tests.page.serving import ServedHome, home_in_thread
from tests.page.table.playing import TURN_MS, Looked

# Nothing is measured: a machine that does other things meanwhile is waited for.
expect.set_options(timeout=TURN_MS)

HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note of a test that has failed: nothing more is asked of it."""
    report = yield
    if call.when == "call":
        item.stash[HAS_FAILED] = report.failed
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHome]:
    """A home where the sample game can be played beside our own."""
    games = tmp_path_factory.mktemp("games")
    install_sample(games)
    with beside_us(games), home_in_thread(tmp_path_factory.mktemp("home")) as found:
        yield found
        assert found.told == []


@pytest.fixture(autouse=True)
def at_home(served: ServedHome) -> None:
    """Each test begins at home, with no table open."""
    served.at_home()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(TURN_MS)
    yield context
    context.close()


@pytest.fixture
def looked(
    context: BrowserContext, served: ServedHome, request: pytest.FixtureRequest
) -> Iterator[Looked]:
    """Whatever a test does, nothing is complained of, and nobody else is asked for anything."""
    found = Looked(context)
    yield found
    if not request.node.stash.get(HAS_FAILED, True):
        assert found.complaints == []
        assert found.strangers(served.at.origin) == []

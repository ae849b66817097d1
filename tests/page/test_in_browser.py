"""A page in a real browser: it is let in once, and finds its node again by itself.

It has the channel of the page and shows nothing but its state: what people see is another matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from nodealer.page import page_host
from nodealer.page.page_opening import open_page
from nodealer.page.site_files import site_files
from nodealer.store.places import Profile, places_of
from tests.page.cards.gallery import chromium
from tests.page.serving import in_thread
from tests.page.visiting_pages import Home, home_of

PLAIN = Path(__file__).parent / "plain_site"

AWAY = "net::ERR_CONNECTION_REFUSED"
"""What the browser itself notes while nobody listens."""

SAY = """
async (text) => {
  const { openChannel } = await import("/channel.js");
  return await new Promise((resolve) => {
    const say = openChannel((state) => { if (state === "open") say(text); }, resolve);
  });
}
"""

FRAMED = """
(address) => {
  const frame = document.createElement("iframe");
  frame.src = address;
  document.body.append(frame);
}
"""

FROM_A_STRANGER = """
async (origin) => {
  const answers = [];
  for (const [method, path] of [["POST", "/enter"], ["GET", "/"], ["GET", "/app.js"]]) {
    for (const mode of ["cors", "no-cors"]) {
      const asked = fetch(origin + path, { method, mode, credentials: "include" });
      answers.push(await asked.then((answer) => answer.type, () => "refused"));
    }
  }
  const socket = new WebSocket(origin.replace("http", "ws") + "/talk");
  answers.push(await new Promise((resolve) => {
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("refused");
  }));
  return answers;
}
"""


@contextmanager
def served(profile: Profile) -> Iterator[Home]:
    """Serve the page of a profile from a thread, as from a node."""
    with in_thread(partial(home_of, profile)) as home:
        yield home
        assert home.told == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def _plain_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the plain page among the files of the page."""
    whole = {**site_files(), **site_files(PLAIN)}
    monkeypatch.setattr(page_host, "site_files", lambda: whole)


class Watch:
    """All that pages of a context asked for, and what the browser complained of."""

    def __init__(self, context: BrowserContext) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        context.on("request", lambda request: self.asked.append(request.url))
        context.on("console", self._noted)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on(
            "page", lambda page: page.on("websocket", lambda one: self.asked.append(one.url))
        )

    def _opened(self, page: Page) -> None:
        page.on("websocket", lambda socket: self.asked.append(socket.url))

    def _noted(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def strangers(self, *origins: str) -> list[str]:
        """Return what was asked of others."""
        ours = tuple(f"{one}/" for one in origins) + tuple(f"ws{one[4:]}/" for one in origins)
        return [url for url in self.asked if not url.startswith(ours)]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def profiles_in(folder: Path, *names: str) -> Sequence[Profile]:
    found = [places_of({"NODEALER_HOME": str(folder)}).profile(name) for name in names]
    for one in found:
        one.make()
    return found


def wait_for(page: Page, state: str) -> None:
    page.wait_for_selector(f"body[data-state={state}]", state="attached")


def test_the_token_is_exchanged_and_wiped_and_a_reload_is_let_in(
    context: BrowserContext, tmp_path: Path
) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    watch = Watch(context)
    with served(profile) as home:
        page = context.new_page()
        page.goto(home.at.address)
        wait_for(page, "open")
        assert page.url == f"{home.at.origin}/"
        assert home.access.token not in page.content()
        assert page.evaluate("document.cookie") == ""
        (cookie,) = context.cookies()
        assert cookie["name"] == home.access.cookie_name
        assert cookie["value"] == home.access.token
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Strict"
        page.reload()
        wait_for(page, "open")
        assert page.evaluate(SAY, "\N{PLAYING CARD ACE OF SPADES}" * 1000) == "🂡" * 1000
        page.goto("about:blank")
        page.go_back()
        wait_for(page, "open")
        assert page.url == f"{home.at.origin}/"
        assert not [url for url in watch.asked if home.access.token in url.partition("#")[0]]
        assert watch.strangers(home.at.origin, "about:blank") == []
        assert watch.complaints == []


def test_after_a_restart_the_page_comes_back_by_itself(
    context: BrowserContext, tmp_path: Path
) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    watch = Watch(context)
    page = context.new_page()
    with served(profile) as home:
        page.goto(home.at.address)
        wait_for(page, "open")
    wait_for(page, "lost")
    with served(profile) as home:
        wait_for(page, "open")
        assert len(home.visits.there) == 1
        page.reload()
        wait_for(page, "open")
    assert not [one for one in watch.complaints if AWAY not in one]


def test_two_nodes_on_one_machine_do_not_log_each_other_out(
    context: BrowserContext, tmp_path: Path
) -> None:
    watch = Watch(context)
    one, other = profiles_in(tmp_path, "one", "other")
    with served(one) as first, served(other) as second:
        pages = [context.new_page(), context.new_page()]
        for page, home in zip(pages, (first, second), strict=True):
            page.goto(home.at.address)
            wait_for(page, "open")
        assert len(context.cookies()) == 2
        for page in pages:
            page.reload()
            wait_for(page, "open")
        assert watch.strangers(first.at.origin, second.at.origin) == []
        assert watch.complaints == []


def test_without_the_token_a_page_is_told_what_to_open(
    context: BrowserContext, tmp_path: Path
) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    with served(profile) as home:
        page = context.new_page()
        page.goto(home.at.origin)
        wait_for(page, "stranger")
        assert context.cookies() == []
        # The address with the token, opened in the very same tab.
        page.evaluate("(address) => { location.href = address; }", home.at.address)
        wait_for(page, "open")
        assert page.url == f"{home.at.origin}/"


def test_a_page_that_was_kept_out_looks_again_when_the_player_comes_back_to_it(
    context: BrowserContext, tmp_path: Path
) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    with served(profile) as home:
        kept_out, let_in = context.new_page(), context.new_page()
        kept_out.goto(home.at.origin)
        wait_for(kept_out, "stranger")
        let_in.goto(home.at.address)
        wait_for(let_in, "open")
        kept_out.evaluate("dispatchEvent(new Event('focus'))")
        wait_for(kept_out, "open")


def test_a_page_of_another_origin_on_this_machine_gets_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    """Cookies do not know ports: the stranger's page has them all, and its origin gives it away."""
    one, other = profiles_in(tmp_path, "one", "other")
    context = browser.new_context(bypass_csp=True)
    with served(one) as first, served(other) as second:
        page = context.new_page()
        page.goto(first.at.address)
        wait_for(page, "open")
        page.goto(second.at.address)
        wait_for(page, "open")
        assert len(context.cookies()) == 2
        answers = page.evaluate(FROM_A_STRANGER, first.at.origin)
        assert set(answers) == {"refused"}
        assert first.visits.there == []
    context.close()


def test_nothing_becomes_markup_and_nobody_frames_the_page(
    context: BrowserContext, tmp_path: Path
) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    with served(profile) as home:
        page = context.new_page()
        page.goto(home.at.address)
        wait_for(page, "open")
        for script in (
            "document.body.innerHTML = '<b>x</b>'",
            "document.write('<b>x</b>')",
            "setTimeout('document.title = 1', 0)",
            "trustedTypes.createPolicy('default', {createHTML: (text) => text})",
        ):
            asked = (
                f"() => {{ try {{ {script}; return ''; }} catch (error) {{ return error.name; }} }}"
            )
            assert page.evaluate(asked) == "TypeError", script
        framed = context.new_page()
        with framed.expect_event("framenavigated", lambda frame: frame.parent_frame is not None):
            framed.evaluate(FRAMED, home.at.origin)
        assert [one.url for one in framed.frames[1:]] == ["chrome-error://chromewebdata/"]


def test_the_file_that_a_browser_is_given_leads_on(context: BrowserContext, tmp_path: Path) -> None:
    (profile,) = profiles_in(tmp_path, "one")
    opener = tmp_path / "xdg-open"
    opener.write_text("#!/bin/sh\n")
    opener.chmod(0o755)
    with served(profile) as home:
        assert open_page(home.at.address, profile.page_link, {"PATH": str(tmp_path)})
        page = context.new_page()
        page.goto(profile.page_link.as_uri())
        wait_for(page, "open")
        assert page.url == f"{home.at.origin}/"

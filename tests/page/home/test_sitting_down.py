"""Sitting down in real browsers: a lobby, a link, people and a bot; the home after a restart."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from nodealer.lobby import square_rows
from tests.games.installed import beside_us, install_sample
from tests.js.installed import PLACE, node_with_packages
from tests.page.serving import ALONE, ServedHome, home_in_thread
from tests.page.table.playing import LOOK, TURN_MS, Hands, Looked
from tests.page.table.test_showing import JUTTING, SMALL, violations

LOOK_MS = 100
"""Until somebody whose turn it may be looks at the table again."""

TWO_WORDS = re.compile(r"^\w+ \w+$")
"""Are there once everybody's program has drawn for them, and stay until somebody else comes."""

expect.set_options(timeout=TURN_MS)


class Player:
    """Somebody in front of a browser of their own."""

    def __init__(self, browser: Browser, served: ServedHome, width: int) -> None:
        self.served = served
        self.context = browser.new_context(
            viewport={"width": width, "height": 800}, reduced_motion="reduce"
        )
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.looked = Looked(self.context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(TURN_MS)
        self.page.goto(served.at.address)
        self.page.wait_for_selector("form.game")

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def host(self, game: str, seats: int) -> str:
        """Open a lobby, and return the invite that is copied there."""
        card = self.page.locator("form.game").filter(
            has=self.page.get_by_role("heading", name=game, exact=True)
        )
        card.get_by_role("button", name="Invite friends").click()
        window = self.page.get_by_role("dialog", name=f"Invite friends to {game}")
        window.get_by_label("Seats, yours included").fill(str(seats))
        window.get_by_role("button", name="Open the table").click()
        invite = self.page.locator("code.invite")
        expect(invite).to_contain_text("nodealer1")
        self.press("Copy")
        line = invite.inner_text()
        assert self.page.evaluate("() => navigator.clipboard.readText()") == line
        self.press("Copy as link")
        link = f"{self.served.at.origin}/#{line}"
        is_copied = "async (link) => (await navigator.clipboard.readText()) === link"
        self.page.wait_for_function(is_copied, arg=link, timeout=TURN_MS)
        picture = self.page.get_by_role("img", name="The invite as a QR code")
        expect(picture).to_be_visible()
        assert drawn(picture.locator("path").get_attribute("d") or "") == squares_of(line)
        return line

    def follow_link(self, invite: str) -> None:
        """Open a link with an invite; it is gone from the address before anything else."""
        self.page.goto(f"{self.served.at.origin}/#{invite}")
        expect(self.page.get_by_role("dialog", name="Join friends")).to_be_visible()
        assert self.page.url == f"{self.served.at.origin}/"

    def go_there(self, name: str) -> None:
        """Join under a name, from the window of a link."""
        window = self.page.get_by_role("dialog", name="Join friends")
        expect(window.get_by_label("Invite")).to_have_value(re.compile("nodealer1"))
        window.get_by_label("Your name").fill(name)
        window.get_by_role("button", name="Go there").click()

    def sit_down(self) -> None:
        """Say yes, once what is offered can have been read."""
        while self.page.get_by_role("button", name="Take it back").count() == 0:
            self.page.get_by_role("button", name="Sit down", exact=True).click()
            self.page.wait_for_timeout(LOOK_MS)


def drawn(path: str) -> set[tuple[int, int]]:
    """Return the places of the dark squares of a picture, each a run of a row."""
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)
    assert len(runs) == path.count("M")
    starts = ((int(x), int(y), int(length)) for x, y, length in runs)
    return {(x + step, y) for x, y, length in starts for step in range(length)}


def squares_of(line: str) -> set[tuple[int, int]]:
    """Return the places of the dark squares of the QR code of a line."""
    rows = enumerate(square_rows(line))
    return {(x, y) for y, row in rows for x, module in enumerate(row) if module == "1"}


@contextmanager
def players(browser: Browser, folder: Path, *names: str) -> Iterator[Sequence[Player]]:
    """Give each of these a home with the sample game, and a browser."""
    install_sample(folder / "games")
    with ExitStack() as stack:
        stack.enter_context(beside_us(folder / "games"))
        made = []
        for number, name in enumerate(names):
            served = stack.enter_context(home_in_thread(folder / name, name=name))
            made.append(Player(browser, served, (1280, 390)[number % 2]))
            stack.callback(made[-1].context.close)
        yield made
        for one in made:
            assert one.looked.complaints == []
            assert one.looked.strangers(one.served.at.origin) == []
            assert one.served.told == []


@contextmanager
def bot(folder: Path, invite: str) -> Iterator[None]:
    """Have a program join that plays by itself, in a process of its own."""
    words = ["join", "-", "--auto", "--name", "Bot", "--no-lan", "--listen", ALONE]
    places = {"NODEALER_HOME": str(folder / "bot"), "PYTHONPATH": str(folder / "games")}
    with subprocess.Popen(
        [sys.executable, "-m", "nodealer", *words],
        env={**os.environ, **places},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None, "it was asked for"
        process.stdin.write(invite)
        process.stdin.close()
        try:
            yield
        finally:
            process.kill()


def play_to_the_end(*pages: Page) -> None:
    """Have everybody play whose turn it is, until all see the end."""
    hands = [Hands(page, seed) for seed, page in enumerate(pages)]
    going = list(hands)
    while going:
        for one in tuple(going):
            seen = one.page.evaluate(f"({LOOK})()")
            if seen is not None and one.step():
                going.remove(one)
            one.page.wait_for_timeout(LOOK_MS)
            assert one.steps < 500, "the game does not end"


def seat_of(page: Page, name: str) -> Locator:
    """Return the seat of somebody; words beside others may hold the name."""
    return page.locator(".seat-offered").filter(has=page.get_by_text(name, exact=True))


def talk_and_compare(ana: Page, bea: Page) -> None:
    """Have both say something, and see the same words; the third seat says to be a program."""
    for one, other, text in ((ana, bea, "<b>hello</b>"), (bea, ana, "I am here")):
        one.get_by_label("Say something to everybody here").fill(text)
        one.keyboard.press("Enter")
        expect(other.locator(".talked .said-text").last).to_have_text(text)
        expect(one.get_by_label("Say something to everybody here")).to_have_value("")
        expect(seat_of(one, "Bot")).to_contain_text("program")
    expect(ana.locator(".compared")).to_have_text(TWO_WORDS)
    expect(bea.locator(".compared")).to_have_text(ana.locator(".compared").inner_text())


def test_two_people_and_a_bot_meet_by_a_link_and_play(browser: Browser, tmp_path: Path) -> None:
    with players(browser, tmp_path, "Ana", "Bea") as (ana, bea):
        invite = ana.host("High card", 3)
        bea.follow_link(invite)
        bea.go_there("Bea")
        with bot(tmp_path, invite):
            for name in ("Bea", "Bot"):
                expect(seat_of(ana.page, name)).to_be_visible()
            talk_and_compare(ana.page, bea.page)
            bea.sit_down()
            ana.press("Begin the game")
            for one in (ana, bea):
                one.page.wait_for_selector(".table:not([hidden])")
                programs = one.page.locator(".seat-badge", has_text="program")
                expect(programs).to_have_count(1)
            play_to_the_end(ana.page, bea.page)
        for one in (ana, bea):
            expect(one.page.locator(".end li")).to_have_count(3)
            one.page.get_by_role("button", name="Home").first.click()
            expect(one.page.locator(".listed", has_text="High card")).to_contain_text("won")
        expect(ana.page.get_by_role("heading", name="People I know")).to_be_visible()


def test_a_taken_name_is_asked_again_with_the_invite_in_its_place(
    browser: Browser, tmp_path: Path
) -> None:
    with players(browser, tmp_path, "Ana", "Bea") as (ana, bea):
        invite = ana.host("Macaua", 2)
        bea.follow_link(invite)
        bea.go_there("Ana")
        form = bea.page.get_by_role("dialog", name="Join friends")
        expect(form.get_by_role("alert")).to_contain_text("hoose another name")
        expect(form.get_by_label("Invite")).to_have_value(invite)
        expect(form.get_by_label("Your name")).to_be_focused()
        bea.page.keyboard.type("Bea")
        bea.page.keyboard.press("Enter")
        expect(bea.page.locator(".lobby .headline")).to_have_text("Do you sit down to this?")
        ana.page.get_by_text("Change what is offered").click()
        ana.page.locator(".lobby").get_by_label("forgetting to say").check()
        expect(bea.page.locator(".term.is-changed")).to_contain_text("yes (before: no)")
        expect(ana.page.locator(".lobby").get_by_label("forgetting to say")).to_be_focused()


def test_the_home_comes_back_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    with home_in_thread(tmp_path, name="Ana") as served:
        player = Player(browser, served, 1280)
        served.practise("macaua", 2)
        player.page.wait_for_selector(".table:not([hidden]).is-asked")
    player.page.get_by_text("Your node is away.").wait_for()
    with home_in_thread(tmp_path, name="Ana"):
        item = player.page.locator(".listed", has_text="Macaua")
        expect(item).to_contain_text("Ana has the turn")
        item.get_by_role("button", name="Go on").click()
        player.page.wait_for_selector(".table:not([hidden]).is-asked")
        assert "#" not in player.page.url
    player.context.close()


@pytest.fixture(scope="module")
def axe() -> str:
    node_with_packages()
    return (PLACE / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.mark.parametrize("width", [320, 1280])
def test_home_and_lobby_are_for_everybody(
    browser: Browser, tmp_path: Path, axe: str, width: int
) -> None:
    with players(browser, tmp_path, "Ana") as (ana,):
        ana.page.set_viewport_size({"width": width, "height": 800})
        ana.page.locator("form.game summary").first.click()
        assert violations(ana.page, axe) == []
        assert ana.page.evaluate(JUTTING) == []
        ana.host("Macaua", 2)
        ana.page.get_by_text("Change what is offered").click()
        assert violations(ana.page, axe) == []
        assert ana.page.evaluate(JUTTING) == []
        assert ana.page.evaluate(SMALL) == []

"""Home and lobby by keys alone: a lobby, an invite, a table, practice, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect

from tests.page.home.test_sitting_down import LOOK_MS, Player, axe, players
from tests.page.table.playing import TURN_MS
from tests.page.table.test_showing import JUTTING, violations

__all__ = ["axe"]

TABS_MAX: Final = 120
"""More places than a page has that one can go to."""

HAS_FOCUS: Final = "one => one === document.activeElement && one.matches(':focus-visible')"


def reach(page: Page, place: Locator) -> None:
    """Go to a place from wherever the focus is; it is seen there."""
    expect(place).to_be_visible()
    for _ in range(TABS_MAX):
        if place.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {place}")


def press(page: Page, name: str) -> None:
    """Go to a button, and press it."""
    reach(page, page.get_by_role("button", name=name, exact=True))
    page.keyboard.press("Enter")


def write(page: Page, place: Locator, text: str) -> None:
    """Go to a field, and write something in place of what stands there."""
    reach(page, place)
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def sit_down(player: Player) -> None:
    """Say yes, once what is offered can have been read."""
    while player.page.get_by_role("button", name="Take it back").count() == 0:
        press(player.page, "Sit down")
        player.page.wait_for_timeout(LOOK_MS)


def test_the_way_through_home_and_lobby_is_gone_by_keys(
    browser: Browser, tmp_path: Path, axe: str
) -> None:
    def is_for_everybody(page: Page) -> None:
        assert violations(page, axe) == []
        assert page.evaluate(JUTTING) == []

    with players(browser, tmp_path, "Ana", "Bea") as (ana, bea):
        press(ana.page, "Invite friends: High card")
        window = ana.page.get_by_role("dialog", name="Invite friends to High card")
        write(ana.page, window.get_by_label("Seats, yours included"), "2")
        is_for_everybody(ana.page)
        press(ana.page, "Open the table")
        expect(ana.page.locator("code.invite")).to_contain_text("nodealer1")
        press(ana.page, "Copy")
        invite = ana.page.evaluate("() => navigator.clipboard.readText()")
        assert invite == ana.page.locator("code.invite").inner_text()

        field = bea.page.get_by_role("textbox", name="Invite")
        write(bea.page, field, invite)
        form = bea.page.locator("form").filter(has=field)
        write(bea.page, form.get_by_role("textbox", name="Your name"), "Bea")
        bea.page.keyboard.press("Enter")
        expect(bea.page.locator(".lobby .headline")).to_have_text("Do you sit down to this?")
        expect(ana.page.locator(".seat-offered", has_text="Bea")).to_be_visible()
        for one in (ana, bea):
            is_for_everybody(one.page)
        sit_down(bea)
        press(ana.page, "Begin the game")
        for one in (ana, bea):
            one.page.wait_for_selector(".table:not([hidden])", timeout=TURN_MS)

        press(ana.page, "Home")
        expect(ana.page.locator(".people .listed", has_text="Bea")).to_be_visible()
        is_for_everybody(ana.page)
        own = ana.page.locator(".tables .listed", has_text="High card")
        reach(ana.page, own.get_by_role("button", name="Go on"))
        ana.page.keyboard.press("Enter")
        ana.page.wait_for_selector(".table:not([hidden])", timeout=TURN_MS)
        press(ana.page, "Home")
        game = ana.page.locator("form.game").filter(
            has=ana.page.get_by_role("heading", name="High card", exact=True)
        )
        reach(ana.page, game.get_by_role("button", name="Play against bots"))
        ana.page.keyboard.press("Enter")
        ana.page.wait_for_selector(".table:not([hidden]).is-asked", timeout=TURN_MS)
        expect(ana.page.locator(".seat", has_text="Bea")).to_have_count(0)

"""Whole games on the page, and what a player may do beside: keys, a reload, a second tab."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as TooLateError

from tests.page.serving import ServedHome, home_in_thread
from tests.page.table.playing import SETTLE_MS, TURN_MS, Hands, Looked

ASKED = ".table:not([hidden]).is-asked"


def at_table(page: Page, served: ServedHome, game: str, seats: int, **options: int) -> None:
    """Open the page at a new table, and wait until the player is asked."""
    served.practise(game, seats, **options)
    page.goto(served.at.address)
    page.wait_for_selector(ASKED, timeout=TURN_MS)


def test_the_sample_game_is_played_by_clicks_and_again(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    page.goto(served.at.address)
    form = page.locator("form.game", has_text="High card")
    form.locator("input[name=seats]").fill("2")
    form.get_by_role("button", name="Play against bots").click()
    hands = Hands(page)
    hands.play_to_the_end()
    expect(page.locator(".end li")).to_have_count(2)
    expect(page.locator("#headline")).to_have_text("The game is over.")
    assert "Over" in page.title()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector(ASKED, timeout=TURN_MS)
    expect(page.locator(".subtitle")).to_contain_text("game 2")
    page.get_by_role("button", name="Home").first.click()
    expect(page.locator(".listed")).not_to_have_count(0)
    assert looked.complaints == []


def test_an_installed_game_is_played_by_clicks_on_a_telephone(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    at_table(page, served, "take5", 2, turn_count=6, deck_size=40, max_rounds=1)
    Hands(page, seed=4).play_to_the_end()
    expect(page.locator(".end li")).to_have_count(2)
    assert looked.complaints == []


def test_a_game_is_played_with_keys_alone(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    page.goto(served.at.address)
    page.wait_for_selector("form.game")
    wanted = "() => document.activeElement?.closest('form.game')?.textContent.includes('High card')"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(wanted):
            break
    page.keyboard.press("Enter")  # in a field of a form it is the button that begins
    for _ in range(40):
        page.wait_for_function(
            "() => document.querySelector('.table:not([hidden]):is(.is-asked, [data-state=over])')",
            timeout=TURN_MS,
        )
        if page.locator(".table").get_attribute("data-state") == "over":
            break
        page.keyboard.press("1")
        try:
            page.wait_for_selector(".play:not([hidden])", timeout=SETTLE_MS)
        except TooLateError:  # the table went on meanwhile: what was meant was meant for before
            continue
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('.play').hidden")
        assert page.evaluate("() => document.activeElement !== document.body")
    expect(page.locator(".end li")).to_have_count(3)
    assert looked.complaints == []


def test_arrows_go_from_card_to_card_and_space_takes_back(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    at_table(page, served, "take5", 2)
    page.keyboard.press("h")
    focused = "() => document.activeElement.dataset.card"
    cards = page.eval_on_selector_all(".own button", "all => all.map((one) => one.dataset.card)")
    assert len(cards) == 10
    seen = [page.evaluate(focused)]
    for key in ("ArrowRight", "End", "ArrowLeft", "Home"):
        page.keyboard.press(key)
        seen.append(page.evaluate(focused))
    assert seen == [cards[0], cards[1], cards[9], cards[8], cards[0]]
    page.keyboard.press("Space")
    expect(page.locator(".own [aria-pressed=true]")).to_have_count(1)
    says = re.compile(r"^Play a card, hidden until all have chosen: \d+ \([^)]*\)$")
    expect(page.locator(".play")).to_have_text(says)
    page.keyboard.press("Space")
    expect(page.locator(".own [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("2")
    expect(page.locator(f"[data-card='{cards[1]}']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".own [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert looked.complaints == []


def test_after_a_reload_in_the_middle_everything_is_there(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    at_table(page, served, "high-card", 2, cards=4)
    page.locator(".own button.is-can").first.click()
    expect(page.locator(".play")).to_have_text(re.compile(r"^Lay a card: \w+"))
    page.locator(".play").click()
    expect(page.locator(".own button")).to_have_count(3)
    page.wait_for_selector(ASKED, timeout=TURN_MS)
    page.locator(".own button.is-can").last.click()
    picked = page.locator(".own [aria-pressed=true]")
    expect(picked).to_have_count(1)
    card, lines = picked.get_attribute("data-card"), page.locator(".line").all_inner_texts()
    page.reload()
    expect(picked).to_have_attribute("data-card", str(card))
    page.wait_for_function(
        "(count) => document.querySelectorAll('.line').length >= count", arg=len(lines)
    )
    now = page.locator(".line").all_inner_texts()
    assert now[: len(lines)] == lines  # a line of the meantime comes behind them
    Hands(page).play_to_the_end()
    assert looked.complaints == []


def test_the_page_finds_its_node_again(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    with home_in_thread(tmp_path) as served:
        at_table(page, served, "take5", 2)
        page.locator(".own button.is-can").first.click()
        page.wait_for_selector(".play:not([hidden])")
    connection = page.locator(".connection")
    expect(connection).to_contain_text("Your node is away", timeout=TURN_MS)
    expect(page.locator(".own button")).to_have_count(10)
    page.locator(".play").click()
    expect(page.locator(".toast")).to_contain_text("nothing was sent")
    with home_in_thread(tmp_path):
        expect(connection).to_be_hidden(timeout=TURN_MS)
        expect(page.locator("form.game").first).to_be_visible()
    page.close()


def test_two_tabs_are_one_player(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    one, other = context.new_page(), context.new_page()
    at_table(one, served, "high-card", 2)
    other.goto(served.at.origin)
    other.wait_for_selector(ASKED)
    one.locator(".own button.is-can").first.click()
    expect(other.locator(".own [aria-pressed=true]")).to_have_count(1)
    other.locator(".play").click()
    expect(one.locator(".own button")).to_have_count(2)
    assert looked.strangers(served.at.origin) == []
    assert looked.complaints == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_move_only_where_motion_is_wanted(
    context: BrowserContext, served: ServedHome, looked: Looked, motion: str
) -> None:
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    at_table(page, served, "high-card", 2)
    page.evaluate(
        """() => {
          window.flew = new Set();
          new MutationObserver((seen) => {
            for (const one of seen) for (const node of one.addedNodes) flew.add(node.className);
          }).observe(document.querySelector(".sky"), {childList: true});
        }"""
    )
    page.locator(".own button.is-can").first.click()
    page.locator(".play").click()
    expect(page.locator(".own button")).to_have_count(2)
    page.wait_for_function("() => document.querySelector('.sky').childElementCount === 0")
    flew = page.evaluate("() => [...flew]")
    assert flew == ([] if motion == "reduce" else ["card-frame flyer"])
    assert looked.complaints == []

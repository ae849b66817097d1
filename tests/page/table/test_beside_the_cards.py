"""What stands beside the cards: a joint step, the way to each seat, talk, sound, and leaving."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from playwright.sync_api import BrowserContext, Page, expect

from nodealer.kernel import Reach, Seat, Way
from nodealer.show import Tone
from nodealer.show.book import LinePlace, LogLine, chatted, muted, reached
from tests.page.serving import ServedHome
from tests.page.table.playing import Looked
from tests.page.table.test_playing import at_table
from tests.show.watching import dealt, seated

SEEN_MS: Final = 30_000
"""What is seen is shown in the same moment; a machine under load is waited for."""

# Counts the tones that the page has begun, and plays none.
SILENT: Final = """
window.tones = 0;
const until = {setValueAtTime() {}};
until.linearRampToValueAtTime = until.exponentialRampToValueAtTime = until.setValueAtTime;
const node = {connect: (to) => to, start() { window.tones += 1; }, stop() {}, frequency: {}};
window.AudioContext = class {
  currentTime = 0;
  resume() {}
  createOscillator() { return {...node}; }
  createGain() { return {...node, gain: until}; }
};
"""


def page_of(context: BrowserContext, served: ServedHome, looked: Looked) -> Page:
    """Open a page at whatever is shown."""
    assert looked.complaints == []
    page = context.new_page()
    page.goto(served.at.address)
    page.locator(".table").wait_for()
    return page


def test_a_joint_step_is_told_seat_by_seat_with_its_reason(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    made = seated(3)
    while made.table.ledger.tip.height < 1:
        made.deliver_one()
    made.deliver_one()
    progress = made.snapshot().progress
    assert progress is not None
    served.shown(made.snapshot())
    page = page_of(context, served, looked)
    expect(page.locator(".progress-says")).to_have_text(re.compile("shuffle", re.IGNORECASE))
    expect(page.locator(".progress-why")).to_have_text(progress.why)
    assert progress.why
    shares = ["Ana: done", "Bea: at it", "Čeněk: later"]
    expect(page.locator(".share")).to_have_text(shares, timeout=SEEN_MS)


def test_each_seat_has_its_way_and_round_trip(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    made = dealt(4)
    relayed = Reach(Way.RELAYED, 0, kind="dns4", relay="12D3KooWxY2q9f", round_trip_us=87_499)
    made.book = reached(made.book, made.table, Seat(1), relayed)
    served.shown(made.snapshot())
    page = page_of(context, served, looked)
    ways = page.locator(".seat-way")
    expect(ways).to_have_text(["relayed 87 ms", "direct 22 ms", ""])  # a bot is here
    expect(page.locator(".seat-reach").first).to_be_hidden()
    page.locator(".seat-head").first.click()
    expect(page.locator(".seat-reach").first).to_contain_text("relayed 87 ms")


def test_steps_of_proof_are_folded_until_they_are_wanted(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    tones = (Tone.GAME, Tone.PROTOCOL, Tone.PROTOCOL, Tone.GAME)
    log = tuple(LogLine(LinePlace(n, 0), n, f"line {n}", tone) for n, tone in enumerate(tones))
    served.shown(replace(dealt(2).snapshot(), log=log))
    page = page_of(context, served, looked)
    lines = page.locator(".line")
    expect(lines).to_have_count(3)
    expect(lines.nth(1).locator("summary")).to_have_text("2 steps of proof")
    lines.nth(1).locator("summary").click()
    expect(lines.nth(1).locator("li")).to_have_text(["line 1", "line 2"])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Show every step of proof").check()
    expect(lines).to_have_text([f"line {n}" for n in range(4)])


def test_who_is_muted_is_not_heard(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    made = dealt(3)
    book = chatted(chatted(made.book, Seat(1), 1, "hurry up"), Seat(2), 1, "no hurry")
    made.book = book
    served.shown(made.snapshot())
    page = page_of(context, served, looked)
    said = page.locator(".said-text")
    expect(said).to_have_text(["hurry up", "no hurry"])
    made.book = muted(book, Seat(1))
    served.shown(made.snapshot())
    expect(said).to_have_text(["no hurry"])
    expect(page.locator(".seat-badge").first).to_have_text("muted")
    made.book = book
    served.shown(made.snapshot())
    expect(said).to_have_text(["hurry up", "no hurry"])


def test_a_player_talks_mutes_and_leaves_for_good_when_sure(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    page = context.new_page()
    at_table(page, served, "high-card", 3)
    field = page.get_by_label("Say something to the table")
    field.fill("<i>hello</i>")
    field.press("Enter")
    expect(page.locator(".said[data-own] .said-text")).to_have_text("<i>hello</i>")
    expect(field).to_have_value("")
    page.locator(".seat-head").first.click()
    for does, badge in (("Mute", "bot · muted"), ("Hear again", "bot")):
        page.get_by_role("button", name=does).first.click()
        expect(page.locator(".seat-badge").first).to_have_text(badge, timeout=SEEN_MS)
    page.get_by_role("button", name="Connections").click()
    expect(page.get_by_role("dialog", name="Connections").locator("li")).not_to_have_count(0)
    page.keyboard.press("Escape")
    leave, table = page.get_by_role("button", name="Leave for good …"), page.locator(".table")
    leave.click()
    page.get_by_role("button", name="Stay").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(table).to_have_attribute("data-state", "playing")
    leave.click()
    page.get_by_role("button", name="Leave for good", exact=True).click()
    expect(table).to_have_attribute("data-state", "left")
    expect(page.locator("#headline")).to_contain_text("You have left this table.")
    expect(leave).to_be_hidden()
    assert looked.complaints == []


def test_a_sound_comes_with_the_turn_once_it_was_asked_for(
    context: BrowserContext, served: ServedHome, looked: Looked
) -> None:
    mine = dealt(2).snapshot()
    theirs = replace(mine, legal=(), asked=None)
    context.add_init_script(SILENT)
    served.shown(theirs)
    page = page_of(context, served, looked)

    def turns() -> int:
        """Come to be asked, and return how many tones there were by then."""
        served.shown(theirs)
        expect(page).to_have_title("Macaua – nodealer")
        served.shown(mine)
        expect(page).to_have_title("● Your turn – Macaua – nodealer")
        return int(page.evaluate("() => window.tones"))

    assert turns() == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("A sound when it is my turn").check()
    assert page.evaluate("() => window.tones") == 2  # so it sounds
    page.keyboard.press("Escape")
    assert turns() == 4
    page.reload()
    page.locator(".table").wait_for()
    assert turns() >= 2, "it is remembered"

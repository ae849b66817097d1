"""A record on the page: stepped through, left to go on, seen from a chair; and a file judged."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from nodealer.dialogue import with_recording
from nodealer.kernel import Seat
from nodealer.show import Recording, recorded, recording_of
from nodealer.verify import judge_bytes
from tests.page.serving import ServedHome
from tests.page.table.playing import TURN_MS, Hands, Looked
from tests.show.making import NAMES
from tests.show.watching import dealt
from tests.tidy.project import ROOT
from tests.verify.stage import be_false

GOLDEN = ROOT / "tests" / "verify" / "golden"


def record(name: str) -> Recording:
    found = recording_of(judge_bytes((GOLDEN / f"{name}.ndt").read_bytes()), name)
    assert found is not None
    return found


@pytest.fixture
def page(context: BrowserContext, looked: Looked) -> Page:
    assert looked.complaints == []
    return context.new_page()


def looking(page: Page, served: ServedHome, found: Recording) -> None:
    async def show() -> None:
        served.steward.shown = found
        served.steward.served.show(with_recording, found)

    served.within(show)
    page.goto(served.at.address)
    page.wait_for_selector(".recording:not([hidden])", timeout=TURN_MS)


def at(page: Page, height: int, last: int) -> None:
    expect(page.locator(".recording-where")).to_have_text(
        f"entry {height} of {last}", timeout=TURN_MS
    )


def test_a_record_is_stepped_through_and_jumped_in(page: Page, served: ServedHome) -> None:
    found = record("sixty-six")
    looking(page, served, found)
    at(page, 0, found.last)
    for height in range(1, 5):
        page.get_by_role("button", name="One on").click()
        at(page, height, found.last)
        expect(page.locator(".recording-says li")).to_have_text(list(found.told(height)))
        expect(page.locator(".recording-proven li")).to_have_text(list(found.proven(height)))
        expect(page.locator(".recording-signed")).to_contain_text(min(found.signed(height)))
    page.get_by_role("button", name="One back").click()
    at(page, 3, found.last)
    page.get_by_role("slider").fill(str(found.last // 2))
    at(page, found.last // 2, found.last)
    page.get_by_role("slider").press("ArrowRight")
    at(page, found.last // 2 + 1, found.last)
    for _ in range(3):  # whoever is quicker than the channel gets as far
        page.get_by_role("button", name="One on").dispatch_event("click")
    at(page, found.last // 2 + 4, found.last)
    assert page.locator(".recording-hands li").count() == 0
    page.get_by_role("button", name="Last").click()
    at(page, found.last, found.last)
    expect(page.locator(".recording-hands li")).to_have_text(list(found.hands(found.last)))
    expect(page.locator(".recording-verdict")).to_contain_text("Complete and right")
    expect(page.locator(".end li")).to_have_count(len(found.names))
    page.get_by_role("button", name="First").click()
    at(page, 0, found.last)
    expect(page.locator(".line")).to_have_count(1)


def test_a_record_goes_on_by_itself_until_somebody_stops_it(page: Page, served: ServedHome) -> None:
    found = record("two-players")
    page.clock.install()
    looking(page, served, found)
    page.get_by_role("button", name="Run").click()
    for height in range(1, 4):
        page.clock.run_for(1_200)
        at(page, height, found.last)
    page.get_by_role("button", name="Stop").click()
    page.clock.run_for(20_000)
    at(page, 3, found.last)
    page.get_by_role("slider").fill(str(found.last - 1))
    at(page, found.last - 1, found.last)
    page.get_by_role("button", name="Run").click()
    page.clock.run_for(1_200)
    at(page, found.last, found.last)
    page.clock.run_for(1_200)
    expect(page.get_by_role("button", name="Run")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    page.clock.run_for(10)
    at(page, 0, found.last)


def test_a_record_is_seen_from_the_chair_of_one_seat(page: Page, served: ServedHome) -> None:
    found = record("sixty-six")
    looking(page, served, found)
    height = found.last // 2
    page.get_by_role("slider").fill(str(height))
    at(page, height, found.last)
    assert page.locator(".own .card-place").count() == 0
    name = found.names[min(found.names)]
    page.get_by_label("Seen by").select_option(name)
    zones = recorded(found, height, min(found.names)).view.zones
    own = [card for zone in zones if zone.seat == min(found.names) for card in zone.cards]
    assert any(card.face for card in own)
    names = page.locator(".own .card-place")
    expect(names).to_have_count(len(own))
    told = [one.get_attribute("aria-label") or "" for one in names.all()]
    hidden = [one for one in told if re.match(r"card [1-9]", one)]
    assert len(hidden) == sum(card.face is None for card in own)
    page.get_by_role("button", name="One on").click()
    at(page, height + 1, found.last)
    expect(page.get_by_label("Seen by")).to_have_value(str(min(found.names)))
    page.get_by_label("Seen by").select_option("everybody")
    expect(names).to_have_count(0)


def test_a_game_that_was_played_here_is_looked_at_again(page: Page, served: ServedHome) -> None:
    served.practise("high-card", 2)
    page.goto(served.at.address)
    page.wait_for_selector(".table:not([hidden]).is-asked", timeout=TURN_MS)
    page.get_by_role("button", name="Home").first.click()
    page.get_by_role("button", name="Look again").last.click()
    page.wait_for_selector(".recording:not([hidden])", timeout=TURN_MS)
    expect(page.get_by_label("Story and chat").locator(".chat-form")).to_be_hidden()
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".recording-verdict")).to_contain_text("not finished")


def bring(page: Page, name: str, data: bytes) -> None:
    page.get_by_role("button", name="Check a record").locator("visible=true").click()
    page.locator(".judging-input").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )


def test_a_record_that_is_right_goes_green(page: Page, served: ServedHome) -> None:
    page.goto(served.at.address)
    bring(page, "ours.ndt", (GOLDEN / "two-players.ndt").read_bytes())
    found = page.locator(".judging-found")
    expect(found).to_be_visible(timeout=TURN_MS)
    expect(found).to_have_attribute("data-verdict", "complete")
    expect(page.locator(".judging-word")).to_contain_text("Complete and right")
    rows = page.locator(".judging-counts tbody tr")
    told = dict(one.split(maxsplit=1) for one in rows.all_inner_texts())
    report = judge_bytes((GOLDEN / "two-players.ndt").read_bytes()).report
    assert told == {
        check.value: f"{one.passed}\t{one.failed}\t{one.not_run}"
        for check, one in report.counts.items()
    }
    assert page.locator(".judging-culprit").is_hidden()
    bring_again = (GOLDEN / "two-players.ndt").read_bytes()
    page.locator(".judging-input").set_input_files(
        {"name": "cut.ndt", "mimeType": "x/y", "buffer": bring_again[:999]}
    )
    expect(found).to_have_attribute("data-verdict", "unreadable", timeout=TURN_MS)


def test_a_cheat_goes_red_and_is_named_while_the_table_goes_on(
    page: Page, served: ServedHome
) -> None:
    made = dealt(3)
    be_false(made, Seat(2))
    served.practise("high-card", 2)
    page.goto(served.at.address)
    page.wait_for_selector(".table:not([hidden]).is-asked", timeout=TURN_MS)
    drop(page, f"{'W' * 300}<b>.ndt", made.record())
    found = page.locator(".judging-found")
    expect(found).to_be_visible(timeout=TURN_MS)
    expect(page.locator(".judging-culprit")).to_have_text(f"{NAMES[2]} has signed what is wrong.")
    expect(page.locator(".judging-state b")).to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    Hands(page).play_to_the_end()


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file on the page, as from a folder."""
    page.evaluate(
        """([name, letters]) => {
          const bytes = Uint8Array.from(atob(letters), (one) => one.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name));
          const event = {bubbles: true, cancelable: true, dataTransfer};
          document.body.dispatchEvent(new DragEvent("drop", event));
        }""",
        [name, base64.b64encode(data).decode()],
    )


def test_what_cannot_be_judged_is_said(page: Page, served: ServedHome) -> None:
    page.goto(served.at.address)
    bring(page, "empty", b"")
    expect(page.locator(".judging-state")).to_contain_text("a record has 1 to")
    expect(page.locator(".judging-progress")).to_be_hidden()

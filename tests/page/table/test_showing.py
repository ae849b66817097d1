"""What the page shows of a table, whatever is told: in any size, to any eyes, in any state."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from nodealer.games import Standing
from nodealer.games.api import action
from nodealer.kernel import Height, Seat
from nodealer.show import LOG_LINES_MAX, Tone, card_name
from nodealer.show.book import Book, ChatLine, LinePlace, LogLine, chatted, held
from nodealer.show.snapshot import (
    SeatStanding,
    Sitting,
    Snapshot,
    again_wished,
    snapshot_of,
)
from tests.games.barter import Barter
from tests.js.installed import PLACE, node_with_packages
from tests.page.serving import ServedHome
from tests.page.table.playing import TURN_MS, Looked
from tests.page.table.test_playing import ASKED, at_table
from tests.show.test_notices import proven, standing_still, voided, without_links
from tests.show.watching import dealt
from tests.terminal.scenes import finished, left_out_table, stalled_table

LINES_SHOWN_MAX: Final = 300
QUIET_MS: Final = 1_600

# All words that jut out of the page to the side, or of what is cut off there.
JUTTING: Final = """
() => {
  const width = document.documentElement.clientWidth;
  const body = document.documentElement.scrollWidth;
  const buttons = [...document.querySelectorAll("button, input, summary")]
    .filter((one) => one.checkVisibility() && !one.closest(".cards, .unseen, .skip"))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > width + 1 || box.left < -1;
    });
  return [body > width ? `the page is ${body} wide` : null, ...buttons.map((one) => one.outerHTML)]
    .filter(Boolean);
}
"""

SMALL: Final = """
() => [...document.querySelectorAll("button, input, .seat-head, .zone[data-lie=strip] .slot")]
  .filter((one) => one.checkVisibility() && !one.closest(".tick"))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width < 43.5 || box.height < 43.5;
  })
  .map((one) => one.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module")
def axe() -> str:
    node_with_packages()
    return (PLACE / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture
def page(context: BrowserContext, looked: Looked) -> Page:
    assert looked.complaints == []
    return context.new_page()


def shown(page: Page, served: ServedHome, snapshot: Snapshot) -> Locator:
    """Show a table at which nobody plays, and return it."""
    served.shown(snapshot)
    page.goto(served.at.address)
    table = page.locator(".table")
    table.wait_for()
    return table


def violations(page: Page, axe: str) -> list[tuple[str, list[str]]]:
    """Return what axe finds wrong with the page."""
    page.evaluate(axe)
    found = page.evaluate("() => axe.run()")
    return [
        (one["id"], [node["html"][:300] for node in one["nodes"]]) for one in found["violations"]
    ]


@pytest.mark.parametrize(
    ("width", "height"),
    [(320, 640), (640, 400), (768, 640)],
    ids=["small", "twice as large", "768"],
)
def test_nothing_juts_out_and_all_can_be_touched(
    page: Page, served: ServedHome, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(served.at.address)
    page.wait_for_selector("form.game")
    assert page.evaluate(JUTTING) == []
    at_table(page, served, "take5", 5)
    assert page.evaluate(JUTTING) == []
    assert page.evaluate(SMALL) == []
    page.locator(".own button.is-can").first.click()
    page.wait_for_selector(".play:not([hidden])")
    assert page.evaluate(JUTTING) == []
    page.locator(".seat-head").last.click()
    expect(page.locator(".seat-more").last).to_be_visible()
    assert page.evaluate(JUTTING) == []
    page.locator(".seat-head").last.click()
    for name in ("Rules", "Settings"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        assert page.evaluate(JUTTING) == []
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Story and chat").click()
    expect(page.locator(".side")).to_be_visible()
    assert page.evaluate(JUTTING) == []


@pytest.mark.parametrize(
    ("theme", "scheme"), [("light", "light"), ("dark", "dark"), ("contrast", "light")]
)
def test_axe_finds_nothing_wrong(
    page: Page, served: ServedHome, axe: str, theme: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(served.at.address)
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    page.wait_for_selector("form.game")
    assert violations(page, axe) == []
    served.practise("macaua", 3)
    page.wait_for_selector(ASKED, timeout=TURN_MS)
    assert violations(page, axe) == []
    for name in ("Rules", "Settings", "Keys"):
        page.get_by_role("button", name=name).first.click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        assert violations(page, axe) == []
        page.keyboard.press("Escape")


def test_cards_and_seats_have_edges_where_colours_are_forced(
    page: Page, served: ServedHome, axe: str
) -> None:
    page.emulate_media(forced_colors="active")
    at_table(page, served, "take5", 3)
    page.locator(".own button.is-can").first.click()
    page.wait_for_selector(".is-picked")
    edges = page.eval_on_selector_all(
        ".card-place > svg, .seat-head, .felt",
        """all => all.filter((one) => one.getClientRects().length).map((one) => {
          const style = getComputedStyle(one);
          return [style.borderTopStyle, parseFloat(style.borderTopWidth)];
        })""",
    )
    assert len(edges) > 20
    assert all(style != "none" and width >= 1 for style, width in edges)
    outlines = page.eval_on_selector_all(
        ".own button", "all => all.map((one) => getComputedStyle(one).outlineStyle)"
    )
    assert outlines.count("double") == 1
    assert violations(page, axe) == []


HARMFUL: Final = (
    "<img src=x onerror=window.hit=1><script>window.hit=1</script>",
    "[x](javascript:window.hit=1) \N{RIGHT-TO-LEFT OVERRIDE}\N{ZERO WIDTH SPACE}&lt;b&gt;",
    "W" * 10_000,
    "\N{ARABIC LETTER BEH}" * 400,
)


@pytest.mark.parametrize("harm", HARMFUL, ids=("markup", "turned", "long", "joined"))
def test_what_strangers_say_is_only_ever_text(page: Page, served: ServedHome, harm: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    made = dealt(3).snapshot()
    seats = tuple(replace(one, name=harm if one.seat else "Ana", mark=harm) for one in made.seats)
    table = shown(
        page,
        served,
        replace(
            made,
            seats=seats,
            title=harm,
            game=harm,
            status=(harm, harm),
            chat=(ChatLine(Seat(1), 1, harm),),
            log=(*made.log, LogLine(LinePlace(99, 0), 99, harm, Tone.GAME)),
            rules=f"# {harm}\n\n{harm}\n\n| {harm} |\n| --- |\n| {harm} |\n\n- {harm}\n\n> {harm}",
            remarks=dict.fromkeys(("10S", "hand"), harm),
        ),
    )
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.locator(".reading h2").count() == 2  # its title, and that of the rules
    page.keyboard.press("Escape")
    start = harm[:5].strip()
    expect(table.locator(".seat-name").first).to_contain_text(start)
    page.get_by_role("button", name="Story and chat").click()
    expect(page.locator(".said-text")).to_contain_text(start)
    expect(page.locator(".line").last).to_contain_text(start)
    assert page.evaluate("() => window.hit") is None
    assert (
        page.locator("img, script:not([src='/app.js']), [style*='url'], a[href^='j']").count() == 0
    )
    assert page.evaluate(JUTTING) == []


STATES: Final = {
    SeatStanding.LEFT: "You have left this table.",
    SeatStanding.LEFT_OUT: "The others go on without you.",
    SeatStanding.SUSPECT: "may be an old copy",
    SeatStanding.SUSPENDED: "",
    SeatStanding.WATCHING: "",
    SeatStanding.OVER: "The game is over.",
}


@pytest.mark.parametrize("state", STATES, ids=lambda one: one.value)
def test_every_state_is_told_and_leaves_the_table_there(
    page: Page, served: ServedHome, state: SeatStanding
) -> None:
    made = replace(dealt(3).snapshot(), state=state, legal=(), asked=None)
    table = shown(page, served, made)
    expect(table).to_have_attribute("data-state", state.value)
    expect(page.locator("#headline")).to_contain_text(STATES[state])
    assert page.locator("#headline").inner_text()
    assert page.locator(".seat").count() == 2
    assert page.locator(".own .card-place").count() == 5


def test_seats_that_are_away_or_false_are_told_by_words(page: Page, served: ServedHome) -> None:
    made = dealt(3).snapshot()
    fates = (Sitting.THERE, Sitting.PROVEN, Sitting.LEFT_OUT)
    seats = tuple(replace(one, sitting=fate) for one, fate in zip(made.seats, fates, strict=True))
    standing = Standing(((Seat(0),), (Seat(1), Seat(2))), {Seat(0): 3, Seat(1): 0, Seat(2): 0})
    alarm = LogLine(LinePlace(99, 0), 99, "Bea has signed two things.", Tone.ALARM)
    made = replace(made, seats=seats, standing=standing, log=(*made.log, alarm))
    table = shown(page, served, made)
    expect(table.locator(".seat-says").nth(0)).to_have_text("proven")
    expect(table.locator(".seat-says").nth(1)).to_have_text("left out")
    expect(table.locator(".seat").first).to_have_attribute("aria-label", "Bea, proven")
    expect(table.locator(".places li")).to_have_count(3)
    expect(page.locator(".line[data-tone=alarm]")).to_have_text("Bea has signed two things.")


NOTICES: Final = {
    "proven": (proven, "Somebody cheated", "Čeněk signed two different things"),
    "left out": (left_out_table, "You are left out", "go on without you, from height"),
    "suspended": (standing_still, "The table stands still", "stands still without Čeněk"),
    "void": (voided, "This round does not count", "Without Čeněk this round"),
    "cut off": (
        lambda: without_links(standing_still(), Seat(1), Seat(2)),
        "You are cut off",
        "None of the others can be reached",
    ),
}


@pytest.mark.parametrize("kind", NOTICES)
def test_what_is_out_of_order_stands_above_the_table(
    page: Page, served: ServedHome, axe: str, kind: str
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    make, title, says = NOTICES[kind]
    shown(page, served, make().snapshot())
    notice = page.locator(f".notice[data-kind='{kind}']")
    expect(notice.locator("h2")).to_have_text(re.compile(title))
    expect(notice).to_contain_text(says)
    expect(page.locator("#said")).to_contain_text(says)
    assert page.evaluate(JUTTING) == []
    assert violations(page, axe) == []
    looks = notice.evaluate(
        "one => [getComputedStyle(one).borderLeftColor, getComputedStyle(one, '::before').content]"
    )
    assert looks[1] not in ("none", "")
    served.shown(dealt(3).snapshot())
    expect(notice).to_have_count(0)


def test_an_old_record_is_told_with_who_has_not_answered(page: Page, served: ServedHome) -> None:
    made = dealt(3)
    table, _ = made.table.recall()
    shown(page, served, snapshot_of(table, made.book, 0))
    notice = page.locator(".notice[data-kind='suspect']")
    expect(notice).to_contain_text("Your record may be old")
    expect(notice).to_contain_text("Not heard yet")


def test_everybody_may_say_that_another_game_is_welcome(page: Page, served: ServedHome) -> None:
    made = finished()
    guest = snapshot_of(made.tables[Seat(1)], Book("x"), made.now)
    shown(page, served, guest)
    end = page.locator(".end")
    expect(end.get_by_role("button", name="I would like to play again")).to_be_visible()
    expect(end.locator(".end-wishes")).to_be_hidden()
    book = chatted(made.book, Seat(1), 1, again_wished(made.table.position.games))
    served.shown(snapshot_of(made.table, book, made.now))
    expect(end.get_by_role("button", name="Play again")).to_be_visible()
    expect(end.locator(".end-wishes")).to_have_text("Would like to play again: Bea.")


def test_a_window_says_its_seconds_and_what_comes_then(page: Page, served: ServedHome) -> None:
    made = dealt(3, Barter(window=9), watcher=Seat(1))
    made.act(Seat(0), action("call"))
    book = held(made.book, is_held=False, passes_at=made.now + 9_000)
    shown(page, served, snapshot_of(made.table, book, made.now))
    expect(page.locator("#headline")).to_have_text(
        "Your turn: you have 9 s; then your node answers for you: say nothing."
    )
    expect(page.locator(".patience")).to_be_visible()


def test_cards_are_read_out_in_words(page: Page, served: ServedHome) -> None:
    made = dealt(2).snapshot()
    shown(page, served, made)
    names = [one.get_attribute("aria-label") for one in page.locator(".own button").all()]
    own = [card.face for zone in made.view.zones if zone.seat == 0 for card in zone.cards]
    assert names == [card_name(face or "") for face in own]
    assert any(" of " in str(name) for name in names)
    hidden = page.locator(".seats-top .card-place").nth(1)
    expect(hidden).to_have_attribute("aria-label", re.compile(r"^card 2, "))


def test_the_document_has_so_many_lines_and_no_more(page: Page, served: ServedHome) -> None:
    made = dealt(2).snapshot()
    log = tuple(LogLine(LinePlace(n, 0), n, f"line {n}", Tone.GAME) for n in range(1500))
    shown(page, served, replace(made, log=log))
    lines = page.locator(".line")
    expect(lines.last).to_have_text("line 1499")
    assert lines.count() == LINES_SHOWN_MAX
    earlier = page.get_by_role("button", name="Earlier lines")
    while earlier.is_visible():
        earlier.dispatch_event("click")
    expect(lines.first).to_have_text("line 0")
    assert lines.count() <= LINES_SHOWN_MAX
    page.get_by_role("button", name="To the newest").click()
    expect(lines.last).to_have_text("line 1499")


def test_a_long_game_leaves_the_document_as_large_as_it_was(page: Page, served: ServedHome) -> None:
    made = dealt(2).snapshot()
    count = "() => document.querySelectorAll('*').length"

    def told(lines: int) -> Snapshot:
        tones = (Tone.GAME, Tone.PROTOCOL, Tone.GAME, Tone.ALARM)
        log = [LogLine(LinePlace(n, 0), n, f"line {n}", tones[n % 4]) for n in range(lines)]
        return replace(made, log=tuple(log), height=Height(lines))

    shown(page, served, told(400))
    expect(page.locator(".line").last).to_have_text("line 399")
    before = page.evaluate(count)
    for lines in range(1_000, LOG_LINES_MAX + 1, 1_000):
        served.shown(told(lines))
        expect(page.locator(".line").last).to_have_text(f"line {lines - 1}")
    assert LOG_LINES_MAX >= 5_000
    assert page.evaluate(count) <= before + 20
    assert page.locator(".line").count() <= LINES_SHOWN_MAX


def test_the_rules_are_rendered(page: Page, served: ServedHome) -> None:
    rules = (
        "# One\n\nSome **bold** and *slanted* `code`.\n\n## Two\n\n- a\n  - b\n- c\n\n"
        "1. x\n2. y\n\n"
        "| h | i |\n|---|:-:|\n| 1 | 2 |\n\n```\n# no heading\n```\n\n> said\n\n[words](http://evil)"
    )
    shown(page, served, replace(dealt(2).snapshot(), rules=rules))
    page.get_by_role("button", name="Rules").click()
    body = page.locator(".reading .dialog-body")
    expect(body.locator("h2")).to_have_text("One")
    expect(body.locator("h3")).to_have_text("Two")
    expect(body.locator("strong")).to_have_text("bold")
    expect(body.locator("em")).to_have_text("slanted")
    expect(body.locator("ul ul > li")).to_have_text("b")
    expect(body.locator("ol > li")).to_have_text(["x", "y"])
    expect(body.locator("td")).to_have_text(["1", "2"])
    expect(body.locator("pre")).to_have_text("# no heading")
    expect(body.locator("blockquote")).to_have_text("said")
    assert body.locator("a").count() == 0


def test_whoever_was_away_is_told_what_has_happened(page: Page, served: ServedHome) -> None:
    made = dealt(2).snapshot()
    seen = {"mark": made.mark, "at": [1, 0], "when": 0}
    page.add_init_script(f"localStorage.setItem('nodealer-seen', JSON.stringify({seen}))")
    shown(page, served, made)
    away = page.locator(".away")
    expect(away).to_contain_text("While you were away")
    expect(away.locator("li").last).to_contain_text("The cards are dealt")
    expect(page.locator(".line[data-tone=away]")).to_have_count(1)
    away.get_by_role("button").click()
    expect(away).to_be_hidden()


def test_one_live_region_says_what_happens(page: Page, served: ServedHome) -> None:
    made = dealt(2)
    shown(page, served, made.snapshot())
    region = page.locator("[aria-live], [role=status], [role=alert]").and_(page.locator(":visible"))
    said = page.locator("#said")
    expect(said).to_contain_text("turn")
    page.wait_for_timeout(QUIET_MS)  # the past is told to nobody's ears
    assert "can be reached" not in said.inner_text()
    made.bots_play(1)
    served.shown(made.snapshot())
    expect(said).to_contain_text("Ana")
    assert region.count() == 1


def test_the_title_and_the_icon_tell_whose_turn_it_is(page: Page, served: ServedHome) -> None:
    made = dealt(2)
    shown(page, served, made.snapshot())
    expect(page).to_have_title("● Your turn – Macaua – nodealer")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    served.shown(replace(made.snapshot(), legal=(), asked=None))
    expect(page).to_have_title("Macaua – nodealer")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")


def test_settings_are_kept_and_shown(page: Page, served: ServedHome) -> None:
    shown(page, served, dealt(2).snapshot())
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    page.get_by_label("Suits in four colours").check()
    page.reload()
    page.wait_for_selector(".table:not([hidden])")
    assert page.evaluate("() => ({...document.documentElement.dataset})") == {
        "theme": "dark",
        "suits": "four",
        "motion": "full",
    }


def test_a_table_at_which_nobody_can_go_on_can_be_put_away(page: Page, served: ServedHome) -> None:
    shown(page, served, dealt(2).snapshot())
    button = page.get_by_role("button", name="Put this table away")
    expect(button).to_have_count(0)
    shown(page, served, stalled_table().snapshot())
    expect(button).to_be_visible()

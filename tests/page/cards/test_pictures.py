"""The cards in a real browser, under the strictest policy: all drawn, told apart, within edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.page.cards.gallery import chromium, decks, opened, served

WITHOUT_LOOKS = {"high-card", "strange words"}
MISTAKEN = {"unknown", "mistaken"}

Seen = dict[str, Any]

# What is seen of a card: its classes, its forms as text with and without colours, what juts out of
# it, where its index ends, and its edge.
LOOK_AT_CARDS = """
() => [...document.querySelectorAll("[data-name]")].map((frame) => {
  const card = frame.firstElementChild;
  const edge = card.getBoundingClientRect();
  const form = [...card.children].find((one) => getComputedStyle(one).display !== "none");
  const shapes = [...form.querySelectorAll("path, circle, ellipse, rect, text")];
  const own = shapes.filter((one) => one.ownerSVGElement === card);
  const juts = own.filter((one) => {
    const it = one.getBoundingClientRect();
    return it.left < edge.left - 1 || it.right > edge.right + 1
      || it.top < edge.top - 1 || it.bottom > edge.bottom + 1;
  });
  const index = form.querySelector(".card-index");
  const uncoloured = form.cloneNode(true);
  for (const one of uncoloured.querySelectorAll("[class]")) one.removeAttribute("class");
  const style = getComputedStyle(card);
  return {
    deck: frame.parentElement.dataset.deck,
    name: frame.dataset.name,
    classes: card.getAttribute("class"),
    form: form.getAttribute("class"),
    shapes: shapes.length,
    drawing: uncoloured.innerHTML,
    text: form.textContent,
    juts: juts.map((one) => one.outerHTML),
    indexEnds: index ? index.getBoundingClientRect().right - edge.left : 0,
    hidden: card.getAttribute("aria-hidden"),
    forbidden: card.querySelectorAll("[style], [id], [href], script, foreignObject").length,
    edge: [style.borderTopStyle, parseFloat(style.borderTopWidth), style.borderTopColor,
           style.backgroundColor, getComputedStyle(document.body).backgroundColor],
  };
})
"""


class Visit:
    """A page with the gallery, and all that the browser has complained of or asked for."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.address = address

    def cards(self, **asked: str | int) -> list[Seen]:
        """Return what is seen of each card."""
        opened(self.page, self.address, **asked)
        found: list[Seen] = self.page.evaluate(LOOK_AT_CARDS)
        return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def visit(browser: Browser, address: str) -> Visit:
    return Visit(browser.new_page(), address)


@pytest.fixture(scope="module")
def large(visit: Visit) -> list[Seen]:
    return visit.cards(width=160)


@pytest.fixture(scope="module")
def little(visit: Visit) -> list[Seen]:
    return visit.cards(width=64)


@pytest.fixture(scope="module", params=["large", "little"])
def seen(request: pytest.FixtureRequest) -> list[Seen]:
    found: list[Seen] = request.getfixturevalue(request.param)
    return found


def test_all_faces_are_there_and_nothing_is_complained_of(seen: list[Seen], visit: Visit) -> None:
    wanted = [(deck, name) for deck, looks in decks().items() for name in looks]
    shown = [(card["deck"], card["name"]) for card in seen if card["deck"] != "backs"]
    assert sorted(shown) == sorted(wanted)
    assert visit.complaints == []
    assert {urlsplit(url).netloc for url in visit.asked} == {urlsplit(visit.address).netloc}


def test_faces_with_a_look_are_drawn_by_it_and_others_as_words(seen: list[Seen]) -> None:
    for card in seen:
        is_word = card["deck"] in WITHOUT_LOOKS or card["name"] in MISTAKEN
        assert ("card-word" in card["classes"].split()) == is_word, card["name"]
        assert card["shapes"] >= 3, card["name"]


def test_what_is_small_has_a_form_of_its_own(large: list[Seen], little: list[Seen]) -> None:
    assert {card["form"] for card in large} == {"card-whole"}
    assert {card["form"] for card in little} == {"card-small"}


def test_nothing_juts_out_of_a_card(seen: list[Seen]) -> None:
    assert {card["name"]: card["juts"] for card in seen if card["juts"]} == {}


def test_cards_that_lie_over_all_but_24_pixels_leave_the_index(little: list[Seen]) -> None:
    ends = {card["name"]: card["indexEnds"] for card in little if card["deck"] != "backs"}
    assert all(0 < end <= 24 for end in ends.values()), ends


def test_no_two_faces_of_a_game_differ_by_colour_alone(seen: list[Seen]) -> None:
    drawings: dict[tuple[str, str], str] = {}
    for card in seen:
        other = drawings.setdefault((card["deck"], card["drawing"]), card["name"])
        assert other == card["name"], f"{card['deck']}: {other} and {card['name']}"


def test_strange_words_are_text_and_nothing_else(large: list[Seen]) -> None:
    (card,) = [card for card in large if card["name"].startswith("<img")]
    assert "<imgsrc=xonerror=alert(1)>" in card["text"].replace(" ", "")
    assert not [card["name"] for card in large if card["forbidden"]]


STRANGE_LOOKS: list[Any] = [
    None,
    5,
    "hearts",
    [],
    {},
    {"kind": "__proto__"},
    {"kind": "toString"},
    {"kind": ["french"]},
    {"kind": "french", "suit": "constructor", "rank": "A"},
    {"kind": "french", "suit": "hearts", "rank": "AJ"},
    {"kind": "number", "number": 1e9},
    {"kind": "number", "number": "5"},
    {"kind": "number", "number": 0.5},
    {"kind": "picture", "picture": "constructor", "title": "no"},
    {"kind": "picture", "picture": "potato", "title": {"a": "b"}},
]

STRANGE_FIELDS: list[Any] = [
    {"kind": "number", "number": 5, "heads": "7"},
    {"kind": "number", "number": 5, "heads": 1e9},
    {"kind": "number", "number": 5, "highest": -1, "power": "fly"},
    {"kind": "number", "number": 5, "highest": 2, "power": "__proto__"},
    {"kind": "picture", "picture": "potato", "title": "a b" * 9999, "targets": 1e9, "golden": -1},
    {"kind": "joker", "ink": "red", "more": [[[]]]},
]

DRAW_EACH = """
async (looks) => {
  const { drawFace } = await import("/cards.js");
  return looks.map((look) => drawFace("word", look).getAttribute("class"));
}
"""


def test_looks_that_no_game_should_bring_are_words_or_do_without(visit: Visit) -> None:
    drawn = visit.page.evaluate(DRAW_EACH, STRANGE_LOOKS)
    assert set(drawn) == {"card card-word"}
    drawn = visit.page.evaluate(DRAW_EACH, STRANGE_FIELDS)
    assert "card card-word" not in drawn
    assert visit.complaints == []


def test_drawings_are_silent(seen: list[Seen]) -> None:
    assert {card["hidden"] for card in seen} == {"true"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_edges_stay_where_colours_are_forced(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    visit = Visit(browser.new_page(forced_colors="active", color_scheme=scheme), address)
    for card in visit.cards(width=96, game="66"):
        kind, width, line, paper, table = card["edge"]
        assert (kind, width) == ("solid", 2)
        assert line not in (paper, table)
    visit.page.close()


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_every_theme_has_edges_and_no_complaints(
    browser: Browser, address: str, theme: str
) -> None:
    visit = Visit(browser.new_page(), address)
    for card in visit.cards(width=40, theme=theme, suits="four", game="macaua"):
        kind, width, line, paper, _ = card["edge"]
        assert kind == "solid"
        assert width >= (2 if theme == "contrast" else 1)
        assert line != paper
    assert visit.complaints == []
    visit.page.close()


def test_the_policy_is_in_force(browser: Browser, address: str) -> None:
    visit = Visit(browser.new_page(), address)
    visit.cards(game="66")
    visit.page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert any("Content Security Policy" in said for said in visit.complaints)
    visit.page.close()


def test_no_drawing_takes_text_for_markup(browser: Browser, address: str) -> None:
    visit = Visit(browser.new_page(), address)
    assert len(visit.cards(trusted="yes")) > len(decks()["macaua"])
    assert visit.complaints == []
    visit.page.evaluate("try { document.body.innerHTML = 'a' } catch { }")
    assert any("TrustedHTML" in said for said in visit.complaints)
    visit.page.close()

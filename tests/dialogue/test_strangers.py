"""Strangers' words come out as harmless text, and whatever a page says is survived."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from high_card.rules import Rules
from nodealer.dialogue import (
    TEXT_BYTES_MAX,
    Dialogue,
    entered,
    heard,
    next_text,
    opened,
    with_table,
)
from nodealer.dialogue.wishes import READERS
from nodealer.games import Action, SeenCard, SeenZone
from nodealer.games.api import View
from nodealer.kernel import Seat, SlotId
from nodealer.show import Snapshot, chatted
from tests.dialogue.parlour import parlour
from tests.dialogue.schema import is_wished, require_said, wish_kinds

ME = Seat(0)

EVIL = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "\u202eevil\u2066 \x1b[2J \x00 \u200b\u2028x",
    "x" * 10_000,
    "王" * 10_000,
    "\ud800 lonely",
    "a\nb\tc",
)


class Rude(Rules):
    """High card of a third party, whose every word is evil."""

    word = ""

    def rules(self) -> str:
        """Return a page of evil."""
        return f"# {self.word}\n\n  * {self.word}"

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:  # noqa: ARG002 - interface
        """Say something evil."""
        return (self.word,) * 20

    def remark(self, view: View, word: str) -> str:  # noqa: ARG002 - interface
        """Remark something evil."""
        return self.word


def told(dialogue: Dialogue, page: int) -> tuple[Dialogue, list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []
    while True:
        dialogue, text = next_text(dialogue, page)
        if text is None:
            return dialogue, found
        assert "\n" not in text, "one line, whatever is in it"
        assert len(text.encode()) <= TEXT_BYTES_MAX or json.loads(text)["is"] == "rules"
        found.append(require_said(text))


def strings(value: object) -> list[str]:
    """Return every string in a text."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings(one)]
    return [text for one in value for text in strings(one)] if isinstance(value, list) else []


def shown(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return all that a page is told of a snapshot, its rules too."""
    dialogue, page = entered(with_table(opened(), snapshot))
    for name in ("follow", "rules"):
        dialogue, _ = heard(dialogue, page, json.dumps({"n": 1, "do": name}))
    return told(dialogue, page)[1]


def test_strangers_words_are_one_line_of_bounded_length_and_nothing_else() -> None:
    for evil in EVIL:
        rules = Rude()
        rules.word = evil
        found = parlour(rules)
        for seat in found.dialogues:
            for number in range(3):
                book = found.made.others[seat]
                found.made.others[seat] = chatted(book, Seat(1), number, evil)
        snapshot = found.snapshot(ME)
        seats = tuple(replace(one, name=evil, mark=evil) for one in snapshot.seats)
        for text in shown(replace(snapshot, seats=seats, title=evil)):
            for one in strings(text):
                lines = one.split("\n") if text["is"] == "rules" else [one]
                assert all(line.isprintable() and len(line) <= 2_500 for line in lines)


def test_html_stays_the_text_that_it_is() -> None:
    found = parlour()
    seat = ME
    found.made.others[seat] = chatted(found.made.others[seat], Seat(1), 1, EVIL[0])
    (chat,) = [text for text in shown(found.snapshot(seat)) if text["is"] == "chat"]
    assert chat["lines"][0]["text"] == EVIL[0]


def test_a_table_of_thousands_of_cards_with_long_words_has_room() -> None:
    snapshot = parlour().snapshot(ME)
    word = "王" * 400
    cards = tuple(SeenCard(SlotId(1_000 + n), f"{word}{n}") for n in range(3_000))
    zones = (*snapshot.view.zones, SeenZone("heap", None, cards))
    legal = (*snapshot.legal, *(Action("draw", (("to", f"{word}{n}"),)) for n in range(3_000)))
    crowded = replace(snapshot, view=replace(snapshot.view, zones=zones), legal=legal)
    (table,) = [text for text in shown(crowded) if text["is"] == "table"]
    (heap,) = [zone for zone in table["zones"] if zone["name"] == "heap"]
    assert heap["count"] == 3_000
    assert len(heap["cards"]) < 300
    plain = replace(snapshot, view=replace(snapshot.view, zones=zones[-1:]), legal=())
    few = [replace(one, face="7") for one in cards]
    plain = replace(plain, view=replace(plain.view, zones=(SeenZone("heap", None, tuple(few)),)))
    (table,) = [text for text in shown(plain) if text["is"] == "table"]
    assert [card["card"] for card in table["zones"][0]["cards"]][-1] == 3_999, "the top is shown"
    assert len(table["zones"][0]["cards"]) == 300


# Wishes of any kind.

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 60),
    st.integers(),
    st.floats(allow_nan=True),
    st.text(max_size=10),
    st.lists(st.integers(0, 9), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(0, 3), max_size=2),
)
FIELDS = ("card", "kind", "option", "action", "seat", "text", "to", "offer", "mark", "log", "chat")
WISHES = st.fixed_dictionaries(
    {"n": st.integers(0, 99), "do": st.sampled_from([*READERS, "dance"])},
    optional={
        "height": st.integers(0, 6),
        "sure": st.just(True),
        "game": st.just("macaua"),
        "seats": st.integers(0, 12),
        "options": VALUES,
        **dict.fromkeys(FIELDS, VALUES),
    },
)
TEXTS = st.one_of(st.text(max_size=40), WISHES.map(json.dumps))
SNAPSHOT = parlour().snapshot(ME)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), TEXTS), max_size=30))
def test_whatever_pages_say_is_answered_and_nothing_raises(
    said: list[tuple[int, str]],
) -> None:
    dialogue = with_table(opened(), SNAPSHOT)
    for _ in range(2):
        dialogue, page = entered(dialogue)
        dialogue, _ = told(dialogue, page)
    for page, text in said:
        dialogue, request = heard(dialogue, page, text)
        dialogue, answers = told(dialogue, page)
        count = sum(one["is"] == "answer" for one in answers)
        assert count == (page in (1, 2) and request is None)
        if request is not None and isinstance(request.wish, Action):
            assert request.wish in SNAPSHOT.legal
            assert json.loads(text)["height"] == SNAPSHOT.height
    assert set(dialogue.visits) == {1, 2}


@given(WISHES)
def test_what_the_schema_allows_is_read_and_nothing_else(wish: dict[str, Any]) -> None:
    dialogue, page = entered(with_table(opened(), SNAPSHOT))
    dialogue, _ = told(dialogue, page)
    text = json.dumps(wish)
    dialogue, request = heard(dialogue, page, text)
    _, answers = told(dialogue, page)
    slug = answers[0].get("refused") if answers else None
    assert (slug in ("bad-field", "unknown-wish")) == (not is_wished(wish)) or is_mute(wish)
    assert request is None or is_wished(wish)


def is_mute(wish: dict[str, Any]) -> bool:
    """Say whether a wish is about a seat, which has to be that of somebody else here."""
    return wish["do"] in ("mute", "unmute")


def test_the_schema_has_every_wish() -> None:
    assert set(wish_kinds()) == set(READERS)

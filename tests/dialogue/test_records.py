"""A record is looked at entry by entry, as a table of which everybody has seen so much."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.dialogue import (
    Dialogue,
    entered,
    heard,
    next_text,
    opened,
    verdict_on,
    with_recording,
    with_table,
    with_verdict,
)
from nodealer.kernel import Seat
from nodealer.show import Recording, recorded, recording_of
from nodealer.show.telling import Tone
from nodealer.verify import judge_bytes, unreadable
from tests.dialogue.parlour import Said
from tests.dialogue.schema import require_said
from tests.show.making import NAMES
from tests.show.watching import ME, Watched, dealt
from tests.terminal.scenes import finished
from tests.tidy.project import ROOT
from tests.verify.stage import be_false
from tests.verify.test_judging import not_installed

GOLDEN = ROOT / "tests" / "verify" / "golden"


def recording() -> tuple[Watched, Recording]:
    """Return a table at which a game was played, and its record."""
    made = finished()
    found = recording_of(judge_bytes(made.record()), "game.ndt")
    assert found is not None
    return made, found


def looking(found: Recording, height: int = 0) -> tuple[Dialogue, int]:
    dialogue, page = entered(with_recording(opened(), found, height))
    dialogue, _ = heard(dialogue, page, '{"n": 1, "do": "follow"}')
    return dialogue, page


def told(dialogue: Dialogue, page: int) -> tuple[Dialogue, list[Said]]:
    found: list[Said] = []
    while True:
        dialogue, text = next_text(dialogue, page)
        if text is None:
            return dialogue, found
        found.append(require_said(text))


def step(dialogue: Dialogue, page: int, to: int) -> tuple[Dialogue, list[Said]]:
    dialogue, request = heard(dialogue, page, json.dumps({"n": 2, "do": "step", "to": to}))
    assert request is None
    return told(dialogue, page)


def kept(page: list[tuple[int, int]], said: list[Said]) -> list[tuple[int, int]]:
    """Return the lines that a page has after a text, as the page on the dialogue has it."""
    for text in said:
        if text["is"] == "lines":
            since = text.get("from", 1_000_000)
            page = [at for at in page if at[0] < since]
            page += [(one["at"][0], one["at"][1]) for one in text["lines"]]
    return page


def test_a_record_tells_what_the_table_has_told() -> None:
    made, found = recording()
    of_table = [(one.at, one.tone, one.text) for one in made.book.log]
    (_, *lines) = [(one.at, one.tone, one.text) for one in found.lines]
    assert lines == of_table[1:]
    assert found.lines[0].tone is Tone.TABLE


def test_each_entry_is_a_table() -> None:
    made, found = recording()
    dialogue, page = looking(found)
    dialogue, said = told(dialogue, page)
    lines, table = kept([], said), said[-1]
    for height in [*range(1, found.last + 1), 5, found.last, 0, 9_999]:
        dialogue, said = step(dialogue, page, height)
        (table,) = [text for text in said if text["is"] == "table"]
        assert table["height"] == min(height, found.last)
        assert table["recording"]["last"] == found.last
        assert bool(table["recording"]["says"])
        assert set(table["recording"]["signed"]) <= set(found.names.values())
        lines = kept(lines, said)
        assert lines == [one.at for one in found.lines if one.at.height <= height]
    assert table["standing"] == list_of_places(made)
    assert table["recording"]["verdict"] == "complete"


def list_of_places(made: Watched) -> list[str]:
    dialogue, page = entered(with_table(opened(), made.snapshot()))
    dialogue, _ = heard(dialogue, page, '{"n": 1, "do": "follow"}')
    _, said = told(dialogue, page)
    return list(next(text["standing"] for text in said if text["is"] == "table"))


def test_a_record_shows_no_card_that_was_not_opened_to_all() -> None:
    made, found = recording()
    for height in range(found.last + 1):
        snapshot = recorded(found, height)
        assert snapshot.view.viewer is None
        for zone in snapshot.view.zones:
            if zone.name == "stock":
                assert not any(card.face for card in zone.cards)
    assert made.table.seat == ME


@pytest.mark.parametrize("what", ["say", "leave", "links"])
def test_nothing_is_played_from_a_record(what: str) -> None:
    dialogue, page = looking(recording()[1], 3)
    dialogue, _ = told(dialogue, page)
    text = json.dumps({"n": 2, "do": what, "text": "x", "sure": True})
    dialogue, request = heard(dialogue, page, text)
    assert request is None
    assert told(dialogue, page)[1][0]["refused"] == "not-here"


def test_a_record_of_a_game_that_is_not_installed_is_told_without_cards() -> None:
    made, _ = recording()
    judged = judge_bytes(made.record(), find_game=not_installed)
    found = recording_of(judged, "game.ndt")
    assert found is not None
    snapshot = recorded(found, found.last)
    assert (snapshot.view.zones, snapshot.rules, snapshot.status) == ((), "", ())
    assert len(snapshot.log) > 10


def test_of_what_is_no_record_there_is_nothing_to_look_at() -> None:
    assert recording_of(unreadable("no transcript"), "x") is None


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.ndt")), ids=lambda path: path.stem)
def test_a_verdict_is_told_to_the_page_that_has_brought_the_file(path: Path) -> None:
    judged = judge_bytes(path.read_bytes())
    shown = verdict_on(path.name, judged)
    dialogue, page = entered(opened())
    dialogue, other = entered(dialogue)
    dialogue = with_verdict(dialogue, page, shown)
    dialogue, said = told(dialogue, page)
    assert [text["is"] for text in said] == ["hello", "verdict"]
    assert said[1]["verdict"] == judged.report.verdict.value
    assert sum(one["passed"] for one in said[1]["checks"]) > 0
    assert [text["is"] for text in told(dialogue, other)[1]] == ["hello"]


def test_whoever_broke_a_rule_is_named() -> None:
    made = dealt(3)
    be_false(made, Seat(2))
    judged = judge_bytes(made.record())
    assert verdict_on("x", judged).culprit == NAMES[2]
    assert verdict_on("x", replace(judged, agreed=None)).culprit == "seat 2"

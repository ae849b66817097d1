"""A record is looked at entry by entry, as a table of which everybody has seen so much."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from nodealer.ledger import AuthoredStep, entry_message
from nodealer.ledger.entry_memory import EntryMemory
from nodealer.show import Recording, recorded, recording_of
from nodealer.show.proof_words import PROOFS, proven
from nodealer.show.telling import Tone
from nodealer.table import CLOSE, PARTS
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


def step_from(dialogue: Dialogue, page: int, to: int, seat: int | None) -> Said:
    wish = json.dumps({"n": 2, "do": "step", "to": to, "seat": seat})
    dialogue, _ = heard(dialogue, page, wish)
    return next(text for text in told(dialogue, page)[1] if text["is"] in ("table", "answer"))


def ever_open(found: Recording) -> dict[int, str]:
    """Return the faces that all have seen at any time, entry by entry."""
    faces: dict[int, str] = {}
    for height in range(found.last + 1):
        for zone in recorded(found, height).view.zones:
            faces |= {card.slot: card.face for card in zone.cards if card.face is not None}
    return faces


@pytest.mark.parametrize("name", ["sixty-six", "take5"])
def test_from_a_chair_its_cards_are_seen_as_far_as_they_were_opened_later(name: str) -> None:
    found = recording_of(judge_bytes((GOLDEN / f"{name}.ndt").read_bytes()), "x")
    assert found is not None
    faces, seen = ever_open(found), 0

    @given(st.integers(0, found.last), st.sampled_from(sorted(found.names)))
    def looked_at(height: int, seat: Seat) -> None:
        nonlocal seen
        public, own = recorded(found, height), recorded(found, height, seat)
        assert [one.is_you for one in own.seats] == [one == seat for one in sorted(found.names)]
        for before, after in zip(public.view.zones, own.view.zones, strict=True):
            if before.seat != seat:
                assert before == after
                continue
            assert {card.slot for card in before.cards} == {card.slot for card in after.cards}
            assert all(card.face == faces.get(card.slot) for card in after.cards)
            seen += sum(card.face is not None for card in after.cards)
            seen -= sum(card.face is not None for card in before.cards)

    looked_at()
    assert seen > 0


def test_a_page_sits_down_in_one_chair_and_gets_up_again() -> None:
    _, found = recording()
    dialogue, page = looking(found)
    dialogue, _ = told(dialogue, page)
    height = found.last // 2
    for seat in (1, None):
        dialogue, _ = heard(
            dialogue, page, json.dumps({"n": 2, "do": "step", "to": height, "seat": seat})
        )
        dialogue, (_, table) = told(dialogue, page)[0], told(dialogue, page)[1][:2]
        assert table["recording"]["seat"] == seat
        assert [one["is_you"] for one in table["seats"]] == [one == seat for one in found.names]
    assert step_from(dialogue, page, height, 7)["refused"] == "bad-field"
    assert step_from(dialogue, page, height, -1)["refused"] == "bad-field"


def test_each_entry_says_what_is_proven_of_it() -> None:
    assert set(PROOFS) == {*PARTS, CLOSE}
    _, found = recording()
    told_of = [found.proven(height) for height in range(found.last + 1)]
    assert told_of[0] == ()
    assert any("the same cards, in another order" in " ".join(one) for one in told_of)
    played = [
        one for one in told_of if any("the very cards that lay there" in text for text in one)
    ]
    assert played
    assert all("{all}" not in text for one in told_of for text in one)


def test_who_was_left_out_was_left_out_by_votes_that_are_signed() -> None:
    evicted = recording_of(judge_bytes((GOLDEN / "four-players-eviction.ndt").read_bytes()), "x")
    assert evicted is not None
    told_of = [found for height in range(evicted.last + 1) for found in evicted.proven(height)]
    assert "The votes are signed by those who stay." in told_of


def test_what_cannot_be_read_proves_nothing() -> None:
    _, found = recording()
    link = next(
        one
        for one in found.entries[1:]
        if one.content is not None and isinstance(one.content.step, AuthoredStep)
    )
    entry = entry_message(link)
    nonsense = replace(entry.content, step=AuthoredStep(Seat(0), b"nonsense"))
    unreadable = EntryMemory(replace(entry, content=nonsense), link.state)
    assert list(proven(replace(link, memory=unreadable), found.names)) == []


@pytest.mark.parametrize("name", ["sixty-six", "two-players"])
def test_the_end_tells_what_everybody_was_left_with(name: str) -> None:
    found = recording_of(judge_bytes((GOLDEN / f"{name}.ndt").read_bytes()), "x")
    assert found is not None
    assert not any(found.hands(height) for height in range(found.last))
    told_of = found.hands(found.last)
    for zone in recorded(found, found.last).view.zones:
        if zone.seat is None or not zone.cards:
            continue
        (line,) = [
            one for one in told_of if one.startswith(f"{found.names[zone.seat]}, {zone.name}: ")
        ]
        for card in zone.cards:
            assert card.face is None or card.face in line
        hidden = sum(card.slot not in ever_open(found) for card in zone.cards)
        assert (f"{hidden} never opened" in line) == (hidden > 0)


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

"""A record as people read it, and as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from high_card.rules import State
from nodealer.cards import Board
from nodealer.games.api import Action, Event, Step
from nodealer.games.base import AnyGame
from nodealer.kernel import Seat
from nodealer.ledger import AuthoredStep, DueStep
from nodealer.verify import (
    JudgedFile,
    Transcript,
    Verdict,
    exported,
    joined,
    judge_bytes,
    lines_of,
    read_transcript,
    story,
    transcript_of,
    unreadable,
    write_transcript,
)
from nodealer.verify.report_words import CODES
from tests.verify.forging import ending_with, entry_at, recontent
from tests.verify.forging import story as whole
from tests.verify.stage import Small, find_small, whole_story
from tests.verify.test_judging import not_installed, open_end


def judged(transcript: Transcript, find: Callable[[str, int], AnyGame] = find_small) -> JudgedFile:
    return judge_bytes(write_transcript(transcript), find_game=find)


def told(one: JudgedFile) -> dict[int | None, tuple[str, ...]]:
    return {entry.height: entry.sentences for entry in story(one)}


def test_the_whole_story_is_told() -> None:
    lines = told(judged(whole()))
    everybody = "player 0, player 1, player 2 and player 3"
    assert lines[0] == (f"{everybody} sit down to high-card, version 1.",)
    assert lines[2] == (f"{everybody} shuffle the deck, one after the other.",)
    assert lines[8][0].startswith("player 0 lays ")
    assert lines[16] == ("All agree that the game is closed.",)
    assert lines[17] == ("player 0 asks for another game, and all agree.",)
    assert lines[26][-1].startswith("(Round 1 kept this, by the votes of player 0")
    silent = "player 3 (silent, as the others say)"
    voters = "player 0, player 1 and player 2"
    assert lines[27] == (f"Left out in round 1, by the votes of {voters}: {silent}.",)
    assert lines[35][0].endswith("player 2 (left).")
    assert lines[43][0].endswith(
        "player 1 (proven: signed two different things where there may be one)."
    )
    assert lines[None] == (
        "The record is complete: sound from the charter to the close.",
        f"proven: seat 1 (player 1) {CODES['E1']} (E1, height 42)",
    )


def test_without_rules_the_steps_are_told() -> None:
    lines = told(judged(whole(), not_installed))
    assert lines[8] == ("player 0: lay.",)
    assert lines[17] == ("player 0 asks for another game, and all agree.",)
    assert lines[None][0].startswith("The record is unchecked")


def test_a_failure_is_told_at_the_end() -> None:
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    bad = recontent(entry_at(8), step=AuthoredStep(step.seat, b"\x00"))
    one = judged(ending_with(bad, 8))
    lines = told(one)
    assert max(height or 0 for height in lines) == 7
    assert lines[None][:3] == (
        "What stands from height 8 on is not told: nothing of it is shown.",
        "The record is invalid: a check failed, and seat 0 (player 0) is guilty of it.",
        "rules failed at height 8",
    )
    assert lines[None][-1] == "  signed by seat 0 (player 0)"
    assert exported(one)["entries"]
    without = told(judged(ending_with(bad, 8), not_installed))
    assert without[8] == ("player 0 does what cannot be read.",)


def test_nothing_is_told_that_nobody_has_signed() -> None:
    """A stranger can put any move behind a record, and the rules have a sentence for it."""
    entry = entry_at(8)
    seals = tuple(replace(seal, signature=bytes(64)) for seal in entry.certificate.seals)
    made_up = replace(entry, certificate=replace(entry.certificate, seals=seals))
    one = judged(ending_with(made_up, 8))
    assert max(height or 0 for height in told(one)) == 7
    entries = exported(one)["entries"]
    assert isinstance(entries, list)
    assert ["sentences" in entry for entry in entries] == [True] * 7 + [False]


def test_without_rules_a_seat_that_is_not_there_has_a_number() -> None:
    """Nothing says who is on turn, and all have signed that it was the tenth of four."""
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    by_nobody = recontent(entry_at(8), step=replace(step, seat=Seat(9)))
    one = judged(ending_with(by_nobody, 8), not_installed)
    assert one.report.verdict is Verdict.UNCHECKED
    assert told(one)[8] == ("seat 9: lay.",)


def test_without_a_sound_charter_seats_have_numbers() -> None:
    charter = replace(whole().charter, terms=b"nonsense")
    one = judged(replace(whole(), charter=charter))
    lines = told(one)
    assert lines[0] == ("Somebody sits at a table whose charter is not sound.",)
    assert list(lines) == [0, None]
    assert exported(one)["terms"] is None
    assert any("charter" in line for line in lines_of("x", one, ["x"]))


def test_parts_of_rules_not_known_here_are_told_by_their_word() -> None:
    step = entry_at(4).content.step
    assert isinstance(step, DueStep)
    parts = tuple(replace(part, kind="wish") for part in step.parts)
    changed = recontent(entry_at(4), step=replace(step, parts=parts))
    lines = told(judged(ending_with(changed, 4), not_installed))
    assert lines[4][0].endswith("give what is due: wish.")


class Mute(Small):
    """The small game without words."""

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Fail."""
        raise KeyError(happened.kind, len(names))


def test_a_game_that_cannot_tell_what_happened_is_told_all_the_same() -> None:
    lines = told(judged(whole(), lambda _, __: Mute()))
    assert lines[8] == ("laid (KeyError while it was told)",)


class Quiet(Small):
    """The small game without events."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Lay a card, and say nothing of it."""
        return replace(super().apply(state, board, seat, chosen), events=())


def test_an_action_of_which_the_rules_tell_nothing_is_told_by_its_text() -> None:
    lines = told(judged(whole(), lambda _, __: Quiet()))
    assert lines[8] == ("player 0: lay a card.",)


def test_what_cannot_be_read_is_not_told() -> None:
    assert [entry.height for entry in story(unreadable("nothing"))] == [None]


def test_no_sentence_can_move_a_cursor() -> None:
    text = "\n".join(line for line in lines_of("a\x1b[2Jb\u202ec", unreadable("x\n"), ["a"]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.startswith("a?[2Jb?c: unreadable")


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_words_are_listed(words: list[str], text: str) -> None:
    assert joined(words) == text


def test_everything_in_a_file_is_exported() -> None:
    one = judged(whole())
    data = json.loads(json.dumps(exported(one)))
    assert data == exported(one)
    assert (data["format"], data["verdict"], data["culprit"]) == (1, "complete", 1)
    assert data["table"] == whole().charter.table.hex()
    entries = data["entries"]
    assert isinstance(entries, list)
    assert len(entries) == 44
    laid = entries[7]
    assert laid["action"]["kind"] == "lay"
    assert laid["sentences"][0].startswith("player 0 lays ")
    assert laid["events"][0]["kind"] == "laid"
    assert laid["content"]["id"] == whole().entries[7].content.id.hex()
    assert entries[16]["action"] == {}
    assert entries[0].get("action") is None
    assert data["open"] == [{"message": "Left", "leave": entry["leave"]} for entry in data["open"]]


def test_the_words_of_the_report() -> None:
    made, transcript = open_end()
    del made
    text = "\n".join(lines_of("x", judged(transcript), ["x"]))
    assert text.startswith("x: unfinished: sound as far as it goes, and not closed\n")
    assert "  waits for seat 3 (player 3): seal\n" in text
    assert "  seat 1: player 1\n    key " in text
    without = "\n".join(lines_of("x", judged(transcript, not_installed), ["x"]))
    assert "there is no game 'high-card'" in without


def test_a_proven_cheat_stands_in_the_report() -> None:
    text = " ".join(" ".join(lines_of("x", judged(whole()), ["x"])).split())
    assert f" proven: seat 1 (player 1) {CODES['E1']} (E1, height 42) checks" in text


def test_no_name_says_that_somebody_else_is_guilty() -> None:
    one = judged(whole())
    assert one.agreed is not None
    names = ("Ana", "x) and seat 0 (Ana", "Cleo", "\uff09\uff08")
    terms = replace(one.agreed.terms, names=names)
    renamed = replace(one, agreed=replace(one.agreed, terms=terms))
    text = " ".join(" ".join(lines_of("x", renamed, ["x"])).split())
    assert "proven: seat 1 (x] and seat 0 [Ana) signed two" in text
    assert "seat 3 (][), on nobody's proof" in text
    assert "seat 1: x) and seat 0 (Ana key" in text


def test_a_transcript_of_a_seat_reads_as_it_was_written() -> None:
    for seat in range(4):
        data = transcript_of(whole_story().tables[Seat(seat)].ledger)
        assert write_transcript(read_transcript(data)) == data

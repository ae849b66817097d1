"""Records of games with choices, verdicts and notices: told, tampered with, and signed falsely."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from nodealer.crypto import SECP256K1
from nodealer.deck import EqualPart, NotEqualPart, deck_messages
from nodealer.games.base import AnyGame
from nodealer.kernel import LocalError, Seat
from nodealer.ledger import DueStep, Entry
from nodealer.ledger.messages import Contributed
from nodealer.table.actions import CHOSEN, ChosenSlot
from nodealer.verify import (
    JudgedFile,
    Report,
    Transcript,
    Verdict,
    judge_bytes,
    lines_of,
    read_transcript,
    story,
    transcript_of,
    write_transcript,
)
from tests.games.pairs import SMALL_PAIRS
from tests.support.circle import Circle, circle
from tests.verify.changes import changes
from tests.verify.forging import recontributed, signed

STEPS = ("choose", "verdict", "acks")


def find(_: str, __: int) -> AnyGame:
    return SMALL_PAIRS


@cache
def played() -> Transcript:
    """Return the record of a whole game of three."""
    made = circle(3, SMALL_PAIRS, salt="stage")
    made.play()
    return record(made)


def record(made: Circle, seat: int = 0) -> Transcript:
    return read_transcript(transcript_of(made.tables[Seat(seat)].ledger))


def judged(transcript: Transcript) -> JudgedFile:
    return judge_bytes(write_transcript(transcript), find_game=find)


def report_on(transcript: Transcript) -> Report:
    return judged(transcript).report


def height_of(kind: str) -> int:
    """Return the height of the first entry that carries out a step of a kind."""
    for entry in played().entries:
        step = entry.content.step
        if isinstance(step, DueStep) and any(part.kind == kind for part in step.parts):
            return entry.content.height
    raise AssertionError(kind)


def ending_with(entry: Entry) -> Transcript:
    height = entry.content.height
    entries = (*played().entries[: height - 1], entry)
    return replace(played(), entries=entries, open=(), evidence=())


def test_the_record_is_sound_from_the_charter_to_the_close() -> None:
    report = report_on(played())
    assert (report.verdict, report.failures, report.cheats) == (Verdict.COMPLETE, (), ())
    assert all(count.failed == count.not_run == 0 for count in report.counts.values())


def test_it_is_told_in_sentences() -> None:
    told = {one.height: one.sentences for one in story(judged(played()))}
    everybody = "player 0, player 1 and player 2"
    assert told[height_of("choose")] == (
        f"{everybody} each choose a card, and cannot change their minds.",
    )
    assert told[height_of("acks")][0] == "All have taken notice."
    (verdict,) = told[height_of("verdict")]
    prover, _, rest = verdict.partition(" proves ")
    assert prover in everybody
    assert rest == "to all whether cards that not everybody has seen are alike."
    lays = [line for line in told[height_of("choose") + 1] if " lays " in line]
    assert len(lays) == 3


@pytest.mark.parametrize("kind", STEPS)
def test_a_changed_entry_is_refused_and_nobody_is_named(kind: str, is_full: bool) -> None:
    height, seen = height_of(kind), set()
    for change in changes(played().entries[height - 1]):
        if change.shape in seen and not is_full:
            continue
        seen.add(change.shape)
        try:
            data = write_transcript(ending_with(change.value))
        except (LocalError, ValueError):
            continue  # no writer can write it, so no reader can get it
        report = judge_bytes(data, find_game=find).report
        assert report.verdict is Verdict.INVALID, change.path
        assert report.culprit is None, change.path
    assert len(seen) > 15


def signed_falsely(kind: str, seat: int, data: bytes) -> Report:
    """Return the report on a record whose last entry has another payload, and all signatures."""
    entry = played().entries[height_of(kind) - 1]
    (one,) = (one for one in entry.contributions if one.seat == seat)
    ((label, _),) = one.payloads
    return report_on(ending_with(recontributed(entry, seat, payloads=((label, data),))))


def test_a_choice_that_nobody_may_make_names_its_seat_though_all_have_sealed_it() -> None:
    entry = played().entries[height_of("choose") - 1]
    chosen = {one.seat: CHOSEN.read(one.payloads[0][1]).slot for one in entry.contributions}
    foreign = CHOSEN.write(ChosenSlot(chosen[Seat(0)]))
    for data in (foreign, b"", b"\x83\x01\x00\x00"):
        report = signed_falsely("choose", 1, data)
        assert (report.verdict, report.culprit) == (Verdict.INVALID, 1)


def test_a_false_verdict_names_its_seat_though_all_have_sealed_it() -> None:
    entry = played().entries[height_of("verdict") - 1]
    (one,) = entry.contributions
    messages = deck_messages(SECP256K1)
    part = messages.read_any(one.payloads[0][1])
    assert isinstance(part, EqualPart | NotEqualPart)
    lie = (
        NotEqualPart(SECP256K1.generator, 0, part.proof)
        if isinstance(part, EqualPart)
        else EqualPart(part.proof)
    )
    report = signed_falsely("verdict", one.seat, messages.write(lie))
    assert (report.verdict, report.culprit) == (Verdict.INVALID, one.seat)
    assert report.failure is not None
    assert report.failure.check.value == "cryptography"


def test_an_unfinished_record_says_who_has_not_chosen() -> None:
    made = circle(3, SMALL_PAIRS, salt="stage")
    made.act(Seat(1), made.tables[Seat(1)].legal()[0])
    one = judged(record(made))
    assert one.report.verdict is Verdict.UNFINISHED
    assert one.report.awaited == ((0, "choose"), (2, "choose"))
    assert "  waits for seat 0 (player 0): choose" in tuple(lines_of("it", one, ["it"]))


def test_an_unfinished_record_says_who_has_not_taken_notice() -> None:
    entries = played().entries[: height_of("acks") - 1]
    report = report_on(replace(played(), entries=entries, open=(), evidence=()))
    assert report.verdict is Verdict.UNFINISHED
    assert [what for _, what in report.awaited] == ["seal"] * 3


def test_a_choice_that_binds_is_evidence_over_an_eviction() -> None:
    """Seat 0 has chosen, seat 1 leaves, and seat 0 signs another choice under the same label."""
    made = circle(3, SMALL_PAIRS, salt="stage")
    first = made.tables[Seat(0)]
    other = first.legal()[0]
    made.act(Seat(0), first.legal()[1])
    made.do(Seat(1), made.tables[Seat(1)].leave())
    made.deliver()
    assert not made.tables[Seat(2)].ledger.proven
    step = played().entries[height_of("choose") - 1].content.step
    assert isinstance(step, DueStep)
    tip = made.tables[Seat(2)].ledger.tip
    held = next(one for one in made.tables[Seat(2)].ledger.desk.contributions.values())
    assert held.seat == 0
    lie = CHOSEN.write(ChosenSlot(other.slots("card")[0]))
    ((label, _),) = held.payloads
    assert label == tip.parts[0].label
    forged = signed(held, payloads=((label, lie),))
    made.do(Seat(2), made.tables[Seat(2)].receive(Contributed(forged), Seat(0)))
    evidence = made.tables[Seat(2)].ledger.proven[Seat(0)]
    assert evidence.code == "E1"
    made.deliver()
    report = report_on(record(made, 2))
    assert [(cheat.seat, cheat.code) for cheat in report.cheats] == [(0, "E1")]

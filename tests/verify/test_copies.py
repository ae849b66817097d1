"""Several files of one table: beginnings of each other, forks, and files of other tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from nodealer.games.base import AnyGame
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger import Evidence, Seal, evidence
from nodealer.ledger.messages import Proposal, Sealed
from nodealer.verify import (
    Check,
    JudgedFile,
    Verdict,
    compare_all,
    judge_bytes,
    lines_of,
    read_transcript,
    write_transcript,
)
from tests.verify.stage import be_false, fall_silent, find_small, keep_an_entry, stage, whole_story


def judged(data: bytes) -> JudgedFile:
    return judge_bytes(data, find_game=find_small)


@cache
def two_sided() -> tuple[bytes, bytes]:
    """Return two histories of one table that part at the first action, sealed by all in both."""
    copies = []
    for choice in (0, 1):
        made = stage(3, cards=2)
        seat = made.on_turn()
        assert seat is not None
        made.act(seat, made.tables[seat].legal()[choice])
        made.lay()
        copies.append(made.record())
    return copies[0], copies[1]


def test_a_file_and_its_beginning_are_one_history() -> None:
    made = stage(2)
    early = made.record()
    made.finish()
    reports = [one.report for one in compare_all([judged(early), judged(made.record())])]
    assert [report.verdict for report in reports] == [Verdict.UNFINISHED, Verdict.COMPLETE]
    assert all(report.forks == () for report in reports)


def test_copies_of_the_seats_are_one_history() -> None:
    copies = [judged(whole_story().record(seat)) for seat in range(4)]
    assert [one.report for one in compare_all(copies)] == [one.report for one in copies]


def test_files_of_different_tables_are_not_compared() -> None:
    first, second = stage(2), stage(2, cards=2)
    for made in (first, second):
        made.finish()
    both = compare_all([judged(first.record()), judged(second.record())])
    assert [one.report.verdict for one in both] == [Verdict.COMPLETE] * 2


def test_a_fork_is_invalid_in_both_files_and_names_whoever_signed_both() -> None:
    one, other = two_sided()
    both = compare_all([judged(one), judged(other)])
    for index, each in enumerate(both):
        report = each.report
        assert (report.verdict, report.check, report.height) == (Verdict.INVALID, Check.CHAIN, 7)
        assert (report.culprit, report.exit_code) == (0, 11)
        assert [(fork.other, fork.holds) for fork in report.forks] == [(1 - index, None)]
        text = "\n".join(lines_of("x", each, ["one", "two"]))
        told = " ".join(text.split())
        assert f"fork at height 7 with {['two', 'one'][index]}: neither copy holds" in told
        assert "seat 0 (player 0) is proven guilty" in told


def test_the_copy_that_is_final_holds() -> None:
    one, other = two_sided()
    whole = read_transcript(other)
    short = write_transcript(replace(whole, entries=whole.entries[:7], open=()))
    first, second = compare_all([judged(one), judged(short)])
    assert [fork.holds for fork in first.report.forks] == [True]
    assert [fork.holds for fork in second.report.forks] == [False]
    assert first.report.culprit == second.report.culprit == 0


def test_a_broken_file_is_not_compared() -> None:
    one, other = two_sided()
    broken = judged(one[:-1])
    assert broken.report.verdict is Verdict.UNREADABLE
    assert [each.report.forks for each in compare_all([broken, judged(other)])] == [(), ()]


def replaced_tip() -> tuple[bytes, bytes]:
    """Return the copies of two seats, one of which has not heard that its tip was replaced."""
    made = stage(4, cards=2)
    seat = made.on_turn()
    assert seat is not None
    last = max(other for other in made.tables if other != seat)
    made.loses = lambda _, to, message: to != last and isinstance(message, Sealed | Proposal)
    made.lay()
    return made.record(last), made.record(seat)


def replaced_by_others() -> tuple[bytes, bytes]:
    """Return the copies of one that holds what others have replaced, and of one of these.

    Somebody was proven false before, and has nothing to do with it.
    """
    made = stage(5, cards=3)
    be_false(made, Seat(1))
    (unheard, *_) = [
        seat for seat in made.present().ledger.tip.roster[1:] if seat != made.on_turn()
    ]
    made.loses = lambda sender, _, __: sender == unheard
    made.lay()
    fall_silent(made, unheard)
    made.loses = lambda _, __, ___: False
    made.lay()
    return made.record(unheard), made.record()


def test_who_is_proven_false_elsewhere_is_not_the_culprit_of_a_fork() -> None:
    before = [judged(one) for one in replaced_by_others()]
    assert [one.report.culprit for one in before] == [1, 1]
    for one in compare_all(before):
        (fork,) = one.report.forks
        assert (one.report.culprit, one.report.exit_code, fork.seat) == (None, 12, None)
        assert [cheat.seat for cheat in one.report.cheats] == [1]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_copy_that_has_seen_less_is_no_fork(order: tuple[int, int]) -> None:
    copies = replaced_tip()
    reports = compare_all([judged(copies[index]) for index in order])
    assert all(one.report.verdict is Verdict.UNFINISHED for one in reports)


def test_a_round_that_kept_an_entry_makes_no_fork() -> None:
    made = stage(4, cards=2)
    before = made.record()
    made.lay()
    keep_an_entry(made)
    reports = compare_all([judged(before), *(judged(made.record(seat)) for seat in range(4))])
    assert all(one.report.forks == () for one in reports)


def not_installed(game_id: str, version: int) -> AnyGame:
    raise LocalError(Reason.LOCAL_ARGUMENT, f"there is no game {game_id!r} {version}")


def left_out_to(state: bytes) -> JudgedFile:
    """Return the story up to an eviction, which says that it leads to this state, without rules."""
    whole = read_transcript(whole_story().record())
    entry = whole.entries[26]
    content = replace(entry.content, state=state)
    made = replace(entry, content=content, certificate=replace(entry.certificate, entry=content.id))
    cut = replace(whole, entries=(*whole.entries[:26], made), open=(), evidence=())
    return judge_bytes(write_transcript(cut), find_game=not_installed)


def test_what_nobody_has_signed_makes_no_fork() -> None:
    """The state behind an eviction is in no vote; without the rules nobody knows which is true."""
    real = read_transcript(whole_story().record()).entries[26].content.state
    both = [left_out_to(real), left_out_to(bytes(32))]
    assert [one.report.verdict for one in both] == [Verdict.UNCHECKED] * 2
    assert [one.report for one in compare_all(both)] == [one.report for one in both]


def test_without_the_rules_an_eviction_has_no_contributions() -> None:
    whole = read_transcript(whole_story().record())
    entry, given = whole.entries[26], whole.entries[0].contributions[:1]
    content = replace(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    certificate = replace(entry.certificate, entry=content.id)
    made = replace(entry, content=content, contributions=given, certificate=certificate)
    cut = replace(whole, entries=(*whole.entries[:26], made), open=(), evidence=())
    report = judge_bytes(write_transcript(cut), find_game=not_installed).report
    assert report.verdict is Verdict.INVALID
    assert report.counts[Check.COMPLETENESS].failed == 1


def long_fork(games: int) -> list[JudgedFile]:
    """Return two copies that part at the first action of so many games."""
    copies = []
    for choice in (0, 1):
        made = stage(2, cards=2)
        seat = made.on_turn()
        assert seat is not None
        made.act(seat, made.tables[seat].legal()[choice])
        made.finish()
        for _ in range(games - 1):
            made.again()
            made.finish()
        copies.append(judged(made.record()))
    return copies


def test_comparing_long_copies_looks_at_no_more_pairs_than_there_are_heights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever has the keys of a whole table can write any two copies of it."""
    pairs = 0
    compared = evidence.two_seals

    def counted(one: Seal, other: Seal) -> Evidence | None:
        nonlocal pairs
        pairs += 1
        return compared(one, other)

    counts = []
    for games in (2, 4):
        copies = long_fork(games)
        pairs = 0
        monkeypatch.setattr(evidence, "two_seals", counted)
        compare_all(copies)
        monkeypatch.undo()
        counts.append(pairs)
    assert 0 < counts[1] < 3 * counts[0]

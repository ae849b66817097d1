"""Verdicts: what was expected from elsewhere, rules that are missing or fail, tables that wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from high_card.rules import State
from nodealer.cards import Board
from nodealer.games import registry
from nodealer.games.api import Action, Duty, Step
from nodealer.games.base import AnyGame
from nodealer.kernel import EntryId, Height, LocalError, Reason, Seat
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.table import sit_down
from nodealer.verify import (
    Check,
    Expected,
    JudgedFile,
    Report,
    Transcript,
    Verdict,
    judge_bytes,
    read_transcript,
    transcript_of,
    write_transcript,
)
from tests.support.circle import player_of
from tests.verify.forging import ending_with, entry_at, report_on, signed, story
from tests.verify.make_golden import PLACE
from tests.verify.stage import (
    NOTHING,
    Small,
    Stage,
    false_seal,
    find_small,
    stage,
    whole_story,
)
from tests.verify.test_evidence import HASH, e5_contribution, e5_vote


def judged(transcript: Transcript, game: Callable[[str, int], AnyGame] = find_small) -> Report:
    return judge_bytes(write_transcript(transcript), find_game=game).report


# What somebody knows from elsewhere.


def expecting(expected: Expected) -> Report:
    return judge_bytes(write_transcript(story()), expected, find_small).report


def test_what_is_as_expected_counts_as_identity() -> None:
    charter = story().charter
    plain = report_on(story()).counts[Check.IDENTITY].passed
    report = expecting(Expected(charter.table, {0: charter.keys[0], 3: charter.keys[3]}))
    assert report.verdict is Verdict.COMPLETE
    assert report.counts[Check.IDENTITY].passed == plain + 3


@pytest.mark.parametrize(
    "expected",
    [Expected(bytes(32)), Expected(None, {1: bytes(32)}), Expected(None, {7: bytes(32)})],
)
def test_what_is_not_as_expected_is_invalid(expected: Expected) -> None:
    report = expecting(expected)
    assert (report.verdict, report.check, report.culprit, report.height) == (
        Verdict.INVALID,
        Check.IDENTITY,
        None,
        0,
    )
    assert report.exit_code == 12


# Rules that are missing, others, or fail.


def not_installed(game_id: str, version: int) -> AnyGame:
    raise LocalError(Reason.LOCAL_ARGUMENT, f"there is no game {game_id!r} {version}")


def test_without_the_rules_all_else_is_checked() -> None:
    report = judged(story(), not_installed)
    assert (report.verdict, report.exit_code, report.culprit) == (Verdict.UNCHECKED, 14, 1)
    assert report.failures == ()
    assert len(report.notes) == 1
    counts = report.counts
    assert (counts[Check.RULES].passed, counts[Check.RULES].not_run) == (0, 44)
    assert counts[Check.SIGNATURES] == report_on(story()).counts[Check.SIGNATURES]
    assert counts[Check.CHAIN] == report_on(story()).counts[Check.CHAIN]
    assert counts[Check.COMPLETENESS] == report_on(story()).counts[Check.COMPLETENESS]


def test_a_record_is_judged_by_the_version_that_was_played() -> None:
    """One that is not here is said, beside those that are."""
    data = (PLACE / "sixty-six.ndt").read_bytes()
    asked = []

    def later(game_id: str, version: int) -> AnyGame:
        asked.append((game_id, version))
        return registry.game(game_id, version + 2)

    report = judge_bytes(data, find_game=later).report
    assert (report.verdict, asked) == (Verdict.UNCHECKED, [("66", 1)])
    assert report.notes == ("66 is installed in version 2 and 1, and this is version 3",)
    assert judge_bytes(data).report.verdict is Verdict.COMPLETE


def test_without_the_rules_what_is_wrong_otherwise_is_found() -> None:
    entries = list(story().entries)
    certificate = entries[7].certificate
    entries[7] = replace(entries[7], certificate=replace(certificate, seals=certificate.seals[1:]))
    report = judged(replace(story(), entries=tuple(entries)), not_installed)
    assert (report.verdict, report.check, report.height) == (
        Verdict.INVALID,
        Check.COMPLETENESS,
        8,
    )


def test_without_the_rules_an_eviction_stands_where_it_says() -> None:
    """No signature is on the content of an eviction, only on what it comes to."""
    entry = entry_at(27)
    content = replace(entry.content, height=Height(28))
    moved = replace(
        entry, content=content, certificate=replace(entry.certificate, entry=content.id)
    )
    report = judged(ending_with(moved, 27), not_installed)
    assert (report.verdict, report.check, report.height, report.culprit) == (
        Verdict.INVALID,
        Check.CHAIN,
        27,
        None,
    )


def test_without_the_rules_evidence_by_replay_is_not_judged() -> None:
    for evidence, not_run in ((e5_contribution(), 1), (e5_vote(), 0)):
        transcript = replace(story(), entries=story().entries[:16], open=(), evidence=(evidence,))
        report = judged(transcript, not_installed)
        assert report.verdict is Verdict.UNCHECKED
        assert report.counts[Check.LIVENESS].not_run == not_run


class Failing(Small):
    """A small game that fails where it is told to."""

    def __init__(self, where: str) -> None:
        super().__init__()
        object.__setattr__(self, "where", where)

    def _fail(self, place: str) -> None:
        if getattr(self, "where", "") == place:
            raise ZeroDivisionError(place)

    def setup(self, seats: Sequence[Seat], options: object) -> Step[State]:
        """Fail, or begin."""
        self._fail("setup")
        return super().setup(seats, options)  # type: ignore[arg-type]

    def duty(self, state: State) -> Duty:
        """Fail, or go on."""
        self._fail("duty")
        return super().duty(state)

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Fail, or go on."""
        self._fail("apply")
        return super().apply(state, board, seat, chosen)

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Fail, or go on."""
        self._fail("leave")
        return super().leave(state, board, seats, policy)


@pytest.mark.parametrize(
    ("where", "height"), [("setup", 0), ("duty", 7), ("apply", 8), ("leave", 27)]
)
def test_rules_that_fail_are_told_of_and_blame_nobody(where: str, height: int) -> None:
    report = judged(story(), lambda _, __: Failing(where))
    assert (report.verdict, report.check, report.height, report.culprit) == (
        Verdict.INVALID,
        Check.RULES,
        height,
        None,
    )
    assert report.counts[Check.SIGNATURES].failed == 0


def test_terms_that_the_rules_cannot_be_played_by() -> None:
    class Two(Small):
        """A game for two."""

        def __init__(self) -> None:
            super().__init__(seats=(2, 2))

    report = judged(story(), lambda _, __: Two())
    assert (report.verdict, report.check, report.height) == (Verdict.INVALID, Check.RULES, 0)


# Charters.


def test_keys_that_cannot_sign() -> None:
    charter = replace(story().charter, keys=(bytes(32), *story().charter.keys[1:]))
    report = judged(replace(story(), charter=charter))
    assert (report.verdict, report.check, report.height) == (Verdict.INVALID, Check.IDENTITY, 0)
    assert report.counts[Check.SIGNATURES].not_run == 1


def test_a_charter_that_is_nonsense() -> None:
    charter = replace(story().charter, terms=b"nonsense")
    seals = tuple(signed(seal, table=charter.table, entry=charter.table) for seal in story().seals)
    report = judged(Transcript(charter, seals))
    assert (report.verdict, report.check, report.culprit) == (
        Verdict.INVALID,
        Check.IDENTITY,
        None,
    )


def test_a_sealing_key_without_its_proof() -> None:
    charter = replace(story().charter, clock=replace(story().charter.clock, act=1))
    seals = tuple(signed(seal, table=charter.table, entry=charter.table) for seal in story().seals)
    report = judged(Transcript(charter, seals))
    assert (report.verdict, report.check) == (Verdict.INVALID, Check.CRYPTOGRAPHY)


def test_a_table_whose_charter_not_all_have_sealed_waits_for_them() -> None:
    made = Stage(stage(2).setting)
    made.do(Seat(1), sit_down(made.setting, player_of(Seat(1), "stage")))
    report = judge_bytes(transcript_of(made.tables[Seat(1)].ledger), find_game=find_small).report
    assert (report.verdict, report.exit_code) == (Verdict.UNFINISHED, 10)
    assert report.awaited == ((0, "seal of the charter"),)


def test_entries_follow_only_a_charter_that_all_have_sealed() -> None:
    kept = [seal for seal in story().seals if seal.seat != 1]
    for seals in (kept, [*kept, kept[0]]):
        report = report_on(replace(story(), seals=tuple(seals)))
        assert (report.verdict, report.check, report.culprit, report.height) == (
            Verdict.INVALID,
            Check.COMPLETENESS,
            None,
            0,
        )


def test_a_seal_of_the_charter_that_seals_something_else_binds_its_seat() -> None:
    seals = list(story().seals)
    seals[2] = signed(seals[2], rank=3)
    report = report_on(replace(story(), seals=tuple(seals)))
    assert (report.check, report.height, report.culprit) == (Check.CHAIN, 0, 2)
    seals[2] = signed(seals[2], rank=0, parent=entry_at(3).content.id)
    report = report_on(replace(story(), seals=tuple(seals)))
    assert (report.check, report.height, report.culprit) == (Check.CHAIN, 0, None)


# What is open.


def seen(made: Stage, seat: int = 0) -> JudgedFile:
    return judge_bytes(made.record(seat), find_game=find_small)


def test_an_unfinished_table_waits_for_the_seat_on_turn() -> None:
    made = stage(3)
    assert seen(made).report.awaited == ((made.on_turn(), "action"),)


def test_an_unfinished_table_waits_for_a_seal() -> None:
    made = stage(3)
    made.gone.add(Seat(2))
    made.lay()
    report = seen(made).report
    assert (report.verdict, report.awaited) == (Verdict.UNFINISHED, ((2, "seal"),))
    assert report.counts[Check.LIVENESS].passed == 2


def test_an_unfinished_table_waits_for_a_contribution() -> None:
    made = stage(3)
    made.finish()
    made.gone.add(Seat(1))
    made.again()
    assert seen(made).report.verdict is Verdict.COMPLETE  # nobody owes a seal to another game
    other = stage(3)
    other.finish()
    other.loses = lambda sender, to, message: 1 in (sender, to) and isinstance(message, Contributed)
    other.again()
    report = seen(other).report
    assert (report.verdict, report.awaited) == (Verdict.UNFINISHED, ((1, "keys, commit"),))


def test_a_table_of_two_that_is_stalled_names_a_proven_cheat() -> None:
    made = stage(2)
    for entry in (NOTHING, EntryId(bytes(32))):
        made.queue.append((Seat(1), Seat(0), Sealed(false_seal(made, Seat(1), entry))))
    made.loses = lambda _, __, message: isinstance(message, Voted)
    made.deliver()
    report = seen(made).report
    assert report.culprit == 1
    assert report.cheats[0].code == "E1"


def test_open_votes_tell_of_a_round_that_is_not_over() -> None:
    made = stage(4)
    made.gone.add(Seat(3))
    made.lay()
    made.loses = lambda _, __, message: isinstance(message, Voted)
    for _ in range(4):
        made.pass_time()
    record = seen(made)
    assert record.transcript is not None
    kinds = {type(message) for message in record.transcript.open}
    assert kinds == {Proposal, Sealed, Voted}
    report = record.report
    assert (report.verdict, report.awaited) == (Verdict.UNFINISHED, ((3, "seal"),))
    assert report.failures == ()


def test_a_seat_that_is_out_holds_what_completes_more_than_its_chain() -> None:
    report = judge_bytes(whole_story().record(1), find_game=find_small).report
    assert (report.verdict, report.height, report.culprit) == (Verdict.UNFINISHED, 43, 1)
    assert report.notes == ("what is open completes the entries up to height 44",)


@pytest.mark.parametrize("seat", range(4))
def test_the_copies_of_all_seats_are_sound(seat: int) -> None:
    report = judge_bytes(whole_story().record(seat), find_game=find_small).report
    assert report.failures == ()


def test_seats_that_broke_no_rule_end_with_the_same_bytes() -> None:
    made = stage(3)
    made.finish()
    assert len({made.record(seat) for seat in range(3)}) == 1


def open_end() -> tuple[Stage, Transcript]:
    made = stage(4)
    made.gone.add(Seat(3))
    made.lay()
    made.loses = lambda _, __, message: isinstance(message, Voted)
    for _ in range(4):
        made.pass_time()
    return made, read_transcript(made.record())


def test_what_a_seat_would_not_keep_does_not_belong_into_a_file() -> None:
    _, transcript = open_end()
    sealed = next(message for message in transcript.open if isinstance(message, Sealed))
    bad = Sealed(signed(sealed.seal, seat=Seat(3), rank=5))
    report = judged(replace(transcript, open=(*transcript.open, bad)))
    assert (report.verdict, report.check, report.culprit) == (
        Verdict.INVALID,
        Check.LIVENESS,
        None,
    )


def test_what_is_open_over_a_charter_that_is_not_sealed_is_checked_too() -> None:
    _, transcript = open_end()
    unsealed = replace(transcript, seals=transcript.seals[:-1], entries=())
    voted = next(message for message in transcript.open if isinstance(message, Voted))
    bad = replace(voted, vote=replace(voted.vote, signature=bytes(64)))
    report = judged(replace(unsealed, open=(bad,)))
    assert (report.verdict, report.check) == (Verdict.INVALID, Check.SIGNATURES)
    assert report.awaited == ()
    report = judged(replace(unsealed, open=()))
    assert report.awaited == ((3, "seal of the charter"),)


def test_open_messages_are_checked_to_the_last_signature() -> None:
    _, transcript = open_end()
    for index, message in enumerate(transcript.open):
        assert isinstance(message, Proposal | Sealed | Voted)
        changed: Proposal | Sealed | Voted
        if isinstance(message, Voted):
            changed = replace(message, vote=replace(message.vote, signature=bytes(64)))
        else:
            changed = replace(message, seal=replace(message.seal, signature=bytes(64)))
        messages = (*transcript.open[:index], changed, *transcript.open[index + 1 :])
        report = judged(replace(transcript, open=messages))
        assert (report.verdict, report.check) == (Verdict.INVALID, Check.SIGNATURES)


def test_a_refused_action_is_judged_from_what_is_open() -> None:
    """The author of an illegal action is named, and so is nobody who has refused it."""
    made = stage(3)
    seat = made.on_turn()
    assert seat is not None
    ledger = made.tables[seat].ledger
    table, ready = made.tables[seat].act(made.tables[seat].legal()[0])
    del table
    (proposal,) = [out.message for out in ready.send if isinstance(out.message, Proposal)]
    bad = replace(proposal.content, state=HASH)
    false = Proposal(bad, signed(proposal.seal, entry=bad.id))
    others = [other for other in ledger.tip.roster if other != seat]
    for other in others:
        made.queue.append((seat, other, false))
    made.loses = lambda _, __, message: isinstance(message, Voted)
    made.deliver()
    record = seen(made, others[0])
    assert record.transcript is not None
    assert any(isinstance(message, Refused) for message in record.transcript.open)
    report = record.report
    assert (report.verdict, report.culprit) == (Verdict.UNFINISHED, seat)
    assert [cheat.code for cheat in report.cheats] == ["E5"]
    assert report.failures == ()


def test_leaves_are_told() -> None:
    made = stage(2)
    made.do(Seat(1), made.tables[Seat(1)].leave())
    made.deliver()
    record = seen(made, 1)
    assert record.transcript is not None
    assert [type(message) for message in record.transcript.open][:1] == [Left]
    assert record.report.failures == ()


def test_without_a_state_the_open_end_is_not_run() -> None:
    _, transcript = open_end()
    report = judged(transcript, not_installed)
    assert report.verdict is Verdict.UNCHECKED
    assert report.counts[Check.LIVENESS].not_run == len(transcript.open)


def test_progress_is_told_entry_by_entry() -> None:
    told: list[tuple[int, int]] = []
    judge_bytes(
        write_transcript(story()),
        find_game=find_small,
        watch=lambda done, of: told.append((done, of)),
    )
    assert told == [(done, 44) for done in range(1, 45)]

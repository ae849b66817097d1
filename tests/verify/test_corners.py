"""What is rare: forks without a culprit, kept entries in open votes, rules that fail late."""

from __future__ import annotations

from dataclasses import replace

import pytest

from high_card.rules import State
from nodealer.cards import Board
from nodealer.games.api import Action, Step
from nodealer.games.base import AnyGame
from nodealer.kernel import EntryId, Height, PeerError, Reason, Seat
from nodealer.ledger import Certificate, Evidence, Moment
from nodealer.ledger.messages import Contributed, Proposal, Sealed, Voted
from nodealer.ledger.objects import Keep
from nodealer.table import Table, sit_down
from nodealer.verify import (
    Check,
    JudgedFile,
    Transcript,
    Verdict,
    compare_all,
    judge_bytes,
    lines_of,
    read_transcript,
    write_transcript,
)
from nodealer.verify import transcript as form
from nodealer.verify.unknown_state import NoState
from tests.support.circle import player_of
from tests.verify.forging import entry_at, report_on, signed, story
from tests.verify.stage import Small, Stage, find_small, stage


def judged(data: bytes) -> JudgedFile:
    return judge_bytes(data, find_game=find_small)


# Copies.


def replaced_tip() -> tuple[bytes, bytes]:
    """Return the copies of a seat that was left out, and of one that has stayed.

    The first holds an action with all seals; its own seal never reached the others, who have left
    it out over the same parent. Nobody has broken a rule.
    """
    made = stage(4)
    author = made.on_turn()
    last = max(seat for seat in made.tables if seat != author)
    made.loses = lambda sender, _, __: sender == last
    made.lay()
    made.gone.add(last)
    made.wait(lambda: last not in made.present().ledger.tip.roster)
    return made.record(last), made.record(made.present().seat or 0)


def test_a_tip_that_was_replaced_is_a_fork_without_a_culprit() -> None:
    both = compare_all([judged(data) for data in replaced_tip()])
    assert [one.report.verdict for one in both] == [Verdict.INVALID] * 2
    assert [one.report.culprit for one in both] == [None, None]
    assert [one.report.exit_code for one in both] == [12, 12]
    assert [one.report.forks[0].holds for one in both] == [False, True]
    text = "\n".join(lines_of("x", both[0], ["one", "two"]))
    assert "with two: that copy holds, nobody is proven guilty" in text


def test_copies_that_differ_after_the_end_are_both_complete() -> None:
    closed = stage(3)
    closed.finish()
    other = stage(3)
    while other.present().position.standing is None:
        if sum(len(table.legal()) for table in other.tables.values()) == 1:
            other.loses = lambda sender, _, message: (
                sender == 1 and isinstance(message, Sealed) and message.seal.height == Height(10)
            )
        other.lay()
    other.gone.add(Seat(1))
    other.wait(lambda: other.present().position.is_closed)
    both = compare_all([judged(closed.record()), judged(other.record())])
    assert [one.report.verdict for one in both] == [Verdict.COMPLETE] * 2
    assert both[0].report.height != both[1].report.height
    assert [one.report.forks for one in both] == [(), ()]


def test_files_that_break_a_rule_by_themselves_are_not_compared() -> None:
    one, other = replaced_tip()
    whole = read_transcript(other)
    broken = write_transcript(replace(whole, entries=whole.entries[1:], open=()))
    both = compare_all([judged(one), judged(broken)])
    assert [each.report.forks for each in both] == [(), ()]


# Open ends.


def test_a_kept_entry_in_an_open_vote_is_checked_to_the_last_signature() -> None:
    made = stage(4)
    author = made.on_turn()
    last = max(seat for seat in made.tables if seat != author)
    silent = min(seat for seat in made.tables if seat not in (author, last))

    def loses(sender: Seat, to: Seat, message: object) -> bool:
        if isinstance(message, Voted):
            return sender != last
        is_let_through = isinstance(message, Proposal) or (
            isinstance(message, Sealed) and message.seal.seat != silent
        )
        return to == last and not is_let_through

    made.loses = loses
    made.lay()
    behind = made.tables[last].ledger.tip.height
    for _ in range(3):
        made.pass_time()
    assert made.tables[last].ledger.tip.height == behind
    transcript = read_transcript(made.record(author or 0))
    votes = [message for message in transcript.open if isinstance(message, Voted)]
    kept = next(message for message in votes if message.kept is not None)
    assert judged(write_transcript(transcript)).report.failures == ()
    assert kept.kept is not None
    seals = kept.kept.certificate.seals
    forged = replace(seals[0], signature=bytes(64))
    certificate = replace(kept.kept.certificate, seals=(forged, *seals[1:]))
    bad = replace(kept, kept=replace(kept.kept, certificate=certificate))
    messages = tuple(bad if message is kept else message for message in transcript.open)
    report = judged(write_transcript(replace(transcript, open=messages))).report
    assert (report.verdict, report.check) == (Verdict.INVALID, Check.SIGNATURES)


def test_a_kept_eviction_brings_its_grounds_along() -> None:
    kept = entry_at(43)
    content = kept.content
    vote = signed(
        replace(
            kept.certificate.votes[0],
            round=2,
            choice=Keep(content.id, kept.certificate.rank),
        )
    )
    whole = replace(story(), entries=story().entries[:43], evidence=())
    one = judged(write_transcript(replace(whole, open=(Voted(vote, (), kept),))))
    assert one.report.failures == ()
    assert one.report.counts[Check.LIVENESS].passed == 3  # the vote, and the grounds, twice
    assert [cheat.code for cheat in one.report.cheats] == ["E1"]


def test_what_is_open_over_the_charter_is_taken_in() -> None:
    made = stage(2)
    whole = read_transcript(made.record())
    first = whole.entries[0]
    messages = tuple(Contributed(one) for one in first.contributions[:1])
    report = judged(write_transcript(replace(whole, entries=(), open=messages))).report
    assert (report.verdict, report.awaited) == (Verdict.UNFINISHED, ((1, "keys, commit"),))
    assert report.counts[Check.LIVENESS].passed == 1


def test_the_record_of_a_table_that_has_just_begun() -> None:
    players = [player_of(Seat(seat), "stage") for seat in range(2)]
    made = Stage(stage(2).setting)
    made.loses = lambda _, __, message: isinstance(message, Contributed)
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    made.deliver()
    one = judged(made.record())
    assert one.transcript is not None
    assert [type(message) for message in one.transcript.open] == [Contributed]
    assert one.report.awaited == ((1, "keys, commit"),)


def test_a_culprit_without_a_sound_charter_is_called_by_its_number() -> None:
    charter = replace(story().charter, terms=b"nonsense")
    seals = [signed(seal, table=charter.table, entry=charter.table) for seal in story().seals]
    seals[2] = signed(seals[2], rank=3)
    one = judged(write_transcript(Transcript(charter, tuple(seals))))
    assert "    signed by seat 2" in list(lines_of("x", one, ["x"]))


class FailsOn(Small):
    """The small game, which fails when one certain card is laid."""

    def __init__(self, slot: int) -> None:
        super().__init__()
        object.__setattr__(self, "slot", slot)

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Fail, or go on."""
        if getattr(self, "slot", None) in chosen.slots("card"):
            raise ZeroDivisionError
        return super().apply(state, board, seat, chosen)


def proposed(table: Table, chosen: Action) -> Proposal:
    """Return what a seat would propose."""
    _, ready = table.act(chosen)
    (found,) = [out.message for out in ready.send if isinstance(out.message, Proposal)]
    return found


def two_choices() -> tuple[Stage, Seat, Proposal, int]:
    """Return a stage on which a card was laid, and the proposal of another card in its place."""
    made = stage(3, cards=2)
    seat = made.on_turn()
    assert seat is not None
    before = made.tables[seat]
    _, other = before.legal()
    made.lay()
    (slot,) = other.slots("card")
    return made, seat, proposed(before, other), slot


def test_rules_that_fail_on_what_is_open_are_told_of() -> None:
    made, _, other, slot = two_choices()
    whole = read_transcript(made.record())
    data = write_transcript(replace(whole, open=(other,)))
    assert judged(data).report.failures == ()

    def find(_: str, __: int) -> AnyGame:
        return FailsOn(slot)

    report = judge_bytes(data, find_game=find).report
    assert (report.verdict, report.check, report.culprit) == (Verdict.INVALID, Check.RULES, None)


def test_rules_that_fail_on_evidence_prove_nothing() -> None:
    made, seat, other, slot = two_choices()
    bad = replace(other.content, state=bytes(32))
    evidence = Evidence("E5", seat, (signed(other.seal, entry=bad.id),), (bad,))
    whole = replace(read_transcript(made.record()), open=(), evidence=(evidence,))
    assert judged(write_transcript(whole)).report.failures == ()
    report = judge_bytes(write_transcript(whole), find_game=lambda _, __: FailsOn(slot)).report
    assert (report.verdict, report.check, report.culprit) == (Verdict.INVALID, Check.LIVENESS, None)


def unsigned(certificate: Certificate) -> Certificate:
    return replace(
        certificate,
        seals=tuple(replace(seal, signature=bytes(64)) for seal in certificate.seals),
        votes=tuple(replace(vote, signature=bytes(64)) for vote in certificate.votes),
    )


def test_a_certificate_that_nobody_has_signed_backs_nothing() -> None:
    """Its form is in order, so only its signatures say that it was made up."""
    before, entry = entry_at(26), entry_at(27)
    assert entry.beside
    made_up = (
        replace(before, certificate=unsigned(before.certificate)),
        replace(entry, beside=tuple(map(unsigned, entry.beside))),
    )
    report = report_on(
        replace(story(), entries=(*story().entries[:25], *made_up), open=(), evidence=())
    )
    assert (report.verdict, report.check) == (Verdict.INVALID, Check.SIGNATURES)
    assert report.counts[Check.COMPLETENESS].failed == 1  # a stated rank without its certificate


# The form.


def refusal_of(data: bytes) -> Reason:
    with pytest.raises(PeerError) as caught:
        read_transcript(data)
    return caught.value.reason


def test_another_format_is_not_read() -> None:
    assert refusal_of(form.HEAD.write(form.FileHead(2))) is Reason.ENCODING_VERSION


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "TRANSCRIPT_BYTES_MAX", 100)
    assert refusal_of(bytes(101)) is Reason.ENCODING_OVERSIZED


def test_messages_do_not_stand_behind_the_evidence() -> None:
    whole = Transcript(story().charter, story().seals, (), story().open, story().evidence)
    data = write_transcript(whole)
    message = write_transcript(replace(whole, evidence=()))
    opening = form.OPEN.write(form.Open(2))
    changed = data.replace(opening, form.OPEN.write(form.Open(3)))
    behind = message[message.index(form.OPEN.write(form.Open(1))) + len(opening) :]
    assert refusal_of(changed + behind) is Reason.ENCODING_KIND
    assert refusal_of(data + behind) is Reason.ENCODING_KIND
    assert refusal_of(message + behind) is Reason.ENCODING_TRAILING


def test_a_state_that_is_not_there_accepts_everything_and_stays() -> None:
    state, seat = NoState(), Seat(0)
    moment = Moment(story().charter.table, Height(1), EntryId(story().charter.table))
    state.check(moment, seat, (), ())
    assert state.act(moment, seat, b"") is state.settle(moment, ()) is state
    assert state.evicted(moment, (seat,)) is state
    assert state.digest() == bytes(32)
    assert not state.is_over()

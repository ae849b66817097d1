"""A sound history may hold a proven cheat: all codes are judged, and false evidence is refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import (
    AuthoredStep,
    Certificate,
    ChainEntry,
    Content,
    Contribution,
    DueStep,
    Evidence,
    Leave,
    Part,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger import evidence as evidence_of_codes
from nodealer.ledger.chain import Followed, extended
from nodealer.ledger.guilt import binding_in
from nodealer.ledger.messages import Voted
from nodealer.ledger.objects import Evict, Keep, Signed
from nodealer.verify import Check, Verdict, contradictions, judge_bytes, write_transcript
from nodealer.verify.report import FAILURES_MAX
from nodealer.verify.unknown_state import NoState
from tests.ledger.telling import opened
from tests.verify.forging import ending_with, entry_at, report_on, signed, story
from tests.verify.stage import find_small
from tests.verify.test_copies import not_installed

HASH = bytes(range(32))
NOTHING = EntryId(HASH)


def seal_at(height: int, seat: int) -> Seal:
    return next(one for one in entry_at(height).certificate.seals if one.seat == seat)


def given_at(height: int, seat: int) -> Contribution:
    return next(one for one in entry_at(height).contributions if one.seat == seat)


def vote_at(height: int, number: int, choice: Evict | Keep, seat: int = 2) -> Vote:
    content = entry_at(height).content
    vote = Vote(
        content.table, content.height, content.parent, 0, number, choice, Seat(seat), bytes(64)
    )
    return signed(vote)


def leave_at(height: int) -> Leave:
    content = entry_at(height).content
    return signed(Leave(content.table, content.height, content.id, 0, Seat(2), bytes(64)))


def refusal_of(height: int, refused: bytes, reason: str, over: tuple[bytes, ...] = ()) -> Refusal:
    content = entry_at(height).content
    place = (content.table, content.height, content.parent)
    return signed(Refusal(*place, refused, reason, over, Seat(2), bytes(64)))


def e1_contributions() -> Evidence:
    one = given_at(1, 2)
    other = signed(one, payloads=((one.payloads[0][0], b"x"), *one.payloads[1:]))
    return Evidence("E1", Seat(2), (one, other))


def e1_binding() -> Evidence:
    """Another commitment under one label, over another parent."""
    one = given_at(1, 2)
    (key, commitment) = one.payloads
    other = signed(one, parent=NOTHING, payloads=(key, (commitment[0], b"x")))
    return Evidence("E1", Seat(2), (one, other))


def e2() -> Evidence:
    return Evidence(
        "E2",
        Seat(2),
        (vote_at(5, 1, Evict((Seat(3),))), vote_at(5, 1, Evict((Seat(1),)))),
    )


def e3() -> Evidence:
    keep = vote_at(5, 1, Keep(entry_at(5).content.id, 0))
    return Evidence("E3", Seat(2), (keep, vote_at(5, 2, Evict((Seat(3),)))))


def e4() -> Evidence:
    vote = vote_at(5, 1, Evict((Seat(3),)))
    return Evidence("E4", Seat(2), (seal_at(6, 2), vote), (entry_at(5).content,))


def e5_contribution() -> Evidence:
    one = given_at(2, 2)
    ((label, _),) = one.payloads
    before = (given_at(2, 0), given_at(2, 1))
    return Evidence("E5", Seat(2), (signed(one, payloads=((label, b"x"),)), *before))


def e5_vote() -> Evidence:
    return Evidence("E5", Seat(2), (vote_at(5, 1, Evict((Seat(2),))),))


def e5_author() -> Evidence:
    content = entry_at(10).content
    step = content.step
    assert isinstance(step, AuthoredStep)
    bad = replace(content, step=AuthoredStep(step.seat, b"\x00"))
    seal = signed(seal_at(10, step.seat), entry=bad.id)
    return Evidence("E5", step.seat, (seal,), (bad,))


def e6_seal() -> Evidence:
    bad = replace(entry_at(10).content, state=HASH)
    return Evidence("E6", Seat(1), (signed(seal_at(10, 1), entry=bad.id),), (bad,))


def e6_seal_of_a_step() -> Evidence:
    bad = replace(entry_at(4).content, state=HASH)
    messages: tuple[Signed, ...] = (signed(seal_at(4, 2), entry=bad.id), *entry_at(4).contributions)
    return Evidence("E6", Seat(2), messages, (bad,))


def e6_refusal_of_an_action() -> Evidence:
    content = entry_at(10).content
    refusal = refusal_of(10, content.id, "rules/illegal")
    return Evidence("E6", Seat(2), (refusal,), (content,))


def e6_refusal_of_a_contribution() -> Evidence:
    one = given_at(2, 1)
    refusal = refusal_of(2, one.id, "proof/shuffle", one.on)
    return Evidence("E6", Seat(2), (refusal, one, given_at(2, 0)))


def e7() -> Evidence:
    return Evidence("E7", Seat(2), (leave_at(5), seal_at(8, 2)))


HOLDS = {
    "two contributions over one parent": e1_contributions,
    "two payloads of one binding label": e1_binding,
    "two votes in one round": e2,
    "a vote behind one's own keep": e3,
    "a vote against what one has built on": e4,
    "a contribution that the proofs refuse": e5_contribution,
    "a vote that breaks the rules alone": e5_vote,
    "an action that the rules refuse": e5_author,
    "a seal on a state that is none": e6_seal,
    "a seal on a step to a state that is none": e6_seal_of_a_step,
    "a false refusal of an action": e6_refusal_of_an_action,
    "a false refusal of a contribution": e6_refusal_of_a_contribution,
    "a seal after one's own leave": e7,
}


@pytest.mark.parametrize("case", HOLDS)
def test_a_sound_history_names_the_cheat_that_evidence_proves(case: str) -> None:
    evidence = HOLDS[case]()
    whole = replace(story(), open=(), evidence=(evidence,))
    report = report_on(replace(whole, entries=story().entries[:16]))
    assert report.failures == ()
    assert (report.verdict, report.culprit, report.exit_code) == (
        Verdict.COMPLETE,
        evidence.seat,
        0,
    )
    codes = [cheat.code for cheat in report.cheats]
    assert evidence.code in codes
    assert report.counts[Check.LIVENESS].passed == 1


def wrong() -> dict[str, Evidence]:
    true_refusal = e5_contribution()
    bad = true_refusal.messages[0]
    assert isinstance(bad, Contribution)
    return {
        "against another seat": replace(e2(), seat=Seat(1)),
        "of another code": replace(e2(), code="E3"),
        "of one message where two are needed": replace(e2(), messages=e2().messages[:1]),
        "of two seals that agree": Evidence("E1", Seat(2), (seal_at(8, 2), seal_at(9, 2))),
        "with a content that nothing names": replace(e2(), contents=(entry_at(3).content,)),
        "against a good contribution": Evidence("E5", Seat(0), (given_at(2, 0),)),
        "without what a contribution builds on": replace(
            true_refusal, messages=true_refusal.messages[:1]
        ),
        "over an entry that is not here": Evidence(
            "E5", Seat(2), (signed(given_at(1, 2), parent=NOTHING),)
        ),
        "without the content that was sealed": replace(e6_seal(), contents=()),
        "without the contributions of a step": replace(
            e6_seal_of_a_step(), messages=e6_seal_of_a_step().messages[:2]
        ),
        "about a leave": Evidence("E5", Seat(2), (leave_at(5),)),
        "against a good vote": Evidence("E5", Seat(2), (vote_at(5, 1, Evict((Seat(3),))),)),
        "against a true refusal": Evidence(
            "E6",
            Seat(2),
            (refusal_of(2, bad.id, "encoding/truncated"), *true_refusal.messages),
        ),
    }


@pytest.mark.parametrize("case", wrong())
def test_evidence_that_does_not_hold_makes_a_file_invalid(case: str) -> None:
    whole = replace(story(), entries=story().entries[:16], open=(), evidence=(wrong()[case],))
    report = report_on(whole)
    failure = report.failure
    assert failure is not None
    assert failure.check is Check.LIVENESS
    assert (report.verdict, report.culprit, report.exit_code) == (Verdict.INVALID, None, 12)


def test_evidence_with_a_false_signature_is_not_judged() -> None:
    evidence = e7()
    bad = replace(evidence, messages=(replace(evidence.messages[0], seat=Seat(1)), seal_at(8, 2)))
    report = report_on(replace(story(), entries=story().entries[:16], open=(), evidence=(bad,)))
    assert report.check is Check.SIGNATURES
    assert report.counts[Check.LIVENESS].not_run == 1


def test_evidence_of_another_table_is_no_evidence_here() -> None:
    votes = (vote_at(5, 1, Evict((Seat(3),))), vote_at(5, 1, Evict((Seat(1),))))
    evidence = Evidence("E2", Seat(2), tuple(signed(vote, table=NOTHING) for vote in votes))
    report = report_on(
        replace(story(), entries=story().entries[:16], open=(), evidence=(evidence,))
    )
    assert report.check is Check.CHAIN
    assert report.culprit is None


def test_what_contradicts_itself_in_a_file_is_found_though_nobody_has_noticed() -> None:
    """The votes are brought as E2; that they deny what the seat has built on, nobody has said."""
    report = report_on(replace(story(), entries=story().entries[:16], open=(), evidence=(e2(),)))
    assert {cheat.code for cheat in report.cheats} == {"E2", "E4"}
    assert {cheat.seat for cheat in report.cheats} == {2}


def test_evidence_in_a_certificate_is_told_without_being_brought_apart() -> None:
    report = report_on(replace(story(), evidence=()))
    assert [cheat.code for cheat in report.cheats] == ["E1"]
    assert story().entries[42].certificate.grounds == story().evidence


def test_a_contested_entry_is_no_evidence_against_those_who_kept_it() -> None:
    report = report_on(ending_with(entry_at(28), 28))
    assert report.cheats == ()
    assert report.failures == ()


def test_of_several_proofs_of_one_kind_the_first_is_told() -> None:
    whole = replace(story(), entries=story().entries[:16], open=(), evidence=(e7(),))
    assert [cheat.height for cheat in report_on(whole).cheats] == [6]


def test_a_made_up_entry_makes_no_label_binding() -> None:
    world = opened(("turn", "due", "close"))
    tip, label = world.ledgers[Seat(0)].tip, b"label"
    step = DueStep((Part(label, "keys", tip.roster, binding=True, chained=False),))
    content = Content(tip.table, Height(1), tip.id, step, (), HASH)
    made = extended(tip, Followed(content, (), NoState()), Certificate(content.id, 0))
    assert binding_in([tip, made]) == frozenset()


def test_each_link_is_asked_for_its_labels_once_however_much_evidence_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file of evidence and of entries would be read for days."""
    asked = 0

    def counted(links: Iterable[ChainEntry]) -> frozenset[bytes]:
        nonlocal asked
        given = list(links)
        asked += len(given)
        return binding_in(given)

    monkeypatch.setattr(contradictions, "binding_in", counted)
    seal = seal_at(6, 2)
    nothing = Evidence("E1", Seat(2), (seal, seal))
    whole = replace(story(), evidence=(nothing,) * 50)
    assert report_on(whole).counts[Check.LIVENESS].failed == 50
    assert asked <= 2 * (len(whole.entries) + 1)


def test_the_lowest_failure_decides_however_many_were_found_before_it() -> None:
    """Grounds are judged last, and a file may be full of other failures."""
    entry = entry_at(27)
    (out,) = entry.certificate.votes[0].choice.seats  # type: ignore[union-attr]
    seal = seal_at(6, out)
    certificate = replace(entry.certificate, grounds=(Evidence("E1", out, (seal, seal)),))
    whole = story().entries
    entries = (*whole[:26], replace(entry, certificate=certificate), *whole[27:])
    noise = (whole[-1],) * FAILURES_MAX
    judged = judge_bytes(
        write_transcript(replace(story(), entries=(*entries, *noise))), find_game=find_small
    )
    report = judged.report
    assert (report.height, report.check) == (27, Check.LIVENESS)
    assert len(report.failures) == FAILURES_MAX
    assert judged.believed[-1].height == 26


def test_without_the_rules_nobody_says_whether_a_label_binds() -> None:
    data = write_transcript(replace(story(), open=(), evidence=(e1_binding(),)))
    report = judge_bytes(data, find_game=not_installed).report
    assert (report.verdict, report.culprit) == (Verdict.UNCHECKED, 1)
    assert report.counts[Check.LIVENESS].not_run == 1
    assert all(cheat.seat != 2 for cheat in report.cheats)


def test_votes_of_many_rounds_are_not_all_compared_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A reader takes votes of any round, and whoever has a key can sign four thousand."""
    rounds, pairs = 600, 0
    compared = evidence_of_codes.two_votes

    def counted(one: Vote, other: Vote) -> Evidence | None:
        nonlocal pairs
        pairs += 1
        return compared(one, other)

    monkeypatch.setattr(evidence_of_codes, "two_votes", counted)
    votes = tuple(Voted(vote_at(9, number, Evict((Seat(3),)))) for number in range(1, rounds + 1))
    whole = replace(story(), entries=story().entries[:8], open=votes, evidence=())
    assert report_on(whole).counts[Check.LIVENESS].passed == rounds
    assert pairs < 200 * rounds

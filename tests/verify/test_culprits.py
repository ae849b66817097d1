"""What a seat has signed binds it: whoever breaks a rule is named, though all others agreed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from nodealer.games.base import AnyGame
from nodealer.kernel import EntryId, Height, LocalError, Reason, Seat
from nodealer.ledger import AuthoredStep, Contribution, DueStep, Entry
from nodealer.ledger.objects import Evict
from nodealer.table.actions import ACTED, Acted, read_action
from nodealer.verify import Check, Transcript, Verdict, judge_bytes, write_transcript
from tests.verify.forging import (
    empty,
    ending_with,
    entry_at,
    recontent,
    recontributed,
    report_on,
    reseal,
    revote,
    signed,
    story,
)
from tests.verify.stage import find_small


def not_installed(game_id: str, version: int) -> AnyGame:
    raise LocalError(Reason.LOCAL_ARGUMENT, f"there is no game {game_id!r} {version}")


def other_payload(height: int, seat: int, index: int = 0) -> Entry:
    entry = entry_at(height)
    one = next(one for one in entry.contributions if one.seat == seat)
    payloads = list(one.payloads)
    label, payload = payloads[index]
    payloads[index] = (label, payload[:-1] + bytes([payload[-1] ^ 1]))
    return recontributed(entry, seat, payloads=tuple(payloads))


def other_label(height: int, seat: int) -> Entry:
    entry = entry_at(height)
    one = next(one for one in entry.contributions if one.seat == seat)
    payloads = tuple((label + b"x", payload) for label, payload in one.payloads)
    return recontributed(entry, seat, payloads=payloads)


def other_basis() -> Entry:
    return recontributed(entry_at(2), 2, on=(entry_at(2).contributions[0].id,))


def unknown_basis() -> Entry:
    return recontributed(entry_at(2), 2, on=(bytes(32),))


def other_action(change: Callable[[Acted], Acted]) -> Entry:
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    action = read_action(step.action)
    assert isinstance(action, Acted)
    return recontent(entry_at(8), step=AuthoredStep(step.seat, ACTED.write(change(action))))


def author() -> int:
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    return step.seat


def other_author() -> Entry:
    step = entry_at(8).content.step
    assert isinstance(step, AuthoredStep)
    return recontent(entry_at(8), step=replace(step, seat=Seat(3)))


def other_parts() -> Entry:
    step = entry_at(4).content.step
    assert isinstance(step, DueStep)
    parts = tuple(replace(part, kind="mask") for part in step.parts)
    return recontent(entry_at(4), step=DueStep(parts))


def other_order() -> Entry:
    named = entry_at(1).content.contributions
    return recontent(entry_at(1), contributions=tuple(reversed(named)))


def other_seats_named() -> Entry:
    (zero, first), (one, second), *rest = entry_at(1).content.contributions
    return recontent(entry_at(1), contributions=((zero, second), (one, first), *rest))


CASES: dict[str, tuple[int, Callable[[], Entry], str, int]] = {
    "a key without knowledge of it": (1, lambda: other_payload(1, 1), "cryptography", 1),
    "a shuffle that is none": (2, lambda: other_payload(2, 2), "cryptography", 2),
    "a mask that is none": (3, lambda: other_payload(3, 3), "cryptography", 3),
    "a coin opened to something else": (3, lambda: other_payload(3, 1, 1), "cryptography", 1),
    "a release of another layer": (4, lambda: other_payload(4, 2), "cryptography", 2),
    "parts that are not owed": (1, lambda: other_label(1, 2), "rules", 2),
    "a shuffle of another deck": (2, other_basis, "chain", 2),
    "sealed by all, a shuffle of a deck that is not here": (2, unknown_basis, "chain", 0),
    "a contribution at another height": (
        1,
        lambda: recontributed(entry_at(1), 2, height=Height(7)),
        "chain",
        2,
    ),
    "a card that is not the author's": (
        8,
        lambda: other_action(lambda a: replace(a, fields=(("card", (63,)),))),
        "rules",
        0,
    ),
    "another card than the proof is for": (
        8,
        lambda: other_action(lambda a: replace(a, openings=(a.openings[0][:-1] + b"x",))),
        "cryptography",
        0,
    ),
    "an action without its opening": (
        8,
        lambda: other_action(lambda a: replace(a, openings=())),
        "cryptography",
        0,
    ),
    "an action that does not exist": (
        8,
        lambda: other_action(lambda a: replace(a, kind="cheat")),
        "rules",
        0,
    ),
    "an action that is no action": (
        8,
        lambda: recontent(entry_at(8), step=AuthoredStep(Seat(author()), b"\x00")),
        "rules",
        0,
    ),
    "an action out of turn": (8, other_author, "rules", 3),
    "another state after an action": (
        8,
        lambda: recontent(entry_at(8), state=bytes(32)),
        "rules",
        0,
    ),
    "another state after a step": (4, lambda: recontent(entry_at(4), state=bytes(32)), "rules", 0),
    "another step than is due": (4, other_parts, "rules", 0),
    "contributions named in another order": (1, other_order, "chain", 0),
    "contributions named as those of others": (1, other_seats_named, "chain", 0),
    "a content at another height": (
        8,
        lambda: recontent(entry_at(8), height=Height(9)),
        "chain",
        0,
    ),
    "a seal at another height": (8, lambda: reseal(entry_at(8), 2, height=Height(9)), "chain", 2),
    "a vote to leave out oneself": (
        27,
        lambda: revote(entry_at(27), 1, choice=Evict((Seat(1), Seat(3)))),
        "completeness",
        1,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_whoever_has_signed_what_is_wrong_is_named(case: str) -> None:
    height, make, check, culprit = CASES[case]
    report = report_on(ending_with(make(), height))
    failure = report.failure
    assert failure is not None
    assert (failure.check.value, failure.height) == (check, height), failure
    assert (report.verdict, report.culprit) == (Verdict.INVALID, culprit)
    assert report.exit_code == 11


def wrong_state_of_an_eviction() -> Entry:
    entry = entry_at(27)
    content = replace(entry.content, state=bytes(32))
    return replace(entry, content=content, certificate=replace(entry.certificate, entry=content.id))


def without_its_basis() -> Entry:
    """A good step from which somebody without a key has taken a shuffle that others build on."""
    return made_up(entry_at(2), [one for one in entry_at(2).contributions if one.seat != 1])


def basis_not_here() -> Entry:
    """A shuffle of what nobody has seen; whether it is good, nobody knows."""
    return made_up(unknown_basis(), unknown_basis().contributions)


def made_up(entry: Entry, given: Iterable[Contribution]) -> Entry:
    """Return an entry of these contributions that nobody has sealed."""
    kept = tuple(given)
    named = tuple((one.seat, one.id) for one in kept)
    content = replace(entry.content, contributions=named)
    certificate = replace(empty(entry.certificate), entry=content.id)
    return replace(entry, content=content, contributions=kept, certificate=certificate)


def vote_moved() -> Entry:
    """A good vote to leave out a seat, over an entry at which that seat is out already."""
    entry, vote = entry_at(30), entry_at(27).certificate.votes[0]
    return replace(entry, certificate=replace(entry.certificate, seals=(), votes=(vote,)))


NOBODY: dict[str, tuple[int, Callable[[], Entry], str]] = {
    "an eviction to another state": (27, wrong_state_of_an_eviction, "rules"),
    "a rank that nothing shows": (8, lambda: reseal(entry_at(8), 2, rank=1), "completeness"),
    "a seal on something else": (
        8,
        lambda: reseal(entry_at(8), 2, entry=EntryId(bytes(32))),
        "chain",
    ),
    "a seal over something else": (
        8,
        lambda: reseal(entry_at(8), 2, parent=entry_at(3).content.id),
        "chain",
    ),
    "a seal at another table": (8, lambda: reseal(entry_at(8), 2, table=bytes(32)), "chain"),
    "a seal of a seat that does not exist": (
        8,
        lambda: replace(
            entry_at(8),
            certificate=replace(
                entry_at(8).certificate,
                seals=(
                    *entry_at(8).certificate.seals[:3],
                    replace(entry_at(8).certificate.seals[3], seat=Seat(7)),
                ),
            ),
        ),
        "identity",
    ),
    "no certificate at all": (
        8,
        lambda: replace(entry_at(8), certificate=empty(entry_at(8).certificate)),
        "completeness",
    ),
    "the votes of another round": (27, lambda: revote(entry_at(27), 1, round=2), "completeness"),
    "a step without what its parts build on": (2, without_its_basis, "chain"),
    "a shuffle of a deck that is not here": (2, basis_not_here, "chain"),
    "a vote over another entry than its own": (30, vote_moved, "chain"),
    "an empty certificate beside": (
        27,
        lambda: replace(entry_at(27), beside=(empty(entry_at(27).beside[0]),)),
        "completeness",
    ),
    "a certificate of an unknown entry beside": (
        27,
        lambda: replace(entry_at(27), beside=(entry_at(35).certificate,)),
        "completeness",
    ),
}


@pytest.mark.parametrize("case", NOBODY)
def test_what_no_signature_is_on_names_nobody(case: str) -> None:
    height, make, check = NOBODY[case]
    report = report_on(ending_with(make(), height))
    failure = report.failure
    assert failure is not None
    assert (failure.check.value, failure.height) == (check, height), failure
    assert (report.verdict, report.culprit, report.exit_code) == (Verdict.INVALID, None, 12)


def left_out(height: int) -> Transcript:
    entries = story().entries
    return replace(story(), entries=(*entries[: height - 1], *entries[height:]))


def repeated(height: int) -> Transcript:
    entries = story().entries
    return replace(story(), entries=(*entries[:height], *entries[height - 1 :]))


def moved(height: int, to: int) -> Transcript:
    entries = list(story().entries)
    entries.insert(to - 1, entries.pop(height - 1))
    return replace(story(), entries=tuple(entries))


def thinned(height: int) -> Transcript:
    """A good entry, still sealed by all, from which the file leaves out a contribution."""
    entry = entry_at(height)
    thin = replace(entry, contributions=entry.contributions[1:])
    return replace(story(), entries=(*story().entries[: height - 1], thin))


MISPLACED: dict[str, Callable[[], Transcript]] = {
    "an action left out": lambda: left_out(8),
    "an eviction left out": lambda: left_out(27),
    "a step left out": lambda: left_out(2),
    "an action told twice": lambda: repeated(8),
    "an eviction told twice": lambda: repeated(27),
    "an action told too early": lambda: moved(9, 5),
    "an eviction told too early": lambda: moved(27, 25),
    "an eviction told too late": lambda: moved(27, 29),
    "a shuffle left out of its step": lambda: thinned(2),
    "a release left out of its step": lambda: thinned(4),
}


@pytest.mark.parametrize("case", MISPLACED)
@pytest.mark.parametrize("find", [find_small, not_installed])
def test_good_messages_in_another_place_name_nobody(
    case: str, find: Callable[[str, int], AnyGame]
) -> None:
    transcript = replace(MISPLACED[case](), open=(), evidence=())
    report = judge_bytes(write_transcript(transcript), find_game=find).report
    assert report.verdict is Verdict.INVALID
    assert {failure.seat for failure in report.failures} == {None}
    assert {cheat.seat for cheat in report.cheats} <= {1}  # who has sealed two things
    assert report.counts[Check.RULES].failed == 0  # a content is replayed over its own parent only


def test_a_vote_is_not_judged_where_the_roster_is_not_known() -> None:
    """The eviction stands before entries that it followed; so its seat seems to be out too soon."""
    transcript = moved(27, 26)
    vote = signed(entry_at(27).certificate.votes[0], round=9)
    late = replace(
        transcript.entries[26],
        certificate=replace(transcript.entries[26].certificate, seals=(), votes=(vote,)),
    )
    entries = (*transcript.entries[:26], late)
    report = report_on(replace(transcript, entries=entries, open=(), evidence=()))
    assert {failure.seat for failure in report.failures} == {None}


def test_the_walk_goes_on_behind_a_failure() -> None:
    entries = list(story().entries)
    entries[3] = other_payload(4, 2)
    report = report_on(replace(story(), entries=tuple(entries), open=(), evidence=()))
    assert report.culprit == 2
    heights = {failure.height for failure in report.failures}
    assert heights == {4, 5}  # the entry itself, and the one that names another parent
    rules = report.counts[Check.RULES]
    assert (rules.passed, rules.failed, rules.not_run) == (4, 0, 41)
    assert report.counts[Check.SIGNATURES].failed == 0

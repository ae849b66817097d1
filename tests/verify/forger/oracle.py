"""What must be so of every forgery, found out without any of the judge's code.

An honest seat is every seat but the one whose key the forger has. Nobody honest is named anywhere
in a report, in whatever way the file is read: alone, without rules, or beside an honest copy. And
a file in which somebody's history was altered is never accepted: what is accepted is the beginning
of an honest history, or, where the forger has a key, goes on with what that seat has signed and
with what honest seats have really signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from nodealer.kernel import LocalError
from nodealer.ledger import Entry, EvictStep, Ledger, LedgerMessage, Seal, Vote
from nodealer.ledger.messages import Proposal, Voted
from nodealer.ledger.objects import EntryStep, Evict
from nodealer.verify import (
    JudgedFile,
    Report,
    Transcript,
    Verdict,
    exported,
    judge_bytes,
    lines_of,
    story,
    write_transcript,
)
from nodealer.verify.copies import compare_all
from nodealer.verify.history import History as Told
from tests.verify.forger.forgery import Hand
from tests.verify.forger.histories import history
from tests.verify.forger.pieces import pieces, signed_in

ACCEPTED = frozenset({Verdict.COMPLETE, Verdict.UNFINISHED, Verdict.UNCHECKED})


@dataclass(frozen=True)
class Outcome:
    """What was said of a forged file, and what is wrong with it."""

    report: Report | None
    wrong: tuple[str, ...]


@cache
def genuine(name: str) -> frozenset[tuple[str, object, bytes]]:
    """Return everything that seats of a history have signed: its kind, what it says, signature."""
    return told(pieces(name).signed)


def told(values: Iterable[object]) -> frozenset[tuple[str, object, bytes]]:
    """Return everything signed in these values."""
    signed = signed_in(values)
    return frozenset((type(one).__name__, one.body(), one.signature) for one in signed)


@cache
def honest_entries(name: str) -> frozenset[bytes]:
    """Return all entries that a seat of a history has ever taken."""
    made = history(name)
    held = {entry.content.id for file in made.files for entry in file.entries}
    return frozenset(held) | entries_in(made.sent)


def voted_out(hand: Hand) -> frozenset[tuple[bytes, EntryStep]]:
    """Return the evictions that honest votes have made, each with its parent."""
    contents = [one for one in hand.pieces.contents if isinstance(one.step, EvictStep)]
    return frozenset((bytes(one.parent), one.step) for one in contents)


def entries_in(messages: Iterable[object]) -> frozenset[bytes]:
    """Return the entries among what seats have stored."""
    return frozenset(one.content.id for one in messages if isinstance(one, Entry))


@cache
def honest_copies(name: str, *, has_rules: bool) -> tuple[JudgedFile, ...]:
    """Return what is to be said of the honest files, the last ones."""
    made = history(name)
    find = made.find if has_rules else made.find_none
    return tuple(judge_bytes(write_transcript(file), find_game=find) for file in made.files[-2:])


def look_at(hand: Hand) -> Outcome | None:
    """Judge a forged file in all ways; nothing if no writer can write it."""
    try:
        data = write_transcript(hand.file)
    except (LocalError, ValueError, OverflowError):
        return None
    made = hand.history
    wrong: list[str] = []
    found: list[JudgedFile] = []
    for how, find in (("", made.find), ("without rules: ", made.find_none)):
        try:
            judged = judge_bytes(data, find_game=find)
            list(lines_of("file", judged, ["file"]))
            list(story(judged))
            exported(judged)
        except Exception as error:  # noqa: BLE001 - the judge never raises
            wrong.append(f"{how}the judge raises {error!r}")
            continue
        found.append(judged)
        wrong.extend(how + line for line in blamed(judged.report, hand.key))
        wrong.extend(how + line for line in ascribed(judged.report, hand))
        if judged.report.verdict in ACCEPTED:
            is_checked = judged.report.verdict is not Verdict.UNCHECKED
            lines = accepted(hand, judged.transcript, is_checked=is_checked)
            wrong.extend(how + line for line in lines)
    for judged in found:
        if judged.report.verdict in ACCEPTED:
            wrong.extend(_beside_honest(hand, judged))
    for table in hand.tables.values():
        wrong.extend(proven(table.ledger, hand.key))
    wrong.extend(told_to_a_seat(hand))
    return Outcome(found[0].report if found else None, tuple(wrong))


def told_to_a_seat(hand: Hand) -> Iterator[str]:
    """Yield what an honest seat comes to believe that is shown what is in a file, near its tip."""
    tables = [*hand.history.earlier, *hand.history.tables.values(), *hand.tables.values()]
    others = [table for table in tables if table.seat != hand.key]
    table = hand.one(others)
    near = range(table.ledger.tip.height, table.ledger.tip.height + 3)
    messages: list[LedgerMessage] = [one for one in hand.file.entries if one.content.height in near]
    messages.extend(hand.file.open)
    for evidence in hand.file.evidence:
        votes = hand.pieces.votes
        messages.extend(Voted(vote, (evidence,)) for vote in votes if vote.height in near)
    for message in messages:
        try:
            table, _ = table.receive(message)
        except Exception as error:  # noqa: BLE001 - no message ends a seat
            yield f"a seat raises {error!r}"
            return
    yield from proven(table.ledger, hand.key)


def proven(ledger: Ledger, key: int | None) -> Iterator[str]:
    """Yield where a seat believes that somebody is proven false who is not."""
    for evidence in ledger.proven.values():
        if evidence.seat != key:
            kinds = ", ".join(type(one).__name__ for one in evidence.messages)
            yield f"a seat believes {evidence.seat} proven: {evidence.code} by {kinds}"


def _beside_honest(hand: Hand, judged: JudgedFile) -> Iterator[str]:
    has_rules = judged.report.verdict is not Verdict.UNCHECKED
    copies = honest_copies(hand.history.name, has_rules=has_rules)
    for files in ((judged, *copies), (*copies, judged)):
        try:
            told = compare_all(files)
        except Exception as error:  # noqa: BLE001 - the judge never raises
            yield f"comparing raises {error!r}"
            return
        for each in told:
            yield from (f"beside a copy: {line}" for line in blamed(each.report, hand.key))
        if hand.key is None and any(each.report.verdict not in ACCEPTED for each in told):
            yield "beside a copy: a stranger's copy makes an honest one invalid"


def blamed(report: Report, key: int | None) -> Iterator[str]:
    """Yield where a report names somebody who has done nothing."""
    if report.culprit not in (None, key):
        yield f"culprit {report.culprit} ({report.verdict.value}, {report.check})"
    for failure in report.failures:
        if failure.seat not in (None, key):
            deciding = "deciding " if failure is report.failure else ""
            yield f"{deciding}failure names {failure.seat}: {failure.check.value}: {failure.found}"
    for cheat in report.cheats:
        if cheat.seat != key:
            kinds = ", ".join(type(one).__name__ for one in cheat.messages)
            yield f"proven {cheat.seat}: {cheat.code} by {kinds}"
    for fork in report.forks:
        if fork.seat not in (None, key):
            yield f"fork names {fork.seat}"


def ascribed(report: Report, hand: Hand) -> Iterator[str]:
    """Yield what a report says that honest seats have done and they have not, or why they left."""
    if report.history is None:
        return
    left = {leave.seat for leave in hand.pieces.leaves}
    cast = {
        (vote.seat, vote.height, vote.round, vote.choice.seats)
        for vote in hand.pieces.votes
        if isinstance(vote.choice, Evict)
    }
    for eviction in report.history.evictions:
        out = tuple(one.seat for one in eviction.evicted)
        for seat in set(eviction.voters) - {hand.key}:
            if (seat, eviction.height, eviction.round, out) not in cast:
                yield f"ascribed: seat {seat} left out {out} at height {eviction.height}"
        for one in eviction.evicted:
            if one.grounds is None and hand.key is None:
                yield f"ascribed: seat {one.seat} was left out on what was not checked"
            shown = set(one.grounds or ()) - ({"left"} if one.seat in left else set())
            if shown and one.seat != hand.key:
                yield f"ascribed: seat {one.seat} was left out on {sorted(shown)}"
    yield from _shuffles_ascribed(report.history, hand)


def _shuffles_ascribed(told: Told, hand: Hand) -> Iterator[str]:
    shuffled = {
        (one.seat, one.height)
        for one in hand.pieces.contributions
        if any(b"shuffle" in label for label, _ in one.payloads)
    }
    for epoch in told.epochs:
        for shuffle in epoch.shuffles:
            for seat in set(shuffle.seats) - {hand.key}:
                if (seat, shuffle.height) not in shuffled:
                    yield f"ascribed: seat {seat} shuffled at height {shuffle.height}"


def accepted(hand: Hand, file: Transcript | None, *, is_checked: bool) -> Iterator[str]:
    """Yield what is in an accepted file and may not be."""
    assert file is not None, "what is accepted was read"
    made = hand.history
    if file.charter != made.charter:
        yield "accepted: another charter"
        return
    real = genuine(made.name) | told(hand.provoked)
    for one in signed_in([file]):
        is_real = (type(one).__name__, one.body(), one.signature) in real
        if not is_real and one.seat != hand.key:
            yield f"accepted: a {type(one).__name__} that seat {one.seat} never signed"
    for message in file.open if is_checked else ():
        if isinstance(message, Proposal) and message.content.id != message.seal.entry:
            yield "accepted: a proposal of what its author never sealed"
    yield from _chain(hand, file.entries, is_checked=is_checked)


def _chain(hand: Hand, entries: Sequence[Entry], *, is_checked: bool) -> Iterator[str]:
    honest = honest_entries(hand.history.name) | entries_in(hand.provoked)
    parent, roster = bytes(hand.history.charter.table), list(hand.history.charter.seats)
    for number, entry in enumerate(entries, 1):
        content = entry.content
        if (content.parent, content.height) != (parent, number):
            yield f"accepted: entry {number} does not follow"
            return
        if tuple(one.id for one in entry.contributions) != tuple(
            i for _, i in content.contributions
        ):
            yield f"accepted: entry {number} with other contributions"
        if content.id not in honest:
            is_last = number == len(entries) and not is_checked
            if is_last and (content.parent, content.step) in voted_out(hand):
                continue  # votes do not speak of the state, and without the rules nobody can
            if hand.key is None:
                yield f"accepted: entry {number} that nobody took"
                return
            yield from _goes_on(hand, number, entry, roster)
        parent = content.id
        if isinstance(content.step, EvictStep):
            roster = [seat for seat in roster if seat not in content.step.seats]


def _goes_on(hand: Hand, number: int, entry: Entry, roster: Sequence[int]) -> Iterator[str]:
    """Yield why an entry that no honest seat took is not one that the dishonest seat could make.

    That every signature in it is real was seen before. So whoever must have signed it has.
    """
    certificate, step = entry.certificate, entry.content.step
    messages: tuple[Seal | Vote, ...] = (*certificate.seals, *certificate.votes)
    signers = {one.seat for one in messages}
    if hand.key not in signers:
        yield f"accepted: entry {number}, which neither honest seats nor the forger made"
    if isinstance(step, EvictStep):
        if signers != set(roster) - set(step.seats):
            yield f"accepted: an eviction by {sorted(signers)} of {list(roster)}"
    elif certificate.seals and signers != set(roster):
        yield f"accepted: entry {number} sealed by {sorted(signers)} of {list(roster)}"

"""The report for people: what was found, what was expected, and what a verdict does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nodealer.kernel import Seat
from nodealer.ledger import Evidence
from nodealer.verify.judge import Judged
from nodealer.verify.report import CHECKS, Failure, Report, Verdict

CODES: Final = {
    "E1": "signed two different things where there may be one",
    "E2": "cast two different votes in one round",
    "E3": "voted behind an entry that it had voted to keep",
    "E4": "voted against an entry that it had built on",
    "E5": "signed something that the rules or the proofs refuse",
    "E6": "refused what is good, or sealed what is not",
    "E7": "signed something after it had left",
}
"""What each code of evidence says of a seat."""

LIMITS: Final = """\
What a sound record does not prove: that the players are who their names say (compare the keys),
what they told each other apart from the table, or that a seat which fell silent meant to. Whoever
handed it on may have cut off its end, or evidence. If at least one seat was honest, the cards were
dealt uniformly and nobody played a card that it did not hold. If all seats colluded, the whole
record may be made up.
"""
"""To be told where a record is `SOUND`; of another one it would say too much."""

SOUND: Final = frozenset({Verdict.COMPLETE, Verdict.UNFINISHED})
"""The verdicts after which everything in a record was checked, and held."""

_VERDICTS: Final = {
    Verdict.COMPLETE: "complete: sound from the charter to the close",
    Verdict.UNFINISHED: "unfinished: sound as far as it goes, and not closed",
    Verdict.INVALID: "invalid: a check failed",
    Verdict.UNREADABLE: "unreadable: no transcript, or cut in the middle of something",
    Verdict.UNCHECKED: (
        "unchecked: the rules of this game are not installed; what needs no rules is sound"
    ),
}


def lines_of(name: str, judged: Judged, names: Sequence[str]) -> Iterator[str]:
    """Yield the report on a file, line by line; `names` are those of all files."""
    report = judged.report
    lines = (*_table(judged), *_found(judged, names), *_counts(report))
    yield printable(f"{name}: {_headline(judged)}")
    yield from (printable(f"  {line}") for line in lines)


def verdict_lines(judged: Judged) -> Iterator[str]:
    """Yield the verdict, and what decided it."""
    yield f"The record is {_headline(judged)}."
    if judged.report.failure is not None:
        yield from _failure(judged, judged.report.failure)


def printable(text: str) -> str:
    """Return a line without anything that could move a cursor or turn text around."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def called(judged: Judged, seat: Seat) -> str:
    """Return how people call a seat: its number and, if the charter is sound, its name."""
    if judged.agreed is None:
        return f"seat {seat}"
    return f"seat {seat} ({judged.agreed.terms.names[seat]})"


def cheat_line(judged: Judged, evidence: Evidence, height: int) -> str:
    """Return what evidence says of a seat."""
    code = evidence.code
    return f"proven: {called(judged, evidence.seat)} {CODES[code]} ({code}, height {height})"


def _headline(judged: Judged) -> str:
    """Return the verdict, and with an invalid record its culprit, if it has one."""
    report = judged.report
    said = _VERDICTS[report.verdict]
    if report.verdict is not Verdict.INVALID:
        return said
    if report.culprit is None:
        return f"{said}, and nobody is proven guilty of it"
    return f"{said}, and {called(judged, report.culprit)} is guilty of it"


def _table(judged: Judged) -> Iterator[str]:
    transcript, report = judged.transcript, judged.report
    if transcript is None:
        return
    yield f"table {transcript.charter.table.hex()}, height {len(transcript.entries)}"
    if judged.agreed is None:
        return
    terms = judged.agreed.terms
    yield f"{terms.game} version {terms.version}"
    for seat, (name, key) in enumerate(zip(terms.names, terms.identities, strict=True)):
        yield f"seat {seat}: {name}, key {key.hex()}"
    yield from report.notes


def _found(judged: Judged, names: Sequence[str]) -> Iterator[str]:
    report = judged.report
    for failure in sorted(report.failures, key=lambda one: one.order):
        yield from _failure(judged, failure)
    for fork in report.forks:
        guilty = "nobody is proven guilty"
        if fork.seat is not None:
            guilty = f"{called(judged, fork.seat)} has signed both"
        holds = {None: "neither copy holds", True: "this copy holds", False: "that copy holds"}
        other = names[fork.other]
        yield f"fork at height {fork.height} with {other}: {holds[fork.holds]}, {guilty}"
    for cheat in report.cheats:
        yield cheat_line(judged, cheat.evidence, cheat.height)
    for seat, what in report.awaited:
        yield f"waits for {called(judged, seat)}: {what}"


def _failure(judged: Judged, failure: Failure) -> Iterator[str]:
    where = "" if failure.height is None else f" at height {failure.height}"
    yield f"{failure.check.value} failed{where}"
    yield f"  expected: {failure.expected}"
    yield f"  found:    {failure.found}"
    if failure.seat is not None:
        yield f"  signed by {called(judged, failure.seat)}"


def _counts(report: Report) -> Iterator[str]:
    yield "checks         passed  failed  not run"
    for check in CHECKS:
        count = report.counts[check]
        cells = f"{count.passed:8} {count.failed:7} {count.not_run:8}"
        yield f"{check.value:<13}{cells}"

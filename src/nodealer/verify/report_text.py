"""The report for people: what was found, what was expected, and what a verdict does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from textwrap import wrap
from typing import Final, TypeAlias

from nodealer.games import joined
from nodealer.kernel import Seat
from nodealer.ledger import Evidence
from nodealer.verify.gist import gist_of
from nodealer.verify.history import LEFT, Evicted, Eviction, GameResult, History, Shuffle
from nodealer.verify.judge import JudgedFile
from nodealer.verify.report import CHECKS, Failure, Report, Verdict
from nodealer.verify.report_words import CODES, called, printable

LINE_LETTERS_MAX: Final = 80
"""A line of the report is folded where it is longer; keys and ids stay whole."""

_Dated: TypeAlias = tuple[int, str]
"""A height, and what is told of it."""

LIMITS: Final = """\
What a sound record proves, of each deal for which at least one of the seats
that shuffled it was honest: the cards were dealt uniformly, each was seen only
by those to whom the record grants it, and nobody played a card that was not
theirs. Uniform is what nobody stopped: who saw what a step would bring could
fall silent instead, and was left out for that. Whoever was left out on nobody's
proof was left out on the word of the voters alone.

What it does not prove: that the players are who their names say (compare the
keys), what they told each other apart from the table, or that a seat which fell
silent meant to. Whoever handed it on may have cut off its end, or evidence. If
all seats that shuffled a deck colluded, they knew all its cards; if all seats
of the table did, the whole record may be made up.
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


def lines_of(name: str, judged: JudgedFile, names: Sequence[str]) -> Iterator[str]:
    """Yield the report on a file, line by line; `names` are those of all files."""
    report = judged.report
    gist = gist_of(judged)
    told = (*_table(judged), *_past(judged), *_found(judged, names), *_counts(report))
    lines = (*gist, "", *told) if gist else told
    yield printable(f"{name}: {_headline(judged)}")
    for line in lines:
        yield from _folded(printable(f"  {line}" if line else line))


def verdict_lines(judged: JudgedFile) -> Iterator[str]:
    """Yield the verdict, and what decided it."""
    yield f"The record is {_headline(judged)}."
    if judged.report.failure is not None:
        yield from _failure(judged, judged.report.failure)


def seats_named(seats: Sequence[Seat]) -> str:
    """Return seats by their numbers, as people list them."""
    if not seats:
        return "nobody"
    return f"{'seat' if len(seats) == 1 else 'seats'} {joined([str(seat) for seat in seats])}"


def cheat_line(judged: JudgedFile, cheat: Evidence) -> str:
    """Return what evidence says of a seat."""
    told = f"{CODES[cheat.code]} ({cheat.code}, height {cheat.height})"
    return f"proven: {called(judged, cheat.seat)} {told}"


def _headline(judged: JudgedFile) -> str:
    """Return the verdict, and with an invalid record its culprit, if it has one."""
    report = judged.report
    said = _VERDICTS[report.verdict]
    if report.verdict is not Verdict.INVALID:
        return said
    if report.culprit is None:
        return f"{said}, and nobody is proven guilty of it"
    return f"{said}, and {called(judged, report.culprit)} is guilty of it"


def _table(judged: JudgedFile) -> Iterator[str]:
    transcript, report = judged.transcript, judged.report
    if transcript is None:
        return
    yield f"table {transcript.charter.table.hex()}"
    height = f"height {len(transcript.entries)}"
    if judged.agreed is None:
        yield height
        return
    terms = judged.agreed.terms
    yield f"{terms.game} version {terms.version}, {height}"
    for seat, (name, key) in enumerate(zip(terms.names, terms.identities, strict=True)):
        yield f"seat {seat}: {name}"
        yield f"  key {key.hex()}"
    yield from report.notes


def _past(judged: JudgedFile) -> Iterator[str]:
    """Yield who shuffled, who was left out and who won, in the order in which it happened."""
    history = judged.report.history
    if history is None:
        return
    told = [*_shuffles(history), *(_eviction(judged, one) for one in history.evictions)]
    if history.results is None:
        yield "shuffles are told as they were signed; without the rules no proof was checked"
    for number, result in enumerate(history.results or (), 1):
        if result is not None:
            told.append((result.height, _result(judged, number, result)))
    yield from (text for _, text in sorted(told, key=itemgetter(0)))


def _shuffles(history: History) -> Iterator[_Dated]:
    """Yield who shuffled; whoever shuffled several times in a row is told once."""
    rounds: list[tuple[Shuffle, bool]] = []
    for epoch in history.epochs:
        if epoch.broken_off is not None and not epoch.shuffles:
            at = f"at height {epoch.broken_off}, before anybody had shuffled it"
            yield epoch.height, f"height {epoch.height}: a deck was broken off {at}"
        rounds.extend((shuffle, n == 0) for n, shuffle in enumerate(epoch.shuffles))
    evicted = [one.height for one in history.evictions]

    def roster(one: tuple[Shuffle, bool]) -> tuple[object, ...]:
        shuffle, _ = one
        return shuffle.seats, sum(height < shuffle.height for height in evicted)

    for _, group in groupby(rounds, roster):
        yield _shuffled(list(group))


def _shuffled(rounds: Sequence[tuple[Shuffle, bool]]) -> _Dated:
    """Return what was shuffled by the same seats, new decks and cards of decks that were there."""
    (first, _), (last, _) = rounds[0], rounds[-1]
    decks = sum(is_deck for _, is_deck in rounds)
    times = len(rounds) - decks
    done = [f"shuffled {'a deck' if decks == 1 else f'{decks} decks'}"] if decks else []
    done += [f"reshuffled {'once' if times == 1 else f'{times} times'}"] if times else []
    height = f"height {first.height}"
    if first is not last:
        height = f"heights {first.height} to {last.height}"
    text = f"{height}: {seats_named(first.seats)} {joined(done)}"
    if last.broken_off is not None:
        which = "" if first is last else "the last was "
        text = f"{text}, {which}broken off at height {last.broken_off}"
    return first.height, text


def _eviction(judged: JudgedFile, one: Eviction) -> _Dated:
    gone = "; ".join(f"{called(judged, each.seat)}, {_why(each)}" for each in one.evicted)
    votes = f"by the votes of {seats_named(one.voters)}"
    return one.height, f"height {one.height}: left out in round {one.round} {votes}: {gone}"


def _why(one: Evicted) -> str:
    """Return the grounds for leaving out a seat."""
    if one.grounds is None:
        return "on a proof that was not checked"
    codes = [ground for ground in one.grounds if ground != LEFT]
    told = ["who had left"] if LEFT in one.grounds else []
    told += [f"on proof {joined(codes)}"] if codes else []
    return ", ".join(told) or "on nobody's proof"


def _result(judged: JudgedFile, number: int, result: GameResult) -> str:
    winners, *others = result.places
    won = joined([called(judged, seat) for seat in winners])
    text = f"height {result.height}: game {number} was won by {won}"
    text += "".join(f", then {seats_named(seats)}" for seats in others)
    if result.points:
        text += f"; points: {joined([f'{count} for seat {seat}' for seat, count in result.points])}"
    return text


def _found(judged: JudgedFile, names: Sequence[str]) -> Iterator[str]:
    report = judged.report
    for failure in sorted(report.failures, key=lambda one: one.order):
        yield from _failure(judged, failure)
    for fork in report.forks:
        guilty = "nobody is proven guilty"
        if fork.seat is not None:
            guilty = f"{called(judged, fork.seat)} is proven guilty"
        holds = {None: "neither copy holds", True: "this copy holds", False: "that copy holds"}
        other = names[fork.other]
        yield f"fork at height {fork.height} with {other}: {holds[fork.holds]}, {guilty}"
    for cheat in report.cheats:
        yield cheat_line(judged, cheat)
    for seat, what in report.awaited:
        yield f"waits for {called(judged, seat)}: {what}"


def _failure(judged: JudgedFile, failure: Failure) -> Iterator[str]:
    where = "" if failure.height is None else f" at height {failure.height}"
    yield f"{failure.check.value} failed{where}"
    yield f"  expected: {failure.expected}"
    yield f"  found:    {failure.found}"
    if failure.seat is not None:
        yield f"  signed by {called(judged, failure.seat)}"


def _folded(line: str) -> Iterator[str]:
    """Yield a line, folded if it is long; what is folded is indented below it."""
    if len(line) <= LINE_LETTERS_MAX:
        yield line
        return
    indent = " " * (len(line) - len(line.lstrip()))
    yield from wrap(
        line,
        LINE_LETTERS_MAX,
        initial_indent="",
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _counts(report: Report) -> Iterator[str]:
    yield "checks         passed  failed  not run"
    for check in CHECKS:
        count = report.counts[check]
        cells = f"{count.passed:8} {count.failed:7} {count.not_run:8}"
        yield f"{check.value:<13}{cells}"

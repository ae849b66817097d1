"""The gist of a report in three sentences: who won, whether anybody cheated, what was proven.

They stand before everything else that people read of a transcript, at the end of a game as in front
of a report, so they must not say more than the report does. What was proven is counted up to the
first entry that is not in order; whom the verdict names is what the report names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from nodealer.games import joined
from nodealer.kernel import Seat
from nodealer.verify.history import GameResult
from nodealer.verify.judge import JudgedFile
from nodealer.verify.report import Check, Verdict
from nodealer.verify.report_words import CODES, called


@dataclass(frozen=True, slots=True)
class ProvenCounts:
    """The numbers behind what a transcript proves."""

    shuffles: int
    proofs: int
    """Of cards and keys, those of the shuffles among them."""
    countersignatures: int
    steps: int
    signatures: int
    """All of them, those of contributions among them."""


def proven_counts(judged: JudgedFile) -> ProvenCounts:
    """Return how much was proven in a transcript that could be read."""
    report, transcript = judged.report, judged.transcript
    assert transcript is not None, "what cannot be read proves nothing"
    epochs = () if report.history is None else report.history.epochs
    rounds = chain.from_iterable(epoch.shuffles for epoch in epochs)
    believed = transcript.entries[: max(len(judged.believed) - 1, 0)]
    seals = len(transcript.seals) + sum(len(one.certificate.messages) for one in believed)
    return ProvenCounts(
        shuffles=sum(len(one.seats) for one in rounds),
        proofs=report.counts[Check.CRYPTOGRAPHY].passed,
        countersignatures=seals,
        steps=len(believed),
        signatures=report.counts[Check.SIGNATURES].passed,
    )


def gist_of(judged: JudgedFile) -> tuple[str, ...]:
    """Return the sentences; of what is no record of a table there is nothing to say."""
    if judged.agreed is None:
        return ()
    return (_won(judged), _honest(judged), _proven(judged))


def _won(judged: JudgedFile) -> str:
    history = judged.report.history
    results = None if history is None else history.results
    if results is None:
        return "Who won only the rules can say, and they were not applied."
    if results == (None,):
        return "The game is not over: nobody has won yet."
    if len(results) == 1:
        return f"{_upper(_places(judged, results[0]))}."
    told = [f"game {number} {_result(judged, one)}" for number, one in enumerate(results, 1)]
    return f"{_upper('; '.join(told))}."


def _result(judged: JudgedFile, result: GameResult | None) -> str:
    if result is None:
        return "is not over"
    return f"was won by {_seats(judged, result.places[0])}"


def _places(judged: JudgedFile, result: GameResult | None) -> str:
    assert result is not None, "a game that is over has a result"
    winners, *others = result.places
    then = "".join(f", then {_seats(judged, seats)}" for seats in others)
    return f"{_seats(judged, winners)} won{then}"


def _honest(judged: JudgedFile) -> str:
    """Return who cheated, as far as it is proven."""
    report = judged.report
    if report.verdict is Verdict.INVALID:
        at = "" if report.failure is None else f" at height {report.failure.height}"
        if report.culprit is None:
            return f"The record is wrong{at}, and nobody is proven guilty of that."
        return f"The record is wrong{at}, and {called(judged, report.culprit)} is guilty of that."
    if report.cheats:
        told = [f"{called(judged, one.seat)} {CODES[one.code]}" for one in report.cheats]
        return f"Somebody cheated, and that is proven: {'; '.join(told)}."
    if report.verdict is Verdict.UNCHECKED:
        return "Nobody is proven to have cheated, but no move and no proof could be checked."
    is_so_far = " so far" if report.verdict is Verdict.UNFINISHED else ""
    honest = f"Nobody cheated{is_so_far}: every signature, every proof and every move holds"
    unproven = list(_unproven(judged))
    if unproven:
        was = "was" if len(unproven) == 1 else "were"
        return f"{honest}; {joined(unproven)} {was} left out on the word of the others alone."
    return f"{honest}."


def _unproven(judged: JudgedFile) -> Iterator[str]:
    """Yield who was left out on nobody's proof."""
    history = judged.report.history
    for eviction in () if history is None else history.evictions:
        yield from (called(judged, one.seat) for one in eviction.evicted if one.grounds == ())


def _proven(judged: JudgedFile) -> str:
    counts = proven_counts(judged)
    agreed = f"{_count(counts.countersignatures, 'countersignature')} on"
    steps = f"{agreed} {_count(counts.steps, 'step')}"
    if judged.report.history is None or judged.report.history.results is None:
        return f"Checked: {steps}, and that they follow on each other."
    shuffles = _count(counts.shuffles, "shuffle")
    others = _count(counts.proofs - counts.shuffles, "proof")
    until = "" if judged.report.failure is None else ", as far as it holds"
    return (
        f"Proven{until}, by {shuffles} with a proof each, {others} of keys and cards and {steps}:"
        " the deck was whole, each card that was opened is the one that was dealt, and every move"
        " was legal."
    )


def _seats(judged: JudgedFile, seats: Sequence[Seat]) -> str:
    return joined([called(judged, seat) for seat in seats])


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]

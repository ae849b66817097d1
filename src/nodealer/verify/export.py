"""A transcript as plain data, with everything that is in it and what the judge makes of it.

The data are those of the file under the names of their fields; byte strings are hexadecimal. Beside
an entry stand the action, or the answers of seats that were asked in secret; below the first entry
that failed also the events of the game and the sentences that tell them. What is exported can be
read by any program, and proves nothing any more: only the file itself can be verified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from nodealer import __version__
from nodealer.kernel import PeerError, Seat
from nodealer.ledger import VERSION, AuthoredStep, ChainEntry, Entry
from nodealer.table import ANSWERED, Replay, read_action
from nodealer.verify.history import GameResult, History
from nodealer.verify.judge import JudgedFile
from nodealer.verify.report import CHECKS
from nodealer.verify.story import names_of, opened_hands, sentences_of
from nodealer.verify.transcript import FORMAT

PlainData: TypeAlias = Mapping[str, "PlainData"] | Sequence["PlainData"] | str | int | bool | None


def report_data(judged: JudgedFile) -> dict[str, PlainData]:
    """Return the report as programs are told it; what is not known of a file is None."""
    report = judged.report
    counts = {check.value: report.counts[check] for check in CHECKS}
    return {
        "verdict": report.verdict.value,
        "culprit": report.culprit,
        "height": report.height,
        "check": None if report.check is None else report.check.value,
        "checks": {
            check: {"passed": one.passed, "failed": one.failed, "not_run": one.not_run}
            for check, one in counts.items()
        },
        **_table(judged),
        **_history(report.history),
    }


def judged_by() -> dict[str, PlainData]:
    """Return which program judges, and by which versions of the protocol and of the format."""
    return {"nodealer": __version__, "protocol": VERSION, "format": FORMAT}


def exported(judged: JudgedFile) -> dict[str, PlainData]:
    """Return a transcript that could be read as data."""
    transcript, links = judged.transcript, judged.believed
    assert transcript is not None, "what cannot be read has no data"
    names = names_of(judged)
    entries = []
    for number, entry in enumerate(transcript.entries, 1):
        told = _told(links[number], names) if number < len(links) else {}
        acted = _action(entry.content.step) or _answers(entry)
        entries.append({**_object(entry), **acted, **told})
    terms = None if judged.agreed is None else plain(judged.agreed.terms)
    return {
        "format": FORMAT,
        "charter": plain(transcript.charter),
        "terms": terms,
        "seals": plain(transcript.seals),
        "entries": entries,
        "open": [{"message": type(one).__name__, **_object(one)} for one in transcript.open],
        "evidence": plain(transcript.evidence),
        **report_data(judged),
        "judged_by": judged_by(),
    }


def _table(judged: JudgedFile) -> dict[str, PlainData]:
    """Return which table it is, and what was agreed at it if the charter is sound."""
    charter = None if judged.transcript is None else judged.transcript.charter
    table = {"table": None if charter is None else charter.table.hex()}
    if judged.agreed is None:
        return {**table, **dict.fromkeys(("game", "options", "policy", "clock", "seats"))}
    terms = judged.agreed.terms
    keyed = enumerate(zip(terms.names, terms.identities, strict=True))
    return {
        **table,
        "game": {"id": terms.game, "version": terms.version},
        "options": {name: plain(value) for name, value in terms.options},
        "policy": terms.policy,
        "clock": plain(terms.clock),
        "seats": [{"number": seat, "name": name, "key": key.hex()} for seat, (name, key) in keyed],
    }


def _history(history: History | None) -> dict[str, PlainData]:
    if history is None:
        return {"epochs": None, "evictions": None, "results": None}
    results = history.results
    return {
        "epochs": plain(history.epochs),
        "evictions": plain(history.evictions),
        "results": None if results is None else [_result(one) for one in results],
    }


def _result(result: GameResult | None) -> PlainData:
    if result is None:
        return None
    points = dict(result.points)
    ranking: list[PlainData] = [
        {"seat": seat, "place": place, "points": points.get(seat)}
        for place, seats in result.ranked
        for seat in seats
    ]
    return {"height": result.height, "ranking": ranking}


def plain(value: object) -> PlainData:
    """Return a value as data: objects as maps of their fields, bytes as hexadecimal text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, int | str):
        return value
    return _object(value)


def _object(value: object) -> dict[str, PlainData]:
    assert is_dataclass(value), f"a {type(value).__name__} is in no transcript"
    return {one.name: plain(getattr(value, one.name)) for one in fields(value)}


def _action(step: object) -> dict[str, PlainData]:
    if not isinstance(step, AuthoredStep):
        return {}
    try:
        return {"action": _object(read_action(step.action))}
    except PeerError:
        return {"action": None}


def _answers(entry: Entry) -> dict[str, PlainData]:
    """Return what seats have said that were asked in secret, as far as it can be read."""
    answers: list[PlainData] = []
    for one in entry.contributions:
        for _, data in one.payloads:
            try:
                said = ANSWERED.read(data)
            except PeerError:
                continue
            answers.append({"seat": one.seat, **_object(said)})
    return {"answers": answers} if answers else {}


def _told(link: ChainEntry, names: Mapping[Seat, str]) -> dict[str, PlainData]:
    state = link.state
    events = state.position.events if isinstance(state, Replay) else ()
    hands: list[PlainData] = [
        {"seat": seat, "faces": list(faces)} for seat, faces in opened_hands(link).items()
    ]
    sentences = list(sentences_of(link, names))
    return {"events": plain(events), "hands": hands, "sentences": sentences}

"""The offline judge: from the bytes of a file to a verdict, without network, keys or secrets.

    read        the items of the file; what is no transcript is `unreadable`
    found       the charter: keys, names, proofs, seals; and whether its rules are here
    walk        entry by entry, with replay where the rules are installed
    end         what is open behind the last entry
    compare     everything signed with everything else of the same seat
    conclude    one verdict

No input makes the judge raise: whatever a file holds, and whatever rules do while they are
replayed, ends in a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from nodealer.games import AnyGame, registry
from nodealer.kernel import EntryId, Height, LocalError, NodealerError, PeerError, Seat
from nodealer.ledger import (
    NO_PARENT,
    Application,
    Certificate,
    ChainEntry,
    Charter,
    Checker,
    Evidence,
    Ground,
    Leave,
    Signatures,
    Signed,
)
from nodealer.table import Agreed, Setting, begin, check_charter, require_rules, state_of
from nodealer.verify.contradictions import (
    NotReplayed,
    contradictions,
    judge_evidence,
)
from nodealer.verify.ending import take_in
from nodealer.verify.history import history_of
from nodealer.verify.report import (
    CHECKS,
    Check,
    Failure,
    Report,
    Tally,
    Verdict,
)
from nodealer.verify.transcript import Transcript, read_transcript
from nodealer.verify.walk import Walk

FindGame = Callable[[str, int], AnyGame]
"""Returns the rules of a game by its id and version."""

Watch = Callable[[int, int], None]
"""Told after every entry how many were checked, and of how many."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The facts that somebody knows of a table from elsewhere: its id, and keys by seat."""

    table: bytes | None = None
    keys: Mapping[int, bytes] = field(default_factory=dict)


NOTHING_EXPECTED: Final = Expected()


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """The report on a file, and what of its history was walked, for comparing and replaying."""

    report: Report
    transcript: Transcript | None = None
    agreed: Agreed | None = None
    tip: ChainEntry | None = None
    believed: tuple[ChainEntry, ...] = ()
    """From the charter up to the entry before the first that failed: all that may be told."""
    signed: tuple[Signed, ...] = ()


def judge_bytes(
    data: bytes,
    expected: Expected = NOTHING_EXPECTED,
    find_game: FindGame = registry.game,
    watch: Watch = lambda _, __: None,
    *,
    is_told: bool = False,
) -> JudgedFile:
    """Return what is to be said of the bytes of a file.

    Who tells all of it asks for the state after every entry, and has all of them kept.
    """
    try:
        transcript = read_transcript(data)
    except PeerError as error:
        return unreadable(str(error))
    return _judged(transcript, expected, find_game, watch, is_told=is_told)


def unreadable(found: str) -> JudgedFile:
    """Return the report on what cannot be read."""
    tally = Tally()
    for check in CHECKS[1:]:
        tally.not_run(check)
    tally.failed(Failure(Check.STRUCTURE, None, "a transcript of a table", found))
    report = Report(Verdict.UNREADABLE, None, tally.counts, tuple(tally.failures))
    return JudgedFile(report)


def _judged(
    transcript: Transcript,
    expected: Expected,
    find_game: FindGame,
    watch: Watch,
    *,
    is_told: bool,
) -> JudgedFile:
    """Return what is to be said of a transcript that could be read."""
    tally = Tally()
    tally.passed(Check.STRUCTURE, transcript.items)
    founded = _found(transcript.charter, expected, find_game, tally)
    if founded.checker is None:
        return _hopeless(transcript, tally)
    walk = Walk(transcript.charter, founded.state, founded.checker, tally, is_told=is_told)
    is_sealed = _seal(walk, transcript)
    for number, entry in enumerate(transcript.entries, 1):
        walk.enter(entry)
        watch(number, len(transcript.entries))
    held = _held(walk, walk.grounds)
    links, before = _unbroken(walk), len(walk.grounds)
    ledger, proven = take_in(walk, transcript.open)
    brought = [(evidence.height, evidence) for evidence in transcript.evidence]
    held += _held(walk, [*walk.grounds[before:], *brought])
    cheats = _cheats(walk, [*held, *proven])
    waits = () if ledger is None else ledger.reading().waits
    waited_for = tuple((one.seat, one.over_tip) for one in waits)
    if not is_sealed:
        lacking = set(transcript.charter.seats) - {seal.seat for seal in transcript.seals}
        waited_for = tuple((seat, "seal of the charter") for seat in sorted(lacking))
    verdict = _verdict(walk, founded, is_sealed=is_sealed)
    notes = founded.notes
    if ledger is not None and ledger.tip.height > walk.tip.height:
        notes = (*notes, f"what is open completes the entries up to height {ledger.tip.height}")
    report = Report(
        verdict=verdict,
        height=_height(tally, walk.tip.height),
        counts=tally.counts,
        failures=tuple(tally.failures),
        cheats=cheats,
        awaited=waited_for if verdict is Verdict.UNFINISHED else (),
        notes=notes,
        history=history_of(links, grounds_of(walk.signed, cheats), walk.results) if links else None,
    )
    signed = tuple(walk.signed)
    return JudgedFile(report, transcript, founded.agreed, walk.tip, tuple(links), signed)


# The charter.


@dataclass(frozen=True, slots=True)
class _Founded:
    agreed: Agreed | None
    checker: Checker | None
    state: Application | None
    is_installed: bool
    notes: tuple[str, ...] = ()


def _found(
    charter: Charter,
    expected: Expected,
    find_game: FindGame,
    tally: Tally,
) -> _Founded:
    _expect(charter, expected, tally)
    try:
        checker = Signatures(charter.keys)
        tally.passed(Check.IDENTITY, len(charter.keys))
    except PeerError as error:
        tally.failed(Failure(Check.IDENTITY, 0, "keys that can sign", str(error)))
        return _Founded(None, None, None, is_installed=True)
    try:
        agreed = check_charter(charter)
    except PeerError as error:
        is_proof = error.slug.startswith("proof/")
        check = Check.CRYPTOGRAPHY if is_proof else Check.IDENTITY
        tally.failed(Failure(check, 0, "a charter that is sound", str(error)))
        return _Founded(None, checker, None, is_installed=True)
    tally.passed(Check.IDENTITY)
    tally.passed(Check.CRYPTOGRAPHY, len(charter.keys))
    return _with_rules(agreed, checker, find_game, tally)


def _expect(charter: Charter, expected: Expected, tally: Tally) -> None:
    if expected.table is not None:
        _same(tally, "table", expected.table, charter.table)
    for seat, key in sorted(expected.keys.items()):
        found = charter.keys[seat] if seat < len(charter.keys) else b""
        _same(tally, f"key of seat {seat}", key, found)


def _same(tally: Tally, what: str, expected: bytes, found: bytes) -> None:
    if expected == found:
        tally.passed(Check.IDENTITY)
    else:
        told = f"{what} {found.hex()}" if found else f"no {what}"
        tally.failed(Failure(Check.IDENTITY, 0, f"{what} {expected.hex()}", told))


def _with_rules(agreed: Agreed, checker: Checker, find_game: FindGame, tally: Tally) -> _Founded:
    terms = agreed.terms
    try:
        game = find_game(terms.game, terms.version)
    except LocalError as error:
        return _Founded(agreed, checker, None, is_installed=False, notes=(error.detail,))
    try:
        require_rules(agreed.terms, game)
        state = begin(Setting(agreed, game))
        state.due()
    except Exception as error:  # noqa: BLE001 - whatever rules do, the judge goes on
        found = str(error) if isinstance(error, NodealerError) else repr(error)
        tally.failed(Failure(Check.RULES, 0, "terms that the rules can be played by", found))
        return _Founded(agreed, checker, None, is_installed=True)
    tally.passed(Check.RULES)
    return _Founded(agreed, checker, state, is_installed=True)


def _seal(walk: Walk, transcript: Transcript) -> bool:
    """Check the seals of the charter; say whether all are there."""
    table = EntryId(walk.charter.table)
    seals = transcript.seals
    for seal in seals:
        place = (seal.table, seal.height, seal.parent, seal.entry, seal.rank)
        if walk.is_signed(seal, 0):
            if place == (seal.table, Height(0), NO_PARENT, table, 0):
                walk.tally.passed(Check.CHAIN)
            else:
                is_bound = seal.parent == NO_PARENT
                seat = seal.seat if is_bound else None
                expected = f"a seal of seat {seal.seat} on the charter"
                walk.fail(Check.CHAIN, expected, "a seal of something else", seat=seat, height=0)
    seats = tuple(seal.seat for seal in seals)
    if seats == walk.charter.seats:
        walk.tally.passed(Check.COMPLETENESS)
        walk.found(Certificate(table, 0, seals=seals))
        return True
    is_part = seats == tuple(sorted(set(seats))) and set(seats) < set(walk.charter.seats)
    if is_part and not transcript.entries:
        walk.tally.passed(Check.COMPLETENESS)
        return False
    walk.fail(
        Check.COMPLETENESS, "a charter sealed by every seat", f"seals of {list(seats)}", height=0
    )
    return False


# Evidence.


def _held(walk: Walk, claimed: Iterable[tuple[int, Evidence]]) -> list[Evidence]:
    """Judge evidence, each with the height at which it fails; return what holds.

    The lowest comes first: so states that were forgotten are made again once, on the way up.
    """
    signed: list[tuple[int, Evidence]] = []
    for height, evidence in claimed:
        if [one for one in evidence.messages if not walk.is_signed(one, height)]:
            walk.tally.not_run(Check.LIVENESS)
        else:
            signed.append((height, evidence))
    held: list[Evidence] = []
    for height, evidence in sorted(signed, key=lambda one: one[1].messages[0].height):
        try:
            judge_evidence(evidence, walk.known, walk.checker)
        except PeerError as error:
            expected = f"evidence against seat {evidence.seat} that holds"
            walk.fail(Check.LIVENESS, expected, str(error), height=height)
        except NotReplayed:
            walk.tally.not_run(Check.LIVENESS)
        else:
            walk.tally.passed(Check.LIVENESS)
            held.append(evidence)
    return held


def _cheats(walk: Walk, proven: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return all that is proven, one for a seat and code, the lowest height first."""
    cheats: dict[tuple[Seat, str], Evidence] = {}
    for evidence in (*proven, *contradictions(walk.signed, tuple(walk.known.links.values()))):
        known = cheats.setdefault((evidence.seat, evidence.code), evidence)
        if evidence.height < known.height:
            cheats[evidence.seat, evidence.code] = evidence
    return tuple(sorted(cheats.values(), key=lambda one: (one.height, one.seat, one.code)))


# The history.


def _unbroken(walk: Walk) -> list[ChainEntry]:
    """Return the links below the first failure, from the charter up; none if that is broken."""
    first = walk.tally.first
    end = walk.tip.height + 1 if first is None else first.height or 0
    return [link for link in walk.tip.downwards() if link.height < end][::-1]


def grounds_of(signed: Iterable[Signed], cheats: Iterable[Evidence]) -> list[Ground]:
    """Return what a record shows of seats: leaves, and evidence that holds."""
    return [*(one for one in signed if isinstance(one, Leave)), *cheats]


# The verdict.


def _verdict(walk: Walk, founded: _Founded, *, is_sealed: bool) -> Verdict:
    if walk.tally.failures:
        return Verdict.INVALID
    if not founded.is_installed:
        return Verdict.UNCHECKED
    is_closed = is_sealed and state_of(walk.tip).position.is_closed
    return Verdict.COMPLETE if is_closed else Verdict.UNFINISHED


def _height(tally: Tally, tip: int) -> int | None:
    return tip if tally.first is None else tally.first.height


def _hopeless(transcript: Transcript, tally: Tally) -> JudgedFile:
    """Return the report on a file whose keys cannot have signed anything."""
    for check in CHECKS:
        if check not in (Check.STRUCTURE, Check.IDENTITY):
            tally.not_run(check)
    report = Report(Verdict.INVALID, 0, tally.counts, tuple(tally.failures))
    return JudgedFile(report, transcript)

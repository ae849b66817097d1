"""The fields of what is shown where no table is: the home, a lobby, the verdict on a file.

Whoever has a home makes these values of what it knows; words of marks, stages and people come with
them, ready to be shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from nodealer.dialogue.texts import Fields
from nodealer.games import AnyGame, JsonValue, Option, Plain
from nodealer.kernel import Bug, Reason, Seat
from nodealer.show import first_sentence
from nodealer.verify import CHECKS, JudgedFile, lines_of

LISTED_MAX: Final = 40
"""Tables and people of whom a page is told; the newest come first."""

VERDICT_LINES_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class TableListed:
    """A table or a lobby of the player: its mark, what is played with whom, how it stands."""

    mark: str
    game: str
    players: str
    stands: str
    is_lobby: bool = False
    is_over: bool = False
    when: str = ""
    """The day on which something happened there last."""


@dataclass(frozen=True, slots=True)
class PersonListed:
    """Somebody whom the player knows: the words of the key, and what is known."""

    name: str
    words: str
    says: str


@dataclass(frozen=True, slots=True)
class ClockListed:
    """A clock that a host can choose, and what it says in words."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class PolicyListed:
    """A policy that a game may have, and what becomes of a round by it."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class HomeShown:
    """The things that a player finds at home."""

    name: str
    games: tuple[AnyGame, ...]
    tables: tuple[TableListed, ...] = ()
    people: tuple[PersonListed, ...] = ()
    problem: str = ""
    clocks: tuple[ClockListed, ...] = ()
    policies: tuple[PolicyListed, ...] = ()
    invite: str = field(default="", repr=False)
    """One that was given already, and is to be used under another name."""


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """A seat of a lobby: who has it, who that is to the player, and whether it has accepted."""

    name: str
    says: str = ""
    words: str = ""
    is_you: bool = False
    has_accepted: bool = False
    is_program: bool = False
    """Whether its player has said that a program plays."""
    is_suspect: bool = False


@dataclass(frozen=True, slots=True)
class SaidInLobby:
    """Something that somebody says in a lobby; the mark is that of the key."""

    name: str
    mark: str
    number: int
    text: str
    is_you: bool = False


@dataclass(frozen=True, slots=True)
class TermShown:
    """A term of an offer, and what it was in the offer before, if that was another."""

    name: str
    value: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class OpenTerms:
    """The terms that a host can change: the game with what is chosen of it now, and the clocks."""

    rules: AnyGame
    seats: int
    options: Mapping[str, Plain]
    clock: str
    policy: str
    clocks: tuple[ClockListed, ...]
    policies: tuple[PolicyListed, ...]


@dataclass(frozen=True, slots=True)
class LobbyShown:
    """A lobby as its host or a guest sees it; `invite` is there for the host alone."""

    mark: str
    game: str
    is_host: bool
    offer: int
    headline: str
    seats: tuple[SeatOffered, ...] = ()
    terms: tuple[TermShown, ...] = ()
    may_accept: bool = False
    may_start: bool = False
    may_take_back: bool = False
    """Whether the player has said yes, and nothing is founded yet."""
    squares: tuple[str, ...] = field(default=(), repr=False)
    """The invite as a QR code, row by row: 1 is dark, 0 is light."""
    invite: str = field(default="", repr=False)
    watch_invite: str = field(default="", repr=False)
    rules: str = ""
    warnings: tuple[str, ...] = ()
    """What has to be known before a yes."""
    news: tuple[str, ...] = ()
    """What has happened here, the newest last."""
    compared: str = ""
    """The words that all who have a seat compare aloud, once they are drawn."""
    chat: tuple[SaidInLobby, ...] = ()
    """What was said here, the newest last."""
    changeable: OpenTerms | None = None


@dataclass(frozen=True, slots=True)
class VerdictShown:
    """The verdict on a file, as a process of its own has found it."""

    name: str
    verdict: str
    says: tuple[str, ...]
    checks: tuple[tuple[str, int, int, int], ...]
    """Each class of checks with how many passed, failed, and were not run."""
    culprit: str | None = None


def verdict_on(name: str, judged: JudgedFile) -> VerdictShown:
    """Return the verdict on a file as a page is shown it."""
    report = judged.report
    counts = [(check.value, report.counts[check]) for check in CHECKS]
    says = tuple(lines_of(name, judged, [name]))[:VERDICT_LINES_MAX]
    return VerdictShown(
        name=name,
        verdict=report.verdict.value,
        says=says,
        checks=tuple((check, one.passed, one.failed, one.not_run) for check, one in counts),
        culprit=None if report.culprit is None else _called(judged, report.culprit),
    )


def _called(judged: JudgedFile, seat: Seat) -> str:
    return f"seat {seat}" if judged.agreed is None else judged.agreed.terms.names[seat]


def home_fields(shown: HomeShown) -> Fields:
    """Return the fields of `home`."""
    return {
        "name": shown.name,
        "games": [_game(rules) for rules in shown.games],
        "clocks": _named(shown.clocks),
        "policies": _named(shown.policies),
        "tables": [
            {
                "mark": one.mark,
                "game": one.game,
                "players": one.players,
                "stands": one.stands,
                "is_lobby": one.is_lobby,
                "is_over": one.is_over,
                "when": one.when,
            }
            for one in shown.tables[:LISTED_MAX]
        ],
        "people": [
            {"name": one.name, "words": one.words, "says": one.says}
            for one in shown.people[:LISTED_MAX]
        ],
        "problem": shown.problem,
    }


def lobby_fields(shown: LobbyShown) -> Fields:
    """Return the fields of `lobby`; the rules are asked for."""
    return {
        "mark": shown.mark,
        "game": shown.game,
        "is_host": shown.is_host,
        "offer": shown.offer,
        "headline": shown.headline,
        "seats": [
            {
                "name": one.name,
                "says": one.says,
                "words": one.words,
                "is_you": one.is_you,
                "has_accepted": one.has_accepted,
                "is_program": one.is_program,
                "is_suspect": one.is_suspect,
            }
            for one in shown.seats
        ],
        "terms": [
            {"name": one.name, "value": one.value, "before": one.before} for one in shown.terms
        ],
        "may_accept": shown.may_accept,
        "may_start": shown.may_start,
        "may_take_back": shown.may_take_back,
        "warnings": list(shown.warnings),
        "news": list(shown.news),
        "compared": shown.compared,
        "chat": [
            {
                "name": one.name,
                "mark": one.mark,
                "number": one.number,
                "text": one.text,
                "is_you": one.is_you,
            }
            for one in shown.chat
        ],
        "changeable": None if shown.changeable is None else _changeable(shown.changeable),
    }


def invite_fields(shown: LobbyShown) -> Fields:
    """Return the lines by which a host invites; they are long, and made by this program."""
    return {
        "invite": shown.invite,
        "watch_invite": shown.watch_invite,
        "squares": list(shown.squares),
    }


def verdict_fields(shown: VerdictShown) -> Fields:
    """Return the fields of `verdict`."""
    return {
        "name": shown.name,
        "verdict": shown.verdict,
        "says": list(shown.says),
        "checks": [
            {"check": check, "passed": passed, "failed": failed, "not_run": not_run}
            for check, passed, failed, not_run in shown.checks
        ],
        "culprit": shown.culprit,
    }


def read_verdict(text: str) -> VerdictShown:
    """Return the verdict that another process of this program has written by its fields."""
    match json.loads(text):
        case {
            "name": str() as name,
            "verdict": str() as verdict,
            "says": [*says],
            "checks": [*checks],
            "culprit": None | str() as culprit,
        }:
            counted = tuple(_count_read(one) for one in checks)
            return VerdictShown(name, verdict, tuple(map(str, says)), counted, culprit)
        case other:
            raise Bug(Reason.LOCAL_ARGUMENT, f"no verdict: {other!r}")


def _count_read(fields: JsonValue) -> tuple[str, int, int, int]:
    match fields:
        case {
            "check": str() as check,
            "passed": int() as passed,
            "failed": int() as failed,
            "not_run": int() as not_run,
        }:
            return check, passed, failed, not_run
        case other:
            raise Bug(Reason.LOCAL_ARGUMENT, f"no count of checks: {other!r}")


def _changeable(terms: OpenTerms) -> Fields:
    return {
        "game": _game(terms.rules, terms.options),
        "seats": terms.seats,
        "clock": terms.clock,
        "policy": terms.policy,
        "clocks": _named(terms.clocks),
        "policies": _named(terms.policies),
    }


def _named(known: Sequence[ClockListed | PolicyListed]) -> JsonValue:
    return [{"name": one.name, "says": one.says} for one in known]


def _game(rules: AnyGame, chosen: Mapping[str, Plain] = MappingProxyType({})) -> Fields:
    """Return the fields of a game; the value of an option is the usual one, or the chosen one."""
    return {
        "id": rules.id,
        "title": rules.title,
        "says": first_sentence(rules.rules()),
        "seats": list(rules.seats),
        "policies": list(rules.policies),
        "options": [_option(one, chosen.get(one.name, one.default)) for one in rules.options],
    }


def _option(option: Option, value: Plain) -> Fields:
    assert isinstance(value, bool | int | str), "options of games are plain"
    return {
        "name": option.name,
        "says": option.text,
        "default": value,
        "choices": list(_choices(option)),
        "least": option.minimum,
        "most": option.maximum,
    }


def _choices(option: Option) -> Iterator[str]:
    yield from option.choices or option.examples

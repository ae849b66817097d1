"""The tally of simulated games: each is told, its transcript kept, and all of them summed up."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Final

from nodealer.cli.output import Json, complain, emit_json, emit_text, show_step
from nodealer.games import registry
from nodealer.lab import LIBP2P, MEMORY, REAL_FAULTS
from nodealer.lab.fleet import Played, Task, order_of
from nodealer.sim import GameRecord, expected_names, features_of, plan_of

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fault": "faults",
        "lie": "behaviours",
        "evidence": "evidence",
        "game": "game",
        "table": "table",
        "verdict": "verdicts",
    }
)
"""The first word of a count, and what the summary calls its group."""

ROW: Final = "{:>8}  {:>6}  {:<10}  {:<20}  {:>7}  {}"

BAR: Final = 30

WIDTH: Final = 98

MARGIN: Final = 20
"""No terminal is taken to be narrower."""

TEXT_MAX: Final = 20
"""Violations of one game that are told in text; behind them they are only counted."""


class UnwritableError(Exception):
    """A transcript that could not be kept; the text says why."""


@dataclass(slots=True)
class GameTally:
    """The sum of all games so far."""

    games: int = 0
    failed: list[Task] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, one: Played) -> None:
        """Add a game."""
        self.games += 1
        if one.has_failed:
            self.failed.append(one.task)
        if one.record is not None:
            self.counts.update(dict(one.record.counts))


def command(task: Task) -> str:
    """Return the command that plays a game again."""
    words = ["nodealer", "simulate", task.game]
    words += ["--players", str(task.players), "--games", "1", "--seed", str(task.seed)]
    words += ["--faults", task.faults]
    for name, value in task.options:
        words += ["--option", f"{name}={_option(value)}"]
    if task.policy is not None:
        words += ["--policy", task.policy]
    if task.transport != MEMORY:
        words += ["--transport", task.transport]
    if not task.is_sharing:
        words.append("--no-share")
    return shlex.join(words)


def _option(value: int | str | bool) -> str:  # noqa: FBT001 - the value of an option
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# Games.


def tell(one: Played, place: Path | None, *, as_json: bool) -> None:
    """Tell of a game, and of what was wrong with it."""
    if as_json:
        emit_json(_object(one, place))
    elif one.record is not None:
        emit_text(_row(one, one.record))
    sys.stdout.flush()
    if not one.has_failed:
        return
    show_step("")
    complain(f"the game with seed {one.task.seed} failed:", *_failures(one))
    complain(f"to play it again: {command(one.task)}")


def _failures(one: Played) -> Iterable[str]:
    if one.record is None:
        return one.error.splitlines()
    found = one.record.violations
    told = [f"  {each.invariant}: {each.detail}" for each in found[:TEXT_MAX]]
    return told if len(found) <= TEXT_MAX else [*told, f"  and {len(found) - TEXT_MAX} more"]


def _object(one: Played, place: Path | None) -> Json:
    task, record = one.task, one.record
    told: dict[str, Json] = {
        "game": task.game,
        "players": task.players,
        "seed": task.seed,
        "table": None if record is None else record.table,
        "height": None if record is None else record.height,
        "result": None if record is None else _result(record),
        "transcript": None if place is None else str(place),
        "cpu_ms": one.cpu_ms,
        "wall_ms": one.wall_ms,
        "verdict": None if record is None else record.verdict,
        "culprit": None if record is None else record.culprit,
        "violations": _violations(one),
    }
    if record is not None and record.behaviour is not None:
        told["behaviour"] = record.behaviour
    return told


def _violations(one: Played) -> list[Json]:
    if one.record is None:
        return [{"invariant": "no error", "detail": one.error.splitlines()[-1]}]
    return [{"invariant": each.invariant, "detail": each.detail} for each in one.record.violations]


def _result(record: GameRecord) -> Json:
    if record.places is None:
        return None
    points = {str(seat): count for seat, count in record.points}
    return {"places": [[*map(int, place)] for place in record.places], "points": points}


def _row(one: Played, record: GameRecord) -> str:
    places = record.places or ()
    result = " ".join("=".join(map(str, place)) for place in places)
    lie = f"{record.behaviour} " if record.behaviour is not None else ""
    culprit = "" if record.culprit is None else f"(seat {record.culprit} is proven false)"
    return ROW.format(
        record.seed, record.height, record.verdict, result, one.wall_ms / 1000, lie + culprit
    ).rstrip()


def keep(one: Played, directory: Path | None) -> Path | None:
    """Write the transcript of a game, whole or not at all."""
    if directory is None or one.record is None:
        return None
    record = one.record
    place = directory / f"{record.game}-{record.players}p-{record.seed}.ndt"
    try:
        unfinished = directory / f".{place.name}.{os.getpid()}"
        unfinished.write_bytes(record.transcript)
        unfinished.replace(place)
    except OSError as error:
        raise UnwritableError(f"{place} cannot be written: {error.strerror}") from error
    return place


# The summary.


def sum_up(found: GameTally, tasks: Sequence[Task], *, as_json: bool) -> None:
    """Tell what all games have come to; what could have come up and did not is told too."""
    counts = dict.fromkeys(_expected(tasks), 0) | found.counts
    groups: dict[str, dict[str, int]] = {}
    for name in sorted(counts):
        group, _, what = name.partition(" ")
        groups.setdefault(GROUPS[group], {})[what] = counts[name]
    show_step("")
    if as_json:
        emit_json(
            {"summary": True, "games": found.games, "failed": len(found.failed), "counts": groups}
        )
        return
    emit_text(f"\n{_games(found.games)}, {len(found.failed)} failed")
    for group, named in groups.items():
        there = [f"{what} {count}" for what, count in named.items() if count]
        missing = [what for what, count in named.items() if not count]
        emit_text(_wrapped(f"{group}: {', '.join(there) or 'none'}"))
        if missing:
            emit_text(_wrapped(f"  never: {', '.join(missing)}"))


def _expected(tasks: Sequence[Task]) -> Iterable[str]:
    first = tasks[0]
    if first.transport == LIBP2P:
        return REAL_FAULTS[first.faults]
    rules = registry.game(first.game)
    features = features_of(rules, first.players, dict(first.options))
    order = order_of(first)  # looking for a game anew costs as much as a short one takes
    plans = [plan_of(replace(order, seed=task.seed)) for task in tasks]
    return expected_names(first.faults, first.players, features, rules.milestones(), plans)


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _wrapped(text: str) -> str:
    width = min(WIDTH, _columns()) if sys.stdout.isatty() else WIDTH
    return textwrap.fill(text, width, subsequent_indent="    ", drop_whitespace=True)


def watched(games: Iterable[Played], of: int, found: GameTally) -> Iterator[Played]:
    """Yield games, and draw on a terminal how many there were."""
    started = monotonic()
    _draw_bar(found, of, started)
    for one in games:
        yield one
        _draw_bar(found, of, started)
    show_step("")


def _draw_bar(found: GameTally, of: int, started: float) -> None:
    done, passed = found.games, monotonic() - started
    filled = done * BAR // of
    left = f", {passed / done * (of - done):.0f} s left" if done else ""
    bar = f"[{'#' * filled}{' ' * (BAR - filled)}] {done} of {of}, {len(found.failed)} failed{left}"
    show_step(bar[: _columns()])


def _columns() -> int:
    return max(MARGIN, shutil.get_terminal_size().columns - 1)

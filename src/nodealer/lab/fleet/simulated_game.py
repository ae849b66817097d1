"""One simulated game, played and timed: what is asked of a worker, and its answer.

Both are plain data, so that they pass between processes. A game in which something raises is a game
that failed: it is told with its seed like any other, and the others go on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from types import MappingProxyType
from typing import Final

from nodealer.games import Options, registry
from nodealer.lab import LIBP2P, MEMORY
from nodealer.sim import GameRecord, Order, play, record_of


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played."""

    game: str
    players: int
    seed: int
    options: tuple[tuple[str, int | str | bool], ...]
    policy: str | None
    faults: str
    is_sharing: bool
    transport: str = MEMORY


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a game, and how long it took; without a record, what went wrong."""

    task: Task
    record: GameRecord | None
    error: str
    cpu_ms: int
    wall_ms: int

    @property
    def has_failed(self) -> bool:
        """Whether something that must hold did not."""
        return self.record is None or bool(self.record.violations)


def play_task(task: Task) -> Played:
    """Play a game and measure it."""
    wall, cpu = perf_counter(), _cpu()
    record, error = None, ""
    try:
        order = order_of(task)
        record = _PLAY[task.transport](order)
    except Exception:  # noqa: BLE001 - whatever it is, it is told with the seed; other games go on
        error = traceback.format_exc()
    return Played(task, record, error, _ms(_cpu() - cpu), _ms(perf_counter() - wall))


def _simulated(order: Order) -> GameRecord:
    return record_of(order, play(order))


def _played_for_real(order: Order) -> GameRecord:
    # It loads the network, which simulated games do not need.
    from nodealer.lab.processes.real_game import played_for_real  # noqa: PLC0415 - as said

    return played_for_real(order)


_PLAY: Final[Mapping[str, Callable[[Order], GameRecord]]] = MappingProxyType(
    {MEMORY: _simulated, LIBP2P: _played_for_real}
)


def order_of(task: Task) -> Order:
    """Return what is to be simulated."""
    options: Options = dict(task.options)
    return Order(
        game=registry.game(task.game),
        seats=task.players,
        seed=task.seed,
        options=options,
        policy=task.policy,
        faults=task.faults,
        is_sharing=task.is_sharing,
    )


def lost(task: Task, error: str) -> Played:
    """Return what is known of a game whose process has ended."""
    return Played(task, None, error, 0, 0)


def _cpu() -> float:
    """Return the processor time of this process and of those that it has started and outlived."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _ms(seconds: float) -> int:
    return round(seconds * 1000)

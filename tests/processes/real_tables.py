"""Tables whose seats are processes, for tests, and what they must have come to."""

from __future__ import annotations

from pathlib import Path

import trio

from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.lab.processes.real_game import PATIENT, entry_ids
from nodealer.lab.processes.real_processes import Kill, Processes
from nodealer.lab.processes.real_table import RealTable, found_table
from nodealer.ledger import Clock
from nodealer.sim.game import Order, play
from nodealer.store.transcripts import transcript
from nodealer.verify import JudgedFile, judge_bytes


def order_of(players: int, seed: int, clock: Clock = PATIENT) -> Order:
    return Order(game("macaua"), players, seed, clock=clock)


def in_memory(order: Order) -> list[bytes]:
    """Return the ids of the entries that the same order leads to in memory, the last first."""
    return entry_ids(play(order).tip)


def processes_of(
    order: Order, home: Path, kills: list[Kill] | None = None, stalled_seconds: float = 180
) -> Processes:
    """Play a table whose seats are processes, to its end."""
    processes = Processes(found_table(order, home), kills or [], stalled_seconds)
    trio.run(processes.run)
    return processes


def judged_at(table: RealTable, seat: int) -> JudgedFile:
    """Return what the judge says of a seat's journal."""
    return judge_bytes(transcript(table.journal(Seat(seat))))


def ids_at(table: RealTable, seat: int) -> list[bytes]:
    tip = judged_at(table, seat).tip
    assert tip is not None
    return entry_ids(tip)

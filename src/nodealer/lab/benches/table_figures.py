"""The figures of a table: what countersigning costs, and how long a deal takes.

    transition    CPU of a committed transition of four peers, in bare costs of its signatures:
                  the countersigning alone, and a whole move of Macaua with its cards and rules
    memory        bytes that a seat keeps of an entry, its own bytes included, and these alone
    verifying     the time to judge the transcript of a game of four with 200 moves
    deal          one-way delays from the sealed charter until the first move can leave, and the
                  CPU of all peers together
    hands         CPU of what becomes of a hand of seven at a table of four: a claim that is denied,
                  a restack, a question to the three others, for each seat; a theft, for all

Times are CPU times of this process. Quotients are of figures taken right after one another.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Final

from nodealer.kernel import SEATS_MAX, SEATS_MIN, Chance
from nodealer.lab.benches.bench_hands import HandFigures, measure_hands
from nodealer.lab.benches.bench_ledger import (
    SEATS,
    TRANSITIONS,
    signatures,
    transition_over_signatures,
)
from nodealer.lab.benches.bench_memory import Growth, measure_growth
from nodealer.lab.benches.bench_play import Lockstep, lockstep, signers
from nodealer.lab.benches.bench_verify import Verified, measure_verify
from nodealer.lab.benches.deck_figures import Step, unit_seconds

GAMES_MEASURED: Final = 3
ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Dealt:
    """The first deal of a table."""

    seats: int
    delays: int
    ms: float


@dataclass(frozen=True, slots=True)
class TableFigures:
    """Everything measured."""

    m_us: float
    transition: float
    move: float
    growth: Growth
    verified: Verified
    deals: tuple[Dealt, ...]
    hands: HandFigures


def measure_table(step: Step) -> TableFigures:
    """Measure everything, and tell each step."""
    step("countersigning")
    transition = transition_over_signatures()
    step("moves")
    move = _move_over_signatures()
    step("memory")
    growth = measure_growth()
    step("a game to verify")
    verified = measure_verify()
    deals = []
    for seats in range(SEATS_MIN, SEATS_MAX + 1):
        step(f"a deal of {seats}")
        deals.append(_dealt(seats))
    step("hands")
    hands = measure_hands()
    return TableFigures(
        median(unit_seconds() for _ in range(ROUNDS)) * 1e6,
        transition,
        move,
        growth,
        verified,
        tuple(deals),
        hands,
    )


def _move_over_signatures() -> float:
    """Return the cost of moves that are one entry each, in bare costs of their signatures."""
    quotients = []
    for number in range(GAMES_MEASURED):
        made = lockstep(SEATS, f"moves {number}")
        made.deal()
        made.settle()
        chance, took = Chance("bench", number), []
        while made.on_turn is not None:
            seconds, is_single = made.move(made.choose(chance))
            took.extend([seconds] if is_single else [])
        quotients.append(sum(took) / len(took) / _bare(made))
    return median(quotients)


def _bare(made: Lockstep) -> float:
    gc.collect()
    start = process_time()
    for _ in range(TRANSITIONS):
        signatures(signers(made))
    return (process_time() - start) / TRANSITIONS


def _dealt(seats: int) -> Dealt:
    made = lockstep(seats, "deal")
    gc.collect()
    start = process_time()
    delays = made.deal()
    return Dealt(seats, delays, (process_time() - start) * 1e3)

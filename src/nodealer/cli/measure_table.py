"""The figures of `nodealer bench table`: what countersigning costs, and how long a deal takes.

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

import argparse
import gc
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Final

from nodealer.cli.bench_deck import unit_seconds
from nodealer.cli.bench_hands import HandFigures, measure_hands
from nodealer.cli.bench_ledger import SEATS, TRANSITIONS, signatures, transition_over_signatures
from nodealer.cli.bench_memory import Growth, measure_growth
from nodealer.cli.bench_play import Lockstep, lockstep, signers
from nodealer.cli.bench_verify import Verified, measure_verify
from nodealer.cli.output import Json, emit_json, emit_table, show_step
from nodealer.kernel import SEATS_MAX, SEATS_MIN, Chance

GAMES_MEASURED: Final = 3
ROUNDS: Final = 5
KEPT_TO_REACH: Final = 4096


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


def run(args: argparse.Namespace) -> int:
    """Measure and report."""
    figures = measure()
    show_step("")
    if args.json:
        emit_json(_as_json(figures))
    else:
        _show(figures)
    return 0


def measure() -> TableFigures:
    """Return all figures."""
    show_step("countersigning")
    transition = transition_over_signatures()
    show_step("moves")
    move = _move_over_signatures()
    show_step("memory")
    growth = measure_growth()
    show_step("a game to verify")
    verified = measure_verify()
    deals = []
    for seats in range(SEATS_MIN, SEATS_MAX + 1):
        show_step(f"a deal of {seats}")
        deals.append(_dealt(seats))
    show_step("hands")
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


def _as_json(figures: TableFigures) -> Json:
    return {
        "schema": 1,
        "m_us": round(figures.m_us, 3),
        "tx_total_over_signatures": round(figures.transition, 2),
        "move_total_over_signatures": round(figures.move, 2),
        "kept_bytes_an_entry": figures.growth.kept,
        "written_bytes_an_entry": figures.growth.written,
        "verify_game_ms": round(figures.verified.ms, 1),
        "verify_moves": figures.verified.moves,
        "verify_entries": figures.verified.entries,
        "verify_bytes": figures.verified.size,
        "claim_ms": round(figures.hands.claim, 2),
        "restack_ms": round(figures.hands.restack, 2),
        "steal_ms": round(figures.hands.steal, 2),
        "window_ms": round(figures.hands.window, 2),
        "deal_delays": {str(deal.seats): deal.delays for deal in figures.deals},
        "growth_seats": [
            {"seats": deal.seats, "deal_ms": round(deal.ms, 1), "deal_delays": deal.delays}
            for deal in figures.deals
        ],
    }


def _show(figures: TableFigures) -> None:
    emit_table(
        [
            ("", "measured", "to reach"),
            ("one multiplication (m), us", f"{figures.m_us:.1f}", ""),
            ("transition over its signatures", f"{figures.transition:.2f}", "2.00"),
            ("a move, cards and rules included", f"{figures.move:.2f}", ""),
            ("kept of an entry by a seat, bytes", str(figures.growth.kept), str(KEPT_TO_REACH)),
            ("the entry alone, bytes", str(figures.growth.written), ""),
            (f"judging {figures.verified.moves} moves, ms", f"{figures.verified.ms:.0f}", "500"),
            ("denying a card in a hand of 7, ms a seat", f"{figures.hands.claim:.1f}", "8"),
            ("restacking a hand of 7, ms a seat", f"{figures.hands.restack:.1f}", "8"),
            ("stealing a card of it, ms of all seats", f"{figures.hands.steal:.1f}", "25"),
            ("asking three seats, ms a seat", f"{figures.hands.window:.1f}", "8"),
        ]
    )
    emit_table(
        [
            ("", "", "", ""),
            ("the first deal as it grows", "delays", "to reach", "ms"),
            *(
                (f"{deal.seats} seats", str(deal.delays), str(deal.seats + 7), f"{deal.ms:.0f}")
                for deal in figures.deals
            ),
        ]
    )

"""`nodealer bench table`: what countersigning costs, as a table or as JSON."""

from __future__ import annotations

import argparse
from typing import Final

from nodealer.cli.output import Json, emit_json, emit_table, show_step
from nodealer.lab.benches import TableFigures, measure_table

KEPT_TO_REACH: Final = 4096


def run(args: argparse.Namespace) -> int:
    """Measure and report."""
    figures = measure_table(show_step)
    show_step("")
    if args.json:
        emit_json(_as_json(figures))
    else:
        _show(figures)
    return 0


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

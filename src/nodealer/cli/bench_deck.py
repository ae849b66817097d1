"""`nodealer bench deck`: the figures of the deck as a table or as JSON."""

from __future__ import annotations

import argparse
from typing import Final

from nodealer.cli.output import Json, emit_json, emit_table, show_step
from nodealer.lab.benches import FIGURES, Measured, Results, measure_deck

BUDGET_CARDS: Final = 52
BUDGET_SEATS: Final = 4

DEAL_BUDGET: Final = 12_000
"""The whole deal of 52 cards to 4 seats."""


def run(args: argparse.Namespace) -> int:
    """Measure, and write the figures as a table or as JSON."""
    try:
        results = measure_deck(args.cards, args.seats, show_step)
    finally:
        show_step("")
    if args.json:
        emit_json(_as_json(results))
    else:
        _show(results)
    return 0


def _as_json(results: Results) -> Json:
    """Return the figures under their documented keys; multiples are of m, totals not per card."""
    return {
        "schema": 1,
        "cards": results.cards,
        "seats": results.seats,
        "m_us": round(results.unit * 1e6, 3),
        **{key: round(measured.multiple, 2) for key, measured in results.figures.items()},
        "deal_total_m": round(results.deal.multiple, 1),
        "growth_cards": [
            {"cards": size, "deal_total_m": round(measured.multiple, 1)}
            for size, measured in results.growth_cards
        ],
        "growth_seats": [
            {"seats": size, "deal_total_m": round(measured.multiple, 1)}
            for size, measured in results.growth_seats
        ],
    }


def _show(results: Results) -> None:
    """Write the figures for people."""
    rows = [("one multiplication (m)", _milliseconds(results.unit), "1", "")]
    rows += [
        _row(
            figure.text, results.figures[figure.key], figure.budget and figure.budget(results.cards)
        )
        for figure in FIGURES
    ]
    dealt = f"whole deal, {results.seats} seats, all in one thread"
    asked = (results.cards, results.seats) == (BUDGET_CARDS, BUDGET_SEATS)
    rows.append(_row(dealt, results.deal, DEAL_BUDGET if asked else None))
    emit_table([(f"n = {results.cards} cards", "ms", "m", "budget"), *rows])
    emit_table(
        [
            ("", "", ""),
            ("the whole deal as it grows", "ms", "m"),
            *(
                (f"{size} cards, {results.seats} seats", *_row("", deal, None)[1:3])
                for size, deal in results.growth_cards
            ),
            *(
                (f"{results.cards} cards, {size} seats", *_row("", deal, None)[1:3])
                for size, deal in results.growth_seats
            ),
        ]
    )


def _row(text: str, measured: Measured, budget: float | None) -> tuple[str, str, str, str]:
    allowed = "" if budget is None else f"{budget:,.0f}"
    seconds = measured.multiple * measured.unit
    return (text, _milliseconds(seconds), f"{measured.multiple:,.1f}", allowed)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.3f}"

"""A simulated game as plain data, which goes from process to process and into reports."""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.kernel import Seat
from nodealer.sim.game import Order, PlayedGame
from nodealer.sim.invariants import Violation


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The record of a game. `result` has the places and the points; it is there once it stands."""

    game: str
    players: int
    seed: int
    table: str
    height: int
    verdict: str
    culprit: int | None
    behaviour: str | None
    places: tuple[tuple[Seat, ...], ...] | None
    points: tuple[tuple[Seat, int], ...]
    violations: tuple[Violation, ...]
    counts: tuple[tuple[str, int], ...]
    transcript: bytes


def record_of(order: Order, outcome: PlayedGame) -> GameRecord:
    """Return the record of a game that was played by this order."""
    ledger, standing = outcome.table.ledger, outcome.standing
    liars = list(outcome.world.liars.values())
    return GameRecord(
        game=order.game.id,
        players=order.seats,
        seed=order.seed,
        table=ledger.tip.table.hex(),
        height=ledger.tip.height,
        verdict=outcome.report.verdict.value,
        culprit=outcome.report.culprit,
        behaviour=liars[0].behaviour.name if liars else None,
        places=None if standing is None else standing.places,
        points=() if standing is None else tuple(sorted(standing.points.items())),
        violations=outcome.violations,
        counts=tuple(sorted(outcome.counts.items())),
        transcript=outcome.transcript,
    )

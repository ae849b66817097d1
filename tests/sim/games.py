"""Simulated games for tests: one order, one plan, one behaviour."""

from __future__ import annotations

from nodealer.games.effects import EFFECTS
from nodealer.games.registry import game
from nodealer.sim.faults import FaultPlan
from nodealer.sim.game import Order, PlayedGame, play
from nodealer.sim.lies import behaviours_at
from nodealer.sim.lying import Behaviour
from nodealer.sim.repertoire import Deed, features_of

CALM_PLAN = FaultPlan()

EVERY = behaviours_at(4, (*EFFECTS, *Deed))
"""All behaviours that there are."""

IN_MACAUA = behaviours_at(4, features_of(game("macaua"), 4, {}))
"""Those that are possible in Macaua."""


def macaua(
    seats: int,
    seed: int = 0,
    faults: str = "none",
    *,
    is_sharing: bool = True,
    plan: FaultPlan | None = None,
    behaviour: Behaviour | None = None,
) -> Order:
    """Return the order of a game of Macaua."""
    return Order(
        game("macaua"),
        seats,
        seed,
        faults=faults,
        is_sharing=is_sharing,
        plan=plan,
        behaviour=behaviour,
    )


def played(seats: int, seed: int = 0, faults: str = "none") -> PlayedGame:
    """Return what came of a game of Macaua."""
    return play(macaua(seats, seed, faults))


def lied(behaviour: Behaviour, seats: int, seed: int = 0) -> PlayedGame:
    """Return what came of a game in which nothing goes wrong but that somebody lies."""
    return play(macaua(seats, seed, plan=CALM_PLAN, behaviour=behaviour))


def named(name: str) -> Behaviour:
    """Return a behaviour by its name."""
    return next(one for one in EVERY if one.name == name)


def details(outcome: PlayedGame) -> list[str]:
    """Return the violations as text."""
    return [f"{one.invariant}: {one.detail}" for one in outcome.violations]

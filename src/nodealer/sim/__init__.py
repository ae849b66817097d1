"""Many peers in one process: whole tables from a seed, with everything that goes wrong."""

from nodealer.sim.counting import counted_in, expected_names
from nodealer.sim.game import (
    Order,
    bot_of,
    chance_of,
    charter_for,
    check_order,
    plan_of,
    play,
    secret_of,
)
from nodealer.sim.game_record import GameRecord, record_of
from nodealer.sim.invariants import Findings
from nodealer.sim.repertoire import features_of

__all__ = [
    "Findings",
    "GameRecord",
    "Order",
    "bot_of",
    "chance_of",
    "charter_for",
    "check_order",
    "counted_in",
    "expected_names",
    "features_of",
    "plan_of",
    "play",
    "record_of",
    "secret_of",
]

"""Simulated games by the thousand.

    simulated_game     one game, played and timed
    simulate_workers   games in several processes, answered in their order

A game depends on its seed alone, so neither the number of processes nor their order matters to it.
"""

from nodealer.lab.fleet.simulate_workers import played
from nodealer.lab.fleet.simulated_game import Played, Task, order_of

__all__ = ["Played", "Task", "order_of", "played"]

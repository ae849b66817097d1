"""Games in which the simulator once found a bug: the smallest that shows each of them.

In all of these a table stood still for good although an honest majority was there:

    5 seats, 66   nobody answered a seat that had voted in many rounds while it was alone
    5 seats, 6    who voted first in a round seemed to have left the agreement it acted on, for ever
    7 seats, 95   the same, after an eviction
    4 seats, 5002 nothing is wrong here: half of the seats lie, and the others stand apart
"""

from __future__ import annotations

import pytest

from nodealer.sim.game import play
from tests.sim.games import details, macaua


@pytest.mark.parametrize(("seats", "seed"), [(5, 66), (5, 6), (7, 95), (4, 5002)])
def test_what_was_found_once_is_found_no_more(seats: int, seed: int) -> None:
    assert not details(play(macaua(seats, seed, "all")))

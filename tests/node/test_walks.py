"""The walks of the architecture page, traced: how long our own ways are, in frames and modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodealer.deck import check_releases
from nodealer.kernel import Seat
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle
from tests.support.tracing import Hop, Trace, traced

LETTER_MAX = 18
"""The own frames of an incoming letter, from the wire to the deck that judges a part of it."""

WIRE: Hop = ("node.node", "Node._serve")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Two seats play the beginning of a game, from journals over links, until cards were dealt."""
    circle = Circle(Path(tmp_path_factory.mktemp("walks")), 2)
    circle.found()
    traces: list[Trace] = []

    async def main() -> None:
        async with circle.at_table(Seat(0)) as here, circle.at_table(Seat(1)):
            with traced(check_releases) as trace:
                while here.table.position.underway or here.table.ledger.tip.height == 0:
                    await here.changed()
            traces.append(trace)

    in_virtual_time(main)
    return traces[0]


def test_a_letter_is_short_on_its_way_from_the_wire_to_the_deck(played: Trace) -> None:
    ways = [way for way in played.ways if WIRE in way]
    assert ways, "parts of others were judged"
    longest = max(ways, key=len)
    assert len(longest) <= LETTER_MAX, "\n".join(map(".".join, longest))
    assert longest[0] == WIRE

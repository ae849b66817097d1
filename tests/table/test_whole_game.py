"""A whole game over real tables: every seat ends with the same history and the same standing."""

from __future__ import annotations

import pytest

from nodealer.kernel import Seat
from nodealer.table import position_of
from tests.support.circle import circle


@pytest.mark.parametrize("seats", [2, 3])
def test_all_seats_end_alike(seats: int) -> None:
    made = circle(seats)
    made.play()
    tips = {table.ledger.tip.id for table in made.tables.values()}
    assert len(tips) == 1
    position = made.tables[Seat(0)].position
    assert position.is_closed
    assert position.standing is not None


def test_nobody_sees_a_card_that_was_not_shown_to_it() -> None:
    made = circle(3)
    for seat, table in made.tables.items():
        for zone in table.view().zones:
            if zone.name == "hand":
                seen = [card.face is not None for card in zone.cards]
                assert all(seen) if zone.seat == seat else not any(seen)


def test_the_events_of_every_entry_are_at_hand() -> None:
    made = circle(2)
    made.play()
    links = made.tables[Seat(0)].ledger.tip.downwards()
    kinds = [event.kind for link in links for event in position_of(link).events]
    assert kinds.count("won") == 1
    assert "dealt" in kinds

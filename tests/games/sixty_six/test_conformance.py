"""66 keeps the rules of the interface, in both variants and for all numbers of seats."""

from __future__ import annotations

import pytest

from nodealer.games.conformance import check_rules
from nodealer.games.conformance.tables import option_tables
from nodealer.games.sixty_six import SIXTY_SIX


@pytest.mark.parametrize("seats", range(2, 6))
def test_66_keeps_the_rules(seats: int, is_full: bool) -> None:
    report = check_rules(SIXTY_SIX, seats=[seats], rounds=100 if is_full else 3)
    assert report.games == 2 * (100 if is_full else 3)
    assert report.refused > 500


def test_both_variants_are_tried() -> None:
    assert {options["variant"] for options in option_tables(SIXTY_SIX, 3)} == {"v1", "v2"}

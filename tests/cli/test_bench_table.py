"""What `nodealer bench table` measures, on tables small enough to be quick."""

from __future__ import annotations

import pytest

from nodealer.cards import hand
from nodealer.cli.bench_table import _as_json
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.lab.benches import bench_hands
from nodealer.lab.benches.bench_hands import HandFigures
from nodealer.lab.benches.bench_memory import Growth
from nodealer.lab.benches.bench_play import lockstep
from nodealer.lab.benches.bench_verify import Verified
from nodealer.lab.benches.table_figures import Dealt, TableFigures, _dealt
from nodealer.table import position_of

FIGURES = TableFigures(
    21.0,
    1.9,
    3.0,
    Growth(2_900, 2_100),
    Verified(300.0, 200, 240, 90_000),
    (Dealt(2, 8, 90.0), Dealt(3, 10, 200.0)),
    HandFigures(2.1, 4.5, 24.0, 3.5),
)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_move_leaves_in_time(seats: int) -> None:
    assert _dealt(seats).delays <= seats + 7


def test_a_move_is_measured_alone_or_not_at_all() -> None:
    made = lockstep(2, "test")
    made.deal()
    made.settle()
    chance, singles = Chance("test"), 0
    while made.on_turn is not None:
        before = made.tables[0].ledger.tip.height
        took, is_single = made.move(made.choose(chance))
        assert took > 0
        grown = made.tables[0].ledger.tip.height - before
        singles += is_single
        assert (grown == 1) or not is_single
    assert singles > 0
    assert len({table.ledger.tip.id for table in made.tables}) == 1


def test_the_documented_keys() -> None:
    found = _as_json(FIGURES)
    assert isinstance(found, dict)
    assert found["tx_total_over_signatures"] == FIGURES.transition
    assert found["kept_bytes_an_entry"] == FIGURES.growth.kept
    assert found["written_bytes_an_entry"] == FIGURES.growth.written
    assert found["verify_game_ms"] == FIGURES.verified.ms
    assert found["deal_delays"] == {"2": 8, "3": 10}
    hands = FIGURES.hands
    assert found["claim_ms"] == hands.claim
    assert found["restack_ms"] == hands.restack
    assert found["steal_ms"] == hands.steal
    assert found["window_ms"] == hands.window


def test_what_becomes_of_hands_is_done_as_often_as_it_is_measured() -> None:
    made = bench_hands._dealt(0)
    before = made.tables[0].ledger.tip.height
    figures = bench_hands._measured(made)
    assert min(figures.claim, figures.restack, figures.steal, figures.window) > 0
    tip = made.tables[0].ledger.tip
    said, steps, theft = 3, 4, 2
    assert tip.height - before == said + bench_hands.TIMES * steps + theft
    assert {table.ledger.tip.id for table in made.tables} == {tip.id}
    board = position_of(tip).board
    assert [len(board.at(hand(Seat(seat)))) for seat in range(4)] == [8, 6, 7, 7]
    assert len(board.faces) == bench_hands.TIMES * 3, "three seats answer by a card each time"

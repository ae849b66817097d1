"""What a seat holds is bounded by its table: of its history the entries stay, packed."""

from __future__ import annotations

from nodealer.kernel import SlotId
from nodealer.lab.benches.bench_memory import measure_growth
from nodealer.lab.benches.bench_play import lockstep

BESIDE_MAX = 1_150
"""What an entry may add to the memory of a seat beside its own bytes, as objects of Python."""


def test_a_seat_grows_by_little_more_than_the_bytes_of_each_entry() -> None:
    grown = measure_growth(seats=2, first=110, last=140)
    assert grown.written < grown.kept < grown.written + BESIDE_MAX


def test_a_player_forgets_the_cards_that_are_gone() -> None:
    made = lockstep(2, "gone")
    made.deal()
    made.settle()
    table, player = made.tables[0], made.players[0]
    before, deck = table.view(), table.position.cards
    known = dict(player._seen)
    assert known
    points = [slot.E for slot in deck.slots.values()]
    player._seen.update({(SlotId(9_000 + at), point): "gone" for at, point in enumerate(points)})
    assert table.view() == before
    assert player._seen == known

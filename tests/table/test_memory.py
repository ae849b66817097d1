"""What a seat holds is bounded by its table: of the history the bytes of its entries stay."""

from __future__ import annotations

from nodealer.lab.benches.bench_memory import measure_growth

BESIDE_MAX = 1_000
"""What an entry may add to the memory of a seat beside its own bytes: its place in the history."""


def test_a_seat_grows_by_little_more_than_the_bytes_of_each_entry() -> None:
    grown = measure_growth(seats=2, first=110, last=140)
    assert grown.written < grown.kept < grown.written + BESIDE_MAX

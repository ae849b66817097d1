"""What a seat holds is bounded by its table: of its history the entries stay, packed."""

from __future__ import annotations

from nodealer.lab.benches.bench_memory import measure_growth

BESIDE_MAX = 1_150
"""What an entry may add to the memory of a seat beside its own bytes, as objects of Python."""


def test_a_seat_grows_by_little_more_than_the_bytes_of_each_entry() -> None:
    grown = measure_growth(seats=2, first=110, last=140)
    assert grown.written < grown.kept < grown.written + BESIDE_MAX

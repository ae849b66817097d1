"""What is measured is a sound game of as many moves as were asked for; how long it takes is not."""

from __future__ import annotations

from nodealer.lab.benches.bench_verify import measure_verify


def test_a_sound_game_is_measured() -> None:
    found = measure_verify(seats=2, moves=5)
    assert found.moves == 5
    assert found.entries > 5
    assert found.size > 10_000
    assert found.ms > 0

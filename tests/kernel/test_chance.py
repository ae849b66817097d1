"""Repeatable chance: uniform, the same everywhere, and one stream not disturbed by another."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from nodealer.kernel import LocalError, Reason, Value
from nodealer.kernel.chance import Chance


def test_the_stream_is_the_same_for_ever() -> None:
    chance = Chance("golden", 1)
    assert [chance.below(1000) for _ in range(6)] == [330, 916, 402, 696, 700, 611]


def test_seeds_differ_by_every_item() -> None:
    seeds: list[tuple[Value, ...]] = [(), (0,), (1,), ("0",), (0, 0), (b"0",)]
    firsts = {Chance(*seed).below(1 << 64) for seed in seeds}
    assert len(firsts) == 6


def test_a_branch_does_not_depend_on_what_was_drawn() -> None:
    fresh, used = Chance("root"), Chance("root")
    for _ in range(10):
        used.below(7)
    assert fresh.branch("a").below(1 << 64) == used.branch("a").below(1 << 64)
    assert fresh.branch("a").below(1 << 64) != fresh.branch("b").below(1 << 64)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 100])
def test_numbers_are_uniform(bound: int) -> None:
    chance = Chance("uniform", bound)
    counts = Counter(chance.below(bound) for _ in range(200 * bound))
    assert set(counts) == set(range(bound))
    # Pearson's sum; these numbers never change, and a fair stream exceeds this once in a million.
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < bound + 12 * bound**0.5 + 24


@pytest.mark.parametrize("bound", [0, -1, (1 << 64) + 1])
def test_there_is_no_number_below_a_bad_bound(bound: int) -> None:
    with pytest.raises(LocalError) as refused:
        Chance().below(bound)
    assert refused.value.reason is Reason.LOCAL_ARGUMENT


def test_numbers_that_would_favour_some_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([(1 << 256) - 1, 5])
    monkeypatch.setattr(Chance, "_block", lambda _: next(blocks))
    assert Chance().below(3) == 2
    assert list(blocks) == []


def test_things_happen_as_often_as_they_should() -> None:
    chance = Chance("percent")
    assert not any(chance.happens(0) for _ in range(100))
    assert all(chance.happens(100) for _ in range(100))
    assert 200 < sum(chance.happens(25) for _ in range(1000)) < 300


def test_every_order_comes_up_and_one_is_picked() -> None:
    chance = Chance("orders")
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(1200):
        items = [0, 1, 2]
        chance.shuffle(items)
        seen[tuple(items)] += 1
    assert set(seen) == set(permutations(range(3)))
    assert all(140 < count < 260 for count in seen.values())
    assert {chance.pick("abc") for _ in range(50)} == set("abc")

"""So much at once, and more as time goes on."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel.rates import Rate

RATES = st.builds(Rate, at_once=st.integers(1, 8), each=st.integers(1, 10))


def done(rate: Rate, moments: list[int]) -> list[int]:
    """Return the moments at which something is done by whoever would like to at all of these."""
    paid_at, found = 0, []
    for now in moments:
        if rate.is_free(paid_at, now):
            paid_at = rate.after(paid_at, now)
            found.append(now)
    return found


def test_so_many_at_once_and_then_one_at_a_time() -> None:
    assert done(Rate(at_once=3, each=10), [100] * 9) == [100] * 3
    assert done(Rate(at_once=3, each=10), [*range(100, 131)]) == [100, 101, 102, 110, 120, 130]
    # Who was quiet begins anew, and has saved nothing beyond that.
    assert done(Rate(at_once=2, each=10), [5, 5, 5, 500, 500, 500]) == [5, 5, 500, 500]


def test_what_was_done_together_is_paid_for_together() -> None:
    rate = Rate(at_once=4, each=10)
    paid_at = rate.after(0, 100, count=9)
    assert not rate.is_free(paid_at, 159)
    assert rate.is_free(paid_at, 160)


@given(RATES, st.lists(st.integers(0, 60), max_size=60).map(sorted), st.integers(0, 40))
def test_within_a_time_nobody_does_more(rate: Rate, moments: list[int], time: int) -> None:
    found = done(rate, moments)
    for begin in found:
        assert sum(begin <= one <= begin + time for one in found) <= rate.within(time)


@given(RATES, st.lists(st.integers(0, 20), max_size=30))
def test_who_keeps_to_the_rate_is_never_refused(rate: Rate, breaks: list[int]) -> None:
    moments = [*accumulate(rate.each + one for one in breaks)]
    assert done(rate, moments) == moments

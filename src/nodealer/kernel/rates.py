"""The rate at which something may be done: so much at once, and more as time goes on.

What has been done is paid for in time, and one number is all that is remembered of it: the moment
at which everything is paid for. Who is quiet for long enough begins anew. Times are whole numbers
of whatever clock the caller reads.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and one more each time so much time is over."""

    at_once: int
    each: int

    def is_free(self, paid_at: int, now: int) -> bool:
        """Say whether one more may be done by whoever will have paid at this moment."""
        return paid_at + self.each - now <= self.at_once * self.each

    def after(self, paid_at: int, now: int, count: int = 1) -> int:
        """Return when everything is paid for if so many more are done now."""
        return max(paid_at, now) + count * self.each

    def within(self, time: int) -> int:
        """Return how many are done in so much time at most."""
        return self.at_once + time // self.each

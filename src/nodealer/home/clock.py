"""The time of day, where people or numbers need one; nothing of a game ever does."""

from __future__ import annotations

from datetime import UTC, datetime


def now_seconds() -> int:
    """Return the seconds since 1970."""
    return int(datetime.now(tz=UTC).timestamp())


def day_of(seconds: int) -> str:
    """Return the day of such a time, as people write it."""
    return datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()

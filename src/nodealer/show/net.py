"""The reach of seats in words: a few for the line of a seat, and the page `/net` with the rest.

All words come from here and from the meanings of causes and reasons, which are lists of our own;
of what a peer has sent there are numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodealer.kernel import Cause, Reach, Reason, Tallied, Way
from nodealer.show.snapshot import Snapshot
from nodealer.show.times import duration

RELAY_LETTERS: Final = 6
"""The last ones of the id of a relay, by which its own line of addresses is known again."""


def reach_words(reach: Reach, now: int, *, is_brief: bool = False) -> Iterator[str]:
    """Yield how a seat is reached and since when, or why not; briefly for a narrow line."""
    if reach.way is Way.HERE:
        return
    trip = "" if reach.round_trip_us is None else f" {round(reach.round_trip_us / 1000)} ms"
    passed = "" if is_brief or reach.since is None else duration(now - reach.since)
    if reach.is_reached:
        yield f"{reach.way.value}{trip}"
        if passed:
            yield f"up {passed}"
    else:
        lasting = f" for {passed}" if passed else ""
        yield f"{reach.way.value}{lasting}{'' if is_brief else f': {why_not(reach)}'}"
    if reach.is_absent:
        yield "table not open"


def why_not(reach: Reach) -> str:
    """Return why a seat is not reached: how its link ended, if it only does not answer now."""
    cause = reach.cause
    if reach.ended is not None and cause in (Cause.NOT_TRIED, Cause.UNREACHABLE):
        cause = reach.ended.cause
    return _meaning(cause, reach)


def net_lines(snapshot: Snapshot) -> Iterator[str]:
    """Yield all that is known of the links to the other seats, and what this node has counted."""
    for seat in snapshot.seats:
        if seat.reach.way is not Way.HERE:
            yield f"{seat.name}: {', '.join(reach_words(seat.reach, snapshot.now))}"
            yield from (f"- {text}" for text in _details(seat.reach, snapshot.now))
    if snapshot.counts:
        yield "This node has counted:"
    for what in (*Tallied, *Reason):
        if what in snapshot.counts:
            yield f"- {_name(what)}: {snapshot.counts[what]}"


def _details(reach: Reach, now: int) -> Iterator[str]:
    if reach.is_reached:
        through = f", through the relay ...{reach.relay[-RELAY_LETTERS:]}" if reach.relay else ""
        yield f"address: {reach.kind or 'not known'}{through}"
    else:
        if reach.cause is not Cause.NOT_TRIED:
            yield f"now: {_meaning(reach.cause, reach)}"
        yield f"attempts: {reach.tries}{_next(reach, now)}"
    if reach.ended is not None:
        ago = duration(now - reach.ended.at)
        yield f"last ended {ago} ago: {_meaning(reach.ended.cause, reach)}"
    passed = reach.traffic
    yield (
        f"sent: {passed.sent} messages, {passed.sent_bytes} bytes;"
        f" received: {passed.heard} messages, {passed.heard_bytes} bytes"
    )


def _name(what: Reason | Tallied) -> str:
    if isinstance(what, Reason):
        return f"not taken, {what.meaning} ({what.slug})"
    return what.value


def _next(reach: Reach, now: int) -> str:
    if reach.next_try is None:
        return ""
    return f", the next one in {duration(max(0, reach.next_try - now))}"


def _meaning(cause: Cause, reach: Reach) -> str:
    if cause is Cause.REFUSED and reach.reason is not None:
        return f"{cause.meaning} ({reach.reason.slug})"
    return cause.meaning

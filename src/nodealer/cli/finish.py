"""The end of a sitting: how the game stands, where its transcript is, and what the network did."""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.home import Finished, NetSeen, table_mark
from nodealer.kernel import Reach, Reason, Seat, Way
from nodealer.verify import joined, printable


def tell_finished(finished: Finished, seen: NetSeen, *, as_json: bool) -> None:
    """Say how the game stands and where its transcript is; to programs, all that was counted."""
    if as_json:
        emit_json(_object(finished, seen))
        return
    for place, seats in enumerate(_places(finished), 1):
        emit_text(f"{place}. {printable(joined([finished.names[seat] for seat in seats]))}")
    if finished.standing is None:
        emit_text(
            f"The game is not over; go on with `nodealer resume {table_mark(finished.table)}`."
        )
    emit_text(f"transcript: {finished.path}")


def _places(finished: Finished) -> tuple[tuple[Seat, ...], ...]:
    return () if finished.standing is None else finished.standing.places


def _object(finished: Finished, seen: NetSeen) -> dict[str, Json]:
    return {
        "game": finished.game,
        "table": finished.table.hex(),
        "height": finished.height,
        "verdict": None if finished.verdict is None else finished.verdict.value,
        "places": [list(seats) for seats in _places(finished)],
        "names": list(finished.names),
        "transcript": str(finished.path),
        "links": list(_links(seen)),
        "counts": {
            what.slug if isinstance(what, Reason) else what.name.lower().replace("_", "-"): count
            for what, count in seen.counts.items()
        },
    }


def _links(seen: NetSeen) -> Iterator[Json]:
    """Yield how each seat is reached that is not in this process, and why not."""
    for seat, reach in seen.reach.items():
        if reach.way is not Way.HERE:
            yield {"seat": seat, **_link(reach, seen.tick)}


def _link(reach: Reach, now: int) -> dict[str, Json]:
    ended = reach.ended
    return {
        "way": None if reach.way is Way.NONE else reach.way.value,
        "since_ms": None if reach.since is None else now - reach.since,
        "cause": None if reach.is_reached else reach.cause.value,
        "reason": None if reach.reason is None else reach.reason.slug,
        "ended": None if ended is None else ended.cause.value,
        "ended_ms": None if ended is None else now - ended.at,
        "tries": reach.tries,
        "absent": reach.is_absent,
        "round_trip_us": reach.round_trip_us,
        "sent": reach.traffic.sent,
        "sent_bytes": reach.traffic.sent_bytes,
        "received": reach.traffic.heard,
        "received_bytes": reach.traffic.heard_bytes,
    }

"""The end of a sitting: what the judge says of the game, and what can be done next.

The record of the game is written and judged whenever a table is left, from its bytes and by the
code of `nodealer verify`; so what is said here anybody can find again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from nodealer.cli.output import Json, emit_folded, emit_hints, emit_json, emit_text
from nodealer.cli.table_story import TimedShuffle, shuffles_told
from nodealer.home import Finished, NetSeen, table_mark
from nodealer.kernel import Reach, Reason, Way
from nodealer.verify import gist_of, printable, proven_counts


@dataclass(frozen=True, slots=True)
class PlayedSitting:
    """The network as it was seen in one sitting at a table, and the shuffles made here."""

    seen: NetSeen
    shuffles: tuple[TimedShuffle, ...] = ()


def tell_finished(finished: Finished, played: PlayedSitting, *, as_json: bool) -> None:
    """Say what the judge says and what can be done next; to programs, all that was counted."""
    if as_json:
        emit_json(_object(finished, played))
    else:
        tell_left(finished, played.shuffles)


def tell_left(finished: Finished, shuffles: Sequence[TimedShuffle]) -> None:
    """Say to people what the judge says, and what can be done next."""
    told = [shuffles_told(shuffles, len(finished.names)), *gist_of(finished.judged)]
    emit_text(
        f"\nThe judge has read the record and checked it anew in {finished.judged_ms:.0f} ms:"
    )
    for sentence in filter(None, told):
        emit_folded(f"  {printable(sentence)}")
    emit_text(f"transcript: {finished.path}\n\nGo on with:")
    emit_hints(_next(finished))


def _next(finished: Finished) -> list[tuple[str, str]]:
    """Return what can be typed next, and what it does."""
    mark = table_mark(finished.table)
    told = [
        (f"verify {mark}", "judge it yourself: nobody has to be trusted"),
        (f"replay {mark}", "read it step by step"),
    ]
    if finished.standing is None:
        return [(f"resume {mark}", "go on with the game, which is not over"), *told]
    return [*told, (f"host {finished.game}", "play it with a friend")]


def _object(finished: Finished, played: PlayedSitting) -> dict[str, Json]:
    standing, judged, seen = finished.standing, finished.judged, played.seen
    return {
        "game": finished.game,
        "table": finished.table.hex(),
        "height": judged.report.height,
        "verdict": judged.report.verdict.value,
        "culprit": judged.report.culprit,
        "places": [] if standing is None else [list(seats) for seats in standing.places],
        "names": list(finished.names),
        "shuffles": [asdict(one) for one in played.shuffles],
        "proven": asdict(proven_counts(judged)),
        "judged_ms": finished.judged_ms,
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

"""The end of a sitting: how the game stands, where its transcript is, for people and programs."""

from __future__ import annotations

from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.home import Finished, NetSeen
from nodealer.kernel import Seat
from nodealer.verify import joined, printable


def tell_finished(finished: Finished, seen: NetSeen, *, as_json: bool) -> None:
    """Say how the game stands and where its transcript is."""
    del seen
    if as_json:
        emit_json(_object(finished))
        return
    for place, seats in enumerate(_places(finished), 1):
        emit_text(f"{place}. {printable(joined([finished.names[seat] for seat in seats]))}")
    if finished.standing is None:
        emit_text(f"The game is not over; go on with `nodealer resume {finished.table.hex()[:6]}`.")
    emit_text(f"transcript: {finished.path}")


def _places(finished: Finished) -> tuple[tuple[Seat, ...], ...]:
    return () if finished.standing is None else finished.standing.places


def _object(finished: Finished) -> dict[str, Json]:
    return {
        "game": finished.game,
        "table": finished.table.hex(),
        "height": finished.height,
        "verdict": None if finished.verdict is None else finished.verdict.value,
        "places": [list(seats) for seats in _places(finished)],
        "names": list(finished.names),
        "transcript": str(finished.path),
    }

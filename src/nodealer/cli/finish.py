"""What remains of a game when a player gets up: its transcript, and how it stands, for people.

The transcript is written whenever the table is left, also in the middle of a game: it is
unfinished then, and the next time it is written anew. It has no secrets, so it lies with the data
of the program under the name of the game and the mark of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.games.api import Standing
from nodealer.kernel import Seat, TableId
from nodealer.store.files import make_directory, write_over
from nodealer.store.places import Profile
from nodealer.store.transcripts import transcript
from nodealer.table import position_of
from nodealer.verify import Verdict, joined, judge_bytes, printable

MARK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Finished:
    """A game as it was left."""

    path: Path
    game: str
    table: TableId
    names: tuple[str, ...]
    verdict: Verdict | None
    height: int
    standing: Standing | None


def write_transcript(profile: Profile, table: TableId) -> Finished:
    """Write the transcript of a table, and return how the game stands."""
    data = transcript(profile.journal(table))
    judged = judge_bytes(data)
    assert judged.agreed is not None, "a journal holds a charter that was checked"
    assert judged.tip is not None, "and a history"
    terms = judged.agreed.terms
    folder = profile.home / "transcripts"
    make_directory(folder)
    path = folder / f"{terms.game}-{table.hex()[:MARK_DIGITS]}.ndt"
    write_over(path, data)
    standing = position_of(judged.tip).standing
    return Finished(
        path,
        terms.game,
        table,
        terms.names,
        judged.report.verdict,
        judged.tip.height,
        standing,
    )


def tell_finished(finished: Finished, *, as_json: bool) -> None:
    """Say how the game stands and where its transcript is."""
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

"""The remains of a game when a player gets up: its transcript, and how it stands.

The transcript is written whenever the table is left, also in the middle of a game: it is
unfinished then, and the next time it is written anew. It has no secrets, so it lies with the data
of the program under the name of the game and the mark of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from nodealer.games import Standing
from nodealer.kernel import TableId
from nodealer.store import Profile, make_directory, transcript, write_over
from nodealer.table import position_of
from nodealer.verify import JudgedFile, judge_bytes

MARK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Finished:
    """A game as it was left."""

    path: Path
    game: str
    table: TableId
    names: tuple[str, ...]
    standing: Standing | None
    judged: JudgedFile
    """The record, judged anew from its bytes."""
    judged_ms: float


def write_transcript(profile: Profile, table: TableId) -> Finished:
    """Write the transcript of a table, and return how the game stands."""
    data = transcript(profile.journal(table))
    start = perf_counter()
    judged = judge_bytes(data)
    took = perf_counter() - start
    assert judged.agreed is not None, "a journal holds a charter that was checked"
    assert judged.tip is not None, "and a history"
    terms = judged.agreed.terms
    folder = profile.home / "transcripts"
    make_directory(folder)
    path = folder / f"{terms.game}-{table.hex()[:MARK_DIGITS]}.ndt"
    write_over(path, data)
    standing = position_of(judged.tip).standing
    judged_ms = round(took * 1000, 1)
    return Finished(path, terms.game, table, terms.names, standing, judged, judged_ms)

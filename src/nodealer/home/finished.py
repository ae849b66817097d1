"""The remains of a game when a player gets up: its transcript, and how it stands.

The transcript is written whenever the table is left, also in the middle of a game: it is
unfinished then, and the next time it is written anew. It has no secrets, so it lies with the data
of the program under the name of the game and the mark of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nodealer.games import Standing
from nodealer.kernel import TableId
from nodealer.store import Profile, make_directory, transcript, write_over
from nodealer.table import position_of
from nodealer.verify import Verdict, judge_bytes

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

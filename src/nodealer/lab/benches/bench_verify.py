"""The cost of verifying a game: a whole one is played, written as a transcript, and judged.

The game is one of Macaua whose players take care not to win; it is cut after so many moves, and the
verdict is `unfinished`. The discards are shuffled again when the stock runs out, as in any long
game. Playing it is not measured. Judging is: the bytes are read, and every signature and proof is
checked, by a judge who has never seen the table.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from nodealer.games import Action
from nodealer.kernel import Chance
from nodealer.lab.benches.bench_play import lockstep
from nodealer.table import Table
from nodealer.verify import Verdict, judge_bytes, transcript_of

SEATS: Final = 4
MOVES: Final = 200
ROUNDS: Final = 5
"""The shortest of so many runs is told: whatever else the machine does only makes one longer."""

HAND: Final = 1
"""Who has more cards plays one where it can, so hands are small and reshuffles few."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The time that judging a game took, in milliseconds of processor time, and what was in it."""

    ms: float
    moves: int
    entries: int
    size: int


def measure_verify(seats: int = SEATS, moves: int = MOVES) -> Verified:
    """Play a game of so many moves and measure what it costs to judge its transcript."""
    data, done = _played(seats, moves)
    least, entries = float("inf"), 0
    for _ in range(ROUNDS):
        start = time.process_time()
        judged = judge_bytes(data)
        least = min(least, time.process_time() - start)
        assert judged.report.verdict in (Verdict.COMPLETE, Verdict.UNFINISHED), "it is sound"
        entries = judged.report.height or 0
    return Verified(least * 1000, done, entries, len(data))


def _played(seats: int, moves: int) -> tuple[bytes, int]:
    """Return the transcript of a game of at most so many moves, and how many there were."""
    made, chance, done = lockstep(seats, "verify"), Chance("bench", seats), 0
    made.deal()
    made.settle()
    while done < moves and (seat := made.on_turn) is not None:
        made.move(avoiding_to_win(made.tables[seat], chance))
        done += 1
    return transcript_of(made.tables[0].ledger), done


def avoiding_to_win(table: Table, chance: Chance) -> Action:
    """Return a play while the hand is large, and else a draw: so nobody ever wins."""
    view, legal = table.view(), table.legal()
    hand = len(view.zone("hand", view.viewer))
    for wanted in ("play", "draw") if hand > HAND else ("draw", "play"):
        found = [one for one in legal if one.kind == wanted and len(one.slots("cards")) < hand]
        if found:
            return chance.pick(found)
    return chance.pick(legal)

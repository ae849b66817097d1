"""Transcripts that stay as they are: what was sound once has to be sound for every later version.

    two-players.ndt             a game of two, from the charter to the close
    four-players-eviction.ndt   a game of four, one of whom falls silent on the way
    sixty-six.ndt               version 1 of 66, of two, with every power and both verdicts
    sixty-six-limit.ndt         version 2 of 66, of two to few points
    take5.ndt                   a short game of 6 nimmt! of three

Each lies beside the report of `nodealer verify --json` on it. A change of the protocol makes other
transcripts; then, and only then, they are made anew, and the change is told in the changelog:

    python -m tests.verify.make_golden
"""

from __future__ import annotations

import json
from pathlib import Path

from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.sim.game import Order, play
from nodealer.table import Setting, sit_down
from nodealer.verify import judge_bytes, report_data
from tests.support.circle import agreed_by, player_of
from tests.verify.stage import Stage, fall_silent

PLACE = Path(__file__).with_name("golden")


def stage_of(seats: int) -> Stage:
    """Return a stage for Macaua whose first deal is done."""
    players = [player_of(Seat(seat), "golden") for seat in range(seats)]
    made = Stage(Setting(agreed_by(players, game("macaua"), salt="golden"), game("macaua")))
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    made.deliver()
    return made


def two_players() -> bytes:
    """Return the record of a game of two."""
    made = stage_of(2)
    made.play()
    return made.record()


def four_players() -> bytes:
    """Return the record of a game of four that three finish."""
    made = stage_of(4)
    made.play(until=lambda circle: circle.tables[Seat(0)].ledger.tip.height > 8)
    fall_silent(made, Seat(3))
    made.play()
    return made.record()


def sixty_six() -> bytes:
    """Return the record of a game of 66 of two, as it is simulated."""
    return play(Order(game("66", 1), 2, 2, {"variant": "v1"})).transcript


def sixty_six_limit() -> bytes:
    """Return the record of a game of 66 of two to few points, as it is simulated."""
    return play(Order(game("66", 2), 2, 1, {"limit": 10})).transcript


def take5() -> bytes:
    """Return the record of a round of 6 nimmt! of three, with few cards, as it is simulated."""
    few = {"deck_size": 16, "max_rounds": 1, "stack_size": 2, "turn_count": 3}
    return play(Order(game("take5"), 3, 1, few)).transcript


RECORDS = {
    "two-players": two_players,
    "four-players-eviction": four_players,
    "sixty-six": sixty_six,
    "sixty-six-limit": sixty_six_limit,
    "take5": take5,
}
"""The records, and how they are made."""

SEATS = {
    "two-players": 2,
    "four-players-eviction": 3,
    "sixty-six": 2,
    "sixty-six-limit": 2,
    "take5": 3,
}
"""How many are there at the end."""


def report_on(data: bytes) -> str:
    """Return the report on a record, as it lies beside it."""
    return json.dumps(report_data(judge_bytes(data)), indent=1) + "\n"


def main() -> None:
    """Write all files."""
    PLACE.mkdir(exist_ok=True)
    for name, make in RECORDS.items():
        data = make()
        (PLACE / f"{name}.ndt").write_bytes(data)
        (PLACE / f"{name}.json").write_text(report_on(data), encoding="utf-8")


if __name__ == "__main__":
    main()

"""The pages of our games, whose diagrams are drawn from the tables of the code.

    python -m tests.games.diagrams --rewrite

draws all of them anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from nodealer.games.macaua.state import TRANSITIONS as MACAUA_ROWS
from nodealer.games.macaua.state import Phase as MacauaPhase
from nodealer.games.papas.state import TRANSITIONS as PAPAS_ROWS
from nodealer.games.papas.state import Phase as PapasPhase
from nodealer.games.sixty_six.state import TRANSITIONS as SIXTY_SIX_TABLES
from nodealer.games.sixty_six.state import Phase as SixtySixPhase
from nodealer.games.take5.state import TRANSITIONS as TAKE5_ROWS
from nodealer.games.take5.state import Phase as Take5Phase
from tests.support.diagrams import mermaid

SPECS = Path(__file__).resolve().parents[2] / "specs" / "games"

DRAWN = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)
"""The diagrams of a page."""

DIAGRAMS: Mapping[str, tuple[str, ...]] = {
    "66": tuple(
        mermaid(rows, [SixtySixPhase.GAME_FINISHED.value]) for rows in SIXTY_SIX_TABLES.values()
    ),
    "macaua": (mermaid(MACAUA_ROWS, [MacauaPhase.OVER.value]),),
    "papas": (mermaid(PAPAS_ROWS, [PapasPhase.GAME_END.value]),),
    "take5": (mermaid(TAKE5_ROWS, [Take5Phase.GAME_OVER.value]),),
}
"""What the page of each game has to show."""


def page_of(game_id: str) -> Path:
    """Return where the decided points of a game are written down."""
    return SPECS / f"{game_id}.md"


if __name__ == "__main__":
    if sys.argv[1:] != ["--rewrite"]:
        raise SystemExit(__doc__)
    for game_id, drawn in DIAGRAMS.items():
        diagrams = iter(drawn)
        page = page_of(game_id)
        pieces = DRAWN.split(page.read_text())
        page.write_text("".join(piece + next(diagrams, "") for piece in pieces))

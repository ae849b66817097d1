"""Games of 6 nimmt! that are kept as text."""

from __future__ import annotations

from pathlib import Path

from nodealer.games.api import Action
from nodealer.games.diagram import mermaid
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.state import TRANSITIONS, Phase
from tests.games.playthrough import Book, Dealer, Script

SHORT: dict[str, int | str | bool] = {"turn_count": 4, "win_score": 12, "stack_size": 3}

BULLS: dict[str, int | str | bool] = {"bull_range": "2-5", "bulls": "2,3,4,5," * 3 + "2,3,4,5"}


def shown(dealer: Dealer, chosen: Action) -> str:
    """Return an action as text."""
    if chosen.kind == "take":
        return f"take {chosen.get('stack')}"
    return f"play {' '.join(dealer.pack.faces[slot] for slot in chosen.slots('card'))}"


BOOK = Book(
    TAKE5,
    Path(__file__).with_name("playthroughs"),
    (mermaid(TRANSITIONS, [Phase.GAME_OVER.value]),),
    {
        "two_seats": Script(2, 1, {"max_rounds": 1}),
        "other_cards": Script(3, 4, {**SHORT, **BULLS, "deck_size": 16}),
        "leaving": Script(4, 3, {**SHORT, "win_score": 8}, ((3, 1, "continue"), (13, 0, "void"))),
    },
    shown,
)

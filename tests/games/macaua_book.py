"""Games of Macaua that are kept as text."""

from __future__ import annotations

from pathlib import Path

from nodealer.games.api import Action
from nodealer.games.diagram import mermaid
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.state import TRANSITIONS, Phase
from tests.games.playthrough import Book, Dealer, Script

SPOKEN = ("call", "four_skips", "free_counter", "red_joker_ten", "seven_stops")


def shown(dealer: Dealer, chosen: Action) -> str:
    """Return an action as text."""
    if chosen.kind != "play":
        return chosen.kind
    faces = "+".join(dealer.pack.faces[slot] for slot in chosen.slots("cards"))
    suit = f" asking {chosen.get('suit')}" if chosen.get("suit") else ""
    return f"play {faces}{suit}{' macaua' if chosen.get('macaua') else ''}"


BOOK = Book(
    MACAUA,
    Path(__file__).with_name("playthroughs"),
    (mermaid(TRANSITIONS, [Phase.OVER.value]),),
    {
        "macaua_two_seats": Script(2, 6),
        "macaua_three_seats": Script(3, 11),
        "macaua_all_options": Script(4, 21, dict.fromkeys(SPOKEN, True)),
        "macaua_leaving": Script(4, 4, leaving=((5, 1, "redeal"), (9, 3, "void"))),
    },
    shown,
)

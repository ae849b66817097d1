"""Games of 66 that are kept as text."""

from __future__ import annotations

from pathlib import Path

from nodealer.games.api import Action
from nodealer.games.diagram import mermaid
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.state import TRANSITIONS, Phase
from nodealer.kernel import SlotId
from tests.games.playthrough import NAMES, Book, Dealer, Script


def shown(dealer: Dealer, chosen: Action) -> str:
    """Return an action as text; cards are named by where they lie."""
    named = [_place(dealer, slot) for name, _ in chosen.fields for slot in chosen.slots(name)]
    return " ".join([chosen.kind, *named])


def _place(dealer: Dealer, slot: SlotId) -> str:
    zone = dealer.board.layout.where(slot)
    assert zone.seat is not None
    if zone.name == "taken":
        return "taken"
    return f"{NAMES[zone.seat]}.{dealer.board.at(zone).index(slot)}"


BOOK = Book(
    SIXTY_SIX,
    Path(__file__).with_name("playthroughs"),
    tuple(mermaid(rows, [Phase.GAME_FINISHED.value]) for rows in TRANSITIONS.values()),
    {
        "v1_two_seats": Script(2, 2, {"variant": "v1"}),
        "v1_three_seats": Script(3, 1, {"variant": "v1"}),
        "v2_two_seats": Script(2, 3, {"variant": "v2"}),
        "v2_leaving": Script(4, 4, {"variant": "v2"}, ((7, 1, "void"), (24, 3, "void"))),
    },
    shown,
)

"""The protocol of 66 in its second description: few messages, with the fields that have changed.

Requests are fewer too: a card of the own hand is picked whatever for, and what follows depends on
the state. The description calls two of them by two names each (Pick… and Peek…); both are taken.
The tables are also specs/games/66-v2-protocol.md, which is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from nodealer.games.api import Action
from nodealer.games.seeds import ClientMessage, SeedProtocol, SeenEntry
from nodealer.games.sixty_six.incidents import SOURCES, incidents_in
from nodealer.games.sixty_six.message_rows import MessageRow, ToldTo, told_of
from nodealer.games.sixty_six.request_forms import (
    RequestForm,
    allowed,
    anothers,
    held,
    own,
    own_cards,
    read_request,
)

_BOARD: Final = (
    "deckSize",
    "deckCard",
    "discardedValue",
    "handSizes",
    "stopCounter",
    "round",
    "turn",
)
_TURN: Final = ("activePlayerIndex", "deckCard", "stopCounter", "turn")
_REPLACED: Final = ("playerIndex", "cardIndexes", "fromDeck", "discardedValue", "deckSize")
_POWER: Final = ("deckSize", "deckCard", "discardedValue", "actions")
_ROUND: Final = ("cards", "scores", "totalScores", "isGameFinished")
_EXCHANGE: Final = ("playerIndex", "cardIndex", "anotherPlayerIndex", "anotherPlayerCardIndex")

ROWS: Final = (
    MessageRow("dealing", ToldTo.ALL, "BoardInitialized", _BOARD),
    MessageRow("dealt", ToldTo.ALL, "CardsRevealed", ("cards",)),
    MessageRow("turn", ToldTo.OTHERS, "BoardUpdated", _TURN),
    MessageRow("turn", ToldTo.ACTIVE, "BoardUpdated", (*_TURN, "actions"), asks=True),
    MessageRow(
        "taken", ToldTo.ACTIVE, "BoardUpdated", ("deckSize", "deckCard", "actions"), asks=True
    ),
    MessageRow("used", ToldTo.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    MessageRow("stopped", ToldTo.ALL, "BoardUpdated", ("stopCounter",)),
    MessageRow("replaced-one-deck", ToldTo.ALL, "CardsReplaced", _REPLACED),
    MessageRow("replaced-one-discard", ToldTo.ALL, "CardsReplaced", _REPLACED),
    MessageRow("replaced-several-deck", ToldTo.ALL, "CardsReplaced", _REPLACED),
    MessageRow("replaced-several-discard", ToldTo.ALL, "CardsReplaced", _REPLACED),
    MessageRow("equal", ToldTo.ALL, "CardsRevealed", ("cards",)),
    MessageRow("different", ToldTo.ALL, "CardsRevealed", ("cards",)),
    MessageRow("spent", ToldTo.ALL, "BoardUpdated", ("discardedValue", "deckSize")),
    MessageRow("discarded", ToldTo.ALL, "BoardUpdated", ("deckSize", "deckCard", "discardedValue")),
    MessageRow("power", ToldTo.OTHERS, "BoardUpdated", ("deckSize", "discardedValue")),
    MessageRow("use-peek-own", ToldTo.ACTIVE, "BoardUpdated", _POWER, asks=True),
    MessageRow("use-peek-anothers", ToldTo.ACTIVE, "BoardUpdated", _POWER, asks=True),
    MessageRow("use-exchange", ToldTo.ACTIVE, "BoardUpdated", _POWER, asks=True),
    MessageRow("peeked-own", ToldTo.OTHERS, "CardsRevealed", ("cards",)),
    MessageRow("peeked-anothers", ToldTo.OTHERS, "CardsRevealed", ("cards",)),
    MessageRow("saw-own", ToldTo.ACTIVE, "CardsRevealed", ("cards",)),
    MessageRow("saw-anothers", ToldTo.ACTIVE, "CardsRevealed", ("cards",)),
    MessageRow("pick-other", ToldTo.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    MessageRow("exchanged", ToldTo.ALL, "CardExchanged", _EXCHANGE),
    MessageRow("scored", ToldTo.ALL, "RoundFinished", _ROUND),
    MessageRow("next-round", ToldTo.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    MessageRow("over-early", ToldTo.ALL, "RoundFinished", _ROUND),
)
"""All that a client is told."""

_PICK_OWN: Final = RequestForm(
    ("pick-own-card",),
    ("cardIndex",),
    (("card", own),),
)
_PICK_ANOTHERS: Final = RequestForm(
    ("pick-anothers-card",),
    ("playerIndex", "cardIndex"),
    (("card", anothers("playerIndex", "cardIndex")),),
)

REQUESTS: Final[Mapping[str, RequestForm]] = {
    "StartGame": RequestForm(("start-game",)),
    "TakeCardFromDeck": RequestForm(("take-card-from-deck",)),
    "TakeDiscardedCard": RequestForm(("take-discarded-card",)),
    "StopRound": RequestForm(("stop-round",)),
    "PickOwnCard": _PICK_OWN,
    "PeekOwnCard": _PICK_OWN,
    "ShowCards": RequestForm(("show-cards",), ("cardIndexes",), (("cards", own_cards),)),
    "Discard": RequestForm(("discard",), (), (("card", held),)),
    "PickAnothersCard": _PICK_ANOTHERS,
    "PeekAnothersCard": _PICK_ANOTHERS,
    "StartNextRound": RequestForm(("start-next-round",)),
}
"""All that a client may ask for."""


def _tell(seen: SeenEntry, legal: Sequence[Action]) -> tuple[ClientMessage, ...]:
    names = allowed(REQUESTS, legal)
    sources = {**SOURCES, "actions": lambda _: names}
    return tuple(told_of(incidents_in(seen), ROWS, sources, seen))


SIXTY_SIX_V2: Final = SeedProtocol(
    name="66-v2",
    tell=_tell,
    read=partial(read_request, REQUESTS),
    options=(("variant", "v2"),),
    has_acks=True,
    error="Error",
)
"""The protocol of the second variant."""

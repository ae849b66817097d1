"""The protocol of 66 in its second description: few messages, with the fields that have changed.

Requests are fewer too: a card of the own hand is picked whatever for, and what follows depends on
the state. The description calls two of them by two names each (Pick… and Peek…); both are taken.
The tables are also specs/protocols/66-v2.md, which is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Action, View
from nodealer.seat.moments import SOURCES, moments_in
from nodealer.seat.requests import (
    Request,
    allowed,
    anothers,
    held,
    own,
    own_cards,
    read_request,
)
from nodealer.seat.rows import Row, To, told_of
from nodealer.seat.saying import NOTHING, Json, Said, Told
from nodealer.seat.sight import Sight

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
    Row("dealing", To.ALL, "BoardInitialized", _BOARD),
    Row("dealt", To.ALL, "CardsRevealed", ("cards",)),
    Row("turn", To.OTHERS, "BoardUpdated", _TURN),
    Row("turn", To.ACTIVE, "BoardUpdated", (*_TURN, "actions"), asks=True),
    Row("taken", To.ACTIVE, "BoardUpdated", ("deckSize", "deckCard", "actions"), asks=True),
    Row("used", To.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    Row("stopped", To.ALL, "BoardUpdated", ("stopCounter",)),
    Row("replaced-one-deck", To.ALL, "CardsReplaced", _REPLACED),
    Row("replaced-one-discard", To.ALL, "CardsReplaced", _REPLACED),
    Row("replaced-several-deck", To.ALL, "CardsReplaced", _REPLACED),
    Row("replaced-several-discard", To.ALL, "CardsReplaced", _REPLACED),
    Row("equal", To.ALL, "CardsRevealed", ("cards",)),
    Row("different", To.ALL, "CardsRevealed", ("cards",)),
    Row("spent", To.ALL, "BoardUpdated", ("discardedValue", "deckSize")),
    Row("discarded", To.ALL, "BoardUpdated", ("deckSize", "deckCard", "discardedValue")),
    Row("power", To.OTHERS, "BoardUpdated", ("deckSize", "discardedValue")),
    Row("use-peek-own", To.ACTIVE, "BoardUpdated", _POWER, asks=True),
    Row("use-peek-anothers", To.ACTIVE, "BoardUpdated", _POWER, asks=True),
    Row("use-exchange", To.ACTIVE, "BoardUpdated", _POWER, asks=True),
    Row("peeked-own", To.OTHERS, "CardsRevealed", ("cards",)),
    Row("peeked-anothers", To.OTHERS, "CardsRevealed", ("cards",)),
    Row("saw-own", To.ACTIVE, "CardsRevealed", ("cards",)),
    Row("saw-anothers", To.ACTIVE, "CardsRevealed", ("cards",)),
    Row("pick-other", To.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    Row("exchanged", To.ALL, "CardExchanged", _EXCHANGE),
    Row("scored", To.ALL, "RoundFinished", _ROUND),
    Row("next-round", To.ACTIVE, "BoardUpdated", ("actions",), asks=True),
    Row("over-early", To.ALL, "RoundFinished", _ROUND),
)
"""All that a client is told."""

_PICK_OWN: Final = Request(
    ("pick-own-card",),
    ("cardIndex",),
    (("card", own),),
)
_PICK_ANOTHERS: Final = Request(
    ("pick-anothers-card",),
    ("playerIndex", "cardIndex"),
    (("card", anothers("playerIndex", "cardIndex")),),
)

REQUESTS: Final[Mapping[str, Request]] = MappingProxyType(
    {
        "StartGame": Request(("start-game",)),
        "TakeCardFromDeck": Request(("take-card-from-deck",)),
        "TakeDiscardedCard": Request(("take-discarded-card",)),
        "StopRound": Request(("stop-round",)),
        "PickOwnCard": _PICK_OWN,
        "PeekOwnCard": _PICK_OWN,
        "ShowCards": Request(("show-cards",), ("cardIndexes",), (("cards", own_cards),)),
        "Discard": Request(("discard",), (), (("card", held),)),
        "PickAnothersCard": _PICK_ANOTHERS,
        "PeekAnothersCard": _PICK_ANOTHERS,
        "StartNextRound": Request(("start-next-round",)),
    }
)
"""All that a client may ask for."""


@dataclass(frozen=True, slots=True)
class SixtySixV2:
    """The protocol of the second variant."""

    name: str = "66-v2"
    game: str = "66"
    options: tuple[tuple[str, str], ...] = (("variant", "v2"),)
    has_acks: bool = True
    greeting: str | None = None
    error: str = "Error"
    is_flat: bool = True

    def tell(self, sight: Sight, legal: Sequence[Action]) -> tuple[Told, ...]:
        """Return what a client is told of an entry."""
        names = allowed(REQUESTS, legal)
        sources = {**SOURCES, "actions": lambda _: names}
        return tuple(told_of(moments_in(sight), ROWS, sources, sight))

    def read(self, said: Said, view: View, legal: Sequence[Action]) -> Action:
        """Return the action that a client asks for, or raise `Refused`."""
        return read_request(REQUESTS, said, view, legal)

    def greet(self, view: View, players: int) -> Mapping[str, Json]:  # noqa: ARG002 - every protocol
        """Return nothing: clients of this protocol do not greet."""
        return NOTHING

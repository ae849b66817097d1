"""The protocol of 66 in its first description: a message of its own for everybody's part.

Its requests are one for each action, so what a client may say and what its player may do are the
same list in two alphabets. The tables are also specs/protocols/66-v1.md, which is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Action, View
from nodealer.seat.moments import SOURCES, moments_in
from nodealer.seat.requests import Request, anothers, held, own, own_cards, read_request
from nodealer.seat.rows import Row, To, told_of
from nodealer.seat.saying import NOTHING, Json, Said, Told
from nodealer.seat.sight import Sight

_PLACED: Final = ("cardIndex", "discardedValue")
_PLACED_BY: Final = ("playerIndex", *_PLACED)
_SEVERAL: Final = ("cardIndexes", "discardedValue")
_SEVERAL_BY: Final = ("playerIndex", *_SEVERAL)
_ROUND: Final = ("turnCount", "scores", "totalScores", "nextPlayerIndex")
_EXCHANGE: Final = ("cardIndex", "anotherPlayerIndex", "anotherPlayerCardIndex")

ROWS: Final = (
    Row("dealing", To.ALL, "GameState", ("deckSize", "discardedValue", "handSizes", "playerIndex")),
    Row("dealt", To.ALL, "FirstTwoCards", ("value1", "value2")),
    Row("turn", To.OTHERS, "NextTurn", ("playerIndex",)),
    Row("turn", To.ACTIVE, "YourTurn", (), asks=True),
    Row("taken", To.ACTIVE, "TookDeckCard", ("value", "deckSize"), asks=True),
    Row("replaced-one-discard", To.OTHERS, "CardReplacedByDiscarded", _PLACED_BY),
    Row("replaced-one-discard", To.ACTIVE, "ReplacedCardByDiscarded", _PLACED),
    Row("equal", To.OTHERS, "IdenticalCardsShown", ("playerIndex", "cardIndexes", "value")),
    Row("source", To.ACTIVE, "ShowedIdenticalCards", ("cardIndexes",), asks=True),
    Row("different", To.OTHERS, "DifferentCardsShown", ("playerIndex", "cardIndexes", "values")),
    Row("different", To.ACTIVE, "ShowedDifferentCards", ("cardIndexes",)),
    Row("stopped", To.OTHERS, "StopInitiated", ("playerIndex",)),
    Row("stopped", To.ACTIVE, "InitiatedStop"),
    Row("replaced-one-deck", To.OTHERS, "CardReplacedFromDeck", _PLACED_BY),
    Row("replaced-one-deck", To.ACTIVE, "ReplacedCardFromDeck", _PLACED),
    Row("discarded", To.OTHERS, "CardDiscarded", ("playerIndex", "discardedValue")),
    Row("discarded", To.ACTIVE, "DiscardedCard", ("discardedValue",)),
    Row("power", To.OTHERS, "CardDiscarded", ("playerIndex", "discardedValue")),
    Row("use-peek-own", To.ACTIVE, "PeekingOwnCard", ("discardedValue",), asks=True),
    Row("peeked-own", To.OTHERS, "OwnCardPeeked", ("playerIndex", "cardIndex")),
    Row("saw-own", To.ACTIVE, "OwnCard", ("cardIndex", "value")),
    Row("use-peek-anothers", To.ACTIVE, "PeekingAnothersCard", ("discardedValue",), asks=True),
    Row(
        "peeked-anothers",
        To.OTHERS,
        "AnothersCardPeeked",
        ("playerIndex", "anotherPlayerIndex", "cardIndex"),
    ),
    Row("saw-anothers", To.ACTIVE, "AnothersCard", ("anotherPlayerIndex", "cardIndex", "value")),
    Row("use-exchange", To.ACTIVE, "ExchangingCards", ("discardedValue",), asks=True),
    Row("exchanged", To.OTHERS, "CardsExchanged", ("playerIndex", *_EXCHANGE)),
    Row("exchanged", To.ACTIVE, "ExchangedCards", _EXCHANGE),
    Row("replaced-several-deck", To.OTHERS, "CardsReplacedFromDeck", _SEVERAL_BY),
    Row("replaced-several-deck", To.ACTIVE, "ReplacedCardsFromDeck", _SEVERAL),
    Row("replaced-several-discard", To.OTHERS, "CardsReplacedByDiscarded", _SEVERAL_BY),
    Row("replaced-several-discard", To.ACTIVE, "ReplacedCardsByDiscarded", _SEVERAL),
    Row("scored", To.OTHERS, "RoundFinished", _ROUND),
    Row("next-round", To.ACTIVE, "RoundFinished", _ROUND, asks=True),
    Row("over", To.ALL, "GameFinished", ("roundCount", "scores", "totalScores")),
)
"""All that a client is told."""

_ONE: Final = (("card", own),)
_ANOTHERS: Final = anothers("anotherPlayerIndex", "cardIndex")
_OTHER: Final = anothers("anotherPlayerIndex", "anotherPlayerCardIndex")

REQUESTS: Final[Mapping[str, Request]] = MappingProxyType(
    {
        "StartGame": Request(("start-game",)),
        "TakeCardFromDeck": Request(("take-card-from-deck",)),
        "ReplaceCardByDiscarded": Request(("replace-card-by-discarded",), ("cardIndex",), _ONE),
        "ShowCards": Request(("show-cards",), ("cardIndexes",), (("cards", own_cards),)),
        "StopRound": Request(("stop-round",)),
        "ReplaceCardFromDeck": Request(("replace-card-from-deck",), ("cardIndex",), _ONE),
        "Discard": Request(("discard",), (), (("card", held),)),
        "PeekOwnCard": Request(("peek-own-card",), ("cardIndex",), _ONE),
        "PeekAnothersCard": Request(
            ("peek-anothers-card",), ("anotherPlayerIndex", "cardIndex"), (("card", _ANOTHERS),)
        ),
        "ExchangeCards": Request(("exchange-cards",), _EXCHANGE, (*_ONE, ("other", _OTHER))),
        "ReplaceCardsFromDeck": Request(("replace-cards-from-deck",)),
        "ReplaceCardsByDiscarded": Request(("replace-cards-by-discarded",)),
        "StartNextRound": Request(("start-next-round",)),
    }
)
"""All that a client may ask for."""


@dataclass(frozen=True, slots=True)
class SixtySixV1:
    """The protocol of the first variant."""

    name: str = "66-v1"
    game: str = "66"
    options: tuple[tuple[str, str], ...] = (("variant", "v1"),)
    has_acks: bool = True
    greeting: str | None = None
    error: str = "Error"
    is_flat: bool = True

    def tell(self, sight: Sight, legal: Sequence[Action]) -> tuple[Told, ...]:  # noqa: ARG002 - every protocol
        """Return what a client is told of an entry."""
        return tuple(told_of(moments_in(sight), ROWS, SOURCES, sight))

    def read(self, said: Said, view: View, legal: Sequence[Action]) -> Action:
        """Return the action that a client asks for, or raise `Refused`."""
        return read_request(REQUESTS, said, view, legal)

    def greet(self, view: View, players: int) -> Mapping[str, Json]:  # noqa: ARG002 - every protocol
        """Return nothing: clients of this protocol do not greet."""
        return NOTHING

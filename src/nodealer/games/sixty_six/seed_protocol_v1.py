"""The protocol of 66 in its first description: a message of its own for everybody's part.

Its requests are one for each action, so what a client may say and what its player may do are the
same list in two alphabets. The tables are also specs/games/66-v1-protocol.md, which is checked.
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
    anothers,
    held,
    own,
    own_cards,
    read_request,
)

_PLACED: Final = ("cardIndex", "discardedValue")
_PLACED_BY: Final = ("playerIndex", *_PLACED)
_SEVERAL: Final = ("cardIndexes", "discardedValue")
_SEVERAL_BY: Final = ("playerIndex", *_SEVERAL)
_ROUND: Final = ("turnCount", "scores", "totalScores", "nextPlayerIndex")
_EXCHANGE: Final = ("cardIndex", "anotherPlayerIndex", "anotherPlayerCardIndex")

ROWS: Final = (
    MessageRow(
        "dealing",
        ToldTo.ALL,
        "GameState",
        ("deckSize", "discardedValue", "handSizes", "playerIndex"),
    ),
    MessageRow("dealt", ToldTo.ALL, "FirstTwoCards", ("value1", "value2")),
    MessageRow("turn", ToldTo.OTHERS, "NextTurn", ("playerIndex",)),
    MessageRow("turn", ToldTo.ACTIVE, "YourTurn", (), asks=True),
    MessageRow("taken", ToldTo.ACTIVE, "TookDeckCard", ("value", "deckSize"), asks=True),
    MessageRow("replaced-one-discard", ToldTo.OTHERS, "CardReplacedByDiscarded", _PLACED_BY),
    MessageRow("replaced-one-discard", ToldTo.ACTIVE, "ReplacedCardByDiscarded", _PLACED),
    MessageRow(
        "equal", ToldTo.OTHERS, "IdenticalCardsShown", ("playerIndex", "cardIndexes", "value")
    ),
    MessageRow("source", ToldTo.ACTIVE, "ShowedIdenticalCards", ("cardIndexes",), asks=True),
    MessageRow(
        "different", ToldTo.OTHERS, "DifferentCardsShown", ("playerIndex", "cardIndexes", "values")
    ),
    MessageRow("different", ToldTo.ACTIVE, "ShowedDifferentCards", ("cardIndexes",)),
    MessageRow("stopped", ToldTo.OTHERS, "StopInitiated", ("playerIndex",)),
    MessageRow("stopped", ToldTo.ACTIVE, "InitiatedStop"),
    MessageRow("replaced-one-deck", ToldTo.OTHERS, "CardReplacedFromDeck", _PLACED_BY),
    MessageRow("replaced-one-deck", ToldTo.ACTIVE, "ReplacedCardFromDeck", _PLACED),
    MessageRow("discarded", ToldTo.OTHERS, "CardDiscarded", ("playerIndex", "discardedValue")),
    MessageRow("discarded", ToldTo.ACTIVE, "DiscardedCard", ("discardedValue",)),
    MessageRow("power", ToldTo.OTHERS, "CardDiscarded", ("playerIndex", "discardedValue")),
    MessageRow("use-peek-own", ToldTo.ACTIVE, "PeekingOwnCard", ("discardedValue",), asks=True),
    MessageRow("peeked-own", ToldTo.OTHERS, "OwnCardPeeked", ("playerIndex", "cardIndex")),
    MessageRow("saw-own", ToldTo.ACTIVE, "OwnCard", ("cardIndex", "value")),
    MessageRow(
        "use-peek-anothers", ToldTo.ACTIVE, "PeekingAnothersCard", ("discardedValue",), asks=True
    ),
    MessageRow(
        "peeked-anothers",
        ToldTo.OTHERS,
        "AnothersCardPeeked",
        ("playerIndex", "anotherPlayerIndex", "cardIndex"),
    ),
    MessageRow(
        "saw-anothers", ToldTo.ACTIVE, "AnothersCard", ("anotherPlayerIndex", "cardIndex", "value")
    ),
    MessageRow("use-exchange", ToldTo.ACTIVE, "ExchangingCards", ("discardedValue",), asks=True),
    MessageRow("exchanged", ToldTo.OTHERS, "CardsExchanged", ("playerIndex", *_EXCHANGE)),
    MessageRow("exchanged", ToldTo.ACTIVE, "ExchangedCards", _EXCHANGE),
    MessageRow("replaced-several-deck", ToldTo.OTHERS, "CardsReplacedFromDeck", _SEVERAL_BY),
    MessageRow("replaced-several-deck", ToldTo.ACTIVE, "ReplacedCardsFromDeck", _SEVERAL),
    MessageRow("replaced-several-discard", ToldTo.OTHERS, "CardsReplacedByDiscarded", _SEVERAL_BY),
    MessageRow("replaced-several-discard", ToldTo.ACTIVE, "ReplacedCardsByDiscarded", _SEVERAL),
    MessageRow("scored", ToldTo.OTHERS, "RoundFinished", _ROUND),
    MessageRow("next-round", ToldTo.ACTIVE, "RoundFinished", _ROUND, asks=True),
    MessageRow("over", ToldTo.ALL, "GameFinished", ("roundCount", "scores", "totalScores")),
)
"""All that a client is told."""

_ONE: Final = (("card", own),)
_ANOTHERS: Final = anothers("anotherPlayerIndex", "cardIndex")
_OTHER: Final = anothers("anotherPlayerIndex", "anotherPlayerCardIndex")

REQUESTS: Final[Mapping[str, RequestForm]] = {
    "StartGame": RequestForm(("start-game",)),
    "TakeCardFromDeck": RequestForm(("take-card-from-deck",)),
    "ReplaceCardByDiscarded": RequestForm(("replace-card-by-discarded",), ("cardIndex",), _ONE),
    "ShowCards": RequestForm(("show-cards",), ("cardIndexes",), (("cards", own_cards),)),
    "StopRound": RequestForm(("stop-round",)),
    "ReplaceCardFromDeck": RequestForm(("replace-card-from-deck",), ("cardIndex",), _ONE),
    "Discard": RequestForm(("discard",), (), (("card", held),)),
    "PeekOwnCard": RequestForm(("peek-own-card",), ("cardIndex",), _ONE),
    "PeekAnothersCard": RequestForm(
        ("peek-anothers-card",), ("anotherPlayerIndex", "cardIndex"), (("card", _ANOTHERS),)
    ),
    "ExchangeCards": RequestForm(("exchange-cards",), _EXCHANGE, (*_ONE, ("other", _OTHER))),
    "ReplaceCardsFromDeck": RequestForm(("replace-cards-from-deck",)),
    "ReplaceCardsByDiscarded": RequestForm(("replace-cards-by-discarded",)),
    "StartNextRound": RequestForm(("start-next-round",)),
}
"""All that a client may ask for."""


def _tell(seen: SeenEntry, legal: Sequence[Action]) -> tuple[ClientMessage, ...]:  # noqa: ARG001 - every one
    return tuple(told_of(incidents_in(seen), ROWS, SOURCES, seen))


SIXTY_SIX_V1: Final = SeedProtocol(
    name="66-v1",
    tell=_tell,
    read=partial(read_request, REQUESTS),
    options=(("variant", "v1"),),
    has_acks=True,
    error="Error",
)
"""The protocol of the first variant."""

"""The diagrams of the descriptions, walked: every request of every game is one of their sequences.

The sequences are written down here once more, from the descriptions alone: what the others hear,
and what the player hears who has asked. A turn that ends is followed by the next turn, the end of
the round, or of the game, for everybody alike.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from functools import lru_cache

import pytest

from nodealer.kernel import Seat
from tests.seat.plainly import Sent
from tests.seat.playing import Game

Form = tuple[str, str]
"""The name of a message and its fields, in alphabetical order."""


def form(name: str, *fields: str) -> Form:
    return name, " ".join(sorted(fields))


def forms(name: str, *lists: str) -> list[Form]:
    return [form(name, *fields.split()) for fields in lists]


SHORT, EXCHANGE = "cardIndex discardedValue", "cardIndex anotherPlayerIndex anotherPlayerCardIndex"
SEVERAL = "cardIndexes discardedValue"
ROUND_1 = "turnCount scores totalScores nextPlayerIndex"

V1: dict[str, list[tuple[list[Form], list[Form]]]] = {
    "start": [
        (
            [
                form("GameState", "deckSize", "discardedValue", "handSizes", "playerIndex"),
                form("FirstTwoCards", "value1", "value2"),
            ],
        )
        * 2
    ],
    "TakeCardFromDeck": [([], forms("TookDeckCard", "value deckSize"))],
    "ReplaceCardByDiscarded": [
        (
            forms("CardReplacedByDiscarded", f"playerIndex {SHORT}"),
            forms("ReplacedCardByDiscarded", SHORT),
        )
    ],
    "ShowCards": [
        (
            forms("IdenticalCardsShown", "playerIndex cardIndexes value"),
            forms("ShowedIdenticalCards", "cardIndexes"),
        ),
        (
            forms("DifferentCardsShown", "playerIndex cardIndexes values"),
            forms("ShowedDifferentCards", "cardIndexes"),
        ),
    ],
    "StopRound": [(forms("StopInitiated", "playerIndex"), forms("InitiatedStop", ""))],
    "ReplaceCardFromDeck": [
        (
            forms("CardReplacedFromDeck", f"playerIndex {SHORT}"),
            forms("ReplacedCardFromDeck", SHORT),
        )
    ],
    "Discard": [
        (forms("CardDiscarded", "playerIndex discardedValue"), forms(name, "discardedValue"))
        for name in ("DiscardedCard", "PeekingOwnCard", "PeekingAnothersCard", "ExchangingCards")
    ],
    "PeekOwnCard": [
        (forms("OwnCardPeeked", "playerIndex cardIndex"), forms("OwnCard", "cardIndex value"))
    ],
    "PeekAnothersCard": [
        (
            forms("AnothersCardPeeked", "playerIndex anotherPlayerIndex cardIndex"),
            forms("AnothersCard", "anotherPlayerIndex cardIndex value"),
        )
    ],
    "ExchangeCards": [
        (forms("CardsExchanged", f"playerIndex {EXCHANGE}"), forms("ExchangedCards", EXCHANGE))
    ],
    "ReplaceCardsFromDeck": [
        (
            forms("CardsReplacedFromDeck", f"playerIndex {SEVERAL}"),
            forms("ReplacedCardsFromDeck", SEVERAL),
        )
    ],
    "ReplaceCardsByDiscarded": [
        (
            forms("CardsReplacedByDiscarded", f"playerIndex {SEVERAL}"),
            forms("ReplacedCardsByDiscarded", SEVERAL),
        )
    ],
}
V1_TAILS = [
    (forms("NextTurn", "playerIndex"), forms("YourTurn", "")),
    (forms("RoundFinished", ROUND_1),) * 2,
    (forms("GameFinished", "roundCount scores totalScores"),) * 2,
]

TURN = "activePlayerIndex deckCard stopCounter turn"
REPLACED = forms("CardsReplaced", "playerIndex cardIndexes fromDeck discardedValue deckSize")
SHOWN = forms("CardsRevealed", "cards")
MORE = forms("BoardUpdated", "actions")
SPENT = forms("BoardUpdated", "discardedValue deckSize")
DISCARDED = forms("BoardUpdated", "deckSize deckCard discardedValue")
ROUND_2 = forms("RoundFinished", "cards scores totalScores isGameFinished")

V2: dict[str, list[tuple[list[Form], list[Form]]]] = {
    "start": [
        (
            [
                *forms(
                    "BoardInitialized",
                    "deckSize deckCard discardedValue handSizes stopCounter round turn",
                ),
                *SHOWN,
            ],
        )
        * 2
    ],
    "TakeCardFromDeck": [([], forms("BoardUpdated", "deckSize deckCard actions"))],
    "TakeDiscardedCard": [([], MORE)],
    "StopRound": [(forms("BoardUpdated", "stopCounter"),) * 2],
    "PickOwnCard": [(REPLACED,) * 2, (SHOWN, SHOWN), ([], MORE)],
    "ShowCards": [
        ([*SHOWN, *REPLACED],) * 2,
        (SHOWN, SHOWN),
        ([*SHOWN, *SPENT],) * 2,  # an addition: the card that the claim has cost
    ],
    "Discard": [
        (DISCARDED, DISCARDED),
        (
            forms("BoardUpdated", "deckSize discardedValue"),
            forms("BoardUpdated", "deckSize deckCard discardedValue actions"),
        ),
    ],
    "PickAnothersCard": [
        (SHOWN, SHOWN),
        (forms("CardExchanged", f"playerIndex {EXCHANGE}"),) * 2,
    ],
}
V2_TAILS = [
    (forms("BoardUpdated", TURN), forms("BoardUpdated", f"{TURN} actions")),
    (ROUND_2, [*ROUND_2, *MORE]),
    (ROUND_2, ROUND_2),
]

SEQUENCES = {"66-v1": (V1, V1_TAILS), "66-v2": (V2, V2_TAILS)}

FURTHER = {
    "TakeCardFromDeck",
    "TakeDiscardedCard",
    "use",
}
"""Requests after which the same player has to ask for something else."""


@lru_cache
def played(protocol: str, seats: int, seed: int) -> Game:
    game = Game(protocol, seats, seed)
    game.play()
    assert game.table.dealer.result() is not None
    assert all(client.is_over and not client.errors for client in game.clients.values())
    return game


def said(message: dict[str, object]) -> Form:
    fields = message.keys() - {"type", "id"}
    return form(str(message["type"]), *fields)


def parts(course: list[Sent]) -> list[tuple[Sent, dict[Seat, list[Form]]]]:
    """Return each request with what everybody hears before the next one."""
    found: list[tuple[Sent, dict[Seat, list[Form]]]] = []
    for sent in course:
        if "request" in sent.message:
            found.append((sent, defaultdict(list)))
        else:
            found[-1][1][sent.to].append(said(sent.message))
    return found


def rest_of(heard: list[Form], body: list[Form]) -> list[Form] | None:
    return heard[len(body) :] if heard[: len(body)] == body else None


def walked(protocol: str, request: Sent, heard: dict[Seat, list[Form]], seats: list[Seat]) -> str:
    """Return the sequence that a request has led to, by its place in the lists above."""
    sequences, tails = SEQUENCES[protocol]
    name = request.message["type"]
    name = "start" if name in ("StartGame", "StartNextRound") else name
    for number, (others, active) in enumerate(sequences[name]):
        rests = {
            seat: rest_of(heard[seat], active if seat == request.to else others) for seat in seats
        }
        if any(rest is None for rest in rests.values()):
            continue
        if not any(rests.values()):
            return f"{name}/{number}"
        for tail, (most, one) in enumerate(tails):
            special = [seat for seat in seats if rests[seat] == one]
            if special and all(rests[seat] in (most, one) for seat in seats):
                assert most == one or len(special) == 1
                return f"{name}/{number}+{tail}"
    raise AssertionError(f"{request}: {dict(heard)}")


SEEDS = {"66-v1": 30, "66-v2": 30}


@pytest.mark.parametrize("protocol", SEQUENCES)
def test_every_request_is_a_sequence_of_the_description(protocol: str) -> None:
    found: set[str] = set()
    for seed in range(SEEDS[protocol]):
        game = played(protocol, 3, seed)
        for request, heard in parts(game.table.course):
            found.add(walked(protocol, request, heard, list(game.clients)))
    sequences, tails = SEQUENCES[protocol]
    wanted = {f"{name}/{number}" for name, all_ in sequences.items() for number in range(len(all_))}
    assert {name.partition("+")[0] for name in found} == wanted
    ends = {name.partition("+")[2] for name in found} - {""}
    assert ends == {str(number) for number in range(len(tails))}


def test_a_message_to_the_wrong_player_is_noticed() -> None:
    game = played("66-v1", 3, 0)
    request, heard = parts(game.table.course)[1]
    heard[Seat(1)].append(form("TookDeckCard", "value", "deckSize"))
    with pytest.raises(AssertionError):
        walked("66-v1", request, heard, list(game.clients))


ORDER = re.compile(
    "(register_response )(deal (play_request played (taken |choose_request taken )*){4})+game_over "
)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_client_of_6_nimmt_hears_the_order_of_the_description(seats: int) -> None:
    for seed in range(6):
        game = played("take5", seats, seed)
        for client in game.clients.values():
            types = "".join(f"{message['type']} " for message in client.heard)
            assert ORDER.fullmatch(types), types
        assert any("choose_request" == one.message["type"] for one in game.log)


STATES_V1 = """
ROUND_STARTING READY_FOR_TURN; READY_FOR_TURN DECK_CARD_TAKEN;
READY_FOR_TURN REPLACING_CARD_BY_DISCARDED; READY_FOR_TURN ROUND_STOPPING;
READY_FOR_TURN SHOWING_CARDS; SHOWING_CARDS READY_FOR_TURN; SHOWING_CARDS AWAITING_REPLACEMENT;
AWAITING_REPLACEMENT REPLACING_MULTIPLE_CARDS_FROM_DECK;
AWAITING_REPLACEMENT REPLACING_MULTIPLE_CARDS_BY_DISCARDED;
DECK_CARD_TAKEN REPLACING_CARD_FROM_DECK; REPLACING_CARD_FROM_DECK READY_FOR_TURN;
DECK_CARD_TAKEN DISCARDING; DISCARDING READY_FOR_TURN; DISCARDING AWAITING_POWER;
AWAITING_POWER PEEKING_OWN_CARD; AWAITING_POWER PEEKING_ANOTHERS_CARD;
AWAITING_POWER EXCHANGING_CARDS; REPLACING_CARD_BY_DISCARDED READY_FOR_TURN;
REPLACING_MULTIPLE_CARDS_BY_DISCARDED READY_FOR_TURN; ROUND_STOPPING READY_FOR_TURN;
REPLACING_MULTIPLE_CARDS_FROM_DECK READY_FOR_TURN; PEEKING_OWN_CARD READY_FOR_TURN;
PEEKING_ANOTHERS_CARD READY_FOR_TURN; EXCHANGING_CARDS READY_FOR_TURN;
ROUND_SCORING ROUND_FINISHED; ROUND_SCORING GAME_FINISHED; ROUND_FINISHED ROUND_STARTING
"""
STATES_V2 = """
ROUND_STARTING READY_FOR_TURN; READY_FOR_TURN DECK_CARD_TAKEN;
READY_FOR_TURN DISCARDED_CARD_TAKEN; READY_FOR_TURN ROUND_STOPPING;
DECK_CARD_TAKEN REPLACING_CARDS; DISCARDED_CARD_TAKEN REPLACING_CARDS;
REPLACING_CARDS READY_FOR_TURN; DECK_CARD_TAKEN DISCARDING_PLAIN;
DECK_CARD_TAKEN DISCARDING_7_8; DECK_CARD_TAKEN DISCARDING_9_10;
DECK_CARD_TAKEN DISCARDING_11_12; DISCARDING_PLAIN READY_FOR_TURN;
DISCARDING_7_8 SEEING_OWN_CARD; SEEING_OWN_CARD READY_FOR_TURN;
DISCARDING_9_10 SEEING_ANOTHERS_CARD; SEEING_ANOTHERS_CARD READY_FOR_TURN;
DISCARDING_11_12 PICKING_ANOTHERS_CARD_FOR_EXCHANGE;
PICKING_ANOTHERS_CARD_FOR_EXCHANGE EXCHANGING_CARD; EXCHANGING_CARD READY_FOR_TURN;
DECK_CARD_TAKEN SHOWING_CARDS; DISCARDED_CARD_TAKEN SHOWING_CARDS;
SHOWING_CARDS REPLACING_CARDS; SHOWING_CARDS READY_FOR_TURN; ROUND_STOPPING READY_FOR_TURN;
ROUND_FINISHED ROUND_STARTING; ROUND_FINISHED GAME_FINISHED
"""


@pytest.mark.parametrize(("protocol", "states"), [("66-v1", STATES_V1), ("66-v2", STATES_V2)])
def test_clients_pass_every_arrow_of_the_state_diagram(protocol: str, states: str) -> None:
    wanted = {tuple(pair.split()) for pair in states.split(";")}
    passed: set[tuple[str, ...]] = set()
    for seed in range(SEEDS[protocol]):
        phases = played(protocol, 3, seed).table.phases
        passed |= set(itertools.pairwise(phases))
    assert not wanted - passed

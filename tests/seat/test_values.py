"""Every field of every message has the value that the descriptions mean, whoever hears it.

The clients believe what they are told, so nothing else here would notice a number in the wrong
field. For 66 every field is compared with what the descriptions mean by it, written down here
once more, over the cards as they truly lay when the client was told and when somebody asked for
what it was told of. For 6 nimmt! a client needs no more than what it hears: boards, cards and
stacks have to follow from each other, and the scores from the stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.sixty_six.message_rows import MessageRow
from nodealer.games.sixty_six.seed_protocol_v1 import ROWS as V1_ROWS
from nodealer.games.sixty_six.seed_protocol_v2 import ROWS as V2_ROWS
from nodealer.games.sixty_six.state import State
from nodealer.games.sixty_six.turns import taken
from nodealer.kernel import Seat
from tests.games.take5.second import heads_on
from tests.seat.plainly import PlainTable
from tests.seat.playing import Game

Message = dict[str, Any]


@dataclass(frozen=True)
class Truth:
    """A table with its cards open; `request` is what was asked for last, by the seat `asker`."""

    state: State
    hands: dict[int, list[int]]
    deck: int
    discarded: int | None
    held: int | None
    request: Message
    asker: Seat

    @property
    def places(self) -> list[int]:
        """The places that the request names."""
        one = [self.request["cardIndex"]] if "cardIndex" in self.request else []
        return sorted(self.request.get("cardIndexes", one))

    def values(self, places: list[int]) -> list[int]:
        """Return the values at some places of the asker."""
        return [self.hands[self.asker][place] for place in places]


@dataclass(frozen=True)
class Heard:
    """A message: whose client heard it, how things lay when it was asked for, and how they lie."""

    me: Seat
    then: Truth
    now: Truth
    before: Truth
    """How things lay at the last request that named places before this one."""

    @property
    def places(self) -> list[int]:
        """The places in the hand of whoever has asked."""
        return self.then.places or self.before.places

    @property
    def looked_at(self) -> tuple[int, int]:
        """The card that somebody looks at: whose it is, and where it lies."""
        request = self.then.request
        owner = request.get("playerIndex", request.get("anotherPlayerIndex"))
        return int(self.then.asker if owner is None else owner), int(request["cardIndex"])

    def record(self, owner: int, place: int, *, is_seen: bool) -> Message:
        """Return a card as the second description has it."""
        value = {"value": self.then.hands[owner][place]} if is_seen else {}
        return {"playerIndex": owner, "cardIndex": place, **value}


class Noted(PlainTable):
    """A table that notes how everything lay when something was asked for, and when it was told."""

    def __init__(self, protocol: str, seats: int, seed: str | int) -> None:
        self.request: tuple[Message, Seat] = ({}, Seat(0))
        self.asked: list[Truth] = []
        self.told: dict[tuple[Seat, int], Heard] = {}
        super().__init__(protocol, seats, seed)

    def truth(self) -> Truth:
        """Return how everything lies."""
        board, faces, state = self.dealer.board, self.dealer.pack.faces, self.dealer.state
        assert isinstance(state, State)
        held = [int(faces[slot]) for seat in state.seats for slot in board.at(taken(seat))]
        last = [int(board.face(slot)) for slot in board.at(DISCARD)[-1:] if slot in board.faces]
        return Truth(
            state,
            {seat: [int(faces[slot]) for slot in board.at(hand(seat))] for seat in state.seats},
            len(board.at(STOCK)),
            last[0] if last else None,
            held[0] if held else None,
            *self.request,
        )

    def say(self, seat: Seat, message: Message) -> None:
        if message["type"] != "Ack":
            self.request = message, seat
            self.asked.append(self.truth())
        super().say(seat, message)

    def tell(self) -> None:
        first_new = {seat: one.next_number for seat, one in self.conversations.items()}
        super().tell()
        now = self.truth()
        for seat, one in self.conversations.items():
            for number in range(first_new[seat], one.next_number):
                then, *earlier = reversed(self.asked)
                before = next((truth for truth in earlier if truth.places), then)
                self.told[seat, number] = Heard(seat, then, now, before)


def listed(values: Iterable[tuple[Seat, int]], players: int) -> list[int | None]:
    """Return what every player has, in their order."""
    found = dict(values)
    return [found.get(Seat(player)) for player in range(players)]


def actions(heard: Heard) -> list[str]:
    """Return what the second description lets a player ask for."""
    now = heard.now
    claim = ["ShowCards"] if len(now.hands[heard.me]) > 1 else []
    used = ["TakeDiscardedCard"] if now.discarded is not None else []
    stop = ["StopRound"] if now.state.stopper is None else []
    return {
        "READY_FOR_TURN": ["TakeCardFromDeck", *used, *stop],
        "DECK_CARD_TAKEN": ["PickOwnCard", *claim, "Discard"],
        "DISCARDED_CARD_TAKEN": ["PickOwnCard", *claim],
        "DISCARDING_7_8": ["PickOwnCard"],
        "DISCARDING_9_10": ["PickAnothersCard"],
        "DISCARDING_11_12": ["PickOwnCard"],
        "PICKING_ANOTHERS_CARD_FOR_EXCHANGE": ["PickAnothersCard"],
        "ROUND_FINISHED": ["StartNextRound"],
    }[now.state.phase.value]


def cards(heard: Heard) -> list[Message]:
    """Return the cards of a beginning, of a claim, of a look at a card, of an end."""
    me, then, now = heard.me, heard.then, heard.now
    if now.state.points:
        lying = [(seat, place) for seat, hand in now.hands.items() for place in range(len(hand))]
        return [replace(heard, then=now).record(*card, is_seen=True) for card in lying]
    match then.request["type"]:
        case "StartGame" | "StartNextRound":
            return [replace(heard, then=now).record(me, place, is_seen=True) for place in (0, 1)]
        case "ShowCards":
            is_seen = me != then.asker
            return [heard.record(then.asker, place, is_seen=is_seen) for place in then.places]
        case _:
            return [heard.record(*heard.looked_at, is_seen=me == then.asker)]


def value(heard: Heard) -> int | None:
    """Return the value of the card that was taken, or claimed, or looked at."""
    match heard.then.request["type"]:
        case "TakeCardFromDeck":
            return heard.now.held
        case "ShowCards":
            (same,) = set(heard.then.values(heard.then.places))
            return same
        case _:
            owner, place = heard.looked_at
            return heard.then.hands[owner][place]


FIELDS: dict[str, Callable[[Heard], object]] = {
    "activePlayerIndex": lambda heard: heard.now.state.active,
    "actions": actions,
    "anotherPlayerCardIndex": lambda heard: heard.then.request["anotherPlayerCardIndex"],
    "anotherPlayerIndex": lambda heard: heard.then.request["anotherPlayerIndex"],
    "cardIndex": lambda heard: heard.then.request["cardIndex"],
    "cardIndexes": lambda heard: heard.places,
    "cards": cards,
    "deckCard": lambda heard: heard.now.held if heard.now.state.active == heard.me else None,
    "deckSize": lambda heard: heard.now.deck,
    "discardedValue": lambda heard: heard.now.discarded,
    "fromDeck": lambda heard: heard.then.held is not None,
    "handSizes": lambda heard: [len(hand) for hand in heard.now.hands.values()],
    "isGameFinished": lambda heard: any(total > 66 for _, total in heard.now.state.totals),
    "nextPlayerIndex": lambda heard: heard.now.state.starter,
    "playerIndex": lambda heard: heard.then.asker,
    "round": lambda heard: heard.now.state.round,
    "roundCount": lambda heard: heard.now.state.round,
    "scores": lambda heard: listed(heard.now.state.points, 3),
    "stopCounter": lambda heard: heard.now.state.stop_counter,
    "totalScores": lambda heard: listed(heard.now.state.totals, 3),
    "turn": lambda heard: heard.now.state.turn,
    "turnCount": lambda heard: heard.now.state.turn,
    "value": value,
    "value1": lambda heard: heard.now.hands[heard.me][0],
    "value2": lambda heard: heard.now.hands[heard.me][1],
    "values": lambda heard: heard.then.values(heard.then.places),
}
"""What fields mean."""

SPECIAL: dict[tuple[str, str], Callable[[Heard], object]] = {
    ("GameState", "playerIndex"): lambda heard: heard.me,
    ("NextTurn", "playerIndex"): lambda heard: heard.now.state.active,
    ("CardExchanged", "cardIndex"): lambda heard: heard.before.request["cardIndex"],
    ("CardExchanged", "anotherPlayerIndex"): lambda heard: heard.then.request["playerIndex"],
    ("CardExchanged", "anotherPlayerCardIndex"): lambda heard: heard.then.request["cardIndex"],
}
"""Fields that mean something else in one message."""


def compared(protocol: str, seed: int) -> set[str]:
    """Compare all messages of a game with those of the description; return their names."""
    game = Game(protocol, 3, seed, Noted)
    game.play()
    table, names = game.table, set()
    assert isinstance(table, Noted)
    for sent in game.log:
        name, number = sent.message["type"], sent.message["id"]
        heard = table.told[sent.to, number]
        for field in sent.message.keys() - {"type", "id"}:
            wanted = SPECIAL.get((name, field), FIELDS[field])(heard)
            assert sent.message[field] == wanted, (sent, field, heard)
        names.add(name)
    return names


@pytest.mark.parametrize(("protocol", "rows"), [("66-v1", V1_ROWS), ("66-v2", V2_ROWS)])
def test_every_field_has_its_value(
    protocol: str, rows: Sequence[MessageRow], is_full: bool
) -> None:
    names: set[str] = set()
    for seed in range(200 if is_full else 30):
        names |= compared(protocol, seed)
    assert names == {row.name for row in rows}


class Stacks:
    """6 nimmt! as far as a client can follow it, by the rules and what it was told."""

    def __init__(self, seats: int, full: int) -> None:
        self.full = full
        self.scores = dict.fromkeys(range(seats), 0)
        self.board: dict[str, list[Message]] = {}
        self.played: list[Message] = []

    def hear(self, message: Message) -> None:
        """Check what comes, and follow it."""
        data = message["data"]
        match message["type"]:
            case "play_request":
                self.place()
                assert not self.played
                assert not self.board or data == self.board or is_new(data)
                self.board = {name: list(cards) for name, cards in data.items()}
            case "played":
                self.played = list(data)
                faces = [one["card"]["face"] for one in data]
                assert faces == sorted(faces)
                assert sorted(one["id"] for one in data) == list(self.scores)
            case "choose_request":
                self.place()
                assert data == self.board
            case "taken":
                self.place()
                self.take(data)
            case "game_over":
                self.place()
                scores = [{"player": seat, "score": self.scores[seat]} for seat in self.scores]
                assert data == scores
            case _:
                pass
        for card in cards_in(data):
            assert card["bull"] == heads_on(card["face"])

    def place(self) -> None:
        """Place cards up to the first that takes a stack."""
        while self.played:
            card = self.played[0]["card"]
            fits = [name for name, cards in self.board.items() if is_lower(cards[-1], card)]
            best = max(fits, key=lambda name: self.board[name][-1]["face"], default=None)
            if best is None or len(self.board[best]) == self.full:
                return
            self.board[best].append(card)
            del self.played[0]

    def take(self, data: Message) -> None:
        """Take the stack that the first card takes, whichever its player has chosen."""
        mine = self.played.pop(0)
        assert data["id"] == mine["id"]
        (name,) = [name for name, cards in self.board.items() if cards == data["stack"]]
        fits = [one for one, cards in self.board.items() if is_lower(cards[-1], mine["card"])]
        assert not fits or name == max(fits, key=lambda one: self.board[one][-1]["face"])
        self.board[name] = [mine["card"]]
        self.scores[data["id"]] += sum(card["bull"] for card in data["stack"])


def is_new(board: dict[str, list[Message]]) -> bool:
    """Say whether a round begins with this board."""
    return all(len(cards) == 1 for cards in board.values())


def is_lower(card: Message, other: Message) -> bool:
    return bool(card["face"] < other["face"])


def cards_in(data: object) -> list[Message]:
    """Return all cards in a message."""
    if isinstance(data, list):
        return [card for part in data for card in cards_in(part)]
    if isinstance(data, dict):
        inner = [card for part in data.values() for card in cards_in(part)]
        return [data] if "face" in data else inner
    return []


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_boards_cards_stacks_and_scores_follow_from_each_other(seats: int, is_full: bool) -> None:
    for seed in range(50 if is_full else 2):
        game = Game("take5", seats, seed)
        game.play()
        for client in game.clients.values():
            config = client.heard[0]["data"]
            assert config["player_count"] == seats
            stacks = Stacks(seats, config["confg"]["stack_size"])
            for message in client.heard:
                stacks.hear(message)

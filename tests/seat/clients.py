"""Clients as somebody would write them who has nothing but the three descriptions.

This module imports nothing of nodealer, and knows of the game what the messages say. A client hears
one message after the other and answers each; what it chooses comes from `pick`, a number below a
bound, which follows from the number of the message and that of the refusals before. What it is told
must fit together: a client that is told nonsense raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Pick = Callable[[int], int]
Picks = Callable[[int, int], Pick]


class Client:
    """What the clients have in common."""

    def __init__(self, me: int, picks: Picks, *, starts: bool = False) -> None:
        self.me = me
        self.picks = picks
        self.pick = picks(0, 0)
        self.starts = starts
        self.heard: list[Message] = []
        self.errors: list[Message] = []
        self.is_over = False

    def opening(self) -> list[Message]:
        """Return what is said before anything is heard."""
        raise NotImplementedError

    def answers(self, message: Message) -> list[Message]:
        """Return what is said to a message."""
        raise NotImplementedError

    def hear(self, message: Message) -> list[Message]:
        """Hear a message, and answer it."""
        self.heard.append(message)
        self.pick = self.picks(message.get("id", len(self.heard)), len(self.errors))
        if message["type"] in ("error", "Error"):
            self.errors.append(message)
            return []
        return self.answers(message)

    def one_of(self, options: list[Message]) -> Message:
        """Choose."""
        return options[self.pick(len(options))]


class Acking(Client):
    """A client of 66: it acknowledges everything, once."""

    last = 0
    is_again = False
    """Whether the message was heard before: then nothing has changed since."""

    def opening(self) -> list[Message]:
        return [{"type": "StartGame"}] if self.starts else []

    def hear(self, message: Message) -> list[Message]:
        self.is_again = message.get("id") == self.last
        answers = super().hear(message)
        if "id" not in message:
            return answers
        ack = {"type": "Ack", "id": message["id"]}
        assert message["id"] in (self.last, self.last + 1), "messages come in order, none is lost"
        self.last = message["id"]
        return [ack, *answers]


class FirstDescription(Acking):
    """A client of the first description of 66."""

    sizes: list[int]
    discarded: int | None = None
    is_stopped = False

    def answers(self, message: Message) -> list[Message]:
        name = message["type"]
        if not self.is_again:
            self._follow(name, message)
        match name:
            case "YourTurn":
                return [self._turn()]
            case "TookDeckCard":
                assert 0 <= message["value"] <= 13
                return [self.one_of([{"type": "Discard"}, self._own("ReplaceCardFromDeck")])]
            case "ShowedIdenticalCards":
                options = [{"type": "ReplaceCardsFromDeck"}]
                if self.discarded is not None:
                    options.append({"type": "ReplaceCardsByDiscarded"})
                return [self.one_of(options)]
            case "RoundFinished":
                starts = message["nextPlayerIndex"] == self.me
                return [{"type": "StartNextRound"}] if starts else []
            case "GameFinished":
                self.is_over = True
            case _:
                pass
        return self._use(name)

    def _use(self, name: str) -> list[Message]:
        match name:
            case "PeekingOwnCard":
                return [self._own("PeekOwnCard")]
            case "PeekingAnothersCard":
                player, card = self._anothers()
                return [
                    {"type": "PeekAnothersCard", "anotherPlayerIndex": player, "cardIndex": card}
                ]
            case "ExchangingCards":
                player, card = self._anothers()
                theirs = {"anotherPlayerIndex": player, "anotherPlayerCardIndex": card}
                return [{**self._own("ExchangeCards"), **theirs}]
            case _:
                return []

    def _follow(self, name: str, message: Message) -> None:
        if name == "GameState":
            assert message["playerIndex"] == self.me
            self.sizes, self.is_stopped = list(message["handSizes"]), False
        if name in ("StopInitiated", "InitiatedStop"):
            self.is_stopped = True
        if "discardedValue" in message:
            self.discarded = message["discardedValue"]
        if name.startswith(("CardsReplaced", "ReplacedCards")):
            self.sizes[message.get("playerIndex", self.me)] -= len(message["cardIndexes"]) - 1

    def _turn(self) -> Message:
        options: list[Message] = [{"type": "TakeCardFromDeck"}] * 2
        if self.discarded is not None:
            options.append(self._own("ReplaceCardByDiscarded"))
        if self.sizes[self.me] > 1:
            options.append({"type": "ShowCards", "cardIndexes": [0, self.sizes[self.me] - 1]})
        if not self.is_stopped:
            options.append({"type": "StopRound"})
        return self.one_of(options)

    def _own(self, name: str) -> Message:
        return {"type": name, "cardIndex": self.pick(self.sizes[self.me])}

    def _anothers(self) -> tuple[int, int]:
        others = [
            player for player, size in enumerate(self.sizes) if size > 0 and player != self.me
        ]
        player = others[self.pick(len(others))]
        return player, self.pick(self.sizes[player])


class SecondDescription(Acking):
    """A client of the second description of 66; it was told elsewhere which player it is."""

    sizes: list[int]
    power = ""

    def answers(self, message: Message) -> list[Message]:
        match message["type"]:
            case "BoardInitialized":
                assert message["deckCard"] is message["discardedValue"] is None
                self.sizes = list(message["handSizes"])
            case "CardsReplaced" if not self.is_again:
                self.sizes[message["playerIndex"]] -= len(message["cardIndexes"]) - 1
            case "RoundFinished":
                self.is_over = message["isGameFinished"]
            case _:
                pass
        return [self._act(message["actions"])] if "actions" in message else []

    def _act(self, actions: list[str]) -> Message:
        wished = {"type": actions[self.pick(len(actions))]}
        match wished["type"]:
            case "PickOwnCard":
                return {**wished, "cardIndex": self.pick(self.sizes[self.me])}
            case "ShowCards":
                return {**wished, "cardIndexes": [0, self.sizes[self.me] - 1]}
            case "PickAnothersCard":
                others = [
                    player
                    for player, size in enumerate(self.sizes)
                    if size > 0 and player != self.me
                ]
                player = others[self.pick(len(others))]
                return {
                    **wished,
                    "playerIndex": player,
                    "cardIndex": self.pick(self.sizes[player]),
                }
            case _:
                return wished


class SixNimmt(Client):
    """A client of 6 nimmt!."""

    def __init__(self, me: int, picks: Picks, *, starts: bool = False) -> None:
        super().__init__(me, picks, starts=starts)
        self.hand: list[Message] = []
        self.config: Message = {}
        self.players = 0

    def opening(self) -> list[Message]:
        return [{"type": "register_request", "data": None}]

    def answers(self, message: Message) -> list[Message]:
        assert message.keys() == {"type", "data"}
        data = message["data"]
        match message["type"]:
            case "register_response":
                assert data["id"] == self.me
                self.config, self.players = data["confg"], data["player_count"]
            case "deal":
                assert len(data) == self.config["turn_count"]
                assert not self.hand
                self.hand = list(data)
            case "play_request":
                self._check(data)
                card = self.hand[self.pick(len(self.hand))]
                return [{"type": "play_response", "data": card}]
            case "played":
                mine = [one["card"] for one in data if one["id"] == self.me]
                self.hand.remove(mine[0])
            case "choose_request":
                self._check(data)
                return [{"type": "choose_response", "data": "ABCD"[self.pick(4)]}]
            case "taken":
                assert 1 <= len(data["stack"]) <= self.config["stack_size"]
            case "game_over":
                assert [one["player"] for one in data] == list(range(self.players))
                self.is_over = True
            case _:
                raise AssertionError(f"there is no {message['type']}")
        return []

    def _check(self, board: Message) -> None:
        assert list(board) == ["A", "B", "C", "D"]
        assert all(1 <= len(cards) <= self.config["stack_size"] for cards in board.values())


CLIENTS: dict[str, type[Client]] = {
    "take5": SixNimmt,
    "66-v1": FirstDescription,
    "66-v2": SecondDescription,
}

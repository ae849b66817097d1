"""No client is told what its player may not see: whoever has claimed, looked or exchanged."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.kernel import Seat
from tests.seat.plainly import PlainTable, Sent
from tests.seat.playing import Game
from tests.seat.test_diagrams import played

Message = dict[str, Any]


class Watched(Game):
    """A game that compares every value with what the seat was shown, at the moment it is told."""

    def __init__(self, protocol: str, seats: int, seed: int) -> None:
        self.checked = 0
        super().__init__(protocol, seats, seed)

    def step(self) -> bool:
        for sent in self.table.sent:
            self.checked += check(self.table, sent)
        return super().step()


def check(table: PlainTable, sent: Sent) -> int:
    """Check the values of cards in hands; return how many there were."""
    own = table.dealer.pack.notebooks[sent.to]
    known = [*own.values(), *table.dealer.board.faces.values()]
    values = list(values_in(sent.message))
    assert all(str(value) in known for value in values), sent
    return len(values)


def values_in(message: Message) -> list[int]:
    named = [message.get(name) for name in ("value", "value1", "value2", "deckCard")]
    cards = [card.get("value") for card in message.get("cards", [])]
    return [value for value in [*named, *cards, *message.get("values", [])] if value is not None]


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_every_value_is_one_that_the_seat_was_shown(protocol: str) -> None:
    game = Watched(protocol, 3, 4)
    game.play()
    assert game.checked > 20


def between(game: Game, names: set[str]) -> list[tuple[Seat, Sent]]:
    """Return what is told after requests of these names, with who has asked."""
    found, asking, name = [], Seat(0), ""
    for sent in game.table.course:
        if "request" in sent.message:
            asking, name = sent.to, sent.message["type"]
        elif name in names:
            found.append((asking, sent))
    return found


def test_the_owner_of_claimed_cards_is_told_no_value() -> None:
    bare, full = 0, 0
    for seed in range(10):
        for asking, sent in between(played("66-v2", 3, seed), {"ShowCards"}):
            if sent.message["type"] == "CardsRevealed":
                has_values = ["value" in card for card in sent.message["cards"]]
                assert has_values == [sent.to != asking] * len(has_values)
                bare, full = bare + (sent.to == asking), full + (sent.to != asking)
        for asking, sent in between(played("66-v1", 3, seed), {"ShowCards"}):
            if sent.to == asking:
                assert not {"value", "values"} & sent.message.keys()
    assert bare
    assert full == 2 * bare


def test_only_who_looks_at_a_card_is_told_what_it_is() -> None:
    seen = 0
    for seed in range(40):
        names = {"PickOwnCard", "PickAnothersCard"}
        for asking, sent in between(played("66-v2", 3, seed), names):
            if sent.message["type"] == "CardsRevealed" and len(sent.message["cards"]) == 1:
                assert ("value" in sent.message["cards"][0]) == (sent.to == asking)
                seen += sent.to == asking
    assert seen


def test_a_card_from_the_deck_is_told_to_its_player_alone() -> None:
    held = 0
    for seed in range(5):
        for asking, sent in between(played("66-v2", 3, seed), {"TakeCardFromDeck"}):
            assert sent.to == asking
            held += sent.message["deckCard"] is not None
        for sent in played("66-v2", 3, seed).table.course:
            if "actions" not in sent.message:
                assert sent.message.get("deckCard") is None
    assert held

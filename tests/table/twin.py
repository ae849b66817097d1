"""A rehearsal and a plain dealer side by side: the same cards, the same actions, compared.

The dealer knows all faces and needs no keys. Whenever the table has shuffled, all keyrings together
decode the new slots, and the dealer is made to shuffle into that very order, as it is where seats
have restacked their hands; a coin falls for the
dealer as the seats' secrets say. After every entry both must show the same: rules, board, events,
duty, and every seat's view.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import MutableSequence
from typing import Any, TypeVar

from nodealer.cards import Board
from nodealer.deck import Deck, Slot, coin, coin_value, draw
from nodealer.games.api import Action, action
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Choose, Claim, Coin, NewDeck, Restack
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance
from nodealer.table import OPERATIONS
from nodealer.table.actions import ANSWERED
from tests.support.rehearsal import Rehearsal, choice_in

T = TypeVar("T")


class Told(Chance):
    """Chance that was told what comes out."""

    __slots__ = ("coins", "orders")

    def __init__(self) -> None:
        super().__init__("told")
        self.orders: deque[list[str]] = deque()
        self.coins: deque[int] = deque()

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Bring the items into the order that was told."""
        order: list[Any] = list(self.orders.popleft())
        assert Counter(order) == Counter(items), "the same cards"
        items[:] = order

    def below(self, bound: int) -> int:
        """Return the number that was told."""
        fell = self.coins.popleft()
        assert fell < bound
        return fell


class Twin:
    """Both of them."""

    def __init__(self, table: Rehearsal) -> None:
        self.table = table
        self.told = Told()
        setting = table.setting
        seats = setting.agreed.charter.seats
        self.dealer: PlainDealer[Any] = PlainDealer(
            setting.game, seats, setting.agreed.terms.chosen, self.told
        )
        self.compare()

    def settle(self) -> None:
        """Let the table carry out the due step, and the dealer what that comes to."""
        table, step = self.table, self.table.position.program.step
        before = table.position.deck
        slots = set() if before is None else set(before.slots)
        head, slots_before = table.position.program.head, table.position.board
        self._note_coin(step)
        self._choose(step)
        table.settle()
        after = table.position.deck
        if step == "mask":
            assert after is not None
            made = sorted(number for number in after.slots if number not in slots)
            self.told.orders.append([self.face(after.slots[number]) for number in made])
        if isinstance(head, Claim):
            self._note_claim(head, slots_before)
        if isinstance(head, Restack):
            assert after is not None
            for seat in sorted(zone.seat for zone in head.zones if zone.seat is not None):
                made = sorted(
                    number
                    for number, slot in after.slots.items()
                    if number not in slots and set(slot.layers) == {seat}
                )
                self.told.orders.append([self.face(after.slots[number]) for number in made])
        self._catch_up()

    def act(self, seat: Seat, chosen: Action) -> None:
        """Let a seat act at both."""
        self.table.act(seat, chosen)
        self.dealer.begin(seat, chosen)
        self._catch_up()

    def evict(self, *seats: Seat) -> None:
        """Leave seats out at both."""
        self.table.evict(*seats)
        self.dealer.leave(seats, self.table.setting.agreed.charter.policy)
        self._catch_up()

    def face(self, slot: Slot) -> str:
        """Return what all keyrings together find on a slot."""
        deck = self.table.position.deck
        assert deck is not None
        N = slot.N
        for seat, layer in slot.layers.items():
            N = N - self.table.players[seat].keyring.layer_secret(layer) * slot.E
        return deck.faces.name(N)

    def compare(self) -> None:
        """Require that both show the same."""
        position, dealer = self.table.position, self.dealer
        assert position.program.effects == dealer._effects or self._is_in_the_middle()
        assert position.rules == dealer.state
        assert position.board == dealer.board
        assert position.standing == (None if dealer.underway else dealer.result())
        assert tuple(self.table.events) == tuple(dealer.events)
        assert position.view() == dealer.view()
        for seat in position.roster:
            assert self.table.view(seat) == dealer.view(seat)
        deck = position.deck
        # What was granted to no end when a seat left is known to the deck alone.
        if deck is not None and not position.underway and deck.deck_keys.keys() == set(deck.roster):
            self._compare_layers(deck)

    def _compare_layers(self, deck: Deck) -> None:
        """Require that the dealer knows whose card alone each is, and who was ever shown it."""
        pack, dealt = self.dealer.pack, {n for n, slot in deck.slots.items() if slot.audience}
        sole = {n: set(deck.slots[n].layers) for n in dealt}
        assert {n: {seat} for n, seat in pack.holders.items()} == {
            n: s for n, s in sole.items() if s
        }
        for number in dealt - pack.board.faces.keys():
            assert pack.audiences[number] == deck.slots[number].audience

    def _catch_up(self) -> None:
        left = len(self.table.position.program.effects)
        while len(self.dealer._effects) != left or self._is_behind():
            assert self.dealer.underway, "the dealer has come as far as the table"
            self.dealer.advance()
        if not self._is_in_the_middle():
            self.compare()

    def _choose(self, step: str | None) -> None:
        """Let the dealer hear what all seats choose."""
        if step == "answer":
            for given in self.table.contributions():
                ((_, data),) = given.payloads
                self.dealer.begin(given.seat, ANSWERED.read(data).action)
        if step != "choose":
            return
        asking = self.table.position.program.under_way(Choose)
        (kind,) = (kind for kind in self.dealer.game.actions if kind.kind == asking.kind)
        for given in self.table.contributions():
            chosen = action(kind.kind, **{kind.fields[0]: (choice_in(given.payloads),)})
            self.dealer.begin(given.seat, chosen)
            assert self.dealer.choice is not None

    def _is_behind(self) -> bool:
        """Say whether the table has more behind it; what is left may be the same by chance."""
        position, dealer = self.table.position, self.dealer
        if position.program.effects != dealer._effects:
            return True
        is_another = position.rules != dealer.state and not self._is_in_the_middle()
        return is_another and dealer.underway

    def _is_in_the_middle(self) -> bool:
        """Say whether the table is past the first step of an effect."""
        program = self.table.position.program
        if program.head is None or program.step is None:
            return False
        return program.step != OPERATIONS[type(program.head)].steps[0].word

    def _note_claim(self, claim: Claim, before: Board) -> None:
        """Let the dealer hear which of the cards with the face the table has proven."""
        having = [
            slot for slot in before.at(claim.zone) if self.dealer.pack.faces[slot] == claim.face
        ]
        now = self.table.position.board.faces
        self.told.coins.extend(index for index, slot in enumerate(having) if slot in now)

    def _note_coin(self, step: str | None) -> None:
        position, table = self.table.position, self.table.setting.agreed.charter.table
        head, made = position.program.head, position.program.committed
        thrown = head.coin if isinstance(head, NewDeck) else head
        if not isinstance(thrown, Coin) or made is None or step not in ("mask", "open"):
            return
        values = {
            seat: coin_value(self.table.players[seat].keyring, table, made.label)
            for seat in position.roster
        }
        self.told.coins.append(draw(coin(table, made.label, values, values), thrown.sides))


def whole(twin: Twin) -> tuple[SlotId, ...]:
    """Return all slots in play."""
    deck = twin.table.position.deck
    return () if deck is None else tuple(deck.slots)

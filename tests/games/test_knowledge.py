"""What the plain dealer lets seats know is what keys and releases let them know.

The same effects are carried out with open cards and with masked ones: cards shown to some seats, to
all but one, to everybody, one after the other; hands exchanged; cards compared. After each the
dealer's notebooks and open faces must be what every seat can decode, and a verdict must be possible
for both or for neither, and be the same.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

import pytest

from nodealer.cards import STOCK, Board, hand
from nodealer.deck import (
    PUBLIC,
    check_equal,
    check_not_equal,
    holds_seals,
    make_equal,
    make_not_equal,
    see,
    verdict_prover,
)
from nodealer.games.effects import CarriedOut, Compare, Effect, Move, OpenTable, Show
from nodealer.games.pack import Pack
from nodealer.games.views import NOTHING_KNOWN
from nodealer.kernel import Bug, LocalError, Seat, SlotId
from nodealer.kernel.chance import Chance
from tests.support.fleet import Fleet
from tests.support.tables import table

EFFECTS = 40


def on_open_cards(pack: Pack, effect: Effect) -> CarriedOut:
    """Return what an effect without chance comes to."""
    return effect.carry_out(OpenTable(pack, Chance("none")))


class Pair:
    """One deck of 16 cards, masked and open."""

    def __init__(self, seats: int) -> None:
        self.fleet: Fleet = table(seats, 16)
        deck = self.fleet.deck
        faces = {number: self.true_face(number) for number in sorted(deck.slots)}
        notebooks = dict.fromkeys(deck.roster, NOTHING_KNOWN)
        board = Board().placed(deck.layout.at(STOCK), STOCK)
        next_slot = deck.next_slot
        self.pack = Pack(MappingProxyType(faces), board, MappingProxyType(notebooks), next_slot)
        self.seen: Counter[str] = Counter()

    def true_face(self, number: SlotId) -> str:
        slot = self.fleet.deck.slots[number]
        point = slot.N
        for seat, layer in slot.layers.items():
            point -= self.fleet.rings[seat].layer_secret(layer) * slot.E
        return self.fleet.deck.faces.name(point)

    def carry_out(self, effect: Effect) -> None:
        """Carry an effect out on both, and compare."""
        match effect:
            case Show(slots, seats):
                self._show(slots, seats)
            case Compare(slots):
                self._compare(slots)
                return
            case Move(slots, to):
                layout = self.fleet.deck.layout.brought(slots, to)
                self.fleet.deck = self.fleet.deck.with_layout(layout)
            case _:
                raise AssertionError(effect)
        self.pack = on_open_cards(self.pack, effect).pack
        self.pack.check()
        self.compare()

    def compare(self) -> None:
        """Everybody can decode what the dealer says that it knows, and nothing else."""
        deck = self.fleet.deck
        opened = {number: slot.face for number, slot in deck.slots.items() if slot.face}
        assert self.pack.board.faces == opened
        assert self.pack.board.layout == deck.layout
        for seat in deck.roster:
            visible = {n for n, slot in deck.slots.items() if self._sees(seat, n)}
            decoded = {n: see(deck, self.fleet.rings[seat], n) for n in visible}
            assert {**self.pack.notebooks[seat], **opened} == decoded

    def _sees(self, seat: Seat, number: SlotId) -> bool:
        slot = self.fleet.deck.slots[number]
        return slot.face is not None or (seat in slot.audience and holds_seals(slot, seat))

    def _show(self, slots: tuple[SlotId, ...], seats: tuple[Seat, ...]) -> None:
        hidden = [slot for slot in slots if slot not in self.pack.board.faces]
        self.fleet.grant([(slot, seats or (PUBLIC,)) for slot in hidden])

    def _compare(self, slots: tuple[SlotId, ...]) -> None:
        deck = self.fleet.deck
        try:
            prover = verdict_prover(deck, slots)
        except LocalError:
            with pytest.raises(Bug):
                on_open_cards(self.pack, Compare(slots))
            self.seen["nobody can"] += 1
            return
        verdict = on_open_cards(self.pack, Compare(slots)).result
        at, ring = self.fleet.moment("verdict"), self.fleet.rings[prover]
        if verdict:
            check_equal(deck, at, prover, slots, make_equal(deck, ring, at, slots))
        else:
            check_not_equal(deck, at, prover, slots, make_not_equal(deck, ring, at, slots))
        self.seen[f"verdict {verdict}"] += 1


def effect_by(chance: Chance, pair: Pair) -> Effect:
    """Return an effect such as games ask for."""
    board, seats = pair.pack.board, list(pair.pack.notebooks)
    places = [slot for slots in board.layout.zones.values() for slot in slots]
    chance.shuffle(places)
    some = tuple(places[: 1 + chance.below(3)])
    owner = chance.pick(seats)
    others = tuple(seat for seat in seats if seat != owner)
    match chance.below(8):
        case 0:
            return Show(some, (owner,))
        case 1 | 2:
            return Show(some, others)
        case 3:
            return Show(some[:1]) if chance.happens(30) else Show(some[:1], (owner,))
        case 4:
            return Move(tuple(places[: len(board.at(hand(owner))) + 1]), hand(owner))
        case 5:
            return Compare(tuple(places[:2]))
        case number:
            known = [slot for slot in places if slot in pair.pack.notebooks[owner]]
            if number == 6:  # alike, if the seat knows such cards
                known.sort(key=pair.pack.faces.__getitem__)
            return Compare(tuple(known[: number - 4] if len(known) > 1 else places[:3]))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_seats_know_is_what_they_can_decode(seats: int, is_full: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(50 if is_full else 2):
        chance, pair = Chance("knowledge", seats, seed), Pair(seats)
        for _ in range(EFFECTS):
            pair.carry_out(effect_by(chance, pair))
        seen += pair.seen
    assert seen.keys() == {"verdict True", "verdict False", "nobody can"}


def test_a_dealer_that_shows_too_much_would_be_noticed() -> None:
    pair = Pair(3)
    pair.carry_out(Show((SlotId(3),), (Seat(1),)))
    pair.pack = pair.pack.shown([SlotId(3)], [Seat(2)])
    with pytest.raises(AssertionError):
        pair.compare()

"""A table of cards without cryptography, to compare the deck with, and the moves on both.

`Table` drives a fleet and keeps beside it what a person at the table would write down: which face
each slot has, who may see it, which slots are gone. Each move takes two numbers and picks its slots
and seats with them, so a list of numbers is a game. Three times of four it picks what the move can
be made with, if there is such a thing. A move that the rules of the deck forbid is tried all the
same and has to be refused with the deck unchanged. `done` counts the moves that were made, `denied`
those that were refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.deck import (
    PUBLIC,
    SealShares,
    Vetted,
    announce,
    check_absent,
    check_equal,
    check_face,
    check_member,
    check_not_equal,
    check_open,
    check_releases,
    coin,
    coin_value,
    make_absent,
    make_commit,
    make_equal,
    make_face,
    make_member,
    make_not_equal,
    make_open,
    make_releases,
    owing,
    see,
    take_face,
    take_releases,
)
from nodealer.deck.release import ReleasePart
from nodealer.kernel import LocalError, NodealerError, Reason, Seat, SlotId
from tests.support.coalition import Watcher
from tests.support.fleet import Fleet, hashed


@dataclass
class Table:
    """A fleet, its watcher, and the notes of somebody who sees everything."""

    fleet: Fleet
    watcher: Watcher
    audience: dict[SlotId, frozenset[Seat]] = field(default_factory=dict)
    truth: dict[SlotId, str] = field(default_factory=dict)
    retired: list[SlotId] = field(default_factory=list)
    move: str = ""
    done: Counter[str] = field(default_factory=Counter)
    denied: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, fleet: Fleet) -> Table:
        made = cls(fleet, Watcher(fleet))
        made.watcher.expected = made.audience
        made.adopt(fleet.deck.slots)
        return made

    # What lies where.

    @property
    def seats(self) -> list[Seat]:
        return sorted(self.fleet.rings)

    def seat(self, pick: int) -> Seat:
        return self.seats[pick % len(self.seats)]

    def other(self, seat: Seat, pick: int) -> Seat:
        others = [other for other in self.seats if other != seat]
        return others[pick % len(others)]

    def slot(self, pick: int) -> SlotId:
        numbers = sorted(self.fleet.deck.slots)
        return numbers[pick % len(numbers)]

    def choose(
        self, pick: int, more: int, fitting: Callable[[Seat, SlotId], bool]
    ) -> tuple[Seat, SlotId]:
        """Return a seat and a slot, mostly such as fit together."""
        pairs = [
            (seat, number)
            for seat in self.seats
            for number in sorted(self.fleet.deck.slots)
            if fitting(seat, number)
        ]
        if more % 4 and pairs:
            return pairs[pick % len(pairs)]
        return self.seat(more), self.slot(pick)

    def holder(self, pick: int) -> Seat:
        """Return a seat, mostly one that holds its hand alone."""
        layout = self.fleet.deck.layout
        hands = {seat: layout.at(hand(seat)) for seat in self.seats}
        fitting = [seat for seat, numbers in hands.items() if numbers and self.sole(seat, numbers)]
        return fitting[pick // 4 % len(fitting)] if pick % 4 and fitting else self.seat(pick)

    def sole(self, seat: Seat, numbers: Iterable[SlotId]) -> bool:
        return all(set(self.fleet.deck.slot(number).layers) == {seat} for number in numbers)

    def sees(self, seat: Seat, number: SlotId) -> bool:
        """Whether a seat can read a slot from its layers, and not only from memory."""
        audience = self.audience[number]
        return PUBLIC in audience or (seat in audience and seat not in self.remembered(number))

    def sees_hidden(self, seat: Seat, number: SlotId) -> bool:
        return PUBLIC not in self.audience[number] and self.sees(seat, number)

    def hidden_from(self, seat: Seat, number: SlotId) -> bool:
        return not self.audience[number] & {PUBLIC, seat}

    def sole_hidden(self, seat: Seat, number: SlotId) -> bool:
        return PUBLIC not in self.audience[number] and self.sole(seat, [number])

    def remembered(self, number: SlotId) -> frozenset[Seat]:
        """The seats that know a slot only because they knew the one that it was before."""
        slot = self.fleet.deck.slot(number)
        if PUBLIC in self.audience[number]:
            return frozenset()
        closed = slot.layers.values()
        known = [frozenset((layer.seat, *layer.sealed)) for layer in closed]
        return self.audience[number].difference(frozenset.intersection(*known))

    # Notes.

    def adopt(self, numbers: Iterable[SlotId], audience: Collection[Seat] = ()) -> None:
        for number in numbers:
            self.audience[number] = frozenset(audience)
            self.truth[number] = self.watcher.face(number)

    def retire(self, numbers: Iterable[SlotId]) -> None:
        for number in numbers:
            self.retired.append(number)

    def widen(self, number: SlotId, added: Collection[Seat]) -> None:
        before = self.audience[number]
        audience = before | set(added)
        completed = audience != before and audience.issuperset(self.seats)
        self.audience[number] = audience | {PUBLIC} if completed else audience

    def discard(self, number: SlotId) -> None:
        layout = self.fleet.deck.layout
        moved = layout.moved([number], layout.where(number), DISCARD)
        self.fleet.deck = self.fleet.deck.with_layout(moved)

    # Trying.

    def refused(self, reason: Reason, attempt: Callable[[], object]) -> None:
        """Try something that must be refused, leaving the deck as it was."""
        before = self.fleet.deck
        copy = before.with_slots(())
        with pytest.raises(NodealerError) as refusal:
            attempt()
        assert refusal.value.reason is reason
        assert self.fleet.deck is before
        assert before == copy

    def deny(self, reason: Reason, attempt: Callable[[], object]) -> None:
        """Try a whole move that must be refused."""
        self.refused(reason, attempt)
        self.denied[self.move] += 1

    def grant(self, number: SlotId, added: Collection[Seat], order: int) -> None:
        """Widen an audience; the releases arrive one by one in an order of their own."""
        if PUBLIC in self.audience[number]:
            deck = self.fleet.deck
            self.deny(Reason.DECK_FACE_KNOWN, lambda: announce(deck, [(number, added)]))
            return
        self.widen(number, added)
        self.fleet.deck = announce(self.fleet.deck, [(number, added)])
        if owing(self.fleet.deck):
            self._deliver(order)

    def _deliver(self, order: int) -> None:
        fleet, deck = self.fleet, self.fleet.deck
        at = fleet.moment("release")
        parts = {seat: make_releases(deck, fleet.rings[seat], at) for seat in owing(deck)}
        singles = [(seat, item) for seat, part in parts.items() for item in part.items]
        singles.sort(key=lambda single: hashed(order, single[0]))
        assert self.watcher.findings(settled=False) == []
        for seat, item in singles:
            assert len(item.Vs) < len(self.seats) if isinstance(item, SealShares) else True
            self.watcher.hear(deck, seat, item)
            assert self.watcher.findings(settled=False) == []
        vetted: list[Vetted[ReleasePart]] = [
            check_releases(deck, at, seat, fleet.send(at, seat, part))
            for seat, part in parts.items()
        ]
        vetted.sort(key=lambda one: hashed(order, one.seat))
        fleet.deck = take_releases(deck, vetted)

    # Moves.

    def deal(self, pick: int, more: int) -> None:
        stock = self.fleet.deck.layout.at(STOCK)
        if stock:
            seat, seen = self.seat(pick), more % 4 > 0
            self.fleet.deal(seat, 1, seen=False)
            if seen:
                self.grant(stock[0], (seat,), more)

    def peek(self, pick: int, more: int) -> None:
        seat, number = self.choose(pick, more, self.hidden_from)
        self.grant(number, (seat,), pick + more)

    def expose(self, pick: int, more: int) -> None:
        _, number = self.choose(pick, more, self.hidden_from)
        self.grant(number, (PUBLIC,), more)
        self.discard(number)

    def show_all_but(self, pick: int, more: int) -> None:
        owner, number = self.choose(pick, more, self.hidden_from)
        self.grant(number, [seat for seat in self.seats if seat != owner], pick)

    def restack(self, pick: int, _more: int) -> None:
        seat = self.holder(pick)
        old = self.fleet.deck.layout.at(hand(seat))
        if not old:
            self.deny(Reason.DECK_ZONE, lambda: self.fleet.restack(seat))
        elif not self.sole(seat, old):
            self.deny(Reason.DECK_NOT_SOLE, lambda: self.fleet.restack(seat))
        else:
            self.fleet.restack(seat)
            self.retire(old)
            new = self.fleet.deck.layout.at(hand(seat))
            self.adopt(new, (seat,))
            assert Counter(self.truth[n] for n in new) == Counter(self.truth[o] for o in old)

    def transfer(self, pick: int, more: int) -> None:
        giver, number = self.choose(pick, more, lambda seat, number: self.sole(seat, [number]))
        receiver = self.other(giver, pick)
        if not self.sole(giver, [number]):
            self.deny(Reason.DECK_NOT_SOLE, lambda: self.fleet.transfer(giver, [number], receiver))
            return
        self.fleet.transfer(giver, [number], receiver)
        self.retire([number])
        new = self.fleet.deck.layout.at(hand(receiver))[-1]
        self.adopt([new], self.audience[number] | {receiver})
        assert self.truth[new] == self.truth[number]

    def exchange(self, pick: int, more: int) -> None:
        one, other = self.slot(pick), self.slot(more)
        if one != other:
            before = self.fleet.deck.layout
            self.fleet.deck = self.fleet.deck.with_layout(before.exchanged(one, other))
            assert self.fleet.deck.layout.where(one) == before.where(other)

    def gather(self, pick: int, more: int) -> None:
        """Take back the discard, a hand and the stock, or parts of them, and shuffle them."""
        deck = self.fleet.deck
        zones = [DISCARD, STOCK, hand(self.seat(more))]
        numbers = [number for zone in zones for number in deck.layout.at(zone)]
        numbers = numbers[pick % 3 :: 1 + more % 2]
        if not numbers:
            self.deny(Reason.DECK_COUNT, lambda: self.fleet.gather(numbers))
            return
        self.fleet.gather(numbers)
        self.fleet.mix()
        self.retire(numbers)
        self.adopt(self.fleet.deck.layout.at(STOCK)[-len(numbers) :])

    def reveal(self, pick: int, more: int) -> None:
        seat, number = self.choose(pick, more, self.sees_hidden)
        if PUBLIC in self.audience[number]:
            self.deny(Reason.DECK_FACE_KNOWN, lambda: self.fleet.reveal(seat, number))
        elif not self.sees(seat, number):
            self.deny(Reason.DECK_NOT_VIEWER, lambda: self.fleet.reveal(seat, number))
        else:
            assert self.fleet.reveal(seat, number) == self.truth[number]
            self.widen(number, (PUBLIC,))
            self.discard(number)

    def claim_face(self, pick: int, more: int) -> None:
        seat, number = self.choose(pick, more, self.sole_hidden)
        fleet = self.fleet
        face, at, deck = self.truth[number], fleet.moment("claim"), fleet.deck
        ring = fleet.rings[seat]
        if PUBLIC in self.audience[number] or not self.sole(seat, [number]):
            known = PUBLIC in self.audience[number]
            reason = Reason.DECK_FACE_KNOWN if known else Reason.DECK_NOT_SOLE
            self.deny(reason, lambda: make_face(deck, ring, at, number, face))
            return
        faces = [*deck.composition.distinct[:2], face]
        listed = tuple(dict.fromkeys(faces))
        check_member(deck, at, seat, number, listed, make_member(deck, ring, at, number, listed))
        part = fleet.send(at, seat, make_face(deck, ring, at, number, face), [number])
        for wrong in set(faces) - {face}:
            judged = partial(check_face, deck, at, seat, number, wrong, part)
            self.refused(Reason.PROOF_FACE, judged)
        fleet.deck = take_face(deck, check_face(deck, at, seat, number, face, part))
        self.widen(number, (PUBLIC,))

    def claim_absent(self, pick: int, more: int) -> None:
        seat, fleet = self.holder(pick), self.fleet
        at, deck, ring, zone = fleet.moment("claim"), fleet.deck, fleet.rings[seat], hand(seat)
        face = deck.composition.distinct[more % len(deck.composition.distinct)]
        numbers = deck.layout.at(zone)
        reason = None
        if not numbers:
            reason = Reason.DECK_ZONE
        elif not self.sole(seat, numbers):
            reason = Reason.DECK_NOT_SOLE
        elif face in [self.truth[number] for number in numbers]:
            reason = Reason.PROOF_ABSENT
        if reason is not None:
            self.deny(reason, lambda: make_absent(deck, ring, at, zone, face))
            return
        part = fleet.send(at, seat, make_absent(deck, ring, at, zone, face), numbers)
        check_absent(deck, at, seat, zone, face, part)

    def compare(self, pick: int, more: int) -> None:
        """A seat gives the verdict on up to four of the slots that it sees."""
        seat, fleet = self.seat(pick), self.fleet
        numbers = [number for number in sorted(fleet.deck.slots) if self.sees(seat, number)]
        numbers = numbers[more % 3 :][: 2 + pick % 3]
        if len(numbers) < 2:
            return
        at, deck, ring = fleet.moment("verdict"), fleet.deck, fleet.rings[seat]
        if len({self.truth[number] for number in numbers}) == 1:
            equal = fleet.send(at, seat, make_equal(deck, ring, at, numbers), numbers)
            check_equal(deck, at, seat, numbers, equal)
            self.refused(Reason.PROOF_NOT_EQUAL, lambda: make_not_equal(deck, ring, at, numbers))
        else:
            differ = fleet.send(at, seat, make_not_equal(deck, ring, at, numbers), numbers)
            check_not_equal(deck, at, seat, numbers, differ)
            self.refused(Reason.PROOF_EQUAL, lambda: make_equal(deck, ring, at, numbers))

    def toss(self, pick: int, more: int) -> None:
        fleet, label = self.fleet, f"toss/{pick}/{more}".encode()
        table = fleet.deck.table
        values = {}
        for seat, ring in fleet.rings.items():
            value = coin_value(ring, table, label)
            committed = make_commit(ring, table, label, value)
            opened = make_open(ring, table, label, value)
            values[seat] = check_open(table, label, seat, committed, opened)
        assert len(coin(table, label, self.seats, values)) == len(label.ljust(32)[:32])

    # What must hold between any two moves.

    def check(self) -> None:
        deck = self.fleet.deck
        assert self.watcher.findings() == []
        assert Counter(self.truth[number] for number in deck.slots) == Counter(
            deck.composition.faces
        )
        placed = [number for slots in deck.layout.zones.values() for number in slots]
        assert sorted(placed) == sorted(deck.slots)
        for number, slot in deck.slots.items():
            assert slot.audience == self.audience[number]
            for seat in self.seats:
                self._check_sight(seat, number)
        for number in self.retired[-3:]:
            self.refused(Reason.DECK_SLOT_RETIRED, partial(announce, deck, [(number, ())]))
            ring = self.fleet.rings[Seat(0)]
            self.refused(Reason.DECK_SLOT_RETIRED, partial(see, deck, ring, number))
            with pytest.raises(LocalError, match="deck/zone"):
                deck.layout.where(number)

    def _check_sight(self, seat: Seat, number: SlotId) -> None:
        deck, ring = self.fleet.deck, self.fleet.rings[seat]
        if self.sees(seat, number):
            assert see(deck, ring, number) == self.truth[number]
        else:
            self.refused(Reason.DECK_NOT_VIEWER, lambda: see(deck, ring, number))

    def open_everything(self) -> None:
        """At the end all cards are turned over: they are the composition, no more and no less."""
        hidden = [
            n
            for n, audience in self.audience.items()
            if n in self.fleet.deck.slots and PUBLIC not in audience
        ]
        self.fleet.grant([(number, (PUBLIC,)) for number in hidden])
        faces = [slot.face for slot in self.fleet.deck.slots.values()]
        assert Counter(faces) == Counter(self.fleet.deck.composition.faces)
        assert {n: s.face for n, s in self.fleet.deck.slots.items()} == {
            number: self.truth[number] for number in self.fleet.deck.slots
        }

    def play(self, moves: Sequence[tuple[str, int, int]]) -> None:
        for move, pick, more in moves:
            self.move, denied = move, self.denied[move]
            getattr(self, move)(pick, more)
            self.done[move] += self.denied[move] == denied
            self.move = "check"
            self.check()
        self.open_everything()

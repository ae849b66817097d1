"""Which cards a coalition can read, computed from everything that was ever sent.

A `Watcher` follows a fleet. It knows every ciphertext that ever held a card:

    slots, in play and retired
    the ciphertext of each slot before its mask, under the deck keys
    the cards inside a restack, under the hand's key, before and after they are shuffled
    the cards that were handed back for a reshuffle

and everything that a seat or a spectator can compute of them. A layer of a ciphertext comes off
with its share `l * E`, and a share becomes known in these ways, each of which is carried out with
real points and, where the deck has code for it, with the deck's own code:

    own         a seat removes its own layer                                        -> that seat
    opened      the scalar or the share was published                               -> everybody
    sealed      a viewer unseals it; every seat tries every seal, planned or not    -> that seat
    handover    whoever knows the exponent of E computes the share from the key     -> that seat
    exchange    the deltas of masks and restacks turn the share of one key on E
                into the share of another                                           -> who knew that
    claimed     the face was shown, and what is missing to it is the share          -> everybody

A card that was handed over, returned or brought into a restack is proven to be the one before it,
so whoever reads that one knows this one as well, although its layers may be closed to him.

Sent things are matched to layers by value: the watcher holds all keyrings, so it knows each share
and recognises it, whoever sent it, in whatever message. Nothing is believed of what a release was
meant for, and a share that is known in two ways must be the same point.

A coalition finishes a card if the shares it knows take off all layers; the point that is left is
then looked up in the table of faces. `findings` compares this, for every coalition, with the rule:
a coalition may finish a card exactly if it holds somebody of the audience, or every seat, or if the
card is public. While releases are on their way, only what it must not finish is compared. The
audience is the deck's own, unless `expected` names it: then a deck that counts too many is caught.

Not followed: the piles between two shuffles of one round, where a shuffler knows its own work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from nodealer.crypto import Masked, Point
from nodealer.deck import (
    PUBLIC,
    Deck,
    ExchangeProof,
    HandoverPart,
    Layer,
    LayerKind,
    MaskPart,
    OpenKey,
    OpenShare,
    ReleasePart,
    RestackPart,
    SealedShare,
    SealShares,
    Slot,
    returns_due,
)
from nodealer.deck.release import share_of
from nodealer.deck.sight import face_point
from nodealer.kernel import Seat, SlotId
from tests.support.fleet import Fleet

EVERYBODY = PUBLIC
"""As a source of knowledge: a spectator can compute it."""

ShareKey: TypeAlias = tuple[Point, Point]
"""The public key of a layer, and the E that it lies on."""


@dataclass(frozen=True)
class Card:
    """A ciphertext as it was made, with all its layers, and the slot whose audience it shares."""

    name: str
    slot: Slot
    follows: SlotId


@dataclass(frozen=True)
class Finding:
    """A card that a coalition can read and must not, or should be able to read and cannot."""

    card: str
    coalition: frozenset[Seat]
    why: str


@dataclass
class Watcher:
    """What everybody can compute of the cards of a fleet."""

    fleet: Fleet
    expected: dict[SlotId, frozenset[Seat]] = field(default_factory=dict)
    cards: dict[str, Card] = field(default_factory=dict)
    shares: dict[ShareKey, dict[Seat, Point]] = field(default_factory=dict)
    _truth: dict[ShareKey, Point] = field(default_factory=dict)
    _keys: dict[Point, ShareKey] = field(default_factory=dict)
    _audience: dict[SlotId, frozenset[Seat]] = field(default_factory=dict)
    _faces: dict[SlotId, str] = field(default_factory=dict)
    _scalars: dict[Point, int] = field(default_factory=dict)
    _exponents: dict[Point, tuple[Seat, int]] = field(default_factory=dict)
    _points: set[Point] = field(default_factory=set)
    _seals: list[tuple[Point, Point]] = field(default_factory=list)
    _unsealed: dict[Point, set[Seat]] = field(default_factory=dict)
    _exchanges: list[tuple[ShareKey, ShareKey, Point]] = field(default_factory=list)
    _same_as: dict[str, str] = field(default_factory=dict)
    _read: dict[tuple[str, tuple[Point, ...]], str] = field(default_factory=dict)
    _decks_seen: int = 0
    _sent_seen: int = 0

    def findings(self, *, settled: bool = True) -> list[Finding]:
        """Return everything that is not as it must be, over all cards and all coalitions."""
        self.catch_up()
        return [found for card in self.cards.values() for found in self._judged(card, settled)]

    def face(self, number: SlotId) -> str:
        """Return what a slot really is."""
        self.catch_up()
        slot = self.cards[f"slot {number}"].slot
        for seat, layer in slot.layers.items():
            slot = slot.without_layer(seat, self._truth[layer.key, slot.E])
        return self.fleet.deck.faces.name(slot.N)

    def catch_up(self) -> None:
        """Take in whatever the fleet did since the last time."""
        self._note_randomness()
        for deck in self.fleet.decks[self._decks_seen :]:
            self._note_deck(deck)
        self._decks_seen = len(self.fleet.decks)
        for index in range(self._sent_seen, len(self.fleet.sent)):
            deck, moment, seat, part = self.fleet.sent[index]
            if isinstance(part, HandoverPart):
                about = self.fleet.about[index]
                if moment.step == b"return":
                    self._note_return(deck, seat, part, about)
                for offset, old in enumerate(about if moment.step == b"move" else ()):
                    self._same_as[f"slot {deck.next_slot + offset}"] = f"slot {old}"
            else:
                self.hear(deck, seat, part, self.fleet.about[index])
        self._sent_seen = len(self.fleet.sent)
        self._conclude()

    def hear(self, deck: Deck, seat: Seat, part: object, about: tuple[SlotId, ...] = ()) -> None:
        """Take in something that was sent, whether the deck accepted it or not."""
        match part:
            case ReleasePart(items):
                for item in items:
                    self.hear(deck, seat, item)
            case OpenKey(secret):
                self._scalars[deck.group.times_generator(secret)] = secret
            case OpenShare(S, _):
                self._points.add(S)
            case SealShares(U, Vs, _):
                self._seals += [(U, V) for V in Vs]
            case MaskPart() if deck.pile is not None:
                Es = [card.E for card in deck.pile.cards]
                old = [deck.deck_keys[seat]] * len(Es)
                self._note_exchange(old, part.keys, Es, part.exchange)
            case RestackPart():
                self._note_restack(deck, seat, part, about)
            case _:
                pass  # keys, shuffles and proofs tell nothing about single cards

    def _note_randomness(self) -> None:
        for seat, ring in self.fleet.rings.items():
            for scalar in ring.drawn:
                self._exponents[ring.group.times_generator(scalar)] = (seat, scalar)
            ring.drawn.clear()

    def _note_deck(self, deck: Deck) -> None:
        for number, slot in deck.slots.items():
            if number not in self._audience:
                secrets = {
                    seat: self.fleet.rings[seat].layer_secret(layer)
                    for seat, layer in slot.layers.items()
                }
                self._add(Card(f"slot {number}", slot, number), secrets)
                if slot.base is not None:
                    name = f"slot {number} before its mask"
                    self._add_under_deck_keys(deck, name, Masked(slot.E, slot.base), number)
            self._audience[number] = slot.audience
            if slot.face is not None:
                self._faces[number] = slot.face

    def _note_restack(
        self, deck: Deck, seat: Seat, part: RestackPart, about: tuple[SlotId, ...]
    ) -> None:
        slots = [deck.slot(number) for number in about]
        Es = [slot.E for slot in slots]
        H = [part.H] * len(slots)
        self._note_exchange([slot.layer(seat).key for slot in slots], H, Es, part.inward)
        self._note_exchange(H, part.keys, [card.E for card in part.cards], part.outward)
        secret = {seat: self._exponents[part.H][1]}
        layers = MappingProxyType({seat: Layer(seat, LayerKind.SLOT, part.H, b"")})
        for index, (slot, card) in enumerate(zip(slots, part.cards, strict=True)):
            entering = Masked(slot.E, slot.N + part.inward.deltas[index])
            name = f"slot {slot.id} restacked"
            self._same_as[name] = f"slot {slot.id}"
            inside = Slot(slot.id, *entering, None, layers)
            self._add(Card(name, inside, slot.id), secret)
            new = SlotId(deck.next_slot + index)
            self._add(Card(f"slot {new} inside", Slot(new, *card, None, layers), new), secret)

    def _note_return(
        self, deck: Deck, seat: Seat, part: HandoverPart, about: tuple[SlotId, ...]
    ) -> None:
        for number, handed in zip(returns_due(deck, about)[seat], part.cards, strict=True):
            self._add_under_deck_keys(deck, f"slot {number} returned", handed.card, number)
            self._same_as[f"slot {number} returned"] = f"slot {number}"

    def _note_exchange(
        self,
        old: Iterable[Point],
        new: Iterable[Point],
        Es: Iterable[Point],
        exchange: ExchangeProof,
    ) -> None:
        for before, after, E, delta in zip(old, new, Es, exchange.deltas, strict=True):
            self._exchanges.append(((before, E), (after, E), delta))

    def _add_under_deck_keys(self, deck: Deck, name: str, card: Masked, follows: SlotId) -> None:
        layers = {seat: Layer(seat, LayerKind.SLOT, X, b"") for seat, X in deck.deck_keys.items()}
        slot = Slot(follows, card.E, card.M, None, MappingProxyType(layers))
        secrets = {
            seat: self.fleet.rings[seat].deck_secret(deck.table, deck.epoch) for seat in layers
        }
        self._add(Card(name, slot, follows), secrets)

    def _add(self, card: Card, secrets: Mapping[Seat, int]) -> None:
        """Keep a card, and what each seat knows of it through its own keys."""
        slot = card.slot
        self.cards[card.name] = card
        for seat, layer in slot.layers.items():
            key = (layer.key, slot.E)
            share = share_of(slot, OpenKey(secrets[seat]))
            self._truth[key] = share
            self._keys[share] = key
            self._learn(key, seat, share)

    def _learn(self, key: ShareKey, who: Seat, share: Point) -> bool:
        """Note that somebody can compute a share; return whether that is news."""
        known = self.shares.setdefault(key, {})
        if who in known or EVERYBODY in known:
            return False
        true_share = self._truth.get(key)
        assert true_share is None or share == true_share, "one share, known in two ways, differs"
        known[who] = share
        return True

    def _conclude(self) -> None:
        """Draw every conclusion from what was heard until there is nothing new."""
        self._unseal()
        for card in self.cards.values():
            slot = card.slot
            for layer in slot.layers.values():
                key = (layer.key, slot.E)
                if layer.key in self._scalars:
                    opened = OpenKey(self._scalars[layer.key])
                    self._learn(key, EVERYBODY, share_of(slot, opened))
                if self._truth[key] in self._points:
                    self._learn(key, EVERYBODY, self._truth[key])
                if slot.E in self._exponents:
                    seat, exponent = self._exponents[slot.E]
                    if seat not in self.shares[key]:
                        self._learn(key, seat, exponent * layer.key)
        for share, viewers in self._unsealed.items():
            for viewer in viewers if share in self._keys else ():
                self._learn(self._keys[share], viewer, share)
        news = True
        while news:
            news = self._follow_exchanges() | self._follow_faces()

    def _unseal(self) -> None:
        """Let every seat try to unseal everything that was ever sealed."""
        deck = replace(self.fleet.deck, owed=MappingProxyType({}))
        for U, V in self._seals:
            for viewer, ring in self.fleet.rings.items():
                sender = Seat(max(self.fleet.rings) + 1)
                sealed = MappingProxyType({viewer: SealedShare(U, V)})
                layer = Layer(sender, LayerKind.SLOT, U, b"", frozenset((viewer,)), sealed)
                probe = Slot(
                    SlotId(0),
                    E=U,
                    N=deck.group.identity,
                    base=None,
                    layers=MappingProxyType({sender: layer}),
                    audience=frozenset((viewer,)),
                )
                share = -face_point(deck, ring, probe)
                self._unsealed.setdefault(share, set()).add(viewer)
        self._seals.clear()

    def _follow_exchanges(self) -> bool:
        news = False
        for old, new, delta in self._exchanges:
            for who, share in list(self.shares.get(old, {}).items()):
                if who not in self.shares.get(new, {}):
                    news |= self._learn(new, who, share + delta)
            for who, share in list(self.shares.get(new, {}).items()):
                if who not in self.shares.get(old, {}):
                    news |= self._learn(old, who, share - delta)
        return news

    def _follow_faces(self) -> bool:
        """Where a face was shown and one share is missing to it, everybody can compute that."""
        news = False
        faces = self.fleet.deck.faces
        for card in self.cards.values():
            face, slot = self._faces.get(card.follows), card.slot
            if face is None:
                continue
            hidden = [
                layer
                for layer in slot.layers.values()
                if EVERYBODY not in self.shares[layer.key, slot.E]
            ]
            if len(hidden) != 1:
                continue
            for layer in slot.layers.values():
                if layer is not hidden[0]:
                    share = self.shares[layer.key, slot.E][EVERYBODY]
                    slot = slot.without_layer(layer.seat, share)
            news |= self._learn((hidden[0].key, slot.E), EVERYBODY, slot.N - faces.point(face))
        return news

    def _judged(self, card: Card, settled: bool) -> list[Finding]:
        seats = sorted(self.fleet.rings)
        audience = self._audience.get(card.follows, frozenset())
        audience = self.expected.get(card.follows, audience)
        found = []
        for bits in range(1 << len(seats)):
            coalition = frozenset(seat for seat in seats if bits >> seat & 1)
            everybody = len(coalition) == len(seats)
            entitled = PUBLIC in audience or everybody or bool(coalition & audience)
            face = self.known_face(card, coalition)
            if face is not None and not entitled:
                found.append(Finding(card.name, coalition, f"reads {face}"))
            if face is None and entitled and settled:
                found.append(Finding(card.name, coalition, "cannot finish"))
        return found

    def known_face(self, card: Card, coalition: frozenset[Seat]) -> str | None:
        """Return the face that a coalition reads on a card, or on the one that it was before."""
        face = self.finished(card, coalition)
        if face is None and card.name in self._same_as:
            return self.known_face(self.cards[self._same_as[card.name]], coalition)
        return face

    def finished(self, card: Card, coalition: frozenset[Seat]) -> str | None:
        """Return the face that a coalition reads, or None where a layer stays closed to it."""
        slot = card.slot
        chosen = []
        for layer in slot.layers.values():
            known = self.shares[layer.key, slot.E]
            knowing = [who for who in known if who == EVERYBODY or who in coalition]
            if not knowing:
                return None
            chosen.append(known[knowing[0]])
        at = (card.name, tuple(chosen))
        if at not in self._read:
            for seat, share in zip(tuple(slot.layers), chosen, strict=True):
                slot = slot.without_layer(seat, share)
            self._read[at] = self.fleet.deck.faces.name(slot.N)
        return self._read[at]

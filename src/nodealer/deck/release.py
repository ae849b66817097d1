"""Dealing by selective key revelation: agree who may see which slots, then release the layers.

`announce` turns wishes ("seat 2 may see slot 17", "everybody may see slot 4") into what each seat
has to send. It is applied when the entry that grants the wish is complete, and from then on the new
audience counts, whoever has sent what. Only then do releases leave, as parts of the next step: a
release that travelled with a countersignature would be a free peek for a proposer whose action
then fails.

A layer is released in one of three ways:

    OpenKey     the scalar of a key that closes this slot alone
    OpenShare   the share of a sealing key on this slot, with its proof
    SealShares  the share sealed to single viewers, which everybody checks and only they can use
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from nodealer.crypto import Point, Proof, ProofTranscript, prove, relations, verify
from nodealer.deck.audience import PUBLIC, ReleasePlan, plan
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.slots import LayerKind, SealedShare, Slot
from nodealer.deck.state import Deck, Stage, Vetted, collected, judging
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId, changed


@dataclass(frozen=True, slots=True)
class OpenKey:
    """The secret of a layer that closes one slot only."""

    secret: int


@dataclass(frozen=True, slots=True)
class OpenShare:
    """A layer's share on one slot, with the proof that it is that."""

    S: Point
    proof: Proof


@dataclass(frozen=True, slots=True)
class SealShares:
    """A layer's share for the planned viewers, in ascending order of their seats."""

    U: Point
    Vs: tuple[Point, ...]
    proof: Proof


Opening: TypeAlias = OpenKey | OpenShare
Release: TypeAlias = OpenKey | OpenShare | SealShares


@dataclass(frozen=True, slots=True)
class ReleasePart:
    """All releases that one seat owes, in ascending order of slots."""

    items: tuple[Release, ...]


def announce(
    deck: Deck,
    wishes: Iterable[tuple[SlotId, Iterable[Seat]]],
    staying_closed: Collection[SlotId] = (),
) -> Deck:
    """Grant new audiences to slots. The releases that this takes are owed from now on.

    Slots that stay closed are not opened to everybody where all seats may see them.
    """
    deck.require(Stage.READY)
    granted: dict[SlotId, Slot] = {}
    owed: dict[SlotId, ReleasePlan] = {}
    for number, added in wishes:
        if number in granted:
            raise LocalError(Reason.DECK_SLOT_TWICE, f"slot {number}")
        stays_closed = number in staying_closed
        slot, made = _granted(deck, deck.slot(number), tuple(added), stays_closed=stays_closed)
        granted[number] = slot
        if made.releasing:
            owed[number] = made
    return changed(
        deck.with_slots(granted.values()), owed=MappingProxyType(dict(sorted(owed.items())))
    )


def owing(deck: Deck) -> tuple[Seat, ...]:
    """Return the seats that have releases to send, in ascending order."""
    return tuple(sorted({seat for made in deck.owed.values() for seat in made.releasing}))


def make_releases(deck: Deck, keyring: Keyring, moment: ProofMoment) -> ReleasePart:
    """Make everything that this seat owes."""
    items: list[Release] = []
    for slot, made in _debts(deck, keyring.seat):
        if keyring.seat == made.guard:
            items.append(_make_seal(deck, keyring, moment, slot, made.viewers))
        else:
            items.append(make_opening(deck, keyring, moment, slot))
    return ReleasePart(tuple(items))


@judging
def check_releases(
    deck: Deck, moment: ProofMoment, seat: Seat, part: ReleasePart
) -> Vetted[ReleasePart]:
    """Check that a seat sends exactly what it owes, and that every item opens what it must."""
    debts = _debts(deck, seat)
    if len(part.items) != len(debts):
        raise PeerError(Reason.DECK_NOT_OWED, f"{len(part.items)} items, {len(debts)} owed")
    for (slot, made), item in zip(debts, part.items, strict=True):
        if seat == made.guard:
            _check_seal(deck, moment, slot, seat, made.viewers, item)
        else:
            check_opening(deck, moment, slot, seat, item)
    return Vetted(seat, part, deck, moment)


def take_releases(deck: Deck, parts: Iterable[Vetted[ReleasePart]]) -> Deck:
    """Take in the releases of all owing seats; slots with no layer left show their face."""
    deck.require(Stage.RELEASE)
    slots = {number: deck.slot(number) for number in deck.owed}
    for seat, part in collected(deck, ReleasePart, owing(deck), parts).items():
        for (slot, _), item in zip(_debts(deck, seat), part.items, strict=True):
            slots[slot.id] = _released(deck, slots[slot.id], seat, item)
    settled = [_uncovered(deck, slot) for slot in slots.values()]
    return changed(deck.with_slots(settled), owed=MappingProxyType({}))


def make_opening(deck: Deck, keyring: Keyring, moment: ProofMoment, slot: Slot) -> Opening:
    """Open this seat's layer on one slot to everybody, in the way that its kind allows."""
    layer = slot.layer(keyring.seat)
    secret = keyring.layer_secret(layer)
    if layer.kind is LayerKind.SLOT:
        return OpenKey(secret)
    S = secret * slot.E
    statement = relations.share(deck.group, layer.key, slot.E, S)
    transcript = _transcript(deck, moment, keyring.seat, "share", slot)
    return OpenShare(S, prove(deck.group, transcript, statement, [secret], keyring.nonces))


def check_opening(deck: Deck, moment: ProofMoment, slot: Slot, seat: Seat, item: Release) -> None:
    """Raise unless the item opens the seat's layer on this slot."""
    layer = slot.layer(seat)
    if layer.kind is LayerKind.SLOT and isinstance(item, OpenKey):
        if deck.group.times_generator(item.secret) != layer.key:
            raise PeerError(Reason.DECK_WRONG_KEY, f"seat {seat}, slot {slot.id}")
    elif layer.kind is LayerKind.SEAT and isinstance(item, OpenShare):
        statement = relations.share(deck.group, layer.key, slot.E, item.S)
        transcript = _transcript(deck, moment, seat, "share", slot)
        verify(deck.group, transcript, statement, item.proof, Reason.PROOF_SHARE)
    else:
        raise PeerError(
            Reason.DECK_RELEASE_FORM, f"{type(item).__name__} for a {layer.kind.value} layer"
        )


def share_of(slot: Slot, item: Opening) -> Point:
    """Return what a checked opening takes away from N."""
    return item.secret * slot.E if isinstance(item, OpenKey) else item.S


def _granted(
    deck: Deck, slot: Slot, added: tuple[Seat, ...], *, stays_closed: bool
) -> tuple[Slot, ReleasePlan]:
    if slot.face is not None:
        raise LocalError(Reason.DECK_FACE_KNOWN, f"slot {slot.id} shows {slot.face}")
    _require_viewers(deck, added)
    made = plan(slot.closed, slot.audience, added, deck.roster, stays_closed=stays_closed)
    if made.guard is not None and made.viewers:
        layer = slot.layer(made.guard)
        slot = slot.with_layer(changed(layer, known=layer.known | frozenset(made.viewers)))
    return changed(slot, audience=made.audience), made


def _require_viewers(deck: Deck, added: tuple[Seat, ...]) -> None:
    strangers = set(added) - {PUBLIC} - set(deck.roster)
    if strangers:
        raise LocalError(Reason.DECK_SEAT, f"viewers {sorted(strangers)}")


def _debts(deck: Deck, seat: Seat) -> list[tuple[Slot, ReleasePlan]]:
    deck.require(Stage.RELEASE)
    debts = [
        (deck.slot(number), made) for number, made in deck.owed.items() if seat in made.releasing
    ]
    if not debts:
        raise LocalError(Reason.DECK_SEAT, f"seat {seat} owes no release")
    return debts


def _make_seal(
    deck: Deck, keyring: Keyring, moment: ProofMoment, slot: Slot, viewers: tuple[Seat, ...]
) -> SealShares:
    group = deck.group
    layer = slot.layer(keyring.seat)
    keys = [deck.sealing_keys[viewer] for viewer in viewers]
    k = keyring.layer_secret(layer)
    rho = keyring.randomness(
        "seal",
        moment,
        deck.epoch,
        slot.id,
        slot.E.encode(),
        slot.N.encode(),
        layer.key.encode(),
        [[viewer, key.encode()] for viewer, key in zip(viewers, keys, strict=True)],
    ).scalar()
    U = group.times_generator(rho)
    share = k * slot.E
    Vs = tuple(share + rho * key for key in keys)
    statement = relations.seal(group, layer.key, slot.E, U, list(zip(keys, Vs, strict=True)))
    transcript = _seal_transcript(deck, moment, keyring.seat, slot, viewers)
    return SealShares(U, Vs, prove(group, transcript, statement, [k, rho], keyring.nonces))


def _check_seal(
    deck: Deck,
    moment: ProofMoment,
    slot: Slot,
    seat: Seat,
    viewers: tuple[Seat, ...],
    item: Release,
) -> None:
    if not isinstance(item, SealShares):
        raise PeerError(Reason.DECK_RELEASE_FORM, f"{type(item).__name__} where a seal is due")
    if len(item.Vs) != len(viewers):
        raise PeerError(Reason.DECK_COUNT, f"{len(item.Vs)} seals for {len(viewers)} viewers")
    layer = slot.layer(seat)
    sealed = [(deck.sealing_keys[viewer], V) for viewer, V in zip(viewers, item.Vs, strict=True)]
    statement = relations.seal(deck.group, layer.key, slot.E, item.U, sealed)
    transcript = _seal_transcript(deck, moment, seat, slot, viewers)
    verify(deck.group, transcript, statement, item.proof, Reason.PROOF_SEAL)


def _released(deck: Deck, slot: Slot, seat: Seat, item: Release) -> Slot:
    if not isinstance(item, SealShares):
        return slot.without_layer(seat, share_of(slot, item))
    layer = slot.layer(seat)
    viewers = deck.owed[slot.id].viewers
    arrived: Mapping[Seat, SealedShare] = {
        viewer: SealedShare(item.U, V) for viewer, V in zip(viewers, item.Vs, strict=True)
    }
    return slot.with_layer(changed(layer, sealed=MappingProxyType({**layer.sealed, **arrived})))


def _uncovered(deck: Deck, slot: Slot) -> Slot:
    return slot if slot.layers else slot.shown(deck.faces.name(slot.N))


def _transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, relation: str, slot: Slot
) -> ProofTranscript:
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, relation, [slot.id]))


def _seal_transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, slot: Slot, viewers: tuple[Seat, ...]
) -> ProofTranscript:
    transcript = _transcript(deck, moment, seat, "seal", slot)
    transcript.absorb("viewers", list(viewers))
    return transcript

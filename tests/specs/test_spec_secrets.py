"""Secrets and proofs follow from the seed in the way that the pages say, byte by byte."""

from __future__ import annotations

from typing import Any

from nodealer.crypto import SECP256K1, Point
from nodealer.deck import MaskPart, ReleasePart, RestackPart, SealShares, ShufflePart
from nodealer.deck.handover import HandoverPart
from nodealer.deck.keys import KeyPart
from nodealer.kernel import Seat
from tests.specs.pages import Algebra, program
from tests.specs.scenario import LABEL, Sent, every_part
from tests.support.fleet import hashed

PAGE = program()
GROUP = Algebra(SECP256K1)
PARTS = {sent.name: sent for sent in every_part()}


def secrets(seat: Seat) -> Any:  # noqa: ANN401 - what the pages define has no type here
    return PAGE.Secrets(SECP256K1.order, hashed("seed", 0, seat))


def moment_frame(sent: Sent, *items: object) -> bytes:
    """Return the context of a secret that is drawn for one step."""
    at = sent.moment
    shared = (at.table, at.step, at.parent, sent.seat, sent.deck.epoch)
    context: bytes = PAGE.frame(*shared, *items)
    return context


def times_G(scalar: int) -> Point:
    return SECP256K1.times_generator(scalar)


def card_hash(cards: list[tuple[Point, Point]]) -> bytes:
    points = b"".join([point.encode() for card in cards for point in card])
    hashed_cards: bytes = PAGE.H("nodealer/1/cards", len(cards), points)
    return hashed_cards


def slot_key(sent: Sent, number: int, E: Point) -> Point:
    at = sent.moment
    context = PAGE.frame(at.table, sent.deck.epoch, number, sent.seat, E.encode(), at.step)
    return times_G(secrets(sent.seat).secret("slot", context, 0))


def test_keys_and_the_nonce_of_their_proof() -> None:
    sent = PARTS["key"]
    assert isinstance(sent.part, KeyPart)
    own = secrets(sent.seat)
    x = own.secret("deck", PAGE.frame(sent.deck.table, sent.seat, sent.deck.epoch), 0)
    assert times_G(x) == sent.part.X
    y = own.secret("seat", PAGE.frame("seat", sent.deck.terms, sent.seat), 0)
    assert times_G(y) == sent.deck.sealing_keys[sent.seat]

    at = sent.moment
    where: tuple[object, ...] = (
        at.table,
        at.height,
        at.parent,
        at.step,
        sent.deck.epoch,
        sent.seat,
        "key",
        [],
    )
    transcript = PAGE.Transcript(GROUP, PAGE.H("nodealer/1/proof", *where))
    PAGE.absorb_statement(transcript, *PAGE.r_key(GROUP, sent.part.X))
    nonce = own.nonce("proof", transcript.digest(), [x], 0)
    transcript.absorb_points("commitments", [times_G(nonce)])
    challenge = transcript.challenge("challenge")
    response = (nonce + PAGE.short_scalar(GROUP, challenge) * x) % GROUP.order
    assert sent.part.proof.to_bytes() == challenge + response.to_bytes(32, "big")


def test_shuffles() -> None:
    sent = PARTS["shuffle"]
    assert isinstance(sent.part, ShufflePart)
    assert sent.deck.pile is not None
    before = list(sent.deck.pile.cards)
    own, n = secrets(sent.seat), len(before)
    context = moment_frame(sent, sent.deck.joint_key.encode(), card_hash(list(before)))
    order = own.permutation("shuffle/order", context, n)
    fresh = [own.secret("shuffle", context, index) for index in range(n)]
    for card, old, r in zip(sent.part.cards, order, fresh, strict=True):
        assert before[old].E + times_G(r) == card.E


def test_keys_of_slots() -> None:
    sent = PARTS["mask"]
    assert isinstance(sent.part, MaskPart)
    assert sent.deck.pile is not None
    for index, (K, card) in enumerate(zip(sent.part.keys, sent.deck.pile.cards, strict=True)):
        assert slot_key(sent, sent.deck.next_slot + index, card.E) == K


def test_restacks() -> None:
    sent = PARTS["restack"]
    assert isinstance(sent.part, RestackPart)
    slots, own = [sent.deck.slot(number) for number in sent.slots], secrets(sent.seat)
    old = card_hash([(slot.E, slot.N) for slot in slots])
    assert times_G(own.secret("hand", moment_frame(sent, old), 0)) == sent.part.H
    deltas = sent.part.inward.deltas
    inside = [(slot.E, slot.N + delta) for slot, delta in zip(slots, deltas, strict=True)]
    context = moment_frame(sent, sent.part.H.encode(), card_hash(inside))
    order = own.permutation("restack/order", context, len(slots))
    for index, (card, origin) in enumerate(zip(sent.part.cards, order, strict=True)):
        assert inside[origin][0] + times_G(own.secret("restack", context, index)) == card.E
        number = sent.deck.next_slot + index
        assert slot_key(sent, number, card.E) == sent.part.keys[index]


def test_sealed_releases() -> None:
    sent = PARTS["release of seals"]
    assert isinstance(sent.part, ReleasePart)
    for (number, plan), item in zip(sent.deck.owed.items(), sent.part.items, strict=True):
        assert isinstance(item, SealShares)
        slot, keys = sent.deck.slot(number), sent.deck.sealing_keys
        points = (slot.E, slot.N, slot.layers[sent.seat].key)
        viewers = [[viewer, keys[viewer].encode()] for viewer in plan.viewers]
        context = moment_frame(sent, number, *[point.encode() for point in points], viewers)
        assert times_G(secrets(sent.seat).secret("seal", context, 0)) == item.U


def test_cards_handed_over() -> None:
    for name, label in (("transfer", "transfer/2"), ("return", "return")):
        sent = PARTS[name]
        assert isinstance(sent.part, HandoverPart)
        to = sent.deck.joint_key if name == "return" else sent.deck.sealing_keys[Seat(2)]
        for number, handed in zip(sent.slots, sent.part.cards, strict=True):
            slot = sent.deck.slot(number)
            points = (slot.E, slot.N, slot.layers[sent.seat].key, to)
            context = moment_frame(sent, number, *[point.encode() for point in points])
            rho = secrets(sent.seat).secret(label, context, 0)
            assert times_G(rho) == handed.card.E


def test_salts() -> None:
    sent = PARTS["open"]
    value, salt = PAGE.decode(sent.message)[2:]
    context = PAGE.frame(sent.seat, sent.deck.table, LABEL, value)
    assert secrets(sent.seat).secret_bytes("salt", context) == salt

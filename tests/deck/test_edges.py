"""States and values at the edge: what the planner never makes, what never decodes, odd input."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from nodealer.cards import Composition, hand
from nodealer.crypto import SECP256K1, NonceSource, ProofTranscript, toy_group
from nodealer.deck import (
    PUBLIC,
    ProofMoment,
    ReleasePlan,
    ViewedFace,
    check_absent,
    check_not_equal,
    check_reveal,
    draw,
    joint,
    make_absent,
    make_not_equal,
    make_reveal,
    make_sealing_key,
    new_deck,
    see,
    without_seats,
)
from nodealer.deck.face_points import face_table
from nodealer.kernel import Bug, EntryId, Height, LocalError, PeerError, Reason, Seat, SlotId
from tests.support.fleet import Fleet, WatchedKeyring, hashed
from tests.support.tables import TEN, P, Q, R, table


def half_sealed() -> tuple[Fleet, SlotId]:
    """A slot with two closed layers: seat 0's own, and seat 1's, which is sealed to seat 0.

    The planner would have let seat 1 open. A view has to be right for this state all the same.
    """
    made = table(3)
    (number,) = made.deal(P, 1, seen=False)
    slot = made.deck.slot(number)
    layer = slot.layer(Q)
    slot = slot.with_layer(replace(layer, known=frozenset((P,))))
    deck = made.deck.with_slots([replace(slot, audience=frozenset((P,)))])
    owed = {number: ReleasePlan(frozenset((P,)), opens=(R,), guard=Q, viewers=(P,))}
    made.deck = replace(deck, owed=MappingProxyType(owed))
    made.release()
    return made, number


def test_a_view_through_an_own_layer_and_a_seal() -> None:
    made, number = half_sealed()
    face = see(made.deck, made.rings[P], number)
    at = made.moment("play")
    part = make_reveal(made.deck, made.rings[P], at, number)
    assert isinstance(part, ViewedFace)
    assert len(part.proof.responses) == 2
    assert check_reveal(made.deck, at, P, number, part).part.face == face
    for other in set(TEN.distinct) - {face}:
        with pytest.raises(PeerError, match="proof/view-face"):
            check_reveal(made.deck, at, P, number, replace(part, face=other))
    made.grant([(number, (PUBLIC,))])
    assert made.deck.slot(number).face == face


def test_a_slot_that_opens_to_no_face_stops_the_program() -> None:
    """After verified releases this is our error, and no answer goes out."""
    made = table(2)
    (number,) = made.deal(P, 1)
    slot = made.deck.slot(number)
    bent = made.deck.with_slots([replace(slot, N=slot.N + SECP256K1.generator)])
    with pytest.raises(Bug) as error:
        see(bent, made.rings[P], number)
    assert error.value.reason is Reason.DECK_UNDECODABLE


class _Unblinded(WatchedKeyring):
    """A seat that blinds by zero: its proofs hold, and say nothing, for every difference is O."""

    __slots__ = ()

    @property
    def blindings(self) -> NonceSource:
        return lambda _digest, _witness: lambda _index: 0


def unblinded(seat: Seat) -> _Unblinded:
    return _Unblinded(SECP256K1, seat, hashed("seed", ("table", 10), seat))


def test_a_valid_proof_about_differences_that_are_o_shows_nothing() -> None:
    made = table(2)
    numbers = made.deal(P, 2)
    at, deck, ring, zone = made.moment("claim"), made.deck, unblinded(P), hand(P)
    held = made.faces(P, numbers)
    absent = next(face for face in TEN.distinct if face not in held)
    part = make_absent(deck, ring, at, zone, absent)
    assert all(T.is_identity for T in part.Ts)
    with pytest.raises(PeerError) as refusal:
        check_absent(deck, at, P, zone, absent, part)
    assert refusal.value.reason is Reason.PROOF_ABSENT


def test_a_valid_proof_that_nothing_differs_from_nothing_shows_no_difference() -> None:
    made = table(2)
    numbers = made.deal(P, 10)
    faces = made.faces(P, numbers)
    differing = [numbers[0], next(n for n, f in zip(numbers, faces, strict=True) if f != faces[0])]
    at = made.moment("verdict")
    part = make_not_equal(made.deck, unblinded(P), at, differing)
    assert part.T.is_identity
    with pytest.raises(PeerError) as refusal:
        check_not_equal(made.deck, at, P, differing, part)
    assert refusal.value.reason is Reason.PROOF_NOT_EQUAL


def test_weights_that_always_vanish_stop_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_transcript: ProofTranscript, _label: str, count: int) -> list[int]:
        return [0] * count

    made = table(2)
    numbers = made.deal(P, 10)
    faces = made.faces(P, numbers)
    differing = [numbers[0], next(n for n, f in zip(numbers, faces, strict=True) if f != faces[0])]
    monkeypatch.setattr(ProofTranscript, "weights", none)
    with pytest.raises(Bug):
        make_not_equal(made.deck, made.rings[P], made.moment("verdict"), differing)


def test_a_draw_that_never_ends_stops_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def highest(_domain: str, *_items: object) -> bytes:
        return b"\xff" * 32

    monkeypatch.setattr(joint, "digest", highest)
    with pytest.raises(Bug):
        draw(bytes(32), 3)


def test_a_layer_that_is_open_is_not_there() -> None:
    made = table(2)
    (number,) = made.deal(P, 1)
    with pytest.raises(LocalError) as refusal:
        made.deck.slot(number).layer(Q)
    assert refusal.value.reason is Reason.DECK_RELEASE_FORM


def test_keyrings_show_no_secret() -> None:
    ring = table(2).rings[Q]
    assert repr(ring) == "<keyring of seat 1>"


@pytest.mark.parametrize(
    ("height", "length"), [(-1, (32, 32)), (0, (31, 32)), (0, (32, 33)), (0, (0, 32))]
)
def test_moments_have_hashes_and_a_height(height: int, length: tuple[int, int]) -> None:
    deck, parent = table(2).deck, EntryId(bytes(length[1]))
    with pytest.raises(LocalError) as refusal:
        ProofMoment(type(deck.table)(bytes(length[0])), Height(height), parent, b"step")
    assert refusal.value.reason is Reason.LOCAL_ARGUMENT


@pytest.mark.parametrize("wrong", ["table", "terms", "epoch", "first_slot"])
def test_a_new_deck_needs_hashes(wrong: str) -> None:
    deck = table(2).deck
    odd = {
        "table": type(deck.table)(b"short"),
        "terms": deck.table,
        "epoch": deck.epoch,
        "first_slot": SlotId(0),
    }
    odd[wrong] = SlotId(-1) if wrong == "first_slot" else b"short"
    with pytest.raises(LocalError) as refusal:
        new_deck(
            deck.group,
            odd["table"],  # type: ignore[arg-type]
            odd["terms"],  # type: ignore[arg-type]
            odd["epoch"],  # type: ignore[arg-type]
            deck.sealing_keys,
            TEN,
            first_slot=odd["first_slot"],  # type: ignore[arg-type]
        )
    assert refusal.value.reason is Reason.LOCAL_ARGUMENT


def test_a_sealing_key_needs_terms() -> None:
    ring = table(2).rings[P]
    with pytest.raises(LocalError, match="local/argument"):
        make_sealing_key(ring, b"no hash", hashed("identity"))


def test_faces_that_share_a_point_are_refused() -> None:
    with pytest.raises(LocalError) as refusal:
        face_table(toy_group(7), Composition(tuple("abcdefgh")))
    assert refusal.value.reason is Reason.LOCAL_ARGUMENT


def test_numbers_of_slots_go_on_in_the_next_epoch() -> None:
    made = table(2)
    deck = made.deck
    following = new_deck(
        deck.group,
        deck.table,
        deck.terms,
        type(deck.epoch)(hashed("next")),
        deck.sealing_keys,
        TEN,
        first_slot=deck.next_slot,
    )
    after = Fleet(following, made.rings, made.height)
    after.keys()
    after.mix()
    assert not set(after.deck.slots) & set(deck.slots)
    with pytest.raises(LocalError, match="deck/slot-retired"):
        after.deck.slot(SlotId(0))
    assert made.deck is deck


def test_everybody_who_is_left_is_the_roster() -> None:
    made = table(4)
    (number,) = made.deal(P, 1)
    smaller = without_seats(made.deck, [R, Seat(3)])
    assert smaller.roster == (P, Q)
    assert smaller.slots == made.deck.slots
    assert see(smaller, made.rings[P], number) == see(made.deck, made.rings[P], number)


def test_somebody_has_to_stay() -> None:
    made = table(2)
    with pytest.raises(LocalError) as refusal:
        without_seats(made.deck, made.deck.roster)
    assert refusal.value.reason is Reason.LOCAL_ARGUMENT

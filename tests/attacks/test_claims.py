"""Attacks with false claims about hidden cards.

*Merging what must not be merged.* The equations of a claim "none of my hand is f" look alike, one
for each card, and merging them by random weights would make the check cheaper. But nothing pins the
blinding factors: one card that *is* f hides behind another that is not. The first tests build that
forgery, show it to a verifier that merges, and then to ours.

*Leaving a card out.* A claim about a hand is about every card of it, in the state that all have.

*Another statement.* Which slots, keys and faces a claim is about follows from the state. A proof
for one slot, face, hand or pair says nothing about another.

*False verdicts.* "Equal" of unequal cards and "not equal" of equal ones, with every point of the
verdict chosen freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from nodealer.cards import Layout, hand
from nodealer.crypto import (
    AnyProof,
    Equation,
    Point,
    Proof,
    ProofTranscript,
    Statement,
    Term,
    prove,
    relations,
    verify,
)
from nodealer.deck import (
    AbsentPart,
    Deck,
    EqualPart,
    MemberPart,
    NotEqualPart,
    check_absent,
    check_equal,
    check_face,
    check_member,
    check_not_equal,
    check_transfer,
    make_absent,
    make_equal,
    make_face,
    make_member,
    make_not_equal,
    make_transfer,
)
from nodealer.deck.equality import _weighted
from nodealer.deck.sight import view_of
from nodealer.kernel import LocalError, Reason, SlotId
from tests.attacks.tools import (
    GROUP,
    PAIRS,
    SEAT_0,
    SEAT_1,
    SIX,
    Q,
    attacker_nonces,
    forbidden,
    held,
    inverse,
    moment,
    nowhere,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, mixed


@dataclass(frozen=True)
class Hand:
    """Two cards of the attacker, the first of which has the face that it denies."""

    slots: Sequence[tuple[Point, Point, Point]]
    keys: Sequence[int]
    C: Point
    other: Point


def guilty_hand() -> Hand:
    keys = scalars("keys", count=2)
    C, other = nowhere("denied"), nowhere("other face")
    Es = [nowhere("E", 0), nowhere("E", 1)]
    slots = [
        (k * GROUP.generator, E, face + k * E)
        for k, E, face in zip(keys, Es, (C, other), strict=True)
    ]
    return Hand(slots, keys, C, other)


def coefficients(statement: Statement) -> list[int]:
    """Return the weight with which a statement takes each card's blinding factor."""
    product_terms = [
        term
        for equation in statement.equations
        if equation.target != GROUP.identity
        for term in equation.terms
    ]
    return [
        next(term.coefficient for term in product_terms if term.witness == 2 * card)
        for card in range(2)
    ]


def merged(group_statement: Statement, weights: Sequence[int], Ts: Sequence[Point]) -> Statement:
    """Return what a hasty verifier checks: one equation for all differences."""
    products, forced = group_statement.equations[::2], group_statement.equations[1::2]
    terms = [
        Term(term.witness, term.base, term.coefficient * weight % Q)
        for equation, weight in zip(products, weights, strict=True)
        for term in equation.terms
    ]
    one = Equation(GROUP.linear(weights, Ts), tuple(terms))
    return Statement(group_statement.witnesses, (one, *forced))


def denial(guilty: Hand) -> tuple[list[Point], tuple[int, int]]:
    """Return points T that deny the face, both multiples of the innocent card's difference."""
    a, b = scalars("denial", count=2)
    difference = guilty.other - guilty.C
    return [a * difference, b * difference], (a, b)


def excuse(guilty: Hand, weights: Sequence[int], multiples: tuple[int, int]) -> list[int]:
    """Return witnesses that satisfy the merged equation and all the forced ones."""
    (a, b), (v, w) = multiples, weights
    betas = [1, (v * a + w * b) * inverse(w) % Q]
    return [
        scalar
        for beta, k in zip(betas, guilty.keys, strict=True)
        for scalar in (beta, beta * k % Q)
    ]


def hasty(statement: Statement) -> tuple[Statement, list[int]]:
    """Return the merged statement and its weights, drawn after everything was fixed."""
    transcript = ProofTranscript(GROUP, b"hasty")
    statement.absorb_into(transcript)
    weights = transcript.weights("w", 2)
    products = statement.equations[::2]
    targets = [equation.target for equation in products if isinstance(equation.target, Point)]
    return merged(statement, weights, targets), weights


def test_a_verifier_that_merges_believes_a_false_denial() -> None:
    guilty = guilty_hand()
    Ts, multiples = denial(guilty)
    honest = relations.absent(GROUP, guilty.slots, guilty.C, Ts)
    assert len(honest.equations) == 4
    statement, weights = hasty(honest)
    witness = excuse(guilty, weights, multiples)
    proof = prove(GROUP, ProofTranscript(GROUP, b""), statement, witness, attacker_nonces())
    verify(GROUP, ProofTranscript(GROUP, b""), statement, proof, Reason.PROOF_ABSENT)


def test_ours_does_not() -> None:
    guilty = guilty_hand()
    Ts, multiples = denial(guilty)
    statement = relations.absent(GROUP, guilty.slots, guilty.C, Ts)
    # Whatever weights the statement has, the attacker reads them off.
    witness = excuse(guilty, coefficients(statement), multiples)
    proof = prove(GROUP, ProofTranscript(GROUP, b""), statement, witness, attacker_nonces())
    with refused(Reason.PROOF_ABSENT):
        verify(GROUP, ProofTranscript(GROUP, b""), statement, proof, Reason.PROOF_ABSENT)


def dealt() -> tuple[Fleet, Deck, tuple[SlotId, ...], list[str]]:
    """Return a table where seat 0 holds three different cards."""
    table = mixed(2, SIX)
    table.deal(SEAT_0, 3)
    numbers = held(table, SEAT_0)
    return table, table.deck, numbers, table.faces(SEAT_0, numbers)


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_claim_that_leaves_a_card_out_is_refused(hidden: int) -> None:
    table, deck, numbers, faces = dealt()
    layout = deck.layout.removed([numbers[hidden]], hand(SEAT_0))
    part = make_absent(
        deck.with_layout(layout), table.rings[SEAT_0], moment(deck), hand(SEAT_0), faces[hidden]
    )
    with refused(Reason.DECK_COUNT):
        check_absent(deck, moment(deck), SEAT_0, hand(SEAT_0), faces[hidden], part)


def test_a_claim_that_counts_one_card_twice_is_refused() -> None:
    table, deck, numbers, faces = dealt()
    doubled = Layout({hand(SEAT_0): (numbers[0], numbers[1], numbers[1])})
    ring = table.rings[SEAT_0]
    part = make_absent(deck.with_layout(doubled), ring, moment(deck), hand(SEAT_0), faces[2])
    with refused(Reason.PROOF_ABSENT):
        check_absent(deck, moment(deck), SEAT_0, hand(SEAT_0), faces[2], part)


def test_a_claim_about_cards_that_are_not_closed_by_the_holder_alone_is_refused() -> None:
    table, deck, numbers, faces = dealt()
    missing = next(face for face in SIX.faces if face not in faces)
    part = make_absent(deck, table.rings[SEAT_0], moment(deck), hand(SEAT_0), missing)
    table.deal(SEAT_0, 1, seen=False)
    unseen = table.deck
    with refused(Reason.DECK_NOT_SOLE):
        check_absent(unseen, moment(deck), SEAT_0, hand(SEAT_0), missing, part)
    proof = make_face(deck, table.rings[SEAT_0], moment(deck), numbers[0], faces[0])
    with refused(Reason.DECK_NOT_SOLE):
        check_face(unseen, moment(deck), SEAT_0, held(table, SEAT_0)[-1], faces[0], proof)


def test_a_denial_with_a_difference_that_is_nothing_is_refused() -> None:
    table, deck, _, faces = dealt()
    at = moment(deck)
    missing = next(face for face in SIX.faces if face not in faces)
    part = make_absent(deck, table.rings[SEAT_0], at, hand(SEAT_0), missing)
    nothing = AbsentPart((GROUP.identity,) * 3, Proof(part.proof.challenge, (0,) * 6))
    with refused(Reason.PROOF_ABSENT):
        check_absent(deck, at, SEAT_0, hand(SEAT_0), missing, nothing)


def denied(table: Fleet, face: str, blinding: int) -> AbsentPart:
    """Deny a face of seat 0's hand, whatever its cards are, with one blinding factor for all.

    This is what `make_absent` does, without asking whether the claim is true or allowed.
    """
    deck, ring = table.deck, table.rings[SEAT_0]
    slots = [deck.slots[number] for number in held(table, SEAT_0)]
    C = deck.faces.point(face)
    keys = [ring.layer_secret(slot.layers[SEAT_0]) for slot in slots]
    triples = [(slot.layers[SEAT_0].key, slot.E, slot.N) for slot in slots]
    Ts = tuple(blinding * (slot.N - C - k * slot.E) for slot, k in zip(slots, keys, strict=True))
    statement = relations.absent(GROUP, triples, C, Ts)
    numbers = [slot.id for slot in slots]
    transcript = ProofTranscript(
        GROUP, moment(deck).context(deck.epoch, SEAT_0, f"absent/{face}", numbers)
    )
    transcript.absorb_points("hand", [C, *(point for triple in triples for point in triple)])
    witness = [scalar for k in keys for scalar in (blinding, blinding * k % Q)]
    return AbsentPart(Ts, prove(GROUP, transcript, statement, witness, attacker_nonces()))


def test_a_denial_of_a_hand_that_is_partly_unseen_is_refused() -> None:
    # With another layer still on a card, the difference from any face is not O, so that a careless
    # check would believe every denial.
    table, *_ = dealt()
    (unseen,) = table.deal(SEAT_0, 1, seen=False)
    slot = table.deck.slots[unseen]
    shares = [table.rings[seat].layer_secret(layer) * slot.E for seat, layer in slot.layers.items()]
    true_face = table.deck.faces.name(slot.N - GROUP.total(shares))
    with refused(Reason.DECK_NOT_SOLE):
        part = denied(table, true_face, 1)
        check_absent(table.deck, moment(table), SEAT_0, hand(SEAT_0), true_face, part)


def test_a_true_denial_is_accepted() -> None:
    table, deck, _, faces = dealt()
    missing = next(face for face in SIX.faces if face not in faces)
    part = denied(table, missing, 1)
    check_absent(deck, moment(deck), SEAT_0, hand(SEAT_0), missing, part)


def test_blinding_by_zero_denies_nothing() -> None:
    table, deck, _, faces = dealt()
    part = denied(table, faces[0], 0)
    with refused(Reason.PROOF_ABSENT):
        check_absent(deck, moment(deck), SEAT_0, hand(SEAT_0), faces[0], part)


def test_a_proof_for_one_slot_or_face_says_nothing_about_another() -> None:
    table, deck, numbers, faces = dealt()
    at, ring = moment(deck), table.rings[SEAT_0]
    part = make_face(deck, ring, at, numbers[0], faces[0])
    check_face(deck, at, SEAT_0, numbers[0], faces[0], part)
    with refused(Reason.PROOF_FACE):
        check_face(deck, at, SEAT_0, numbers[1], faces[0], part)
    with refused(Reason.PROOF_FACE):
        check_face(deck, at, SEAT_0, numbers[0], faces[1], part)


def test_a_proof_for_some_faces_says_nothing_about_others() -> None:
    table, deck, numbers, faces = dealt()
    at, ring = moment(deck), table.rings[SEAT_0]
    part = make_member(deck, ring, at, numbers[0], faces[:2])
    check_member(deck, at, SEAT_0, numbers[0], faces[:2], part)
    with refused(Reason.PROOF_MEMBER):
        check_member(deck, at, SEAT_0, numbers[0], faces[1:], part)
    with refused(Reason.PROOF_MEMBER):
        check_member(deck, at, SEAT_0, numbers[0], faces[1::-1], part)
    with refused(Reason.PROOF_MEMBER):
        check_member(deck, at, SEAT_0, numbers[1], faces[:2], part)
    with refused(Reason.PROOF_LENGTH):
        check_member(deck, at, SEAT_0, numbers[0], faces, part)


def test_no_branch_of_a_false_alternative_can_be_proven() -> None:
    _, deck, numbers, faces = dealt()
    wrong = [face for face in SIX.faces if face != faces[0]][:2]
    simulated = AnyProof(tuple((c, (s,)) for c, s in zip(scalars(1), scalars(2), strict=True))[:2])
    with refused(Reason.PROOF_MEMBER):
        check_member(deck, moment(deck), SEAT_0, numbers[0], wrong, MemberPart(simulated))


def test_another_seats_claim_is_refused() -> None:
    table, deck, numbers, faces = dealt()
    part = make_face(deck, table.rings[SEAT_0], moment(deck), numbers[0], faces[0])
    with refused(Reason.DECK_NOT_SOLE):
        check_face(deck, moment(deck), SEAT_1, numbers[0], faces[0], part)


def test_a_card_of_somebody_else_cannot_be_given_away() -> None:
    table, deck, numbers, _ = dealt()
    part = make_transfer(deck, table.rings[SEAT_0], moment(deck), numbers[:1], SEAT_1)
    with refused(Reason.DECK_NOT_SOLE):
        check_transfer(deck, moment(deck), SEAT_1, numbers[:1], SEAT_0, part)


@pytest.mark.parametrize("cards", [1, 3])
def test_more_or_fewer_cards_than_named_are_not_handed_over(cards: int) -> None:
    table, deck, numbers, _ = dealt()
    part = make_transfer(deck, table.rings[SEAT_0], moment(deck), numbers[:2], SEAT_1)
    resized = replace(part, cards=(part.cards * 2)[:cards])
    with refused(Reason.DECK_COUNT):
        check_transfer(deck, moment(deck), SEAT_0, numbers[:2], SEAT_1, resized)


def pairs() -> tuple[Fleet, Deck, list[SlotId], list[SlotId]]:
    """Return a table where seat 0 holds a pair of equal cards and a pair of unequal ones."""
    table = mixed(2, PAIRS)
    table.deal(SEAT_0, 5)
    by_face: dict[str, list[SlotId]] = {"a": [], "b": []}
    for number, face in zip(
        held(table, SEAT_0), table.faces(SEAT_0, held(table, SEAT_0)), strict=True
    ):
        by_face[face].append(number)
    a, b = by_face["a"], by_face["b"]
    return table, table.deck, a[:2], [a[0], b[0]]


def test_unequal_cards_cannot_be_called_equal() -> None:
    table, deck, same, unlike = pairs()
    ring, at = table.rings[SEAT_0], moment(deck)
    with pytest.raises(LocalError):
        make_equal(deck, ring, at, unlike)
    part = make_equal(deck, ring, at, same)
    check_equal(deck, at, SEAT_0, same, part)
    with refused(Reason.PROOF_EQUAL):
        check_equal(deck, at, SEAT_0, unlike, part)
    with refused(Reason.PROOF_EQUAL):
        check_equal(deck, at, SEAT_0, unlike, EqualPart(Proof(bytes(16), (0, 0, 0))))


def test_equal_cards_cannot_be_called_unequal() -> None:
    table, deck, same, unlike = pairs()
    ring, at = table.rings[SEAT_0], moment(deck)
    with pytest.raises(LocalError):
        make_not_equal(deck, ring, at, same)
    part = make_not_equal(deck, ring, at, unlike)
    check_not_equal(deck, at, SEAT_0, unlike, part)
    for T in (part.T, nowhere("T")):
        with refused(Reason.PROOF_NOT_EQUAL):
            check_not_equal(deck, at, SEAT_0, same, replace(part, T=T))


def test_a_verdict_with_a_difference_that_is_nothing_is_refused() -> None:
    _, deck, same, _ = pairs()
    zero_blinding = NotEqualPart(GROUP.identity, 0, nothing_proven(deck, same))
    with refused(Reason.PROOF_NOT_EQUAL):
        check_not_equal(deck, moment(deck), SEAT_0, same, zero_blinding)


def nothing_proven(deck: Deck, numbers: list[SlotId]) -> Proof:
    """Prove with blinding zero that the difference is O, which is true of all cards."""
    slots = [deck.slots[number] for number in numbers]
    views = [view_of(deck, SEAT_0, slot) for slot in slots]
    transcript, weights = _weighted(deck, moment(deck), SEAT_0, slots, views, 0)
    Y = deck.sealing_keys[SEAT_0]
    statement = relations.not_equal(GROUP, Y, views, weights, GROUP.identity)
    return prove(GROUP, transcript, statement, [0, 0, 0, 0], attacker_nonces())


def test_one_card_cannot_be_compared_with_itself() -> None:
    table, deck, same, _ = pairs()
    ring = table.rings[SEAT_0]
    with forbidden(Reason.DECK_SLOT_TWICE):
        make_equal(deck, ring, moment(deck), [same[0], same[0]])
    part = make_equal(deck, ring, moment(deck), same)
    with refused(Reason.DECK_SLOT_TWICE):
        check_equal(deck, moment(deck), SEAT_0, [same[0], same[0]], part)


def test_who_has_not_seen_the_cards_gives_no_verdict() -> None:
    table, deck, same, _ = pairs()
    part = make_equal(deck, table.rings[SEAT_0], moment(deck), same)
    with refused(Reason.DECK_NOT_VIEWER):
        check_equal(deck, moment(deck), SEAT_1, same, part)
    with forbidden(Reason.DECK_NOT_VIEWER):
        make_equal(deck, table.rings[SEAT_1], moment(deck), same)

"""Attacks on randomness that is used twice.

*A shuffle at one place over two decks* (a step that is done again after a seat has left, two
branches of a history, a backup). If the exponents of the re-randomisation depended on the place
alone, they would cancel in the difference of two outputs, and comparing with the differences of the
inputs gives the order, from public data.

*One shuffle proven in two places.* The weights differ, so if the chain of commitments were made
with the same randomness, its difference shows which weight stands where.

*A nonce that sees less than the challenge.* Two proofs with one nonce and two challenges give the
secret by one subtraction and one division; a nonce that is published or guessable, by one proof.

*One exponent for two seals or two cards handed over.* The difference of two ciphertexts is then the
difference of what is in them, and one later opening opens the other.

*One blinding for two differences.* It shows which hidden cards are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest

from nodealer.cards import hand
from nodealer.crypto import (
    Masked,
    Point,
    Proof,
    ProofTranscript,
    Seed,
    ShuffleProof,
    prove,
    prove_shuffle,
    relations,
    shuffled,
    verify_shuffle,
)
from nodealer.deck import (
    Deck,
    OpenKey,
    ProofMoment,
    ReleasePart,
    SealShares,
    ShufflePart,
    check_not_equal,
    check_shuffle,
    make_absent,
    make_deck_key,
    make_not_equal,
    make_shuffle,
    make_transfer,
    take_shuffle,
)
from nodealer.deck.equality import _weighted
from nodealer.deck.sight import view_of
from nodealer.kernel import EntryId, Height
from tests.attacks.forging import generators
from tests.attacks.tools import (
    GROUP,
    PAIRS,
    SEAT_0,
    SEAT_1,
    SEAT_2,
    SIX,
    G,
    Heard,
    Q,
    attacker_nonces,
    differences,
    held,
    inverse,
    moment,
    nowhere,
    scalars,
    sent_scalars,
)
from tests.support.fleet import Fleet, fleet, hashed, mixed

Order = set[tuple[int, int]]
"""What an attacker reads: new position, old position."""


def redone(at: ProofMoment) -> ProofMoment:
    """Return the same step behind another parent."""
    return replace(at, parent=EntryId(hashed("other parent")), height=Height(at.height + 1))


def order_by_subtraction(
    inputs: tuple[Deck, Deck], outputs: tuple[ShufflePart, ShufflePart]
) -> Order:
    """Subtract the columns of E: equal exponents on both sides cancel."""
    piles = [deck.pile.cards for deck in inputs if deck.pile is not None]
    found = set()
    for i, j in product(range(len(piles[0])), repeat=2):
        steps = [part.cards[i].E - pile[j].E for part, pile in zip(outputs, piles, strict=True)]
        if steps[0] == steps[1]:
            found.add((i, j))
    return found


def two_inputs_of_seat_1() -> tuple[Fleet, Deck, Deck]:
    """Return a table at which seat 0 shuffled twice, in two branches of the history."""
    table = fleet(2, SIX)
    table.keys()
    at, deck = moment(table, "shuffle"), table.deck
    decks = []
    for place in (at, redone(at)):
        part = make_shuffle(deck, table.rings[SEAT_0], place)
        decks.append(take_shuffle(deck, check_shuffle(deck, place, SEAT_0, part)))
    return table, decks[0], decks[1]


def test_a_shuffle_of_two_decks_at_one_place_hides_both_orders() -> None:
    table, one, two = two_inputs_of_seat_1()
    at = moment(table, "shuffle")
    ring = table.rings[SEAT_1]
    outputs = make_shuffle(one, ring, at), make_shuffle(two, ring, at)
    assert order_by_subtraction((one, two), outputs) == set()


def test_a_shuffle_that_is_redone_takes_fresh_randomness() -> None:
    table = fleet(2, SIX)
    table.keys()
    at, ring = moment(table, "shuffle"), table.rings[SEAT_0]
    first = make_shuffle(table.deck, ring, at)
    second = make_shuffle(table.deck, ring, redone(at))
    # Every new card, whatever its place, is another point.
    assert not set(first.cards) & set(second.cards)
    # One shared exponent would let outputs of the two be matched card by card.
    assert not {card.E for card in first.cards} & {card.E for card in second.cards}


def test_a_shuffle_is_made_again_byte_for_byte() -> None:
    table = fleet(2, SIX)
    table.keys()
    at, ring = moment(table, "shuffle"), table.rings[SEAT_0]
    assert make_shuffle(table.deck, ring, at) == make_shuffle(table.deck, ring, at)


def proven_at(place: bytes) -> tuple[ShuffleProof, list[int]]:
    """Return the proof of one and the same shuffle at a place, and the weights drawn there."""
    key, order, fresh = nowhere("key"), [1, 3, 0, 2], scalars("fresh", count=4)
    before = [Masked(nowhere("E", i), nowhere("M", i)) for i in range(4)]
    after = shuffled(GROUP, key, before, order, fresh)
    nonces = attacker_nonces("a seat")
    proof = prove_shuffle(
        GROUP, ProofTranscript(GROUP, place), key, before, after, order, fresh, nonces
    )
    verifier = Heard(GROUP, place)
    verify_shuffle(GROUP, verifier, key, before, after, proof)
    return proof, verifier.drawn[0][2]


def test_one_shuffle_proven_at_two_places_hides_its_order() -> None:
    (one, u), (two, v) = proven_at(b"height 1"), proven_at(b"height 2")
    H0 = generators(4)[0]
    links, others = [H0, *one.chain], [H0, *two.chain]
    found = {
        (i, j)
        for i, j in product(range(4), repeat=2)
        if links[i + 1] - others[i + 1] == u[j] * links[i] - v[j] * others[i]
    }
    assert found == set()


def test_the_commitments_to_an_order_do_not_repeat() -> None:
    (one, _), (two, _) = proven_at(b"height 1"), proven_at(b"height 2")
    assert not set(one.c) & set(two.c)
    assert not set(one.chain) & set(two.chain)


def guesses(proofs: list[Proof]) -> set[int]:
    """Return every secret that two proofs with one nonce would give away."""
    found = set()
    for one, two in combinations(proofs, 2):
        apart = GROUP.short_scalar(one.challenge) - GROUP.short_scalar(two.challenge)
        for s, t in product(one.responses, two.responses):
            if apart % Q:
                found.add((s - t) * inverse(apart) % Q)
    return found


@pytest.mark.parametrize("changed", ["height", "parent", "step"])
def test_two_proofs_of_one_key_do_not_share_a_nonce(changed: str) -> None:
    table = fleet(2, SIX)
    at = moment(table)
    other: dict[str, object] = {"height": Height(7), "parent": EntryId(bytes(32)), "step": b"x"}
    ring = table.rings[SEAT_0]
    parts = [
        make_deck_key(table.deck, ring, place)
        for place in (at, replace(at, **{changed: other[changed]}))  # type: ignore[arg-type]
    ]
    assert parts[0].X not in {guess * G for guess in guesses([part.proof for part in parts])}


def test_two_statements_in_one_context_do_not_share_a_nonce() -> None:
    (k,) = scalars(count=1)
    nonces = attacker_nonces("a seat")
    proofs = [
        prove(
            GROUP, ProofTranscript(GROUP, b""), relations.share(GROUP, k * G, E, k * E), [k], nonces
        )
        for E in (nowhere(1), nowhere(2))
    ]
    assert k not in guesses(proofs)


def test_every_witness_of_a_proof_has_a_nonce_of_its_own() -> None:
    # With one nonce for both, the difference of the responses shows that of the secrets: whoever
    # learns one of them later, from an opened key, has the other.
    (k, rho), E, Y = scalars(count=2), nowhere("E"), nowhere("Y")
    L, U = k * G, rho * G
    statement = relations.seal(GROUP, L, E, U, [(Y, k * E + rho * Y)])
    proof = prove(
        GROUP, ProofTranscript(GROUP, b""), statement, [k, rho], attacker_nonces("a seat")
    )
    s, t = proof.responses
    c = GROUP.short_scalar(proof.challenge)
    assert ((s - t) * inverse(c)) * G != L - U


def test_other_secrets_make_other_nonces() -> None:
    nonces = attacker_nonces("a seat")
    assert nonces(bytes(32), [1])(0) != nonces(bytes(32), [2])(0)
    assert nonces(bytes(32), [1])(0) != nonces(bytes(32), [1])(1)


def test_nonces_cannot_be_computed_without_the_seed() -> None:
    drawn = {
        Seed(GROUP, seed).nonce_source("proof")(bytes(32), [1])(0)
        for seed in (bytes(32), hashed("one"), hashed("two"))
    }
    assert len(drawn) == 3


def played() -> Fleet:
    """Return a table at which every kind of part was sent."""
    table = mixed(3, SIX)
    slots = [*table.deal(SEAT_0, 2), *table.deal(SEAT_1, 2)]
    table.grant([(slots[0], (SEAT_2,))])
    table.transfer(SEAT_0, slots[1:2], SEAT_1)
    table.restack(SEAT_1)
    table.grant([(held(table, SEAT_1)[0], (SEAT_0,))])
    table.reveal(SEAT_0, slots[0])
    table.gather(held(table, SEAT_1)[1:])
    table.mix()
    return table


def secrets_of(table: Fleet) -> set[Point]:
    """Return the public keys of everything that must stay secret."""
    deck = table.deck
    slots = [slot for former, *_ in table.sent for slot in former.slots.values()]
    layers = {layer.key for slot in slots for layer in slot.layers.values()}
    return {*deck.sealing_keys.values(), *deck.deck_keys.values(), *layers}


def test_no_message_holds_the_nonce_of_its_proof() -> None:
    table = played()
    goals = secrets_of(table)
    for _, _, _, part in table.sent:
        shown = sent_scalars(part)
        if len(shown) > 12:
            continue  # the long proofs have attacks of their own
        # Nonce and response, the challenge: the secret is one subtraction and one division away.
        # Small numbers stand for nonces that anybody would guess.
        for s, t in product(shown, [*shown, 0, 1, 2]):
            for c in shown:
                guess = (s - t) * inverse(c) % Q
                assert guess * G not in goals
                assert (s - t) * G not in goals


def sealed_twice() -> tuple[Fleet, Deck, list[SealShares]]:
    """Return a table at which seat 0 sealed two of its cards to seat 1 in one step."""
    table = mixed(3, SIX)
    slots = table.deal(SEAT_0, 2)
    table.grant([(slot, (SEAT_1,)) for slot in slots])
    part = next(p for _, _, seat, p in reversed(table.sent) if seat == SEAT_0)
    assert isinstance(part, ReleasePart)
    return table, table.deck, [item for item in part.items if isinstance(item, SealShares)]


def test_one_opened_card_does_not_open_another_that_was_sealed_with_it() -> None:
    table, before, seals = sealed_twice()
    slots = held(table, SEAT_0)
    table.reveal(SEAT_0, slots[0])
    opened = table.sent[-1][3]
    assert isinstance(opened, OpenKey)
    share = opened.secret * before.slots[slots[0]].E
    # With one rho for both, V - V' is the difference of the shares.
    other_share = share - (seals[0].Vs[0] - seals[1].Vs[0])
    left = before.slots[slots[1]].N - other_share
    assert left.encode() not in before.faces.names
    assert seals[0].U != seals[1].U


def test_cards_handed_over_together_cannot_be_subtracted() -> None:
    table = mixed(3, SIX)
    slots = table.deal(SEAT_0, 2)
    deck = table.deck
    part = make_transfer(deck, table.rings[SEAT_0], moment(table), slots, SEAT_1)
    one, two = (handed.card for handed in part.cards)
    assert one.E != two.E
    assert one.M - two.M not in differences(list(deck.faces.points.values()))


def test_the_same_cards_handed_to_two_seats_cannot_be_subtracted() -> None:
    table = mixed(3, SIX)
    slots = table.deal(SEAT_0, 1)
    deck, ring = table.deck, table.rings[SEAT_0]
    parts = [make_transfer(deck, ring, moment(table), slots, to) for to in (SEAT_1, SEAT_2)]
    assert parts[0].cards[0].card.E != parts[1].cards[0].card.E


def hand_with_a_pair() -> tuple[Fleet, Callable[[ProofMoment], tuple[Point, ...]]]:
    """Return a table where seat 0 holds cards of one face only, and its claim to lack the other."""
    table = mixed(2, PAIRS)
    table.deal(SEAT_0, 5)
    by_face = {
        face: [s for s in held(table, SEAT_0) if table.faces(SEAT_0, [s]) == [face]]
        for face in ("a", "b")
    }
    away, kept = sorted(by_face, key=lambda face: len(by_face[face]))
    table.transfer(SEAT_0, by_face[away], SEAT_1)
    assert len(by_face[kept]) >= 2
    return table, lambda at: make_absent(table.deck, table.rings[SEAT_0], at, hand(SEAT_0), away).Ts


def test_a_claim_about_a_hand_does_not_show_which_cards_are_equal() -> None:
    table, claim = hand_with_a_pair()
    first, second = claim(moment(table)), claim(redone(moment(table)))
    assert len({*first, *second}) == len(first) + len(second)


def test_verdicts_on_different_pairs_cannot_be_compared() -> None:
    table = mixed(2, PAIRS)
    table.deal(SEAT_0, 5)
    slots, faces = held(table, SEAT_0), table.faces(SEAT_0, held(table, SEAT_0))
    unequal = [(a, b) for a, b in combinations(range(5), 2) if faces[a] != faces[b]]
    ring = table.rings[SEAT_0]
    unblinded = []
    for a, b in unequal:
        pair = [slots[a], slots[b]]
        views = [view_of(table.deck, SEAT_0, table.deck.slots[number]) for number in pair]
        for place in (moment(table), redone(moment(table))):
            part = make_not_equal(table.deck, ring, place, pair)
            check_not_equal(table.deck, place, SEAT_0, pair, part)
            # The weight is public, so everybody takes it off; the blinding must be what stays.
            slots_of_pair = [table.deck.slots[number] for number in pair]
            _, (weight,) = _weighted(table.deck, place, SEAT_0, slots_of_pair, views, part.tries)
            unblinded.append(inverse(weight) * part.T)
    assert len({*unblinded, *(-T for T in unblinded)}) == 2 * len(unblinded)

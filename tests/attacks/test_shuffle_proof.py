"""Attacks on the proof of shuffle: changing cards, and reading the order from the proof.

*Bent cards.* If the new deck were not hashed before the weights are drawn, a shuffler could learn
the weights first and then change two cards so that the two errors, weighted, cancel. The first
shuffler knows all faces, so it would turn a card of its choice into any other.

*Published differences.* One published design shows, for every new card, the difference from its
source. Subtracting it gives the source, which is in the public deck: the order is public. Here no
point or number of the proof may be such a difference, or lead to one.

*Weights that follow the order.* The responses to the weights hide `u'`, the weights in permuted
order. Without a nonce of its own for each of them, the challenge divides out and the order shows.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from nodealer.crypto import (
    Masked,
    Point,
    ShuffleProof,
    prove_shuffle,
    shuffled,
    verify_shuffle,
)
from nodealer.deck import Deck, ShufflePart, check_shuffle, make_shuffle, take_shuffle
from nodealer.kernel import Reason
from tests.attacks.forging import Forgery, forge_shuffle, generators
from tests.attacks.tools import (
    GROUP,
    SEAT_0,
    SEAT_1,
    SIX,
    G,
    Heard,
    Q,
    attacker_nonces,
    forbidden,
    inverse,
    moment,
    nowhere,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, fleet

KEY = nowhere("joint key")
ORDER = [2, 0, 4, 1, 3]
FRESH = scalars("fresh", count=5)
HALF, THIRD = inverse(2), inverse(3)

UNIT = ((1, 0), (0, 1))
SCALED = ((2, 0), (0, HALF))
"""Keeps the product of the weights, but is no permutation."""
MIXING = ((2, -1), (-1, 2))
"""Keeps the sum of the weights, but is no permutation."""


def cards(count: int) -> list[Masked]:
    return [Masked(nowhere("E", index), nowhere("M", index)) for index in range(count)]


def scaled(by: int, card: Masked) -> Masked:
    return Masked(by * card.E, by * card.M)


def halved_and_doubled() -> list[Masked]:
    one, two = cards(2)
    return [scaled(HALF, one), scaled(2, two)]


def blended() -> list[Masked]:
    """Return two cards, each a mixture of the old two."""
    one, two = cards(2)
    both = Masked(one.E + two.E, one.M + two.M)
    return [scaled(THIRD, Masked(both.E + card.E, both.M + card.M)) for card in (one, two)]


def substituted() -> list[Masked]:
    one, two = cards(2)
    return [Masked(one.E, one.M + nowhere("other card")), two]


def exponent_of_a_victim() -> list[Masked]:
    one, two = cards(2)
    return [Masked(one.E + nowhere("victim"), one.M), two]


FORGERIES = {
    # The equation that alone notices, what the attacker does, and the deck that comes out.
    "t1": (Forgery(SCALED, SCALED), halved_and_doubled()),
    "t2": (Forgery(MIXING, MIXING), blended()),
    "t3": (Forgery(UNIT, SCALED), halved_and_doubled()),
    "t4-face": (Forgery(UNIT, UNIT), substituted()),
    "t4-exponent": (Forgery(UNIT, UNIT), exponent_of_a_victim()),
    "chain": (Forgery(MIXING, MIXING, made_up_chain=True), blended()),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_deck_that_is_no_shuffle_is_refused(name: str) -> None:
    plan, after = FORGERIES[name]
    proof = forge_shuffle(Heard(GROUP), KEY, cards(2), after, plan)
    with refused(Reason.PROOF_SHUFFLE):
        verify_shuffle(GROUP, Heard(GROUP), KEY, cards(2), after, proof)


def test_the_forger_can_do_it_honestly() -> None:
    proof = forge_shuffle(Heard(GROUP), KEY, cards(2), cards(2), Forgery(UNIT, UNIT))
    verify_shuffle(GROUP, Heard(GROUP), KEY, cards(2), cards(2), proof)


def honest() -> tuple[list[Masked], list[Masked], ShuffleProof, list[int]]:
    """Return the old deck, the new one, the proof, and the weights, which everybody computes."""
    before = cards(5)
    after = shuffled(GROUP, KEY, before, ORDER, FRESH)
    proof = prove_shuffle(
        GROUP, Heard(GROUP), KEY, before, after, ORDER, FRESH, attacker_nonces("shuffle")
    )
    verifier = Heard(GROUP)
    verify_shuffle(GROUP, verifier, KEY, before, after, proof)
    return before, after, proof, verifier.drawn[0][2]


def test_cards_bent_to_fit_the_weights_are_refused() -> None:
    before, after, _, u = honest()
    up = [u[old] for old in ORDER]
    # Position 0 holds a card that this shuffler knows as `known`; it shall become `wanted`.
    bend = inverse(up[1]) * (nowhere("wanted") - nowhere("known"))
    bent = list(after)
    bent[0] = after[0]._replace(M=after[0].M + up[1] * bend)
    bent[1] = after[1]._replace(M=after[1].M - up[0] * bend)
    assert up[0] * (bent[0].M - after[0].M) + up[1] * (bent[1].M - after[1].M) == GROUP.identity
    forged = prove_shuffle(
        GROUP, Heard(GROUP), KEY, before, bent, ORDER, FRESH, attacker_nonces("shuffle")
    )
    with refused(Reason.PROOF_SHUFFLE):
        verify_shuffle(GROUP, Heard(GROUP), KEY, before, bent, forged)


def test_everything_is_fixed_before_what_depends_on_it() -> None:
    before, after, proof, _ = honest()
    verifier = Heard(GROUP)
    verify_shuffle(GROUP, verifier, KEY, before, after, proof)
    decks = [point for card in (*before, *after) for point in card]
    (_, at_weights, _), (_, at_challenge, _) = verifier.drawn
    assert set(verifier.points[:at_weights]) >= {KEY, *decks, *proof.c}
    assert set(verifier.points[:at_challenge]) >= set(proof.chain)
    # Five commitments, and one for each link of the chain.
    assert at_challenge == at_weights + len(proof.chain) + 5 + len(before)


def readable(
    before: list[Masked], after: list[Masked], proof: ShuffleProof
) -> set[tuple[int, int]]:
    """Return which new card comes from which old one, as far as the proof shows differences."""
    points = [*proof.c, *proof.chain, *generators(len(before))]
    numbers = [*proof.sums, *proof.chain_responses, *proof.weight_responses]
    over_G: set[Point] = {*points, *(number * G for number in numbers)}
    over_G |= {a - b for a, b in product(points, repeat=2)}
    over_X = {number * KEY for number in numbers}
    found = set()
    for (i, new), (j, old) in product(enumerate(after), enumerate(before)):
        if {new.E - old.E, old.E - new.E} & over_G or {new.M - old.M, old.M - new.M} & over_X:
            found.add((i, j))
    return found


def test_the_proof_shows_no_difference_between_an_old_and_a_new_card() -> None:
    before, after, proof, _ = honest()
    assert readable(before, after, proof) == set()


def test_a_proof_that_shows_differences_would_be_read() -> None:
    before, after, proof, _ = honest()
    open_book = replace(proof, c=tuple(after[i].E - before[ORDER[i]].E for i in range(5)))
    assert readable(before, after, open_book) >= {(i, ORDER[i]) for i in range(5)}


def test_the_responses_do_not_follow_the_weights() -> None:
    _, _, proof, u = honest()
    factor = GROUP.short_scalar(proof.challenge)
    s = proof.weight_responses
    expected = {factor * weight % Q for weight in u}
    assert not expected & set(s)
    steps = {factor * (a - b) % Q for a, b in product(u, repeat=2) if a != b}
    assert not steps & {(a - b) % Q for a, b in product(s, repeat=2)}


def start() -> tuple[Fleet, Deck]:
    table = fleet(3, SIX)
    table.keys()
    return table, table.deck


def test_a_card_exchanged_for_another_is_refused() -> None:
    table, deck = start()
    at = moment(deck)
    part = make_shuffle(deck, table.rings[SEAT_0], at)
    swap = deck.faces.point("a") - deck.faces.point("b")
    worse = (Masked(part.cards[0].E, part.cards[0].M + swap), *part.cards[1:])
    with refused(Reason.PROOF_SHUFFLE):
        check_shuffle(deck, at, SEAT_0, ShufflePart(worse, part.proof))


def test_a_card_laid_in_twice_is_refused() -> None:
    table, deck = start()
    at = moment(deck)
    part = make_shuffle(deck, table.rings[SEAT_0], at)
    with refused(Reason.PROOF_SHUFFLE):
        check_shuffle(deck, at, SEAT_0, ShufflePart((part.cards[1], *part.cards[1:]), part.proof))


@pytest.mark.parametrize("count", [5, 7])
def test_a_deck_of_another_size_is_refused(count: int) -> None:
    table, deck = start()
    at = moment(deck)
    part = make_shuffle(deck, table.rings[SEAT_0], at)
    resized = (*part.cards, part.cards[0])[:count]
    with refused(Reason.DECK_COUNT):
        check_shuffle(deck, at, SEAT_0, ShufflePart(resized, part.proof))


def test_a_seat_shuffles_in_its_turn_and_once() -> None:
    table, deck = start()
    at = moment(deck)
    part = make_shuffle(deck, table.rings[SEAT_0], at)
    after = take_shuffle(deck, check_shuffle(deck, at, SEAT_0, part))
    with forbidden(Reason.DECK_SEAT):
        make_shuffle(after, table.rings[SEAT_0], at)
    with refused(Reason.DECK_SEAT):
        check_shuffle(after, at, SEAT_0, part)
    with refused(Reason.DECK_SEAT):
        check_shuffle(deck, at, SEAT_1, part)
    with forbidden(Reason.LOCAL_STALE):
        take_shuffle(after, check_shuffle(deck, at, SEAT_0, part))

"""Verdicts on hidden cards: "all equal" and "not all equal", and nothing else.

Every pattern of equal and unequal faces on 2, 3 and 4 slots, seen through a seat's own layers,
through seals, through both, and with public cards among them. A false verdict cannot be made by our
code, and where the maker is made to lie the proof that comes out is refused. The owner of cards
that were shown to all others can check the verdict and sees none of the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pytest

from nodealer.cards import STOCK, hand
from nodealer.crypto import Proof
from nodealer.deck import (
    PUBLIC,
    Deck,
    EqualPart,
    Keyring,
    NotEqualPart,
    ProofMoment,
    check_equal,
    check_not_equal,
    make_equal,
    make_not_equal,
    see,
    verdict_prover,
)
from nodealer.deck import (
    equality as compare,
)
from nodealer.kernel import LocalError, NodealerError, PeerError, Reason, Seat, SlotId
from tests.support.fleet import Fleet
from tests.support.patterns import PATTERNS
from tests.support.tables import P, Q, R, S, table

EVERY_PATTERN = pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: "".join(map(str, p)))


def chosen(made: Fleet, seat: Seat, pattern: Sequence[int]) -> list[SlotId]:
    """Return slots that a seat sees whose faces form the pattern."""
    by_face: dict[str, list[SlotId]] = {}
    for number in sorted(made.deck.slots):
        by_face.setdefault(see(made.deck, made.rings[seat], number), []).append(number)
    stacks = list(by_face.values())
    return [stacks[kind].pop() for kind in pattern]


def seen_in(way: str) -> tuple[Fleet, Seat]:
    """Return a table of 16 cards, and a seat that sees all of them in this way."""
    made = table(4, 16)
    if way == "layers":
        made.deal(P, 16)
        return made, P
    everything = made.deal(P, 16, seen=False)
    if way == "seals":
        made.grant([(number, (Q, R, S)) for number in everything])
        return made, R
    if way == "both":
        made.grant([(number, ((Q, R, S) if number % 2 else (R,))) for number in everything])
        return made, R
    made.grant([(number, ((R, S) if number % 2 else (PUBLIC,))) for number in everything])
    return made, S


WAYS = ("layers", "seals", "both", "public")
TABLES = {way: seen_in(way) for way in WAYS}


def test_there_are_as_many_patterns_as_partitions() -> None:
    assert [sum(len(pattern) == count for pattern in PATTERNS) for count in (2, 3, 4)] == [2, 5, 15]


@pytest.mark.parametrize("way", WAYS)
@EVERY_PATTERN
def test_the_true_verdict_is_proven_and_the_false_one_cannot_be_made(
    way: str, pattern: tuple[int, ...]
) -> None:
    made, seat = TABLES[way]
    deck, ring, at = made.deck, made.rings[seat], made.moment("verdict")
    numbers = chosen(made, seat, pattern)
    if max(pattern) == 0:
        check_equal(deck, at, seat, numbers, make_equal(deck, ring, at, numbers))
        with pytest.raises(LocalError, match="proof/not-equal"):
            make_not_equal(deck, ring, at, numbers)
    else:
        check_not_equal(deck, at, seat, numbers, make_not_equal(deck, ring, at, numbers))
        with pytest.raises(LocalError, match="proof/equal"):
            make_equal(deck, ring, at, numbers)


@pytest.mark.parametrize("way", WAYS)
@EVERY_PATTERN
def test_a_forged_verdict_is_refused(
    way: str, pattern: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forger's own node believes the false verdict, and makes as good a proof as it can."""
    made, seat = TABLES[way]
    deck, ring, at = made.deck, made.rings[seat], made.moment("verdict")
    numbers = chosen(made, seat, pattern)
    lies = iter(["A", "B", "B", "B"] if max(pattern) == 0 else ["A"] * 4)

    def lie(_deck: Deck, _ring: Keyring, _number: SlotId) -> str:
        return next(lies)

    monkeypatch.setattr(compare, "see", lie)
    if max(pattern) == 0:
        differ = make_not_equal(deck, ring, at, numbers)
        assert reason_of(deck, at, seat, numbers, differ) is Reason.PROOF_NOT_EQUAL
    else:
        equal = make_equal(deck, ring, at, numbers)
        assert reason_of(deck, at, seat, numbers, equal) is Reason.PROOF_EQUAL


def reason_of(
    deck: Deck,
    at: ProofMoment,
    seat: Seat,
    numbers: Sequence[SlotId],
    part: EqualPart | NotEqualPart,
) -> Reason:
    """Return why a verdict is refused."""
    if isinstance(part, EqualPart):
        attempt = partial(check_equal, deck, at, seat, numbers, part)
    else:
        attempt = partial(check_not_equal, deck, at, seat, numbers, part)
    with pytest.raises(PeerError) as refusal:
        attempt()
    return refusal.value.reason


def test_a_difference_that_is_o_is_refused() -> None:
    made, seat = TABLES["layers"]
    numbers = chosen(made, seat, (0, 1))
    at = made.moment("verdict")
    part = make_not_equal(made.deck, made.rings[seat], at, numbers)
    zero = NotEqualPart(made.deck.group.identity, part.tries, part.proof)
    assert reason_of(made.deck, at, seat, numbers, zero) is Reason.PROOF_NOT_EQUAL


def test_the_blinded_difference_depends_on_where_it_is_made() -> None:
    """T under one beta in two places would show whether two differences are equal."""
    made, seat = TABLES["layers"]
    numbers = chosen(made, seat, (0, 1))
    parts = [
        make_not_equal(made.deck, made.rings[seat], made.moment("verdict"), numbers)
        for _ in range(3)
    ]
    assert all(one.T != other.T for one, other in pairwise(parts))


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_the_owner_learns_the_verdict_and_no_card(seats: int) -> None:
    made = table(seats, 54)
    numbers = made.deal(P, 2, seen=False)
    others = [seat for seat in made.rings if seat != P]
    made.grant([(number, others) for number in numbers])
    prover = verdict_prover(made.deck, numbers)
    assert prover == Q  # the guard, for no seal stands in its statement
    ring, at = made.rings[prover], made.moment("verdict")
    equal = len(set(made.faces(prover, numbers))) == 1
    if equal:
        check_equal(made.deck, at, prover, numbers, make_equal(made.deck, ring, at, numbers))
    else:
        differ = make_not_equal(made.deck, ring, at, numbers)
        check_not_equal(made.deck, at, prover, numbers, differ)
    for number in numbers:
        with pytest.raises(LocalError, match="deck/not-viewer"):
            see(made.deck, made.rings[P], number)


def test_the_prover_is_the_lowest_viewer_if_nobody_guards_all() -> None:
    made = table(3)
    one, other = made.deal(P, 2, seen=False)
    made.grant([(one, (P, Q)), (other, (Q,))])
    assert made.deck.slot(one).layers.keys() == {P}
    assert verdict_prover(made.deck, [one, other]) == Q
    made.grant([(other, (R,))])
    assert verdict_prover(made.deck, [one, other]) == Q


def test_without_a_common_viewer_there_is_no_verdict() -> None:
    made = table(3)
    one, other = made.deal(P, 1)[0], made.deal(Q, 1)[0]
    with pytest.raises(LocalError) as refusal:
        verdict_prover(made.deck, [one, other])
    assert refusal.value.reason is Reason.DECK_NOT_VIEWER


def test_the_prover_of_a_verdict_can_prove_it() -> None:
    """Who gave a card away is in its audience, but cannot prove anything about it any more."""
    made = table(3)
    own, given = made.deal(P, 2)
    made.transfer(P, [given], Q)
    (received,) = made.deck.layout.at(hand(Q))
    made.grant([(own, (Q,))])
    prover = verdict_prover(made.deck, [own, received])
    assert prover == Q
    ring, at = made.rings[prover], made.moment("verdict")
    make = make_equal if len(set(made.faces(Q, [own, received]))) == 1 else make_not_equal
    make(made.deck, ring, at, [own, received])


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [([], Reason.DECK_COUNT), ([0], Reason.DECK_COUNT), ([0, 0], Reason.DECK_SLOT_TWICE)],
)
def test_a_verdict_needs_two_different_slots(numbers: list[int], reason: Reason) -> None:
    made, seat = TABLES["layers"]
    for make in (make_equal, make_not_equal):
        with pytest.raises(NodealerError) as refusal:
            make(made.deck, made.rings[seat], made.moment("x"), [SlotId(n) for n in numbers])
        assert refusal.value.reason is reason


def test_a_stranger_is_refused_before_the_slots_are_looked_at() -> None:
    made = table(3)
    deck, at, number = made.deck, made.moment("verdict"), made.deck.layout.at(STOCK)[0]
    same = EqualPart(Proof(bytes(16), (0,)))
    differing = NotEqualPart(deck.group.generator, 0, Proof(bytes(16), (0, 0)))
    for numbers in ((number, number), (number,), (number, SlotId(999))):
        for verdict in (
            partial(check_equal, deck, at, Seat(9), numbers, same),
            partial(check_not_equal, deck, at, Seat(9), numbers, differing),
        ):
            with pytest.raises(PeerError) as refused:
                verdict()
            assert refused.value.reason is Reason.DECK_SEAT

"""The deck's own code over groups of 7, 13 and 19 elements: every case, not a sample of them.

In so small a group every value of a key, nonce and blinding comes up again and again within some
hundred tables, and the odd cases that never happen on secp256k1 do: a ciphertext that is O, equal
keys of two slots, a weighted sum of differences that vanishes. The code must be right in all of
them. It shows completeness and algebra; a false proof passes once in `order` tries here, so nothing
about soundness can be seen (`nodealer.crypto.toy`).

Points of a toy group collide. The faces are named so that theirs do not, and tables at which two
seats drew equal deck keys, or keys that cancel out, are refused by the deck and left out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, count, islice, permutations, product

import pytest

from nodealer.cards import STOCK, Composition, hand
from nodealer.crypto import Group, toy_group
from nodealer.deck import (
    PUBLIC,
    Keyring,
    OpenKey,
    ProofMoment,
    announce,
    check_absent,
    check_deck_key,
    check_equal,
    check_not_equal,
    check_releases,
    make_absent,
    make_deck_key,
    make_equal,
    make_not_equal,
    make_releases,
    owing,
    see,
    take_deck_keys,
    take_releases,
)
from nodealer.deck.face_points import face_table
from nodealer.deck.release import share_of
from nodealer.kernel import EntryId, Height, LocalError, PeerError, Reason, Seat, SlotId
from tests.support.fleet import Fleet, fleet, hashed
from tests.support.patterns import PATTERNS
from tests.support.tables import P, Q, R

ORDERS = (7, 13, 19)
TABLES = 160


def named(group: Group, wanted: int) -> tuple[str, ...]:
    """Return names of faces whose points differ."""
    names: list[str] = []
    for number in count():
        try:
            face_table(group, Composition((*names, f"face {number}")))
        except LocalError:
            continue
        names.append(f"face {number}")
        if len(names) == wanted:
            return tuple(names)
    raise AssertionError("a group has too few points for so many faces")


def tables(group: Group, seats: int, deck: Composition) -> Iterator[Fleet]:
    """Return table after table with this deck mixed, each by other seeds."""
    for salt in count():
        try:
            made = fleet(seats, deck, group=group, salt=("toy", group.name, salt))
            made.keys()
        except PeerError as refusal:
            if refusal.reason not in {Reason.DECK_SAME_KEY, Reason.DECK_DEGENERATE}:
                raise
            continue
        made.mix()
        yield made


def opened(made: Fleet) -> tuple[str | None, ...]:
    """Turn over the whole stock and return its faces in order."""
    stock = made.deck.layout.at(STOCK)
    made.grant([(number, (PUBLIC,)) for number in stock])
    return tuple(made.deck.slot(number).face for number in stock)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("cards", [3, 4])
def test_every_order_of_the_deck_comes_up(order: int, seats: int, cards: int) -> None:
    group = toy_group(order)
    deck = Composition(named(group, cards))
    found = Counter(map(opened, islice(tables(group, seats, deck), TABLES)))
    assert set(found) == set(permutations(deck.faces))
    # 160 deals of 24 orders: 6.7 of each on average, and none that is strangely frequent.
    assert max(found.values()) < 5 * TABLES // len(found)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [2, 3])
def test_layers_come_off_in_every_order(order: int, seats: int) -> None:
    group = toy_group(order)
    deck = Composition((*named(group, 3), named(group, 1)[0]))
    for made in islice(tables(group, seats, deck), 40):
        for number, slot in made.deck.slots.items():
            secrets = {s: made.rings[s].layer_secret(layer) for s, layer in slot.layers.items()}
            left = set()
            for line in permutations(secrets):
                rest = slot
                for seat in line:
                    rest = rest.without_layer(seat, share_of(slot, OpenKey(secrets[seat])))
                assert not rest.layers
                left.add(rest.N)
            assert len(left) == 1, number
            assert made.deck.faces.name(left.pop()) in deck.faces


@pytest.mark.parametrize("order", ORDERS)
def test_parts_arrive_in_every_order(order: int) -> None:
    """Keys and releases of three seats, taken in as they come, give one state."""
    group = toy_group(order)
    deck = Composition(named(group, 3))
    for made in islice(tables(group, 3, deck), 40):
        start = made.decks[0]
        at = made.moment("keys")
        keys = [
            check_deck_key(start, at, seat, make_deck_key(start, ring, at))
            for seat, ring in made.rings.items()
        ]
        states = [take_deck_keys(start, line) for line in permutations(keys)]
        assert all(state == states[0] for state in states)
        one, two, three = made.deck.layout.at(STOCK)
        asked = announce(made.deck, [(one, (P,)), (two, (Q, R)), (three, (PUBLIC,))])
        then = made.moment("release")
        parts = [
            check_releases(asked, then, seat, make_releases(asked, made.rings[seat], then))
            for seat in owing(asked)
        ]
        after = [take_releases(asked, line) for line in permutations(parts)]
        assert all(state == after[0] for state in after)
        assert see(after[0], made.rings[Q], two) == see(after[0], made.rings[R], two)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_whole_life_of_a_deck(order: int, seats: int) -> None:
    group = toy_group(order)
    one, two, three = named(group, 3)
    deck = Composition((one, one, two, three))
    for made in islice(tables(group, seats, deck), 60):
        made.deal(P, 2)
        before = Counter(made.faces(P, made.deck.layout.at(hand(P))))
        made.restack(P)
        assert Counter(made.faces(P, made.deck.layout.at(hand(P)))) == before
        given, kept = made.deck.layout.at(hand(P))
        face = see(made.deck, made.rings[P], given)
        made.transfer(P, [given], Q)
        (received,) = made.deck.layout.at(hand(Q))
        assert see(made.deck, made.rings[Q], received) == face
        made.grant([(kept, (Q,))])
        assert made.faces(P, [kept]) == made.faces(Q, [kept])
        made.gather([received, *made.deck.layout.at(STOCK)])
        made.mix()
        left = see(made.deck, made.rings[P], kept)
        assert Counter([left, *opened(made)]) == Counter(deck.faces)


@lru_cache(maxsize=4)
def _verdict_tables(order: int) -> list[tuple[Fleet, Seat]]:
    """Tables of nine cards, seen by seat 0 through its layers and by seat 2 through seals."""
    group = toy_group(order)
    one, two, three, four = named(group, 4)
    deck = Composition((one, one, one, one, two, two, three, three, four))
    found: list[tuple[Fleet, Seat]] = []
    for number, made in enumerate(islice(tables(group, 3, deck), 16)):
        stock = made.deck.layout.at(STOCK)
        if number % 2:
            made.grant([(slot, (Q, R)) for slot in stock])
        else:
            made.grant([(slot, (P,)) for slot in stock])
        found.append((made, R if number % 2 else P))
    return found


def arranged(made: Fleet, seat: Seat, pattern: Sequence[int]) -> list[SlotId]:
    """Return slots whose faces form the pattern; its most frequent class gets the four cards."""
    stacks: dict[str, list[SlotId]] = {}
    for number in sorted(made.deck.slots):
        stacks.setdefault(see(made.deck, made.rings[seat], number), []).append(number)
    by_size = sorted(stacks.values(), key=len, reverse=True)
    ranked = [kind for kind, _ in Counter(pattern).most_common()]
    return [by_size[ranked.index(kind)].pop() for kind in pattern]


def moment(made: Fleet, height: int) -> ProofMoment:
    return ProofMoment(made.deck.table, Height(height), EntryId(hashed("at", height)), b"verdict")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: "".join(map(str, p)))
def test_verdicts_on_every_pattern(order: int, pattern: tuple[int, ...]) -> None:
    """The true verdict is proven, the false one is not made; T is any point."""
    shown = set()
    for made, seat in _verdict_tables(order):
        numbers = arranged(made, seat, pattern)
        for height in range(16):
            at = moment(made, height)
            shown |= _verdict(made, made.rings[seat], at, numbers, equal=max(pattern) == 0)
    assert len(shown) == (0 if max(pattern) == 0 else order - 1)


def _verdict(
    made: Fleet, ring: Keyring, at: ProofMoment, numbers: Sequence[SlotId], *, equal: bool
) -> set[bytes]:
    """Let a seat give the verdict; return the blinded difference if there is one."""
    deck, seat = made.deck, ring.seat
    if equal:
        check_equal(deck, at, seat, numbers, make_equal(deck, ring, at, numbers))
        with pytest.raises(LocalError, match="proof/not-equal"):
            make_not_equal(deck, ring, at, numbers)
        return set()
    part = make_not_equal(deck, ring, at, numbers)
    check_not_equal(deck, at, seat, numbers, part)
    with pytest.raises(LocalError, match="proof/equal"):
        make_equal(deck, ring, at, numbers)
    return {part.T.encode()}


def test_weights_that_hide_a_difference_are_drawn_again() -> None:
    """With weights mod 7 the sum of two differences vanishes now and then: the next try counts."""
    tries = Counter[int]()
    for made, seat in _verdict_tables(7):
        for pattern, height in product(((0, 1, 2), (0, 1, 2, 3)), range(8)):
            numbers = arranged(made, seat, pattern)
            at = moment(made, height)
            part = make_not_equal(made.deck, made.rings[seat], at, numbers)
            check_not_equal(made.deck, at, seat, numbers, part)
            tries[part.tries] += 1
    assert tries[0] > tries[1] > 0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_absence_in_every_hand(order: int, size: int) -> None:
    """Every hand of a deck of three faces, twice each, and every face."""
    group = toy_group(order)
    names = named(group, 3)
    deck = Composition(tuple(name for name in names for _ in range(2)))
    hands: set[tuple[str, ...]] = set()
    for made in islice(tables(group, 2, deck), TABLES // 2):
        made.deal(P, size)
        numbers, ring, at = made.deck.layout.at(hand(P)), made.rings[P], made.moment("claim")
        held = made.faces(P, numbers)
        hands.add(tuple(sorted(held)))
        for face in names:
            if face in held:
                with pytest.raises(LocalError, match="proof/absent"):
                    make_absent(made.deck, ring, at, hand(P), face)
            else:
                part = make_absent(made.deck, ring, at, hand(P), face)
                check_absent(made.deck, at, P, hand(P), face, part)
    every = combinations_with_replacement(sorted(names), size)
    assert hands == {held for held in every if max(Counter(held).values()) <= 2}

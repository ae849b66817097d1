"""Attacks on cards that can be told from outside.

*Multiples of one point.* If face i were i * G, everybody would find the order of a masked deck: the
second card is twice the first. Faces are hashed to the group, so no small relation holds among
them.

*A card that no key changes.* The identity is the same under every key (in classic ciphers, the
card 1). No face is O or G, and a masked card is never its own face.

*A shuffle that is not one.* Permutations come from the seed by rejection sampling, never from a
generator of numbers that look random, and every order is equally likely.
"""

from __future__ import annotations

import ast
from itertools import combinations, product
from math import factorial
from pathlib import Path

import pytest

import nodealer
from nodealer.cards import STOCK, Composition
from nodealer.crypto import Point, Seed
from nodealer.deck import PUBLIC
from nodealer.deck.face_points import face_table
from tests.attacks.tools import GROUP, PAIRS, SIX, G
from tests.support.fleet import hashed, mixed

RANKS = "A23456789TJQK"
FIFTY_TWO = Composition(tuple(rank + suit for rank, suit in product(RANKS, "SHDC")))
SOURCES = sorted(Path(nodealer.__file__).parent.rglob("*.py"))
NOT_CRYPTOGRAPHIC = {"random", "numpy", "time", "uuid"}
CORE = {"kernel", "cards", "wire", "crypto", "deck"}

POINTS = list(face_table(GROUP, FIFTY_TWO).points.values())


def test_no_face_is_a_small_multiple_of_the_base_point() -> None:
    multiples = {GROUP.identity}
    step = GROUP.identity
    for _ in range(500):
        step += G
        multiples |= {step, -step}
    assert not multiples & set(POINTS)


def test_no_face_is_a_sum_or_multiple_of_others() -> None:
    faces = set(POINTS)
    assert len(faces) == 52
    assert not faces & {a + b for a, b in combinations(POINTS, 2)}
    assert not faces & {a - b for a, b in product(POINTS, repeat=2)}
    assert not faces & {-a for a in POINTS}
    assert not faces & {factor * a for a in POINTS for factor in range(2, 53)}


def test_differences_of_faces_do_not_repeat() -> None:
    found = [a - b for a, b in product(POINTS, repeat=2) if a != b]
    assert len(set(found)) == len(found)


def test_a_masked_card_is_never_its_face() -> None:
    table = mixed(3, SIX)
    points = {*table.deck.faces.points.values(), GROUP.identity, G}
    for deck, *_ in table.sent:
        if deck.pile is not None:
            assert not points & {card.M for card in deck.pile.cards}
            assert not points & {card.E for card in deck.pile.cards if deck.pile.shuffled_by}
    for slot in table.deck.slots.values():
        assert not points & {slot.N, slot.E, slot.base}


def test_equal_faces_cannot_be_told_from_others_in_a_shuffled_deck() -> None:
    table = mixed(2, PAIRS)
    columns: list[list[Point | None]] = [
        [slot.E for slot in table.deck.slots.values()],
        [slot.N for slot in table.deck.slots.values()],
        [slot.base for slot in table.deck.slots.values()],
    ]
    assert all(len(set(column)) == len(PAIRS.faces) for column in columns)


def test_a_shuffled_deck_is_in_another_order() -> None:
    table = mixed(2, FIFTY_TWO)
    numbers = table.deck.layout.at(STOCK)
    table.grant([(number, (PUBLIC,)) for number in numbers])
    order = [table.deck.slots[number].face for number in numbers]
    assert sorted(face for face in order if face) == sorted(FIFTY_TWO.faces)
    stayed = sum(a == b for a, b in zip(order, FIFTY_TWO.faces, strict=True))
    # One on average; this deck never changes.
    assert stayed < 6


def test_a_masked_deck_shows_no_order_by_multiples() -> None:
    table = mixed(2, SIX)
    masked = [table.deck.slots[number].N for number in table.deck.layout.at(STOCK)]
    found = set(masked)
    assert not found & {factor * M for M in masked for factor in range(2, 7)}


def imported(path: Path) -> set[str]:
    """Return the top names of everything that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_the_core_takes_chance_from_seeds_alone() -> None:
    core = [path for path in SOURCES if path.parent.name in CORE]
    assert len(core) > len(CORE)
    assert not {path.name for path in core if imported(path) & NOT_CRYPTOGRAPHIC}


@pytest.mark.parametrize("size", [3, 4])
def test_every_order_is_equally_likely(size: int) -> None:
    seed, draws = Seed(GROUP, bytes(32)), 3600
    counts: dict[tuple[int, ...], int] = {}
    for index in range(draws):
        order = tuple(seed.permutation("test", hashed(index), size))
        counts[order] = counts.get(order, 0) + 1
    orders = factorial(size)
    expected = draws / orders
    assert len(counts) == orders
    # Far beyond chance for 5 and 23 degrees of freedom; these draws never change.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 60


def test_an_order_depends_on_the_whole_context_and_on_the_seed() -> None:
    orders = [
        tuple(Seed(GROUP, seed).permutation(label, context, 30))
        for seed in (bytes(32), hashed("other"))
        for label in ("shuffle", "restack")
        for context in (b"one", b"two")
    ]
    assert len(set(orders)) == 8

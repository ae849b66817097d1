"""The figures of the deck, measured in one run.

Every figure is a multiple of m, the time of one multiplication of a point by a scalar. The clock
speed of a machine changes while a program runs, so m is measured anew beside each measurement, the
quotient is taken at once, and the median of several such rounds is shown. Times are those of the
processor, which other programs disturb less than the clock on the wall.

The operations are deck calls as a seat makes them, nothing more and nothing less, except for
`shuffle_prove_m`: the proof alone, without the shuffling itself that `shuffle_make_m` includes.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Final, TypeAlias

from nodealer.cards import STOCK, hand
from nodealer.crypto import ProofTranscript, Seed, prove_shuffle, shuffled
from nodealer.deck import (
    Deck,
    Stage,
    announce,
    check_absent,
    check_equal,
    check_mask,
    check_not_equal,
    check_releases,
    check_restack,
    check_shuffle,
    make_absent,
    make_equal,
    make_mask,
    make_not_equal,
    make_releases,
    make_restack,
    make_shuffle,
    next_shuffler,
    owing,
    see,
)
from nodealer.kernel import Seat, SlotId
from nodealer.lab.benches.bench_cards import GROUP, BenchTable, faces

BenchedOperation: TypeAlias = Callable[[], object]

Step: TypeAlias = Callable[[str], None]
"""Is told what is measured next."""

ROUNDS: Final = 9
"""Measurements of each figure, of which the median counts."""

UNITS: Final = 200
"""Multiplications by which m is measured beside each measurement: about 4 ms."""

SHORT_SECONDS: Final = 0.004
"""A shorter operation is repeated until it takes about as long as m's measurement."""

DEAL_ROUNDS: Final = 5
GROWTH_CARDS: Final = (26, 52, 104, 208)
GROWTH_SEATS: Final = (2, 4, 7, 10)
GROWTH_ROUNDS: Final = 1

FIXTURE_CARDS: Final = 16
FIXTURE_SEATS: Final = 4
"""The small table at which operations of fixed size are measured."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The figure for people, and its budget: a multiple of m for n cards."""

    key: str
    text: str
    budget: Callable[[int], float] | None = None


FIGURES: Final = (
    Figure("shuffle_make_m", "shuffle and prove, n cards"),
    Figure("shuffle_prove_m", "of it the proof", lambda n: 8.5 * n),
    Figure("shuffle_verify_m", "check a shuffle", lambda n: 9 * n),
    Figure("mask_make_m", "mask n cards", lambda n: 4 * n),
    Figure("mask_check_m", "check a mask", lambda n: 5 * n),
    Figure("open_check_m", "check an open release", lambda _: 1),
    Figure("sealed_make_m", "make a release sealed to one seat"),
    Figure("sealed_check_m", "check it"),
    Figure("restack5_make_m", "restack a hand of 5"),
    Figure("restack5_check_m", "check it"),
    Figure("absent7_make_m", "prove a face absent from 7 cards", lambda _: 70),
    Figure("absent7_check_m", "check it", lambda _: 60),
    Figure("equal4_check_m", "check that 4 cards are equal"),
    Figure("notequal4_check_m", "check that 4 cards are not all equal"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure as a multiple of m, and m in seconds beside it."""

    multiple: float
    unit: float


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that one run measures."""

    cards: int
    seats: int
    unit: float
    figures: Mapping[str, Measured]
    deal: Measured
    growth_cards: Sequence[tuple[int, Measured]]
    growth_seats: Sequence[tuple[int, Measured]]


def measure_deck(cards: int, seats: int, step: Step) -> Results:
    """Measure everything, and tell each step."""
    figures = {}
    for figure, operation in _operations(cards, seats):
        step(figure.text)
        figures[figure.key] = _measure(operation)
    deal = _measure_deal(cards, seats, DEAL_ROUNDS, step)
    return Results(
        cards=cards,
        seats=seats,
        unit=median(measured.unit for measured in figures.values()),
        figures=figures,
        deal=deal,
        growth_cards=[(n, _measure_deal(n, seats, GROWTH_ROUNDS, step)) for n in GROWTH_CARDS],
        growth_seats=[(n, _measure_deal(cards, n, GROWTH_ROUNDS, step)) for n in GROWTH_SEATS],
    )


def _operations(cards: int, seats: int) -> Iterator[tuple[Figure, BenchedOperation]]:
    """Return every figure with a call that does it once."""
    calls: dict[str, BenchedOperation] = {
        **_joint_steps(cards, seats),
        **_releases(),
        **_holder_proofs(),
        **_verdict("equal4_check_m", alike=True),
        **_verdict("notequal4_check_m", alike=False),
    }
    for figure in FIGURES:
        yield figure, calls[figure.key]


def _joint_steps(cards: int, seats: int) -> dict[str, BenchedOperation]:
    """Shuffle and mask, on a deck of the size asked for that others have shuffled already."""
    table = BenchTable(seats, faces(cards))
    table.keys()
    table.shuffle()
    deck, at, seat = table.deck, table.moment(), next_shuffler(table.deck)
    shuffle = make_shuffle(deck, table.rings[seat], at)
    while table.deck.stage is Stage.SHUFFLE:
        table.shuffle()
    last, now, masking = table.deck, table.moment(), Seat(seats - 1)
    mask = make_mask(last, table.rings[masking], now)
    return {
        "shuffle_make_m": lambda: make_shuffle(deck, table.rings[seat], at),
        "shuffle_prove_m": _proof_alone(deck),
        "shuffle_verify_m": lambda: check_shuffle(deck, at, seat, shuffle),
        "mask_make_m": lambda: make_mask(last, table.rings[masking], now),
        "mask_check_m": lambda: check_mask(last, now, masking, mask),
    }


def _proof_alone(deck: Deck) -> BenchedOperation:
    """Return the proof of a shuffle of the deck's pile that was made before."""
    assert deck.pile is not None, "the deck is being shuffled"
    before, key, seed = deck.pile.cards, deck.joint_key, Seed(GROUP, bytes(32))
    order = seed.permutation("bench", b"", len(before))
    fresh = [seed.secret("bench", b"", index) for index in range(len(before))]
    after = shuffled(GROUP, key, before, order, fresh)
    nonces = seed.nonce_source("bench")
    return lambda: prove_shuffle(
        GROUP, ProofTranscript(GROUP, b"bench"), key, before, after, order, fresh, nonces
    )


def _releases() -> dict[str, BenchedOperation]:
    """One layer opened for a seat that is dealt a card, then that seat's sealed to a second one."""
    table, slot, first, second = _fixture(), SlotId(0), Seat(0), Seat(1)
    granted, at = announce(table.deck, [(slot, (first,))]), table.moment()
    opener = owing(granted)[0]
    opened = make_releases(granted, table.rings[opener], at)
    table.grant([(slot, (first,))])
    widened, now = announce(table.deck, [(slot, (second,))]), table.moment()
    sealed = make_releases(widened, table.rings[first], now)
    return {
        "open_check_m": lambda: check_releases(granted, at, opener, opened),
        "sealed_make_m": lambda: make_releases(widened, table.rings[first], now),
        "sealed_check_m": lambda: check_releases(widened, now, first, sealed),
    }


def _holder_proofs() -> dict[str, BenchedOperation]:
    """A hand of five that is restacked, and one of seven that lacks a face of the first."""
    table, five, seven = _fixture(), Seat(0), Seat(1)
    table.hand_out(five, 5)
    table.hand_out(seven, 7)
    deck, at = table.deck, table.moment()
    face = see(deck, table.rings[five], deck.layout.at(hand(five))[0])
    restack = make_restack(deck, table.rings[five], at, hand(five))
    absent = make_absent(deck, table.rings[seven], at, hand(seven), face)
    return {
        "restack5_make_m": lambda: make_restack(deck, table.rings[five], at, hand(five)),
        "restack5_check_m": lambda: check_restack(deck, at, five, hand(five), restack),
        "absent7_make_m": lambda: make_absent(deck, table.rings[seven], at, hand(seven), face),
        "absent7_check_m": lambda: check_absent(deck, at, seven, hand(seven), face, absent),
    }


def _verdict(key: str, *, alike: bool) -> dict[str, BenchedOperation]:
    """Four cards shown to all seats but the last, and compared by a viewer who is not their guard.

    That is the longer of the two forms of the proof; the guard's own has no sealed parts in it.
    """
    table = _fixture(alike=alike)
    viewers = tuple(Seat(seat) for seat in range(FIXTURE_SEATS - 1))
    slots = table.deck.layout.at(STOCK)[:4]
    table.grant([(slot, viewers) for slot in slots])
    deck, at, viewer = table.deck, table.moment(), viewers[-1]
    if alike:
        same = make_equal(deck, table.rings[viewer], at, slots)
        return {key: lambda: check_equal(deck, at, viewer, slots, same)}
    differing = make_not_equal(deck, table.rings[viewer], at, slots)
    return {key: lambda: check_not_equal(deck, at, viewer, slots, differing)}


def _fixture(*, alike: bool = False) -> BenchTable:
    table = BenchTable(FIXTURE_SEATS, faces(FIXTURE_CARDS, alike=alike))
    table.deck_made()
    return table


def _measure(operation: BenchedOperation) -> Measured:
    """Return the median of several quotients of the operation's time and m's."""
    with _undisturbed():
        single = max(_seconds(operation, 1), 1e-7)
        times = max(1, round(SHORT_SECONDS / single))
        rounds = []
        for _ in range(ROUNDS):
            unit = unit_seconds()
            rounds.append((_seconds(operation, times) / unit, unit))
    return Measured(median(row[0] for row in rounds), median(row[1] for row in rounds))


def _measure_deal(cards: int, seats: int, rounds: int, step: Step) -> Measured:
    """Measure whole deals, each of a fresh table."""
    step(f"deal of {cards} cards to {seats} seats")
    quotients, units = [], []
    for _ in range(rounds):
        table = BenchTable(seats, faces(cards))
        with _undisturbed():
            before = unit_seconds()
            taken = _seconds(table.deal, 1)
            units.append((before + unit_seconds()) / 2)
        quotients.append(taken / units[-1])
    return Measured(median(quotients), median(units))


def unit_seconds() -> float:
    """Return the time of one multiplication of a point that is not the generator."""
    point, scalar = GROUP.hash_to_point("nodealer/1/bench", 0), GROUP.order // 3
    return _seconds(lambda: scalar * point, UNITS)


def _seconds(operation: BenchedOperation, times: int) -> float:
    """Return the mean time of one call."""
    started = process_time()
    for _ in range(times):
        operation()
    return (process_time() - started) / times


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep the garbage collector from running in the middle of a measurement."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

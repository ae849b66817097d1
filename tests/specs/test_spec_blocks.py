"""The program in the pages gives the verdicts that the code gives, on real and on altered parts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, product

import pytest

from nodealer.crypto import SECP256K1, Seed, toy_group
from nodealer.deck import coin, draw
from nodealer.deck.audience import plan
from nodealer.kernel import LocalError, NodealerError, PeerError, Seat, TableId
from tests.specs.pages import Algebra, program
from tests.specs.scenario import MESSAGES, Sent, every_part
from tests.specs.second import judge
from tests.support.fleet import hashed

PAGE = program()
FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"
PARTS = {sent.name: sent for sent in every_part()}


def verdict_of_code(sent: Sent, data: bytes) -> str | None:
    try:
        sent.check_bytes(data)
    except PeerError as refused:
        return refused.slug
    return None


def verdict_of_page(sent: Sent, data: bytes) -> str | None:
    try:
        judge(sent, data)
    except PAGE.Refusal as refused:
        return str(refused.reason)
    return None


def altered(data: bytes) -> Iterator[bytes]:
    """Yield the message with one bit changed, here and there, and with its length changed."""
    step = 1 if FULL else max(1, len(data) // 40)
    for place in range(0, len(data), step):
        yield data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
    yield data[:-1]
    yield data + b"\x00"


def misplaced(sent: Sent) -> Iterator[bytes]:
    """Yield what was sent elsewhere: parts of the same kind, and parts with other counts."""
    for other in PARTS.values():
        if other is not sent:
            yield other.message


def test_the_parts_are_of_every_kind() -> None:
    assert {PAGE.decode(sent.message)[1] for sent in PARTS.values()} == set(MESSAGES.kinds)


@pytest.mark.parametrize("name", PARTS)
def test_real_parts_are_good(name: str) -> None:
    sent = PARTS[name]
    assert verdict_of_code(sent, sent.message) is None
    assert verdict_of_page(sent, sent.message) is None


@pytest.mark.parametrize("name", PARTS)
def test_altered_parts_are_refused_alike(name: str) -> None:
    sent = PARTS[name]
    for data in chain(altered(sent.message), misplaced(sent)):
        found = verdict_of_page(sent, data)
        assert found is not None
        assert found == verdict_of_code(sent, data)


@pytest.mark.parametrize("name", PARTS)
def test_fields_of_every_wrong_form_are_refused_alike(name: str) -> None:
    sent = PARTS[name]
    whole = PAGE.decode(sent.message)
    for place, value in product(range(len(whole)), (None, 0, b"", b"\x02" * 33, "x", ())):
        data = PAGE.encode((*whole[:place], value, *whole[place + 1 :]))
        if data != sent.message:
            found = verdict_of_page(sent, data)
            assert found is not None
            assert found == verdict_of_code(sent, data)


def test_secrets_follow_as_the_pages_say() -> None:
    seed = hashed("a seed")
    ours, theirs = Seed(SECP256K1, seed), PAGE.Secrets(SECP256K1.order, seed)
    assert ours.secret("label", b"context", 3) == theirs.secret("label", b"context", 3)
    assert ours.secret_bytes("salt", b"context") == theirs.secret_bytes("salt", b"context")
    witness = [1, 2, SECP256K1.order - 1]
    nonces = ours.nonce_source("proof")(b"digest", witness)
    assert nonces(7) == theirs.nonce("proof", b"digest", witness, 7)
    for size in (1, 2, 52):
        assert ours.permutation("x", b"c", size) == theirs.permutation("x", b"c", size)


def test_zero_is_drawn_again() -> None:
    group = toy_group(7)
    seed = hashed("another seed")
    ours, theirs = Seed(group, seed), PAGE.Secrets(group.order, seed)
    drawn = [ours.secret("label", b"", index) for index in range(50)]
    assert drawn == [theirs.secret("label", b"", index) for index in range(50)]
    assert 0 not in drawn


def test_points_are_hashed_as_the_pages_say() -> None:
    for item in (0, 1, 255, "queen", "Ω"):
        hashed_point = PAGE.hash_to_curve(Algebra(SECP256K1), "nodealer/1/face", item)
        assert hashed_point == SECP256K1.hash_to_point("nodealer/1/face", item)


def test_coins_fall_as_the_pages_say() -> None:
    table, values = TableId(hashed("table")), [hashed(seat) for seat in range(3)]
    result = coin(table, b"label", [Seat(0), Seat(1), Seat(2)], dict(enumerate_seats(values)))
    assert result == PAGE.coin(table, b"label", values)
    for bound in (1, 2, 3, 52, 1 << 32):
        assert draw(result, bound) == PAGE.draw(result, bound)


def enumerate_seats(values: list[bytes]) -> Iterator[tuple[Seat, bytes]]:
    for seat, value in enumerate(values):
        yield Seat(seat), value


def subsets(seats: range) -> Iterator[frozenset[Seat]]:
    for size in range(len(seats) + 1):
        for chosen in combinations(seats, size):
            yield frozenset(map(Seat, chosen))


def planned(
    plans: object, closed: Mapping[Seat, frozenset[Seat]], *rest: frozenset[Seat]
) -> object:
    try:
        made = plans(closed, *rest)  # type: ignore[operator]
    except (PAGE.Refusal, NodealerError) as refused:
        return refused.slug if isinstance(refused, LocalError) else refused.reason
    if isinstance(made, tuple):
        return made
    return made.audience, made.opens, made.guard, made.viewers


def test_plans_are_those_of_the_pages() -> None:
    everybody = range(3)
    spectator = frozenset({Seat(-1)})
    for roster, audience in product(subsets(everybody), subsets(everybody)):
        for layers, added in product(subsets(everybody), subsets(everybody)):
            for others in subsets(everybody):
                closed = {seat: frozenset({seat}) | (others & audience) for seat in layers}
                for wish in (added, added | spectator):
                    inputs = (closed, audience, wish, roster)
                    assert planned(plan, *inputs) == planned(PAGE.plan, *inputs)

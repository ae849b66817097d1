"""Every secret and nonce: what it depends on, that it is what the description says, and no more."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256, sha512
from itertools import permutations, product, repeat
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, Group, Seed, derive, toy_group, write_scalar
from nodealer.kernel import Bug, Reason, frame
from nodealer.kernel.limits import DERIVE_TRIES_MAX
from tests.crypto.tools import Q, hashed, our_mistake

SEED = bytes(range(32))
OURS = Seed(SECP256K1, SEED)

CONTEXT_ITEMS: dict[str, bytes | int | str] = {
    "table": hashed("table"),
    "height": 7,
    "parent": hashed("parent"),
    "step": b"deal/2",
    "epoch": hashed("epoch"),
    "seat": 3,
    "relation": "seal",
    "E": b"\x02" + hashed("E"),
    "slot": 41,
}


def context(**changed: bytes | int | str) -> bytes:
    return frame(*(CONTEXT_ITEMS | changed).values())


def hkdf(seed: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-512, no salt, and one block of output."""
    extracted = hmac.digest(bytes(64), seed, sha512)
    return hmac.digest(extracted, info + b"\x01", sha512)


def drawn(info: bytes, *items: bytes | int | str) -> int:
    key = hkdf(SEED, info)
    return int.from_bytes(hmac.digest(key, frame(*items), sha512), "big")


@given(st.text(max_size=20), st.binary(max_size=80), st.integers(0, 1 << 40))
def test_a_secret_is_what_the_description_says(label: str, where: bytes, index: int) -> None:
    expected = drawn(b"nodealer/1/secret", label, where, index, 0) % Q
    assert OURS.secret(label, where, index) == expected


@given(
    st.text(max_size=20),
    st.binary(min_size=32, max_size=32),
    st.lists(st.integers(0, Q - 1), max_size=4),
    st.integers(0, 1 << 40),
)
def test_a_nonce_is_what_the_description_says(
    label: str, digest: bytes, witness: list[int], index: int
) -> None:
    witness_hash = sha256(b"".join(write_scalar(value) for value in witness)).digest()
    expected = drawn(b"nodealer/1/nonce", label, digest, witness_hash, index, 0) % Q
    assert OURS.nonce_source(label)(digest, witness)(index) == expected


def test_secret_bytes_are_what_the_description_says() -> None:
    expected = hmac.digest(hkdf(SEED, b"nodealer/1/secret"), frame("salt", b"where"), sha512)[:32]
    assert OURS.secret_bytes("salt", b"where") == expected


def test_golden_values() -> None:
    """Nobody changes these: a table that is under way would lose its secrets."""
    first = OURS.nonce_source("proof")(bytes(32), [1, 2])
    assert f"{OURS.secret('deck', b'where'):064x}".startswith("3097e4b88e48e51974179576")
    assert f"{OURS.secret('deck', b'where', 1):064x}".startswith("994f62edfb27d530a0af47d8")
    assert OURS.secret_bytes("salt", b"where").hex().startswith("41d2b0be0c57b85ced525145")
    assert f"{first(0):064x}".startswith("9a9b465355dc87e66a91246a")
    assert OURS.permutation("order", b"where", 8) == [6, 7, 2, 3, 0, 5, 1, 4]


def test_the_same_seed_gives_the_same_values_again() -> None:
    again = Seed(SECP256K1, bytes(SEED))
    assert again.secret("deck", b"where", 5) == OURS.secret("deck", b"where", 5)
    assert again.permutation("order", b"where", 52) == OURS.permutation("order", b"where", 52)
    first, second = (one.nonce_source("proof")(bytes(32), [3]) for one in (again, OURS))
    assert [first(i) for i in range(9)] == [second(i) for i in range(9)]
    assert [first(i) for i in range(9)] == [second(i) for i in range(9)]


def test_every_item_of_the_context_matters() -> None:
    contexts = [context()]
    for name, item in CONTEXT_ITEMS.items():
        if isinstance(item, int):
            contexts += [context(**{name: item + 1}), context(**{name: 0})]
        elif isinstance(item, str):
            contexts += [context(**{name: item + "s"}), context(**{name: ""})]
        else:
            contexts += [context(**{name: item[:-1] + b"?"}), context(**{name: item + b"\0"})]
    seeds = [OURS, Seed(SECP256K1, bytes(32))]
    secrets = {
        one.secret(label, where, index)
        for one, label, where, index in product(seeds, ("slot", "hand"), contexts, (0, 1, 2))
    }
    assert len(secrets) == 2 * 2 * len(contexts) * 3
    orders = {
        tuple(one.permutation(label, where, 52))
        for one, label, where in product(seeds, ("shuffle/order", "restack/order"), contexts)
    }
    assert len(orders) == 2 * 2 * len(contexts)
    salts = {one.secret_bytes("salt", where) for one, where in product(seeds, contexts)}
    assert len(salts) == 2 * len(contexts)


def test_digest_witness_label_and_index_of_a_nonce_all_matter() -> None:
    digests = [hashed("digest", i) for i in range(6)] + [bytes(32), bytes(31) + b"\1"]
    witnesses = [[], [0], [0, 0], [1], [1, 2], [2, 1], [1, 2, 3], [Q - 1]]
    labels = ["proof", "blinding", "", "proof "]
    drawn_values = [
        Seed(SECP256K1, seed).nonce_source(label)(digest, witness)(index)
        for seed, label, digest, witness, index in product(
            (SEED, bytes(32)), labels, digests, witnesses, range(5)
        )
    ]
    assert len(set(drawn_values)) == len(drawn_values) == 2 * 4 * 8 * 8 * 5


def test_labels_and_contexts_do_not_run_into_each_other() -> None:
    pairs = [("a", b"bc"), ("ab", b"c"), ("abc", b""), ("", b"abc"), ("a", b"bc\0")]
    assert len({OURS.secret(label, where) for label, where in pairs}) == len(pairs)
    assert len({OURS.secret_bytes(label, where) for label, where in pairs}) == len(pairs)


def test_secrets_and_nonces_come_from_different_keys() -> None:
    secrets = {OURS.secret("proof", bytes(32), index) for index in range(50)}
    nonce = OURS.nonce_source("proof")(bytes(32), [])
    assert not secrets & {nonce(index) for index in range(50)}


@pytest.mark.parametrize("order", [7, 13, 19])
def test_no_secret_and_no_nonce_is_zero(order: int) -> None:
    """In a small group zero is drawn often; the next counter is then taken."""
    small = Seed(toy_group(order), SEED)
    nonce = small.nonce_source("proof")(bytes(32), [])
    secrets = [small.secret("deck", b"", index) for index in range(300)]
    found = Counter([*secrets, *(nonce(index) for index in range(300))])
    assert set(found) == set(range(1, order))
    for index, secret in enumerate(secrets):
        tries = (drawn(b"nodealer/1/secret", "deck", b"", index, n) % order for n in range(99))
        assert secret == next(value for value in tries if value)


class HopelessGroup(Group):
    """A group of order one, in which every scalar is zero."""

    order = 1


HopelessGroup.__abstractmethods__ = frozenset()


def test_a_loop_that_never_ends_is_a_bug() -> None:
    with pytest.raises(Bug) as caught:
        Seed(HopelessGroup(), SEED).secret("deck", b"")  # type: ignore[abstract]
    assert caught.value.reason is Reason.LOCAL_SECRET


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_has_one_length(length: int) -> None:
    with our_mistake(Reason.LOCAL_ARGUMENT):
        Seed(SECP256K1, bytes(length))


def test_a_seed_shows_nothing() -> None:
    shown = f"{OURS!r} {OURS} {vars(Seed).keys()}"
    assert repr(OURS) == str(OURS) == "<seed>"
    assert SEED.hex() not in shown
    assert not hasattr(OURS, "__dict__")


@given(st.binary(max_size=40), st.integers(0, 260))
def test_a_permutation_has_every_place_once(where: bytes, size: int) -> None:
    assert sorted(OURS.permutation("order", where, size)) == list(range(size))


def test_a_permutation_is_what_the_description_says() -> None:
    order = list(range(9))
    for last in range(8, 0, -1):
        other = drawn(b"nodealer/1/secret", "order", b"where", last, 0) % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert OURS.permutation("order", b"where", 9) == order


def test_every_permutation_of_three_is_reached() -> None:
    reached = {tuple(OURS.permutation("order", bytes([i]), 3)) for i in range(100)}
    assert reached == set(permutations(range(3)))


@pytest.mark.parametrize("group", [SECP256K1, toy_group(7)], ids=lambda group: group.name)
def test_permutations_of_four_are_uniform(group: Group, *, is_full: bool) -> None:
    """Chi-square over 24 permutations; 49.7 is exceeded once in a thousand. The seeds are fixed."""
    count = 48_000 if is_full else 4_800
    fixed = Seed(group, hashed("uniform"))
    found = Counter(
        tuple(fixed.permutation("order", number.to_bytes(4, "big"), 4)) for number in range(count)
    )
    expected = count / 24
    chi_square: float = sum(
        (found[order] - expected) ** 2 / expected for order in permutations(range(4), 4)
    )
    assert len(found) == 24
    assert chi_square < 49.7


def test_each_place_of_a_large_deck_gets_each_card_about_as_often() -> None:
    found = Counter(
        place_and_card
        for number in range(520)
        for place_and_card in enumerate(OURS.permutation("order", number.to_bytes(4, "big"), 52))
    )
    chi_square = sum(
        (found[place, card] - 10) ** 2 / 10 for place, card in product(range(52), range(52))
    )
    assert abs(chi_square - 51 * 51) < 5 * (2 * 51 * 51) ** 0.5


def answering(monkeypatch: pytest.MonkeyPatch, answers: Iterator[int]) -> list[bytes]:
    """Let the hash return these numbers; return the list of what will have been hashed."""
    asked: list[bytes] = []

    def digest(_key: bytes, message: bytes, _name: str) -> bytes:
        asked.append(message)
        return next(answers).to_bytes(64, "big")

    monkeypatch.setattr(derive, "hmac", SimpleNamespace(digest=digest))
    return asked


def test_values_of_the_incomplete_last_round_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of 512 bits do not divide evenly into three: the last one starts no full round."""
    limit = (1 << 512) // 3 * 3
    assert limit == (1 << 512) - 1
    asked = answering(monkeypatch, iter([limit, limit, 1, 1]))
    assert OURS.permutation("order", b"", 3) == [0, 2, 1]
    places = [(2, 0), (2, 1), (2, 2), (1, 0)]
    assert asked == [frame("order", b"", last, tries) for last, tries in places]


def test_rejection_that_never_ends_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, repeat((1 << 512) - 1))
    with pytest.raises(Bug) as caught:
        OURS.permutation("order", b"", 3)
    assert caught.value.reason is Reason.LOCAL_SECRET
    assert len(asked) == len(set(asked)) == DERIVE_TRIES_MAX

"""Attacks on keys: one key for many cards, one key for many purposes, keys made from others' keys.

*A key that closes many cards, opened by its scalar.* One played card then opens all the others.

*One key for the deck and for sealing.* Whatever slips of the one opens all that was ever sealed, in
retrospect. The same goes for sharing a key for recovery: what may be rebuilt by some may be read by
them, so no key here may stand for more than its own purpose.

*Rogue keys.* Who speaks last would take a key of its own minus the sum of the others', and alone
know the secret of the joint key; or copy a key; or play against itself with a cloned home
directory.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.crypto import Point, ProofTranscript, prove, relations
from nodealer.deck import (
    PUBLIC,
    Deck,
    KeyPart,
    LayerKind,
    OpenKey,
    OpenShare,
    ReleasePart,
    Vetted,
    announce,
    check_deck_key,
    check_releases,
    check_reveal,
    check_sealing_key,
    distinct_keys,
    make_deck_key,
    make_releases,
    make_reveal,
    make_sealing_key,
    take_deck_keys,
)
from nodealer.kernel import EpochId, Reason, Seat, TableId
from tests.attacks.tools import (
    GROUP,
    SEAT_0,
    SEAT_1,
    SEAT_2,
    SIX,
    G,
    attacker_nonces,
    forbidden,
    held,
    inverse,
    moment,
    opened_scalars,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, WatchedKeyring, fleet, identity_of, mixed


def busy_table() -> Fleet:
    """Return a table after deals, peeks, transfers, restacks and reveals."""
    table = mixed(3, SIX)
    slots = [*table.deal(SEAT_0, 3), *table.deal(SEAT_1, 1)]
    table.grant([(slots[0], (SEAT_2,)), (slots[3], (SEAT_0,))])
    table.transfer(SEAT_0, slots[1:3], SEAT_1)
    table.reveal(SEAT_1, held(table, SEAT_1)[-1])
    table.reveal(SEAT_2, slots[0])
    return table


def layers_ever(table: Fleet) -> dict[Point, set[tuple[int, int]]]:
    """Return for each layer key that ever was the slots that it closed, and whose it is."""
    found: dict[Point, set[tuple[int, int]]] = {}
    for deck in [*(deck for deck, *_ in table.sent), table.deck]:
        for number, slot in deck.slots.items():
            for seat, layer in slot.layers.items():
                found.setdefault(layer.key, set()).add((number, seat))
    return found


def test_an_opened_scalar_opens_one_layer_of_one_slot() -> None:
    table = mixed(3, SIX)
    slots = table.deal(SEAT_0, 4)
    table.restack(SEAT_0)
    table.transfer(SEAT_0, held(table, SEAT_0)[:2], SEAT_1)
    table.reveal(SEAT_0, held(table, SEAT_0)[0])
    table.reveal(SEAT_1, held(table, SEAT_1)[0])
    assert len(slots) == 4
    closed = layers_ever(table)
    opened = opened_scalars(part for *_, part in table.sent)
    assert opened
    assert all(len(closed.get(secret * G, ())) == 1 for secret in opened)


def transferred() -> Fleet:
    """Return a table where seat 1 holds two cards under its sealing key."""
    table = mixed(3, SIX)
    table.transfer(SEAT_0, table.deal(SEAT_0, 2), SEAT_1)
    return table


def test_a_card_under_a_seats_key_is_never_opened_by_the_scalar() -> None:
    table = transferred()
    number = held(table, SEAT_1)[0]
    part = make_reveal(table.deck, table.rings[SEAT_1], moment(table), number)
    assert isinstance(part, OpenShare)


def test_the_scalar_of_a_seats_key_is_not_even_accepted() -> None:
    table = transferred()
    number = held(table, SEAT_1)[0]
    secret = table.rings[SEAT_1].sealing_secret(table.deck.terms)
    assert table.deck.slots[number].layers[SEAT_1].kind is LayerKind.SEAT
    with refused(Reason.DECK_RELEASE_FORM):
        check_reveal(table.deck, moment(table), SEAT_1, number, OpenKey(secret))


def test_one_opened_share_does_not_open_the_next_card() -> None:
    table = transferred()
    one, two = held(table, SEAT_1)
    deck = table.deck
    part = make_reveal(deck, table.rings[SEAT_1], moment(table), one)
    assert isinstance(part, OpenShare)
    left = deck.slots[two].N - part.S
    assert left.encode() not in deck.faces.names


def every_secret(table: Fleet) -> list[int]:
    """Return x, y and all layer secrets of all seats."""
    deck = table.deck
    found = []
    for seat, ring in table.rings.items():
        found += [ring.sealing_secret(deck.terms), ring.deck_secret(deck.table, deck.epoch)]
        found += [
            ring.layer_secret(slot.layers[seat])
            for slot in deck.slots.values()
            if seat in slot.layers
        ]
    return found


def test_every_key_is_another() -> None:
    table = mixed(3, SIX)
    secrets = every_secret(table)
    assert len(set(secrets)) == len(secrets)
    keys = {*table.deck.deck_keys.values(), *table.deck.sealing_keys.values()}
    assert len(keys) == 6
    assert not keys & layers_ever(table).keys()


def test_nothing_that_is_opened_is_a_lasting_key() -> None:
    table = busy_table()
    lasting = {*table.deck.deck_keys.values(), *table.deck.sealing_keys.values()}
    opened = opened_scalars(part for *_, part in table.sent)
    assert opened
    assert not lasting & {secret * G for secret in opened}
    # Nor a sum, difference or quotient of two of them.
    for a in opened:
        for b in opened:
            assert not lasting & {(a + b) * G, (a - b) * G, (a * inverse(b)) * G}


def test_the_deck_key_does_not_unseal() -> None:
    table = mixed(3, SIX)
    (number,) = table.deal(SEAT_0, 1)
    table.grant([(number, (SEAT_1,))])
    deck = table.deck
    sealed = deck.slots[number].layers[SEAT_0].sealed[SEAT_1]
    leaked = table.rings[SEAT_1].deck_secret(deck.table, deck.epoch)
    left = deck.slots[number].N - (sealed.V - leaked * sealed.U)
    assert left.encode() not in deck.faces.names


def test_a_seal_needs_the_viewers_key() -> None:
    table = mixed(3, SIX)
    (number,) = table.deal(SEAT_0, 1)
    table.grant([(number, (SEAT_1,))])
    deck, slot = table.deck, table.deck.slots[number]
    sealed = slot.layers[SEAT_0].sealed[SEAT_1]
    readers = {
        seat
        for seat, ring in table.rings.items()
        if (slot.N - sealed.V + ring.sealing_secret(deck.terms) * sealed.U).encode()
        in deck.faces.names
    }
    assert readers == {SEAT_1}


def proven_key(deck: Deck, seat: Seat, X: Point, secret: int) -> KeyPart:
    """Return a key with the best proof that somebody with this secret can make for this seat."""
    context = moment(deck).context(deck.epoch, seat, "key")
    statement = relations.key(GROUP, X)
    return KeyPart(
        X, prove(GROUP, ProofTranscript(GROUP, context), statement, [secret], attacker_nonces())
    )


def test_a_key_made_from_the_keys_of_the_others_is_refused() -> None:
    table = fleet(3, SIX)
    deck, at = table.deck, moment(table)
    others = [make_deck_key(deck, table.rings[seat], at).X for seat in (SEAT_0, SEAT_1)]
    (wanted,) = scalars(count=1)
    rogue = wanted * G - GROUP.total(others)
    with refused(Reason.PROOF_KEY):
        check_deck_key(deck, at, SEAT_2, proven_key(deck, SEAT_2, rogue, wanted))


def test_a_copied_key_is_refused() -> None:
    table = fleet(3, SIX)
    deck, at = table.deck, moment(table)
    part = make_deck_key(deck, table.rings[SEAT_0], at)
    with refused(Reason.PROOF_KEY):
        check_deck_key(deck, at, SEAT_1, part)


def test_a_copied_sealing_key_is_refused() -> None:
    table = fleet(2, SIX)
    terms = table.deck.terms
    part = make_sealing_key(table.rings[SEAT_0], terms, identity_of(SEAT_0))
    for seat, identity in ((SEAT_1, identity_of(SEAT_0)), (SEAT_0, identity_of(SEAT_1))):
        with refused(Reason.PROOF_KEY):
            check_sealing_key(GROUP, terms, seat, identity, part)
    with refused(Reason.PROOF_KEY):
        check_sealing_key(GROUP, bytes(32), SEAT_0, identity_of(SEAT_0), part)


class Copying(WatchedKeyring):
    """The keyring of a seat that takes the deck key of another for its own."""

    def __init__(self, own: WatchedKeyring, other: WatchedKeyring) -> None:
        super().__init__(own.group, own.seat, b"\x01" * 32)
        self._other = other

    def deck_secret(self, table: TableId, epoch: EpochId) -> int:
        return self._other.deck_secret(table, epoch)


@pytest.mark.parametrize("sign", [1, -1], ids=["equal", "opposite"])
def test_two_seats_that_share_a_deck_key_stop_and_learn_nothing(sign: int) -> None:
    table = fleet(3, SIX)
    table.rings[SEAT_1] = Copying(table.rings[SEAT_1], table.rings[SEAT_0])
    if sign < 0:
        table.rings[SEAT_1] = Negating(table.rings[SEAT_1], table.rings[SEAT_0])
    table.keys()
    keys = table.deck.deck_keys
    assert keys[SEAT_1] == (keys[SEAT_0] if sign > 0 else GROUP.identity - keys[SEAT_0])
    table.mix()
    (number,) = table.deal(SEAT_2, 1)
    slot = table.deck.slots[number]
    pair = [table.rings[seat] for seat in (SEAT_0, SEAT_1)]
    # Whatever is done with the shared secret: the layer of the third seat stays closed.
    assert set(slot.layers) == {SEAT_2}
    secrets = [ring.deck_secret(table.deck.table, table.deck.epoch) for ring in pair]
    assert all((slot.N - k * slot.E).encode() not in table.deck.faces.names for k in secrets)


class Negating(Copying):
    """The keyring of a seat whose deck key takes another's away from the sum."""

    def deck_secret(self, table: TableId, epoch: EpochId) -> int:
        return GROUP.order - super().deck_secret(table, epoch)


def test_two_seats_with_one_sealing_key_are_refused() -> None:
    key = fleet(2, SIX).deck.sealing_keys[SEAT_0]
    with refused(Reason.DECK_SAME_KEY):
        distinct_keys({SEAT_0: key, SEAT_1: key})


def test_keys_that_cancel_out_are_refused() -> None:
    table = fleet(2, SIX)
    deck, at = table.deck, moment(table)
    secret = table.rings[SEAT_0].deck_secret(deck.table, deck.epoch)
    parts = [
        check_deck_key(deck, at, seat, proven_key(deck, seat, k * G, k))
        for seat, k in ((SEAT_0, secret), (SEAT_1, GROUP.order - secret))
    ]
    with refused(Reason.DECK_DEGENERATE):
        take_deck_keys(deck, parts)


def test_a_step_needs_the_part_of_every_seat_and_of_no_other() -> None:
    table = fleet(3, SIX)
    deck, at = table.deck, moment(table)
    parts = [
        check_deck_key(deck, at, seat, make_deck_key(deck, ring, at))
        for seat, ring in table.rings.items()
    ]
    with forbidden(Reason.DECK_MISSING):
        take_deck_keys(deck, parts[:2])
    with forbidden(Reason.DECK_SEAT):
        take_deck_keys(deck, [*parts, parts[0]])
    with forbidden(Reason.DECK_SEAT):
        take_deck_keys(deck, [*parts, Vetted(Seat(3), parts[0].part, deck, parts[0].at)])
    with forbidden(Reason.LOCAL_STALE):
        take_deck_keys(replace(deck), parts)


def test_a_seed_that_does_not_own_a_layer_makes_nothing_of_it() -> None:
    table = mixed(2, SIX)
    stranger = fleet(2, SIX, salt="other table").rings[SEAT_0]
    (number,) = table.deal(SEAT_0, 1)
    with forbidden(Reason.LOCAL_SECRET):
        make_reveal(table.deck, stranger, moment(table), number)


def test_releases_of_a_seats_layer_are_shares_and_checked() -> None:
    table = transferred()
    number = held(table, SEAT_1)[0]
    deck = announce(table.deck, [(number, (PUBLIC,))])
    part = make_releases(deck, table.rings[SEAT_1], moment(table))
    (item,) = part.items
    assert isinstance(item, OpenShare)
    wrong = ReleasePart((replace(item, S=item.S + G),))
    with refused(Reason.PROOF_SHARE):
        check_releases(deck, moment(table), SEAT_1, wrong)

"""Attacks on decisions that several seats take at once, and on the order of restack and choice.

*Copying.* Who commits last copies the commitment of another, later copies its opening as well, and
with that mirrors a choice or cancels a coin. Commitments are bound to the seat, the label and the
table.

*Grinding.* Whoever moves last must not choose among results: a commitment fits one value only, the
coin is a hash of the openings alone, and nothing in it depends on the history, which the last to
sign could vary.

*Guessing.* A choice has few possible values; without a secret salt everybody tries them all. The
salt depends on the value, so that a seat that changed its mind after a restart does not show that
it did.

*Choosing before the restack.* If the thief's position is known before the victim restacks, the
victim puts a card of its choice there. A position names a slot, and slots do not survive a restack.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from nodealer.cards import hand
from nodealer.crypto import commit
from nodealer.deck import (
    CommitPart,
    Keyring,
    OpenPart,
    announce,
    check_open,
    check_restack,
    check_transfer,
    coin,
    coin_value,
    draw,
    make_commit,
    make_open,
    make_restack,
    make_transfer,
    take_restacks,
)
from nodealer.kernel import LocalError, Reason, Seat, TableId
from tests.attacks.tools import (
    SEAT_0,
    SEAT_1,
    SEAT_2,
    SIX,
    forbidden,
    held,
    moment,
    refused,
)
from tests.support.fleet import Fleet, fleet, hashed, mixed

TABLE = TableId(hashed("table"))
LABEL = b"who begins"
RINGS = fleet(3, SIX).rings
CHOICES = [bytes([value]) for value in range(10)]


def test_a_copied_commitment_cannot_be_opened_by_the_copier() -> None:
    committed = make_commit(RINGS[SEAT_0], TABLE, LABEL, b"7")
    opened = make_open(RINGS[SEAT_0], TABLE, LABEL, b"7")
    assert check_open(TABLE, LABEL, SEAT_0, committed, opened) == b"7"
    with refused(Reason.COMMIT_MISMATCH):
        check_open(TABLE, LABEL, SEAT_1, committed, opened)


@pytest.mark.parametrize(
    ("table", "label"), [(TableId(hashed("other")), LABEL), (TABLE, b"who ends")]
)
def test_a_commitment_serves_at_one_table_for_one_purpose(table: TableId, label: bytes) -> None:
    committed = make_commit(RINGS[SEAT_0], TABLE, LABEL, b"7")
    opened = make_open(RINGS[SEAT_0], TABLE, LABEL, b"7")
    with refused(Reason.COMMIT_MISMATCH):
        check_open(table, label, SEAT_0, committed, opened)


def test_a_commitment_fits_one_value_only() -> None:
    committed = make_commit(RINGS[SEAT_0], TABLE, LABEL, CHOICES[0])
    for value in CHOICES[1:]:
        salts = (make_open(RINGS[SEAT_0], TABLE, LABEL, v).salt for v in (value, CHOICES[0]))
        for salt in salts:
            with refused(Reason.COMMIT_MISMATCH):
                check_open(TABLE, LABEL, SEAT_0, committed, OpenPart(value, salt))


def test_what_was_committed_cannot_move_into_the_salt() -> None:
    committed = make_commit(RINGS[SEAT_0], TABLE, LABEL, b"77")
    salt = make_open(RINGS[SEAT_0], TABLE, LABEL, b"77").salt
    for opened in (OpenPart(b"7", b"7" + salt), OpenPart(b"77" + salt[:1], salt[1:])):
        with refused(Reason.COMMIT_LENGTH):
            check_open(TABLE, LABEL, SEAT_0, committed, opened)
    with refused(Reason.COMMIT_OVERSIZED):
        check_open(TABLE, LABEL, SEAT_0, committed, OpenPart(bytes(1025), salt))
    with refused(Reason.COMMIT_LENGTH):
        check_open(TABLE, LABEL, SEAT_0, CommitPart(b""), OpenPart(b"77", salt))


def test_a_choice_among_few_cannot_be_guessed_from_its_commitment() -> None:
    committed = make_commit(RINGS[SEAT_0], TABLE, LABEL, CHOICES[4])
    other_seats = [
        make_open(RINGS[s], TABLE, LABEL, v).salt for s in (SEAT_1, SEAT_2) for v in CHOICES
    ]
    # A seat's label and number are public; its seed is what nobody has.
    imitated = Keyring(RINGS[SEAT_0].group, SEAT_0, bytes(32))
    imitations = [make_open(imitated, TABLE, LABEL, value).salt for value in CHOICES]
    other_label = [make_open(RINGS[SEAT_0], TABLE, b"opened before", v).salt for v in CHOICES]
    for salt in [bytes(32), TABLE, *other_seats, *imitations, *other_label]:
        for value in CHOICES:
            assert commit(TABLE, LABEL, SEAT_0, value, salt) != committed.commitment


def test_another_choice_has_another_salt() -> None:
    salts = {make_open(RINGS[SEAT_0], TABLE, LABEL, value).salt for value in CHOICES}
    assert len(salts) == len(CHOICES)


def test_a_coin_is_tossed_anew_for_every_label_table_and_seat() -> None:
    values = {
        coin_value(ring, table, label)
        for ring in RINGS.values()
        for table in (TABLE, TableId(hashed("other")))
        for label in (LABEL, b"again")
    }
    assert len(values) == 12


def tossed() -> dict[Seat, bytes]:
    return {seat: coin_value(ring, TABLE, LABEL) for seat, ring in RINGS.items()}


def test_every_seat_decides_a_coin() -> None:
    values = tossed()
    result = coin(TABLE, LABEL, RINGS, values)
    for seat in RINGS:
        changed = {**values, seat: bytes(32)}
        assert coin(TABLE, LABEL, RINGS, changed) != result


def test_repeating_what_another_opened_does_not_cancel_it() -> None:
    # With exclusive or, seat 2 repeating seat 1 would leave the result to seat 0.
    values = tossed()
    results = {
        coin(TABLE, LABEL, RINGS, {SEAT_0: values[SEAT_0], SEAT_1: other, SEAT_2: other})
        for other in (values[SEAT_1], values[SEAT_2], bytes(32))
    }
    assert len(results) == 3


def test_a_coin_depends_on_the_openings_alone() -> None:
    values = tossed()
    orders = [dict(order) for order in permutations(values.items())]
    assert len({coin(TABLE, LABEL, reversed([*RINGS]), order) for order in orders}) == 1
    # Who gives what counts: two seats that swap their values change the result.
    swapped = {**values, SEAT_0: values[SEAT_1], SEAT_1: values[SEAT_0]}
    assert coin(TABLE, LABEL, RINGS, swapped) != coin(TABLE, LABEL, RINGS, values)
    assert coin(TABLE, b"again", RINGS, values) != coin(TABLE, LABEL, RINGS, values)


def test_a_coin_waits_for_every_seat() -> None:
    values = tossed()
    for seat in RINGS:
        with forbidden(Reason.COMMIT_MISSING):
            coin(TABLE, LABEL, RINGS, {s: v for s, v in values.items() if s != seat})
    with forbidden(Reason.COMMIT_LENGTH):
        coin(TABLE, LABEL, RINGS, {**values, SEAT_1: bytes(33)})


def test_a_drawn_number_is_fair() -> None:
    counts = [0] * 6
    for index in range(1200):
        counts[draw(hashed(index), 6)] += 1
    # The chance of a larger sum of squares is one in a million; these draws never change.
    assert sum((count - 200) ** 2 / 200 for count in counts) < 36
    for bound in (0, -1, (1 << 32) + 1):
        with pytest.raises(LocalError):
            draw(bytes(32), bound)


def test_a_position_named_before_a_restack_names_nothing_after_it() -> None:
    table = mixed(3, SIX)
    table.deal(SEAT_0, 3)
    chosen = held(table, SEAT_0)[1]
    early = make_transfer(table.deck, table.rings[SEAT_0], moment(table), [chosen], SEAT_1)
    table.restack(SEAT_0)
    assert chosen not in held(table, SEAT_0)
    with refused(Reason.DECK_SLOT_RETIRED):
        check_transfer(table.deck, moment(table), SEAT_0, [chosen], SEAT_1, early)
    with forbidden(Reason.DECK_SLOT_RETIRED):
        announce(table.deck, [(chosen, (SEAT_1,))])


def test_a_restack_over_an_older_hand_is_not_taken_in() -> None:
    table = mixed(3, SIX)
    table.deal(SEAT_0, 3)
    deck, at = table.deck, moment(table)
    part = make_restack(deck, table.rings[SEAT_0], at, hand(SEAT_0))
    vetted = check_restack(deck, at, SEAT_0, hand(SEAT_0), part)
    table.deal(SEAT_0, 1)
    with forbidden(Reason.LOCAL_STALE):
        take_restacks(table.deck, [vetted])


def test_a_restack_hides_from_former_viewers_which_card_is_which() -> None:
    table = mixed(3, SIX)
    table.deal(SEAT_0, 4)
    before = {number: table.deck.slots[number] for number in held(table, SEAT_0)}
    table.grant([(number, (SEAT_1,)) for number in before])
    table.restack(SEAT_0)
    after = [table.deck.slots[number] for number in held(table, SEAT_0)]
    assert all(slot.audience == {SEAT_0} for slot in after)
    y = table.rings[SEAT_1].sealing_secret(table.deck.terms)
    for _, _, _, part in table.sent:
        for release in getattr(part, "items", ()):
            for V in getattr(release, "Vs", ()):
                share = V - y * release.U
                assert all((s.N - share).encode() not in table.deck.faces.names for s in after)


def test_a_restack_leaves_nothing_to_follow() -> None:
    table = mixed(3, SIX)
    table.deal(SEAT_0, 6)
    before = [table.deck.slots[number] for number in held(table, SEAT_0)]
    order = table.faces(SEAT_0, held(table, SEAT_0))
    table.restack(SEAT_0)
    after = [table.deck.slots[number] for number in held(table, SEAT_0)]
    assert sorted(order) == sorted(table.faces(SEAT_0, held(table, SEAT_0)))
    assert order != table.faces(SEAT_0, held(table, SEAT_0))
    for column in ("id", "E", "N"):
        old, new = ({getattr(slot, column) for slot in slots} for slots in (before, after))
        assert not old & new


def reshuffle(table: Fleet) -> None:
    table.gather(held(table, SEAT_0))
    table.mix()


def test_slot_numbers_are_never_used_again() -> None:
    table = mixed(2, SIX)
    seen = set(table.deck.slots)
    table.deal(SEAT_0, 3)
    changes: list[Callable[[], None]] = [
        lambda: table.restack(SEAT_0),
        lambda: table.transfer(SEAT_0, held(table, SEAT_0)[:1], SEAT_1),
        lambda: reshuffle(table),
    ]
    for change in changes:
        before = set(table.deck.slots)
        change()
        made = set(table.deck.slots) - before
        assert made
        assert not made & seen
        seen |= made

"""The parts of joint steps: what is good, and every way in which a part can be another's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from nodealer.deck import KeyPart, MaskPart, OpenPart, ReleasePart, ShufflePart, deck_messages
from nodealer.kernel import EntryId, Height, PeerError, Reason, Seat, TableId, encode
from nodealer.ledger import Closed, Due, Given, Moment
from tests.support.circle import hashed
from tests.support.rehearsal import Rehearsal
from tests.table.points import DUE, after_redeal, at

PARTS = {
    "keys": ("keys", "commit"),
    "shuffle": ("shuffle",),
    "mask": ("mask", "open"),
    "deal": ("release",),
    "draw": ("release",),
    "commit": ("commit",),
    "open": ("open",),
    "close": (),
}
"""The kinds of parts of every step."""

CASES = [(point, index) for point in DUE for index in range(len(PARTS[point]))]

PROOFS = {
    "keys": Reason.PROOF_KEY,
    "shuffle": Reason.PROOF_SHUFFLE,
    "mask": Reason.PROOF_MASK,
    "open": Reason.COMMIT_MISMATCH,
    "release": Reason.DECK_WRONG_KEY,
}
"""What is found wrong with a part that was made somewhere else."""


def owing(table: Rehearsal) -> Seat:
    """Return the seat whose contribution is looked at: the first that owes one."""
    return table.owing()[0]


def changed(given: Given, index: int, data: bytes) -> Given:
    """Return a contribution with another payload."""
    payloads = [
        (label, data if place == index else old)
        for place, (label, old) in enumerate(given.payloads)
    ]
    return Given(given.seat, tuple(payloads))


def found(table: Rehearsal, given: Given, moment: Moment | None = None) -> Reason | None:
    """Return what the check says of the contribution of a seat on which nobody else builds."""
    try:
        table.state.check(moment or table.moment, given.seat, given.payloads, ())
    except PeerError as refused:
        return refused.reason
    return None


@pytest.mark.parametrize("point", DUE)
def test_a_step_is_due_with_these_parts(point: str) -> None:
    table = at(point)
    assert isinstance(table.duty, Due)
    if point == "close":
        (close,) = table.owed
        assert (close.kind, close.seats) == ("close", ())
        return
    assert tuple(part.kind for part in table.owed) == PARTS[point]
    for part in table.owed:
        assert part.binding == (part.kind == "commit")
        assert part.chained == (part.kind == "shuffle")
        assert part.purpose == {"commit": "first", "open": "first"}.get(part.kind, "") or (
            part.purpose == "toss"
        )


@pytest.mark.parametrize("point", DUE)
def test_what_honest_seats_make_is_good(point: str) -> None:
    table = at(point)
    table.settle()


@pytest.mark.parametrize("point", DUE)
def test_the_same_seat_makes_the_same_bytes_again(point: str) -> None:
    one, other = at(point), at(point)
    assert one.contributions() == other.contributions()


def test_who_owes_releases_is_whom_the_planner_names() -> None:
    table = at("draw")
    (drawer,) = set(table.position.roster) - set(table.owing())
    hidden = [card.face for card in table.view(drawer).zone("hand", drawer)]
    table.settle()
    shown = [card.face for card in table.view(drawer).zone("hand", drawer)]
    assert (hidden.count(None), shown.count(None)) == (1, 0)


@pytest.mark.parametrize(("point", "index"), CASES)
def test_a_part_of_another_seat_is_refused(point: str, index: int) -> None:
    table, kind = at(point), PARTS[point][index]
    seat, other = table.owing()[0], table.owing()[1]
    if table.is_chained():
        earlier = (table.given(seat),)
        foreign = Given(other, earlier[0].payloads)
        with pytest.raises(PeerError) as refused:
            table.state.check(table.moment, other, foreign.payloads, earlier)
        assert refused.value.reason is Reason.PROOF_SHUFFLE
        return
    copied = changed(table.given(seat), index, table.given(other).payloads[index][1])
    # A copied commitment is found out when it has to be opened: it names the seat.
    assert found(table, copied) is PROOFS.get(kind)


def test_a_copied_commitment_cannot_be_opened() -> None:
    table = at("commit")
    given = [table.given(seat) for seat in table.owing()]
    given[1] = Given(given[1].seat, given[0].payloads)
    table.state = table.state.settle(table.moment, given)
    opened = table.given(Seat(0))
    assert found(table, opened) is None
    mirrored = Given(Seat(1), opened.payloads)
    assert found(table, mirrored) is Reason.COMMIT_MISMATCH
    assert found(table, table.given(Seat(1))) is Reason.COMMIT_MISMATCH


@pytest.mark.parametrize(("point", "index"), CASES)
def test_a_part_of_another_table_is_refused(point: str, index: int) -> None:
    table, elsewhere, kind = at(point), at(point, "another table"), PARTS[point][index]
    seat = owing(table)
    if seat not in elsewhere.owing():
        seat = next(s for s in table.owing() if s in elsewhere.owing())
    copied = changed(table.given(seat), index, elsewhere.given(seat).payloads[index][1])
    assert found(table, copied) in {PROOFS.get(kind), Reason.DECK_NOT_OWED}


MOVED: dict[str, Callable[[Moment], Moment]] = {
    "table": lambda moment: replace(moment, table=TableId(hashed("table"))),
    "height": lambda moment: replace(moment, height=Height(moment.height + 1)),
    "parent": lambda moment: replace(moment, parent=EntryId(hashed("parent"))),
}

BOUND = {"keys": Reason.PROOF_KEY, "shuffle": Reason.PROOF_SHUFFLE, "mask": Reason.PROOF_MASK}


@pytest.mark.parametrize("where", ["height", "parent"])
@pytest.mark.parametrize("point", ["keys", "shuffle", "mask"])
def test_a_proof_of_another_place_is_refused(point: str, where: str) -> None:
    table = at(point)
    given = table.given(owing(table))
    assert found(table, given, MOVED[where](table.moment)) is BOUND[point]


@pytest.mark.parametrize("point", ["keys", "shuffle", "mask", "open"])
def test_a_proof_under_another_label_is_refused(point: str) -> None:
    table = at(point)
    given = table.given(owing(table))
    (label, data), *rest = given.payloads
    moved = Given(given.seat, ((label + b"x", data), *rest))
    # The label of an opening is that of its commitment, whatever label it is sent under.
    assert found(table, moved) is BOUND.get(point)


@pytest.mark.parametrize("point", ["keys", "shuffle", "mask", "deal"])
def test_a_part_of_an_earlier_epoch_is_refused(point: str) -> None:
    before, now = at(point), after_redeal(point)
    seat = next(seat for seat in now.owing() if seat in before.owing())
    old = before.given(seat).payloads[0][1]
    kind = PARTS[point][0]
    refused = found(now, changed(now.given(seat), 0, old))
    assert refused in {PROOFS[kind], Reason.DECK_COUNT, Reason.DECK_NOT_OWED, Reason.PROOF_LENGTH}


def every_payload() -> Iterator[tuple[str, bytes]]:
    """Yield one honest payload of each kind."""
    for point in DUE:
        table = at(point)
        for index, kind in enumerate(PARTS[point]):
            yield kind, table.given(owing(table)).payloads[index][1]


OF_EVERY_KIND = dict(every_payload())


@pytest.mark.parametrize("other", OF_EVERY_KIND)
@pytest.mark.parametrize(("point", "index"), CASES)
def test_a_part_of_another_kind_is_refused(point: str, index: int, other: str) -> None:
    table, kind = at(point), PARTS[point][index]
    if other == kind:
        return
    wrong = changed(table.given(owing(table)), index, OF_EVERY_KIND[other])
    assert found(table, wrong) is Reason.ENCODING_KIND


@pytest.mark.parametrize(("point", "index"), CASES)
def test_bytes_that_are_no_part_are_refused(point: str, index: int) -> None:
    table = at(point)
    given = table.given(owing(table))
    data = given.payloads[index][1]
    for junk in (b"", b"\xff", data[:-1], data + b"\0", encode(None), encode((2, "deck/key"))):
        refused = found(table, changed(given, index, junk))
        assert refused is not None
        assert refused.slug.startswith("encoding/")


def test_a_whole_contribution_is_judged_part_by_part() -> None:
    """The first part that is wrong, in the order in which they are owed, gives the reason."""
    table = at("keys")
    given = table.given(owing(table))
    wrong = changed(changed(given, 1, b""), 0, OF_EVERY_KIND["mask"])
    assert found(table, wrong) is Reason.ENCODING_KIND
    assert found(table, changed(given, 1, b"")) is Reason.ENCODING_TRUNCATED


def test_a_shuffle_out_of_turn_is_refused() -> None:
    table = at("shuffle")
    first = table.given(Seat(0))
    for seat, earlier in ((Seat(1), ()), (Seat(2), (first,)), (Seat(0), (first,))):
        with pytest.raises(PeerError) as refused:
            table.state.check(table.moment, seat, first.payloads, earlier)
        assert refused.value.reason is Reason.DECK_SEAT


def test_a_shuffle_is_bound_to_the_very_one_before_it() -> None:
    table, other = at("shuffle"), at("shuffle")
    first = table.given(Seat(0))
    other.moment = MOVED["height"](table.moment)
    another = other.given(Seat(0))
    second = table.given(Seat(1), [first])
    table.state.check(table.moment, Seat(1), second.payloads, [first])
    with pytest.raises(PeerError):
        table.state.check(other.moment, Seat(1), second.payloads, [another])


def test_releases_are_those_that_are_owed() -> None:
    table = at("deal")
    given, messages = table.given(owing(table)), deck_messages(table.setting.group)
    part = messages.read(given.payloads[0][1], ReleasePart)
    for items in (part.items[:-1], (*part.items, part.items[0])):
        data = messages.write(ReleasePart(items))
        assert found(table, changed(given, 0, data)) is Reason.DECK_NOT_OWED
    swapped = messages.write(ReleasePart((part.items[1], part.items[0], *part.items[2:])))
    assert found(table, changed(given, 0, swapped)) is Reason.DECK_WRONG_KEY


def test_parts_with_one_piece_altered_are_refused() -> None:
    messages = deck_messages(at("keys").setting.group)
    key = messages.read(OF_EVERY_KIND["keys"], KeyPart)
    shuffle = messages.read(OF_EVERY_KIND["shuffle"], ShufflePart)
    mask = messages.read(OF_EVERY_KIND["mask"], MaskPart)
    opened = messages.read(OF_EVERY_KIND["open"], OpenPart)
    swapped = (shuffle.cards[1], shuffle.cards[0], *shuffle.cards[2:])
    altered: list[tuple[str, object, Reason]] = [
        ("keys", replace(key, X=key.X + key.X), Reason.PROOF_KEY),
        ("shuffle", replace(shuffle, cards=swapped), Reason.PROOF_SHUFFLE),
        ("shuffle", replace(shuffle, cards=shuffle.cards[:-1]), Reason.DECK_COUNT),
        ("mask", replace(mask, keys=(mask.keys[1], *mask.keys[1:])), Reason.PROOF_MASK),
        ("mask", replace(mask, keys=mask.keys[:-1]), Reason.DECK_COUNT),
        ("open", replace(opened, value=bytes(32)), Reason.COMMIT_MISMATCH),
        ("open", replace(opened, value=bytes(31)), Reason.COMMIT_LENGTH),
        ("open", replace(opened, salt=bytes(32)), Reason.COMMIT_MISMATCH),
    ]
    for point, part, reason in altered:
        table = at(point)
        given = table.given(owing(table))
        assert found(table, changed(given, 0, messages.write(part))) is reason, (point, reason)


def test_who_owes_nothing_contributes_nothing() -> None:
    table = at("draw")
    (drawer,) = set(table.position.roster) - set(table.owing())
    assert table.given(drawer).payloads == ()
    assert found(table, Given(drawer, ())) is None  # the ledger asks for it from nobody


def test_keys_of_all_seats_that_add_up_to_nothing_end_the_table_without_culprit() -> None:
    table = at("keys")
    keyrings = [table.players[seat].keyring for seat in table.owing()]
    group = table.setting.group

    def cancelled(table_id: TableId, epoch: object) -> int:
        others = [type(one).deck_secret(one, table_id, epoch) for one in keyrings[:2]]  # type: ignore[arg-type]
        return -sum(others) % group.order

    class Cancelling(type(keyrings[2])):  # type: ignore[misc]
        deck_secret = staticmethod(cancelled)

    last = table.players[Seat(2)]
    keyring = Cancelling(group, Seat(2), hashed("seed", "points", Seat(2)))
    table.players = {**table.players, Seat(2): type(last)(keyring, last.signer)}
    made = table.contributions()
    with pytest.raises(PeerError) as refused:
        table.state.settle(table.moment, made)
    assert refused.value.reason is Reason.DECK_DEGENERATE


@pytest.mark.parametrize("sign", [1, -1])
def test_two_seats_with_one_deck_key_play_on(sign: int) -> None:
    table = at("keys")
    group, one = table.setting.group, table.players[Seat(0)].keyring

    class Sharing(type(one)):  # type: ignore[misc]
        def deck_secret(self, table_id: TableId, epoch: object) -> int:
            return sign * one.deck_secret(table_id, epoch) % group.order  # type: ignore[arg-type]

    other = table.players[Seat(1)]
    keyring = Sharing(group, Seat(1), hashed("seed", "points", Seat(1)))
    table.players = {**table.players, Seat(1): type(other)(keyring, other.signer)}
    table.run()
    assert isinstance(table.duty, Closed)


def test_the_queue_goes_through_its_steps() -> None:
    table = at("keys")
    steps = []
    while table.position.program.step is not None:
        steps.append(table.position.program.step)
        table.settle()
    assert steps == ["keys", "shuffle", "mask", "release"]

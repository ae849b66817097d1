"""Whatever a peer sends, the table answers with `PeerError` or takes it; nothing else comes out.

The bytes come in three kinds: random, honest ones with something altered, and messages of the right
form with values that mean nothing.
"""

from __future__ import annotations

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import PeerError, Seat
from nodealer.ledger import Authored, Due, Given
from nodealer.table import Acted, Again, Replay, read_action
from nodealer.table.actions import ACTED, AGAIN
from tests.support.rehearsal import Rehearsal
from tests.table.points import ASKED, DUE, asked_at, at

ANY_VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 70), 1 << 70)
    | st.integers(-3, 60)
    | st.floats(allow_nan=True)
    | st.binary(max_size=40)
    | st.text(max_size=8)
    | st.sampled_from(["cards", "suit", "macaua", "H", "play", "draw", "deck/open-key"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)

NAMES = st.sampled_from(["cards", "suit", "macaua"])
FIELDS = st.lists(st.tuples(NAMES | st.text(max_size=3), ANY_VALUE).map(list), max_size=4)
PLAY_FIELDS = st.tuples(ANY_VALUE, ANY_VALUE, ANY_VALUE).map(
    lambda values: [["cards", values[0]], ["macaua", values[1]], ["suit", values[2]]]
)
SLOTS = st.lists(st.integers(-2, 60), max_size=3)
NEAR = st.tuples(SLOTS, st.booleans() | ANY_VALUE, st.sampled_from([None, "H", "S", ""])).map(
    lambda values: [["cards", values[0]], ["macaua", values[1]], ["suit", values[2]]]
)
KINDS = st.sampled_from(["play", "draw", "take", "pass", "miss"]) | ANY_VALUE
OPENINGS = st.lists(
    st.binary(max_size=60)
    | st.binary(min_size=32, max_size=32).map(lambda k: cbor2.dumps([1, "deck/open-key", k]))
    | st.tuples(st.binary(min_size=33, max_size=33), st.binary(max_size=80)).map(
        lambda parts: cbor2.dumps([1, "deck/open-share", *parts])
    )
    | st.binary(max_size=120).map(lambda proof: cbor2.dumps([1, "deck/viewed-face", "QH", proof])),
    max_size=3,
)

ACTIONS = (
    st.binary(max_size=200)
    | ANY_VALUE.map(cbor2.dumps)
    | st.lists(ANY_VALUE, max_size=4).map(lambda rest: cbor2.dumps([1, "table/action", *rest]))
    | st.lists(ANY_VALUE, max_size=2).map(lambda rest: cbor2.dumps([1, "table/again", *rest]))
    | st.tuples(KINDS, FIELDS | PLAY_FIELDS | NEAR, OPENINGS).map(
        lambda parts: cbor2.dumps([1, "table/action", *parts])
    )
)


def require_peers(refused: PeerError) -> None:
    """A refusal is signed with its reason; one about ourselves would accuse nobody."""
    assert not refused.reason.is_local


def answered(table: Rehearsal, seat: Seat, data: bytes) -> None:
    """Let a seat act with these bytes; whatever is taken can be gone on from."""
    try:
        after = table.state.act(table.moment, seat, data)
    except PeerError as refused:
        require_peers(refused)
        return
    assert isinstance(after, Replay)
    assert len(after.digest()) == 32
    after.due()


@given(ACTIONS)
@pytest.mark.parametrize("name", ["turn", "next turn", "closed", "draw"])
def test_an_action_of_any_bytes(name: str, data: bytes) -> None:
    table = at(name)
    seat = table.duty.seat if isinstance(table.duty, Authored) else Seat(0)
    answered(table, seat, data)


@st.composite
def altered(draw: st.DrawFn, data: bytes) -> bytes:
    """Return bytes with a few of them changed, left out or repeated."""
    whole = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(whole) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                whole[place] ^= 1 << draw(st.integers(0, 7))
            case 1:
                del whole[place : place + draw(st.integers(1, 4))]
            case 2:
                whole[place:place] = draw(st.binary(min_size=1, max_size=4))
            case _:
                whole[place] = draw(st.integers(0, 255))
        if not whole:
            break
    return bytes(whole)


@given(st.data())
@pytest.mark.parametrize("name", ["turn", "next turn"])
def test_an_honest_action_with_something_altered(name: str, data: st.DataObject) -> None:
    table = at(name)
    seat, chosen = table.choose()
    honest = table.players[seat].write(table.position, table.moment, chosen)
    answered(table, seat, data.draw(altered(honest)))


def contributed(table: Rehearsal, index: int, payload: bytes) -> None:
    """Let the first owing seat send a payload; if it is taken, the step must still settle."""
    seat = table.owing()[0]
    honest = table.given(seat)
    payloads = list(honest.payloads)
    payloads[index] = (payloads[index][0], payload)
    one = Given(seat, tuple(payloads))
    try:
        table.state.check(table.moment, seat, one.payloads, ())
    except PeerError as refused:
        require_peers(refused)
        return
    made = [one]
    for other in table.owing()[1:]:
        made.append(table.given(other, made if table.is_chained() else ()))
    table.state.settle(table.moment, made)


@given(st.data())
@pytest.mark.parametrize("point", [point for point in DUE if point != "close"])
def test_a_part_of_any_bytes(point: str, data: st.DataObject) -> None:
    table = at(point)
    assert isinstance(table.duty, Due)
    honest = table.given(table.owing()[0])
    index = data.draw(st.integers(0, len(honest.payloads) - 1))
    kind = cbor2.loads(honest.payloads[index][1])[1]
    odd = st.lists(ANY_VALUE, max_size=3).map(lambda rest: cbor2.dumps([1, kind, *rest]))
    sent = data.draw(
        altered(honest.payloads[index][1])
        | st.binary(max_size=100)
        | odd
        | ANY_VALUE.map(cbor2.dumps)
    )
    contributed(table, index, sent)


@given(st.data())
@pytest.mark.parametrize("point", [point for point in ASKED if point != "acks"])
def test_a_choice_or_verdict_of_any_bytes(point: str, data: st.DataObject) -> None:
    table = asked_at(point)
    ((_, honest),) = table.given(table.owing()[0]).payloads
    kinds = st.sampled_from(["table/choice", "deck/equal", "deck/not-equal", "deck/release"])
    odd = st.tuples(kinds, st.lists(ANY_VALUE | st.integers(0, 60), max_size=3))
    sent = data.draw(
        altered(honest)
        | st.binary(max_size=100)
        | odd.map(lambda parts: cbor2.dumps([1, parts[0], *parts[1]]))
        | ANY_VALUE.map(cbor2.dumps)
    )
    contributed(table, 0, sent)


@given(ACTIONS)
def test_what_is_read_is_written_in_one_way(data: bytes) -> None:
    """No two byte strings are the same action: ids of contents would differ for nothing."""
    try:
        read = read_action(data)
    except PeerError:
        return
    if isinstance(read, Acted):
        assert ACTED.write(read) == data
    else:
        assert isinstance(read, Again)
        assert AGAIN.write(read) == data

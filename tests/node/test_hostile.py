"""What a peer can do with frames when it means harm: each ends its own link, by name, or nothing.

The peer here has proven its key and then sends whatever it likes. No frame may raise, make a queue
grow, or cost anybody else anything.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import Cause, LocalError, Reason, encode
from nodealer.kernel.limits import MESSAGE_BYTES_MAX
from nodealer.node.transport import timing
from nodealer.node.transport.frames import (
    FRAME_BYTES_MAX,
    HEAD_BYTES_MAX,
    Ack,
    Bye,
    Data,
    Head,
    Hello,
    Ping,
    Pong,
    RunId,
    write_frame,
)
from nodealer.node.transport.states import LinkState
from tests.node.pair import FOLLOWER, LEADER, SECONDS, Pair, Wire

RUN = RunId(b"r" * 16)
OTHER_RUN = RunId(b"o" * 16)


def framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def attacked(end: int = LEADER) -> tuple[Pair, Wire]:
    """Return a pair of which one end is up, and whose other end the test plays from now on."""
    pair = Pair()
    wire = pair.connect()
    for number in range(3):
        pair.send(end, b"%d" % number)
    return pair, wire


def throw(pair: Pair, wire: Wire, data: bytes, end: int = LEADER) -> None:
    """Let bytes of the attacker arrive."""
    number = wire.numbers[end]
    assert number is not None
    pair.sessions[end].bytes_in(number, data, pair.now)


def reason_of(pair: Pair, end: int = LEADER) -> Reason | None:
    refusal = pair.sessions[end].refusal
    return None if refusal is None else refusal.reason


GARBAGE = {
    "no length": (framed(b""), Reason.ENCODING_OVERSIZED),
    "a length beyond any frame": (
        (FRAME_BYTES_MAX + 1).to_bytes(4, "big"),
        Reason.ENCODING_OVERSIZED,
    ),
    "the greatest length": (b"\xff" * 4, Reason.ENCODING_OVERSIZED),
    "no CBOR": (framed(b"\xff" * 20), Reason.ENCODING_INDEFINITE),
    "no array": (framed(encode("hello")), Reason.ENCODING_SHAPE),
    "an unknown kind": (framed(encode((1, "link/shout"))), Reason.ENCODING_KIND),
    "another layer's kind": (framed(encode((1, "ledger/recall"))), Reason.ENCODING_KIND),
    "another version": (framed(encode((2, "link/ping", 1))), Reason.ENCODING_VERSION),
    "a field less": (framed(encode((1, "link/ping"))), Reason.ENCODING_SHAPE),
    "a field more": (framed(encode((1, "link/ping", 1, 2))), Reason.ENCODING_SHAPE),
    "a number that is none": (framed(encode((1, "link/ping", "1"))), Reason.ENCODING_SHAPE),
    "a longer form": (framed(b"\x83\x01\x69link/ping\x18\x01"), Reason.ENCODING_NOT_MINIMAL),
    "a head cut short": (framed(encode((1, "link/ping", 1))[:-1]), Reason.ENCODING_TRUNCATED),
    "a head that is too long": (
        framed(encode((1, "x" * HEAD_BYTES_MAX))),
        Reason.ENCODING_TRUNCATED,
    ),
    "a payload behind a ping": (
        framed(encode((1, "link/ping", 1)) + b"x"),
        Reason.ENCODING_TRAILING,
    ),
    "no payload": (framed(encode((1, "link/data", 1, 0))), Reason.ENCODING_TRUNCATED),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_bytes_that_are_no_frame(name: str) -> None:
    data, reason = GARBAGE[name]
    pair, wire = attacked()
    throw(pair, wire, data)
    assert reason_of(pair) is reason
    assert pair.sessions[LEADER].state is LinkState.ENDED
    assert pair.sessions[LEADER].cause is Cause.REFUSED
    pair.pump()
    assert wire.is_broken


OUT_OF_PLACE: dict[str, tuple[Head, bytes, Reason]] = {
    "a payload left out": (Data(2, 0), b"x", Reason.LINK_ORDER),
    "payload 0": (Data(0, 0), b"x", Reason.LINK_ORDER),
    "a payload of the far future": (Data((1 << 64) - 1, 0), b"x", Reason.LINK_ORDER),
    "what was never sent is taken": (Ack(4), b"", Reason.LINK_ACKNOWLEDGED),
    "what was never sent is taken, with data": (Data(1, 9), b"x", Reason.LINK_ACKNOWLEDGED),
    "an answer that nobody asked for": (Pong(77), b"", Reason.LINK_UNEXPECTED),
    "a second hello": (Hello(RUN, None, 0, 1), b"", Reason.LINK_UNEXPECTED),
}


@pytest.mark.parametrize("name", OUT_OF_PLACE)
def test_frames_that_have_no_place(name: str) -> None:
    head, payload, reason = OUT_OF_PLACE[name]
    pair, wire = attacked()
    throw(pair, wire, write_frame(head, payload))
    assert reason_of(pair) is reason


def test_what_was_taken_is_not_untaken() -> None:
    pair, wire = attacked()
    throw(pair, wire, write_frame(Ack(2)) + write_frame(Ack(1)))
    assert reason_of(pair) is Reason.LINK_ACKNOWLEDGED


def test_the_same_payload_twice() -> None:
    pair, wire = attacked()
    throw(pair, wire, write_frame(Data(1, 0), b"x") * 2)
    assert reason_of(pair) is Reason.LINK_ORDER
    assert pair.take(LEADER) == b"x"
    assert pair.take(LEADER) is None


@pytest.mark.parametrize("head", [Data(1, 0), Ack(0), Ping(1), Pong(1), Bye()])
@pytest.mark.parametrize("end", [LEADER, FOLLOWER])
def test_anything_before_the_hello(head: Head, end: int) -> None:
    pair = Pair()
    wire = pair.open(end)
    throw(pair, wire, write_frame(head, b"x" if isinstance(head, Data) else b""), end)
    assert reason_of(pair, end) is Reason.LINK_UNEXPECTED


def test_an_answer_to_another_hello() -> None:
    pair = Pair()
    wire = pair.open(LEADER)
    throw(pair, wire, write_frame(Hello(RUN, None, 0, 2)))
    assert reason_of(pair) is Reason.LINK_UNEXPECTED


@pytest.mark.parametrize(("arrived", "other"), [(4, None), (4, "own"), (1, "own"), (5, "strange")])
def test_a_hello_that_states_what_cannot_be(arrived: int, other: str | None) -> None:
    pair, wire = attacked()
    throw(pair, wire, write_frame(Ack(2)))
    for end in (LEADER, FOLLOWER):
        pair.lose(wire, end)
    again = pair.open(LEADER)
    own, theirs = RunId(bytes([1]) * 16), RunId(bytes([2]) * 16)
    heard = {None: None, "own": own, "strange": OTHER_RUN}[other]
    throw(pair, again, write_frame(Hello(theirs, heard, arrived, 2)))
    assert reason_of(pair) is Reason.LINK_ACKNOWLEDGED


def test_more_is_taken_than_has_arrived_by_its_own_hello() -> None:
    pair, wire = attacked()
    for end in (LEADER, FOLLOWER):
        pair.lose(wire, end)
    again = pair.open(LEADER)
    own, theirs = RunId(bytes([1]) * 16), RunId(bytes([2]) * 16)
    throw(pair, again, write_frame(Hello(theirs, own, 1, 2)) + write_frame(Ack(3)))
    assert reason_of(pair) is None
    assert len(pair.sessions[LEADER].outbox) == 0
    pair.send(LEADER, b"goes on behind it")
    assert b"goes on behind it" in again.waiting[FOLLOWER]


@pytest.mark.parametrize("size", [1, MESSAGE_BYTES_MAX])
def test_more_payloads_than_the_window_holds(size: int) -> None:
    pair, wire = attacked()
    room = min(timing.WINDOW_FRAMES, timing.WINDOW_BYTES // size)
    for number in range(1, room + 1):
        throw(pair, wire, write_frame(Data(number, 0), bytes([1]) * size))
    assert reason_of(pair) is None
    throw(pair, wire, write_frame(Data(room + 1, 0), b"x"))
    assert reason_of(pair) is Reason.LINK_WINDOW


@pytest.mark.parametrize("head", [Ping(1), Ack(0)])
def test_frames_that_bring_nothing_on_are_counted(head: Head) -> None:
    pair, wire = attacked()
    pair.pass_time(SECONDS)
    for _ in range(timing.IDLE.at_once):
        throw(pair, wire, write_frame(head))
    assert reason_of(pair) is None
    throw(pair, wire, write_frame(head))
    assert reason_of(pair) is Reason.LINK_FLOOD


def test_many_pings_have_one_answer() -> None:
    pair, wire = attacked()
    del wire.waiting[FOLLOWER][:]
    for token in range(50):
        throw(pair, wire, write_frame(Ping(token)))
    pair.pump()
    assert bytes(wire.waiting[FOLLOWER]).count(b"link/pong") == 1


def test_one_byte_at_a_time_is_slow_and_no_crime() -> None:
    pair, wire = attacked()
    for byte in write_frame(Data(1, 3), b"in pieces"):
        throw(pair, wire, bytes([byte]))
    assert pair.take(LEADER) == b"in pieces"


def test_a_frame_that_does_not_end() -> None:
    pair, wire = attacked()
    data = write_frame(Data(1, 0), bytes([1]) * 10_000)
    start = pair.now
    for byte in data:
        if pair.sessions[LEADER].state is not LinkState.UP:
            break
        throw(pair, wire, bytes([byte]))
        pair.pass_time(SECONDS)
        for pong in [Pong(token) for token in pair.sessions[LEADER].pulse._asked]:
            pair.sessions[LEADER].pulse.answered(pong.token, pair.now)
    assert pair.sessions[LEADER].cause is Cause.STUCK
    assert pair.now - start <= timing.FRAME_US + SECONDS
    assert reason_of(pair) is None


def test_frames_behind_a_goodbye_are_not_read() -> None:
    pair, wire = attacked()
    throw(pair, wire, write_frame(Bye()) + write_frame(Data(1, 0), b"x") + b"\xff" * 100)
    assert pair.sessions[LEADER].cause is Cause.PEER_LEFT
    assert reason_of(pair) is None
    assert pair.take(LEADER) is None
    throw_late = pair.sessions[LEADER].outgoing(99, pair.now)
    assert throw_late is None


def test_bytes_of_a_connection_that_is_not_wanted_are_not_looked_at() -> None:
    pair, _ = attacked()
    pair.sessions[LEADER].bytes_in(99, b"\xff" * 100, pair.now)
    assert pair.is_up


@given(st.binary(max_size=300), st.integers(0, 1), st.booleans())
def test_no_bytes_raise(data: bytes, end: int, is_up: bool) -> None:
    pair = Pair()
    wire = pair.connect() if is_up else pair.open()
    throw(pair, wire, data, end)
    pair.pump()
    throw_again = wire.numbers[end]
    if throw_again is not None:
        pair.sessions[end].bytes_in(throw_again, data, pair.now)


@given(st.lists(st.sampled_from([head for head, _, _ in OUT_OF_PLACE.values()]), max_size=9))
def test_no_frames_raise(heads: list[Head]) -> None:
    pair, wire = attacked()
    for head in heads:
        if wire.numbers[LEADER] is not None:
            throw(pair, wire, write_frame(head, b"x" if isinstance(head, Data) else b""))
            pair.pump()


@pytest.mark.parametrize(
    ("head", "payload"),
    [(Data(1, 0), b""), (Ping(1), b"x"), (Data(1, 0), bytes(MESSAGE_BYTES_MAX + 1))],
)
def test_we_write_no_such_frame(head: Head, payload: bytes) -> None:
    with pytest.raises(LocalError):
        write_frame(head, payload)


def test_the_longest_head_is_a_hello_and_the_longest_frame_fits() -> None:
    most = (1 << 64) - 1
    assert len(write_frame(Hello(RUN, OTHER_RUN, most, most))) == 4 + HEAD_BYTES_MAX
    assert len(write_frame(Data(most, most), bytes(MESSAGE_BYTES_MAX))) <= 4 + FRAME_BYTES_MAX

"""Words at a relay are read as the library reads them, and what is too long or strange is not."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st
from libp2p.network.stream.exceptions import StreamError
from libp2p.relay.circuit_v2.pb.circuit_pb2 import (
    OK,
    HopMessage,
    Limit,
    PeerId,
    Reservation,
    StopMessage,
)
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP

from nodealer.node.transport.carrier import BrokenRuleError
from nodealer.node.transport.library import open_stream
from nodealer.node.transport.relay_words import (
    FIELDS_MAX,
    WORD_BYTES_MAX,
    RelayWord,
    hop_word,
    stop_word,
)
from tests.node.test_serving import RESERVE, ask, connected, relay_and

NUMBERS = st.none() | st.integers(0, 2**31 - 1)
SOME_BYTES = st.binary(max_size=60)
ADDRESSES = st.lists(SOME_BYTES, max_size=5)
PEERS = st.none() | st.builds(PeerId, id=st.none() | SOME_BYTES, addrs=ADDRESSES)
LIMITS = st.none() | st.builds(Limit, duration=st.integers(0, 9), data=st.integers(0, 2**63))
PLACES = st.none() | st.builds(
    Reservation, expire=st.integers(0, 2**63), addrs=ADDRESSES, voucher=st.none() | SOME_BYTES
)
HOPS = st.builds(
    HopMessage, type=NUMBERS, peer=PEERS, reservation=PLACES, limit=LIMITS, status=NUMBERS
)
STOPS = st.builds(StopMessage, type=NUMBERS, peer=PEERS, limit=LIMITS, status=NUMBERS)

NUMBERED = b"\x08\x02"
"""A field with a number: what kind of word it is."""


def said(message: HopMessage | StopMessage) -> RelayWord:
    """Return what the library finds in a word."""
    return RelayWord(
        message.type if message.HasField("type") else None,
        message.peer.id if message.HasField("peer") else None,
        message.status if message.HasField("status") else None,
    )


@given(HOPS, STOPS)
def test_what_the_library_writes_is_read(hop: HopMessage, stop: StopMessage) -> None:
    assert hop_word(hop.SerializeToString()) == said(hop)
    assert stop_word(stop.SerializeToString()) == said(stop)


@given(
    st.binary(max_size=40) | st.lists(st.sampled_from(b"\x08\x0a\x12\x28\x00\x01\x02")).map(bytes)
)
def test_of_any_bytes_is_read_what_the_library_reads_or_nothing(data: bytes) -> None:
    with suppress(BrokenRuleError):
        found = hop_word(data)
        message = HopMessage()
        with suppress(DecodeError):  # it looks into fields of which nothing is read here
            message.ParseFromString(data)
            assert found.peer == said(message).peer
            for one, other in ((found.kind, message.type), (found.status, message.status)):
                assert one is None or one & 0x7FFF_FFFF == other & 0x7FFF_FFFF


@pytest.mark.parametrize(
    "data",
    [
        b"\x08",
        b"\x08\x82",
        b"\x08" + b"\x80" * 10 + b"\x00",
        b"\x12\x05\x0a\x01x",
        b"\x21\x00",
        b"\x2d\x00",
        b"\x0b\x08\x02\x0c",
        b"\x0a\x00",
        b"\x10\x01",
        NUMBERED * 2,
        b"\x12\x06" + b"\x0a\x01x" * 2,
        b"\x30\x01" * (FIELDS_MAX + 1),
    ],
    ids=[
        "no-number",
        "a-number-that-is-cut",
        "a-number-without-an-end",
        "bytes-that-are-cut",
        "eight-bytes-that-are-cut",
        "four-bytes-that-are-cut",
        "a-group",
        "bytes-for-a-number",
        "a-number-for-bytes",
        "a-field-twice",
        "a-name-twice",
        "many-fields",
    ],
)
def test_what_is_no_word_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenRuleError):
        hop_word(data)


def test_what_is_not_known_is_passed_over() -> None:
    others = b"\x31" + bytes(8) + b"\x3d" + bytes(4) + b"\x42\x01x" + b"\x48\xff\x01"
    assert hop_word(others + NUMBERED) == RelayWord(2, None, None)
    assert hop_word(b"\x30\x01" * FIELDS_MAX) == RelayWord(None, None, None)


@pytest.mark.parametrize("length", [0, WORD_BYTES_MAX + 1, 2**14, 2**16 - 1])
def test_a_word_of_another_length_is_not_waited_for(length: int) -> None:
    """Only the length comes; whoever read on would wait for the rest until its time is over."""

    async def main() -> None:
        async with relay_and(1) as (relay, (one,)):
            connection = await connected(one, relay)
            stream = await open_stream(connection, HOP)
            low = bytes([length & 0x7F | 0x80, length >> 7 & 0x7F | (length >= 2**14) << 7])
            await stream.write(low)
            with trio.fail_after(5), pytest.raises(StreamError):
                await stream.read(1)
            assert (await ask(connection, RESERVE))[0] == OK

    trio.run(main)

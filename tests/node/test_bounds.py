"""A stranger who sends more than it may loses its connection, and nobody else does."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import trio
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.network.stream.net_stream import NetStream
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from libp2p.stream_muxer.yamux.yamux import Yamux, YamuxStream
from libp2p.utils.varint import read_varint_prefixed_bytes_limited

from nodealer.node.transport import bounds
from nodealer.node.transport.addresses import peer_id
from nodealer.node.transport.library import dial
from nodealer.node.transport.over_libp2p import PROTOCOL, Libp2pCarrier, open_carrier
from nodealer.node.transport.relaying import Relaying
from tests.node.makers import HERE, SEEDS
from tests.node.test_pitfalls import MULTISTREAM, is_well, line

DATA, UPDATE, SYN = 0, 1, 1
BLOCK = bytes(1 << 12)

Flood = Callable[[Yamux, NetStream], Awaitable[None]]


def frame(kind: int, flags: int, stream: int, length: int) -> bytes:
    return struct.pack("!BBHII", 0, kind, flags, stream, length)


def number_of(stream: NetStream) -> int:
    assert isinstance(stream.muxed_stream, YamuxStream)
    return stream.muxed_stream.stream_id


async def connection_to(victim: Libp2pCarrier, stranger: Libp2pCarrier) -> SwarmConn:
    swarm = stranger.host.get_network()
    assert isinstance(swarm, Swarm)
    peer = ID.from_string(peer_id(victim.key))
    connection = await dial(swarm, victim.addresses()[0], peer)
    assert isinstance(connection, SwarmConn)
    return connection


async def never_read(connection: Yamux, stream: NetStream) -> None:
    """Send what nobody reads, and disregard the window."""
    await stream.write(line(MULTISTREAM) + line(str(PROTOCOL)))
    while not connection.event_shutting_down.is_set():
        await connection._write_frame(frame(DATA, 0, number_of(stream), len(BLOCK)) + BLOCK)


async def many_streams(connection: Yamux, stream: NetStream) -> None:
    """Open one stream after the other, and say nothing there."""
    number = number_of(stream)
    while not connection.event_shutting_down.is_set():
        number += 2
        await connection._write_frame(frame(UPDATE, SYN, number, 0))


@pytest.mark.parametrize("flood", [never_read, many_streams])
def test_a_flood_ends_its_connection(monkeypatch: pytest.MonkeyPatch, flood: Flood) -> None:
    monkeypatch.setattr(bounds, "UNREAD_BYTES_MAX", 1 << 15)
    monkeypatch.setattr(bounds, "STREAMS_MAX", 8)

    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as victim, open_carrier(SEEDS[1], [HERE]) as bad:
            connection = await connection_to(victim, bad)
            assert isinstance(connection.muxed_conn, Yamux)
            stream = await connection.new_stream()
            assert isinstance(stream, NetStream)
            with trio.fail_after(10), suppress(Exception):
                await flood(connection.muxed_conn, stream)
            with trio.fail_after(10):
                await connection.event_closed.wait()
            if flood is never_read:
                await (await victim.accept()).abandon()
            await is_well(victim)

    trio.run(main)


def test_a_line_of_the_negotiation_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    read = read_varint_prefixed_bytes_limited

    async def noted(reader: NetStream, most: int) -> bytes:
        data = await read(reader, most)
        lengths.append(len(data))
        return data

    monkeypatch.setattr(bounds, "read_varint_prefixed_bytes_limited", noted)

    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as victim, open_carrier(SEEDS[1], [HERE]) as bad:
            stream = await (await connection_to(victim, bad)).new_stream()
            with trio.fail_after(5), suppress(Exception):
                await stream.write(line(MULTISTREAM) + b"\xff\xff\x7f" + bytes(1 << 21))
                while True:
                    await stream.read(1)
            await is_well(victim)

    trio.run(main)
    assert max(lengths) <= bounds.NAME_BYTES_MAX


def test_a_line_without_its_end_is_none() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as victim, open_carrier(SEEDS[1], [HERE]) as bad:
            stream = await (await connection_to(victim, bad)).new_stream()
            with trio.fail_after(5), suppress(Exception):
                await stream.write(line(MULTISTREAM) + b"\x02ab")
                while True:
                    await stream.read(1)
            await is_well(victim)

    trio.run(main)


def test_a_place_that_is_renewed_leaves_no_streams() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE], is_relay=True) as relay,
            open_carrier(SEEDS[1], [HERE]) as guest,
        ):
            connection = await connection_to(relay, guest)
            relaying = guest._relaying
            assert isinstance(relaying, Relaying)
            for _ in range(5):
                await relaying._reserve(connection)
            assert isinstance(connection.muxed_conn, Yamux)
            assert not connection.muxed_conn.streams

    trio.run(main)

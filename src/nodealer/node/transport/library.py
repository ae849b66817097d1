"""The handling of libp2p that is the same wherever it is used."""

from __future__ import annotations

import logging
import socket
from collections.abc import Awaitable
from typing import Any, Final

import trio
from libp2p.abc import INetConn, INetStream
from libp2p.custom_types import TProtocol
from libp2p.network.stream.net_stream import NetStream
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.node.transport.addresses import ID_PREFIX, KEY_BYTES, Address, PeerKey
from nodealer.node.transport.multistream import LineTalk, propose

LOG: Final = logging.getLogger("nodealer.node")

NUMBERS_MAX: Final = 4
"""Addresses behind a name that are tried."""

NEGOTIATION_SECONDS: Final = 10
"""For an exchange of a few short messages with whoever is at the other end."""

DIAL_SECONDS: Final = 20.0
"""For a name, a connection and its handshake; packets to nowhere are never answered."""


async def dial(swarm: Swarm, address: Address, peer: ID) -> INetConn:
    """Open a connection to the host of an address, not through its relay; raise anything.

    Names are looked up as every other program of this machine does; the library asks name servers
    by itself and knows nothing of what else the machine is told.
    """
    with trio.fail_after(DIAL_SECONDS):
        numbers = await _numbers(address)
        for number in numbers[:-1]:
            try:
                return await swarm.dial_addr(Multiaddr(str(number)), peer)
            except Exception:
                LOG.debug("%s does not answer", number, exc_info=True)
        return await swarm.dial_addr(Multiaddr(str(numbers[-1])), peer)


async def _numbers(address: Address) -> list[Address]:
    families = {"dns": socket.AF_UNSPEC, "dns4": socket.AF_INET, "dns6": socket.AF_INET6}
    if address.kind not in families:
        return [Address(address.kind, address.host, address.port)]
    found = await trio.socket.getaddrinfo(
        address.host, address.port, families[address.kind], socket.SOCK_STREAM
    )
    kinds = {socket.AF_INET: "ip4", socket.AF_INET6: "ip6"}
    numbers = [Address(kinds[f], str(name[0]), address.port) for f, _, _, _, name in found]
    return list(dict.fromkeys(numbers))[:NUMBERS_MAX]


async def open_stream(connection: INetConn, protocol: TProtocol) -> NetStream:
    """Open a stream on this connection and on no other, and agree on what is spoken there."""
    with trio.fail_after(NEGOTIATION_SECONDS):
        stream = await connection.new_stream()
        assert isinstance(stream, NetStream), "the swarm makes no others"
        try:
            await propose(talk_of(stream), protocol)
        except BaseException:
            with trio.CancelScope(shield=True):
                await quietly(stream.reset())
            raise
    stream.set_protocol(protocol)
    return stream


def talk_of(stream: INetStream) -> LineTalk:
    """Return what is read and written on a stream of the library, byte by byte."""
    assert isinstance(stream, NetStream), "the swarm makes no others"
    talk = stream.muxed_stream
    assert isinstance(talk, LineTalk), "our multiplexer makes no others"
    return talk


async def quietly(step: Awaitable[Any]) -> None:
    """Await something whose failure is no news: ending what has ended, being left by a peer.

    The library raises errors of any kind then. They are logged, for whoever looks for something.
    """
    try:
        await step
    except Exception:
        LOG.debug("%s did not succeed", step, exc_info=True)


def key_in(peer: ID) -> PeerKey | None:
    """Return the key that an id of the library names; none if it is one with which nobody plays.

    Others say whom they mean in any number of bytes; to make text of them could take seconds.
    """
    data = peer.to_bytes()
    is_key = data.startswith(ID_PREFIX) and len(data) == len(ID_PREFIX) + KEY_BYTES
    return PeerKey(data[len(ID_PREFIX) :]) if is_key else None


def quieten() -> None:
    """Keep the library from writing to the terminal, which it does when a peer is gone."""
    root, library = logging.getLogger(), logging.getLogger("libp2p")
    if not root.handlers:
        root.addHandler(logging.NullHandler())
    library.addHandler(logging.NullHandler())
    library.setLevel(logging.CRITICAL)

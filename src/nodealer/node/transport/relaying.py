"""Through a relay to peers that nobody can dial: circuit relay v2, as any relay of libp2p does it.

A node behind a router keeps a *place* at a relay: a connection that it has opened itself, and a
reservation that it renews. Who wants to reach it opens a connection to the relay and asks to be
passed on; from then on the relay copies bytes. Noise runs between the two ends, through it, so a
relay sees who talks to whom, when and how much, and nothing else.

The library has a transport for this, which chooses relays by itself, remembers addresses for ever
and shares what it has dialled. Here each of these steps is one exchange of messages, done where it
is wanted: the same rules hold for a relayed connection as for a direct one. What the relay itself
does is in `serving`.

Whom a node lets itself be reached through is its own choice: it takes up what comes from relays at
which it keeps a place, and from nobody else.
"""

from __future__ import annotations

from typing import Final

import trio
from libp2p.abc import IHost, INetConn, INetStream
from libp2p.connection_types import ConnectionType
from libp2p.network.connection.raw_connection import RawConnection
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.peer.id import ID
from libp2p.relay.circuit_v2.pb.circuit_pb2 import OK, HopMessage, PeerId, StopMessage
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP
from libp2p.relay.circuit_v2.protocol import STOP_PROTOCOL_ID as STOP
from libp2p.relay.circuit_v2.utils import write_delimited_msg
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import Address, PeerKey, peer_id
from nodealer.node.transport.carrier import Unreachable, unreachable
from nodealer.node.transport.doorkeeper import Caller
from nodealer.node.transport.guarded import GuardedSwarm
from nodealer.node.transport.library import (
    LOG,
    NEGOTIATION_SECONDS,
    dial,
    key_in,
    open_stream,
    quietly,
    talk_of,
)
from nodealer.node.transport.link import Bell
from nodealer.node.transport.relay_words import read_hop, read_stop

RENEW_SECONDS: Final = 60.0
"""A place lasts an hour; asking every minute shows that the relay is alive."""

RETRY_SECONDS: Final = 10.0
"""Between two attempts to get a place back."""


class Relaying:
    """Reaches peers through relays, and keeps places at relays."""

    def __init__(self, host: IHost, swarm: GuardedSwarm) -> None:
        self.bell = Bell()
        self._swarm = swarm
        self._places: dict[ID, Address] = {}
        self.outer: dict[Address, None] = {}
        self.failures: dict[PeerKey, Cause] = {}
        """Why there is no place at a relay, of those at which one is kept."""
        host.set_stream_handler(STOP, self._on_stop)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this node is seen from outside, and where relays pass on to it now."""
        return (*self.outer, *self._places.values())

    def place_at(self, relay: ID) -> Address | None:
        """Return the address of this node at a relay, if it has a place there."""
        return self._places.get(relay)

    async def keep_place(self, relay: PeerKey, address: Address) -> None:
        """Keep a place at a relay, and get it back whenever it is lost; never returns."""
        while True:
            try:
                await self._hold_place(ID.from_string(peer_id(relay)), relay, address)
            except Exception as error:  # noqa: BLE001 - the library raises anything
                self.failures[relay] = unreachable(error).cause
                LOG.debug("no place at %s", address, exc_info=True)
            await trio.sleep(RETRY_SECONDS)

    async def reach(self, peer: ID, through: Address) -> tuple[INetConn, INetConn]:
        """Return a connection to a peer, and the one to the relay below it; raise anything."""
        assert through.relay is not None, "an address without a relay is dialled directly"
        relay = ID.from_string(peer_id(through.relay))
        below = None
        try:
            below = await self._dial_relay(relay, through)
            stream = await open_stream(below, HOP)
        except Exception as error:
            if below is not None:
                await quietly(below.close())
            raise Unreachable(Cause.NO_RELAY, str(error)) from error
        try:
            message = HopMessage(type=HopMessage.CONNECT, peer=PeerId(id=peer.to_bytes()))
            await _ask(stream, message, Cause.NOT_AT_RELAY)
            raw = _relayed(stream, relay, peer, is_dialling=True)
            return await self._swarm.upgrade_outbound_raw_conn(raw, peer), below
        except BaseException:
            with trio.CancelScope(shield=True):
                await quietly(below.close())
            raise

    async def _hold_place(self, relay: ID, key: PeerKey, address: Address) -> None:
        connection = await self._dial_relay(relay, address)
        try:
            while not connection.is_closed:
                await self._reserve(connection)
                self._places[relay] = Address(address.kind, address.host, address.port, key)
                self.failures.pop(key, None)
                self.bell.ring()
                with trio.move_on_after(RENEW_SECONDS):
                    await connection.event_closed.wait()
        finally:
            self._places.pop(relay, None)
            self.bell.ring()
            with trio.CancelScope(shield=True):
                await quietly(connection.close())

    async def _reserve(self, connection: INetConn) -> None:
        stream = await _open_hop(connection)
        await _ask(stream, HopMessage(type=HopMessage.RESERVE), Cause.NO_PLACE)
        # Everything was read; a stream that is only closed stays in the books of both ends.
        await quietly(stream.reset())

    async def _dial_relay(self, relay: ID, address: Address) -> SwarmConn:
        connection = await dial(self._swarm, address, relay)
        assert isinstance(connection, SwarmConn), "the swarm makes no others"
        return connection

    async def _on_stop(self, stream: INetStream) -> None:
        """Take up a connection that a relay passes on; never raises."""
        await quietly(self._take_up(stream))
        await quietly(stream.reset())

    async def _take_up(self, stream: INetStream) -> None:
        relay = stream.muxed_conn.peer_id
        if relay not in self._places:
            return
        place = self._places[relay]
        with trio.fail_after(NEGOTIATION_SECONDS):
            word = await read_stop(talk_of(stream))
            peer = ID(word.peer or b"")
            # Who it is, Noise will show; the relay's word for it finds a place for it until then.
            said_to_be = key_in(peer)
            if word.kind != StopMessage.CONNECT or said_to_be is None:
                return
            await write_delimited_msg(stream, StopMessage(type=StopMessage.STATUS, status=OK))
        raw = _relayed(stream, relay, peer, is_dialling=False)
        await self._swarm.take_up(raw, Caller("", relay=place.relay, said_to_be=said_to_be))


async def _open_hop(connection: INetConn) -> INetStream:
    """Open a stream to a relay as such, or raise `Unreachable`."""
    try:
        return await open_stream(connection, HOP)
    except Exception as error:
        raise Unreachable(Cause.NO_RELAY, str(error)) from error


async def _ask(stream: INetStream, message: HopMessage, refused: Cause) -> None:
    """Ask a relay for something; raise `Unreachable` if it refuses."""
    with trio.fail_after(NEGOTIATION_SECONDS):
        await write_delimited_msg(stream, message)
        answer = await read_hop(talk_of(stream))
    if answer.kind != HopMessage.STATUS or answer.status != OK:
        raise Unreachable(refused, f"the relay answers {answer.status}")


def _relayed(stream: INetStream, relay: ID, peer: ID, *, is_dialling: bool) -> RawConnection:
    place = Multiaddr(f"/p2p/{relay.to_string()}/p2p-circuit/p2p/{peer.to_string()}")
    return RawConnection(
        stream=stream,
        initiator=is_dialling,
        connection_type=ConnectionType.RELAYED,
        addresses=[place],
    )


def is_relayed(connection: INetConn) -> bool:
    """Say whether a connection goes through a relay."""
    return connection.get_connection_type() is ConnectionType.RELAYED

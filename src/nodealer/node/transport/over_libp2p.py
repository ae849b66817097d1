"""The carrier of real games: libp2p over TCP, with Noise and yamux and nothing else.

What libp2p offers by default is more than is wanted, and part of it is dangerous. So everything is
said explicitly: the keys are proven by Noise and by nothing weaker, streams are those of yamux, and
the host dials nobody by itself. `specs/08-node.md` lists what of the library can hit us, and the
test for each. The rules that follow from it, and which this module keeps:

- Every stream has a connection of its own. `open` dials one address and opens the stream on that
  connection, never on one that was there: that may be dead without anybody having noticed. When
  its last stream is abandoned, the connection is closed.
- Dialling is not cancelled either: who does not wait for the result any more leaves a stream that
  is abandoned as soon as it is there.
- What a peer does never raises in a stream handler: that would end the host.
- The host runs in a task that nobody cancels, and is closed whatever ends the block; otherwise it
  would go on listening, leave sockets open and swallow what was raised.
- A port that somebody else uses is noticed before libp2p would share it in silence.

Importing this module loads libp2p, which takes half a second: only what plays imports it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import Final, Protocol

import trio
from libp2p.abc import IHost, INetConn, INetStream
from libp2p.crypto.ed25519 import create_new_key_pair
from libp2p.custom_types import TProtocol
from libp2p.network.stream.net_stream import NetStream
from libp2p.peer.id import ID
from libp2p.stream_muxer.exceptions import MuxedStreamEOF, MuxedStreamError
from libp2p.utils.address_validation import get_available_interfaces
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import Address, PeerKey, parse, peer_id
from nodealer.node.transport.carrier import Stream, StreamBroken, Unreachable, unreachable
from nodealer.node.transport.dialback import DialBackAnswer, ask
from nodealer.node.transport.doorkeeper import Doorkeeper
from nodealer.node.transport.guarded import GuardedSwarm, make_host, muxed
from nodealer.node.transport.library import dial, key_in, open_stream, quieten, quietly
from nodealer.node.transport.link import Bell
from nodealer.node.transport.multistream import OtherProtocolError
from nodealer.node.transport.ports import ListenError, require_free
from nodealer.node.transport.punching import be_punched, punch
from nodealer.node.transport.relaying import Relaying, is_relayed
from nodealer.node.transport.serving import serve

PROTOCOL: Final = TProtocol("/nodealer/link/1")
"""What a stream of ours is called when it is opened; its number is the version of the frames."""

READ_BYTES: Final = 1 << 16
"""Taken at a time; a frame brings no more."""

BACKLOG: Final = 32
"""Streams that wait to be accepted; more are reset."""


CLOSE_SECONDS: Final = 5.0


@asynccontextmanager
async def open_carrier(
    seed: bytes,
    listen: Sequence[Address],
    *,
    is_relay: bool = False,
    door: Doorkeeper | None = None,
) -> AsyncIterator[Libp2pCarrier]:
    """Run the carrier of the key that this seed of 32 bytes makes, listening on these addresses."""
    require_free(listen)
    quieten()
    is_over = trio.Event()
    door = door or Doorkeeper()
    async with trio.open_nursery() as nursery:
        try:
            run = partial(_run_host, seed, listen, is_over, is_relay=is_relay, door=door)
            carrier: Libp2pCarrier = await nursery.start(run)
            yield carrier
        finally:
            is_over.set()


async def _run_host(
    seed: bytes,
    listen: Sequence[Address],
    is_over: trio.Event,
    *,
    is_relay: bool,
    door: Doorkeeper,
    task_status: _Starting,
) -> None:
    """Run a host until it is over; nobody cancels it, because it would not close its sockets."""
    wanted = [Multiaddr(str(address)) for address in listen]
    with trio.CancelScope(shield=True) as scope:
        host = make_host(create_new_key_pair(seed), door, is_relay=is_relay)
        swarm = host.swarm
        relaying = Relaying(host, swarm)
        role = serve(host, swarm) if is_relay else nullcontext()
        async with host.run(wanted), role, trio.open_nursery() as nursery:
            await swarm.auto_connector.stop()
            if len(host.get_transport_addrs()) < len(wanted):
                raise ListenError(listen[0], "the library does not listen there")
            carrier = Libp2pCarrier(host, swarm, relaying, nursery)
            task_status.started(carrier)
            await is_over.wait()
            scope.deadline = trio.current_time() + CLOSE_SECONDS
            await carrier.close()
            await host.close()
            nursery.cancel_scope.cancel()


class _Starting(Protocol):
    """The words that trio hands to a task, to say that it has started."""

    def started(self, carrier: Libp2pCarrier, /) -> None:
        """Say so."""
        ...


class Libp2pCarrier:
    """Opens and accepts streams over libp2p; made by `open_carrier`."""

    def __init__(
        self, host: IHost, swarm: GuardedSwarm, relaying: Relaying, nursery: trio.Nursery
    ) -> None:
        key = key_in(host.get_id())
        assert key is not None, "our key is one of Ed25519"
        self.key = key
        self.host = host
        self.door = swarm.door
        self._swarm = swarm
        self._relaying = relaying
        self._nursery = nursery
        self._incoming, self._to_accept = trio.open_memory_channel[Libp2pStream](BACKLOG)
        self._streams: set[Libp2pStream] = set()
        host.set_stream_handler(PROTOCOL, self._on_stream)

    def addresses(self) -> tuple[Address, ...]:
        """Return the addresses of this machine on which it listens, and its places at relays."""
        found = (str(addr) for addr in self.host.get_transport_addrs())
        concrete = (one for text in found for one in _concrete(parse(text)))
        return (*dict.fromkeys(concrete), *self._relaying.addresses())

    def keep_place(self, relay: PeerKey, address: Address) -> None:
        """Be reachable through a relay from now on, whenever it is there; see `addresses`."""
        self._nursery.start_soon(self._relaying.keep_place, relay, address)

    def why_no_place(self, relay: PeerKey) -> Cause:
        """Return why there is no place at a relay at which one was asked for."""
        return self._relaying.failures.get(relay, Cause.NOT_TRIED)

    async def addresses_changed(self) -> None:
        """Wait until places at relays were found or lost."""
        await self._relaying.bell.wait()

    async def ask_to_dial(self, relay: Address, port: int) -> DialBackAnswer:
        """Ask a relay of ours whether it reaches a port of this machine; raise anything."""
        assert relay.relay is not None, "it is an address at a relay"
        return await ask(self._swarm, ID.from_string(peer_id(relay.relay)), relay, port)

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        """Return a new stream to a peer, or raise `Unreachable`."""
        attempt = _Dial()
        self._nursery.start_soon(self._dial, peer, address, attempt)
        try:
            while not attempt.is_done:
                await attempt.bell.wait()  # which is either woken or cancelled
        except trio.Cancelled:
            attempt.is_unwanted = True
            raise
        if attempt.stream is None:
            raise attempt.failure
        return attempt.stream

    async def accept(self) -> Stream:
        """Return the next stream that a peer has opened."""
        return await self._to_accept.receive()

    def punch(self, peer: PeerKey, there: Address) -> None:
        """Dial a peer that is dialling us; `accept` returns what comes of it."""
        self._nursery.start_soon(quietly, self._punch(peer, there))

    def known_as(self, address: Address) -> None:
        """Tell others this address too, which somebody outside has seen."""
        self._relaying.outer[address] = None
        self._relaying.bell.ring()

    # --- inside ---

    async def _punch(self, peer: PeerKey, there: Address) -> None:
        here = parse(str(self.host.get_transport_addrs()[0]).partition("/p2p/")[0])
        if self.key < peer:
            connection = await punch(self._swarm, ID.from_string(peer_id(peer)), there, here)
            stream = await open_stream(connection, PROTOCOL)
            self._take(Libp2pStream(self, stream, peer, there))
        else:
            await be_punched(self._swarm, there, here)

    def _take(self, stream: Libp2pStream) -> None:
        try:
            self._incoming.send_nowait(stream)
        except trio.WouldBlock:
            self._nursery.start_soon(stream.abandon)

    async def _dial(self, peer: PeerKey, address: Address, attempt: _Dial) -> None:
        try:
            attempt.stream = await self._open(peer, address)
        except Unreachable as failure:
            attempt.failure = failure
        if attempt.stream is not None and attempt.is_unwanted:
            await attempt.stream.abandon()
        attempt.is_done = True
        attempt.bell.ring()

    async def _open(self, peer: PeerKey, address: Address) -> Libp2pStream:
        if address.kind == "memory":
            raise Unreachable(Cause.UNREACHABLE, "not in this process")
        below = None
        try:
            known = ID.from_string(peer_id(peer))
            if address.relay is None:
                connection = await dial(self._swarm, address, known)
            else:
                connection, below = await self._relaying.reach(known, address)
        except Exception as error:
            raise unreachable(error) from error
        try:
            stream = await open_stream(connection, PROTOCOL)
        except Exception as error:
            await _close_both(connection, below)
            is_other = isinstance(error, OtherProtocolError)
            cause = Cause.OTHER_PROTOCOL if is_other else Cause.HANDSHAKE
            raise Unreachable(cause, str(error)) from error
        return Libp2pStream(self, stream, peer, address, below)

    async def _on_stream(self, stream: INetStream) -> None:
        """Take a stream that a peer has opened; return when it is over, and never raise."""
        assert isinstance(stream, NetStream), "the swarm makes no others"
        key = key_in(stream.muxed_conn.peer_id)
        assert key is not None, "nobody comes in with another kind of key"
        taken = Libp2pStream(self, stream, key, self._place_of(stream))
        self._take(taken)
        # The library takes a stream whose handler returns out of its books.
        await taken.over.wait()

    def _place_of(self, stream: NetStream) -> Address | None:
        """Return where a stream comes from that a peer has opened."""
        if stream.swarm_conn is not None and is_relayed(stream.swarm_conn):
            text = str(stream.swarm_conn.get_transport_addresses()[0])
            return self._relaying.place_at(ID.from_string(text.split("/")[2]))
        remote = stream.get_remote_address()
        if remote is None:
            return None
        host, port = remote
        return Address(f"ip{ipaddress.ip_address(host).version}", host, port)

    def use(self, stream: Libp2pStream) -> None:
        """Keep a stream in mind."""
        self._streams.add(stream)

    async def release(self, stream: Libp2pStream) -> None:
        """Close the connection of a stream that is over, if it was the last one there."""
        self._streams.discard(stream)
        if all(other.connection is not stream.connection for other in self._streams):
            await _close_both(stream.connection, stream.below)

    async def close(self) -> None:
        """End all streams, one by one: the host alone would leave some open."""
        async with trio.open_nursery() as nursery:
            for stream in self._streams:
                nursery.start_soon(stream.abandon)


class Libp2pStream:
    """A stream of libp2p."""

    def __init__(
        self,
        carrier: Libp2pCarrier,
        stream: NetStream,
        peer: PeerKey,
        place: Address | None,
        below: INetConn | None = None,
    ) -> None:
        connection = stream.swarm_conn
        assert connection is not None, "the swarm has made the stream"
        self.peer = peer
        self.place = place
        self.over = trio.Event()
        self.connection = connection
        self.below = below
        self._carrier = carrier
        self._stream = stream
        self._below = muxed(stream)
        carrier.use(self)

    async def read(self) -> bytes:
        """Return some bytes, or none after the end; raise `StreamBroken`."""
        try:
            return await self._below.read(READ_BYTES)
        except MuxedStreamEOF:
            return b""
        except MuxedStreamError as error:
            raise StreamBroken(str(error)) from error

    async def write(self, data: bytes) -> None:
        """Write everything; raise `StreamBroken`."""
        try:
            await self._below.write(data)
        except MuxedStreamError as error:
            raise StreamBroken(str(error)) from error

    async def finish(self) -> None:
        """Write no more; the other end will read everything."""
        await quietly(self._below.close())

    async def abandon(self) -> None:
        """Break the stream, and its connection if it was the last one."""
        if self.over.is_set():
            return
        self.over.set()
        await quietly(self._stream.reset())
        await self._carrier.release(self)


class _Dial:
    """An attempt that nobody cancels, and whether anybody waits for it."""

    def __init__(self) -> None:
        self.bell = Bell()
        self.is_done = False
        self.stream: Libp2pStream | None = None
        self.failure = Unreachable(Cause.UNREACHABLE)
        self.is_unwanted = False


def _concrete(address: Address) -> list[Address]:
    """Return the addresses that others can dial for one that may mean all of this machine's."""
    is_all = address.kind in ("ip4", "ip6") and ipaddress.ip_address(address.host).is_unspecified
    if not is_all:
        return [address]
    found = (str(addr).partition("/p2p/")[0] for addr in get_available_interfaces(address.port))
    return [one for one in map(parse, found) if one.kind == address.kind]


async def _close_both(connection: INetConn, below: INetConn | None) -> None:
    await quietly(connection.close())
    if below is not None:
        await quietly(below.close())

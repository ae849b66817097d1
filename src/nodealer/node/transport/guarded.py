"""libp2p, cut down to what is used, with a limit for every step that a stranger can take.

This module alone says what of the library runs, and changes it; `loading` sees to it that no more
is there. It was written for `LIBRARY`; a test fails when anything changes on which it leans. What a
peer can reach of the library is this:

    its listener                 accepts a socket, and hands it to `take_up`
    its swarm and its streams    keep the books of what is open

and nothing else. Lines of multistream, the handshake, keys, frames, streams and the words of relays
are read by our own modules (`multistream`, `secured`, `multiplexer`, `relay_words`). No protocol is
spoken that we do not use: there is no identify, no push of it, no ping, and nothing is remembered
of a peer that has gone.

What somebody else opens goes through these stages; each has `STAGE_SECONDS`, the first three
together `HANDSHAKE_SECONDS`. What we dial goes through the same, and all of it,
with the name and the connection, has `DIAL_SECONDS` (`library`).

    accepted      the door is asked, and the call takes its turn
    multistream   Noise is agreed on
    Noise         the key is proven; the door is asked again
    multistream   yamux is agreed on
    a stream      within `IDLE_SECONDS`; and from then on never so long without one
    multistream   what is spoken there, within `NEGOTIATION_SECONDS` (`library`)
    hello         within its own limit (`timing`)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NoReturn

import trio
from libp2p.abc import INetConn, INetStream, IRawConnection
from libp2p.crypto import serialization
from libp2p.crypto.keys import KeyPair, KeyType
from libp2p.crypto.rsa import RSAPublicKey
from libp2p.crypto.secp256k1 import Secp256k1PublicKey
from libp2p.custom_types import TProtocol
from libp2p.host.basic_host import BasicHost
from libp2p.io.abc import ReadWriteCloser
from libp2p.io.trio import TrioTCPStream
from libp2p.network.config import ConnectionConfig, RetryConfig
from libp2p.network.connection.raw_connection import RawConnection
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.network.stream.net_stream import NetStream
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from libp2p.peer.peerstore import PeerStore
from libp2p.transport.tcp.tcp import TCP
from libp2p.transport.upgrader import TransportUpgrader
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import PeerKey, key_of
from nodealer.node.transport.carrier import Unreachable
from nodealer.node.transport.doorkeeper import Caller, Doorkeeper
from nodealer.node.transport.library import NEGOTIATION_SECONDS, quietly
from nodealer.node.transport.multiplexer import (
    WINDOW_BYTES,
    YAMUX,
    Multiplexer,
    MuxedStream,
    StreamRoom,
)
from nodealer.node.transport.multistream import agree, propose
from nodealer.node.transport.secured import (
    NOISE,
    HandshakeIdentity,
    ImpostorError,
    PlainStream,
    Secured,
)
from nodealer.node.transport.stranger_turns import CALL_SECONDS, SHARE, SHARE_OF_RELAY, Pace, Turns

LIBRARY: Final = "0.8.1"
"""The version of libp2p for which this was written."""

STAGE_SECONDS: Final = 5.0
"""For one stage of a handshake: two messages on the worst of lines, and a queue of strangers."""

HANDSHAKE_SECONDS: Final = 10.0
"""For the stages together; who takes part in a table needs a tenth of it from the far side."""

IDLE_SECONDS: Final = 5.0
"""What a connection of others may last without a stream: ours begin one at once."""

LINGER_SECONDS: Final = 5.0
"""What the other end has to end a stream when this one has said all that it has to say."""

CLOSE_SECONDS: Final = 5.0
"""How long a connection may take to end in good order."""

ROOM: Final = StreamRoom(streams_max=8, unread_bytes_max=WINDOW_BYTES + WINDOW_BYTES // 4)
"""For who comes in: a node of ours has one stream, programs of others two or three; what has come
on a link is read at once. Many who come and are not known must not fill memory with windows."""

ROOM_OF_RELAY: Final = StreamRoom(streams_max=128, unread_bytes_max=16 * WINDOW_BYTES)
"""For connections with a relay: each peer that it brings has a stream there, and may be slow."""

UNBOUNDED: Final = 1 << 30
"""What the library may have of connections; who may come in says the door."""

NEVER_SECONDS: Final = 1e9
"""Between two attempts of the library to dial somebody by itself."""


class GuardedSwarm(Swarm):
    """Connections in both directions; what others open comes through a door."""

    def __init__(self, pair: KeyPair, door: Doorkeeper, *, is_relay: bool) -> None:
        peers = PeerStore()
        own = ID.from_pubkey(pair.public_key)
        peers.add_key_pair(own, pair)
        config = ConnectionConfig(
            max_connections=UNBOUNDED,
            min_connections=0,
            low_watermark=0,
            high_watermark=UNBOUNDED,
            max_connections_per_peer=UNBOUNDED,
            auto_connect_interval=NEVER_SECONDS,
        )
        upgrader = TransportUpgrader({}, {})  # not used: see `_prove` and `_multiplex`
        # One attempt is one attempt; when to try again is decided above.
        retry = RetryConfig(max_retries=0)
        super().__init__(own, peers, upgrader, [TCP()], retry, config)
        self.door = door
        self.may_rest: Callable[[PeerKey], bool] = lambda _: False
        """Says whose connection may be there without a stream: who has a place at a relay."""
        self._identity = HandshakeIdentity(pair)
        self._turns = Turns(SHARE_OF_RELAY if is_relay else SHARE)
        self._is_relay = is_relay

    # --- what others open ---

    async def _handle_inbound_connection(
        self, read_write_closer: ReadWriteCloser, maddr: Multiaddr
    ) -> None:
        """Serve a connection that was accepted; the library calls this and lets go of it after."""
        del maddr
        remote = read_write_closer.get_remote_address()
        if remote is None:  # it has ended already
            await quietly(read_write_closer.close())
        else:
            raw = RawConnection(read_write_closer, initiator=False)
            await quietly(self.take_up(raw, Caller(remote[0])))

    async def take_up(self, raw: IRawConnection, caller: Caller) -> None:
        """Serve a connection that a peer has opened, from its first byte to its end."""
        if not self.door.admits(caller):
            await raw.close()
            return
        try:
            with caller.life:
                await self._serve(raw, caller)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_SECONDS):
                await quietly(raw.close())
            self.door.left(caller)

    async def _serve(self, raw: IRawConnection, caller: Caller) -> None:
        pace = Pace(
            self._turns,
            lambda: self._is_stranger(caller),
            lambda: caller.is_expected and caller.key is None,
        )
        with trio.fail_after(HANDSHAKE_SECONDS):
            await pace.do(_nothing, CALL_SECONDS)
            secured = await self._prove(PlainStream(raw), pace)
            caller.key = secured.key
            if not self.door.admits(caller):
                return
            multiplexer = await self._multiplex(secured, pace, is_ours=False)
        connection = await self.add_conn(multiplexer, direction="inbound")
        try:
            await self._until_idle(multiplexer, secured.key)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_SECONDS):
                if caller.life.cancel_called and caller.relay is None:
                    await quietly(raw.close())  # who has to give way is not waited for
                await quietly(connection.close())

    def _is_stranger(self, caller: Caller) -> bool:
        """Say whether a caller has to wait in line: at a relay all are served alike."""
        is_known = caller.key is not None and self.door.acquaintances.knows(caller.key)
        return self._is_relay or not is_known

    async def _until_idle(self, multiplexer: Multiplexer, key: PeerKey) -> None:
        """Wait until a connection has ended, or was without a stream for too long."""
        while not multiplexer.is_closed:
            waits = NEVER_SECONDS if multiplexer.streams else IDLE_SECONDS
            with trio.move_on_after(waits) as waiting:
                await multiplexer.changed.wait()
            if waiting.cancelled_caught and not self.may_rest(key):
                return

    # --- what this node opens ---

    async def upgrade_outbound_raw_conn(
        self, raw_conn: IRawConnection, peer_id: ID, pre_scope: object = None
    ) -> SwarmConn:
        """Prove who is at the other end of a connection of ours; whoever has dialled closes it."""
        del pre_scope
        pace = Pace(self._turns, lambda: False)
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                secured = await self._prove(
                    PlainStream(raw_conn), pace, key_of(peer_id.to_string())
                )
                multiplexer = await self._multiplex(secured, pace, is_ours=True)
        except ImpostorError as error:
            raise Unreachable(Cause.IMPOSTOR, str(error)) from error
        except Exception as error:
            raise Unreachable(Cause.HANDSHAKE, str(error)) from error
        return await self.add_conn(multiplexer, direction="outbound")

    # --- the stages of both ---

    async def _prove(
        self, plain: PlainStream, pace: Pace, wanted: PeerKey | None = None
    ) -> Secured:
        with trio.fail_after(STAGE_SECONDS):
            if wanted is None:
                await agree(plain, (NOISE,))
            else:
                await propose(plain, NOISE)
        with trio.fail_after(STAGE_SECONDS):
            return await self._identity.prove(plain, pace, wanted)

    async def _multiplex(self, secured: Secured, pace: Pace, *, is_ours: bool) -> Multiplexer:
        with trio.fail_after(STAGE_SECONDS):
            if is_ours:
                await propose(secured, YAMUX)
            else:
                await agree(secured, (YAMUX,))
        room = ROOM_OF_RELAY if is_ours or self._is_relay else ROOM
        return Multiplexer(secured, pace, room, is_initiator=is_ours)

    async def notify_disconnected(self, conn: INetConn) -> None:
        """Do nothing: the library would remember who has gone, and look for others to dial."""


class _GuardedHost(BasicHost):
    """The streams of a node: nothing is spoken but what was given a handler."""

    def __init__(self, swarm: GuardedSwarm) -> None:
        super().__init__(swarm, disable_identify_address_discovery=True)
        # It cannot be made without protocols of its own, nor without asking others for theirs.
        self.multiselect.handlers.clear()
        swarm.notifees.clear()
        swarm.set_stream_handler(self._serve_stream)
        self.swarm = swarm

    async def _serve_stream(self, stream: INetStream) -> None:
        """Serve a stream that a peer has opened; whatever goes wrong ends this stream alone."""
        try:
            await quietly(self._talk(stream))
        finally:
            with trio.CancelScope(shield=True):
                await quietly(stream.reset())

    async def _talk(self, stream: INetStream) -> None:
        handlers = {str(one): it for one, it in self.multiselect.handlers.items() if it is not None}
        below = muxed(stream)
        with trio.fail_after(NEGOTIATION_SECONDS):
            protocol = await agree(below, handlers)
        stream.set_protocol(TProtocol(protocol))
        await handlers[protocol](stream)
        # The other end shall read what was said last, before a reset drops it.
        with trio.move_on_after(LINGER_SECONDS):
            await below.close()
            await below.ended.wait()


def make_host(pair: KeyPair, door: Doorkeeper, *, is_relay: bool) -> _GuardedHost:
    """Make a host that does what is said above, and nothing else."""
    refuse_other_keys()
    setattr(TrioTCPStream, "get_remote_address", _remote_address)  # noqa: B010 - a method
    return _GuardedHost(GuardedSwarm(pair, door, is_relay=is_relay))


def refuse_other_keys() -> None:
    """Let the library read Ed25519 keys alone, wherever it comes upon one, in this process.

    What it does with an RSA key costs seconds for sixty thousand bytes, before it looks how large
    the numbers in it are.
    """
    for table in (
        serialization.key_type_to_public_key_deserializer,
        serialization.key_type_to_private_key_deserializer,
    ):
        for kind in list(table):
            if kind != KeyType.Ed25519.value:
                del table[kind]
    for other in (RSAPublicKey, Secp256k1PublicKey):
        setattr(other, "from_bytes", staticmethod(_refuse_key))  # noqa: B010 - a method


def _refuse_key(key_bytes: bytes) -> NoReturn:
    raise ValueError(f"a key of another kind, of {len(key_bytes)} bytes")


def _remote_address(stream: TrioTCPStream) -> tuple[str, int] | None:
    """Return where the other end is; the library knows it for addresses of version 4 alone."""
    try:
        host, port, *_ = stream.stream.socket.getpeername()
    except OSError:
        return None
    return str(host), int(port)


def muxed(stream: INetStream) -> MuxedStream:
    """Return the stream of our multiplexer that is below one of the library."""
    assert isinstance(stream, NetStream), "the swarm makes no others"
    assert isinstance(stream.muxed_stream, MuxedStream), "there is no other multiplexer"
    return stream.muxed_stream


def _nothing() -> None:
    """Do no work: the price alone counts."""

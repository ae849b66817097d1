"""The services of a relay of ours: places for others, and what comes for them is passed on.

Nothing that another relay brings comes here, since a relay keeps no place itself.

A place is that of a connection: whoever holds it has asked over that connection, and when it ends
the place is free. Who asks for another key than its own is refused. A circuit is a stream of
somebody's connection, a stream of the connection of a place, and the copying of bytes between both;
nothing here looks into them. Who may have how many of both is said in `admission`. What is in use
does not give way to whoever comes, only to blocks that have less.

Reading and writing are not cancelled when a circuit ends: half a frame, also one that only says
that something was read, would break the connection of a place, over which others are passed on too.
Both streams are closed instead, so that the other ends read everything and close them as well, and
reset a while later, because the library forgets one that is closed at one end only when its
connection ends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar

import trio
from libp2p.abc import IHost, INetStream
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.network.stream.net_stream import NetStream
from libp2p.peer.id import ID
from libp2p.relay.circuit_v2.pb.circuit_pb2 import (
    CONNECTION_FAILED,
    MALFORMED_MESSAGE,
    NO_RESERVATION,
    OK,
    PERMISSION_DENIED,
    RESOURCE_LIMIT_EXCEEDED,
    HopMessage,
    Limit,
    PeerId,
    Reservation,
    Status,
    StopMessage,
)
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP
from libp2p.relay.circuit_v2.protocol import STOP_PROTOCOL_ID as STOP
from libp2p.relay.circuit_v2.utils import write_delimited_msg
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.admission import (
    CIRCUIT_ATTEMPTS,
    CIRCUITS,
    CIRCUITS_TO_ONE,
    PLACES_AT_RELAY,
    Acquaintances,
    Counted,
    HeldPlace,
    PlaceShare,
    origin_of,
    turned_away,
)
from nodealer.node.transport.dialback import DialBack
from nodealer.node.transport.guarded import GuardedSwarm
from nodealer.node.transport.library import (
    NEGOTIATION_SECONDS,
    key_in,
    open_stream,
    quietly,
    talk_of,
)
from nodealer.node.transport.link import now_us
from nodealer.node.transport.relay_words import RelayWord, read_hop, read_stop

T = TypeVar("T")

PLACE_SECONDS: Final = 3600
"""How long a place is kept that nobody renews."""

CIRCUIT_SECONDS: Final = 86_400
CIRCUIT_BYTES: Final = 1 << 32
"""What is passed on for one connection: a day and 4 GiB, far more than a table needs."""

NOWHERE: Final = "0.0.0.0"  # noqa: S104 - nobody listens there
"""Where whoever asks comes from whose connection has ended meanwhile."""

READ_BYTES: Final = 1 << 16

CLOSE_SECONDS: Final = 5.0
"""How long the other end of a stream may take to read what was passed on last."""


@dataclass(slots=True, eq=False)
class _Kept:
    """A place at this relay."""

    place: HeldPlace
    connection: SwarmConn
    until: float = 0.0


@dataclass(slots=True, eq=False)
class _Circuit:
    """A connection that is passed on."""

    to: _Kept
    left: int
    """Bytes that may still be passed on, in both directions together."""
    over: trio.Event = field(default_factory=trio.Event)
    """It has to end: one end has, it has had enough, or it has to give way."""

    def spend(self, count: int) -> None:
        """Count bytes; the circuit ends when it has had enough."""
        self.left -= count
        if self.left < 0:
            self.over.set()


class _Refused(Exception):  # noqa: N818 - what is answered, and no fault of ours
    """Somebody is not served."""

    def __init__(self, status: Status.ValueType) -> None:
        super().__init__(str(status))
        self.status = status


class Service:
    """The places and circuits of a relay."""

    def __init__(self, host: IHost, nursery: trio.Nursery) -> None:
        self._host = host
        self._nursery = nursery
        self._kept: dict[PeerKey, _Kept] = {}
        self._circuits: dict[HeldPlace, _Circuit] = {}
        self._attempts = Counted(CIRCUIT_ATTEMPTS)
        host.set_stream_handler(HOP, self._on_stream)

    def knows(self, key: PeerKey) -> bool:
        """Say whether the holder of a key is served at the moment."""
        return key in self._kept or any(one.key == key for one in self._circuits)

    def keeps(self, key: PeerKey) -> bool:
        """Say whether the holder of a key has a place; its connection may be quiet."""
        return key in self._kept

    async def _on_stream(self, stream: INetStream) -> None:
        """Serve somebody; never raises."""
        assert isinstance(stream, NetStream), "the swarm makes no others"
        try:
            await quietly(self._serve(stream))
        finally:
            await _finish(stream)

    async def _serve(self, stream: NetStream) -> None:
        try:
            with trio.fail_after(NEGOTIATION_SECONDS):
                word = await read_hop(talk_of(stream))
            caller = self._caller(stream)
            if word.kind == HopMessage.RESERVE:
                await _answer(stream, OK, self._keep(stream, caller, word))
            elif word.kind == HopMessage.CONNECT:
                await self._connect(stream, caller, word)
            else:
                raise _Refused(MALFORMED_MESSAGE)  # noqa: TRY301 - as those raised below
        except _Refused as refused:
            await _answer(stream, refused.status)

    def _caller(self, stream: NetStream) -> HeldPlace:
        """Return who asks, as the holder of a place that it may get."""
        remote, key = stream.get_remote_address(), key_in(stream.muxed_conn.peer_id)
        host = NOWHERE if remote is None else remote[0]
        return HeldPlace(origin_of(host, is_expected=False), now_us(), lambda: None, key)

    # Places.

    def _keep(self, stream: NetStream, place: HeldPlace, word: RelayWord) -> Reservation:
        """Keep a place, or go on keeping it."""
        key, connection = place.key, stream.swarm_conn
        assert key is not None, "whoever asks has proven one, and of no other kind"
        assert isinstance(connection, SwarmConn), "the swarm has made the stream"
        if word.peer not in (None, stream.muxed_conn.peer_id.to_bytes()):
            raise _Refused(PERMISSION_DENIED)
        kept = self._kept.get(key)
        if kept is None or kept.connection is not connection:
            kept = _Kept(place, connection)
            place.end = partial(self._take_back, key, kept)
            others = [one.place for one in self._living() if one.place.key != key]
            _require_room([*others, place], place, PLACES_AT_RELAY)
            self._kept[key] = kept
            self._nursery.start_soon(self._keep_while_open, key, kept)
        kept.until = trio.current_time() + PLACE_SECONDS
        expire = int(datetime.now(tz=UTC).timestamp()) + PLACE_SECONDS
        return Reservation(expire=expire, addrs=self._own_addresses())

    async def _keep_while_open(self, key: PeerKey, kept: _Kept) -> None:
        await kept.connection.event_closed.wait()
        if self._kept.get(key) is kept:
            del self._kept[key]

    def _take_back(self, key: PeerKey, kept: _Kept) -> None:
        """Take a place back, and let its holder know."""
        del self._kept[key]
        self._nursery.start_soon(quietly, kept.connection.close())

    def _living(self) -> list[_Kept]:
        """Return the places that are kept, and forget those that nobody has renewed."""
        now = trio.current_time()
        self._kept = {key: kept for key, kept in self._kept.items() if now < kept.until}
        return [*self._kept.values()]

    def _own_addresses(self) -> list[bytes]:
        return [Multiaddr(str(addr)).to_bytes() for addr in self._host.get_addrs()]

    # Circuits.

    async def _connect(self, stream: NetStream, place: HeldPlace, word: RelayWord) -> None:
        """Pass a connection on until either end has ended it."""
        wanted = key_in(ID(word.peer or b""))
        to = next((one for one in self._living() if one.place.key == wanted), None)
        if to is None:
            raise _Refused(NO_RESERVATION)
        circuit = _Circuit(to, CIRCUIT_BYTES)
        place.end = circuit.over.set
        self._require_room_for(place, to)
        self._circuits[place] = circuit
        try:
            await self._pass_on(stream, circuit)
        finally:
            del self._circuits[place]

    def _require_room_for(self, place: HeldPlace, to: _Kept) -> None:
        if not self._attempts.may(f"{place.origin.block} {to.place.key!r}", now_us()):
            raise _Refused(RESOURCE_LIMIT_EXCEEDED)
        there = [one for one, circuit in self._circuits.items() if circuit.to is to]
        _require_room([*there, place], place, CIRCUITS_TO_ONE)
        _require_room([*self._circuits, place], place, CIRCUITS)

    async def _pass_on(self, stream: NetStream, circuit: _Circuit) -> None:
        asker = stream.muxed_conn.peer_id
        limit = Limit(duration=CIRCUIT_SECONDS, data=CIRCUIT_BYTES)
        word = StopMessage(type=StopMessage.CONNECT, peer=PeerId(id=asker.to_bytes()), limit=limit)
        there = await _or_refused(open_stream(circuit.to.connection, STOP))
        try:
            await _or_refused(_announce(there, word))
            await _answer(stream, OK)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_copy, stream, there, circuit)
                nursery.start_soon(_copy, there, stream, circuit)
                with trio.move_on_after(CIRCUIT_SECONDS):
                    await circuit.over.wait()
                nursery.cancel_scope.deadline = trio.current_time() + CLOSE_SECONDS
                await quietly(there.close_write())
                await quietly(stream.close_write())
        finally:
            self._nursery.start_soon(_finish, there)


def _require_room(held: list[HeldPlace], place: HeldPlace, share: PlaceShare) -> None:
    """Make room for one more place, or raise."""
    out = turned_away(held, place, share)
    if out is place:
        raise _Refused(RESOURCE_LIMIT_EXCEEDED)
    if out is not None:
        out.end()


async def _or_refused(step: Awaitable[T]) -> T:
    """Return what comes of a step with the holder of a place, or have the asker refused."""
    try:
        return await step
    except Exception as error:  # the library raises anything
        raise _Refused(CONNECTION_FAILED) from error


async def _announce(there: NetStream, word: StopMessage) -> None:
    """Tell the holder of a place who is to be passed on, and hear that it agrees."""
    with trio.fail_after(NEGOTIATION_SECONDS):
        await write_delimited_msg(there, word)
        answer = await read_stop(talk_of(there))
    if answer.status != OK:
        raise _Refused(CONNECTION_FAILED)


async def _answer(
    stream: NetStream, status: Status.ValueType, reservation: Reservation | None = None
) -> None:
    limit = Limit(duration=CIRCUIT_SECONDS, data=CIRCUIT_BYTES)
    message = HopMessage(
        type=HopMessage.STATUS, status=status, reservation=reservation, limit=limit
    )
    with trio.fail_after(NEGOTIATION_SECONDS):
        await write_delimited_msg(stream, message)


async def _copy(source: NetStream, sink: NetStream, circuit: _Circuit) -> None:
    """Pass bytes on in one direction, and end the circuit with it."""
    try:
        while not circuit.over.is_set() and (data := await source.read(READ_BYTES)):
            circuit.spend(len(data))
            await sink.write(data)
    except Exception:  # noqa: BLE001, S110 - how a stream of the library has ended is no news
        pass
    circuit.over.set()


async def _finish(stream: NetStream) -> None:
    """Let the other end of a stream read everything, and then be rid of it."""
    with trio.CancelScope(shield=True):
        with trio.move_on_after(CLOSE_SECONDS):
            await quietly(stream.close_write())
            await quietly(_drained(stream))
        with trio.move_on_after(CLOSE_SECONDS):
            await quietly(stream.reset())


async def _drained(stream: NetStream) -> None:
    while await stream.read(READ_BYTES):
        pass


@asynccontextmanager
async def serve(host: IHost, swarm: GuardedSwarm) -> AsyncIterator[None]:
    """Be a relay for others, and tell them whether they need one."""
    async with trio.open_nursery() as nursery:
        service = Service(host, nursery)
        # Where those come from who are served, the door remembers.
        swarm.door.acquaintances = Acquaintances(service.knows)
        swarm.may_rest = service.keeps
        DialBack(host, swarm, nursery)
        yield
        nursery.cancel_scope.cancel()

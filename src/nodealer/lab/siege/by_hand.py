"""A stranger's end of a connection: multistream, Noise and yamux by hand, bytes as they are wanted.

The library would keep to the rules. Here every layer is a pipe over the one below, so an attack can
stop at any of them, or go on as it likes. What a peer sends is believed: this end has nothing to
lose. Nothing but the loopback interface is ever dialled or listened on.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import cycle, repeat
from typing import Final

import trio
from nacl.signing import SigningKey
from noise.connection import Keypair, NoiseConnection  # type: ignore[import-untyped]
from noise.exceptions import NoiseInvalidMessage  # type: ignore[import-untyped]

from nodealer.kernel import LocalError, Reason
from nodealer.node import Address

NOISE: Final = "/noise"
YAMUX: Final = "/yamux/1.0.0"

MULTISTREAM: Final = "/multistream/1.0.0"
SUITE: Final = b"Noise_XX_25519_ChaChaPoly_SHA256"
SIGNED_PREFIX: Final = b"noise-libp2p-static-key:"

RSA, ED25519 = 0, 1
"""Kinds of keys, by the numbers of libp2p."""

SEALED_BYTES_MAX: Final = 65_519
CHUNK_BYTES: Final = 1 << 16

SOURCES: Final = tuple(f"127.66.{block}.1" for block in range(4))
"""Four machines in as many networks, by their numbers: nobody honest comes from there."""

DATA, WINDOW, PING = 0, 1, 2
SYN, ACK, FIN, RST = 1, 2, 4, 8
HEADER: Final = struct.Struct("!BBHII")
WINDOW_BYTES: Final = 1 << 18


class WireClosed(Exception):  # noqa: N818 - what most attacks come to
    """The other end has closed the connection or the stream."""


BROKEN: Final = (WireClosed, OSError, trio.BrokenResourceError, trio.ClosedResourceError)
"""What a connection of an attacker ends with."""


def require_loopback(address: Address) -> None:
    """Raise `LocalError` unless an address is one of this machine alone."""
    is_number = address.kind in ("ip4", "ip6")
    if not is_number or not ipaddress.ip_address(address.host).is_loopback or address.relay:
        detail = f"a siege is laid on this machine alone, not on {address}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)


# Pipes.


class Pipe(ABC):
    """Bytes in order, both ways."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @abstractmethod
    async def write(self, data: bytes) -> None:
        """Write everything."""

    @abstractmethod
    async def more(self) -> bytes:
        """Return what comes next; raise one of `BROKEN` at the end."""

    async def read(self, count: int) -> bytes:
        """Return so many bytes."""
        while len(self._buffer) < count:
            self._buffer += await self.more()
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data


class Bare(Pipe):
    """A connection of TCP."""

    def __init__(self, stream: trio.SocketStream) -> None:
        super().__init__()
        self._stream = stream

    async def write(self, data: bytes) -> None:
        """Write everything."""
        await self._stream.send_all(data)

    async def more(self) -> bytes:
        """Return what comes next."""
        data = await self._stream.receive_some(CHUNK_BYTES)
        if not data:
            raise WireClosed
        return bytes(data)

    async def until_closed(self) -> None:
        """Wait for the end, whatever comes before it."""
        while True:
            await self.more()


class NoiseChannel(Pipe):
    """The channel that Noise has made of a connection."""

    def __init__(self, below: Pipe, state: NoiseConnection) -> None:
        super().__init__()
        self._below = below
        self._state = state

    async def write(self, data: bytes) -> None:
        """Write everything."""
        for start in range(0, len(data), SEALED_BYTES_MAX):
            chunk = data[start : start + SEALED_BYTES_MAX]
            await self._below.write(_counted(self._state.encrypt(chunk)))

    async def more(self) -> bytes:
        """Return what comes next."""
        data = await _read_counted(self._below)
        try:
            return bytes(self._state.decrypt(data))
        except NoiseInvalidMessage as error:  # a node under pressure ends a connection like this
            raise WireClosed from error


@asynccontextmanager
async def dialled(address: Address) -> AsyncIterator[Bare]:
    """Dial an address of this machine, from one of the attackers' own where it has them."""
    require_loopback(address)
    source = next(_sources())
    async with await trio.open_tcp_stream(
        address.host, address.port, local_address=source
    ) as stream:
        yield Bare(stream)


@cache
def _sources() -> Iterator[str | None]:
    """Return the numbers from which attackers come, in turn; none where there is but one."""
    with socket.socket() as probe:
        try:
            probe.bind((SOURCES[0], 0))
        except OSError:
            return repeat(None)
    return cycle(SOURCES)


# Multistream.


async def propose(pipe: Pipe, protocol: str) -> bool:
    """Propose a protocol, and say whether the other end takes it."""
    await pipe.write(line(MULTISTREAM) + line(protocol))
    return [await _read_line(pipe), await _read_line(pipe)] == [MULTISTREAM, protocol]


async def agree(pipe: Pipe) -> None:
    """Take whatever the other end proposes."""
    await pipe.write(line(MULTISTREAM))
    await _read_line(pipe)
    await pipe.write(line(await _read_line(pipe)))


def line(text: str) -> bytes:
    """Return a line of multistream."""
    return delimited(text.encode() + b"\n")


def delimited(data: bytes) -> bytes:
    """Return bytes behind their number."""
    return varint(len(data)) + data


def varint(number: int) -> bytes:
    """Return a number in seven bits a byte, the lowest first."""
    written = bytearray()
    while number >> 7:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


async def read_delimited(pipe: Pipe) -> bytes:
    """Return bytes that come behind their number."""
    length, shift = 0, 0
    while True:
        (byte,) = await pipe.read(1)
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:  # noqa: PLR2004 - the bit that says that more follows
            return await pipe.read(length)


async def _read_line(pipe: Pipe) -> str:
    return (await read_delimited(pipe)).decode(errors="replace").removesuffix("\n")


# Noise.


@dataclass(frozen=True, slots=True)
class Persona:
    """The claim of a stranger: a key of some kind, and what signs for it."""

    identity: bytes
    signer: SigningKey

    def payload(self, static: bytes) -> bytes:
        """Return what goes with the last message of its handshake."""
        signature = self.signer.sign(SIGNED_PREFIX + static).signature
        return _field(1, self.identity) + _field(2, signature)

    @property
    def public(self) -> bytes:
        """The key that signs."""
        return bytes(self.signer.verify_key)


def anybody() -> Persona:
    """Return a persona with a fresh key, like anybody who is new."""
    signer = SigningKey.generate()
    return Persona(identity_of(ED25519, bytes(signer.verify_key)), signer)


def identity_of(kind: int, key: bytes) -> bytes:
    """Return a public key as libp2p writes it."""
    return bytes((8, kind)) + _field(2, key)


async def half_secure(pipe: Pipe) -> NoiseConnection:
    """Begin the handshake, and leave it after the first message."""
    if not await propose(pipe, NOISE):
        raise WireClosed
    state = _begun(is_calling=True)
    await pipe.write(_counted(state.write_message()))
    return state


async def secure(pipe: Pipe, persona: Persona) -> NoiseChannel:
    """Do the handshake of Noise, as the end that has dialled."""
    state = await half_secure(pipe)
    state.read_message(await _read_counted(pipe))
    await pipe.write(_counted(state.write_message(persona.payload(_static(state)))))
    return NoiseChannel(pipe, state)


async def answer(pipe: Pipe, persona: Persona) -> None:
    """Do the handshake of Noise up to its second message, as the end that was dialled."""
    await agree(pipe)
    state = _begun(is_calling=False)
    state.read_message(await _read_counted(pipe))
    await pipe.write(_counted(state.write_message(persona.payload(_static(state)))))


def _begun(*, is_calling: bool) -> NoiseConnection:
    state = NoiseConnection.from_name(SUITE)
    state.set_keypair_from_private_bytes(Keypair.STATIC, os.urandom(32))
    (state.set_as_initiator if is_calling else state.set_as_responder)()
    state.start_handshake()
    return state


def _static(state: NoiseConnection) -> bytes:
    return bytes(state.noise_protocol.keypairs["s"].public_bytes)


def _field(number: int, data: bytes) -> bytes:
    return bytes((number << 3 | 2,)) + delimited(data)


def _counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + bytes(data)


async def _read_counted(pipe: Pipe) -> bytes:
    return await pipe.read(int.from_bytes(await pipe.read(2), "big"))


# Yamux.


class Mux:
    """The end of yamux that has dialled; what the other end opens is left open and unread."""

    def __init__(self, below: Pipe) -> None:
        self._below = below
        self._channels: dict[int, Channel] = {}
        self._writing = trio.Lock()
        self._next = 1

    async def open(self) -> Channel:
        """Open a stream."""
        channel = Channel(self, self._next)
        self._channels[self._next] = channel
        self._next += 2
        await self.frame(WINDOW, SYN, channel.number, 0)
        return channel

    async def frame(
        self, kind: int, flags: int, stream: int, number: int, body: bytes = b""
    ) -> None:
        """Write a frame; `number` is its length, or what else it says."""
        await self.raw(HEADER.pack(0, kind, flags, stream, number) + body)

    async def raw(self, data: bytes) -> None:
        """Write whatever it is."""
        async with self._writing:
            await self._below.write(data)

    async def run(self) -> None:
        """Read until the connection ends, which raises."""
        try:
            while True:
                _, kind, flags, stream, number = HEADER.unpack(await self._below.read(HEADER.size))
                body = await self._below.read(number) if kind == DATA else b""
                if kind == PING and flags & SYN:
                    await self.frame(PING, ACK, 0, number)
                channel = self._channels.get(stream)
                if channel is not None:
                    channel.heard(number if kind == WINDOW else 0, body)
                    channel.is_over = channel.is_over or bool(flags & (FIN | RST))
                    if body:
                        await self.frame(WINDOW, 0, stream, len(body))
        finally:
            for channel in self._channels.values():
                channel.is_over = True
                channel.heard(0, b"")


class Channel(Pipe):
    """A stream of yamux that this end has opened."""

    def __init__(self, mux: Mux, number: int) -> None:
        super().__init__()
        self.number = number
        self.is_over = False
        self._mux = mux
        self._window = WINDOW_BYTES
        self._arrived = b""
        self._news = trio.lowlevel.ParkingLot()

    async def write(self, data: bytes) -> None:
        """Write everything, within the window that the other end gives."""
        while data:
            while not self._window:
                await self._wait()
            size = min(self._window, CHUNK_BYTES, len(data))
            self._window -= size
            await self._mux.frame(DATA, 0, self.number, size, data[:size])
            data = data[size:]

    async def more(self) -> bytes:
        """Return what comes next."""
        while not self._arrived:
            await self._wait()
        data, self._arrived = self._arrived, b""
        return data

    def heard(self, window: int, body: bytes) -> None:
        """Take in what the other end has said of this stream."""
        self._window += window
        self._arrived += body
        self._news.unpark_all()

    async def _wait(self) -> None:
        if self.is_over:
            raise WireClosed
        await self._news.park()


@asynccontextmanager
async def connected(address: Address, persona: Persona) -> AsyncIterator[Mux]:
    """Open a whole connection: all that comes before the first stream."""
    async with dialled(address) as bare:
        sealed = await secure(bare, persona)
        if not await propose(sealed, YAMUX):
            raise WireClosed
        mux = Mux(sealed)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(mux.run)
            yield mux
            nursery.cancel_scope.cancel()

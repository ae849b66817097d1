"""Somebody who speaks multistream, Noise and yamux by hand, and keeps to as much of it as it likes.

Nothing of this is our own code or the library's but the cipher. A stranger calls a node, or waits
for its call; each step of what comes then is a method, so that a test can stop anywhere.
"""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from noise.connection import Keypair, NoiseConnection  # type: ignore[import-untyped]  # no types

from nodealer.node.transport.over_libp2p import Libp2pCarrier
from tests.node.makers import SEEDS

DATA, CREDIT, PING, GO_AWAY = range(4)
SYN, ACK, FIN, RST = 1, 2, 4, 8

MULTISTREAM = "/multistream/1.0.0"


def line(text: str) -> bytes:
    return bytes([len(text) + 1]) + text.encode() + b"\n"


def frame(kind: int, flags: int, number: int, value: int, body: bytes = b"") -> bytes:
    return struct.pack("!BBHII", 0, kind, flags, number, value) + body


def data(number: int, body: bytes, flags: int = 0) -> bytes:
    return frame(DATA, flags, number, len(body), body)


def field(number: int, content: bytes) -> bytes:
    """Return a field of a protobuf that holds bytes."""
    length, digits = len(content), b""
    while length >= 1 << 7:
        digits += bytes([length & 0x7F | 0x80])
        length >>= 7
    return bytes([number << 3 | 2]) + digits + bytes([length]) + content


class Stranger:
    """One end of a TCP connection."""

    def __init__(self, raw: trio.SocketStream, seed: bytes = SEEDS[6]) -> None:
        self.raw = raw
        self.identity = Ed25519PrivateKey.from_private_bytes(seed)
        self.static = X25519PrivateKey.generate()
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_SHA256")
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, self.static.private_bytes_raw())

    def payload(self) -> bytes:
        """Return what an honest node says of its key."""
        static = self.static.public_key().public_bytes_raw()
        key = self.identity.public_key().public_bytes_raw()
        signature = self.identity.sign(b"noise-libp2p-static-key:" + static)
        return field(1, b"\x08\x01\x12\x20" + key) + field(2, signature)

    # --- without Noise ---

    async def read(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            more = await self.raw.receive_some(count - len(found))
            if not more:
                raise trio.EndOfChannel
            found += more
        return found

    async def hear_line(self) -> str:
        return (await self.read((await self.read(1))[0])).decode().rstrip("\n")

    async def send_packet(self, content: bytes) -> None:
        await self.raw.send_all(len(content).to_bytes(2, "big") + content)

    async def read_packet(self) -> bytes:
        return await self.read(int.from_bytes(await self.read(2), "big"))

    async def is_shut_out(self) -> None:
        """Wait until the node has closed the connection."""
        try:
            while await self.raw.receive_some(1 << 16):
                pass
        except trio.BrokenResourceError:
            pass

    # --- the steps of a caller ---

    async def ask_for_noise(self) -> None:
        await self.raw.send_all(line(MULTISTREAM) + line("/noise"))
        assert await self.hear_line() == MULTISTREAM
        assert await self.hear_line() == "/noise"

    async def begin_noise(self) -> None:
        self.noise.set_as_initiator()
        self.noise.start_handshake()
        await self.send_packet(bytes(self.noise.write_message()))
        self.noise.read_message(await self.read_packet())

    async def end_noise(self, payload: bytes | None = None) -> None:
        said = self.payload() if payload is None else payload
        await self.send_packet(bytes(self.noise.write_message(said)))

    async def ask_for_yamux(self) -> None:
        await self.send(line(MULTISTREAM) + line("/yamux/1.0.0"))
        assert await self.hear() == line(MULTISTREAM)
        assert await self.hear() == line("/yamux/1.0.0")

    async def come_in(self) -> None:
        """Do all of these."""
        await self.ask_for_noise()
        await self.begin_noise()
        await self.end_noise()
        await self.ask_for_yamux()

    # --- the steps of one who is called ---

    async def agree_on_noise(self) -> None:
        assert await self.hear_line() == MULTISTREAM
        assert await self.hear_line() == "/noise"
        await self.raw.send_all(line(MULTISTREAM) + line("/noise"))

    async def answer_noise(self, payload: bytes | None = None) -> None:
        self.noise.set_as_responder()
        self.noise.start_handshake()
        self.noise.read_message(await self.read_packet())
        said = self.payload() if payload is None else payload
        await self.send_packet(bytes(self.noise.write_message(said)))
        self.noise.read_message(await self.read_packet())

    async def agree_on_yamux(self) -> None:
        assert await self.hear() == line(MULTISTREAM) + line("/yamux/1.0.0")
        await self.send(line(MULTISTREAM) + line("/yamux/1.0.0"))

    # --- within Noise ---

    async def send(self, content: bytes) -> None:
        """Write something, as few packets as it takes."""
        for start in range(0, len(content), 65_000):
            await self.send_packet(bytes(self.noise.encrypt(content[start : start + 65_000])))

    async def hear(self) -> bytes:
        """Return what the next packet holds."""
        return bytes(self.noise.decrypt(await self.read_packet()))

    async def hear_frame(self) -> tuple[int, int, int, int, bytes]:
        """Return the next frame: its kind, its flags, its stream, its value, and what follows."""
        packet = await self.hear()
        _, kind, flags, number, value = struct.unpack("!BBHII", packet[:12])
        return kind, flags, number, value, packet[12:]

    async def propose(self, number: int, protocol: str) -> None:
        """Begin a stream and say what is to be spoken there."""
        await self.send(frame(CREDIT, SYN, number, 0))
        await self.send(data(number, line(MULTISTREAM) + line(protocol)))


@asynccontextmanager
async def calling(carrier: Libp2pCarrier, seed: bytes = SEEDS[6]) -> AsyncIterator[Stranger]:
    """Call a node."""
    address = carrier.addresses()[0]
    async with await trio.open_tcp_stream(address.host, address.port) as raw:
        yield Stranger(raw, seed)

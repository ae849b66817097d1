"""A connection whose other end has proven its key: Noise, with everything else left out.

The handshake is XX of Noise as libp2p does it: three messages, of which the second and the third
carry a static key that was made for this run of the program, and an Ed25519 key with its signature
over the static one. The library parses those messages by a general grammar, imports keys of every
kind that it knows, and computes with the numbers in them before it looks how large they are. So
they are read here. A message has at most `MESSAGE_BYTES_MAX`, a key has 36 bytes that begin as an
Ed25519 key does, a signature 64; what is not so is refused before anything is computed. Extensions
are passed over.

Afterwards bytes travel in packets of Noise, each with its length in two bytes before it. What is
read of a connection and not taken is less than a packet and what one look at the socket brings.

Every piece of work that the other end can ask for is done in its turn (`stranger_turns`), while it
is a stranger.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from libp2p.abc import IRawConnection
from libp2p.crypto.ed25519 import Ed25519PublicKey
from libp2p.crypto.keys import KeyPair
from libp2p.crypto.x25519 import create_new_key_pair as create_static_pair
from libp2p.peer.id import ID
from libp2p.security.noise.patterns import PatternXX

from nodealer.crypto import SIGNATURE_BYTES, VerifyKey
from nodealer.node.transport.addresses import KEY_BYTES, PeerKey
from nodealer.node.transport.carrier import BrokenRuleError, StreamBroken
from nodealer.node.transport.stranger_turns import Pace

NOISE: Final = "/noise"

MESSAGE_BYTES_MAX: Final = 1024
"""Of the handshake: keys, tags and a signature are 250 bytes, extensions of others a hundred."""

PLAIN_BYTES_MAX: Final = 65_535 - 16
"""Of a packet, before its tag."""

READ_BYTES: Final = 1 << 16
"""Taken from the socket at a time."""

KEY_PREFIX: Final = bytes([0x08, 0x01, 0x12, KEY_BYTES])
"""What stands before an Ed25519 key: kind 1, and a field of 32 bytes."""

SIGNED_PREFIX: Final = b"noise-libp2p-static-key:"

IDENTITY_FIELD: Final = 1
SIGNATURE_FIELD: Final = 2
BYTES_OF_LENGTH: Final = 2
"""The type of all fields of a payload: bytes behind their length."""


class ImpostorError(BrokenRuleError):
    """The other end has proven another key than the one that was dialled."""


class _Reader:
    """Gives so many bytes, and no more, of what comes in pieces of any size."""

    def __init__(self, more: Callable[[], Awaitable[bytes]]) -> None:
        self._more = more
        self._rest = bytearray()

    async def exactly(self, count: int) -> bytes:
        """Return the next bytes, or raise `StreamBroken`."""
        rest = self._rest
        while len(rest) < count:
            piece = await self._more()
            if not piece:
                raise StreamBroken
            rest += piece
        found = bytes(rest[:count])
        del rest[:count]
        return found


class PlainStream:
    """A raw connection, read in exact pieces."""

    def __init__(self, raw: IRawConnection) -> None:
        self.raw = raw
        self.exactly = _Reader(lambda: raw.read(READ_BYTES)).exactly

    async def write(self, data: bytes) -> None:
        """Write everything."""
        await self.raw.write(data)


class Secured:
    """A connection that nobody else can read or write, to the holder of a key."""

    def __init__(self, plain: PlainStream, noise: _Ciphers, key: PeerKey, pace: Pace) -> None:
        self.key = key
        self.raw = plain.raw
        self._plain = plain
        self._noise = noise
        self._pace = pace
        self.exactly = _Reader(self._packet).exactly

    async def write(self, data: bytes) -> None:
        """Write everything, in as many packets as it takes."""
        for start in range(0, len(data), PLAIN_BYTES_MAX):
            packet = self._noise.encrypt(data[start : start + PLAIN_BYTES_MAX])
            await self._plain.write(len(packet).to_bytes(2, "big") + packet)

    async def _packet(self) -> bytes:
        """Return what the next packet holds; nothing else than an end is an empty one."""
        packet = await _read_packet(self._plain)
        return await self._pace.do(lambda: self._noise.decrypt(packet), 0.0)


class HandshakeIdentity:
    """The identity of this node in the handshakes of one run of the program."""

    def __init__(self, pair: KeyPair) -> None:
        self._pattern = PatternXX(
            ID.from_pubkey(pair.public_key), pair.private_key, create_static_pair().private_key
        )
        self._payload = self._pattern.make_handshake_payload().serialize()

    async def prove(self, plain: PlainStream, pace: Pace, wanted: PeerKey | None) -> Secured:
        """Do the handshake; the end that has dialled knows whom it wants."""
        noise = self._pattern.create_noise_state()
        set_role = noise.set_as_responder if wanted is None else noise.set_as_initiator
        set_role()
        noise.start_handshake()
        state = noise.noise_protocol.handshake_state
        if wanted is None:
            await _hear(plain, pace, noise)
            await _say(plain, pace, noise, self._payload)
            payload = await _hear(plain, pace, noise)
        else:
            await _say(plain, pace, noise, b"")
            payload = await _hear(plain, pace, noise)
        key = await pace.do(lambda: read_payload(payload, state.rs.public_bytes), 0.0)
        if wanted is not None:
            if key != wanted:
                raise ImpostorError(f"the key {key.hex()}")
            await _say(plain, pace, noise, self._payload)
        return Secured(plain, noise, key, pace)


def read_payload(payload: bytes, static: bytes) -> PeerKey:
    """Return the key that a payload of a handshake proves to hold a static key, or raise."""
    fields = _fields(payload)
    identity, signature = fields.get(IDENTITY_FIELD, b""), fields.get(SIGNATURE_FIELD, b"")
    key = PeerKey(identity.removeprefix(KEY_PREFIX))
    if len(key) != KEY_BYTES or len(identity) != len(KEY_PREFIX) + KEY_BYTES:
        raise BrokenRuleError("not an Ed25519 key")
    if len(signature) != SIGNATURE_BYTES:
        raise BrokenRuleError("no signature")
    VerifyKey(key)  # raises for keys under which anything is signed
    if not Ed25519PublicKey.from_bytes(key).verify(SIGNED_PREFIX + static, signature):
        raise BrokenRuleError("the signature is of another key")
    return key


def _fields(payload: bytes) -> dict[int, bytes]:
    """Return the fields of a payload by number: all of them bytes, shorter than 16 KiB."""
    fields: dict[int, bytes] = {}
    rest = payload
    while rest:
        number, kind = rest[0] >> 3, rest[0] & 0x07
        if kind != BYTES_OF_LENGTH or number in fields or rest[0] & 0x80 or len(rest) == 1:
            raise BrokenRuleError("no field")
        length, begin = rest[1], 2
        if length & 0x80 and len(rest) > begin:
            length, begin = length + (rest[2] << 7) - 0x80, 3
        if len(rest) < begin + length:
            raise BrokenRuleError("a field is cut short")
        fields[number], rest = rest[begin : begin + length], rest[begin + length :]
    return fields


class _Ciphers(Protocol):
    """Noise, once the handshake is over."""

    def encrypt(self, data: bytes) -> bytes: ...

    def decrypt(self, data: bytes) -> bytes: ...


class _Noise(_Ciphers, Protocol):
    """Noise, until then."""

    def write_message(self, payload: bytes) -> bytearray: ...

    def read_message(self, data: bytes) -> bytearray: ...


async def _hear(plain: PlainStream, pace: Pace, noise: _Noise) -> bytes:
    message = await _read_packet(plain, MESSAGE_BYTES_MAX)
    return bytes(await pace.do(lambda: noise.read_message(message), 0.0))


async def _say(plain: PlainStream, pace: Pace, noise: _Noise, payload: bytes) -> None:
    message = await pace.do(lambda: noise.write_message(payload), 0.0)
    await plain.write(len(message).to_bytes(2, "big") + message)


async def _read_packet(plain: PlainStream, most: int = 1 << 16) -> bytes:
    length = int.from_bytes(await plain.exactly(2), "big")
    if length > most:
        raise BrokenRuleError(f"a message of {length} bytes")
    return await plain.exactly(length)

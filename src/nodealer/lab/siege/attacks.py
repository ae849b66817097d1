"""The attacks of a siege, as a table: each is what one stranger does on one connection.

An attacker keeps many of these going at a time, and begins each anew `AGAIN_SECONDS` after it has
ended, however it has ended. Whatever it does is bounded: in bytes and number here, in time by
whoever runs it. Each counts how often it has *reached* what it aims at, the point where a guard
stands or does not, and how often it was let *through*: an attack that reaches nothing shows
nothing. How many connections or places it holds is counted too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from itertools import count
from typing import Final, TypeAlias

import trio

from nodealer.lab.siege.by_hand import (
    BROKEN,
    DATA,
    HEADER,
    MULTISTREAM,
    RSA,
    SYN,
    WINDOW_BYTES,
    Bare,
    Channel,
    Mux,
    Persona,
    WireClosed,
    answer,
    anybody,
    connected,
    delimited,
    dialled,
    half_secure,
    identity_of,
    line,
    propose,
    read_delimited,
    secure,
    varint,
)
from nodealer.node import (
    RUN_ID_BYTES,
    Address,
    Deframer,
    Hello,
    PeerKey,
    Ping,
    RunId,
    read_frame,
    write_frame,
)

AGAIN_SECONDS: Final = 5.0
"""Before a stranger comes back: 128 of them come 26 times a second."""

STAY_SECONDS: Final = 600.0
"""Longer than any siege."""

BEAT_SECONDS: Final = 1.0

RSA_BYTES: Final = 30_000
"""Of each of two integers: together they just fit into a message of Noise."""

PUSHES_MAX: Final = 32
"""Of a mebibyte each; what a node keeps of one has many times its size."""

PUSHED_NAMES: Final = 1 << 18
PUSHED_NAME_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz0123456789"

JUNK_KIND: Final = 9
JUNK_FRAMES: Final = 5_000
"""Written together: 60 kB, which is one message of Noise."""

JUNK_TAKEN: Final = 256
"""Writes after which somebody must have read: no socket holds as much."""

UNREAD_STREAMS: Final = 16
"""Of a quarter of a mebibyte each, for a connection; 128 connections leave half a gibibyte."""

KEY_SHARES: Final = 8
"""Connections that have a key together: a node takes so many of one peer."""

LINK: Final = "/nodealer/link/1"
IDENTIFY: Final = "/ipfs/id/1.0.0"
PUSH: Final = "/ipfs/id/push/1.0.0"
HOP: Final = "/libp2p/circuit/relay/0.2.0/hop"
RESERVE: Final = bytes((8, 0))
RESERVED: Final = bytes((0x28, 100))


class Aim(Enum):
    """The target of an attack."""

    ONE = auto()
    """One seat of the table, with all connections."""
    EVERY = auto()
    """Every seat, each with so many connections: who is kept out of one may come in at another."""
    RELAY = auto()
    """The relay at which the seats keep places."""
    CALLERS = auto()
    """Every seat, once it dials the attacker."""
    TABLE = auto()
    """All other seats, by one that is at the table itself."""


@dataclass(frozen=True, slots=True)
class Target:
    """A node that is attacked."""

    key: PeerKey
    address: Address


@dataclass(slots=True)
class AttackTally:
    """The deeds of an attacker."""

    tried: int = 0
    reached: int = 0
    through: int = 0
    held: int = 0
    """Connections or places, at this moment."""
    held_most: int = 0
    sent_bytes: int = 0
    cpu_seconds: float = 0
    seconds: float = 0

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Count something that is held meanwhile."""
        self.held += 1
        self.held_most = max(self.held_most, self.held)
        try:
            yield
        finally:
            self.held -= 1


AttackStep: TypeAlias = Callable[[Target, AttackTally], Awaitable[None]]


async def huge_identity(target: Target, tally: AttackTally) -> None:
    """Connect, and prove a key of two huge integers."""
    async with dialled(target.address) as bare:
        await secure(bare, _huge_persona())
        tally.reached += 1
        tally.sent_bytes += 2 * RSA_BYTES
        await bare.until_closed()


async def huge_answer(bare: Bare, tally: AttackTally) -> None:
    """Prove a key of two huge integers to whoever has dialled."""
    tally.tried += 1
    await answer(bare, _huge_persona())
    tally.reached += 1
    tally.sent_bytes += 2 * RSA_BYTES
    await bare.until_closed()


async def many_names(target: Target, tally: AttackTally) -> None:
    """Push the names of a quarter of a million protocols, each time under a fresh key."""
    async with connected(target.address, anybody()) as mux:
        channel = await _opened(mux, PUSH, tally)
        if tally.through >= PUSHES_MAX:
            return
        tally.through += 1
        names = _names()
        await channel.write(names)
        tally.sent_bytes += len(names)
        with trio.move_on_after(BEAT_SECONDS):
            await channel.more()


async def junk_frames(target: Target, tally: AttackTally) -> None:
    """Write frames of a kind that does not exist, as fast as they are taken."""
    async with connected(target.address, anybody()) as mux:
        tally.reached += 1
        junk = HEADER.pack(0, JUNK_KIND, 0, 0, 0) * JUNK_FRAMES
        for sent in count():
            await mux.raw(junk)
            tally.sent_bytes += len(junk)
            tally.through += sent == JUNK_TAKEN


async def unread_bytes(target: Target, tally: AttackTally) -> None:
    """Fill the windows of streams on which nobody reads any more."""
    async with connected(target.address, anybody()) as mux:
        words = line(MULTISTREAM) + line(IDENTIFY)
        filling = bytes(WINDOW_BYTES - len(words))
        for number in range(UNREAD_STREAMS):
            stream = 2 * number + 1
            await mux.raw(HEADER.pack(0, DATA, SYN, stream, len(words)) + words)
            await mux.raw(HEADER.pack(0, DATA, 0, stream, len(filling)) + filling)
            tally.sent_bytes += WINDOW_BYTES
            tally.reached += not number
        tally.through += 1
        with tally.holding():
            await trio.sleep(STAY_SECONDS)


async def strange_link(target: Target, tally: AttackTally) -> None:
    """Be a link that nobody has asked for, in good order: a hello, and a ping a second."""
    persona = anybody()
    async with connected(target.address, persona) as mux:
        channel = await _opened(mux, LINK, tally)
        run = RunId(os.urandom(RUN_ID_BYTES))
        if persona.public < target.key:
            await channel.write(write_frame(Hello(run, None, 0, 1)))
        hello = await _heard_hello(channel)
        if persona.public > target.key:
            await channel.write(write_frame(Hello(run, None, 0, hello.turn)))
        tally.through += 1
        with tally.holding():
            for token in count(1):
                await channel.write(write_frame(Ping(token)))
                with trio.move_on_after(BEAT_SECONDS):
                    while True:
                        await channel.more()


_halves = count()


async def half_open(target: Target, tally: AttackTally) -> None:
    """Take a connection and say nothing, or begin the handshake and say nothing more."""
    async with dialled(target.address) as bare:
        if next(_halves) % 2:
            await half_secure(bare)
        tally.reached += 1
        with tally.holding():
            await bare.until_closed()


_idlers: list[Persona] = []


async def idle_connection(target: Target, tally: AttackTally) -> None:
    """Open a whole connection, and say nothing."""
    if tally.tried // KEY_SHARES >= len(_idlers):
        _idlers.append(anybody())
    async with connected(target.address, _idlers[tally.tried // KEY_SHARES]):
        tally.reached += 1
        with tally.holding():
            await trio.sleep(STAY_SECONDS)


async def relay_place(target: Target, tally: AttackTally) -> None:
    """Take a place at a relay, and stay."""
    async with connected(target.address, anybody()) as mux:
        channel = await _opened(mux, HOP, tally)
        await channel.write(delimited(RESERVE))
        if RESERVED not in await read_delimited(channel):
            raise WireClosed
        tally.through += 1
        with tally.holding():
            await trio.sleep(STAY_SECONDS)


@dataclass(frozen=True, slots=True)
class Attack:
    """One kind of attack."""

    name: str
    aim: Aim
    step: AttackStep | None = None
    """What a stranger does; none if the attacker is dialled, or sits at the table."""
    connections_min: int = 1
    """Fewer would show nothing, however small the siege."""


ATTACKS: Final = (
    Attack("identity", Aim.ONE, huge_identity),
    Attack("dialled", Aim.CALLERS),
    Attack("names", Aim.ONE, many_names),
    Attack("frames", Aim.ONE, junk_frames),
    Attack("unread", Aim.ONE, unread_bytes),
    Attack("strangers", Aim.EVERY, strange_link),
    Attack("half-open", Aim.EVERY, half_open),
    Attack("idle", Aim.EVERY, idle_connection),
    Attack("places", Aim.RELAY, relay_place, connections_min=80),
    Attack("statuses", Aim.TABLE),
)

BY_NAME: Final = {one.name: one for one in ATTACKS}


async def keep_going(step: AttackStep, target: Target, tally: AttackTally) -> None:
    """Do something again and again, until cancelled."""
    while True:
        tally.tried += 1
        try:
            await step(target, tally)
        except* BROKEN:
            pass
        await trio.sleep(AGAIN_SECONDS)


async def wait_for_callers(listener: trio.SocketListener, tally: AttackTally) -> None:
    """Answer whoever dials, until cancelled."""

    async def answered(stream: trio.SocketStream) -> None:
        try:
            await huge_answer(Bare(stream), tally)
        except* BROKEN:
            pass

    await trio.serve_listeners(answered, [listener])


async def _opened(mux: Mux, protocol: str, tally: AttackTally) -> Channel:
    """Open a stream with a protocol; raise `WireClosed` where it is not offered."""
    channel = await mux.open()
    is_taken = await propose(channel, protocol)
    tally.reached += 1
    if not is_taken:
        raise WireClosed
    return channel


async def _heard_hello(channel: Channel) -> Hello:
    deframer = Deframer()
    while True:
        for body in deframer.feed(await channel.more()):
            head, _ = read_frame(body)
            if isinstance(head, Hello):
                return head


@cache
def _names() -> bytes:
    """Return a message of identify that names very many protocols, behind its length."""
    letters = PUSHED_NAME_LETTERS
    names = [bytes((a, b)) for a in letters for b in letters]
    message = b"".join(
        bytes((0x1A, 2)) + names[number % len(names)] for number in range(PUSHED_NAMES)
    )
    return varint(len(message)) + message


@cache
def _huge_persona() -> Persona:
    """Return somebody with a private key of RSA in place of a public one, of huge integers."""
    first, second = (
        int.from_bytes(os.urandom(RSA_BYTES)) | 1 << 8 * RSA_BYTES - 1 | 1 for _ in "pq"
    )
    numbers = (0, 15, 3, 3, first, second, 1, 1, 1)
    body = b"".join(map(_integer, numbers))
    key = b"\x30" + _length(len(body)) + body
    return Persona(identity_of(RSA, key), anybody().signer)


def _integer(number: int) -> bytes:
    """Return an integer in DER."""
    data = number.to_bytes(number.bit_length() // 8 + 1)
    return b"\x02" + _length(len(data)) + data


def _length(length: int) -> bytes:
    """Return a length in DER."""
    if length < 0x80:  # noqa: PLR2004 - the bit that says that the length is longer
        return bytes((length,))
    data = length.to_bytes((length.bit_length() + 7) // 8)
    return bytes((0x80 | len(data),)) + data


def cpu_seconds() -> float:
    """Return the processor time of this process."""
    return time.process_time()

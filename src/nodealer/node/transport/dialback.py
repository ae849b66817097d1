"""Can others reach me? Only others can tell: a relay of ours tries, when it is asked to.

Who asks names a port and nothing else. The relay dials that port of the very machine from which the
question has come, as it sees it, and proves that the asker's key answers there. So nobody can point
a relay at somebody else, and what reaches a machine that has asked is less than what it has sent.
Ports below 1024 are those of other services, and are not tried. How often a peer and a block may
ask is said in `admission`, and only so many are tried for at a time; more are told so.

    question   the port, in two bytes, the higher first
    answer     one byte (0 reached, 1 not reached, 2 not tried) and the asker's number, as ASCII

One stream of `/nodealer/dialback/1` for each question.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import trio
from libp2p.abc import IHost, INetStream
from libp2p.custom_types import TProtocol
from libp2p.network.stream.exceptions import StreamEOF
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID

from nodealer.node.transport.addresses import Address
from nodealer.node.transport.admission import (
    DIAL_BACKS,
    DIAL_BACKS_OF_BLOCK,
    Counted,
    origin_of,
)
from nodealer.node.transport.guarded import muxed
from nodealer.node.transport.library import NEGOTIATION_SECONDS, dial, open_stream, quietly
from nodealer.node.transport.link import now_us

PROTOCOL: Final = TProtocol("/nodealer/dialback/1")

PORT_BYTES: Final = 2
PORT_MIN: Final = 1024
NUMBER_BYTES_MAX: Final = 45
"""The longest number of a machine, of version 6."""

TRY_SECONDS: Final = 5.0
TRIES_MAX: Final = 4


class DialBackFinding(IntEnum):
    """The outcome of a question."""

    REACHED = 0
    NOT_REACHED = 1
    NOT_TRIED = 2


@dataclass(frozen=True, slots=True)
class DialBackAnswer:
    """The answer of a relay."""

    finding: DialBackFinding
    seen_as: str
    """The number from which the question came, as the relay sees it; empty if it is none."""


class DialBack:
    """Answers questions, on a relay."""

    def __init__(self, host: IHost, swarm: Swarm, nursery: trio.Nursery) -> None:
        self._swarm = swarm
        self._nursery = nursery
        self._of_peers = Counted(DIAL_BACKS)
        self._of_blocks = Counted(DIAL_BACKS_OF_BLOCK)
        self._trying = 0
        host.set_stream_handler(PROTOCOL, self._on_stream)

    async def _on_stream(self, stream: INetStream) -> None:
        """Answer one question; never raises."""
        await quietly(self._answer(stream))
        await quietly(stream.close())

    async def _answer(self, stream: INetStream) -> None:
        with trio.fail_after(NEGOTIATION_SECONDS):
            port = int.from_bytes(await muxed(stream).exactly(PORT_BYTES), "big")
        remote = stream.get_remote_address()
        number = remote[0] if remote else ""
        asker = stream.muxed_conn.peer_id
        finding = DialBackFinding.NOT_TRIED
        if number and port >= PORT_MIN and self._may_ask(asker, number):
            kind = f"ip{ipaddress.ip_address(number).version}"
            finding = await self._try(asker, Address(kind, number, port))
        await stream.write(bytes([finding]) + number.encode())

    def _may_ask(self, asker: ID, number: str) -> bool:
        block, now, key = origin_of(number, is_expected=False).block, now_us(), asker.to_string()
        is_free = self._trying < TRIES_MAX
        return is_free and self._of_peers.may(key, now) and self._of_blocks.may(block, now)

    async def _try(self, asker: ID, address: Address) -> DialBackFinding:
        """Dial, and wait a while for it; the dialling itself is not cancelled."""
        is_over, found = trio.Event(), [DialBackFinding.NOT_REACHED]

        async def attempt() -> None:
            await quietly(self._dial(asker, address, found))
            self._trying -= 1
            is_over.set()

        self._trying += 1
        self._nursery.start_soon(attempt)
        with trio.move_on_after(TRY_SECONDS):
            await is_over.wait()
        return found[0]

    async def _dial(self, asker: ID, address: Address, found: list[DialBackFinding]) -> None:
        connection = await dial(self._swarm, address, asker)
        found[0] = DialBackFinding.REACHED
        await connection.close()


async def ask(swarm: Swarm, relay: ID, address: Address, port: int) -> DialBackAnswer:
    """Ask the relay at an address whether it reaches a port of this machine; raise anything."""
    connection = await dial(swarm, address, relay)
    try:
        stream = await open_stream(connection, PROTOCOL)
        with trio.fail_after(TRY_SECONDS + NEGOTIATION_SECONDS):
            await stream.write(port.to_bytes(PORT_BYTES, "big"))
            found, *number = await _rest(stream)
        return DialBackAnswer(DialBackFinding(found), _number(bytes(number).decode("ascii")))
    finally:
        with trio.CancelScope(shield=True):
            await quietly(connection.close())


def _number(text: str) -> str:
    """Return the number of a machine; behind a `%` there may be any text, so that is none."""
    number = ipaddress.ip_address(text)
    if "%" in text:
        raise ValueError(f"{text!r} does not appear to be a number that others can use")
    return str(number)


async def _rest(stream: INetStream) -> bytes:
    """Return what comes up to the end, or as much as an answer can have."""
    data = b""
    while len(data) <= NUMBER_BYTES_MAX:
        try:
            data += await stream.read(1 + NUMBER_BYTES_MAX - len(data) + 1)
        except StreamEOF:
            break
    return data

"""The lines of multistream: two ends agree on what is spoken next, on a connection or a stream.

    dialling                         answering
    /multistream/1.0.0               /multistream/1.0.0
    what is proposed                 the same, or `na`

A line is its length, the text and a line feed. Nobody is known here yet, or what they want is not:
a line is short, and nobody proposes for ever. Bytes behind a line are not touched; they belong to
what comes next.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Protocol, runtime_checkable

from nodealer.node.transport.carrier import BrokenRuleError

MULTISTREAM: Final = "/multistream/1.0.0"
NOT_AVAILABLE: Final = "na"

LINE_BYTES_MAX: Final = 256
"""The names of protocols have some dozens; two bytes say how long it is."""

PROPOSALS_MAX: Final = 8
"""Programs of others propose two or three, the one that they like best first."""


class OtherProtocolError(Exception):
    """The other end does not speak what was proposed."""


@runtime_checkable
class LineTalk(Protocol):
    """Reads and writes bytes, in order."""

    async def exactly(self, count: int) -> bytes:
        """Return the next bytes, so many; raise anything if they do not come."""
        ...

    async def write(self, data: bytes) -> None:
        """Write everything."""
        ...


def line(text: str) -> bytes:
    """Return a line as it is sent."""
    data = text.encode() + b"\n"
    assert len(data) < LINE_BYTES_MAX, "a name of ours"
    low, high = len(data) & 0x7F, len(data) >> 7
    return (bytes([low | 0x80, high]) if high else bytes([low])) + data


async def read_line(talk: LineTalk) -> str:
    """Return the next line, or raise `BrokenRuleError`."""
    text = await talk.exactly(await read_length(talk, LINE_BYTES_MAX))
    if not text.isascii() or not text.endswith(b"\n"):
        raise BrokenRuleError("no line")
    return text[:-1].decode("ascii")


async def read_length(talk: LineTalk, most: int) -> int:
    """Return a length of one or two bytes that is some and at most so much, or raise."""
    length = (await talk.exactly(1))[0]
    if length & 0x80:
        length += (((await talk.exactly(1))[0]) << 7) - 0x80
    if not 0 < length <= most:
        raise BrokenRuleError(f"something of {length} bytes")
    return length


async def propose(talk: LineTalk, protocol: str) -> None:
    """Agree with the end that answers, or raise."""
    await talk.write(line(MULTISTREAM) + line(protocol))
    await _require_multistream(talk)
    answer = await read_line(talk)
    if answer == NOT_AVAILABLE:
        raise OtherProtocolError(protocol)
    if answer != protocol:
        raise BrokenRuleError(f"{answer!r} is no answer to {protocol}")


async def agree(talk: LineTalk, protocols: Collection[str]) -> str:
    """Return which of these protocols the other end proposes, or raise `BrokenRuleError`."""
    await _require_multistream(talk)
    await talk.write(line(MULTISTREAM))
    for _ in range(PROPOSALS_MAX):
        proposal = await read_line(talk)
        if proposal in protocols:
            await talk.write(line(proposal))
            return proposal
        await talk.write(line(NOT_AVAILABLE))
    raise BrokenRuleError("nothing that is spoken here")


async def _require_multistream(talk: LineTalk) -> None:
    found = await read_line(talk)
    if found != MULTISTREAM:
        raise BrokenRuleError(f"{found!r} is not multistream")

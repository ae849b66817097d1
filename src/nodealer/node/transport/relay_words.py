"""The words at a relay that a node reads: of those who ask it, and of relays that it asks.

A word is a message of circuit relay, version 2: its length, then fields in the form of protobuf.
Anybody can send one, so every length is looked at before anything is kept or made of it, and there
are few fields; of those that are known here each stands once. Of what else a word says nothing is
looked at. Words of our own are written by the library, which reads none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nodealer.node.transport.carrier import BrokenRuleError
from nodealer.node.transport.multistream import LineTalk, read_length

WORD_BYTES_MAX: Final = 4096
"""Other programs of libp2p send no longer ones: two names, some addresses, and a voucher."""

FIELDS_MAX: Final = 32
"""Of a word, and of the peer in it: a word has six, and a peer some addresses."""

NUMBER_BYTES_MAX: Final = 10

NUMBER, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5
"""The forms of fields; others are of older days."""

KIND, PEER, PEER_ID = 1, 2, 1
"""The fields that are looked at; the number of the status is another one in each protocol."""


@dataclass(frozen=True, slots=True)
class RelayWord:
    """The content of a word as far as anybody goes by it; None is what it does not say."""

    kind: int | None
    peer: bytes | None
    """The name of a peer; whoever makes something of it looks at its length first."""
    status: int | None


async def read_hop(talk: LineTalk) -> RelayWord:
    """Read a word between a relay and who asks it, or raise `BrokenRuleError`."""
    return hop_word(await _body(talk))


async def read_stop(talk: LineTalk) -> RelayWord:
    """Read a word between a relay and who has a place there, or raise `BrokenRuleError`."""
    return stop_word(await _body(talk))


def hop_word(data: bytes) -> RelayWord:
    """Return what a word between a relay and who asks it says, or raise `BrokenRuleError`."""
    return _word(data, status=5)


def stop_word(data: bytes) -> RelayWord:
    """Return the same of a word between a relay and who has a place there."""
    return _word(data, status=4)


async def _body(talk: LineTalk) -> bytes:
    return await talk.exactly(await read_length(talk, WORD_BYTES_MAX))


def _word(data: bytes, *, status: int) -> RelayWord:
    found = _known(data, {KIND: int, PEER: bytes, status: int})
    kind, peer, answer = (found.get(field) for field in (KIND, PEER, status))
    assert not isinstance(kind, bytes), "a number"
    assert not isinstance(answer, bytes), "a number"
    return RelayWord(kind, _peer(peer) if isinstance(peer, bytes) else None, answer)


def _peer(data: bytes) -> bytes:
    name = _known(data, {PEER_ID: bytes}).get(PEER_ID, b"")
    assert isinstance(name, bytes), "no number"
    return name


def _known(data: bytes, forms: dict[int, type[int | bytes]]) -> dict[int, int | bytes]:
    """Return the fields of these numbers; each has its form, and stands once."""
    found: dict[int, int | bytes] = {}
    for field, value in _fields(data):
        if field in forms:
            if field in found or not isinstance(value, forms[field]):
                raise BrokenRuleError(f"field {field} is another one, or stands twice")
            found[field] = value
    return found


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield number and value of each field."""
    at, count = 0, 0
    while at < len(data):
        count += 1
        if count > FIELDS_MAX:
            raise BrokenRuleError("too many fields")
        tag, at = _number(data, at)
        field, form = tag >> 3, tag & 7
        if form == NUMBER:
            value, at = _number(data, at)
            yield field, value
            continue
        size = {EIGHT_BYTES: 8, FOUR_BYTES: 4}.get(form)
        if form == BYTES:
            size, at = _number(data, at)
        if size is None or size > len(data) - at:
            raise BrokenRuleError(f"a field of the form {form}, or one that is cut")
        yield field, data[at : at + size]
        at += size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins there, and where it has ended."""
    value = 0
    for place, byte in enumerate(data[at : at + NUMBER_BYTES_MAX]):
        value |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            return value, at + place + 1
    raise BrokenRuleError("a number that does not end")

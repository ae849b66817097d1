"""The envelope of what one node sends to another: whose message it is, and the message itself.

All that two players have to say to each other goes over one link, whatever tables they share. An
envelope is a head, a message like any other, and behind it the letter: the bytes of another layer,
as they are, which the node does not look into.

    node/table    a message of the ledger, for a table
    node/chat     a line of chat, for a table
    node/lobby    a message of the lobby, for a lobby
    node/address  where a seat of a table is now: a signed record, as in a lobby
    node/absent   there is no such table here; nothing in it
    node/follow   send me the history of a table from this height on; nothing in it

The letter is not put into the head as a byte string: the longest message would not fit then, and
every byte would be copied and read once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from nodealer.kernel import (
    MESSAGE_BYTES_MAX,
    UINT_MAX,
    Height,
    LocalError,
    PeerError,
    Reason,
    TableId,
)
from nodealer.lobby import LOBBY_BYTES
from nodealer.wire import Field, RecordCodec, Schema, exact_bytes, mapped, read_one, split, uint

ID_BYTES: Final = 32

HEAD_BYTES_MAX: Final = 64
"""No head is longer."""

HEADS_MAX: Final = 64
"""Written heads that are remembered: nearly all letters are for a few tables."""


@dataclass(frozen=True, slots=True)
class ForTable:
    """The letter is a message of the ledger of this table."""

    table: TableId


@dataclass(frozen=True, slots=True)
class ForChat:
    """The letter is a line that somebody at this table has said."""

    table: TableId


@dataclass(frozen=True, slots=True)
class ForLobby:
    """The letter is a message of this lobby."""

    lobby: bytes


@dataclass(frozen=True, slots=True)
class ForAddress:
    """The letter is a record of the addresses of a seat of this table."""

    table: TableId


@dataclass(frozen=True, slots=True)
class Absent:
    """The sender has no such table open."""

    table: TableId


@dataclass(frozen=True, slots=True)
class Follow:
    """The sender wants to watch a table, from this height on."""

    table: TableId
    height: Height


EnvelopeHead: TypeAlias = ForTable | ForChat | ForLobby | ForAddress | Absent | Follow

LETTERED: Final = (ForTable, ForChat, ForLobby, ForAddress)
"""Heads behind which there is a letter."""

_TABLE: Final = mapped(exact_bytes(ID_BYTES), TableId, bytes)
_HEIGHT: Final = mapped(uint(UINT_MAX), Height, int)

_SCHEMAS: Final = (
    Schema("node/table", RecordCodec(ForTable, (Field("table", _TABLE),))),
    Schema("node/chat", RecordCodec(ForChat, (Field("table", _TABLE),))),
    Schema("node/lobby", RecordCodec(ForLobby, (Field("lobby", exact_bytes(LOBBY_BYTES)),))),
    Schema("node/address", RecordCodec(ForAddress, (Field("table", _TABLE),))),
    Schema("node/absent", RecordCodec(Absent, (Field("table", _TABLE),))),
    Schema("node/follow", RecordCodec(Follow, (Field("table", _TABLE), Field("height", _HEIGHT)))),
)

KINDS: Final = tuple(schema.kind for schema in _SCHEMAS)

_BY_KIND: Final[dict[str, Schema[Any]]] = {schema.kind: schema for schema in _SCHEMAS}
_BY_TYPE: Final[dict[type, Schema[Any]]] = {schema.record.build: schema for schema in _SCHEMAS}


def write_envelope(head: EnvelopeHead, letter: bytes = b"") -> bytes:
    """Return the bytes of an envelope."""
    if bool(letter) != isinstance(head, LETTERED) or len(letter) > MESSAGE_BYTES_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a letter of {len(letter)} bytes")
    return _written(head) + letter


@lru_cache(maxsize=HEADS_MAX)
def _written(head: EnvelopeHead) -> bytes:
    return _BY_TYPE[type(head)].write(head)


def read_envelope(data: bytes) -> tuple[EnvelopeHead, bytes]:
    """Return head and letter of what a peer sent, or raise `PeerError`."""
    # Only the beginning: a head that does not end there is too long, whatever it is.
    written = next(split(data[:HEAD_BYTES_MAX]), b"")
    head: EnvelopeHead = read_one(written, _BY_KIND)
    letter = data[len(written) :]
    if isinstance(head, LETTERED):
        if not letter:
            raise PeerError(Reason.ENCODING_TRUNCATED, "no letter")
    elif letter:
        raise PeerError(Reason.ENCODING_TRAILING, f"{len(letter)} bytes behind the head")
    return head, letter

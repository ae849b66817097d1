"""The small forms of which messages of the lobby, invites and records are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nodealer.kernel import SEATS_MAX, SEATS_MIN
from nodealer.ledger import Clock
from nodealer.table import NAME_CHARACTERS_MAX
from nodealer.wire import (
    Codec,
    Field,
    RecordCodec,
    mapped,
    misshapen,
    misused,
    text_up_to,
    tuple_of,
    uint,
)

LOBBY_VERSION: Final = 2
"""The version of what hosts and guests say to each other."""

LOBBY_BYTES: Final = 16
"""A lobby is named by a random number; a host never draws one twice."""

ADDRESS_BYTES_MAX: Final = 512
"""A name of a host has at most 253 characters, and an address at most two of them."""

ADDRESSES_MAX: Final = 8
"""A home, a phone, a tunnel and some relays."""

NUMBER_MAX: Final = 1 << 32
TIME_MAX: Final = 1 << 32
PEOPLE_MIN, PEOPLE_MAX = SEATS_MIN, SEATS_MAX

WATCHERS_MAX: Final = 16
"""Every one costs the host an upload of the whole game."""

SAID_CHARACTERS_MAX: Final = 200
"""Of one line: a sentence or two, as people write while they wait for others."""


def is_plain_text(text: str) -> bool:
    """Return whether a text can be shown anywhere: visible ASCII and spaces."""
    return text.isascii() and text.isprintable()


def is_address(text: str) -> bool:
    """Return whether a text can be an address; what it means is for the network to know."""
    return text.startswith("/") and is_plain_text(text) and " " not in text


def plain_text(bytes_max: int) -> Codec[str]:
    """Return the codec of texts of visible ASCII and spaces."""
    return _texts(bytes_max, is_plain_text, "visible ASCII")


def _texts(bytes_max: int, fits: Callable[[str], bool], wanted: str) -> Codec[str]:
    def read(text: str) -> str:
        if not fits(text):
            raise misshapen(wanted, text)
        return text

    def written(text: str) -> str:
        if not fits(text):
            raise misused(wanted, text)
        return text

    return mapped(text_up_to(bytes_max), read, written)


ADDRESSES: Final = tuple_of(
    _texts(ADDRESS_BYTES_MAX, is_address, "an address that begins with a stroke and has no spaces"),
    at_most=ADDRESSES_MAX,
)
NAME: Final = text_up_to(4 * NAME_CHARACTERS_MAX)
NUMBER: Final = uint(NUMBER_MAX)
CLOCK: Final = RecordCodec(
    Clock, tuple(Field(name, uint(TIME_MAX)) for name in ("act", "answer", "rejoin", "longest"))
)

"""The contents of the file of a move, as messages of the wire.

A head that stands open, then a box. In the box is a sequence: the profile; then for each journal
its head, its records as they are, and its notes; then the friends. Whatever is secret stays out of
the text of these objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nodealer.crypto import COST_MAX, KEY_BYTES, NONCE_BYTES, SALT_BYTES, SEED_BYTES
from nodealer.kernel import MESSAGE_BYTES_MAX, SEATS_MAX, Seat, digest, frame
from nodealer.store.friends import Friend
from nodealer.store.journal import NOTE_BYTES_MAX, NOTE_NAME_BYTES_MAX
from nodealer.store.old_copies import NUMBER_BYTES
from nodealer.wire import (
    Field,
    RecordCodec,
    Schema,
    bytes_up_to,
    exact_bytes,
    mapped,
    optional,
    text_up_to,
    uint,
)

MOVE: Final = "nodealer/1/move"

FORMAT: Final = 1
MOVE_BYTES_MAX: Final = 1 << 30
"""More than a life of games; a box is opened in memory."""

COUNT_MAX: Final = 1 << 20
CHARTER_BYTES_MAX: Final = MESSAGE_BYTES_MAX - 1024
WORD_BYTES_MAX: Final = 64
TIME_MAX: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class MoveHead:
    """The head of the file, which stands open in it."""

    format: int
    number: bytes
    cost: int
    salt: bytes
    nonce: bytes
    check: bytes

    def beside(self) -> bytes:
        """Return what the box is bound to."""
        return frame(MOVE, self.format, self.number, self.cost, self.salt)

    def check_of(self, box: bytes) -> bytes:
        """Return the hash of everything but itself."""
        return digest(MOVE, self.format, self.number, self.cost, self.salt, self.nonce, box)


@dataclass(frozen=True, slots=True)
class MovedProfile:
    """The identity, and how much follows."""

    secret: bytes
    journals: int
    friends: int

    def __repr__(self) -> str:
        """Show how much there is and nothing of it."""
        return f"<moved profile of {self.journals} journals>"


@dataclass(frozen=True, slots=True)
class MovedJournal:
    """The head of a journal, and how much of it follows."""

    charter: bytes
    seat: Seat | None
    seed: bytes
    doubt: str | None
    records: int
    notes: int

    def __repr__(self) -> str:
        """Show how much there is and nothing of it."""
        return f"<moved journal of {self.records} records>"


@dataclass(frozen=True, slots=True)
class MovedNote:
    """A note of a journal."""

    name: str
    value: bytes


HEAD: Final = Schema(
    "store/move",
    RecordCodec(
        MoveHead,
        (
            Field("format", uint()),
            Field("number", exact_bytes(NUMBER_BYTES)),
            Field("cost", uint(COST_MAX)),
            Field("salt", exact_bytes(SALT_BYTES)),
            Field("nonce", exact_bytes(NONCE_BYTES)),
            Field("check", exact_bytes(32)),
        ),
    ),
)
PROFILE: Final = Schema(
    "store/moved-profile",
    RecordCodec(
        MovedProfile,
        (
            Field("secret", exact_bytes(KEY_BYTES)),
            Field("journals", uint(COUNT_MAX)),
            Field("friends", uint(COUNT_MAX)),
        ),
    ),
)
JOURNAL: Final = Schema(
    "store/moved-journal",
    RecordCodec(
        MovedJournal,
        (
            Field("charter", bytes_up_to(CHARTER_BYTES_MAX)),
            Field("seat", optional(mapped(uint(SEATS_MAX - 1), Seat, int))),
            Field("seed", bytes_up_to(SEED_BYTES)),
            Field("doubt", optional(text_up_to(WORD_BYTES_MAX))),
            Field("records", uint(COUNT_MAX)),
            Field("notes", uint(COUNT_MAX)),
        ),
    ),
)
NOTE: Final = Schema(
    "store/moved-note",
    RecordCodec(
        MovedNote,
        (
            Field("name", text_up_to(NOTE_NAME_BYTES_MAX)),
            Field("value", bytes_up_to(NOTE_BYTES_MAX)),
        ),
    ),
)
FRIEND: Final = Schema(
    "store/moved-friend",
    RecordCodec(
        Friend,
        (
            Field("key", exact_bytes(KEY_BYTES)),
            Field("name", text_up_to(WORD_BYTES_MAX * 2)),
            Field("met", uint(TIME_MAX)),
            Field("seen", uint(TIME_MAX)),
            Field("confirmed", optional(uint(TIME_MAX))),
        ),
    ),
)

"""The transcript file: one table's history as bytes that anybody can check.

A transcript is a CBOR sequence, self-contained and without secrets:

    head        says what the file is, and the version of its format
    founding    the charter with the seals that the seats have put on it
    entry …     every entry with its contributions, its certificate and what its ranks rest on
    open n      then n messages: what is signed over the tip's parent and the tip and in no entry,
                the leaves, and the evidence in hand

The entries and what is open are the messages that seats send each other, so nothing has a second
form. `open` stands only where something is open. Because it says how many messages follow, a file
that was cut ends at an entry, and is then the honest record of a shorter history, or it ends in the
middle of something and cannot be read.

The bytes follow from what a seat holds. The final transcripts of the seats of a finished game in
which nobody broke a rule are the same, except that an entry may be held by another certificate:
one seat has all seals, another was given the votes of a round that kept the entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from nodealer.kernel import SEATS_MAX, PeerError, Reason
from nodealer.ledger import (
    Charter,
    Entry,
    Evidence,
    Founded,
    LedgerMessage,
    LedgerState,
    Seal,
    entry_message,
    evidence_held,
    nested,
    open_messages,
    read,
    write,
)
from nodealer.ledger import codec as forms
from nodealer.wire import Field, RecordCodec, Schema, peek_kind, split, tuple_of, uint

FORMAT: Final = 1
"""The version of the format. A reader of this version reads no other."""

OPEN_MAX: Final = 4096
"""Messages that may be open: rounds, contributions and seals over two entries, of ten seats."""

TRANSCRIPT_BYTES_MAX: Final = 1 << 28
"""No game is so long; a reader need not hold more in memory."""


@dataclass(frozen=True, slots=True)
class FileHead:
    """The first item: the version of the format."""

    format: int


@dataclass(frozen=True, slots=True)
class _SealedCharter:
    """The charter and its seals."""

    charter: Founded
    seals: tuple[Seal, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """So many messages follow, and with them the file ends."""

    count: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript as it was read: nothing in it is believed yet."""

    charter: Charter
    seals: tuple[Seal, ...] = ()
    entries: tuple[Entry, ...] = ()
    open: tuple[LedgerMessage, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    @property
    def items(self) -> int:
        """How many items the file has: head, founding, and everything after them."""
        behind = len(self.open) + len(self.evidence)
        return 2 + len(self.entries) + (1 + behind if behind else 0)


HEAD: Final = Schema("nodealer/transcript", RecordCodec(FileHead, (Field("format", uint()),)))
FOUNDING: Final = Schema(
    "transcript/founding",
    RecordCodec(
        _SealedCharter,
        (
            Field("charter", nested(forms.FOUNDED)),
            Field("seals", tuple_of(forms.SEAL, at_most=SEATS_MAX)),
        ),
    ),
)
OPEN: Final = Schema("transcript/open", RecordCodec(Open, (Field("count", uint(OPEN_MAX)),)))

ENTRY: Final = forms.ENTRY.kind
OPEN_KINDS: Final = tuple(
    schema.kind
    for schema in (
        forms.PROPOSAL,
        forms.SEALED,
        forms.CONTRIBUTED,
        forms.VOTED,
        forms.REFUSED,
        forms.LEFT,
        forms.EVIDENCE,
    )
)


def transcript_of(ledger: LedgerState) -> bytes:
    """Return the transcript of what a seat holds."""
    links = list(ledger.tip.downwards())
    links.reverse()
    sealed = ledger.desk.sealed
    seals = links[0].certificate.seals or tuple(sealed[seat] for seat in sorted(sealed))
    return write_transcript(
        Transcript(
            charter=ledger.fixed.charter,
            seals=seals,
            entries=tuple(entry_message(link) for link in links[1:]),
            open=open_messages(ledger),
            evidence=evidence_held(ledger),
        )
    )


def write_transcript(transcript: Transcript) -> bytes:
    """Return the bytes of a transcript."""
    parts = [
        HEAD.write(FileHead(FORMAT)),
        FOUNDING.write(_SealedCharter(Founded(transcript.charter), transcript.seals)),
        *(write(entry) for entry in transcript.entries),
    ]
    behind = [
        *(write(message) for message in transcript.open),
        *(forms.EVIDENCE.write(evidence) for evidence in transcript.evidence),
    ]
    if behind:
        parts.extend([OPEN.write(Open(len(behind))), *behind])
    return b"".join(parts)


def read_transcript(data: bytes) -> Transcript:
    """Return the transcript that a file holds, or raise `PeerError` where it cannot be read."""
    if len(data) > TRANSCRIPT_BYTES_MAX:
        raise PeerError(Reason.ENCODING_OVERSIZED, f"{len(data)} bytes")
    items = split(data)
    head = HEAD.read(_next(items, "a head"))
    if head.format != FORMAT:
        raise PeerError(Reason.ENCODING_VERSION, f"transcript format {head.format}, not {FORMAT}")
    founding = FOUNDING.read(_next(items, "a charter"))
    entries: list[Entry] = []
    for number, item in enumerate(items, 1):
        kind = peek_kind(item, (ENTRY, OPEN.kind))
        if kind == OPEN.kind:
            messages, evidence = _read_open(items, OPEN.read(item).count)
            return Transcript(
                founding.charter.charter, founding.seals, tuple(entries), messages, evidence
            )
        try:
            entries.append(cast("Entry", read(item)))
        except PeerError as error:
            raise PeerError(error.reason, f"entry {number}: {error.detail}") from error
    return Transcript(founding.charter.charter, founding.seals, tuple(entries))


def _read_open(
    items: Iterable[bytes], count: int
) -> tuple[tuple[LedgerMessage, ...], tuple[Evidence, ...]]:
    messages: list[LedgerMessage] = []
    evidence: list[Evidence] = []
    for item in items:
        if peek_kind(item, OPEN_KINDS) == forms.EVIDENCE.kind:
            evidence.append(forms.EVIDENCE.read(item))
        elif evidence:
            raise PeerError(Reason.ENCODING_KIND, "a message behind the evidence")
        else:
            messages.append(read(item))
    found = len(messages) + len(evidence)
    if found != count or not count:
        reason = Reason.ENCODING_TRUNCATED if found < count else Reason.ENCODING_TRAILING
        raise PeerError(reason, f"{count} open messages are announced, {found} are here")
    return tuple(messages), tuple(evidence)


def _next(items: Iterable[bytes], what: str) -> bytes:
    for item in items:
        return item
    raise PeerError(Reason.ENCODING_TRUNCATED, f"the file ends before {what}")

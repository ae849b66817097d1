"""The lines that players say to each other: signed by seats, and what is kept of them.

Chat is no part of a table's history: nothing is decided by it, no transcript holds it, and two
players may have seen different lines. It is signed all the same, because a line comes by way of
whoever has a link: nobody can put words into the mouth of somebody else, nor say them again at
another table or at another time.

A seat counts its lines. Whoever hears a line takes it if the seat has signed it for this table and
its number is greater than that of the line that was heard of this seat before; so each line is
taken once, whichever way it comes first. Lines that were lost are not asked for.

    chat, line = say(chat, seat, signer, text)      a line of one's own: keep it, then send it
    chat = looked_at(chat, bearer, now)             something came over the link of a seat
    chat = heard(chat, line, now)                   and is this line: keep it, then pass it on

The last two raise `PeerError` for what is not taken. What somebody can make this seat do is
bounded: a seat has only so many lines at once and then one every second, and whoever hands lines on
has only so many looked at. Of every seat the last few lines are kept, so that nobody can push out
what others have said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from nodealer.crypto import SIGNATURE_BYTES, SigningKey, VerifyKey
from nodealer.kernel import (
    SEATS_MAX,
    UINT_MAX,
    LocalError,
    PeerError,
    Rate,
    Reason,
    Seat,
    TableId,
    Value,
)
from nodealer.ledger import Charter
from nodealer.lobby import may_be_said
from nodealer.wire import Field, RecordCodec, Schema, exact_bytes, mapped, split, text_up_to, uint

CHAT: Final = "nodealer/1/chat"

TEXT_CHARACTERS_MAX: Final = 300
"""A few sentences; who has more to say says it in several lines."""

TEXT_BYTES_MAX: Final = 4 * TEXT_CHARACTERS_MAX

LINES_KEPT: Final = 40
"""Of all seats together: what somebody who comes back reads to know what was talked about."""

BURST: Final = 20
"""Lines that a seat has at once; no more are kept of one, and those may come together."""

EVERY_TICKS: Final = 1000
"""One more line for a seat, and as many for each seat of whoever hands them on."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """Something that a seat has said; numbers of a seat go up."""

    seat: Seat
    number: int
    text: str
    signature: bytes = field(repr=False)


LINE: Final = Schema(
    "node/line",
    RecordCodec(
        SpokenLine,
        (
            Field("seat", mapped(uint(SEATS_MAX - 1), Seat, int)),
            Field("number", uint(UINT_MAX)),
            Field("text", text_up_to(TEXT_BYTES_MAX)),
            Field("signature", exact_bytes(SIGNATURE_BYTES)),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Chat:
    """The lines said at a table, as one seat or spectator has heard them; the oldest first."""

    table: TableId
    keys: tuple[bytes, ...]
    lines: tuple[SpokenLine, ...] = ()
    of_seat: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))
    """When what each seat has said is paid for; and what each has handed on."""
    of_bearer: Mapping[Seat, int] = field(default_factory=lambda: MappingProxyType({}))

    def last(self, seat: Seat) -> int:
        """Return the number of the last line that is known of a seat."""
        return max((one.number for one in self.lines if one.seat == seat), default=0)


def chat_of(charter: Charter, kept: Sequence[SpokenLine] = ()) -> Chat:
    """Return the chat of a table, with what was kept of it."""
    return Chat(charter.table, charter.keys, tuple(kept))


def say(chat: Chat, seat: Seat, signer: SigningKey, text: str) -> tuple[Chat, SpokenLine]:
    """Return the chat with a line of one's own, or raise `LocalError`."""
    text = " ".join(text.split())
    if not may_be_said(text, TEXT_CHARACTERS_MAX):
        detail = f"a line has 1 to {TEXT_CHARACTERS_MAX} characters, all of which can be seen"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    number = chat.last(seat) + 1
    signature = signer.sign(CHAT, _signed(chat.table, seat, number, text))
    line = SpokenLine(seat, number, text, signature)
    return _with(chat, line), line


def looked_at(chat: Chat, bearer: Seat, now: int) -> Chat:
    """Return the chat with one more line counted for whoever hands it on, or raise `PeerError`.

    It is asked before a line is read: to check a signature costs more than to send one.
    """
    seats = len(chat.keys)
    spent = _spent(chat.of_bearer, bearer, now, Rate(BURST * seats, EVERY_TICKS // seats))
    return replace(chat, of_bearer=spent)


def heard(chat: Chat, line: SpokenLine, now: int) -> Chat:
    """Return the chat with a line that came, or raise `PeerError`."""
    if line.seat >= len(chat.keys):
        raise PeerError(Reason.CHAT_SEAT, f"seat {line.seat}")
    if not may_be_said(line.text, TEXT_CHARACTERS_MAX):
        raise PeerError(Reason.CHAT_TEXT)
    if line.number <= chat.last(line.seat):
        raise PeerError(Reason.CHAT_STALE, f"number {line.number}")
    signed = _signed(chat.table, line.seat, line.number, line.text)
    VerifyKey(chat.keys[line.seat]).verify(CHAT, signed, line.signature)
    of_seat = _spent(chat.of_seat, line.seat, now, Rate(BURST, EVERY_TICKS))
    return replace(_with(chat, line), of_seat=of_seat)


def write_lines(lines: Sequence[SpokenLine]) -> bytes:
    """Return lines as one text of bytes."""
    return b"".join(map(LINE.write, lines))


def read_lines(data: bytes) -> Iterator[SpokenLine]:
    """Yield the lines in what was written, up to where it is damaged."""
    with suppress(PeerError):
        yield from map(LINE.read, split(data))


def _with(chat: Chat, line: SpokenLine) -> Chat:
    """Return the chat with one more line, and without the oldest of that seat beyond its part."""
    lines, part = [*chat.lines, line], LINES_KEPT // len(chat.keys)
    own = [one for one in lines if one.seat == line.seat]
    for old in own[:-part]:
        lines.remove(old)
    return replace(chat, lines=tuple(lines))


def _spent(paid_at: Mapping[Seat, int], seat: Seat, now: int, rate: Rate) -> Mapping[Seat, int]:
    before = paid_at.get(seat, 0)
    if not rate.is_free(before, now):
        raise PeerError(Reason.CHAT_FLOOD, f"seat {seat}")
    return MappingProxyType({**paid_at, seat: rate.after(before, now)})


def _signed(table: TableId, seat: Seat, number: int, text: str) -> Value:
    return (table, seat, number, text)

"""The lines that people in a lobby say to each other: signed by whoever speaks, told by the host.

Nothing is decided by them, and nothing of them is stored: a host that starts again has forgotten
them. The host hands every line to everybody, and to whoever comes later as many as it keeps. It can
hold a line back, and it can tell lines of several people in another order; it can neither write one
for somebody else, nor tell one twice, nor one of another lobby.

A line has a number, which the caller draws from its clock; those of one key go up. Who speaks too
fast is not heard: so many lines at once, and then one each `EVERY_TICKS`. Of what was said the last
lines are kept, of each key no more than its part, so nobody can push out what the others have said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from nodealer.crypto import SigningKey
from nodealer.kernel import LocalError, PeerError, Rate, Reason
from nodealer.lobby.forms import SAID_CHARACTERS_MAX
from nodealer.lobby.messages import Attendee, LobbyLine
from nodealer.lobby.signed import UNSIGNED, check_line, signed_line
from nodealer.table import require_names

KEPT_MAX: Final = 30
"""Of all together: what somebody who comes reads to know what is talked about."""

KEPT_OF_KEY_MAX: Final = 10

SPEAKERS_MAX: Final = 64
"""Keys whose last number is remembered; the lobby has places for 26 people at a time."""

AT_ONCE: Final = 5
EVERY_TICKS: Final = 2_000
"""A sentence takes longer to be typed."""

SPEAKING: Final = Rate(AT_ONCE, EVERY_TICKS)

LISTENING: Final = Rate(2 * KEPT_MAX, 100)
"""What a guest takes of its host: all that is kept, and what 20 people say at the same time."""


@dataclass(frozen=True, slots=True)
class LobbyChat:
    """The lines that are kept, the oldest first, and what is remembered of who has spoken."""

    lines: tuple[LobbyLine, ...] = ()
    last: Mapping[bytes, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of the last line of each key, the one that has spoken last at the end."""
    paid: Mapping[bytes, int] = field(default_factory=lambda: MappingProxyType({}))
    """When what somebody has said, or handed on, is paid for."""
    said: int = 0
    """The number of one's own last line, which may still be on its way."""


@dataclass(frozen=True, slots=True)
class SaidAt:
    """The time of a line: a number from the clock, and the ticks by which it is paid for."""

    number: int
    now: int


def line_of(
    chat: LobbyChat, lobby: bytes, who: Attendee, signer: SigningKey, text: str, at: SaidAt
) -> tuple[LobbyChat, LobbyLine]:
    """Return a line of one's own, and the chat that knows its number; or raise `LocalError`."""
    try:
        chat = spoken(chat, who.key, at.now)
    except PeerError as error:
        raise LocalError(error.reason, "wait a moment before you say more") from error
    text = " ".join(text.split())
    if not may_be_said(text, SAID_CHARACTERS_MAX):
        detail = f"a line has 1 to {SAID_CHARACTERS_MAX} characters, all of which can be seen"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    number = max(at.number, chat.said + 1, chat.last.get(who.key, 0) + 1)
    line = LobbyLine(lobby, who.key, who.name, number, text, UNSIGNED)
    return replace(chat, said=number), signed_line(line, signer)


def spoken(chat: LobbyChat, key: bytes, now: int, rate: Rate = SPEAKING) -> LobbyChat:
    """Return the chat with one more line counted for whoever brings it, or raise `PeerError`."""
    before = chat.paid.get(key, 0)
    if not rate.is_free(before, now):
        raise PeerError(Reason.CHAT_FLOOD)
    paid = {**_but(chat.paid, key), key: rate.after(before, now)}
    return replace(chat, paid=_latest(paid))


def heard(chat: LobbyChat, line: LobbyLine) -> LobbyChat:
    """Return the chat with a line, or raise `PeerError`."""
    require_names([line.name])
    if not may_be_said(line.text, SAID_CHARACTERS_MAX):
        raise PeerError(Reason.CHAT_TEXT)
    if line.number <= chat.last.get(line.key, 0):
        raise PeerError(Reason.CHAT_STALE, f"number {line.number}")
    check_line(line)
    lines = [*chat.lines, line]
    own = [one for one in lines if one.key == line.key]
    for old in (*own[:-KEPT_OF_KEY_MAX], *lines[:-KEPT_MAX])[:1]:
        lines.remove(old)
    last = {**_but(chat.last, line.key), line.key: line.number}
    return replace(chat, lines=tuple(lines), last=_latest(last))


def without_lines(chat: LobbyChat, key: bytes) -> LobbyChat:
    """Return the chat without what the holder of a key has said."""
    return replace(chat, lines=tuple(one for one in chat.lines if one.key != key))


def may_be_said(text: str, characters_max: int) -> bool:
    """Say whether a text is one line without anything that moves a cursor, turns text or hides."""
    is_one = text == " ".join(text.split())
    return is_one and 0 < len(text) <= characters_max and text.isprintable()


def _but(known: Mapping[bytes, int], key: bytes) -> dict[bytes, int]:
    return {one: value for one, value in known.items() if one != key}


def _latest(known: dict[bytes, int]) -> Mapping[bytes, int]:
    return MappingProxyType(dict([*known.items()][-SPEAKERS_MAX:]))

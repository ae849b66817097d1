"""One page at the dialogue: what it has been told, and what waits for it.

Nothing of what is shown waits here. A visit knows which state was said last and which lines; what
is next is read from what is kept anyway. So a page that reads nothing for a whole game costs the
answers that wait for it, of which there are few, and its lines come when it reads again, as far as
they are still kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from nodealer.dialogue.texts import LINE_LETTERS_MAX, Fields, length_of, written
from nodealer.games import JsonValue
from nodealer.kernel import Seat
from nodealer.show import ChatLine, LinePlace, LogLine, chat_after

REPLIES_MAX: Final = 64
"""Answers that wait; whoever does not read is not heard any more."""

CHUNK_BYTES: Final = 48_000
"""Lines that are sent together have no more, beside what every text has."""

BEGINNING: Final = LinePlace(0, 0)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageTold:
    """The knowledge of one page."""

    replies: tuple[str, ...] = ()
    """What is said first, in order."""
    is_following: bool = False
    told: int = 0
    """The number of the state that was said last."""
    log: LinePlace | None = None
    chat: tuple[Seat, int] | None = None
    is_back: bool = False
    """Whether the page has named the last line it has, and was sent none since."""
    is_over: bool = False


def replied(visit: PageTold, text: str) -> PageTold:
    """Return the visit with one more answer; where too many wait it is the last."""
    if visit.is_over:
        return visit
    if len(visit.replies) >= REPLIES_MAX:
        return ended(visit, "flood")
    return replace(visit, replies=(*visit.replies, text))


def ended(visit: PageTold, why: str) -> PageTold:
    """Return the visit with nothing more to say but why it ends."""
    return replace(visit, replies=(written("bye", {"why": why}),), is_over=True)


def at_line(visit: PageTold, log: LinePlace | None, chat: tuple[Seat, int] | None) -> PageTold:
    """Return the visit of a page that has the lines up to these, maybe from an earlier time."""
    return replace(visit, log=log, chat=chat, is_back=log is not None)


def log_text(visit: PageTold, log: Sequence[LogLine]) -> tuple[PageTold, str] | None:
    """Return the text with the next lines of the log, if there are any."""
    if visit.is_back:
        assert visit.log is not None, "it has said so"
        last = log[-1].at if log else BEGINNING
        since = LinePlace(min(visit.log, last).height, 0)
        lines = [one for one in log if one.at >= since]
    elif log and (visit.log is None or visit.log < log[-1].at):
        since = visit.log or BEGINNING
        lines = [one for one in log if visit.log is None or one.at > visit.log]
    else:
        return None
    fields: dict[str, JsonValue] = {"from": since.height} if visit.is_back else {}
    is_trimmed = bool(log) and log[0].at not in (BEGINNING, since)
    fields |= {"gone": True} if is_trimmed and log[0].at > since else {}
    told = _fitting(map(_logged, lines))
    text = written("lines", {**fields, "lines": told}, letters=LINE_LETTERS_MAX)
    known = lines[len(told) - 1].at if lines else None
    return replace(visit, log=known, is_back=False), text


def chat_text(visit: PageTold, chat: Sequence[ChatLine]) -> tuple[PageTold, str] | None:
    """Return the text with the next lines of the chat, if there are any."""
    if not chat or chat[-1].name == visit.chat:
        return None
    lines = chat_after(chat, visit.chat)
    is_anew = visit.chat is not None and len(lines) == len(chat)
    told = _fitting(map(_said, lines))
    text = written("chat", {"anew": is_anew, "lines": told})
    return replace(visit, chat=lines[len(told) - 1].name), text


def _logged(line: LogLine) -> Fields:
    return {
        "at": list(line.at),
        "height": line.height,
        "tone": line.tone.value,
        "text": line.text,
    }


def _said(line: ChatLine) -> Fields:
    return {"seat": line.seat, "number": line.number, "text": line.text}


def _fitting(lines: Iterable[Fields]) -> list[Fields]:
    """Return as many of these lines as have room in a text; the first always has."""
    found: list[Fields] = []
    left = CHUNK_BYTES
    for one in lines:
        left -= length_of(written("", one, letters=LINE_LETTERS_MAX)) + 1
        if left < 0:
            break
        found.append(one)
    return found

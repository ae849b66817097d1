"""Pages to be read at length: the keys, everything that has happened, the rules, the links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import chain, repeat
from types import MappingProxyType
from typing import Final

from nodealer.games import ActionKind
from nodealer.show import (
    COMMANDS,
    LOG_LINES_MAX,
    LogLine,
    Snapshot,
    Tone,
    clean,
    net_lines,
    usage,
    wrapped,
)
from nodealer.terminal.markdown import markdown_lines
from nodealer.terminal.spans import Line, Look, Span, line


class Page(Enum):
    """The pages that can be read."""

    HELP = "help"
    LOG = "log"
    RULES = "rules"
    NET = "net"


KEYS: Final[Sequence[tuple[str, str]]] = (
    ("1, 2, … 12", "choose the card of that number, or put it back"),
    ("left, right", "go from card to card; space chooses, and puts back"),
    ("a letter", "choose what stands behind it below the cards"),
    ("Enter", "play what is chosen; before that nothing has left"),
    ("Esc", "clear what is chosen"),
    ("backspace", "put the last card back"),
    ("/", "write a command; Enter sends it"),
    ("l", "all that has happened; up and down, f folds the protocol, Esc comes back"),
    ("?", "this page"),
    ("Ctrl-C", "close the program; the table stays and can be resumed"),
    ("Ctrl-Z", "put the program aside until you call it back"),
    ("Ctrl-L", "draw the screen anew"),
)

SIGNS: Final[Sequence[tuple[str, str]]] = (
    ("*", "can be chosen now"),
    ("+", "is chosen"),
    ("??", "a card whose face you do not know"),
)

WHY: Final = (
    "No server deals. Each player shuffles in turn and puts a lock on every card, so that nobody"
    " knows the order, whoever works together; a card is seen when all others have opened their"
    " lock on it. What you play is signed by you and by everybody else: it cannot be taken back."
)

RESERVED_LETTERS: Final = frozenset("l")

_LOOKS: Final[Mapping[Tone, Look]] = MappingProxyType(
    {
        Tone.GAME: Look.PLAIN,
        Tone.PROTOCOL: Look.FAINT,
        Tone.TABLE: Look.FAINT,
        Tone.ALARM: Look.ALARM,
    }
)


def letters_of(kinds: Sequence[ActionKind]) -> Mapping[str, str]:
    """Return the letter of each kind of action: of its text, if one is free, else any."""
    letters: dict[str, str] = {}
    for kind in kinds:
        words = f"{kind.text.lower()} abcdefghijklmnopqrstuvwxyz"
        usable = (one for one in words if "a" <= one <= "z" and one not in RESERVED_LETTERS)
        free = next((one for one in usable if one not in letters.values()), None)
        if free is not None:
            letters[kind.kind] = free
    return MappingProxyType(letters)


def page_lines(
    page: Page, snapshot: Snapshot, columns: int, *, is_folded: bool = False
) -> list[Line]:
    """Return the lines of a page."""
    if page is Page.HELP:
        return list(_help(snapshot, columns))
    if page is Page.LOG:
        told = lines_told(snapshot, is_folded=is_folded)
        return [shown for one in told for shown in log_lines(one, columns)]
    if page is Page.RULES:
        return list(markdown_lines(snapshot.rules, columns))
    return [line(row) for each in net_lines(snapshot) for row in wrapped(clean(each), columns)]


def lines_told(snapshot: Snapshot, *, is_folded: bool) -> list[LogLine]:
    """Return the log; folded, without the steps of the protocol."""
    return [one for one in snapshot.log if not is_folded or one.tone is not Tone.PROTOCOL]


# A page of the log is drawn anew each second, and its sentences never change.
@lru_cache(maxsize=2 * LOG_LINES_MAX)
def log_lines(told: LogLine, columns: int) -> tuple[Line, ...]:
    """Return the lines of one sentence of the log, its height in front."""
    mark = "" if told.height is None else str(told.height)
    marks = chain([mark], repeat(""))
    return tuple(
        line(Span(f"{mark:>4} ", Look.FAINT), Span(row, _LOOKS[told.tone]))
        for mark, row in zip(marks, wrapped(told.text, columns - 5), strict=False)
    )


def _help(snapshot: Snapshot, columns: int) -> Iterator[Line]:
    yield line(Span("Keys", Look.STRONG))
    yield from _table(KEYS, columns)
    letters = letters_of(snapshot.kinds)
    yield from _table(
        [(letters[one.kind], one.text) for one in snapshot.kinds if one.kind in letters], columns
    )
    yield line(Span("Signs", Look.STRONG))
    yield from _table(SIGNS, columns)
    yield line(Span("Commands", Look.STRONG))
    yield from _table([(usage(name), kind.text) for name, kind in COMMANDS.items()], columns)
    yield line(Span("How the cards are dealt", Look.STRONG))
    yield from (line(f"  {row}") for row in wrapped(WHY, columns - 2))


def _table(rows: Sequence[tuple[str, str]], columns: int) -> Iterator[Line]:
    for name, text in rows:
        for number, row in enumerate(wrapped(text, columns - 16)):
            yield line(Span(f"  {'' if number else name:<13} ", Look.STRONG), row)

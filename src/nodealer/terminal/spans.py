"""Lines with looks, and how they become bytes for a terminal.

What is drawn is a tuple of lines, and a line a tuple of spans: text with a look. A look says what
something is (an alarm, a heart), a palette what that is in colours. Without colours bold, faint and
reversed text stays, and nothing is ever said by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.show import (
    columns_of,
    cut,
)
from nodealer.verify import printable


class Look(Enum):
    """The look of a piece of text."""

    PLAIN = "plain"
    STRONG = "strong"
    FAINT = "faint"
    BAR = "bar"
    ALARM = "alarm"
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


class Palette(Enum):
    """The colours that there are: none, two for the suits, or four."""

    NONE = "none"
    TWO = "two"
    FOUR = "four"


@dataclass(frozen=True, slots=True)
class Span:
    """Text with one look."""

    text: str
    look: Look = Look.PLAIN


Line: TypeAlias = tuple[Span, ...]

_SHAPES: Final[Mapping[Look, str]] = MappingProxyType(
    {Look.STRONG: "1", Look.FAINT: "2", Look.BAR: "7", Look.ALARM: "1"}
)
_COLOURS: Final[Mapping[Palette, Mapping[Look, str]]] = MappingProxyType(
    {
        Palette.NONE: {},
        Palette.TWO: {Look.ALARM: "1;31", Look.HEARTS: "31", Look.DIAMONDS: "31"},
        Palette.FOUR: {
            Look.ALARM: "1;31",
            Look.HEARTS: "31",
            Look.DIAMONDS: "34",
            Look.CLUBS: "32",
        },
    }
)
"""The numbers that terminals know looks by."""


def line(*parts: str | Span) -> Line:
    """Return a line of plain texts and spans."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def text_of(shown: Line) -> str:
    """Return the text of a line."""
    return "".join(span.text for span in shown)


def width_of(shown: Line) -> int:
    """Return how many columns a line takes."""
    return sum(columns_of(span.text) for span in shown)


def fitted(shown: Line, columns: int) -> Line:
    """Return so much of a line as has room."""
    kept: list[Span] = []
    left = columns
    for span in shown:
        wide = columns_of(span.text)
        if wide > left:
            kept.append(Span(cut(span.text, left), span.look))
            break
        kept.append(span)
        left -= wide
    return tuple(span for span in kept if span.text)


def widened(shown: Line, columns: int) -> Line:
    """Return a line that takes exactly so many columns."""
    shown = fitted(shown, columns)
    return (*shown, Span(" " * (columns - width_of(shown))))


def flowed(cells: Iterable[Line], columns: int) -> list[Line]:
    """Return lines on which cells stand one after the other, as many as have room."""
    lines: list[Line] = []
    current: Line = ()
    for cell in cells:
        if current and width_of(current) + width_of(cell) > columns:
            lines.append(current)
            current = ()
        current = (*current, *cell)
    return [*lines, current] if current else lines


def styled(shown: Line, palette: Palette) -> str:
    """Return a line as a terminal is told to draw it."""
    return "".join(_styled(span, palette) for span in shown)


def _styled(span: Span, palette: Palette) -> str:
    text = printable(span.text)  # whatever a game or a name has in it, only looks are sequences
    number = _COLOURS[palette].get(span.look, _SHAPES.get(span.look))
    return text if number is None else f"\x1b[{number}m{text}\x1b[0m"

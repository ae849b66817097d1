"""Markdown as lines: the rules of a game, laid out for so many columns.

What rules use is read: headings, paragraphs, lists, tables, quotes, code, emphasis, links. All else
stays the text that it is. A table that has no room for its columns is told row by row, each cell
behind the name of its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat, zip_longest
from typing import Final

from nodealer.show import columns_of, wrapped
from nodealer.terminal.spans import Line, Look, Span, line, text_of, widened, width_of
from nodealer.verify import printable

_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM: Final = re.compile(r"(\s*)([-*+]|\d{1,4}[.)])\s+(.*)$")
_QUOTE: Final = re.compile(r"\s*>\s?(.*)$")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_DASHES: Final = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
_INLINE: Final = re.compile(
    r"(?P<two>\*\*|__)(?P<strong>\S.*?)(?P=two)"
    r"|`(?P<code>[^`]+)`"
    r"|\[(?P<link>[^\]]*)\]\([^)\s]*\)"
    r"|(?<!\w)(?P<one>[*_])(?P<lean>\S.*?)(?P=one)(?!\w)"
)
_READ: Final = ("strong", "code", "link", "lean")

BETWEEN: Final = 2
"""Columns between those of a table."""

COLUMN_MIN: Final = 12
"""No column of a table is made narrower than this, unless it is narrower by itself."""

INDENT_MAX: Final = 8
"""Lists in lists are moved in so far, and no further."""


class _Rows:
    """The rows of a page, and how far they are read."""

    def __init__(self, page: str) -> None:
        self.rows = [printable(row.expandtabs(4).rstrip()) for row in page.splitlines()]
        self.at = 0

    @property
    def here(self) -> str:
        return self.rows[self.at] if self.at < len(self.rows) else ""

    @property
    def is_table(self) -> bool:
        further = self.rows[self.at + 1] if self.at + 1 < len(self.rows) else ""
        return self.here.lstrip().startswith("|") and _DASHES.match(further) is not None

    def taken(self) -> str:
        """Take a row."""
        row = self.here
        self.at += 1
        return row

    def joined(self) -> str:
        """Take the rows that go on with the same words."""
        words = [self.taken().strip()]
        begins = (_HEADING, _ITEM, _QUOTE, _FENCE)
        while self.here and not self.is_table and not any(one.match(self.here) for one in begins):
            words.append(self.taken().strip())
        return " ".join(words)


@lru_cache(maxsize=4)
def markdown_lines(page: str, columns: int) -> tuple[Line, ...]:
    """Return a page as lines."""
    rows = _Rows(page)
    found: list[Line] = []
    while rows.at < len(rows.rows):
        if rows.here:
            found += _block(rows, columns)
        else:
            rows.taken()
            found += [line()] if found and found[-1] else []
    return tuple(found)


def _block(rows: _Rows, columns: int) -> list[Line]:
    if _FENCE.match(rows.here):
        return list(_fenced(rows))
    if heading := _HEADING.match(rows.here):
        rows.taken()
        return [line(Span(row, Look.STRONG)) for row in wrapped(_bare(heading[1]), columns)]
    if rows.is_table:
        return _table(rows, columns)
    if item := _ITEM.match(rows.here):
        indent = " " * min(len(item[1]), INDENT_MAX)
        text = rows.joined().removeprefix(item[2]).lstrip()
        return _filled(text, columns, f"{indent}{item[2]} ")
    if quote := _QUOTE.match(rows.here):
        rows.taken()
        return _filled(quote[1], columns, "  ")
    return _filled(rows.joined(), columns)


def _fenced(rows: _Rows) -> Iterator[Line]:
    rows.taken()
    while rows.at < len(rows.rows):
        row = rows.taken()
        if _FENCE.match(row):
            return
        yield line(f"  {row}")


# Words.


def _filled(text: str, columns: int, head: str = "") -> list[Line]:
    """Return words on lines, the first behind its head and the others as far in."""
    heads = chain([head], repeat(" " * len(head)))
    rows = _rows_of(text, max(1, columns - len(head)))
    return [line(one, *row) for one, row in zip(heads, rows, strict=False)]


def _rows_of(text: str, columns: int) -> Iterator[Line]:
    row: Line = ()
    for word in _words(text):
        joined = (*row, Span(" "), *word) if row else word
        if width_of(joined) <= columns:
            row = joined
            continue
        if row:
            yield row
        *whole, row = _pieces(word, columns)
        yield from whole
    if row:
        yield row


def _words(text: str) -> Iterator[Line]:
    """Yield the words of a text; what looks otherwise may be a part of a word."""
    word: Line = ()
    for span in _spans(text):
        for piece in re.findall(r"\s+|\S+", span.text):
            if not piece.isspace():
                word = (*word, Span(piece, span.look))
            elif word:
                yield word
                word = ()
    if word:
        yield word


def _pieces(word: Line, columns: int) -> Iterator[Line]:
    """Yield a word, in pieces if no line has room for it."""
    if width_of(word) <= columns:
        yield word
    else:
        yield from (line(Span(piece, word[0].look)) for piece in wrapped(text_of(word), columns))


def _spans(text: str) -> Iterator[Span]:
    at = 0
    for found in _INLINE.finditer(text):
        name = next(one for one in _READ if found[one] is not None)
        yield Span(text[at : found.start()])
        yield Span(found[name], Look.STRONG if name == "strong" else Look.PLAIN)
        at = found.end()
    yield Span(text[at:])


def _bare(text: str) -> str:
    return "".join(span.text for span in _spans(text))


# Tables.


def _table(rows: _Rows, columns: int) -> list[Line]:
    names = _cells(rows.taken())
    rows.taken()
    lying: list[Sequence[str]] = []
    while "|" in rows.here:
        lying.append(_cells(rows.taken())[: len(names)])
    widths = _widths([names, *lying], columns)
    if widths is None:
        return [
            one
            for cells in lying
            for one in _filled("; ".join(_named(names, cells)), columns, "- ")
        ]
    head = [line(Span(_bare(name), Look.STRONG)) for name in names]
    return [
        _beside(head, widths),
        *(row for cells in lying for row in _laid(cells, widths)),
    ]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _named(names: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """Yield the cells of a row with the names of their columns; the first is the row's own name."""
    for at, (name, cell) in enumerate(zip(names, cells, strict=False)):
        if cell:
            yield f"{name}: {cell}" if name and at else cell


def _widths(table: Sequence[Sequence[str]], columns: int) -> list[int] | None:
    """Return how wide the columns are, the widest broken first; None if they have no room."""
    found = [
        max(columns_of(_bare(cell)) for cell in column)
        for column in zip_longest(*table, fillvalue="")
    ]
    names = [columns_of(_bare(name)) for name in table[0]]
    room = columns - BETWEEN * (len(found) - 1)
    while sum(found) > room:
        widest = max(range(len(found)), key=found.__getitem__)
        if found[widest] <= max(COLUMN_MIN, names[widest]):
            return None
        found[widest] -= 1
    return found


def _laid(cells: Sequence[str], widths: Sequence[int]) -> Iterator[Line]:
    columns = [_filled(cell, wide) for cell, wide in zip(cells, widths, strict=False)]
    for row in zip_longest(*columns, fillvalue=line()):
        yield _beside(row, widths)


def _beside(row: Sequence[Line], widths: Sequence[int]) -> Line:
    *before, last = zip(row, widths, strict=False)
    spans = [span for cell, wide in before for span in (*widened(cell, wide), Span(" " * BETWEEN))]
    return (*spans, *last[0])


def plain_lines(page: str, columns: int) -> list[str]:
    """Return a page as lines of text, without looks."""
    return [text_of(one).rstrip() for one in markdown_lines(page, columns)]

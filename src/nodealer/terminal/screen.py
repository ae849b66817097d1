"""The screen: from a snapshot, what the player has begun, and a size, to lines.

From top to bottom: the table; seats and cards beside the log, or above it where the window
is narrow; what is due and who is waited for; the player's own cards; what is chosen; one line for
whatever else is to be said. Where there is no room for all, each part keeps its least, and the log
gives way first, since it can be read at length.

Everything is decided here but the bytes: `spans.styled` makes these of a line, and the shell sends
only lines that have changed. A drawing has exactly as many lines as the window has rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodealer.show import (
    Snapshot,
    Speaker,
    columns_of,
    cut,
    padded,
    wrapped,
)
from nodealer.terminal.control import Control, top_of_last
from nodealer.terminal.pages import Page, page_lines
from nodealer.terminal.panes import (
    cards_pane,
    chat_pane,
    due_pane,
    hand_pane,
    log_pane,
    prompt_pane,
    seats_pane,
    status_lines,
)
from nodealer.terminal.spans import Line, Look, Span, fitted, line, widened

COLUMNS_MIN: Final = 60
ROWS_MIN: Final = 18
WIDE: Final = 110
"""From so many columns on the log stands beside the table."""

_FOOTER: Final = "? keys   / commands   l log   Enter plays   Esc clears"
_AFTERWARDS: Final = "l tells all of it   /say TEXT talks   Ctrl-C closes, and says what comes next"
_AGAIN: Final = "/again begins another game   l tells all of this one   Ctrl-C closes"
_PUT_AWAY: Final = "/put-away closes the table unfinished, as long as nobody comes back"


@dataclass(frozen=True, slots=True)
class Drawing:
    """All lines of a window, its title, and where the cursor is, if somebody writes."""

    lines: tuple[Line, ...]
    cursor: tuple[int, int] | None = None
    """Row and column."""
    title: str = ""


def draw(snapshot: Snapshot, control: Control) -> Drawing:
    """Return what is to be seen."""
    return replace(_drawn(snapshot, control), title=window_title(snapshot))


def window_title(snapshot: Snapshot) -> str:
    """Return what stands above the window, and in the list of windows."""
    turn = "your turn: " if snapshot.asked is not None else ""
    return f"{turn}{snapshot.game} [{snapshot.mark}]" if snapshot.mark else f"{turn}{snapshot.game}"


def _drawn(snapshot: Snapshot, control: Control) -> Drawing:
    columns, rows = control.size.columns, control.size.rows
    if columns < COLUMNS_MIN or rows < ROWS_MIN:
        return _too_small(snapshot, control)
    if control.reading is not None:
        body = _page(snapshot, control, rows - 3)
        lines = [_title(snapshot, columns), *body, _headline(snapshot, control, columns)]
        folds = "; f folds the protocol" if control.reading.page is Page.LOG else ""
        lines.append(line(Span(f"up, down, space{folds}; Esc comes back", Look.FAINT)))
        return _drawing(lines, columns, rows)
    return _table(snapshot, control)


def _table(snapshot: Snapshot, control: Control) -> Drawing:
    columns, rows = control.size.columns, control.size.rows
    prompt = prompt_pane(snapshot, control, columns)
    last = line(
        Span(control.message, Look.STRONG)
        if control.message
        else Span(_footer(snapshot), Look.FAINT)
    )
    due = due_pane(snapshot, control, columns)
    hand = hand_pane(snapshot, control, columns)
    room = rows - 3 - len(prompt)  # the title, the bar above the hand, and the last line
    due = due[: max(2, min(len(due), room - 8))]
    room -= len(due)
    hand = _around_cursor(hand, control, max(1, min(len(hand), room - 6)))
    room -= len(hand)
    middle = _middle(snapshot, control, columns, room)
    bar = line(Span("-" * columns, Look.FAINT))
    lines = [_title(snapshot, columns), *middle, bar, *due, *hand]
    at = len(lines)
    lines += [*prompt, last]
    cursor = None
    if control.writing is not None:
        column = min(columns - 1, 2 + columns_of(control.writing.before))
        cursor = (at, column)
    return _drawing(lines, columns, rows, cursor)


def _middle(snapshot: Snapshot, control: Control, columns: int, rows: int) -> list[Line]:
    """Return seats, cards and log, beside each other if the window is wide."""
    if columns >= WIDE:
        left = columns * 11 // 20
        right = columns - left - 3
        seats = [*seats_pane(snapshot, control, left), line()]
        cards = cards_pane(snapshot, control, left, rows - len(seats))
        table = _exactly([*seats, *cards], rows)
        said = chat_pane(snapshot, right, max(0, rows // 3))
        told = _exactly(log_pane(snapshot, control, right, rows - len(said)), rows - len(said))
        edge = Span(" │ " if control.has_signs else " | ", Look.FAINT)
        both = zip(table, [*told, *said], strict=True)
        return [(*widened(one, left), edge, *other) for one, other in both]
    seats = seats_pane(snapshot, control, columns)
    cards = cards_pane(snapshot, control, columns, rows)
    least = 2  # of the log
    if len(seats) + len(cards) + least > rows:
        seats = seats_pane(snapshot, control, columns, beside=True)
    points = len(status_lines(snapshot, columns))
    seats = seats[: max(1, rows - least - points)]
    cards = cards_pane(snapshot, control, columns, max(points, rows - least - len(seats)))
    rest = rows - len(seats) - len(cards)
    said = chat_pane(snapshot, columns, min(2, max(1, rest - least)))
    told = log_pane(snapshot, control, columns, rest - len(said))
    return [*seats, *cards, *_exactly(told, rest - len(said)), *said]


def _around_cursor(hand: Sequence[Line], control: Control, rows: int) -> list[Line]:
    """Return so many rows of the hand, with the row of the cursor among them."""
    if len(hand) <= rows:
        return list(hand)
    # Cards are spread evenly over the rows.
    at = control.cursor * len(hand) // max(1, len(control.cards))
    top = min(max(0, at - rows // 2), len(hand) - rows)
    return list(hand[top : top + rows])


def _page(snapshot: Snapshot, control: Control, rows: int) -> list[Line]:
    assert control.reading is not None, "a page is open"
    last = top_of_last(control, snapshot)
    top = last if control.reading.top is None else min(control.reading.top, last)
    shown = page_lines(
        control.reading.page, snapshot, control.size.columns, is_folded=control.is_folded
    )
    return _exactly(shown[top : top + rows], rows)


def _title(snapshot: Snapshot, columns: int) -> Line:
    mark = f" [{snapshot.mark}]" if snapshot.mark else ""
    round_ = f", game {snapshot.games}" if snapshot.games > 1 else ""
    right = f"height {snapshot.height} "
    left = f" {snapshot.game}: {snapshot.title}{mark}{round_}"
    wide = columns - columns_of(right) - 1
    return line(Span(f"{padded(left, wide)} {right}", Look.BAR))


def _footer(snapshot: Snapshot) -> str:
    """Return what can be done next, in a few words."""
    if snapshot.standing is not None:
        return _AGAIN if snapshot.may_ask_again else _AFTERWARDS
    return _PUT_AWAY if snapshot.may_put_away else _FOOTER


def _headline(snapshot: Snapshot, control: Control, columns: int) -> Line:
    text = Speaker(snapshot, control.has_signs).headline()
    return line(Span(cut(text, columns), Look.STRONG))


def _too_small(snapshot: Snapshot, control: Control) -> Drawing:
    columns, rows = control.size.columns, control.size.rows
    text = f"This window has {columns} columns and {rows} rows; the table needs {COLUMNS_MIN} and "
    text += f"{ROWS_MIN}. {Speaker(snapshot, control.has_signs).headline()}"
    return _drawing([line(row) for row in wrapped(text, max(1, columns))], columns, rows)


def _drawing(
    lines: Sequence[Line], columns: int, rows: int, cursor: tuple[int, int] | None = None
) -> Drawing:
    return Drawing(tuple(fitted(one, columns) for one in _exactly(lines, rows)), cursor)


def _exactly(lines: Sequence[Line], rows: int) -> list[Line]:
    """Return so many lines: the first of these, and empty ones behind them."""
    return [*lines[:rows], *[line()] * (rows - len(lines))]

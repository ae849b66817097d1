"""The output of the commands: data to standard output, messages to standard error.

A command hands over what it found as plain data and says how people read it; whether people or a
program are reading is decided here, so that every command answers `--json` in the same way.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Final, TypeAlias

from nodealer.cli.called import as_called, called

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None


LINE_LETTERS_MAX: Final = 79
"""Sentences are folded where they are longer, so that they fit a terminal of the usual size."""


def emit_json(data: Json) -> None:
    """Write one JSON document on one line, in ASCII, which every terminal and pipe can carry."""
    sys.stdout.write(json.dumps(data, allow_nan=False) + "\n")


def emit_text(text: str) -> None:
    """Write text for people, ending its line; what their terminal has no sign for becomes `?`."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding).rstrip("\n") + "\n")


def emit_words(rows: Sequence[Sequence[str]]) -> None:
    """Write rows of words as columns, all aligned left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        emit_text("  ".join(cells).rstrip())


def emit_folded(text: str) -> None:
    """Write a sentence, folded where it is longer than a line."""
    emit_text("\n".join(wrap(text, LINE_LETTERS_MAX, subsequent_indent="    ")))


def emit_hints(hints: Sequence[tuple[str, str]]) -> None:
    """Write commands that can be typed as they stand, each with what it does."""
    emit_words([(f"  {called()} {command}", text) for command, text in hints])


def emit_table(rows: Sequence[Sequence[str]]) -> None:
    """Write rows as columns: the first aligned left, as names are, the others right, as numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def is_sure(question: str, unasked: str) -> bool:
    """Ask a person whether something is meant; where nobody can be asked, raise with a sentence."""
    if not sys.stdin.isatty():
        from nodealer.kernel import LocalError, Reason  # noqa: PLC0415 - every start reads this

        raise LocalError(Reason.LOCAL_ARGUMENT, unasked)
    sys.stderr.write(f"{question} [y/n] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def complain(*lines: str) -> None:
    """Write what went wrong, each line marked as ours.

    What went wrong may be something that others have written: nothing of it moves a cursor.
    """
    for line in map(as_called, lines):
        shown = "".join(letter if letter.isprintable() else "?" for letter in line)
        sys.stderr.write(f"nodealer: {shown}\n")


def show_step(text: str) -> None:
    """Say on a terminal what is being done; an empty text clears the line."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()

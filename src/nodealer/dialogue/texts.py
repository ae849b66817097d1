"""Texts of the dialogue: JSON on one line, of bounded length, with nothing in it but plain words.

All that a page is sent is written here, so here is what it can rely on: every string is one line
without a character that could turn text around or stay unseen, and no longer than agreed, whoever
has made it up. What it may look like (HTML, script) is the page's matter, to which it is text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from nodealer.games import JsonValue
from nodealer.show import clean

VERSION: Final = 1

TEXT_BYTES_MAX: Final = 65_536
"""Of every text but the rules of a game, and of every text of a page."""

LETTERS_MAX: Final = 500
"""A headline that names ten players and says how long each has still is shorter."""

LINE_LETTERS_MAX: Final = 2_000
"""Of a line of the log: a sentence of a game may list the cards of a long hand."""

CUT: Final = "…"

Fields: TypeAlias = Mapping[str, JsonValue]
"""An object of JSON."""


def written(
    kind: str, fields: Fields, *, letters: int = LETTERS_MAX, own: Fields | None = None
) -> str:
    """Return a text of one kind; fields of our `own` making are written as they are."""
    plain = {"is": kind, **{name: _plain(value, letters) for name, value in fields.items()}}
    plain |= own or {}
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def written_page(kind: str, text: str) -> str:
    """Return a text with a page of many lines."""
    lines = [clean_line(line) for line in text.splitlines()]
    plain = {"is": kind, "text": "\n".join(lines)}
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def clean_line(text: str) -> str:
    """Return a line whose spaces at the beginning mean something, as in Markdown."""
    margin = len(text) - len(text.lstrip(" "))
    return f"{' ' * min(margin, LETTERS_MAX)}{_cut(clean(text), LINE_LETTERS_MAX)}"


def length_of(text: str) -> int:
    """Return the bytes of a text."""
    return len(text.encode())


def _plain(value: JsonValue, letters: int) -> JsonValue:
    if isinstance(value, str):
        return _cut(clean(value[: 8 * letters]), letters)
    if isinstance(value, Mapping):
        return {name: _plain(one, letters) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [_plain(one, letters) for one in value]
    return value


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}{CUT}"

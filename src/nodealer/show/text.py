"""Text as terminals show it: how many columns it takes, where it is cut, what must not get in.

A terminal counts columns, not characters: a Chinese letter takes two, an accent that stands by
itself none. Everything that is laid out goes through this module, so that a table stays a table
whatever its players are called. Text of others is cleaned before it is measured: nothing in it may
move a cursor, turn text around or stay unseen.

How wide a letter is, the library wcwidth knows; terminals disagree about some of them, and then a
line may end one column early or late, which is why nothing is ever drawn right of a name without
setting the column anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, takewhile
from typing import Final

from wcwidth import iter_graphemes, wcswidth

from nodealer.verify import printable

CUT: Final = "…"
"""What stands where something was cut off."""


def clean(text: str) -> str:
    """Return text of others as one line that may be shown."""
    return printable(" ".join(text.split()))


def first_sentence(page: str) -> str:
    """Return the first sentence below the title of a page of rules, or nothing."""
    paragraphs = [" ".join(part.split()) for part in page.split("\n\n")]
    text = next((part for part in paragraphs if part and not part.startswith("#")), "")
    sentence, mark, _ = text.partition(". ")
    return sentence + mark.strip()


def columns_of(text: str) -> int:
    """Return how many columns a cleaned text takes."""
    return len(text) if text.isascii() else max(0, wcswidth(text))


def cut(text: str, columns: int) -> str:
    """Return so much of a text as has room, marked if something is missing."""
    if columns_of(text) <= columns:
        return text
    if columns <= 0:
        return ""
    beginnings = accumulate(iter_graphemes(text))
    fitting = takewhile(lambda one: columns_of(one) < columns, beginnings)
    return max(fitting, key=len, default="") + CUT


def padded(text: str, columns: int) -> str:
    """Return a text that takes exactly so many columns."""
    shown = cut(text, columns)
    return shown + " " * (columns - columns_of(shown))


def wrapped(text: str, columns: int) -> Iterator[str]:
    """Yield the lines of a text; it is broken at spaces, and inside a word that has no room."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if columns_of(joined) <= columns:
            line = joined
            continue
        if line:
            yield line
        *whole, line = _broken(word, columns)
        yield from whole
    yield line


def _broken(word: str, columns: int) -> Iterator[str]:
    piece = ""
    for letter in iter_graphemes(word):
        if piece and columns_of(piece + letter) > columns:
            yield piece
            piece = ""
        piece += letter
    yield piece

"""A line that is being typed, and what keys do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from nodealer.show import (
    CHAT_CHARACTERS_MAX,
    clean,
)
from nodealer.terminal.keyboard import Key, Pasted, Typed

LINE_CHARACTERS_MAX: Final = CHAT_CHARACTERS_MAX


@dataclass(frozen=True, slots=True)
class Writing:
    """The text, and how many of its letters stand before the cursor."""

    text: str = ""
    at: int = 0

    @property
    def before(self) -> str:
        """The text before the cursor."""
        return self.text[: self.at]

    @property
    def after(self) -> str:
        """The text behind the cursor."""
        return self.text[self.at :]


def edited(line: Writing, key: Key) -> Writing:
    """Return the line after a key; what means nothing to a line leaves it as it is."""
    if isinstance(key, Typed):
        return _inserted(line, key.letter if key.letter.isprintable() else "")
    if isinstance(key, Pasted):
        return _inserted(line, clean(key.text))
    change = _CHANGES.get(key.name)
    return line if change is None else change(line)


def _inserted(line: Writing, text: str) -> Writing:
    room = LINE_CHARACTERS_MAX - len(line.text)
    text = text[:room]
    return Writing(line.before + text + line.after, line.at + len(text))


def _without_before(line: Writing, count: int) -> Writing:
    at = max(0, line.at - count)
    return Writing(line.text[:at] + line.after, at)


def _without_word(line: Writing) -> Writing:
    kept = line.before.rstrip(" ")
    kept = kept[: kept.rfind(" ") + 1]
    return Writing(kept + line.after, len(kept))


def _moved(line: Writing, at: int) -> Writing:
    return replace(line, at=min(max(0, at), len(line.text)))


_CHANGES: Final[Mapping[str, Callable[[Writing], Writing]]] = MappingProxyType(
    {
        "backspace": lambda line: _without_before(line, 1),
        "delete": lambda line: Writing(line.before + line.after[1:], line.at),
        "left": lambda line: _moved(line, line.at - 1),
        "right": lambda line: _moved(line, line.at + 1),
        "home": lambda line: _moved(line, 0),
        "end": lambda line: _moved(line, len(line.text)),
        "kill-left": lambda line: Writing(line.after, 0),
        "kill-right": lambda line: Writing(line.before, line.at),
        "kill-word": _without_word,
    }
)

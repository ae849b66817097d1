"""The commands as data: what completion and manual page are made of, out of the parsers alone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

FILE_WORDS: Final = ("FILE", "PATH", "DIR")
"""What stands in the name of a value that is a file."""

GAME: Final = "GAME"


@dataclass(frozen=True, slots=True)
class DescribedValue:
    """An option, or a value without a flag: its flags, what it is called, what may stand there."""

    flags: tuple[str, ...]
    metavar: str | None
    choices: tuple[str, ...]
    text: str

    @property
    def is_file(self) -> bool:
        """Whether a file may stand there."""
        return self.metavar is not None and any(word in self.metavar for word in FILE_WORDS)


@dataclass(frozen=True, slots=True)
class DescribedCommand:
    """A command, by the words that choose it; the program itself has none."""

    words: tuple[str, ...]
    text: str
    description: str
    epilog: str
    options: tuple[DescribedValue, ...]
    values: tuple[DescribedValue, ...]
    children: tuple[tuple[str, str], ...]
    """The words that may follow, each with what it does."""


def described(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = (), text: str = ""
) -> Iterator[DescribedCommand]:
    """Yield a command and all that can be chosen behind it."""
    children: dict[str, argparse.ArgumentParser] = {}
    texts: dict[str, str] = {}
    options: list[DescribedValue] = []
    values: list[DescribedValue] = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to read a parser
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            children = dict(action.choices)
            chosen = action._choices_actions  # noqa: SLF001 - as above
            texts = {one.dest: one.help or "" for one in chosen}
        else:
            value = _value(action)
            (options if value.flags else values).append(value)
    yield DescribedCommand(
        words,
        text,
        parser.description or "",
        parser.epilog or "",
        tuple(options),
        tuple(values),
        tuple((name, texts.get(name, "")) for name in children),
    )
    for name, child in children.items():
        yield from described(child, (*words, name), texts.get(name, ""))


def _value(action: argparse.Action) -> DescribedValue:
    takes_one = action.nargs != 0
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    choices = tuple(map(str, action.choices or ()))
    text = (action.help or "").replace("%%", "%")
    flags = tuple(action.option_strings)
    return DescribedValue(flags, metavar if takes_one else None, choices, text)

"""The parsers of commands, which are all made alike."""

from __future__ import annotations

import argparse
import textwrap
from typing import Final, TypeAlias

from nodealer.cli.called import as_called, called

# What `add_subparsers` returns has a name only for type checkers.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - as said


PROGRAM: Final = "nodealer"
"""How parsers call the program; what people read has `called` in its place."""


class CommandFormatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that folds prose to the width there is, and leaves lists and examples alone."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = as_called(text).strip("\n").split("\n\n")
        return "\n\n".join(_folded(part, width, indent) for part in parts)


class CommandParser(argparse.ArgumentParser):
    """A parser whose help shows commands as they are to be typed here."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        return self.formatter_class(prog=f"{called()}{self.prog.removeprefix(PROGRAM)}")

    def format_help(self) -> str:
        """Return the whole help."""
        return as_called(super().format_help())

    def format_usage(self) -> str:
        """Return what stands before a complaint."""
        return as_called(super().format_usage())


def add_command(
    commands: Commands, name: str, text: str, description: str, epilog: str | None = None
) -> argparse.ArgumentParser:
    """Return the parser of a command, which is done by the module of its name.

    The text stands beside the name in the list of all commands.
    """
    parser = commands.add_parser(
        name,
        help=text,
        description=description,
        epilog=epilog,
        formatter_class=CommandFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(module=f"nodealer.cli.{name.replace('-', '_')}")
    return parser


def _folded(part: str, width: int, indent: str) -> str:
    """Return a paragraph folded; what has lines that are indented is laid out already."""
    lines = part.splitlines()
    if any(line.startswith(" ") for line in lines):
        return "\n".join(f"{indent}{line}".rstrip() for line in lines)
    return textwrap.fill(part, width, initial_indent=indent, subsequent_indent=indent)

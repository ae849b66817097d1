"""The parsers of commands, which are all made alike."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from nodealer.cli.called import as_called

# What `add_subparsers` returns has a name only for type checkers.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - as said


class CommandParser(argparse.ArgumentParser):
    """A parser whose help shows commands as they are to be typed here."""

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
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(module=f"nodealer.cli.{name.replace('-', '_')}")
    return parser

"""Options of all commands with which a player sits at a table: rules, player, screen."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

CLOCKS = ("brisk", "calm", "letters")
"""The clocks that a host can choose; `node.clocks` says what they are."""


def named_value(text: str) -> str:
    """Return an option of a game as it was given, if it has the form of one."""
    if "=" not in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return text


def add_table(parser: argparse.ArgumentParser) -> None:
    """Describe which table it is about: the last one, if nothing is said."""
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", help="its mark, or how it begins (default: the last)"
    )


def add_rules(parser: argparse.ArgumentParser, clock: str) -> None:
    """Describe how a new table plays, and how long it waits if nothing is said."""
    add_options(parser)
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        default=clock,
        help="how long the table waits: sitting together, with time to think, or over days"
        f" (default: {clock})",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe by which rules a game is played."""
    parser.add_argument(
        "--option",
        type=named_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game; may be given several times",
    )
    parser.add_argument(
        "--policy", metavar="NAME", help="what happens to the round when a player is left out"
    )


def add_player(parser: argparse.ArgumentParser) -> None:
    """Describe who plays."""
    parser.add_argument("--name", help="your name at the table (default: that of your account)")
    add_profile(parser)


TRANSCRIPT_HELP = "a transcript, - for standard input, or the mark of one of your tables"


def add_profile_name(parser: argparse.ArgumentParser) -> None:
    """Describe which player it is about, where no key is needed."""
    parser.add_argument(
        "--profile", default="default", metavar="NAME", help="which of your identities plays"
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Describe which player it is about, and how its key is unlocked."""
    add_profile_name(parser)
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="a private file whose first line is the passphrase of your key (default: ask)",
    )
    parser.set_defaults(protect=False)


def add_lobby(parser: argparse.ArgumentParser) -> None:
    """Describe what matters while people gather."""
    parser.add_argument(
        "--new-key",
        action="store_true",
        help="play even if somebody has the name of a friend and another key",
    )
    parser.add_argument(
        "--protect",
        action="store_true",
        help="give your key a passphrase from now on; you are asked for it at every start",
    )


def add_answers(parser: argparse.ArgumentParser) -> None:
    """Describe what is said for a player who is asked something."""
    parser.add_argument(
        "--pass-alone",
        action=argparse.BooleanOptionalAction,
        help="where you are asked and have only one thing to say, your program says it for you, at"
        " its time; remembered at this table (default: it waits for you)",
    )


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Describe how the table is shown, and whether a person plays at all."""
    add = parser.add_argument
    add("--auto", action="store_true", help="let a bot play for you")
    add(
        "--exec",
        dest="program",
        metavar="PROGRAM",
        help="let a program of yours play, over its standard input and output",
    )
    add(
        "--page",
        action="store_true",
        default=None,
        help="on a page in your browser, and print its address (default: where there is a screen)",
    )
    add("--terminal", dest="page", action="store_false", help="in this terminal")
    add("--plain", action="store_true", help="in this terminal, in lines of text")
    add("--four-colours", action="store_true", help="in this terminal, a colour for each suit")
    add("--json", action="store_true", help="with --auto: the result as one JSON object")


def add_network(parser: argparse.ArgumentParser) -> None:
    """Describe where this node can be reached."""
    parser.add_argument(
        "--listen",
        action="append",
        metavar="ADDRESS",
        help="where others reach this node, as a multiaddr (default: /ip4/0.0.0.0/tcp/0)",
    )
    parser.add_argument(
        "--relay",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="be reached through this relay too, as `nodealer relay` prints it; several are fine",
    )
    parser.add_argument(
        "--no-lan",
        action="store_true",
        help="do not tell machines on this network that this node is here, nor look for others",
    )


def is_program(args: argparse.Namespace) -> bool:
    """Say whether a program plays, and no person; the others are told so."""
    return bool(args.auto or args.program)


def is_on_page(args: argparse.Namespace) -> bool:
    """Say whether a table is shown on a page: where that is asked for, or there is a screen.

    Who types, pipes or lets another play has said enough, and so has who has chosen a look of the
    terminal.
    """
    if args.page is not None:
        return bool(args.page)
    if args.auto or args.program or args.json or args.plain or args.four_colours:
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from nodealer.page import has_screen  # noqa: PLC0415 - this module is read at every start

    return has_screen(os.environ, sys.platform)

"""The command line of the table: what can be said and asked for beside playing.

The commands are data; the help page is made of them. `read_command` returns what a line asks for,
or says why it asks for nothing. Commands that only change what is shown are carried out by whoever
shows it; the others are handed to the driver of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.kernel import Seat
from nodealer.show.snapshot import Snapshot
from nodealer.show.text import clean
from nodealer.table import folded

SURE: Final = "yes"
"""What has to follow a command that cannot be taken back."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its name, with the seat that it is about if it is about one."""

    name: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class CommandKind:
    """One command: what follows its name, and what it does; `is_final` if it must be confirmed."""

    text: str
    argument: str = ""
    is_final: bool = False


COMMANDS: Final[Mapping[str, CommandKind]] = MappingProxyType(
    {
        "say": CommandKind("say something to the table", "TEXT"),
        "mute": CommandKind("do not show what somebody says", "NAME"),
        "unmute": CommandKind("show it again", "NAME"),
        "log": CommandKind("all that has happened"),
        "rules": CommandKind("the rules of this game"),
        "fold": CommandKind("hide the steps of the protocol in the log, or show them again"),
        "net": CommandKind("how each seat is reached, and why not"),
        "help": CommandKind("keys and commands"),
        "again": CommandKind("another game at this table, when this one is over"),
        "leave": CommandKind("leave the table for good: to resign", SURE, is_final=True),
        "put-away": CommandKind("close it unfinished, while it stands still without who is away"),
        "quit": CommandKind("close the program; the table stays and can be resumed"),
    }
)

PUT_AWAY: Final = Command("put-away")
"""Whoever shows the table closes it when its driver has done this."""

TypedWish: TypeAlias = Say | Command | str
"""What a line asks for, or a sentence that says why it asks for nothing."""


def read_command(text: str, snapshot: Snapshot) -> TypedWish:
    """Return what a line asks for; a stroke in front may stand there or not."""
    name, _, argument = clean(text).removeprefix("/").strip().partition(" ")
    name, argument = name.lower(), argument.strip()
    kind = COMMANDS.get(name)
    if kind is None:
        return _unknown(name)
    if name == "say":
        return Say(argument) if argument else "Say what?"
    if kind.argument == "NAME":
        return _about_seat(name, argument, snapshot)
    why_not = _why_not(name, argument, snapshot)
    return Command(name) if why_not is None else why_not


def _why_not(name: str, argument: str, snapshot: Snapshot) -> str | None:
    if COMMANDS[name].is_final:
        sure = f"This cannot be taken back. If you are sure: /{name} {SURE}"
        return None if argument == SURE else sure
    if name == "again" and not snapshot.may_ask_again:
        return "The game is not over, or it is not for you to begin another."
    if name == "put-away" and not snapshot.may_put_away:
        return "The table can be put away when it cannot go on without somebody who is away."
    return f"/{name} stands alone." if argument else None


def usage(name: str) -> str:
    """Return how a command is written."""
    argument = COMMANDS[name].argument
    return f"/{name} {argument}".rstrip()


def _unknown(name: str) -> str:
    if not name:
        return f"There are the commands {', '.join(COMMANDS)}."
    near = get_close_matches(name, COMMANDS, n=1)
    meant = f"Perhaps /{near[0]}?" if near else f"There are {', '.join(COMMANDS)}."
    return f"There is no command {name}. {meant}"


def _about_seat(name: str, wanted: str, snapshot: Snapshot) -> TypedWish:
    if not wanted:
        return f"/{name} whom?"
    found = [one for one in snapshot.seats if folded(one.name).startswith(folded(wanted))]
    exact = [one for one in found if folded(one.name) == folded(wanted)]
    found = exact or found
    if len(found) != 1:
        how = "Several players are" if found else "Nobody here is"
        return f"{how} called {wanted}."
    if found[0].is_you:
        return f"You cannot {name} yourself."
    return Command(name, found[0].seat)

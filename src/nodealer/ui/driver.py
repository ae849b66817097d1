"""The terminal's needs of whoever runs a table: snapshots to show, and three things to ask.

A node implements this over its network and journal, a test over tables in one process. Nothing here
runs by itself. `updates` yields a snapshot whenever something has changed; that time passes, the
terminal sees by itself. A snapshot may be skipped, since all that was told is in the log of the
next. It ends when there is nothing more to show.

`act` raises `LocalError` if the action cannot be done; the reason is shown to the player. What
`command` returns is shown as well. The commands that get here are those of `commands.COMMANDS` but
for pages and `quit`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from nodealer.games import Action
from nodealer.kernel import LocalError
from nodealer.ui.commands import Command, Say
from nodealer.ui.snapshot import Snapshot


class Driver(Protocol):
    """Runs a table for one player."""

    def updates(self) -> AsyncIterator[Snapshot]:
        """Yield what is to be shown, from now on."""
        ...

    async def act(self, action: Action) -> None:
        """Do what the player has chosen."""
        ...

    async def say(self, text: str) -> None:
        """Say something to the table."""
        ...

    async def command(self, command: Command) -> str:
        """Carry out a command; return a sentence for the player, or nothing."""
        ...


async def granted(driver: Driver, wish: Action | Say | Command) -> str:
    """Have a wish of the player granted; return what is to be told, also where it cannot be."""
    try:
        match wish:
            case Action():
                await driver.act(wish)
            case Say(text):
                await driver.say(text)
            case Command():
                return await driver.command(wish)
    except LocalError as refused:
        return refused.detail or refused.reason.meaning
    return ""

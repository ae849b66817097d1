"""The terminal's needs of whoever runs a table: snapshots to show, and what a player can ask for.

A node implements this over its network and journal, a test over tables in one process. Nothing here
runs by itself. `updates` yields a snapshot whenever something has changed; that time passes, the
terminal sees by itself. A snapshot may be skipped, since all that was told is in the log of the
next. It ends when there is nothing more to show.

What cannot be done raises `LocalError`; the reason is shown to the player. How a wish is spelt at a
terminal stays here: a driver knows calls, and no commands.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from nodealer.games import Action
from nodealer.kernel import Bug, LocalError, Reason, Seat
from nodealer.show.commands import Command, Say
from nodealer.show.snapshot import Snapshot


class Driver(Protocol):
    """Runs a table for one player."""

    def updates(self) -> AsyncIterator[Snapshot]:
        """Yield what is to be shown, from now on."""
        ...

    async def act(self, action: Action, /) -> None:
        """Do what the player has chosen."""
        ...

    async def again(self) -> None:
        """Ask for another game at this table."""
        ...

    async def leave(self) -> None:
        """Leave the table for good."""
        ...

    def put_away(self) -> None:
        """Put the table away as unfinished; whoever shows it closes it then."""
        ...

    def say(self, text: str, /) -> None:
        """Say something to the table."""
        ...

    def mute(self, seat: Seat, *, is_muted: bool) -> None:
        """Show what a seat says no more, or show it again."""
        ...


async def granted(driver: Driver, wish: Action | Say | Command) -> str:
    """Have a driver do what the player wants; return why it does not, where it does not."""
    try:
        match wish:
            case Action():
                await driver.act(wish)
            case Say(text):
                driver.say(text)
            case Command("again"):
                await driver.again()
            case Command("leave"):
                await driver.leave()
            case Command("put-away"):
                driver.put_away()
            case Command("mute" | "unmute", int() as seat):
                driver.mute(Seat(seat), is_muted=wish.name == "mute")
            case _:
                raise Bug(Reason.LOCAL_ARGUMENT, f"no driver carries out {wish.name}")
    except LocalError as refused:
        return refused.detail or refused.reason.meaning
    return ""

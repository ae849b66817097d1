"""A table on a page in the player's browser, served on this machine for as long as it is open.

The page is at the same address every time, so one that was left open finds the table again. Ctrl-C
closes the table here, as it does in a terminal, and nothing is lost by that; leaving the table for
good on the page ends it too.
"""

from __future__ import annotations

import os
import signal
import sys

import trio

from nodealer.cli.output import complain
from nodealer.cli.shown_table import ShownTable
from nodealer.page import has_screen, open_page, served_page
from nodealer.show import Driver, SeatStanding
from nodealer.store import Profile


async def play_on_page(driver: Driver, *, profile: Profile) -> None:
    """Let the player play in a browser until they have enough, or have left."""
    shown = ShownTable(driver)
    with trio.open_signal_receiver(signal.SIGINT) as interrupts:
        async with (
            served_page(profile, shown.open_visit, complain) as at,
            trio.open_nursery() as nursery,
        ):
            _lead(at.address, profile)
            nursery.start_soon(shown.run)
            nursery.start_soon(_until_left, driver, nursery.cancel_scope)
            await anext(aiter(interrupts))
            nursery.cancel_scope.cancel()


def _lead(address: str, profile: Profile) -> None:
    """Bring the player to the page, and say where it is."""
    is_open = has_screen(os.environ, sys.platform) and open_page(
        address, profile.page_link, os.environ
    )
    said = "your browser shows the table; its page is" if is_open else "the table is on this page:"
    complain(f"{said} {address}", "Ctrl-C closes the table here; it can be gone on with")


async def _until_left(driver: Driver, scope: trio.CancelScope) -> None:
    async for snapshot in driver.updates():
        if snapshot.state is SeatStanding.LEFT:
            scope.cancel()

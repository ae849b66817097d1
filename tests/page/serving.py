"""The page as a player gets it: the real home, served over real sockets, from a thread.

    .venv/bin/python -m tests.page.serving           # says where to look, and plays until Ctrl-C

What drives a browser blocks, so the home runs in a thread of its own, and is asked from there.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import trio

from nodealer.dialogue import CloseSubject, Practise, with_table
from nodealer.home import Shelf
from nodealer.node import identity_in
from nodealer.page import PageAt, served_page
from nodealer.show import Recording, Snapshot
from nodealer.steward import HomeWays, Steward, steward_of
from nodealer.store import places_of
from nodealer.verify import Verdict
from tests.games.installed import beside_us, install_sample

NAME: Final = "Ana"

ALONE: Final = "/ip4/127.0.0.1/tcp/0"
"""Nothing of a test is to be reached from another machine."""

T = TypeVar("T")

NOTHING_OPEN: Final = Recording("", "", {}, {}, (), (), Verdict.COMPLETE, {})


@dataclass(slots=True)
class ServedHome:
    """A home with its page."""

    steward: Steward
    at: PageAt
    told: list[str]
    """What failed in the server."""
    token: trio.lowlevel.TrioToken = field(default_factory=trio.lowlevel.current_trio_token)

    def within(self, does: Callable[[], Awaitable[T]]) -> T:
        """Do something at home from another thread."""
        return trio.from_thread.run(does, trio_token=self.token)

    def wish(self, wish: CloseSubject | Practise) -> None:
        """Have a wish carried out as if a page had it."""
        self.within(partial(self.steward.carry_out, wish, 0))

    def at_home(self) -> None:
        """Close the table that is open, and show the home."""
        self.wish(CloseSubject())

    def practise(self, game: str, seats: int, **options: int | str | bool) -> None:
        """Open a new table against bots."""
        self.wish(Practise(game, seats, options))

    def shown(self, snapshot: Snapshot) -> None:
        """Show a table that nobody plays at, as it is, and nothing else from now on."""

        async def show() -> None:
            self.steward.shown = NOTHING_OPEN
            self.steward.served.show(with_table, snapshot)

        self.within(show)


@asynccontextmanager
async def served_home(
    folder: Path, thought_seconds: float = 0.0, name: str = NAME
) -> AsyncIterator[ServedHome]:
    """Serve the page of a home that lies in a folder."""
    places = places_of({"NODEALER_HOME": str(folder)})
    profile = places.profile()
    shelf = Shelf(profile, identity_in(profile))
    ways = HomeWays((ALONE,), meets_nearby=False, thought_seconds=thought_seconds)
    told: list[str] = []
    async with (
        steward_of(places, shelf, ways, name=name) as steward,
        served_page(profile, steward.open_visit, told.append) as at,
    ):
        yield ServedHome(steward, at, told)


@contextmanager
def home_in_thread(
    folder: Path, thought_seconds: float = 0.0, name: str = NAME
) -> Iterator[ServedHome]:
    """Serve a home from a thread of its own, since what drives a browser blocks."""
    with in_thread(partial(served_home, folder, thought_seconds, name)) as served:
        yield served


@contextmanager
def in_thread(begin: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[T]:
    """Run a block of trio in a thread of its own for as long as this one."""
    ready: queue.SimpleQueue[tuple[T] | BaseException] = queue.SimpleQueue()
    stop: list[Callable[[], None]] = []

    async def run() -> None:
        event, token = trio.Event(), trio.lowlevel.current_trio_token()
        async with begin() as made:
            stop.append(lambda: token.run_sync_soon(event.set))
            ready.put((made,))
            await event.wait()

    def running() -> None:
        try:
            trio.run(run)
        except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits
            ready.put(error)

    thread = threading.Thread(target=running)
    thread.start()
    try:
        made = ready.get()
        if isinstance(made, BaseException):
            raise made
        yield made[0]
    finally:
        for one in stop:
            one()
        thread.join()
    if not ready.empty():
        failed = ready.get()
        assert isinstance(failed, BaseException), "it is ready once"
        raise failed


async def _serve(folder: Path) -> None:
    async with served_home(folder, thought_seconds=0.6) as served:
        sys.stdout.write(f"{served.at.address}\n")
        sys.stdout.flush()
        await trio.sleep_forever()


def main() -> None:
    """Serve until it is enough."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        install_sample(place / "games")
        with beside_us(place / "games"):
            trio.run(_serve, place / "home")


if __name__ == "__main__":
    main()

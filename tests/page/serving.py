"""The page as a player gets it: served over real sockets, with a real table against bots behind it.

    .venv/bin/python -m tests.page.serving           # says where to look, and plays until Ctrl-C

The home is a small one: games to practise, and the tables that were begun since. Everything else is
what a node has: journals, keepers, bots that are peers, the book, the dialogue, the server.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import trio

from nodealer.dialogue import (
    CloseSubject,
    Dialogue,
    GrantedWish,
    HomeShown,
    HomeWish,
    OpenAgain,
    Practise,
    ReplayTable,
    Request,
    TableListed,
    answered,
    entered,
    gone,
    heard,
    next_text,
    opened,
    with_home,
    with_recording,
    with_table,
)
from nodealer.games import registry
from nodealer.home import SeatDriver, table_mark
from nodealer.kernel import LocalError, TableId
from nodealer.node import CLOCKS, Keeper, Rules, Seated, at_table, bots_in, found, identity_in
from nodealer.page import PageAt, served_page
from nodealer.show import Snapshot, granted, recording_of
from nodealer.store import Directories, open_journal, places_of, transcript
from nodealer.verify import judge_bytes
from tests.games.installed import beside_us, install_sample

NAME: Final = "Ana"

T = TypeVar("T")


@dataclass(slots=True)
class Homestead:
    """A player's home in this process: what is shown of it, and the table that is open."""

    places: Directories
    thought_seconds: float = 0.0
    name: str = NAME
    dialogue: Dialogue = field(default_factory=opened)
    driver: SeatDriver | None = None
    tables: dict[str, TableId] = field(default_factory=dict)
    changed: trio.Event = field(default_factory=trio.Event)
    nursery: trio.Nursery | None = None
    sitting: trio.CancelScope | None = None
    refused: list[str] = field(default_factory=list)
    """The wishes that could not be granted, or not be read."""

    def show(self, dialogue: Dialogue) -> None:
        """Show what there is now; whoever waits for a text looks again."""
        self.dialogue = dialogue
        self.changed.set()
        self.changed = trio.Event()

    def at_home(self) -> None:
        """Show the home."""
        tables = [
            TableListed(mark, mark, "against bots", "can be gone on with") for mark in self.tables
        ]
        games = tuple(registry.all_games().values())
        self.show(with_home(self.dialogue, HomeShown(self.name, games, tuple(tables))))

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[Visitor]:
        """Let a page come, and go."""
        self.dialogue, page = entered(self.dialogue)
        try:
            yield Visitor(self, page)
        finally:
            self.dialogue = gone(self.dialogue, page)

    def open_visit(self) -> AbstractAsyncContextManager[Visitor]:
        """Return the visit of a page."""
        return self.visit()

    async def grant(self, request: Request) -> None:
        """Carry a request out, and answer it."""
        try:
            why = await self._granted(request.wish)
        except LocalError as error:
            why = error.detail or error.reason.meaning
        if why:
            self.refused.append(why)
        self.show(answered(self.dialogue, request, why))

    async def _granted(self, wish: GrantedWish) -> str:
        match wish:
            case Practise(game, seats, options):
                self.practise(game, seats, dict(options))
            case CloseSubject():
                self.stand_up()
                self.at_home()
            case OpenAgain(mark):
                self.sit(self.tables[mark])
            case ReplayTable(mark):
                self.stand_up()
                data = transcript(self.places.profile().journal(self.tables[mark]))
                recording = recording_of(judge_bytes(data), mark)
                assert recording is not None, "our own records are sound"
                self.show(with_recording(self.dialogue, recording))
            case HomeWish():
                return "there is only practice here"
            case _:
                assert self.driver is not None, "a table is open"
                return await granted(self.driver, wish)
        return ""

    def practise(self, game: str, seats: int, options: dict[str, int | str | bool]) -> None:
        """Found a table against bots, and sit down."""
        rules = registry.game(game)
        profile = self.places.profile()
        you = Seated(profile, identity_in(profile), self.name)
        bots = bots_in(self.places, seats - 1, self.name)
        charter = found(Rules(rules, options, CLOCKS["calm"]), [you, *bots])
        self.tables[table_mark(charter.table)] = charter.table
        self.sit(charter.table)

    def sit(self, table: TableId) -> None:
        """Open a table."""
        self.stand_up()
        assert self.nursery is not None, "the home runs"
        self.nursery.start_soon(self._sit, table)

    def stand_up(self) -> None:
        """Close the table that is open."""
        if self.sitting is not None:
            self.sitting.cancel()
        self.driver = self.sitting = None

    async def _sit(self, table: TableId) -> None:
        profile = self.places.profile()
        with (
            trio.CancelScope() as scope,
            closing(open_journal(profile, table, identity_in(profile))) as journal,
        ):
            self.sitting = scope
            async with at_table(
                self.places, journal, thought_seconds=self.thought_seconds
            ) as keeper:
                await self.play(keeper)

    async def play(self, keeper: Keeper) -> None:
        """Show the table of a keeper, and act at it, until cancelled."""
        with closing(SeatDriver(keeper)) as driver:
            self.driver = driver
            async with trio.open_nursery() as nursery:
                nursery.start_soon(driver.run)
                async for snapshot in driver.updates():
                    self.show(with_table(self.dialogue, snapshot))


@dataclass(slots=True)
class Visitor:
    """A page at the dialogue of a home."""

    home: Homestead
    page: int

    async def receive(self, text: str) -> None:
        """Take a text of the page."""
        dialogue, request = heard(self.home.dialogue, self.page, text)
        self.home.show(dialogue)
        if request is not None:
            await self.home.grant(request)

    async def next_text(self) -> str | None:
        """Wait for the next text."""
        while True:
            self.home.dialogue, text = next_text(self.home.dialogue, self.page)
            if text is not None:
                return text
            await self.home.changed.wait()


@asynccontextmanager
async def served_home(
    folder: Path, thought_seconds: float = 0.0, name: str = NAME
) -> AsyncIterator[ServedHome]:
    """Serve the page of a home that lies in a folder."""
    places = places_of({"NODEALER_HOME": str(folder)})
    places.profile().make()
    home = Homestead(places, thought_seconds, name)
    told: list[str] = []
    async with (
        served_page(places.profile(), home.open_visit, told.append) as at,
        trio.open_nursery() as nursery,
    ):
        home.nursery = nursery
        home.at_home()
        yield ServedHome(home, at, told)
        nursery.cancel_scope.cancel()


@dataclass(slots=True)
class ServedHome:
    """A home with its page."""

    home: Homestead
    at: PageAt
    told: list[str]
    """What failed in the server."""
    token: trio.lowlevel.TrioToken = field(default_factory=trio.lowlevel.current_trio_token)

    def within(self, does: Callable[[Homestead], None]) -> None:
        """Do something to the home from another thread."""
        trio.from_thread.run_sync(does, self.home, trio_token=self.token)

    def at_home(self) -> None:
        """Close the table that is open, and show the home."""

        def close(home: Homestead) -> None:
            home.stand_up()
            home.at_home()

        self.within(close)

    def practise(self, game: str, seats: int, **options: int | str | bool) -> None:
        """Open a new table against bots."""
        self.within(lambda home: home.practise(game, seats, options))

    def shown(self, snapshot: Snapshot) -> None:
        """Show a table that nobody plays at, as it is."""
        self.within(lambda home: home.show(with_table(home.dialogue, snapshot)))


@contextmanager
def home_in_thread(folder: Path, thought_seconds: float = 0.0) -> Iterator[ServedHome]:
    """Serve a home from a thread of its own, since what drives a browser blocks."""
    with in_thread(lambda: served_home(folder, thought_seconds)) as served:
        yield served


@contextmanager
def in_thread(opened_one: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[T]:
    """Hold something open in a thread of its own."""
    ready: queue.SimpleQueue[T | BaseException] = queue.SimpleQueue()
    stop: list[Callable[[], None]] = []

    async def run() -> None:
        event, token = trio.Event(), trio.lowlevel.current_trio_token()
        async with opened_one() as found:
            stop.append(lambda: token.run_sync_soon(event.set))
            ready.put(found)
            await event.wait()

    def running() -> None:
        try:
            trio.run(run)
        except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits
            ready.put(error)

    thread = threading.Thread(target=running)
    thread.start()
    try:
        found = ready.get()
        if isinstance(found, BaseException):
            raise found
        yield found
    finally:
        for one in stop:
            one()
        thread.join()


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

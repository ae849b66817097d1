"""Homes whose pages are played by a test: texts in, texts out, over no channel at all."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import trio

from nodealer.home import Shelf
from nodealer.node import identity_in
from nodealer.steward import DialogueVisit, HomeWays, Steward, steward_of
from nodealer.store import Profile, places_of
from tests.dialogue.schema import require_said

Said: TypeAlias = dict[str, Any]

T = TypeVar("T")

PATIENCE_SECONDS = 90
"""Until something that must come is given up; nothing waits for so long."""

ALONE = ("/ip4/127.0.0.1/tcp/0",)


class PageAtHome:
    """A page that remembers all it was told."""

    def __init__(self, steward: Steward, visit: DialogueVisit, profile: Profile) -> None:
        self.steward = steward
        self.profile = profile
        self.texts: list[str] = []
        self.shown: Said = {}
        self._visit = visit
        self._answers: dict[int, Said] = {}
        self._news = trio.Event()
        self._number = 0

    async def read(self) -> None:
        """Take what is said, until cancelled."""
        while (text := await self._visit.next_text()) is not None:
            self.texts.append(text)
            said = require_said(text)
            if said["is"] == "answer":
                self._answers[said["to"]] = said
            elif said["is"] in ("home", "lobby", "table"):
                self.shown = said
            self._news.set()
            self._news = trio.Event()

    async def wish(self, what: str, /, **fields: object) -> Said:
        """Wish for something, and return the answer."""
        self._number += 1
        number = self._number
        await self._visit.receive(json.dumps({**fields, "n": number, "do": what}))
        while number not in self._answers:
            await self._news.wait()
        return self._answers[number]

    async def granted(self, what: str, /, **fields: object) -> str:
        """Wish for something that must be granted; return what is said of it."""
        answer = await self.wish(what, **fields)
        assert "refused" not in answer, answer
        return str(answer.get("says", ""))

    async def refused(self, what: str, /, **fields: object) -> str:
        """Wish for something that must be refused; return why."""
        answer = await self.wish(what, **fields)
        assert answer.get("refused") == "not-granted", answer
        return str(answer["says"])

    async def until(self, kind: str, fits: Callable[[Said], bool] = lambda _: True) -> Said:
        """Wait until something of a kind is shown that fits."""
        with trio.fail_after(PATIENCE_SECONDS):
            while self.shown.get("is") != kind or not fits(self.shown):
                await self._news.wait()
        return self.shown


@asynccontextmanager
async def at_home(folder: Path, name: str, *, is_named: bool = True) -> AsyncIterator[PageAtHome]:
    """Run a home that lies in a folder, with one page."""
    places = places_of({"NODEALER_HOME": str(folder)})
    profile = places.profile()
    shelf = Shelf(profile, identity_in(profile))
    ways = HomeWays(ALONE, meets_nearby=False, thought_seconds=0.0)
    async with (
        steward_of(places, shelf, ways, name=name, is_named=is_named) as steward,
        steward.open_visit() as visit,
        trio.open_nursery() as nursery,
    ):
        page = PageAtHome(steward, visit, profile)
        nursery.start_soon(page.read)
        await page.granted("follow")
        await page.until("home")
        yield page
        nursery.cancel_scope.cancel()


def run(main: Callable[[], Awaitable[T]]) -> T:
    """Run a test."""
    return trio.run(main)

"""Pages that are served over real sockets, and the simplest talk that there can be."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from nodealer.page.page_access import PageAccess, remembered
from nodealer.page.page_host import PageAt, served_page
from nodealer.store.places import Profile, places_of
from tests.loopback.calling import Answered, Page, ask, page_to

QUEUE_MAX = 4
"""Texts that wait for a page; then the page waits."""


@dataclass(slots=True)
class EchoVisit:
    """A talk in which everything is said back, from a bounded queue."""

    visits: Visits
    sending: trio.MemorySendChannel[str]
    receiving: trio.MemoryReceiveChannel[str]
    is_endless: bool = False

    async def receive(self, text: str) -> None:
        if text == "fail":
            raise ValueError("a secret")
        if text == "enough":
            await self.sending.aclose()
        else:
            await self.sending.send(text)

    async def next_text(self) -> str | None:
        if self.is_endless:
            self.visits.endless_texts += 1
            return "x" * 60_000
        try:
            text = await self.receiving.receive()
        except trio.EndOfChannel:
            return None
        self.is_endless = text == "endless"
        return text


@dataclass(slots=True)
class Visits:
    """The visits of pages, and how many there are."""

    there: list[EchoVisit] = field(default_factory=list)
    endless_texts: int = 0

    def open(self) -> AbstractAsyncContextManager[EchoVisit]:
        return self._open()

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[EchoVisit]:
        visit = EchoVisit(self, *trio.open_memory_channel[str](QUEUE_MAX))
        self.there.append(visit)
        try:
            yield visit
        finally:
            self.there.remove(visit)


def profile_in(folder: Path) -> Profile:
    """Return a profile with its directories."""
    profile = places_of({"NODEALER_HOME": str(folder)}).profile()
    profile.make()
    return profile


@dataclass(slots=True)
class Home:
    """A page that is served, with all that a test may know of it."""

    at: PageAt
    access: PageAccess
    visits: Visits
    told: list[str]

    @property
    def port(self) -> int:
        return self.access.port

    @property
    def own(self) -> tuple[str, str]:
        """The header that a browser sends of the page's own scripts."""
        return ("Origin", self.access.origin)

    @property
    def cookie(self) -> tuple[str, str]:
        return ("Cookie", f"{self.access.cookie_name}={self.access.token}")

    async def enter(self, token: str) -> Answered:
        shown = ("Authorization", f"Bearer {token}")
        return await ask(self.port, "/enter", (self.own, shown), method="POST")

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Page]:
        """Open a channel as the page does that was let in."""
        async with page_to(self.port, (self.own, self.cookie)) as page:
            assert isinstance(page, Page), page
            yield page


@asynccontextmanager
async def home_of(profile: Profile) -> AsyncIterator[Home]:
    """Serve the page of a profile."""
    visits, told = Visits(), list[str]()
    async with served_page(profile, visits.open, told.append) as at:
        yield Home(at, remembered(profile.page), visits, told)

"""A table that is shown on pages: its dialogue, run beside whoever drives the seat.

    async with shown.open_visit() as visit:     a page has come
        await visit.receive(text)               it says something
        text = await visit.next_text()          it is told something

The dialogue is a value and decides everything; here is only who waits for whom. What a page wishes
the driver carries out, and the page waits for the answer before it is heard again, as it does while
many answers wait for it. Nobody else waits for a page: neither the table nor other pages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from nodealer.dialogue import (
    Dialogue,
    HomeWish,
    Request,
    answered,
    entered,
    gone,
    heard,
    next_text,
    opened,
    with_table,
)
from nodealer.show import Driver, granted

WAITING_MAX: Final = 16
"""Answers that wait for a page; with more it is not heard until it has read some."""

NO_HOME: Final = "here is one table, and nothing else"


class ShownTable:
    """The dialogue of one seat at one table."""

    def __init__(self, driver: Driver) -> None:
        """Begin with nothing to show; `run` has it shown."""
        self._driver = driver
        self._dialogue = opened()
        self._changed = trio.Event()
        self._is_ending = False

    async def run(self) -> None:
        """Show what there is, until there is nothing more."""
        async for snapshot in self._driver.updates():
            self._take(with_table(self._dialogue, snapshot))
        self.end()

    def end(self) -> None:
        """Say to all pages what there is still to say, and nothing after that."""
        self._is_ending = True
        self._take(self._dialogue)

    @asynccontextmanager
    async def open_visit(self) -> AsyncIterator[TableVisit]:
        """Let a page in, and forget it when it is gone."""
        dialogue, page = entered(self._dialogue)
        self._take(dialogue)
        try:
            yield TableVisit(self, page)
        finally:
            self._take(gone(self._dialogue, page))

    async def heard(self, page: int, text: str) -> None:
        """Take a text of a page, and carry out what it asks for."""
        while self._waiting(page) > WAITING_MAX:
            await self._changed.wait()
        dialogue, request = heard(self._dialogue, page, text)
        self._take(dialogue)
        if request is not None:
            why = await self._carried_out(request)
            self._take(answered(self._dialogue, request, why))

    async def text_for(self, page: int) -> str | None:
        """Wait for the next text for a page; None when all is said, or the page is gone."""
        await trio.lowlevel.checkpoint()
        while True:
            dialogue, text = next_text(self._dialogue, page)
            if text is not None:
                self._take(dialogue)
                return text
            visit = self._dialogue.visits.get(page)
            if self._is_ending or visit is None or visit.is_over:
                return None
            await self._changed.wait()

    async def _carried_out(self, request: Request) -> str:
        """Have the driver do what is wished; return why it does not."""
        if isinstance(request.wish, HomeWish):
            return NO_HOME
        return await granted(self._driver, request.wish)

    def _waiting(self, page: int) -> int:
        visit = self._dialogue.visits.get(page)
        return 0 if visit is None else len(visit.replies)

    def _take(self, dialogue: Dialogue) -> None:
        self._dialogue = dialogue
        self._changed.set()
        self._changed = trio.Event()


class TableVisit:
    """The talk with one page at a table."""

    def __init__(self, shown: ShownTable, page: int) -> None:
        self._shown = shown
        self._page = page

    async def receive(self, text: str) -> None:
        """Take a text of the page; it waits here until what it wishes is done."""
        await self._shown.heard(self._page, text)

    async def next_text(self) -> str | None:
        """Wait for the next text for the page; None when all is said."""
        return await self._shown.text_for(self._page)

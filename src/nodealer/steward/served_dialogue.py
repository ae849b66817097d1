"""A dialogue that is served to pages, beside whoever carries out what they wish.

    async with served.open_visit() as visit:    a page has come
        await visit.receive(text)               it says something
        text = await visit.next_text()          it is told something
    served.show(with_table, snapshot)           there is something newer to show

The dialogue is a value and decides everything; here is only who waits for whom. A page waits for
the answer to its wish before it is heard again, as it does while many answers wait for it. Nobody
else waits for a page: neither a table nor other pages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias, TypeVar

import trio

from nodealer.dialogue import (
    Dialogue,
    GrantedWish,
    VerdictShown,
    answered,
    entered,
    gone,
    heard,
    next_text,
    opened,
    with_verdict,
)
from nodealer.kernel import LocalError
from nodealer.steward.refusals import why_refused

T = TypeVar("T")

WAITING_MAX: Final = 16
"""Answers that wait for a page; with more it is not heard until it has read some."""

CarryOut: TypeAlias = Callable[[GrantedWish, int], Awaitable[str]]
"""Does what the page of a number wishes, and returns what is said of it; `LocalError` refuses."""


class ServedDialogue:
    """The dialogue with one player, on any number of pages."""

    def __init__(self, carry_out: CarryOut, left: Callable[[int], None] = lambda _: None) -> None:
        """Begin with nothing to show; `left` hears of every page that is gone."""
        self._carry_out = carry_out
        self._left = left
        self.dialogue = opened()
        self._changed = trio.Event()
        self._is_ending = False

    def show(self, shown: Callable[[Dialogue, T], Dialogue], value: T) -> None:
        """Show something newer."""
        self._take(shown(self.dialogue, value))

    def tell_verdict(self, page: int, verdict: VerdictShown) -> None:
        """Tell a page the verdict on the file that it has brought."""
        self._take(with_verdict(self.dialogue, page, verdict))

    def end(self) -> None:
        """Say to all pages what there is still to say, and nothing after that."""
        self._is_ending = True
        self._take(self.dialogue)

    @asynccontextmanager
    async def open_visit(self) -> AsyncIterator[DialogueVisit]:
        """Let a page in, and forget it when it is gone."""
        dialogue, page = entered(self.dialogue)
        self._take(dialogue)
        try:
            yield DialogueVisit(self, page)
        finally:
            self._take(gone(self.dialogue, page))
            self._left(page)

    async def heard(self, page: int, text: str) -> None:
        """Take a text of a page, and have done what it asks for."""
        while self._waiting(page) > WAITING_MAX:
            await self._changed.wait()
        dialogue, request = heard(self.dialogue, page, text)
        self._take(dialogue)
        if request is None:
            return
        why = says = ""
        try:
            says = await self._carry_out(request.wish, page)
        except LocalError as refused:
            why = why_refused(refused)
        self._take(answered(self.dialogue, request, why, says))

    async def text_for(self, page: int) -> str | None:
        """Wait for the next text for a page; None when all is said, or the page is gone."""
        await trio.lowlevel.checkpoint()
        while True:
            dialogue, text = next_text(self.dialogue, page)
            if text is not None:
                self._take(dialogue)
                return text
            visit = self.dialogue.visits.get(page)
            if self._is_ending or visit is None or visit.is_over:
                return None
            await self._changed.wait()

    def _waiting(self, page: int) -> int:
        visit = self.dialogue.visits.get(page)
        return 0 if visit is None else len(visit.replies)

    def _take(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self._changed.set()
        self._changed = trio.Event()


class DialogueVisit:
    """The talk with one page."""

    def __init__(self, served: ServedDialogue, page: int) -> None:
        self._served = served
        self._page = page

    async def receive(self, text: str) -> None:
        """Take a text of the page; it waits here until what it wishes is done."""
        await self._served.heard(self._page, text)

    async def next_text(self) -> str | None:
        """Wait for the next text for the page; None when all is said."""
        return await self._served.text_for(self._page)

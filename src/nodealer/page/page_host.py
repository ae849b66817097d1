"""A port of this machine that serves the page until it is stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from nodealer.loopback import Callers, LocalListeners, Mishap, listen, port_of, serve_web
from nodealer.page.page_access import USUAL_PORT, remember, remembered
from nodealer.page.page_service import OpenVisit, PageService
from nodealer.page.site_files import site_files
from nodealer.store import Profile


@dataclass(frozen=True, slots=True)
class PageAt:
    """The place where a page is served, and what went wrong there."""

    origin: str
    address: str = field(repr=False)
    counts: Counter[Mishap] = field(repr=False)


@asynccontextmanager
async def served_page(
    profile: Profile, open_visit: OpenVisit, tell: Callable[[str], None]
) -> AsyncIterator[PageAt]:
    """Serve the page of a profile, where it was served before if that port is free.

    `tell` is told in a line what failed; no line holds a secret.
    """
    before = remembered(profile.page, 0 if profile.places.is_apart else USUAL_PORT)
    listeners = await _listen_again(before.port)
    try:
        access = remember(profile.page, before, port_of(listeners))
        callers = Callers(tell)
        service = PageService(access, site_files(), open_visit)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_web, service, callers, listeners)
            yield PageAt(access.origin, access.address, callers.counts)
            nursery.cancel_scope.cancel()
    finally:
        for listener in listeners:
            listener.socket.close()


async def _listen_again(port: int) -> LocalListeners:
    """Listen where it was listened before, or where there is room."""
    try:
        return await listen(port)
    except OSError:
        return await listen(0)

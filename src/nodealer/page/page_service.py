"""Requests for the page, and the channel between a page and its talk.

There are three things to ask for, and each has its conditions.

    GET  a file    this place called by its name
    POST /enter    the same, from a script of the page, with the token or the cookie: the cookie
    GET  /talk     the same, from a script of the page, with the cookie: a channel

This place has one name. A name of a stranger that was made to lead to this machine (DNS rebinding)
is another one. A page of a stranger is told by its origin, which browsers send along with every
channel and every POST that a page begins, and which no page can change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Final, NoReturn, Protocol, TypeAlias

import trio

from nodealer.loopback import ChannelEnded, TextChannel, WebAnswer, WebRequest
from nodealer.page.page_access import PageAccess
from nodealer.page.site_files import SiteFile

TEXT_BYTES_MAX: Final = 65536
"""The longest wish of a page; a choice has a few hundred bytes, a line of chat a few thousand."""

BEARER: Final = "Bearer "

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The page loads what this place serves, and nothing of what it is told becomes markup."""

HEADERS: Final = (
    ("Content-Security-Policy", POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
)
"""Sent with everything; files are read from memory, and a page is never older than its node."""


class PageVisit(Protocol):
    """The talk with one page: texts in, texts out."""

    async def receive(self, text: str) -> None:
        """Take a text of the page; whoever waits here holds the page."""

    async def next_text(self) -> str | None:
        """Wait for the next text for the page; None when all is said.

        It is asked for when the text before it has been taken, so what gathers meanwhile gathers
        with whoever implements this, and is bounded there. It may be given up at any moment.
        """


OpenVisit: TypeAlias = Callable[[], AbstractAsyncContextManager[PageVisit]]
"""Begins the talk with a page that has come, and ends it when the page is gone."""


class PageService:
    """The page of one node, for whoever is let in."""

    text_bytes_max = TEXT_BYTES_MAX

    def __init__(
        self, access: PageAccess, site: Mapping[str, SiteFile], open_visit: OpenVisit
    ) -> None:
        self._access = access
        self._site = site
        self._open_visit = open_visit

    def answer(self, request: WebRequest) -> WebAnswer | None:
        """Return the answer to a request; None where a channel is to be opened."""
        origin = request.header("Origin")
        if request.header("Host") != self._access.host:
            return _answer(HTTPStatus.MISDIRECTED_REQUEST)
        if origin not in (None, self._access.origin):
            return _answer(HTTPStatus.FORBIDDEN)
        match request.method, request.target:
            case "POST", "/enter":
                return self._enter(request)
            case "GET", "/talk":
                is_let_in = origin is not None and self._has_cookie(request)
                return None if is_let_in else _answer(HTTPStatus.FORBIDDEN)
            case "GET", target if (file := self._site.get(target)) is not None:
                return _answer(HTTPStatus.OK, ("Content-Type", file.type), body=file.body)
        return _answer(HTTPStatus.NOT_FOUND)

    async def talk(self, channel: TextChannel) -> None:
        """Carry texts between a page and its talk, until one of them ends."""
        async with self._open_visit() as visit:
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_hear, channel, visit)
                    while (text := await visit.next_text()) is not None:
                        await channel.send(text)
                    nursery.cancel_scope.cancel()
            except* ChannelEnded:
                pass  # the page is gone

    def _enter(self, request: WebRequest) -> WebAnswer:
        """Give the cookie to whoever shows the token, or the cookie itself."""
        shown = request.header("Authorization") or ""
        has_token = shown.startswith(BEARER) and self._access.is_token(shown[len(BEARER) :])
        if request.header("Origin") is None or not (has_token or self._has_cookie(request)):
            return _answer(HTTPStatus.FORBIDDEN)
        return _answer(HTTPStatus.NO_CONTENT, ("Set-Cookie", self._access.cookie))

    def _has_cookie(self, request: WebRequest) -> bool:
        return self._access.has_cookie(request.header("Cookie"))


async def _hear(channel: TextChannel, visit: PageVisit) -> NoReturn:
    while True:
        await visit.receive(await channel.receive())


def _answer(status: HTTPStatus, *headers: tuple[str, str], body: bytes = b"") -> WebAnswer:
    return WebAnswer(status, (*HEADERS, *headers), body)

"""Callers of every kind, over real sockets of this machine, with words of another library."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus

import h11
import trio
from trio.testing import MockClock
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Event,
    RejectConnection,
    Request,
    TextMessage,
)

from nodealer.loopback import Callers, ChannelEnded, TextChannel, WebAnswer, WebRequest, serve_web
from nodealer.loopback.local_port import listen, port_of

SECONDS = 600
"""Of the clock of the test, which jumps when everybody waits."""

IDLE_SECONDS = 0.02
"""So long everybody waits before the clock jumps: what is under way between sockets arrives."""

FILE = b"a file" * 10_000

TALK = "/talk"

Headers = Sequence[tuple[str, str]]


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test; nobody sleeps."""

    async def within_reason() -> None:
        with trio.fail_after(SECONDS):
            await test()

    trio.run(within_reason, clock=MockClock(autojump_threshold=IDLE_SECONDS))


@dataclass(slots=True)
class Echo:
    """A service: a file, and a talk in which everything is said back."""

    text_bytes_max: int = 65536
    talks: int = 0

    def answer(self, request: WebRequest) -> WebAnswer | None:
        match request.target:
            case "/talk":
                return None
            case "/file":
                return WebAnswer(HTTPStatus.OK, (("Content-Type", "text/plain"),), FILE)
            case "/large":
                return WebAnswer(HTTPStatus.OK, body=bytes(6 << 20))
            case "/fails":
                raise RuntimeError("a secret")
            case _:
                return WebAnswer(HTTPStatus.NOT_FOUND)

    async def talk(self, channel: TextChannel) -> None:
        self.talks += 1
        try:
            await _talk(channel)
        finally:
            self.talks -= 1


async def _talk(channel: TextChannel) -> None:
    with suppress(ChannelEnded):
        while (text := await channel.receive()) != "enough":
            if text == "fail":
                raise ExceptionGroup("of the talk", [RuntimeError("a secret")])
            while text == "flood":
                await channel.send("x" * 10_000)
            await channel.send(f"{len(text)}:{text[:20]}")


@dataclass(slots=True)
class Served:
    """A service that is served."""

    service: Echo
    callers: Callers
    port: int
    told: list[str]


@asynccontextmanager
async def served() -> AsyncIterator[Served]:
    """Serve the echo on a port of this machine."""
    told: list[str] = []
    service, callers, listeners = Echo(), Callers(told.append), await listen(0)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_web, service, callers, listeners)
            yield Served(service, callers, port_of(listeners), told)
            nursery.cancel_scope.cancel()
    finally:
        for listener in listeners:
            listener.socket.close()


@dataclass(slots=True)
class Answered:
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


async def ask(
    port: int, target: str, headers: Headers = (), method: str = "GET", host: str | None = None
) -> Answered:
    """Ask for something, as a browser does."""
    words = h11.Connection(h11.CLIENT)
    named = _encoded([("Host", host or f"127.0.0.1:{port}"), *headers])
    head = h11.Request(method=method, target=target, headers=named)
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(words.send(head) + words.send(h11.EndOfMessage()))
        status, found, body = 0, {}, b""
        while True:
            match words.next_event():
                case h11.NEED_DATA:
                    words.receive_data(await stream.receive_some(65536))
                case h11.Response(status_code=status, headers=raw):
                    found = {name.decode(): value.decode() for name, value in raw}
                case h11.Data(data=data):
                    body += data
                case _:
                    return Answered(status, found, body)


@dataclass(slots=True)
class Page:
    """A channel as a page has it."""

    stream: trio.SocketStream
    words: WSConnection = field(default_factory=lambda: WSConnection(ConnectionType.CLIENT))
    text: str = ""
    waiting: list[Event] = field(default_factory=list)
    close_code: int | None = None

    async def event(self) -> Event:
        while not self.waiting:
            self.waiting += self.words.events()
            if not self.waiting:
                data = await self.stream.receive_some(65536)
                self.words.receive_data(bytes(data) or None)
        return self.waiting.pop(0)

    async def say_event(self, event: Event) -> None:
        await self.stream.send_all(self.words.send(event))

    async def say(self, text: str) -> None:
        await self.say_event(TextMessage(text))

    async def hear(self) -> str | None:
        """Return the next text; None at the end."""
        while self.close_code is None:
            match await self.event():
                case TextMessage() as part:
                    self.text += part.data
                    if part.message_finished:
                        text, self.text = self.text, ""
                        return text
                case CloseConnection(code=code):
                    self.close_code = code
                case _:
                    pass
        return None

    async def said_back(self, text: str) -> bool:
        """Say something, and hear it."""
        await self.say(text)
        return await self.hear() == f"{len(text)}:{text[:20]}"


@asynccontextmanager
async def page_to(
    port: int, headers: Headers = (), target: str = TALK, host: str | None = None
) -> AsyncIterator[Page | int]:
    """Open a channel as a page does; yields the status if there is none."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        page = Page(stream)
        extra = _encoded(headers)
        await page.say_event(Request(host or f"127.0.0.1:{port}", target, extra_headers=extra))
        match await page.event():
            case AcceptConnection():
                yield page
            case RejectConnection(status_code=status):
                yield status
            case other:
                raise AssertionError(other)


@asynccontextmanager
async def friend_at(port: int, headers: Headers = ()) -> AsyncIterator[Page]:
    """Open a channel, which has to be there."""
    async with page_to(port, headers) as page:
        assert isinstance(page, Page), page
        yield page


def upgrade_of(port: int, headers: Headers = ()) -> bytes:
    """Return the bytes with which a page asks for a channel."""
    lines = [
        f"GET {TALK} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def _encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.strip().encode("latin-1")) for name, value in headers]


async def heard_after(port: int, data: bytes) -> bytes:
    """Send bytes, and return what comes until the other side has ended it."""
    heard = b""
    with suppress(trio.BrokenResourceError):
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(data)
            while part := await stream.receive_some(65536):
                heard += part
    return heard


async def reset_after(port: int, data: bytes) -> None:
    """Send bytes, and break the connection off."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    with suppress(trio.BrokenResourceError):
        await stream.send_all(data)
    with suppress(OSError):
        stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await trio.aclose_forcefully(stream)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    while not holds():  # noqa: ASYNC110 - what is waited for is the service's own affair
        await trio.sleep(1)


async def flood_with(page: Page, data: bytes, times: int) -> int:
    """Send until nobody takes it any more; return how often that worked."""
    for count in range(times):
        with trio.move_on_after(5) as scope:
            try:
                await page.stream.send_all(data)
            except trio.BrokenResourceError:
                return count
        if scope.cancelled_caught:
            return count
    return times

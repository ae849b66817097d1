"""Who is let in: no page of a stranger, nobody without the token, one client at a time."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable

import pytest
import trio
from wsproto.events import BytesMessage, Event, Ping, Pong, TextMessage

from nodealer.loopback import ChannelEnded, listen, port_of
from nodealer.seat.json_text import SAID_BYTES_MAX
from nodealer.seat.shell import Door, Wire
from nodealer.seat.shell.client_door import KNOCKING_MAX
from nodealer.seat.shell.line_wire import TOO_LONG
from nodealer.seat.shell.web import TEXT_BYTES_MAX
from tests.seat.seated import TOKEN, lines_to, serving_way, web_to

OURS = "http://localhost:8000"
SECONDS = 300


async def echo(wire: Wire) -> None:
    """Say how long everything is that is heard."""
    while True:
        text = await wire.receive()
        await wire.send(f'{{"heard": {len(text)}, "is": {int(text == TOO_LONG)}}}')


def serving(test: Callable[[int, Door], Awaitable[None]], *, websocket: bool) -> None:
    async def run() -> None:
        door = Door(TOKEN, (OURS,))
        with trio.fail_after(SECONDS):
            async with trio.open_nursery() as nursery:
                listeners = await listen(0)
                nursery.start_soon(serving_way(websocket=websocket), door, echo, listeners)
                await test(port_of(listeners), door)
                nursery.cancel_scope.cancel()

    trio.run(run)


@pytest.mark.parametrize(
    ("path", "host", "origin", "status"),
    [
        (f"/{TOKEN}", None, None, None),
        (f"/{TOKEN}", None, OURS, None),
        (f"/{TOKEN}", "localhost:PORT", OURS, None),
        (f"/{TOKEN}", None, "http://evil.example", 403),
        (f"/{TOKEN}", None, "null", 403),
        (f"/{TOKEN}", None, "", 403),
        (f"/{TOKEN}", None, OURS.upper(), 403),
        (f"/{TOKEN}", None, f"{OURS}.evil.example", 403),
        (f"/{TOKEN}", "evil.example:PORT", OURS, 403),  # a name that was made to lead here
        (f"/{TOKEN}", "evil.example:PORT", None, 403),
        (f"/{TOKEN}", "127.0.0.1", None, 403),
        (f"/{TOKEN}", "127.0.0.1:1", None, 403),
        ("/", None, None, 404),
        (f"/{TOKEN}x", None, None, 404),
        (f"/{TOKEN}?a", None, None, 404),
        ("/wrong", None, "http://evil.example", 403),
    ],
)
def test_pages_and_tokens(
    path: str, host: str | None, origin: str | None, status: int | None
) -> None:
    async def test(port: int, _: Door) -> None:
        name = None if host is None else host.replace("PORT", str(port))
        async with web_to(port, path=path, host=name, origin=origin) as web:
            assert (web if isinstance(web, int) else None) == status

    serving(test, websocket=True)


def test_a_second_page_is_refused_and_the_first_one_goes_on() -> None:
    async def test(port: int, door: Door) -> None:
        async with web_to(port) as first, web_to(port) as second:
            assert second == 409
            assert not isinstance(first, int)
            await first.say({})
            assert await first.hear() == {"heard": 2, "is": 0}
        await _until(lambda: not door.is_taken)
        async with web_to(port) as third:
            assert not isinstance(third, int)

    serving(test, websocket=True)


class TakenMeanwhile(Door):
    """A door at which somebody else comes in between the question and the answer."""

    asked = 0

    @property
    def is_taken(self) -> bool:
        self.asked += 1
        return self.asked > 1


def test_of_two_pages_that_come_at_once_the_second_is_sent_away() -> None:
    async def run() -> None:
        door = TakenMeanwhile(TOKEN)
        async with trio.open_nursery() as nursery:
            listeners = await listen(0)
            nursery.start_soon(serving_way(websocket=True), door, echo, listeners)
            async with web_to(port_of(listeners)) as web:
                assert not isinstance(web, int)
                assert await web.hear() is None
                assert await _ended(lambda: web.stream.receive_some(1))
            nursery.cancel_scope.cancel()

    trio.run(run)


def test_messages_of_every_kind_over_websocket() -> None:
    async def test(port: int, _: Door) -> None:
        async with web_to(port) as web:
            assert not isinstance(web, int)
            said: list[tuple[Event, int]] = [
                (TextMessage("x" * SAID_BYTES_MAX), SAID_BYTES_MAX),
                (TextMessage("x" * TEXT_BYTES_MAX), TEXT_BYTES_MAX),  # whoever reads it refuses it
                (BytesMessage(b"xyz"), 1),
            ]
            for event, length in said:
                await web.stream.send_all(web.socket.send(event))
                assert await web.hear() == {"heard": length, "is": 0}
            await web.stream.send_all(web.socket.send(Pong(b"unasked")))
            await web.stream.send_all(web.socket.send(Ping(b"there?")))
            assert isinstance(await web.event(), Pong)
            await web.stream.send_all(b"\xff" * 64)  # no frame at all
            assert await web.hear() is None

    serving(test, websocket=True)


def test_a_message_that_is_far_too_long_ends_the_connection() -> None:
    async def test(port: int, door: Door) -> None:
        async with web_to(port) as web:
            assert not isinstance(web, int)
            long = web.socket.send(TextMessage("x" * (TEXT_BYTES_MAX + 1)))
            await web.stream.send_all(long)
            assert await web.hear() is None
        await _until(lambda: not door.is_taken)

    serving(test, websocket=True)


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"as-secret-as-that\n",
        b"\x00" * 100,
        b"GET / HTTP/1.1\r\nHost: \xc3\xa9\xff\r\nUpgrade: websocket\r\n\r\n",
        b"",
    ],
)
def test_what_is_no_handshake_is_closed(data: bytes) -> None:
    async def test(port: int, door: Door) -> None:
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(data)
            await stream.send_eof()
            while not await _ended(lambda: stream.receive_some(4096)):
                pass
        assert not door.is_taken

    serving(test, websocket=True)


@pytest.mark.parametrize("token", ["", "wrong", f"{TOKEN}x", "POST / HTTP/1.1", "x" * 10_000])
def test_without_the_token_a_line_ends_the_connection(token: str) -> None:
    async def test(port: int, _: Door) -> None:
        async with lines_to(port, token) as wire:
            assert await _ended(wire.hear)

    serving(test, websocket=False)


def test_a_client_that_comes_back_takes_over() -> None:
    async def test(port: int, door: Door) -> None:
        async with lines_to(port) as first:
            await first.say({})
            assert await first.hear() == {"heard": 2, "is": 0}
            async with lines_to(port, "wrong") as stranger:
                assert await _ended(stranger.hear)
            await first.say_bytes(b"x" * 100_000 + b"\nshort\n")
            assert await first.hear() == {"heard": SAID_BYTES_MAX + 1, "is": 1}
            assert await first.hear() == {"heard": 5, "is": 0}
            async with lines_to(port) as second:
                await second.say({})
                assert await second.hear() == {"heard": 2, "is": 0}
                assert await _ended(first.hear)
                async with lines_to(port) as third:
                    await third.say({})
                    assert await third.hear() == {"heard": 2, "is": 0}
                    assert await _ended(second.hear)
                    assert door.is_taken
            await _until(lambda: not door.is_taken)
        async with lines_to(port) as last:
            await last.say({})
            assert await last.hear() == {"heard": 2, "is": 0}

    serving(test, websocket=False)


def test_no_more_than_some_may_knock_at_once() -> None:
    async def test(port: int, door: Door) -> None:
        waiting = [await trio.open_tcp_stream("127.0.0.1", port) for _ in range(KNOCKING_MAX)]
        await _until(lambda: door.knocking >= KNOCKING_MAX)
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            assert await _ended(lambda: stream.receive_some(1))
        for stream in waiting:
            await stream.aclose()

    serving(test, websocket=False)


@pytest.mark.parametrize("websocket", [False, True])
def test_a_client_that_is_gone_ends_its_talk(*, websocket: bool) -> None:
    ended: list[str] = []

    async def talk(wire: Wire) -> None:
        try:
            while True:
                await wire.send("x" * 10_000)
        except ChannelEnded:
            ended.append("sending")
            raise

    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with trio.open_nursery() as nursery:
                listeners = await listen(0)
                nursery.start_soon(serving_way(websocket=websocket), Door(TOKEN), talk, listeners)
                port = port_of(listeners)
                if websocket:
                    async with web_to(port):
                        pass
                else:
                    async with lines_to(port):
                        pass
                await _until(lambda: bool(ended))
                nursery.cancel_scope.cancel()

    trio.run(run)
    assert ended == ["sending"]


def test_a_connection_that_is_reset_is_over() -> None:
    async def test(port: int, door: Door) -> None:
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await _until(lambda: door.knocking > 0)
            linger = struct.pack("ii", 1, 0)  # closing tears the connection down
            stream.socket.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, linger)
        await _until(lambda: door.knocking == 0)
        assert not door.is_taken

    serving(test, websocket=False)


async def _ended(hear: Callable[[], Awaitable[object]]) -> bool:
    """Say whether a connection is closed by the other side."""
    try:
        return not await hear()
    except trio.BrokenResourceError:
        return True


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until something is so that no event tells of."""
    while not holds():  # noqa: ASYNC110 - there is no event to wait for
        await trio.sleep(0.01)

"""Abuse of a port of this machine: a talk on another connection goes on, and memory is bounded."""

from __future__ import annotations

import gc
import os
import resource
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
import trio
import trio.testing
from wsproto.events import BytesMessage, Ping, Pong, TextMessage

from nodealer.kernel import LocalError
from nodealer.kernel.chance import Chance
from nodealer.loopback import Callers, Mishap, listen, port_of, serve_web
from nodealer.loopback.callers import CALLERS_MAX, KNOWN_MAX, LocalCaller
from nodealer.loopback.web_service import HEADERS_MAX
from tests.loopback.calling import (
    FILE,
    Echo,
    Served,
    ask,
    flood_with,
    friend_at,
    heard_after,
    page_to,
    reset_after,
    run,
    served,
    until,
    upgrade_of,
)

MEGABYTE = 1 << 20

Abuse = Callable[[Served], Awaitable[None]]


async def a_stray_byte_after_the_upgrade(at: Served) -> None:
    await reset_after(at.port, upgrade_of(at.port) + b"\x00")
    await heard_after(at.port, upgrade_of(at.port) + b"\x00\x00")


async def garbage_after_the_upgrade(at: Served) -> None:
    chance = Chance("garbage after the upgrade")
    for _ in range(50):
        heard = await heard_after(at.port, upgrade_of(at.port) + _bytes(chance, 300))
        assert not heard.startswith(b"HTTP/1.1 5")


async def garbage(at: Served) -> None:
    chance = Chance("garbage")
    for length in (1, 100, 9_000, 50_000):
        await heard_after(at.port, _bytes(chance, length))
        await heard_after(at.port, b"GET /file HTTP/1.1\r\n" + _bytes(chance, length))
        await heard_after(at.port, b"GET /file HTTP/1.1\r\n" + _bytes(chance, length) + b"\r\n\r\n")


async def other_requests(at: Served) -> None:
    for request in (
        "POST /file HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        "POST /talk HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "GET /file HTTP/9.9\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "GET /file\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /talk HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        "GET /file HTTP/1.1\r\n folded: header\r\n\r\n",
    ):
        await heard_after(at.port, request.encode())


async def half_a_request(at: Served) -> None:
    whole = upgrade_of(at.port)
    for length in range(0, len(whole), 10):
        assert await heard_after(at.port, whole[:length]) == b""


async def a_frame_without_end(at: Served) -> None:
    head = b"\x81\xff" + (1 << 62).to_bytes(8, "big") + b"mask"
    async with friend_at(at.port) as page:
        await flood_with(page, head + b"x" * 9000, 1)
        assert await page.hear() is None
        assert page.close_code == 1009


async def a_storm_of_resets(at: Served) -> None:
    chance = Chance("resets")
    whole = upgrade_of(at.port) + b"\x81\x82abcdxy"
    for _ in range(100):
        await reset_after(at.port, whole[: chance.below(len(whole) + 1)])


async def many_heads_that_are_too_long(at: Served) -> None:
    head = b"GET /file HTTP/1.1\r\n" + b"".join(
        b"name-%d: %s\r\n" % (number, b"x" * 8000) for number in range(40)
    )
    async with trio.open_nursery() as nursery:
        for _ in range(CALLERS_MAX + 8):
            nursery.start_soon(heard_after, at.port, head)


async def pings_and_no_ear(at: Served) -> None:
    async with friend_at(at.port) as page:
        ping = page.words.send(Ping(b"p" * 125))
        await flood_with(page, ping * 1000, 400)


async def a_text_without_end(at: Served) -> None:
    async with friend_at(at.port) as page:
        part = page.words.send(TextMessage("x" * 60_000, message_finished=False))
        await flood_with(page, bytes(part), 1)
        part = page.words.send(TextMessage("x" * 60_000, message_finished=False))
        await flood_with(page, bytes(part), 200)
        assert await page.hear() is None
        assert page.close_code in (1009, 1006)


async def parts_without_end(at: Served) -> None:
    async with friend_at(at.port) as page:
        await page.say_event(TextMessage("", message_finished=False))
        part = page.words.send(TextMessage("", message_finished=False))
        await flood_with(page, bytes(part) * 10_000, 100)
        assert await page.hear() is None


async def a_page_that_reads_nothing(at: Served) -> None:
    async with friend_at(at.port) as page:
        assert await page.said_back("here")
        await page.say("flood")
        await until(lambda: at.service.talks == 1)


async def a_reader_of_a_file_that_reads_nothing(at: Served) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", at.port) as stream:
        await stream.send_all(b"GET /large HTTP/1.1\r\n\r\n")
        await trio.testing.wait_all_tasks_blocked()
        await until(lambda: not at.callers.there[1:])


async def a_talk_that_fails(at: Served) -> None:
    async with friend_at(at.port) as page:
        await page.say("fail")
        assert await page.hear() is None
        assert page.close_code == 1011
    assert (await ask(at.port, "/fails")).status == 500
    assert at.callers.counts[Mishap.FAILED] == 2
    assert [line.split(": ")[1].split(",")[0] for line in at.told] == [
        "RuntimeError in calling.py"
    ] * 2
    assert "secret" not in "".join(at.told)


async def a_crowd_of_strangers(at: Served) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(3 * CALLERS_MAX):
            nursery.start_soon(heard_after, at.port, b"GET ")
            await trio.testing.wait_all_tasks_blocked()
            assert len(at.callers.there) <= CALLERS_MAX
    assert at.callers.counts[Mishap.CROWDED] == 2 * CALLERS_MAX + 1


async def many_at_the_door(at: Served) -> None:
    """There is room for so many of those who are let in, and then one of them has to go."""
    async with trio.open_nursery() as nursery:
        leave = trio.Event()

        async def stay() -> None:
            async with friend_at(at.port) as page:
                assert await page.said_back("here")
                await leave.wait()

        for _ in range(KNOWN_MAX - 1):
            nursery.start_soon(stay)
        await until(lambda: len(at.callers.there) == KNOWN_MAX)
        async with friend_at(at.port) as page:
            assert await page.hear() is None
            assert page.close_code == 1013
        leave.set()
    assert at.callers.counts[Mishap.REFUSED] == 1
    async with friend_at(at.port) as page:
        assert await page.said_back("room again")


ABUSES: tuple[Abuse, ...] = (
    a_stray_byte_after_the_upgrade,
    garbage_after_the_upgrade,
    garbage,
    other_requests,
    half_a_request,
    a_frame_without_end,
    a_storm_of_resets,
    many_heads_that_are_too_long,
    pings_and_no_ear,
    a_text_without_end,
    parts_without_end,
    a_page_that_reads_nothing,
    a_reader_of_a_file_that_reads_nothing,
    a_talk_that_fails,
    a_crowd_of_strangers,
    many_at_the_door,
)


@pytest.mark.parametrize("abuse", ABUSES, ids=lambda one: one.__name__)
def test_a_talk_goes_on_and_memory_is_bounded(abuse: Abuse) -> None:
    async def test() -> None:
        async with served() as at, friend_at(at.port) as friend:
            assert await friend.said_back("before")
            tracemalloc.start()
            await abuse(at)
            assert await friend.said_back("after")
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 24 * MEGABYTE
            await until(lambda: not at.callers.there[1:])
            await until(lambda: at.service.talks == 1)
            assert at.callers.counts[Mishap.FELL] == 0
            assert at.told == [] or abuse is a_talk_that_fails

    run(test)


def test_connections_one_after_the_other_leave_nothing_behind(is_full: bool) -> None:
    count = 10_000 if is_full else 300

    async def test() -> None:
        async with served() as at, friend_at(at.port) as friend:
            before = 0
            for number in range(count):
                match number % 4:
                    case 0:
                        assert (await ask(at.port, "/file")).body == FILE
                    case 1:
                        async with friend_at(at.port) as page:
                            assert await page.said_back("hello")
                    case 2:
                        await reset_after(at.port, upgrade_of(at.port))
                    case _:
                        await heard_after(at.port, b"no request\r\n\r\n")
                if number == count // 2:
                    before = _held()
            assert await friend.said_back("after")
            await until(lambda: not at.callers.there[1:])
            assert at.service.talks == 1
            assert _held() - before < 100
            assert at.told == []

    run(test)


def test_a_machine_without_a_socket_to_spare_goes_on_when_it_has_one() -> None:
    async def test() -> None:
        async with served() as at, friend_at(at.port) as friend:
            with trio.socket.socket() as late:
                with _no_more_files():
                    await late.connect(("127.0.0.1", at.port))
                    await until(lambda: bool(at.callers.counts[Mishap.UNMADE]))
                    assert await friend.said_back("meanwhile")
                await late.send(b"GET /nothing HTTP/1.1\r\n\r\n")
                assert (await late.recv(100)).startswith(b"HTTP/1.1 404 Not Found")

    run(test)


def test_a_failure_of_the_library_ends_its_connections_and_not_the_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(caller: LocalCaller) -> None:
        monkeypatch.undo()
        await trio.aclose_forcefully(caller._stream)
        caller._there.remove(caller)
        raise RuntimeError("a secret")

    async def test() -> None:
        async with served() as at:
            monkeypatch.setattr(LocalCaller, "aclose", fail)
            await heard_after(at.port, b"GET /nothing HTTP/1.1\r\n\r\n")
            await until(lambda: bool(at.told))
            assert at.told[0].startswith("a connection on this machine fell: RuntimeError in ")
            assert at.callers.counts == {Mishap.FELL: 1}
            async with friend_at(at.port) as page:
                assert await page.said_back("again")

    run(test)


def test_texts_come_whole_and_in_order() -> None:
    async def test() -> None:
        async with served() as at, friend_at(at.port) as page:
            for text in ("", "é", "\U0001f0a1" * 3, "x" * 65_536):
                assert await page.said_back(text)
            await page.say_event(TextMessage("in ", message_finished=False))
            await page.say_event(Ping(b"between"))
            await page.say_event(TextMessage("parts"))
            assert isinstance(await page.event(), Pong)
            assert await page.hear() == "8:in parts"
            await page.say_event(BytesMessage(b"bytes"))
            assert await page.hear() == "1:\ufffd"
            await page.say("y" * 65_537)
            assert await page.hear() is None
            assert page.close_code == 1009

    run(test)


NO_TEXTS: dict[str, tuple[bytes, int]] = {
    "no UTF-8": (b"\x81\x82" + bytes(4) + b"\xff\xfe", 1007),
    "no mask": (b"\x81\x02no", 1002),
    "of no kind": (b"\x8f\x80" + bytes(4), 1002),
    "a ping that is too long": (b"\x89\xfe\x00\x7e" + bytes(130), 1002),
    "a part of nothing": (b"\x00\x80" + bytes(4), 1002),
    "of 2^62 bytes": (b"\x81\xff\x40" + bytes(11), 1009),
    "in 5,000 parts": (b"\x01\x80" + bytes(4) + (b"\x00\x80" + bytes(4)) * 5000, 1009),
    "an end": (b"\x88\x82" + bytes(4) + b"\x03\xe8", 1000),
}


@pytest.mark.parametrize("kind", NO_TEXTS)
def test_what_is_no_text_ends_the_channel_with_its_code(kind: str) -> None:
    async def test() -> None:
        async with served() as at, friend_at(at.port) as page:
            frame, code = NO_TEXTS[kind]
            await page.stream.send_all(frame)
            assert await page.hear() is None
            assert page.close_code == code

    run(test)


def test_a_talk_that_is_over_says_so() -> None:
    async def test() -> None:
        async with served() as at, friend_at(at.port) as page:
            await page.say("enough")
            assert await page.hear() is None
            assert page.close_code == 1000

    run(test)


def test_what_is_no_request_for_a_channel_gets_none() -> None:
    async def test() -> None:
        async with served() as at:
            assert (await ask(at.port, "/talk")).status == 426
            assert (await ask(at.port, "/talk", method="POST")).status == 405
            async with page_to(at.port, target="/nothing") as status:
                assert status == 404
            many = [(f"name-{number}", "value") for number in range(HEADERS_MAX)]
            assert (await ask(at.port, "/file", many)).status == 431
            assert (await ask(at.port, "/file", many[2:])).status == 200

    run(test)


def test_a_caller_is_a_stream_that_is_counted() -> None:
    async def test() -> None:
        there: list[LocalCaller] = []
        listeners = await listen(0)
        async with await trio.open_tcp_stream("127.0.0.1", port_of(listeners)) as far:
            caller = LocalCaller(await listeners[0].accept(), there)
            assert there == [caller]
            await caller.wait_send_all_might_not_block()
            await caller.send_all(b"all")
            await caller.send_eof()
            assert await far.receive_some() == b"all"
            assert await far.receive_some() == b""
            await far.send_all(b"x" * 5000)
            assert len(await caller.receive_some()) == 4096
            assert len(await caller.receive_some(10)) == 10
            await caller.aclose()
            await caller.aclose()
            assert there == []
        await listeners[0].aclose()

    run(test)


def test_nobody_listens_but_on_the_loopback() -> None:
    async def test() -> None:
        listeners = await trio.open_tcp_listeners(0, host="0.0.0.0")  # noqa: S104 - refused
        with pytest.raises(LocalError, match=r"others can reach 0\.0\.0\.0"):
            await serve_web(Echo(), Callers(print), list(listeners))
        for one in listeners:
            await one.aclose()

    run(test)


def _held() -> int:
    """Return how many objects of connections are held."""
    gc.collect()
    names = {"LocalCaller", "ServerConnection", "ServerProtocol", "Assembler", "TextChannel"}
    return sum(type(one).__name__ in names for one in gc.get_objects())


@contextmanager
def _no_more_files() -> Iterator[None]:
    """Let this process have no file or socket more than it has."""
    free = os.dup(0)
    os.close(free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _bytes(chance: Chance, length: int) -> bytes:
    words = (chance.below(1 << 64).to_bytes(8, "big") for _ in range(length // 8 + 1))
    return b"".join(words)[:length]

"""Services on a port of this machine: requests are answered, and who is let in gets a channel.

A service is asked about every request. It gives an answer, or none: then the request is one for a
channel, and the service talks over it. There is one request for each connection, and no body in it.

The library runs the connections, in tasks of its own; failures of ours never reach it. Should it
fail itself, all connections are gone, it is started again on the same port, and whoever was there
comes back as after a restart of the node.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

import trio
from websockets import http11
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from nodealer.loopback.callers import BREATH_SECONDS, CallerListener, Callers, LocalCaller, Mishap
from nodealer.loopback.local_port import LocalListeners, require_loopback
from nodealer.loopback.text_channel import CLOSE_SECONDS, CloseCode, TextChannel

if TYPE_CHECKING:
    from websockets.trio.server import ServerConnection

STRANGER_SECONDS: Final = 10.0
"""For a request and its answer, the largest file included."""

HEADERS_MAX: Final = 32
"""A browser sends some fifteen; the library would take a megabyte of them."""

http11.MAX_NUM_HEADERS = HEADERS_MAX

_QUIET: Final = logging.getLogger("nodealer.loopback")
"""The library logs headers, with cookies in them; here it logs nothing."""

_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False
_QUIET.setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class WebRequest:
    """The question of a caller."""

    method: str
    target: str
    headers: Headers

    def header(self, name: str) -> str | None:
        """Return a header; what was sent several times is told as one, as HTTP has it."""
        values = self.headers.get_all(name)
        return ", ".join(values) if values else None


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The whole answer to a request."""

    status: HTTPStatus
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class WebService(Protocol):
    """The service behind a port: it decides who is let in, and talks with those."""

    text_bytes_max: int
    """The longest text that may come in."""

    def answer(self, request: WebRequest) -> WebAnswer | None:
        """Return the answer to a request; None opens a channel to whoever asks."""

    async def talk(self, channel: TextChannel) -> None:
        """Talk over a channel until it ends, or until all is said."""


async def serve_web(service: WebService, callers: Callers, listeners: LocalListeners) -> NoReturn:
    """Serve whoever comes; nothing that a caller does ends this."""
    from websockets.trio.server import serve  # noqa: PLC0415 - loads asyncio, and few nodes serve

    require_loopback(listeners)

    def answer(_: ServerConnection, request: Request) -> Response | None:
        asked = WebRequest(request.method, request.path, request.headers)
        try:
            answer = service.answer(asked)
        except Exception as error:  # noqa: BLE001 - a defect here is no reason to end a table
            callers.note(Mishap.FAILED, error)
            answer = WebAnswer(HTTPStatus.INTERNAL_SERVER_ERROR)
        return None if answer is None else _written(answer)

    async def talk(connection: ServerConnection) -> None:
        channel = TextChannel(connection)
        assert isinstance(connection.stream, LocalCaller), "what the listener hands on"
        if not callers.let_in(connection.stream):
            await channel.close(CloseCode.TRY_AGAIN_LATER)
            return
        try:
            await service.talk(channel)
        except Exception as error:  # noqa: BLE001 - as above
            callers.note(Mishap.FAILED, error)
            await channel.close(CloseCode.INTERNAL_ERROR)
        else:
            await channel.close()

    while True:
        try:
            await serve(
                talk,
                listeners=[CallerListener(one, callers) for one in listeners],  # type: ignore[misc]
                compression=None,
                process_request=answer,
                server_header=None,
                open_timeout=STRANGER_SECONDS,
                ping_interval=None,
                close_timeout=CLOSE_SECONDS,
                max_size=service.text_bytes_max,
                max_queue=1,
                logger=_QUIET,
            )
        except Exception as error:  # noqa: BLE001 - as above
            callers.note(Mishap.FELL, error)
            await trio.sleep(BREATH_SECONDS)


def _written(answer: WebAnswer) -> Response:
    size = ("Content-Length", str(len(answer.body)))
    headers = Headers([*answer.headers, size, ("Connection", "close")])
    return Response(answer.status, answer.status.phrase, headers, answer.body)

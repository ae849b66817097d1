"""The figures of a page in `nodealer bench net`: what its player waits for, without the others.

    first_page  from starting the program until all files of the page, and what it shows first, are
                there; what the browser does with them comes on top
    click_echo  from a click on a card to the table on which it is picked, on the own page

A bare client takes the place of a browser: it asks for the files one after the other, each over a
connection of its own as the server has it, and opens one channel.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Final, TypedDict, cast
from urllib.parse import urlsplit

from nodealer.games import JsonValue
from nodealer.page import site_files

CLICKS: Final = 21

GAME: Final[Mapping[str, JsonValue]] = {
    "do": "practise",
    "game": "take5",
    "seats": 2,
    "options": {},
}

PATIENCE_SECONDS: Final = 120.0
"""Nothing is measured with it: a program that has failed is not waited for without end."""

_FINAL_TEXT: Final = 0x81
_MASKED: Final = 0x80
_SHORT: Final = 126
_MEDIUM: Final = 127


class _Card(TypedDict, total=False):
    card: int
    can: bool
    picked: bool


class _Zone(TypedDict):
    cards: list[_Card]


class _Choice(TypedDict):
    picked: list[int]


class _Table(TypedDict):
    """The fields of a table that a hand needs."""

    height: int
    is_asked: bool
    zones: list[_Zone]
    choice: _Choice


@dataclass(frozen=True, slots=True)
class PageFigures:
    """The figures of one program and its page."""

    first_page_ms: float
    click_echo_ms: float


def page_figures() -> PageFigures:
    """Start a program in an empty home, and measure its page."""
    with tempfile.TemporaryDirectory(prefix="nodealer-") as home:
        started = monotonic()
        with _program(home) as address:
            place = urlsplit(address)
            page = BarePage(place.netloc, place.fragment.removeprefix("token="))
            page.load(site_files())
            with page.channel():
                page.wish({"do": "follow"})
                page.told("home")
                first = 1000 * (monotonic() - started)
                echo = median(_echoes(page))
    return PageFigures(first, echo)


@contextmanager
def _program(home: str) -> Iterator[str]:
    """Run a program that serves a page; yield its address."""
    command = [sys.executable, "-P", "-m", "nodealer", "page"]
    environment = {**os.environ, "NODEALER_HOME": home, "SSH_TTY": "no screen"}
    with subprocess.Popen(  # noqa: S603 - our own command, without a shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    ) as process:
        assert process.stderr is not None, "it was asked for"
        try:
            words = (word for line in process.stderr for word in line.split())
            address = next((word for word in words if "#token=" in word), None)
            assert address is not None, "it says where its page is"
            yield address
        finally:
            process.send_signal(signal.SIGINT)


def _echoes(page: BarePage) -> Iterator[float]:
    """Yield how long it took until a card was picked, or put back, on the own page."""
    page.wish(GAME)
    table = page.table()
    while not table["is_asked"]:
        table = page.table()
    for _ in range(CLICKS):
        cards = [card for zone in table["zones"] for card in zone["cards"]]
        picked = table["choice"]["picked"]
        card = picked[0] if picked else next(one["card"] for one in cards if one.get("can"))
        clicked = monotonic()
        do = "put-back" if picked else "pick"
        page.wish({"do": do, "height": table["height"], "card": card})
        table = page.table()
        while table["choice"]["picked"] == picked:
            table = page.table()
        yield 1000 * (monotonic() - clicked)


class BarePage:
    """A page without a browser: files over HTTP, texts over a channel."""

    def __init__(self, host: str, token: str) -> None:
        """Show the token, for the cookie."""
        self._host = host
        headers = {"Origin": f"http://{host}", "Authorization": f"Bearer {token}"}
        given = self._asked("POST", "/enter", headers)
        self._cookie = given.partition(";")[0]
        self._number = 0

    def load(self, names: Mapping[str, object]) -> None:
        """Get all files."""
        for name in names:
            self._asked("GET", name, {})

    @contextmanager
    def channel(self) -> Iterator[None]:
        """Open the channel."""
        name, _, port = self._host.partition(":")
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = (
            "GET /talk HTTP/1.1", f"Host: {self._host}", f"Origin: http://{self._host}",
            f"Cookie: {self._cookie}", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", "",
        )  # fmt: skip
        with (
            socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS) as self._socket,
            self._socket.makefile("rb") as self._bytes,
        ):
            self._socket.sendall("\r\n".join(lines).encode())
            while self._bytes.readline().strip():
                pass
            yield

    def wish(self, fields: Mapping[str, JsonValue]) -> None:
        """Wish something."""
        self._number += 1
        text = json.dumps({**fields, "n": self._number}).encode()
        assert len(text) < _SHORT, "a wish of ours is short"
        # A mask of zeros is one: what it is for, proxies that are in the way, is not here.
        self._socket.sendall(bytes([_FINAL_TEXT, _MASKED | len(text)]) + bytes(4) + text)

    def table(self) -> _Table:
        """Wait for the next table."""
        return cast("_Table", self.told("table"))

    def told(self, kind: str) -> object:
        """Wait for the next text of a kind."""
        while True:
            text = json.loads(self._frame())
            if text["is"] == kind:
                return cast("object", text)

    def _frame(self) -> bytes:
        _, length = self._bytes.read(2)
        if length == _SHORT:
            length = int.from_bytes(self._bytes.read(2), "big")
        elif length == _MEDIUM:
            length = int.from_bytes(self._bytes.read(8), "big")
        return self._bytes.read(length)

    def _asked(self, method: str, name: str, headers: Mapping[str, str]) -> str:
        """Ask for something, and return the cookie that comes with it, if one does."""
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE_SECONDS)
        with closing(connection):
            connection.request(method, name, headers=dict(headers))
            answer = connection.getresponse()
            answer.read()
            return answer.getheader("Set-Cookie") or ""

"""Real tables against bots, served to clients over real sockets of this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, RejectConnection, Request, TextMessage

from nodealer.games import AnyGame, registry
from nodealer.home.seat_client import SeatClient
from nodealer.kernel.chance import Chance
from nodealer.loopback import LocalListeners, listen, port_of
from nodealer.node.clocks import CLOCKS
from nodealer.node.keeper import Keeper
from nodealer.node.node import open_node
from nodealer.node.practice import Rules, Seated, at_table, bots_in, found, identity_in
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.memory import Ether
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.seat.shell import Door, Talk, serve_lines, serve_websocket
from nodealer.store.identity import Identity, write_identity
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import places_of
from nodealer.table import HEEDING
from tests.seat.clients import CLIENTS, Client, Message
from tests.seat.picking import picking
from tests.seat.spoken import RULES

TOKEN = "as-secret-as-that"  # noqa: S105 - it keeps nobody out of anything

OPTIONS = {
    "take5": ["turn_count=2", "deck_size=12", "win_score=1"],
    "66-v1": ["variant=v1"],
    "66-v2": ["variant=v2"],
}


class Home:
    """A player with a table against one bot, on a disk; what is played follows from the seed."""

    def __init__(
        self, folder: Path, protocol: str, seed: str = "home", rules: AnyGame | None = None
    ) -> None:
        rules = rules or RULES[protocol]
        (self.protocol,) = (one for one in rules.seed_protocols() if one.name == protocol)
        self.places = places_of({"NODEALER_HOME": str(folder)})
        self.profile = self.places.profile("default")
        options = registry.parse_options(rules, OPTIONS.get(protocol, ()))
        for name in ("default", "bot-1"):
            profile = self.places.profile(name)
            profile.make()
            write_identity(profile.key, Identity(_drawn(protocol, seed, name, "key")))
        you = Seated(self.profile, identity_in(self.profile), "You")
        everybody = [
            replace(one, seed=_drawn(protocol, seed, one.name, "deck"))
            for one in (you, *bots_in(self.places, 1, "You"))
        ]
        rules_here = Rules(rules, options, CLOCKS["calm"])
        self.charter = found(rules_here, everybody, _drawn(protocol, seed, "lobby"))

    def journal(self) -> Journal:
        """Open the player's journal."""
        return open_journal(self.profile, self.charter.table, identity_in(self.profile))

    @asynccontextmanager
    async def served(
        self, *, websocket: bool = False, alone: bool = False
    ) -> AsyncIterator[tuple[int, Keeper, SeatClient]]:
        """Open the table, and serve its seat; at the end everything is stopped at once."""
        with closing(self.journal()) as journal:
            async with (
                self._alone(journal) if alone else self._among_bots(journal) as keeper,
                trio.open_nursery() as nursery,
            ):
                client = SeatClient(keeper, self.protocol)
                nursery.start_soon(client.heed)
                listeners = await listen(0)
                nursery.start_soon(
                    serving_way(websocket=websocket), Door(TOKEN), client.talk, listeners
                )
                yield port_of(listeners), keeper, client
                nursery.cancel_scope.cancel()

    def _among_bots(self, journal: Journal) -> AbstractAsyncContextManager[Keeper]:
        return at_table(self.places, journal, thought_seconds=0.0, duties=HEEDING)

    @asynccontextmanager
    async def _alone(self, journal: Journal) -> AsyncIterator[Keeper]:
        """Open the table where nobody else can be reached."""
        key = PeerKey(journal.charter.keys[0])
        async with (
            Ether().carrier(key, "nowhere") as carrier,
            open_switchboard(carrier, Chance("alone")) as links,
            open_node(links) as node,
        ):
            yield node.open_table(journal, HEEDING)


def serving_way(
    *, websocket: bool
) -> Callable[[Door, Talk, LocalListeners], Coroutine[None, None, NoReturn]]:
    """Return what serves clients; of what fails behind the door nobody may have to be told."""
    return partial(serve_websocket, tell=pytest.fail) if websocket else serve_lines


def _drawn(*purpose: str) -> bytes:
    """Return 32 bytes that are the same in every run."""
    return Chance("seated", *purpose).below(1 << 64).to_bytes(8, "big") * 4


class Lines:
    """A connection as a client has it: lines of JSON."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.buffer = b""

    async def say(self, message: Message) -> None:
        await self.say_bytes(json.dumps(message).encode() + b"\n")

    async def say_bytes(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def hear(self) -> Message | None:
        """Return the next message; None at the end."""
        while b"\n" not in self.buffer:
            data = await self.stream.receive_some(4096)
            if not data:
                return None
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        found: Message = json.loads(line)
        return found


@asynccontextmanager
async def lines_to(port: int, token: str = TOKEN) -> AsyncIterator[Lines]:
    """Connect, and show a token."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        wire = Lines(stream)
        await wire.say_bytes(token.encode() + b"\n")
        yield wire


class Web:
    """A connection over WebSocket, as a page has it."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.socket = WSConnection(ConnectionType.CLIENT)
        self.text = ""
        self.waiting: list[object] = []

    async def event(self) -> object | None:
        """Return what comes next; None at the end."""
        while not self.waiting:
            data = await self.stream.receive_some(4096)
            self.socket.receive_data(bytes(data) or None)
            self.waiting += self.socket.events()
            if not data and not self.waiting:
                return None
        return self.waiting.pop(0)

    async def say(self, message: Message) -> None:
        await self.stream.send_all(self.socket.send(TextMessage(json.dumps(message))))

    async def hear(self) -> Message | None:
        while True:
            match await self.event():
                case TextMessage() as part:
                    self.text += part.data
                    if part.message_finished:
                        found: Message = json.loads(self.text)
                        self.text = ""
                        return found
                case None | CloseConnection():
                    return None
                case _:
                    continue


@asynccontextmanager
async def web_to(
    port: int, *, path: str = f"/{TOKEN}", host: str | None = None, origin: str | None = None
) -> AsyncIterator[Web | int]:
    """Connect as a page does; yields the status if the handshake is rejected."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        web = Web(stream)
        extra = [] if origin is None else [(b"Origin", origin.encode())]
        request = Request(host or f"127.0.0.1:{port}", path, extra_headers=extra)
        await stream.send_all(web.socket.send(request))
        match await web.event():
            case AcceptConnection():
                yield web
            case RejectConnection() as rejected:
                yield rejected.status_code
            case other:
                raise AssertionError(other)


async def play(client: Client, wire: Lines | Web, until: Callable[[], bool]) -> None:
    """Let a client play over a connection until something is so, or the connection ends."""
    while not until():
        message = await wire.hear()
        if message is None:
            return
        for answer in client.hear(message):
            await wire.say(answer)


def client_for(home: Home) -> Client:
    """Return the client of a player who sits first."""
    return CLIENTS[home.protocol.name](0, picking("seat"), starts=True)

"""From an invite to a table, in one process: lobbies over links, with players and a spectator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import trio

from nodealer.bots import bot_for
from nodealer.crypto.shared_secret import SECRET_BYTES, SharedSecret
from nodealer.games.registry import game
from nodealer.home.my_lobbies import journal_for
from nodealer.kernel import Reason, Seat
from nodealer.kernel.chance import Chance
from nodealer.lobby import (
    Guest,
    Host,
    Keys,
    NewSeat,
    address_record,
    hosting,
    plan_of,
    visiting,
    write,
)
from nodealer.lobby.forms import LOBBY_BYTES
from nodealer.lobby.messages import JOIN_BYTES_MAX, Leaving
from nodealer.lobby.moves import GuestPhase, HostPhase
from nodealer.lobby.ready import CharterWhole, LinkEnd, LobbyOver
from nodealer.node.auto import play_by
from nodealer.node.clocks import CLOCKS
from nodealer.node.envelopes import ForLobby, write_envelope
from nodealer.node.node import Node, open_node
from nodealer.node.rooms import EVENTS_MAX, Room
from nodealer.node.seat_addresses import addresses_in, addresses_of
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.store.lobbies import LobbyFile
from tests.node.ether import FaultyEther
from tests.node.makers import in_virtual_time
from tests.node.tables import unreadable
from tests.store.players import Home, drawn, home_in, seed_of

MACAUA = game("macaua")
LOBBY = drawn("lobby")[:LOBBY_BYTES]


def secret(what: str) -> SharedSecret:
    return SharedSecret(drawn(what)[:SECRET_BYTES])


KEYS = Keys(LOBBY, secret("play"), secret("watch"))


class Meeting:
    """Machines on one ether, and the lobby of the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ether = FaultyEther(latency_seconds=0.01)

    def home(self, number: int) -> Home:
        return home_in(self.folder / str(number), number)

    def file(self, number: int, name: str) -> LobbyFile:
        """Return where a machine keeps its lobby; it is held until the test ends."""
        return LobbyFile(self.home(number).profile, name)

    @asynccontextmanager
    async def node(self, number: int) -> AsyncIterator[Node]:
        key = PeerKey(self.home(number).identity.public)
        async with AsyncExitStack() as stack:
            carrier = await stack.enter_async_context(self.ether.carrier(key, f"node-{number}"))
            links = await stack.enter_async_context(
                open_switchboard(carrier, Chance("links", number))
            )
            yield await stack.enter_async_context(open_node(links))

    def host(self, seats: int) -> Room:
        plan = plan_of(MACAUA, seats, {}, CLOCKS["brisk"], MACAUA.policies[0])
        signer = self.home(0).identity.signer
        room = Room(*hosting.opened(plan, "Ana", signer, KEYS), self.file(0, "lobby.host"))
        assert isinstance(room.held, Host)
        record = address_record(signer, 1, ("/memory/node-0", "/no/such/form"))
        room.take(*hosting.moved(room.held, record))
        return room

    def guest(self, host: Room, number: int, *, watches: bool = False) -> Room:
        assert isinstance(host.held, Host)
        invite = host.held.invite(("/memory/node-0",), watches=watches)
        visit = visiting.knocking(invite, f"Guest {number}", self.home(number).identity.signer)
        return Room(*visit, self.file(number, "lobby.guest"))


async def gather(room: Room) -> NewSeat | Reason | None:
    """Accept and start as soon as that can be done; return how it has ended."""
    while True:
        for event in await room.happened():
            if isinstance(event, CharterWhole):
                return event.founding
            if isinstance(event, LobbyOver):
                return event.reason
        held = room.held
        if isinstance(held, Guest):
            if held.phase is GuestPhase.ASKED and held.offer is not None:
                seed = seed_of(8)
                room.take(*visiting.accept(held, held.offer.number, seed, MACAUA))
        elif held.phase is HostPhase.OFFERING and held.seed is None:
            room.take(*hosting.accept(held, held.number, seed_of(0)))
        elif held.phase is HostPhase.READY:
            room.take(*hosting.start(held))


def test_a_lobby_leads_to_a_table_that_is_played_and_watched(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    tips: list[bytes] = []

    async def sit(number: int, room: Room) -> None:
        async with meeting.node(number) as node:
            node.open_room(room)
            founding = await gather(room)
            assert isinstance(founding, NewSeat)
            home = meeting.home(number)
            book = room.held.book
            # Twice: the program may have been stopped in between.
            journal_for(founding, home.profile, home.identity, book).close()
            with closing(journal_for(founding, home.profile, home.identity, book)) as journal:
                keeper = node.open_table(journal)
                host = (Address("memory", "node-0"),)
                assert number == 0 or addresses_of(journal, Seat(0)) == host
                assert (keeper.seat is None) == (number == 2)
                if keeper.seat is not None:
                    await play_by(keeper, bot_for(MACAUA), Chance("bot", number))
                while not keeper.table.position.is_closed:
                    await keeper.changed()
                tips.append(keeper.table.ledger.tip.id)
                await trio.sleep(5)

    async def main() -> None:
        host = meeting.host(2)
        guest, watcher = meeting.guest(host, 1), meeting.guest(host, 2, watches=True)
        with trio.fail_after(600):
            async with trio.open_nursery() as nursery:
                for number, room in enumerate((host, guest, watcher)):
                    nursery.start_soon(sit, number, room)

    in_virtual_time(main)
    assert len(tips) == 3
    assert len(set(tips)) == 1


def test_a_lobby_that_is_closed_or_unknown_is_said(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    ended: list[object] = []

    async def main() -> None:
        host = meeting.host(2)
        async with meeting.node(0) as first, meeting.node(1) as second:
            guest = meeting.guest(host, 1)
            second.open_room(guest)
            ended.append(await gather(guest))
            first.open_room(host)
            del first.rooms[host.lobby]
            # To a lobby that is not open: rubbish, what needs no answer, and what is not read.
            for letter in (b"\xff", write(Leaving(LOBBY)), bytes(JOIN_BYTES_MAX + 1)):
                for link in second._switchboard.links:
                    await link.send(write_envelope(ForLobby(LOBBY), letter))
            await trio.sleep(1)
            assert unreadable(first.counts) == 2
            assert first.counts[Reason.ENCODING_OVERSIZED] == 1

    in_virtual_time(main)
    assert ended == [Reason.LOBBY_UNKNOWN]


def test_addresses_that_are_none_are_passed_over() -> None:
    known = addresses_in(("/memory/a", "nothing", "/ip4/300.1.1.1/tcp/1"))
    assert known == (Address("memory", "a"),)


def test_a_room_that_is_not_open_says_nothing(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    host = meeting.host(2)
    assert host.host is None
    assert host.addresses == ()
    guest = meeting.guest(host, 1)
    assert guest.host == PeerKey(meeting.home(0).identity.public)
    # It has knocked nowhere: whoever is not the host is not knocked at.
    guest.linked(PeerKey(meeting.home(2).identity.public), b"name")
    assert isinstance(guest.held, Guest)
    assert guest.held.phase is GuestPhase.KNOCKING
    guest.linked(PeerKey(meeting.home(0).identity.public), b"name")


def test_what_nobody_asks_for_is_not_kept_for_ever(tmp_path: Path) -> None:
    room = Meeting(tmp_path).host(2)
    stranger = LinkEnd(bytes(32), bytes(32))
    for _ in range(EVENTS_MAX + 1):
        room.receive(b"junk", stranger)
    assert len(room.events) == EVENTS_MAX

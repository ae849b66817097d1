"""Lobbies with everybody in this process: real sessions, records and books, wires of memory."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack, closing
from pathlib import Path

import trio
import trio.testing

from nodealer.cli.typed_guest import TypedGuest
from nodealer.cli.typed_host import TypedHost
from nodealer.home.guest_session import GuestSession
from nodealer.home.host_session import HostSession
from nodealer.home.my_lobbies import FoundLobby, Shelf, listed
from nodealer.home.people import Company
from nodealer.lobby import Invite, LinkEnd, NewSeat
from nodealer.lobby.ready import LobbyOver
from nodealer.node.envelopes import read_envelope
from nodealer.node.rooms import Room
from nodealer.node.transport.addresses import PeerKey
from nodealer.store.friends import Friends
from nodealer.store.places import Profile
from tests.lobby.world import keys_of, plan
from tests.store.players import drawn, home_in

PLACE = "/ip4/192.0.2.7/tcp/4001"


class Player:
    """Somebody with a disk, a key and a book of friends."""

    def __init__(self, folder: Path, key: int) -> None:
        home = home_in(folder / str(key), key)
        self.profile, self.identity = home.profile, home.identity
        self.shelf = Shelf(self.profile, self.identity)

    @property
    def key(self) -> PeerKey:
        return PeerKey(self.identity.public)


class Gathering:
    """A host and its guests, and what is under way between them."""

    def __init__(self, folder: Path, seats: int = 2) -> None:
        self.folder = folder
        self.seats = seats
        self.rooms: dict[PeerKey, Room] = {}
        self.wires: deque[tuple[PeerKey, PeerKey, bytes]] = deque()
        self.stack = ExitStack()
        self.results: dict[PeerKey, NewSeat | LobbyOver | None] = {}
        self.errors: list[Exception] = []

    def player(self, key: int) -> Player:
        return Player(self.folder, key)

    def host(
        self,
        player: Player,
        name: str = "Ana",
        *,
        is_attended: bool = True,
        salt: int = 0,
        **taken: bool,
    ) -> TypedHost:
        room = player.shelf.host(plan(self.seats), name, keys_of(salt))
        return self.hosting(player, room, is_attended=is_attended, **taken)

    def hosting(
        self, player: Player, room: Room, *, is_attended: bool = True, takes_new_keys: bool = False
    ) -> TypedHost:
        self._open(player, room)
        company = self.company(player, takes_new_keys=takes_new_keys)
        session = HostSession(room, company, is_attended=is_attended)
        session.invites((PLACE,))
        return TypedHost(session)

    def guest(
        self,
        player: Player,
        invite: Invite,
        name: str = "Bea",
        *,
        agrees: bool = False,
        takes_new_keys: bool = False,
        is_quick: bool = True,
    ) -> TypedGuest:
        room = player.shelf.visit(invite, name)
        self._open(player, room)
        company = self.company(player, takes_new_keys=takes_new_keys)
        self.link(player)
        return TypedGuest(GuestSession(room, company, agrees=agrees, is_quick=is_quick))

    def link(self, player: Player) -> None:
        """Let a guest have a new link to its host."""
        room = self.rooms[player.key]
        assert room.host is not None
        room.linked(room.host, drawn("link", player.key))

    def company(self, player: Player, *, takes_new_keys: bool = False) -> Company:
        friends = self.stack.enter_context(closing(Friends(player.profile.friends)))
        return Company(friends, player.identity.public, takes_new_keys=takes_new_keys)

    def leave(self, player: Player) -> None:
        """Let the program of somebody stop."""
        room = self.rooms.pop(player.key)
        room.file.close()

    async def settle(self) -> None:
        """Deliver everything until nothing is under way."""
        await trio.testing.wait_all_tasks_blocked()
        while self.wires:
            sender, to, payload = self.wires.popleft()
            if to in self.rooms:
                _, letter = read_envelope(payload)
                self.rooms[to].receive(letter, LinkEnd(sender, drawn("link", sender)))
            await trio.testing.wait_all_tasks_blocked()

    async def follow(self, player: Player, one: TypedHost | TypedGuest) -> None:
        """Wait for what becomes of a lobby."""
        try:
            if isinstance(one, TypedHost):
                self.results[player.key] = await one.session.gather()
            else:
                self.results[player.key] = await one.session.wait()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.errors.append(error)

    def close(self) -> None:
        for room in self.rooms.values():
            room.file.close()
        self.rooms.clear()
        self.stack.close()

    def _open(self, player: Player, room: Room) -> None:
        self.rooms[player.key] = room
        room.send = lambda to, payload: self.wires.append((player.key, to, payload))


def open_lobby(profile: Profile, *, hosted: bool) -> FoundLobby | None:
    """Return the newest lobby of one side in which people gather."""
    found = (one for one in listed(profile) if one.is_open and one.is_hosted is hosted)
    return next(found, None)

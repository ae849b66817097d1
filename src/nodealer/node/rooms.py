"""A lobby that is open at this node: what it decides is stored, sent and told.

A room is the shell around a host or a guest of `lobby`, which decide everything. What they want
kept is on the disk before anything leaves: whoever has accepted an offer must still know so after a
crash. Messages to somebody without a link are dropped; who comes back is told everything again.

What has happened waits until somebody asks. While a game is played nobody does, and the lobby stays
open for those who have missed the charter; so no more is kept than `EVENTS_MAX`, the latest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from nodealer.lobby import (
    Guest,
    Host,
    LinkEnd,
    LobbyEvent,
    LobbyReady,
    SaidAt,
    YouMayCome,
    answer_to,
    hosting,
    visiting,
    write,
)
from nodealer.node.envelopes import ForLobby, write_envelope
from nodealer.node.seat_addresses import addresses_in
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.link import Bell
from nodealer.store import LobbyFile

Send: TypeAlias = Callable[[PeerKey, bytes], None]

HeldLobby: TypeAlias = Host | Guest

EVENTS_MAX: Final = 256
"""Far more than can happen before whoever waits for it has its turn."""


class Room:
    """A lobby, as its host or as a guest of it."""

    def __init__(self, held: HeldLobby, ready: LobbyReady, file: LobbyFile) -> None:
        """Open a lobby; `file` is where it is kept."""
        self.held = held
        self.send: Send = lambda _, __: None  # who comes once it is open is told everything
        self.ticks: Callable[[], int] = lambda: 0
        """The time of the node, by which is bounded how fast people speak."""
        self.events: list[LobbyEvent] = []
        self.bell = Bell()
        self.file = file
        self.take(held, ready)

    @property
    def lobby(self) -> bytes:
        """The number of the lobby."""
        return self.held.keys.lobby if isinstance(self.held, Host) else self.held.invite.lobby

    @property
    def host(self) -> PeerKey | None:
        """Whom a guest has to reach; a host reaches for nobody."""
        return PeerKey(self.held.host) if isinstance(self.held, Guest) else None

    @property
    def people(self) -> frozenset[bytes]:
        """The keys of everybody who is in the lobby, as its host has let them in."""
        held = self.held
        if isinstance(held, Host):
            return frozenset(held.guests)
        watchers = () if held.progress is None else held.progress.watchers
        return frozenset((*held.others, *(one.key for one in watchers)))

    @property
    def named(self) -> frozenset[bytes]:
        """The keys that come in without an invite."""
        return frozenset(self.held.named) if isinstance(self.held, Host) else frozenset()

    def answer_to(self, peer: PeerKey) -> YouMayCome | None:
        """Return what is answered to somebody who asks whether it may come, if it may."""
        return answer_to(self.held, peer) if isinstance(self.held, Host) else None

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where the host of a guest can be reached; addresses that are none are passed over."""
        return addresses_in(self.held.invite.addresses) if isinstance(self.held, Guest) else ()

    def take(self, held: HeldLobby, ready: LobbyReady) -> None:
        """Store, send and tell what an input has come to."""
        if ready.keep is not None:
            self.file.write(ready.keep.data)
        self.held = held
        for out in ready.send:
            payload = write_envelope(ForLobby(self.lobby), write(out.message))
            self.send(PeerKey(out.to), payload)
        self.events = [*self.events, *ready.show][-EVENTS_MAX:]
        self.bell.ring()

    def receive(self, letter: bytes, peer: LinkEnd) -> None:
        """Take in what somebody has sent, which may be anything."""
        if isinstance(self.held, Host):
            self.take(*hosting.receive_bytes(self.held, letter, peer, self.ticks()))
        else:
            self.take(*visiting.receive_bytes(self.held, letter, peer.key, self.ticks()))

    def say(self, text: str, number: int) -> None:
        """Say something to everybody in the lobby; `number` is drawn from a clock."""
        at = SaidAt(number, self.ticks())
        if isinstance(self.held, Host):
            self.take(*hosting.say(self.held, text, at))
        else:
            self.take(*visiting.say(self.held, text, at))

    def linked(self, peer: PeerKey, name: bytes) -> None:
        """Knock, if this is the link to the host of a guest."""
        if isinstance(self.held, Guest) and peer == self.held.host:
            self.take(*visiting.linked(self.held, name))

    async def something(self) -> None:
        """Wait until there is something that was not asked for yet."""
        while not self.events:
            await self.bell.wait()

    async def happened(self) -> list[LobbyEvent]:
        """Return what has happened since this was asked last; wait for something."""
        await self.something()
        events, self.events = self.events, []
        return events

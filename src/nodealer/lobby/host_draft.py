"""A host's lobby while something happens in it: what it becomes, and what is told to whom.

A draft starts from a lobby and collects messages and events while a deed changes it. It knows who
must hear of what: of an offer or an answer everybody, of addresses whoever has a seat, and somebody
who comes back of everything. It also counts the turns: how often the holder of a key has made all
others look up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from nodealer.kernel import PeerError, Reason
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.comparing import begun, drawing_of, forgotten, pledge_of, pledged
from nodealer.lobby.host import Host, member, without
from nodealer.lobby.sayings import heard
from nodealer.lobby.terms import seat_of

TURNS_MAX: Final = 64
"""Nobody comes, goes and thinks again so often."""


@dataclass(slots=True)
class HostDraft:
    """A lobby while it changes."""

    host: Host
    now: int = 0
    """The tick at which it happens."""
    send: list[r.LobbyOutgoing] = field(default_factory=list)
    show: list[r.LobbyEvent] = field(default_factory=list)

    def tell(self, key: bytes, *messages: m.LobbyMessage) -> None:
        """Send messages to somebody."""
        self.send += [r.LobbyOutgoing(message, key) for message in messages]

    def tell_all(self, *messages: m.LobbyMessage) -> None:
        """Send messages to everybody in the lobby."""
        for key in self.host.guests:
            self.tell(key, *messages)

    def refuse(self, key: bytes, reason: Reason) -> None:
        """Let somebody know that it is not in the lobby."""
        self.tell(key, m.NotAdmitted(self.host.keys.lobby, reason))
        self.show.append(r.TurnedAway(key, reason))

    def drop(self, reason: Reason, sender: bytes) -> None:
        """Take no notice of a message."""
        self.show.append(r.LobbyDropped(reason.slug, sender))

    def offer(self) -> None:
        """Send everybody what is offered now."""
        self.show.append(r.Offered(self.host.offer))
        self.tell_all(self.host.offer, progress(self.host))
        if self.host.drawn.people != self.host.seats:
            self.draw()

    def progress(self) -> None:
        """Send everybody who has answered."""
        told = progress(self.host)
        self.show.append(r.Answered(told.number, tuple(sorted(self.host.answers)), told.watchers))
        self.tell_all(told)

    def turn(self, key: bytes) -> None:
        """Count that somebody makes others look up, or raise."""
        count = self.host.turns.get(key, 0) + 1
        if count > TURNS_MAX:
            raise PeerError(Reason.LOBBY_RESTLESS, f"{count} turns")
        self.host = replace(self.host, turns={**self.host.turns, key: count})

    def go(self, key: bytes) -> None:
        """Take somebody out of the lobby, and tell the others."""
        who, before = self.require_guest(key), self.host
        self.host = without(before, key)
        self.show.append(r.Went(who.key, who.name))
        if self.host.number != before.number:
            self.offer()
        else:
            self.progress()

    def require_guest(self, key: bytes) -> m.Attendee:
        """Return who holds a key, or raise if no guest does."""
        who = member(self.host, key)
        if who is None:
            raise PeerError(Reason.LOBBY_SENDER, "nobody who is in the lobby")
        return who

    def draw(self) -> None:
        """Have words drawn anew by everybody with a seat; while a seat is free there are none."""
        host, lobby = self.host, self.host.keys.lobby
        drawn = replace(forgotten(host.drawn), number=host.drawn.number)
        if None not in host.seats and drawn.may_draw:
            seat = seat_of(host.offer, host.key)
            assert seat is not None, "a host has a seat"
            drawn = begun(drawn, lobby, host.seats, drawn.number + 1)
            drawn = pledged(drawn, seat, pledge_of(drawn, lobby, seat))
            self.host = replace(host, drawn=drawn)
            self.tell_drawing()
        else:
            self.host = replace(host, drawn=drawn)

    def tell_drawing(self) -> None:
        """Tell everybody else with a seat how far the drawing of words has come."""
        told = drawing_of(self.host.drawn, self.host.keys.lobby)
        for key in self.host.seated:
            if key != self.host.key:
                self.tell(key, told)

    def hand_round(self, line: m.LobbyLine) -> None:
        """Tell everybody what somebody says, that one included."""
        self.host = replace(self.host, chat=heard(self.host.chat, line))
        self.show.append(r.LineSaid(line))
        self.tell_all(line)

    def tell_everything(self, key: bytes) -> None:
        """Tell somebody who comes back where everything stands."""
        self.tell(key, self.host.offer, progress(self.host), *self.host.chat.lines)
        self.tell_addresses(key)

    def tell_addresses(self, key: bytes) -> None:
        """Send somebody with a seat where the others can be reached."""
        if key in self.host.seated:
            records = self.host.book.records.items()
            self.tell(key, *(record for one, record in records if one != key))

    def pass_on(self, record: m.AddressRecord) -> None:
        """Send everybody with a seat where one of them can be reached."""
        for key in self.host.seated:
            if key not in (record.key, self.host.key):
                self.tell(key, record)


def progress(host: Host) -> m.Progress:
    """Return what is told about who has answered."""
    bits = sum(1 << seat for seat in host.answers)
    return m.Progress(host.keys.lobby, host.number, bits, host.watchers)

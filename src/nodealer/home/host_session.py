"""A host while people gather: what happens is told as values, what its player wants is done.

With a person there nothing is accepted unseen: `start` accepts the offer of the moment for the
host's own seat, and founds the table as soon as all others have accepted it too. Whatever is
changed afterwards, by anybody, has to be started anew. Without a person the host accepts and starts
as soon as it can, and sends away whoever goes by a friend's name with another key.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from nodealer.crypto import SEED_BYTES
from nodealer.games import AnyGame, Options, registry
from nodealer.home.clock import now_seconds
from nodealer.home.friends_lobbies import friend_called
from nodealer.home.hindrances import FreeSeatError, NobodyError, OtherKeyError, UnreadOfferError
from nodealer.home.my_lobbies import drawn_keys
from nodealer.home.people import Company
from nodealer.ledger import Clock
from nodealer.lobby import (
    Attendee,
    CharterWhole,
    Host,
    HostPhase,
    Invite,
    LobbyEvent,
    LobbyOver,
    NewSeat,
    Offer,
    Offered,
    TablePlan,
    hosting,
    plan_of,
    taken_by,
    with_clock,
    write_invite,
)
from nodealer.node import Room
from nodealer.store import Friend


@dataclass(frozen=True, slots=True)
class Banished:
    """Somebody was sent away because of a key that is not the one that is known."""

    who: Attendee


HostNews: TypeAlias = LobbyEvent | Banished
"""What the player of a host is told."""


class HostSession:
    """The lobby of a host, and what its player wants of it."""

    def __init__(self, room: Room, company: Company, *, is_attended: bool) -> None:
        """Gather in a room; without a person the host starts by itself."""
        self.room = room
        self.company = company
        self.is_attended = is_attended
        self.tell: Callable[[HostNews], None] = _untold
        """Hears everything that happens, and has shown it when it returns."""
        self.starts: int | None = None
        """The number of the offer that the player wants to start."""
        self.watch_invite = ""
        self.invite = ""
        self._addresses: tuple[str, ...] = ()
        self._told: Offer | None = None

    @property
    def host(self) -> Host:
        """The lobby as it is now."""
        assert isinstance(self.room.held, Host), "it is the room of a host"
        return self.room.held

    def invites(self, addresses: tuple[str, ...]) -> Invite:
        """Note the invites to this lobby, and return the one for players."""
        self._addresses = addresses
        invite = self.host.invite(addresses)
        self.invite = write_invite(invite)
        self.watch_invite = write_invite(self.host.invite(addresses, watches=True))
        return invite

    async def gather(self) -> NewSeat | None:
        """Wait until everybody is there and has accepted; nothing comes of a lobby that is left."""
        if self.host.founding is not None:
            return self.host.founding
        if not self.room.events:
            self.room.events.append(Offered(self.host.offer))  # a lobby that is gone on with
        while True:
            self._go_on()
            for event in await self.room.happened():
                self.tell(event)
                if isinstance(event, Offered):
                    self._told = event.offer
                if isinstance(event, CharterWhole):
                    self.company.remember(self.host.seats)
                    return event.founding
                if isinstance(event, LobbyOver):
                    return None

    # What the player wants.

    def start(self) -> tuple[str, ...]:
        """Accept what is offered now, to found the table; return who has to accept it too."""
        if self.host.phase is HostPhase.GATHERING:
            raise FreeSeatError
        if suspects := self.company.suspects(self.host.people):
            raise OtherKeyError(suspects)
        if self._told != self.host.offer:
            raise UnreadOfferError
        self.starts = self.host.number
        self._go_on()
        return tuple(
            one.name
            for seat, one in enumerate(self.host.seats)
            if one is not None and seat not in self.host.answers
        )

    def take_back(self) -> None:
        """Take the start back, and the answer of the host's own seat."""
        self.room.take(*hosting.withdraw(self.host))
        self.starts = None

    def renew_invites(self) -> None:
        """Make the invites void, and note new ones; who is here stays."""
        keys = drawn_keys()
        self.room.take(*hosting.renew(self.host, keys.play, keys.watch))
        self.invites(self._addresses)

    def kick(self, name: str) -> None:
        """Send somebody away for good."""
        others = [one for one in self.host.people if one.key != self.host.key]
        who = taken_by(name, others)
        if who is None:
            raise NobodyError(name)
        self.room.take(*hosting.remove(self.host, who.key))

    def expect_friend(self, name: str) -> Friend:
        """Let a friend come in without an invite."""
        friend = friend_called(self.company.friends(), name)
        self.room.take(*hosting.name(self.host, [friend.key]))
        return friend

    def set_option(self, text: str) -> None:
        """Change an option of the game."""
        given = registry.parse_options(_rules_of(self.host.plan), [text])
        self._change(_plan(self.host.plan, given=given))

    def set_seats(self, count: int) -> None:
        """Change the number of seats."""
        self._change(_plan(self.host.plan, seats=count))

    def set_clock(self, clock: Clock) -> None:
        """Change how long the table waits."""
        plan = self.host.plan
        self._change(with_clock(_rules_of(plan), plan, clock))

    def set_policy(self, name: str) -> None:
        """Change what happens to the round when somebody is left out."""
        self._change(_plan(self.host.plan, policy=name))

    def say(self, text: str) -> None:
        """Say something to everybody in the lobby."""
        self.room.say(text, now_seconds())

    def confirm(self, name: str) -> Attendee:
        """Remember that the words of somebody were compared."""
        who = self.company.confirm(self.host.people, name)
        self._go_on()
        return who

    def leave(self) -> None:
        """Close the lobby."""
        self.room.take(*hosting.leave(self.host))

    def _go_on(self) -> None:
        """Accept and start, if it is time."""
        suspects = self.company.suspects(self.host.people)
        if not self.is_attended:
            for one in suspects:
                self.tell(Banished(one))
                self.room.take(*hosting.remove(self.host, one.key))
        if self.is_attended and (suspects or self.starts != self.host.number):
            return
        if self.host.phase is HostPhase.OFFERING and self.host.seed is None:
            seed = secrets.token_bytes(SEED_BYTES)
            self.room.take(*hosting.accept(self.host, self.host.number, seed))
        if self.host.phase is HostPhase.READY:
            self.room.take(*hosting.start(self.host))

    def _change(self, plan: TablePlan) -> None:
        self.room.take(*hosting.change(self.host, plan))


def _plan(
    plan: TablePlan,
    *,
    given: Options | None = None,
    seats: int | None = None,
    policy: str | None = None,
) -> TablePlan:
    """Return a plan with something else in it, if the rules of the game allow it."""
    options = {name: value for name, value in plan.options if isinstance(value, bool | int | str)}
    changed = {**options, **(given or {})}
    rules = _rules_of(plan)
    count = plan.seats if seats is None else seats
    return plan_of(rules, count, changed, plan.clock, plan.policy if policy is None else policy)


def _rules_of(plan: TablePlan) -> AnyGame:
    """Return the rules of a plan; a lobby that is found again may be of an earlier version."""
    return registry.game(plan.game, plan.version)


def _untold(news: HostNews) -> None:
    """Show nothing: nobody is there yet."""
    del news

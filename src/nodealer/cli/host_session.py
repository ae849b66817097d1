"""A host while people gather: what happens is told, what is typed is done.

With a person at the terminal nothing is accepted unseen: `start` accepts the offer of the moment
for the host's own seat, and founds the table as soon as all others have accepted it too. Whatever
is changed afterwards, by anybody, has to be started anew. Without a person the host accepts and
starts as soon as it can, and sends away whoever goes by a friend's name with another key.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from nodealer.cli.lobby_lines import lines_of
from nodealer.cli.offered_lines import Offers
from nodealer.cli.output import complain
from nodealer.cli.typed import Typable, do_typed, help_lines
from nodealer.crypto import SEED_BYTES
from nodealer.games import registry
from nodealer.games.api import Options
from nodealer.home.people import Company
from nodealer.lobby import Founding, Host, Invite, Plan, hosting, plan_of, write_invite
from nodealer.lobby.messages import Sitting
from nodealer.lobby.moves import HostPhase
from nodealer.lobby.ready import Came, Event, Founded, Offered, Over, TurnedAway
from nodealer.lobby.terms import taken_by
from nodealer.node.clocks import CLOCKS
from nodealer.node.rooms import Room

TURNED_AWAY_MAX: Final = 5
"""Strangers can knock as often as they like; the host need not read of all."""


class HostSession:
    """The lobby of a host, and who sits at its terminal."""

    def __init__(self, room: Room, company: Company, *, is_attended: bool) -> None:
        """Gather in a room; without a person the host starts by itself."""
        self.room = room
        self.company = company
        self.is_attended = is_attended
        self.starts: int | None = None
        """The number of the offer that the player wants to start."""
        self.watch_invite = ""
        self.invite = ""
        self._turned_away = 0
        self._offers = Offers(company, self.host.key)

    @property
    def host(self) -> Host:
        """The lobby as it is now."""
        assert isinstance(self.room.held, Host), "it is the room of a host"
        return self.room.held

    def invites(self, addresses: tuple[str, ...]) -> Invite:
        """Note the invites to this lobby, and return the one for players."""
        invite = self.host.invite(addresses)
        self.invite = write_invite(invite)
        self.watch_invite = write_invite(self.host.invite(addresses, watches=True))
        return invite

    async def gather(self) -> Founding | None:
        """Wait until everybody is there and has accepted; nothing comes of a lobby that is left."""
        if self.host.founding is not None:
            return self.host.founding
        if not self.room.events:
            self.room.events.append(Offered(self.host.offer))  # a lobby that is gone on with
        while True:
            self._go_on()
            for event in await self.room.happened():
                self._tell(event)
                if isinstance(event, Founded):
                    self.company.remember(self.host.seats)
                    return event.founding
                if isinstance(event, Over):
                    return None

    def typed(self, line: str) -> None:
        """Do what is typed."""
        do_typed(COMMANDS, self, line)

    def _tell(self, event: Event) -> None:
        if isinstance(event, TurnedAway):
            self._turned_away += 1
            if self._turned_away > TURNED_AWAY_MAX:
                return
        if isinstance(event, Offered):
            complain(*self._offers.tell(event.offer))
        complain(*lines_of(event, self.host))
        if isinstance(event, TurnedAway) and self._turned_away == TURNED_AWAY_MAX:
            complain("whoever else is turned away is not told any more")
        if isinstance(event, Came | Offered):
            complain(*self.company.introduce(self.host.people))
        if isinstance(event, Offered) and self.is_attended and self.host.phase is OFFERING:
            complain("all seats are taken: `start` accepts and begins, `help` says what else")

    def _go_on(self) -> None:
        """Accept and start, if it is time."""
        suspects = self.company.suspects(self.host.people)
        if not self.is_attended:
            for one in suspects:
                complain(f"{one.name!r} is sent away: its key is not the one that you know")
                self.room.take(*hosting.remove(self.host, one.key))
        if self.is_attended and (suspects or self.starts != self.host.number):
            return
        if self.host.phase is OFFERING and self.host.seed is None:
            self.room.take(*hosting.accept(self.host, self.host.number, _seed()))
        if self.host.phase is HostPhase.READY:
            self.room.take(*hosting.start(self.host))

    # What can be typed.

    def start(self, rest: str) -> list[str]:
        """Accept what is offered now, and found the table once all others have."""
        del rest
        if self.host.phase is HostPhase.GATHERING:
            return ["a seat is free: wait for somebody, or change their number with `seats N`"]
        if suspects := self.company.suspects(self.host.people):
            names = " and ".join(f"`confirm {one.name}`" for one in suspects)
            return [f"compare the words first, and then {names}; or `kick` whoever it is"]
        if not self._offers.is_told(self.host.offer):
            return ["what is offered has just changed: read it, and start again"]
        self.starts = self.host.number
        self._go_on()
        missing = [
            one.name
            for seat, one in enumerate(self.host.seats)
            if one is not None and seat not in self.host.answers
        ]
        return [f"you have accepted; {', '.join(missing)} has to accept too"] if missing else []

    def kick(self, name: str) -> list[str]:
        """Send somebody away."""
        who = self._named(name)
        if who is None:
            return [f"there is nobody called {name!r} here"]
        self.room.take(*hosting.remove(self.host, who.key))
        return []

    def option(self, text: str) -> list[str]:
        """Change an option of the game."""
        plan = self.host.plan
        game = registry.game(plan.game)
        changed = {**_options(plan), **registry.parse_options(game, [text])}
        return self._change(plan_of(game, plan.seats, changed, plan.clock, plan.policy))

    def seats(self, text: str) -> list[str]:
        """Change the number of seats."""
        if not text.isdecimal():
            return ["`seats` needs a number"]
        plan = self.host.plan
        game = registry.game(plan.game)
        return self._change(plan_of(game, int(text), _options(plan), plan.clock, plan.policy))

    def clock(self, name: str) -> list[str]:
        """Change how long the table waits."""
        if name not in CLOCKS:
            return [f"there are these clocks: {', '.join(CLOCKS)}"]
        return self._change(replace(self.host.plan, clock=CLOCKS[name]))

    def policy(self, name: str) -> list[str]:
        """Change what happens to the round when somebody is left out."""
        plan = self.host.plan
        game = registry.game(plan.game)
        return self._change(plan_of(game, plan.seats, _options(plan), plan.clock, name))

    def who(self, rest: str) -> list[str]:
        """Say what is offered, and to whom."""
        del rest
        return self._offers.whole(self.host.offer)

    def words(self, rest: str) -> list[str]:
        """Show the words of everybody."""
        del rest
        return self.company.words(self.host.people)

    def confirm(self, name: str) -> list[str]:
        """Remember that the words of somebody were compared."""
        lines = self.company.confirm(self.host.people, name)
        self._go_on()
        return lines

    def show_invite(self, rest: str) -> list[str]:
        """Show the invite once more."""
        return [self.watch_invite if rest == "watch" else self.invite]

    def quit(self, rest: str) -> list[str]:
        """Close the lobby."""
        del rest
        self.room.take(*hosting.leave(self.host))
        return ["the lobby is closed, and its invite is void"]

    def help(self, rest: str) -> list[str]:
        """Say what can be typed."""
        del rest
        return help_lines(COMMANDS)

    def _change(self, plan: Plan) -> list[str]:
        self.room.take(*hosting.change(self.host, plan))
        return []

    def _named(self, name: str) -> Sitting | None:
        return taken_by(name, [one for one in self.host.people if one.key != self.host.key])


OFFERING: Final = HostPhase.OFFERING

COMMANDS: Final[Mapping[str, Typable[HostSession]]] = {
    "start": Typable("start", "accept, and begin once all others have accepted", HostSession.start),
    "who": Typable("who", "what is offered, and to whom", HostSession.who),
    "kick": Typable("kick NAME", "send somebody away for good", HostSession.kick),
    "option": Typable("option NAME=VALUE", "change an option of the game", HostSession.option),
    "seats": Typable("seats N", "change the number of seats", HostSession.seats),
    "clock": Typable("clock NAME", f"how long to wait: {', '.join(CLOCKS)}", HostSession.clock),
    "policy": Typable("policy NAME", "what becomes of a round when one leaves", HostSession.policy),
    "words": Typable("words", "the words of everybody, to be read aloud", HostSession.words),
    "confirm": Typable("confirm NAME", "you have compared the words of NAME", HostSession.confirm),
    "invite": Typable("invite [watch]", "the invite to play, or to watch", HostSession.show_invite),
    "quit": Typable("quit", "close the lobby; Ctrl-C leaves it open", HostSession.quit),
    "help": Typable("help", "this list", HostSession.help),
}
"""In the order of the help. Whatever changes the offer has to be accepted by all once more."""


def _seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def _options(plan: Plan) -> Options:
    return {name: value for name, value in plan.options if isinstance(value, bool | int | str)}

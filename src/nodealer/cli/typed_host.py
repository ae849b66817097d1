"""A host at a terminal: what happens in its lobby is told in lines, what is typed is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.cli.offered_lines import Offers
from nodealer.cli.output import complain
from nodealer.cli.people_lines import Introductions, confirmed_line, word_lines
from nodealer.cli.typed import Typable, do_typed, help_lines
from nodealer.home import (
    Banished,
    FreeSeatError,
    HostNews,
    HostSession,
    OtherKeyError,
    UnreadOfferError,
    event_lines,
)
from nodealer.lobby import Came, HostPhase, Offered, TurnedAway
from nodealer.node import CLOCKS
from nodealer.store import shown

TURNED_AWAY_MAX: Final = 5
"""Strangers can knock as often as they like; the host need not read of all."""


class TypedHost:
    """Whoever sits at the terminal of a host."""

    def __init__(self, session: HostSession) -> None:
        """Tell of a session, and do in it what is typed."""
        self.session = session
        self._turned_away = 0
        self._offers = Offers(session.company, session.host.key)
        self._introductions = Introductions(session.company)
        session.tell = self.tell

    def typed(self, line: str) -> None:
        """Do what is typed."""
        do_typed(COMMANDS, self, line)

    def tell(self, news: HostNews) -> None:
        """Tell what has happened."""
        session, host = self.session, self.session.host
        if isinstance(news, Banished):
            complain(f"{news.who.name!r} is sent away: its key is not the one that you know")
            return
        if isinstance(news, TurnedAway):
            self._turned_away += 1
            if self._turned_away > TURNED_AWAY_MAX:
                return
        if isinstance(news, Offered):
            complain(*self._offers.tell(news.offer))
        complain(*event_lines(news, host))
        if isinstance(news, TurnedAway) and self._turned_away == TURNED_AWAY_MAX:
            complain("whoever else is turned away is not told any more")
        if isinstance(news, Came) and host.is_worn_out:
            complain("the invite is worn out, so many have used it: `invite new` makes another")
        if isinstance(news, Came | Offered):
            complain(*self._introductions.of(host.people))
        is_full = host.phase is HostPhase.OFFERING
        if isinstance(news, Offered) and session.is_attended and is_full:
            complain("all seats are taken: `start` accepts and begins, `help` says what else")

    # What can be typed.

    def start(self, rest: str) -> list[str]:
        """Accept what is offered now, and found the table once all others have."""
        del rest
        try:
            missing = self.session.start()
        except FreeSeatError:
            return ["a seat is free: wait for somebody, or change their number with `seats N`"]
        except OtherKeyError as error:
            names = " and ".join(f"`confirm {name}`" for name in error.names)
            return [f"compare the words first, and then {names}; or `kick` whoever it is"]
        except UnreadOfferError as error:
            return [f"{error.detail}: read it, and start again"]
        return [f"you have accepted; {', '.join(missing)} has to accept too"] if missing else []

    def back(self, rest: str) -> list[str]:
        """Take the start back."""
        del rest
        self.session.take_back()
        return ["you have taken it back; `start` accepts again"]

    def kick(self, name: str) -> list[str]:
        """Send somebody away."""
        self.session.kick(name)
        return []

    def option(self, text: str) -> list[str]:
        """Change an option of the game."""
        self.session.set_option(text)
        return []

    def seats(self, text: str) -> list[str]:
        """Change the number of seats."""
        if not text.isdecimal():
            return ["`seats` needs a number"]
        self.session.set_seats(int(text))
        return []

    def clock(self, name: str) -> list[str]:
        """Change how long the table waits."""
        if name not in CLOCKS:
            return [f"there are these clocks: {', '.join(CLOCKS)}"]
        self.session.set_clock(CLOCKS[name])
        return []

    def policy(self, name: str) -> list[str]:
        """Change what happens to the round when somebody is left out."""
        self.session.set_policy(name)
        return []

    def who(self, rest: str) -> list[str]:
        """Say what is offered, and to whom."""
        del rest
        return self._offers.whole(self.session.host.offer)

    def words(self, rest: str) -> list[str]:
        """Show the words of everybody."""
        del rest
        host = self.session.host
        return word_lines(self.session.company, host.people, host.drawn.words)

    def confirm(self, name: str) -> list[str]:
        """Remember that the words of somebody were compared."""
        return [confirmed_line(self.session.confirm(name))]

    def let_come(self, name: str) -> list[str]:
        """Let a friend come in without an invite."""
        who = self.session.expect_friend(name)
        return [f"{shown(who.name, who.key)} can come in without an invite"]

    def show_invite(self, rest: str) -> list[str]:
        """Show the invite once more, or a new one in place of all that were given away."""
        if rest == "new":
            self.session.renew_invites()
            return ["the old invites are void; who is here stays", self.session.invite]
        return [self.session.watch_invite if rest == "watch" else self.session.invite]

    def quit(self, rest: str) -> list[str]:
        """Close the lobby."""
        del rest
        self.session.leave()
        return ["the lobby is closed, and its invite is void"]

    def say(self, text: str) -> list[str]:
        """Say something to everybody here."""
        self.session.say(text)
        return []

    def help(self, rest: str) -> list[str]:
        """Say what can be typed."""
        del rest
        return help_lines(COMMANDS)


COMMANDS: Final[Mapping[str, Typable[TypedHost]]] = {
    "start": Typable("start", "accept, and begin once all others have accepted", TypedHost.start),
    "back": Typable("back", "take your `start` back", TypedHost.back),
    "who": Typable("who", "what is offered, and to whom", TypedHost.who),
    "kick": Typable("kick NAME", "send somebody away for good", TypedHost.kick),
    "option": Typable("option NAME=VALUE", "change an option of the game", TypedHost.option),
    "seats": Typable("seats N", "change the number of seats", TypedHost.seats),
    "clock": Typable("clock NAME", f"how long to wait: {', '.join(CLOCKS)}", TypedHost.clock),
    "policy": Typable("policy NAME", "what becomes of a round when one leaves", TypedHost.policy),
    "say": Typable("say TEXT", "say something to everybody in the lobby", TypedHost.say),
    "words": Typable("words", "the words of everybody, to be read aloud", TypedHost.words),
    "confirm": Typable("confirm NAME", "you have compared the words of NAME", TypedHost.confirm),
    "with": Typable("with NAME", "let a friend come in without an invite", TypedHost.let_come),
    "invite": Typable(
        "invite [watch|new]",
        "the invite to play, or to watch; `new` makes those given away void",
        TypedHost.show_invite,
    ),
    "quit": Typable("quit", "close the lobby; Ctrl-C leaves it open", TypedHost.quit),
    "help": Typable("help", "this list", TypedHost.help),
}
"""In the order of the help. Whatever changes the offer has to be accepted by all once more."""

"""A lobby that is open at home: its session, and what its player wishes there.

The session says what happens; here it becomes what a page is shown. A lobby goes on whether or not
anybody looks at it: people come, and the table is founded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from nodealer.dialogue import (
    AcceptOffer,
    ChangeOffer,
    ConfirmWords,
    EndLobby,
    HomeWish,
    LobbyShown,
    RenewInvites,
    SendAway,
    StartTable,
    TakeBackAnswer,
)
from nodealer.home import (
    AnswerWanted,
    Banished,
    FreeSeatError,
    GuestNews,
    GuestSession,
    HostNews,
    HostSession,
    LobbyError,
    OtherKeyError,
    Unheard,
    UnreadOfferError,
    Voided,
    event_lines,
    refused,
)
from nodealer.kernel import PeerError
from nodealer.lobby import (
    LineSaid,
    LobbyOver,
    NewSeat,
    Offer,
    Offered,
    TurnedAway,
    WordsDrawn,
    square_rows,
)
from nodealer.node import CLOCKS, Room
from nodealer.show import Say
from nodealer.steward.lobby_told import LobbyNotes, lobby_told
from nodealer.store import shown
from nodealer.verify import joined

NEWS_MAX: Final = 8
"""Lines of what has happened that a page is shown."""

MARK_DIGITS: Final = 6

TURNED_AWAY_MAX: Final = 5
"""Strangers can knock as often as they like; the host need not read of all."""


class OpenLobby:
    """A lobby of this player, as host or as guest."""

    def __init__(
        self,
        session: HostSession | GuestSession,
        mark: str,
        changed: Callable[[OpenLobby], None],
        *,
        is_elsewhere: bool,
    ) -> None:
        """Hear of all that happens; `changed` is told when there is something newer to show."""
        self.session = session
        self.mark = mark
        self._changed = changed
        self._notes = LobbyNotes(mark[:MARK_DIGITS], is_elsewhere=is_elsewhere)
        self._told: Offer | None = None
        self._turned_away = 0
        self._squares: tuple[str, tuple[str, ...]] = ("", ())
        session.tell = self._tell

    @property
    def room(self) -> Room:
        """The lobby itself."""
        return self.session.room

    def shown(self) -> LobbyShown:
        """Return what a page is shown now."""
        return lobby_told(self.session, replace(self._notes, squares=self._rows()))

    async def outcome(self) -> NewSeat | LobbyOver:
        """Wait for what becomes of it: a seat at a table, or nothing."""
        if isinstance(self.session, GuestSession):
            return await self.session.wait()
        return await self.session.gather() or LobbyOver()

    def grant(self, wish: HomeWish | Say) -> str:
        """Do what the player wishes, and return what is said of it; raise where it cannot be."""
        try:
            said = self._granted(wish)
        except FreeSeatError as error:
            raise refused("a seat is free: wait for somebody, or change their number") from error
        except OtherKeyError as error:
            names = joined(error.names)
            raise refused(f"compare the words with {names} first, and say that they are") from error
        except UnreadOfferError as error:
            raise refused(f"{error.detail}: read it, and say it once more") from error
        except PeerError as error:
            raise LobbyError(error.reason, error.detail) from error
        self._changed(self)
        return said

    def _granted(self, wish: HomeWish | Say) -> str:
        session = self.session
        match wish, session:
            case AcceptOffer(), GuestSession():
                session.accept()
            case StartTable(), HostSession():
                session.start()
            case TakeBackAnswer(), _:
                session.take_back()
            case Say(text), _:
                session.say(text)
            case EndLobby(), _:
                session.leave()
            case ConfirmWords(name), _:
                who = session.confirm(name)
                return f"{shown(who.name, who.key)} is remembered, with the words compared."
            case SendAway(name), HostSession():
                session.kick(name)
            case ChangeOffer(what, value), HostSession():
                _change(session, what, value)
            case RenewInvites(), HostSession():
                session.renew_invites()
                return "The old invites are void; who is here stays."
            case _:
                raise refused("that is for the host, or for guests alone")
        return ""

    def _tell(self, news: HostNews | GuestNews) -> None:
        self._notes = replace(self._notes, is_unheard=isinstance(news, Unheard))
        if isinstance(news, Offered):
            if self._told is not None and self._told.number != news.offer.number:
                self._notes = replace(self._notes, before=self._told)
            self._told = news.offer
        lines = tuple(self._lines(news))
        self._notes = replace(self._notes, news=(*self._notes.news, *lines)[-NEWS_MAX:])
        self._changed(self)

    def _lines(self, news: HostNews | GuestNews) -> list[str]:
        match news:
            case Banished(who):
                return [f"{who.name} is sent away: the key is not the one that you know."]
            case Voided():
                return ["What you had accepted does not count any more."]
            case Unheard() | AnswerWanted() | LineSaid() | WordsDrawn():  # it is shown
                return []
            case TurnedAway():
                self._turned_away += 1
                if self._turned_away > TURNED_AWAY_MAX:
                    return []
            case _:
                pass
        lines = event_lines(news, self.room.held)
        return [f"{line[:1].upper()}{line[1:]}." for line in lines]

    def _rows(self) -> tuple[str, ...]:
        """Return the QR code of the invite that holds now; drawn once for each."""
        invite = self.session.invite if isinstance(self.session, HostSession) else ""
        if self._squares[0] != invite:
            self._squares = invite, square_rows(invite)
        return self._squares[1]


def _change(session: HostSession, what: str, value: str) -> None:
    match what:
        case "option":
            session.set_option(value)
        case "seats" if value.isdecimal():
            session.set_seats(int(value))
        case "clock" if value in CLOCKS:
            session.set_clock(CLOCKS[value])
        case "policy":
            session.set_policy(value)
        case _:
            raise refused(f"{what} cannot be changed to that")

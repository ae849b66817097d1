"""A guest in a lobby: what is offered is told as values, and the player accepts it or goes.

A yes is a yes to the offer that the player has read. An offer that has just come takes the place of
the one that is on the screen while somebody types, so no yes is taken before it was told, and where
a person reads none in the first moment after that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from nodealer.crypto import SEED_BYTES
from nodealer.games import game
from nodealer.home.clock import now_seconds
from nodealer.home.hindrances import NothingOfferedError, OtherKeyError, UnreadOfferError
from nodealer.home.people import Company
from nodealer.kernel import LocalError
from nodealer.lobby import (
    Attendee,
    CharterWhole,
    Guest,
    GuestPhase,
    LobbyEvent,
    LobbyOver,
    NewSeat,
    Offer,
    Offered,
    visiting,
)
from nodealer.node import Room
from nodealer.store import StoreError, Trouble, shown

READING_SECONDS: Final = 1.5
"""Nobody has read an offer sooner; what is typed by then was meant for the one before."""

UNHEARD_SECONDS: Final = 10.0
"""A host that answers does so at once."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """The host has not answered yet."""


@dataclass(frozen=True, slots=True)
class Voided:
    """The news that what the player had accepted does not count any more."""


@dataclass(frozen=True, slots=True)
class AnswerWanted:
    """The player is asked whether it accepts what is offered now."""


GuestNews: TypeAlias = LobbyEvent | Unheard | Voided | AnswerWanted
"""What the player of a guest is told."""


class GuestSession:
    """The lobby of a guest, and what its player wants of it."""

    def __init__(self, room: Room, company: Company, *, agrees: bool, is_quick: bool) -> None:
        """Visit a room; `agrees` to whatever is offered, `is_quick` where no person reads."""
        self.room = room
        self.company = company
        self.agrees = agrees
        self.tell: Callable[[GuestNews], None] = _untold
        """Hears everything that happens, and has shown it when it returns."""
        self._reading_seconds = 0.0 if is_quick else READING_SECONDS
        self._told: Offer | None = None
        self._told_at = -READING_SECONDS
        self._accepted = None if self.guest.accepted is None else self._number()
        """The number of the offer that the player has accepted, as long as it stands by that."""
        self._asked: int | None = None

    @property
    def guest(self) -> Guest:
        """The lobby as it is now."""
        assert isinstance(self.room.held, Guest), "it is the room of a guest"
        return self.room.held

    @property
    def people(self) -> tuple[Attendee | None, ...]:
        """Everybody with a seat, as it is offered."""
        return () if self.guest.offer is None else self.guest.offer.seats

    async def wait(self) -> NewSeat | LobbyOver:
        """Wait until the table is founded, or nothing will come of it here."""
        if self.guest.founding is not None:
            return self.guest.founding
        if self.guest.offer is not None and not self.room.events:  # back in a lobby
            self.room.events.append(Offered(self.guest.offer, self.guest.problem))
        with trio.move_on_after(UNHEARD_SECONDS):
            await self.room.something()
        if not self.room.events:
            self.tell(Unheard())
        while True:
            for event in await self.room.happened():
                self._tell(event)
                if isinstance(event, CharterWhole):
                    self.company.remember(self.people)
                    return event.founding
                if isinstance(event, LobbyOver):
                    return event
            self._go_on()  # what is asked stands below what it is about

    # What the player wants.

    def accept(self) -> None:
        """Accept what is offered."""
        if self.guest.phase is not GuestPhase.ASKED:
            raise NothingOfferedError
        if suspects := self.company.suspects(self.people):
            raise OtherKeyError(suspects)
        has_read = trio.current_time() - self._told_at >= self._reading_seconds
        if self._told != self.guest.offer or not has_read:
            raise UnreadOfferError
        self._accept()

    def leave_unanswered(self) -> bool:
        """Leave if the player is gone before it has accepted anything; say whether that is so."""
        is_unanswered = not self.agrees and self.guest.phase is not GuestPhase.ACCEPTED
        if is_unanswered:
            self.leave()
        return is_unanswered

    def take_back(self) -> None:
        """Take the answer back."""
        self.room.take(*visiting.withdraw(self.guest))
        self._accepted = None

    def leave(self) -> None:
        """Leave the lobby."""
        self.room.take(*visiting.leave(self.guest))

    def say(self, text: str) -> None:
        """Say something to everybody in the lobby."""
        self.room.say(text, now_seconds())

    def confirm(self, name: str) -> Attendee:
        """Remember that the words of somebody were compared."""
        return self.company.confirm(self.people, name)

    def _tell(self, event: LobbyEvent) -> None:
        self.tell(event)
        if isinstance(event, Offered):
            self._told, self._told_at = event.offer, trio.current_time()
            if self._accepted not in (None, event.offer.number):
                self.tell(Voided())
                self._accepted = None

    def _go_on(self) -> None:
        guest = self.guest
        if guest.phase is not GuestPhase.ASKED or guest.offer is None:
            return
        if self.agrees:
            try:
                self._accept_unseen()
            except LocalError:
                self.room.take(*visiting.leave(guest))
                raise
        elif self._asked != guest.offer.number:
            self._asked = guest.offer.number
            self.tell(AnswerWanted())

    def _accept_unseen(self) -> None:
        if suspects := self.company.suspects(self.people):
            raise StoreError(Trouble.NEW_KEY, shown(suspects[0].name, suspects[0].key))
        self._accept()

    def _accept(self) -> None:
        offer = self.guest.offer
        assert offer is not None, "something is offered"
        seed = secrets.token_bytes(SEED_BYTES)
        self.room.take(
            *visiting.accept(self.guest, offer.number, seed, game(offer.game, offer.version))
        )
        self._accepted = self._number()

    def _number(self) -> int | None:
        return None if self.guest.offer is None else self.guest.offer.number


def _untold(news: GuestNews) -> None:
    """Show nothing: nobody is there yet."""
    del news

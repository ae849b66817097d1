"""A guest in a lobby: what is offered is told, and the player accepts it or goes.

A yes is a yes to the offer that the player has read. The first one is told whole, and of each later
one what has changed. An offer that has just come takes the place of the one that is on the screen
while somebody types, so no yes is taken before it was told, and at a terminal none in the first
moment after that.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

import trio

from nodealer.cli.lobby_lines import lines_of
from nodealer.cli.offered_lines import Offers
from nodealer.cli.output import complain
from nodealer.cli.typed import Typable, do_typed, help_lines
from nodealer.crypto import SEED_BYTES
from nodealer.games.registry import game
from nodealer.home.people import Company
from nodealer.kernel import LocalError, Reason
from nodealer.lobby import Founding, Guest, advice, visiting
from nodealer.lobby.messages import Sitting
from nodealer.lobby.moves import GuestPhase
from nodealer.lobby.ready import Answered, Event, Founded, Offered, Over
from nodealer.node.rooms import Room
from nodealer.store.trouble import StoreError, Trouble
from nodealer.store.words import shown

READING_SECONDS: Final = 1.5
"""Nobody has read an offer sooner; what is typed by then was meant for the one before."""


UNHEARD_SECONDS: Final = 10.0
"""A host that answers does so at once."""


class GuestSession:
    """The lobby of a guest, and who sits at its terminal."""

    def __init__(self, room: Room, company: Company, *, agrees: bool, is_quick: bool) -> None:
        """Visit a room; `agrees` to whatever is offered, `is_quick` where no person reads."""
        self.room = room
        self.company = company
        self.agrees = agrees
        self.reading_seconds = 0.0 if is_quick else READING_SECONDS
        self._offers = Offers(company, self.guest.host)
        self._shown_at = -READING_SECONDS
        self._accepted = None if self.guest.acceptance is None else self._number()
        """The number of the offer that the player has accepted, as long as it stands by that."""
        self._asked: int | None = None

    @property
    def guest(self) -> Guest:
        """The lobby as it is now."""
        assert isinstance(self.room.held, Guest), "it is the room of a guest"
        return self.room.held

    @property
    def people(self) -> tuple[Sitting | None, ...]:
        """Everybody with a seat, as it is offered."""
        return () if self.guest.offer is None else self.guest.offer.seats

    async def wait(self) -> Founding | Over:
        """Wait until the table is founded, or nothing will come of it here."""
        if self.guest.founding is not None:
            return self.guest.founding
        if self.guest.offer is not None and not self.room.events:  # back in a lobby
            self.room.events.append(Offered(self.guest.offer, self.guest.problem))
        with trio.move_on_after(UNHEARD_SECONDS):
            await self.room.something()
        if not self.room.events:
            complain("the host does not answer yet; is its program open, and can you reach it?")
        while True:
            for event in await self.room.happened():
                self._tell(event)
                if isinstance(event, Founded):
                    self.company.remember(self.people)
                    return event.founding
                if isinstance(event, Over):
                    return event
            self._go_on()  # what is asked stands below what it is about

    def typed(self, line: str) -> None:
        """Do what is typed."""
        do_typed(COMMANDS, self, line)

    def require_answer(self) -> None:
        """Raise where an answer is needed and nobody can give one any more."""
        if not self.agrees and self.guest.phase is not GuestPhase.ACCEPTED:
            self.room.take(*visiting.leave(self.guest))
            detail = "nobody is here to accept what is offered: --yes accepts it unseen"
            raise LocalError(Reason.LOCAL_ARGUMENT, detail)

    def _tell(self, event: Event) -> None:
        if isinstance(event, Offered):
            self._tell_offer(event)
        complain(*lines_of(event, self.guest))
        if isinstance(event, Offered | Answered):
            watchers = event.watchers if isinstance(event, Answered) else ()
            complain(*self.company.introduce((*self.people, *watchers)))

    def _tell_offer(self, offered: Offered) -> None:
        self._shown_at = trio.current_time()
        complain(*self._offers.tell(offered.offer))
        if self._accepted not in (None, offered.offer.number):
            complain("what you had accepted does not count any more")
            self._accepted = None
        if offered.problem is not None:
            complain(advice(offered.problem))

    def _go_on(self) -> None:
        guest = self.guest
        if guest.phase is not GuestPhase.ASKED or guest.offer is None:
            return
        if self.agrees:
            try:
                self._accept_unseen(guest)
            except LocalError:
                self.room.take(*visiting.leave(guest))
                raise
        elif self._asked != guest.offer.number:
            self._asked = guest.offer.number
            complain("do you sit down to this? `yes` or `no`; `help` says what else")

    def _accept_unseen(self, guest: Guest) -> None:
        if suspects := self.company.suspects(self.people):
            raise StoreError(Trouble.NEW_KEY, shown(suspects[0].name, suspects[0].key))
        self._accept(guest)

    def _accept(self, guest: Guest) -> None:
        assert guest.offer is not None, "something is offered"
        seed = secrets.token_bytes(SEED_BYTES)
        self.room.take(*visiting.accept(guest, guest.offer.number, seed, game(guest.offer.game)))
        self._accepted = self._number()

    def _number(self) -> int | None:
        return None if self.guest.offer is None else self.guest.offer.number

    def _has_read(self) -> bool:
        """Say whether the offer of the moment was told, and long enough ago to be read."""
        assert self.guest.offer is not None, "something is offered"
        is_told = self._offers.is_told(self.guest.offer)
        return is_told and trio.current_time() - self._shown_at >= self.reading_seconds

    # What can be typed.

    def yes(self, rest: str) -> list[str]:
        """Accept what is offered."""
        del rest
        if self.guest.phase is GuestPhase.ACCEPTED:
            return ["you have accepted already; the others have to"]
        if self.guest.phase is not GuestPhase.ASKED:
            return ["there is nothing to accept yet"]
        if suspects := self.company.suspects(self.people):
            names = " and ".join(f"`confirm {one.name}`" for one in suspects)
            return [f"compare the words first, and then {names}; or leave with `no`"]
        if not self._has_read():
            return ["what is offered has just changed: read it, and answer again"]
        self._accept(self.guest)
        return ["you have accepted; `back` takes it back"]

    def no(self, rest: str) -> list[str]:
        """Leave the lobby."""
        del rest
        self.room.take(*visiting.leave(self.guest))
        return ["you have left the lobby"]

    def back(self, rest: str) -> list[str]:
        """Take the answer back."""
        del rest
        self.room.take(*visiting.withdraw(self.guest))
        self._accepted = None
        return ["your answer is taken back; `yes` accepts again"]

    def who(self, rest: str) -> list[str]:
        """Say what is offered, and to whom."""
        del rest
        offer = self.guest.offer
        return ["nothing was heard of the host yet"] if offer is None else self._offers.whole(offer)

    def words(self, rest: str) -> list[str]:
        """Show the words of everybody."""
        del rest
        return self.company.words(self.people)

    def confirm(self, name: str) -> list[str]:
        """Remember that the words of somebody were compared."""
        return self.company.confirm(self.people, name)

    def help(self, rest: str) -> list[str]:
        """Say what can be typed."""
        del rest
        return help_lines(COMMANDS)


_YES: Final[Typable[GuestSession]] = Typable("yes", "sit down to what is offered", GuestSession.yes)
_NO: Final[Typable[GuestSession]] = Typable(
    "no, quit", "leave the lobby; Ctrl-C stops, and you can come back", GuestSession.no
)

COMMANDS: Final[Mapping[str, Typable[GuestSession]]] = {
    "yes": _YES,
    "y": _YES,
    "no": _NO,
    "n": _NO,
    "quit": _NO,
    "back": Typable("back", "take your answer back", GuestSession.back),
    "who": Typable("who", "what is offered, and to whom", GuestSession.who),
    "words": Typable("words", "the words of everybody, to be read aloud", GuestSession.words),
    "confirm": Typable("confirm NAME", "you have compared the words of NAME", GuestSession.confirm),
    "help": Typable("help", "this list", GuestSession.help),
}


class LobbyError(LocalError):
    """A lobby that this player cannot be in, with what to do about it."""

    @property
    def advice(self) -> str:
        """What the player can do."""
        told = advice(self.reason)
        return f"{told[:1].upper()}{told[1:]}." if told else "The table was not founded."

"""A guest at a terminal: what is offered is told in lines, what is typed is done.

The first offer is told whole, and of each later one what has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.cli.offered_lines import Offers
from nodealer.cli.output import complain
from nodealer.cli.people_lines import Introductions, confirmed_line, word_lines
from nodealer.cli.typed import Typable, do_typed, help_lines
from nodealer.home import (
    AnswerWanted,
    GuestNews,
    GuestSession,
    OtherKeyError,
    Unheard,
    UnreadOfferError,
    Voided,
    event_lines,
)
from nodealer.kernel import LocalError, Reason
from nodealer.lobby import Answered, GuestPhase, LobbyEvent, Offered, advice


class TypedGuest:
    """Whoever sits at the terminal of a guest."""

    def __init__(self, session: GuestSession) -> None:
        """Tell of a session, and do in it what is typed."""
        self.session = session
        self._offers = Offers(session.company, session.guest.host)
        self._introductions = Introductions(session.company)
        session.tell = self.tell

    def typed(self, line: str) -> None:
        """Do what is typed."""
        do_typed(COMMANDS, self, line)

    def require_answer(self) -> None:
        """Raise where an answer is needed and nobody can give one any more."""
        if self.session.leave_unanswered():
            detail = "nobody is here to accept what is offered: --yes accepts it unseen"
            raise LocalError(Reason.LOCAL_ARGUMENT, detail)

    def tell(self, news: GuestNews) -> None:
        """Tell what has happened."""
        match news:
            case Unheard():
                complain("the host does not answer yet; is its program open, and can you reach it?")
            case Voided():
                complain("what you had accepted does not count any more")
            case AnswerWanted():
                complain("do you sit down to this? `yes` or `no`; `help` says what else")
            case _:
                self._tell_event(news)

    def _tell_event(self, event: LobbyEvent) -> None:
        if isinstance(event, Offered):
            complain(*self._offers.tell(event.offer))
            if event.problem is not None:
                complain(advice(event.problem))
        complain(*event_lines(event, self.session.guest))
        if isinstance(event, Offered | Answered):
            watchers = event.watchers if isinstance(event, Answered) else ()
            complain(*self._introductions.of((*self.session.people, *watchers)))

    # What can be typed.

    def yes(self, rest: str) -> list[str]:
        """Accept what is offered."""
        del rest
        if self.session.guest.phase is GuestPhase.ACCEPTED:
            return ["you have accepted already; the others have to"]
        try:
            self.session.accept()
        except OtherKeyError as error:
            names = " and ".join(f"`confirm {name}`" for name in error.names)
            return [f"compare the words first, and then {names}; or leave with `no`"]
        except UnreadOfferError as error:
            return [f"{error.detail}: read it, and answer again"]
        return ["you have accepted; `back` takes it back"]

    def no(self, rest: str) -> list[str]:
        """Leave the lobby."""
        del rest
        self.session.leave()
        return ["you have left the lobby"]

    def back(self, rest: str) -> list[str]:
        """Take the answer back."""
        del rest
        self.session.take_back()
        return ["your answer is taken back; `yes` accepts again"]

    def who(self, rest: str) -> list[str]:
        """Say what is offered, and to whom."""
        del rest
        offer = self.session.guest.offer
        return ["nothing was heard of the host yet"] if offer is None else self._offers.whole(offer)

    def words(self, rest: str) -> list[str]:
        """Show the words of everybody."""
        del rest
        drawn = self.session.guest.drawn
        return word_lines(self.session.company, self.session.people, drawn.words)

    def confirm(self, name: str) -> list[str]:
        """Remember that the words of somebody were compared."""
        return [confirmed_line(self.session.confirm(name))]

    def say(self, text: str) -> list[str]:
        """Say something to everybody here."""
        self.session.say(text)
        return []

    def help(self, rest: str) -> list[str]:
        """Say what can be typed."""
        del rest
        return help_lines(COMMANDS)


_YES: Final[Typable[TypedGuest]] = Typable("yes", "sit down to what is offered", TypedGuest.yes)
_NO: Final[Typable[TypedGuest]] = Typable(
    "no, quit", "leave the lobby; Ctrl-C stops, and you can come back", TypedGuest.no
)

COMMANDS: Final[Mapping[str, Typable[TypedGuest]]] = {
    "yes": _YES,
    "y": _YES,
    "no": _NO,
    "n": _NO,
    "quit": _NO,
    "back": Typable("back", "take your answer back", TypedGuest.back),
    "who": Typable("who", "what is offered, and to whom", TypedGuest.who),
    "say": Typable("say TEXT", "say something to everybody in the lobby", TypedGuest.say),
    "words": Typable("words", "the words of everybody, to be read aloud", TypedGuest.words),
    "confirm": Typable("confirm NAME", "you have compared the words of NAME", TypedGuest.confirm),
    "help": Typable("help", "this list", TypedGuest.help),
}

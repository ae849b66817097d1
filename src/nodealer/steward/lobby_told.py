"""A lobby as a page is told of it: what is offered, what of it has changed, who has accepted.

The terms and their words are those of `home`, so a page is told nothing else than a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from nodealer.dialogue import LobbyShown, OpenTerms, SaidInLobby, SeatOffered, TermShown
from nodealer.games import registry
from nodealer.home import (
    NOTES,
    Company,
    GuestSession,
    HostSession,
    OfferedTerm,
    TermKind,
    changes_between,
    standing_in,
    term_label,
    term_value,
    terms_offered,
)
from nodealer.kernel import LocalError, Seat
from nodealer.lobby import (
    Attendee,
    Guest,
    GuestPhase,
    Host,
    HostPhase,
    Offer,
    advice,
    clock_warnings,
)
from nodealer.node import CLOCKS
from nodealer.steward.home_told import clocks_told, game_title, policies_told
from nodealer.store import mark_of, words_in, words_of
from nodealer.verify import joined

TermPlace: TypeAlias = tuple[TermKind, str | int]

NOTHING: str = "none"

ALIKE: str = "another that looks like it"


@dataclass(frozen=True, slots=True)
class LobbyNotes:
    """The knowledge of a lobby that its own state does not have."""

    mark: str
    before: Offer | None = None
    """The offer that was told before the one of now."""
    news: tuple[str, ...] = ()
    is_unheard: bool = False
    is_elsewhere: bool = False
    """Whether this node listens elsewhere than the invites that were given away say."""
    squares: tuple[str, ...] = field(default=(), repr=False)


def lobby_told(session: HostSession | GuestSession, notes: LobbyNotes) -> LobbyShown:
    """Return what a page is shown of a lobby."""
    if isinstance(session, HostSession):
        return _hosted(session, notes)
    return _visited(session, notes)


def _hosted(session: HostSession, notes: LobbyNotes) -> LobbyShown:
    host, offer = session.host, session.host.offer
    is_started = session.starts == host.number
    return LobbyShown(
        mark=notes.mark,
        game=game_title(offer.game),
        is_host=True,
        offer=host.number,
        headline=_host_headline(session),
        seats=tuple(_seats(session.company, offer, frozenset(host.answers))),
        terms=tuple(_terms(session.company, offer, notes.before, host.key)),
        may_start=host.phase is HostPhase.OFFERING and not is_started,
        may_take_back=is_started,
        squares=notes.squares,
        invite=session.invite,
        watch_invite=session.watch_invite,
        rules=_rules(offer),
        warnings=(*_about_invites(host, notes), *clock_warnings(offer.clock)),
        news=notes.news,
        compared=_compared(host),
        chat=_said(session),
        changeable=_changeable(offer),
    )


def _visited(session: GuestSession, notes: LobbyNotes) -> LobbyShown:
    guest, offer = session.guest, session.guest.offer
    headline = _guest_headline(guest, is_unheard=notes.is_unheard)
    if offer is None:
        words = " ".join(words_of(guest.host))
        return LobbyShown(
            notes.mark, f"[{mark_of(guest.host)}]", False, 0, headline,  # noqa: FBT003 - as the fields stand
            news=(f"the words of its host: {words}",),
        )  # fmt: skip
    return LobbyShown(
        mark=notes.mark,
        game=game_title(offer.game),
        is_host=False,
        offer=offer.number,
        headline=headline,
        seats=tuple(_seats(session.company, offer, _answered(guest))),
        terms=tuple(_terms(session.company, offer, notes.before, guest.host)),
        may_accept=guest.phase is GuestPhase.ASKED,
        may_take_back=guest.phase is GuestPhase.ACCEPTED,
        rules=_rules(offer),
        warnings=clock_warnings(offer.clock),
        news=notes.news,
        compared=_compared(guest),
        chat=_said(session),
    )


def _compared(held: Host | Guest) -> str:
    return "" if held.drawn.words is None else " ".join(words_in(held.drawn.words))


def _said(session: HostSession | GuestSession) -> tuple[SaidInLobby, ...]:
    own, chat = session.company.own, session.room.held.chat
    return tuple(
        SaidInLobby(one.name, mark_of(one.key), one.number, one.text, one.key == own)
        for one in chat.lines
    )


# What is said first.


def _host_headline(session: HostSession) -> str:
    host = session.host
    free = host.seats.count(None)
    if free:
        seats = "1 seat is free" if free == 1 else f"{free} seats are free"
        return f"{seats}: give the invite to whoever is to play, and to nobody else."
    if suspects := session.company.suspects(host.people):
        names = joined([one.name for one in suspects])
        return f"Before you begin, compare the words with {names}."
    if session.starts != host.number:
        return "All seats are taken. Begin when you like: the others have to accept too."
    return _accepted(host.seats, frozenset(host.answers))


def _accepted(seats: Sequence[Attendee | None], answered: frozenset[Seat]) -> str:
    """Return what is said to somebody who has accepted."""
    missing = [
        one.name for seat, one in enumerate(seats) if one is not None and seat not in answered
    ]
    return f"You have accepted. Waiting for {joined(missing)}." if missing else "All accept."


def _guest_headline(guest: Guest, *, is_unheard: bool) -> str:
    match guest.phase:
        case GuestPhase.ASKED:
            return "Do you sit down to this?"
        case GuestPhase.ACCEPTED:
            assert guest.offer is not None, "it was accepted"
            return _accepted(guest.offer.seats, _answered(guest))
        case GuestPhase.WAITING if guest.problem is not None:
            return f"You cannot sit down to this: {advice(guest.problem)}."
        case GuestPhase.WAITING:
            return (
                "You are here to watch. The game begins when all have accepted."
                if guest.invite.watches
                else "You are in. Waiting until all seats are taken."
            )
        case _ if is_unheard:
            return "The host does not answer yet. Is its program open, and can you reach it?"
        case _:
            return "Looking for the host …"


def _about_invites(host: Host, notes: LobbyNotes) -> Iterator[str]:
    if notes.is_elsewhere:
        yield "This lobby is elsewhere now: pass the invite on anew, the old one leads nowhere."
    if host.is_worn_out:
        yield "The invite is worn out, so many have used it: make a new one."


# What is offered.


def _seats(company: Company, offer: Offer, answered: frozenset[Seat]) -> Iterator[SeatOffered]:
    suspects = company.suspects(offer.seats)
    for number, who in enumerate(offer.seats):
        if who is None:
            yield SeatOffered("")
            continue
        yield SeatOffered(
            name=who.name,
            says=standing_in(company, who),
            words=" ".join(words_of(who.key)),
            is_you=who.key == company.own,
            has_accepted=number in answered,
            is_program=who.is_program,
            is_suspect=who in suspects,
        )


def _answered(guest: Guest) -> frozenset[Seat]:
    """Return who has accepted, as the host says, and this guest itself."""
    progress, offer = guest.progress, guest.offer
    bits = 0
    if progress is not None and offer is not None and progress.number == offer.number:
        bits = progress.answered
    own = {guest.seat} if guest.accepted is not None and guest.seat is not None else set()
    seats = range(0 if offer is None else len(offer.seats))
    return frozenset({Seat(one) for one in seats if bits >> one & 1} | own)


def _terms(
    company: Company, offer: Offer, before: Offer | None, host: bytes
) -> Iterator[TermShown]:
    """Yield every term; a seat has a place of its own, and is a term where it has changed."""
    changed = [] if before is None else changes_between(before, offer)
    was: dict[TermPlace, OfferedTerm | None]
    was = {(now.kind, now.which): old for old, now in changed if now is not None}
    texts = _words_of_options(offer)
    for one in terms_offered(offer):
        about = (one.kind, one.which)
        if one.kind is TermKind.SEATS or (one.kind is TermKind.SEAT and not _is_another(was, one)):
            continue
        value = f"{term_value(one, company, host)}{NOTES.get(one.kind, '')}"
        old = None if about not in was else _before(was[about], one, company, host)
        yield TermShown(texts.get(str(one.which), term_label(one)), value, old)
    for gone in [old for old, now in changed if now is None and old is not None]:
        yield TermShown(term_label(gone), NOTHING, term_value(gone, company, host))


def _is_another(was: Mapping[TermPlace, OfferedTerm | None], one: OfferedTerm) -> bool:
    """Say whether a seat that somebody had is another's now, or free."""
    old = was.get((one.kind, one.which))
    return old is not None and old.value is not None


def _before(old: OfferedTerm | None, now: OfferedTerm, company: Company, host: bytes) -> str:
    told = NOTHING if old is None else term_value(old, company, host)
    return ALIKE if told == term_value(now, company, host) else told


def _words_of_options(offer: Offer) -> dict[str, str]:
    """Return what the game says of its options, where its rules are here."""
    try:
        return {one.name: one.text for one in registry.game(offer.game, offer.version).options}
    except LocalError:
        return {}


def _rules(offer: Offer) -> str:
    try:
        return registry.game(offer.game, offer.version).rules()
    except LocalError:
        return ""


def _changeable(offer: Offer) -> OpenTerms:
    """Return what a host can change; whoever hosts a game has its rules."""
    names = [name for name, clock in CLOCKS.items() if clock == offer.clock]
    return OpenTerms(
        rules=registry.game(offer.game, offer.version),
        seats=len(offer.seats),
        options=dict(offer.options),
        clock=names[0] if names else "",
        policy=offer.policy,
        clocks=clocks_told(),
        policies=policies_told(),
    )

"""The lobby of a host: a frozen value.

A host has a seat like everybody, answers like everybody, and decides three things alone: what is
offered, who may stay, and when the answers of all become a charter. It cannot decide for others:
each seat has signed its answer to exactly the terms of the charter, or will not seal it.

What the value holds is stored whole after every change (`record`), so a host that was closed in the
middle opens its lobby as it was, and no number is ever used for two offers. What happens to it is
in `hosting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from nodealer.crypto import SharedSecret, SigningKey
from nodealer.kernel import LocalError, PeerError, Seat
from nodealer.lobby.address_book import AddressBook
from nodealer.lobby.comparing import Drawn
from nodealer.lobby.invite import Invite
from nodealer.lobby.messages import Attendee, Complete, Offer, SignedAnswer
from nodealer.lobby.moves import HostPhase
from nodealer.lobby.sayings import LobbyChat
from nodealer.lobby.terms import NewSeat, TablePlan, founded, offer_of, programs_in, seat_of
from nodealer.table import require_names

ENTRIES_MAX: Final = 256
"""Who has the secret can come in under ever new keys, but not for ever."""


NAMED_MAX: Final = 64
"""Nobody has so many friends for one game."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The number of a lobby, and the secrets to play and to watch, as its host draws them."""

    lobby: bytes
    play: SharedSecret
    watch: SharedSecret


@dataclass(frozen=True, eq=False)
class Host:
    """A lobby as its host holds it."""

    signer: SigningKey
    keys: Keys
    plan: TablePlan
    number: int
    """That of the offer; it grows with every change of what is offered."""
    seats: tuple[Attendee | None, ...]
    watchers: tuple[Attendee, ...] = ()
    answers: Mapping[Seat, SignedAnswer] = field(default_factory=dict)
    seed: bytes | None = field(default=None, repr=False)
    """Behind the host's own answer."""
    turns: Mapping[bytes, int] = field(default_factory=dict)
    """How often the holder of a key has made others look up, under the present secrets."""
    entries: int = 0
    """How often somebody has come in, under the present secrets."""
    banned: tuple[bytes, ...] = ()
    named: tuple[bytes, ...] = ()
    """Those who come in by their key alone, without an invite."""
    book: AddressBook = field(default_factory=AddressBook)
    is_founded: bool = False
    is_closed: bool = False
    links: Mapping[bytes, bytes] = field(default_factory=dict)
    """On which link somebody has joined last; not stored, as what follows."""
    drawn: Drawn = field(default_factory=Drawn)
    chat: LobbyChat = field(default_factory=LobbyChat)

    @property
    def key(self) -> bytes:
        """The key of the host."""
        return self.signer.verify_key.raw

    @property
    def phase(self) -> HostPhase:
        """Where the lobby stands."""
        if self.is_closed:
            return HostPhase.CLOSED
        if self.is_founded:
            return HostPhase.FOUNDED
        if None in self.seats:
            return HostPhase.GATHERING
        return HostPhase.READY if len(self.answers) == len(self.seats) else HostPhase.OFFERING

    @cached_property
    def offer(self) -> Offer:
        """What is offered now."""
        return offer_of(self.plan, self.keys.lobby, self.number, self.seats, self.signer)

    @cached_property
    def complete(self) -> Complete:
        """All answers, once they are here."""
        answers = tuple(self.answers[Seat(number)] for number in range(len(self.seats)))
        return Complete(self.keys.lobby, self.number, answers)

    @cached_property
    def founding(self) -> NewSeat | None:
        """What the host sits down with, once the charter is made."""
        if not self.is_founded:
            return None
        agreed = founded(self.offer, self.key, self.complete)
        own = seat_of(self.offer, self.key)
        return NewSeat(agreed, own, self.seed, programs_in(self.offer))

    @property
    def people(self) -> tuple[Attendee, ...]:
        """Everybody in the lobby, the host included."""
        return (*(one for one in self.seats if one is not None), *self.watchers)

    @property
    def seated(self) -> tuple[bytes, ...]:
        """The keys of everybody with a seat, the host included."""
        return tuple(one.key for one in self.seats if one is not None)

    @property
    def guests(self) -> tuple[bytes, ...]:
        """The keys of everybody but the host."""
        return tuple(one.key for one in self.people if one.key != self.key)

    @property
    def is_worn_out(self) -> bool:
        """Whether so many have come in with the invites that nobody else does."""
        return self.entries >= ENTRIES_MAX

    def invite(self, addresses: tuple[str, ...], *, watches: bool = False) -> Invite:
        """Return an invite to play, or to watch; it is good until the secrets are changed."""
        secret = self.keys.watch if watches else self.keys.play
        return Invite(self.key, self.keys.lobby, secret, watches, addresses)


def new_host(
    plan: TablePlan,
    name: str,
    signer: SigningKey,
    keys: Keys,
    *,
    is_program: bool = False,
    chance: bytes = b"",
) -> Host:
    """Return a lobby with the host in its first seat; `hosting.opened` says what to store."""
    try:
        require_names([name])
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    own = Attendee(signer.verify_key.raw, name, is_program)
    seats = (own, *(None for _ in range(plan.seats - 1)))
    return Host(signer, keys, plan, number=1, seats=seats, drawn=Drawn(chance))


def member(host: Host, key: bytes) -> Attendee | None:
    """Return who holds a key, if anybody in the lobby does."""
    return next((one for one in host.people if one.key == key), None)


def reseated(host: Host, seats: tuple[Attendee | None, ...], plan: TablePlan | None = None) -> Host:
    """Return the lobby with another offer, to which nobody has answered."""
    keys = [one.key for one in seats if one is not None]
    return replace(
        host,
        plan=host.plan if plan is None else plan,
        number=host.number + 1,
        seats=seats,
        answers={},
        seed=None,
        book=host.book.expecting(keys),
    )


def without(host: Host, key: bytes) -> Host:
    """Return the lobby without somebody; if a seat is free now, that is another offer."""
    links = {one: link for one, link in host.links.items() if one != key}
    host = replace(host, links=links)
    if key in host.seated:
        seats = tuple(None if one is None or one.key == key else one for one in host.seats)
        return reseated(host, seats)
    return replace(host, watchers=tuple(one for one in host.watchers if one.key != key))


def with_guest(host: Host, guest: Attendee, *, watches: bool) -> Host:
    """Return the lobby with a guest in the first free seat, or among the spectators."""
    if watches:
        return replace(host, watchers=(*host.watchers, guest))
    free = host.seats.index(None)
    return reseated(host, (*host.seats[:free], guest, *host.seats[free + 1 :]))


def renamed(host: Host, guest: Attendee) -> Host:
    """Return the lobby with another name for somebody who is there, or another player behind it."""
    if guest.key not in host.seated:
        watchers = tuple(guest if one.key == guest.key else one for one in host.watchers)
        return replace(host, watchers=watchers)
    seats = tuple(guest if one and one.key == guest.key else one for one in host.seats)
    return reseated(host, seats)

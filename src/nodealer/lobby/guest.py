"""The lobby of a guest: a frozen value.

A guest believes its host nothing that it can see for itself: an offer must be signed by the key of
the invite and seat the guest under its own name; an answer is given to one offer, by the player;
and a seat is taken only at a table of that offer, with the very answer that this guest stands by,
and with answers of all others that they have signed.

To one offer there is one answer, however often the player takes it back and gives it again: a host
may have made the charter with it before it hears of that.

At most one charter is ever taken in a lobby. What the guest stands by is stored before its answer
leaves, and the charter before anybody sits down at its table; whoever starts again from an older
copy of what was stored leaves the lobby instead. What happens to it is in `visiting`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from nodealer.crypto import SigningKey
from nodealer.kernel import Reason, Seat
from nodealer.lobby.address_book import AddressBook
from nodealer.lobby.comparing import Drawn
from nodealer.lobby.invite import Invite
from nodealer.lobby.messages import (
    AddressRecord,
    Attendee,
    Complete,
    Offer,
    Progress,
    SignedAnswer,
)
from nodealer.lobby.moves import GuestPhase
from nodealer.lobby.ready import LobbyOver
from nodealer.lobby.sayings import LobbyChat
from nodealer.lobby.terms import NewSeat, founded, programs_in, seat_of, terms_of
from nodealer.table import Terms


@dataclass(frozen=True, eq=False)
class Guest:
    """A lobby as a guest holds it."""

    signer: SigningKey
    invite: Invite
    name: str
    is_program: bool = False
    """Whether a program plays, as is told to the others."""
    floor: int = 0
    """No offer of a lower number is looked at any more."""
    offer: Offer | None = None
    accepted: SignedAnswer | None = None
    """The answer of the player to the offer that is here, as long as it stands by that."""
    seed: bytes | None = field(default=None, repr=False)
    """The seed of that answer; it stays when the answer is taken back, and goes with the offer."""
    complete: Complete | None = None
    over: LobbyOver | None = None
    progress: Progress | None = None
    """Who has answered, as the host says; not stored, as what follows."""
    own_record: AddressRecord | None = None
    book: AddressBook = field(default_factory=AddressBook)
    drawn: Drawn = field(default_factory=Drawn)
    chat: LobbyChat = field(default_factory=LobbyChat)

    @property
    def key(self) -> bytes:
        """The key of the guest."""
        return self.signer.verify_key.raw

    @property
    def host(self) -> bytes:
        """The key of the host."""
        return self.invite.host

    @property
    def phase(self) -> GuestPhase:
        """Where the guest stands."""
        if self.over is not None:
            return GuestPhase.OUT
        if self.complete is not None:
            return GuestPhase.FOUNDED
        if self.offer is None:
            return GuestPhase.KNOCKING
        if self.accepted is not None:
            return GuestPhase.ACCEPTED
        if self.invite.watches or self.terms is None or self.problem is not None:
            return GuestPhase.WAITING
        return GuestPhase.ASKED

    @property
    def seat(self) -> Seat | None:
        """The seat that the offer gives to this guest."""
        return None if self.offer is None else seat_of(self.offer, self.key)

    @cached_property
    def terms(self) -> Terms | None:
        """The terms that the offer comes to, once no seat is free."""
        return None if self.offer is None else terms_of(self.offer, self.host)

    @property
    def others(self) -> tuple[bytes, ...]:
        """The keys of all others who have a seat."""
        seats = () if self.offer is None else self.offer.seats
        return tuple(one.key for one in seats if one is not None and one.key != self.key)

    @property
    def problem(self) -> Reason | None:
        """Why a player cannot accept the offer, whatever it is about."""
        if self.offer is None or self.invite.watches:
            return None
        own = None if self.seat is None else self.offer.seats[self.seat]
        is_seated = own == Attendee(self.key, self.name, self.is_program)
        return None if is_seated else Reason.LOBBY_OFFER

    @cached_property
    def founding(self) -> NewSeat | None:
        """What this guest sits down with, once the charter is whole."""
        if self.offer is None or self.complete is None:
            return None
        agreed = founded(self.offer, self.host, self.complete)
        seed = None if self.accepted is None else self.seed
        seat = None if self.invite.watches else self.seat
        return NewSeat(agreed, seat, seed, programs_in(self.offer))

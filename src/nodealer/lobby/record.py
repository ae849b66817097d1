"""The record of a lobby as it is stored, and how it is opened again.

One record holds a whole lobby; each takes the place of the one before. It is written and read by
the wire layer like a message, but it is never sent: it holds the secrets of the invite, and the
seed behind the answer of this node, from which every card of its seat can be read.

What is there again after a restart: the people, the offer with its number, all answers, who was
sent away, and whether the charter is made. Links are not, and neither is what others say anew on a
new link. A record must be the last one that was stored. Whoever cannot be sure of that (a restored
backup, a copied directory) must not answer and not start from it, but leave: numbers could be used
twice, or a second charter be taken in one lobby.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeVar

from nodealer.crypto import KEY_BYTES, SECRET_BYTES, SEED_BYTES, SharedSecret, SigningKey
from nodealer.kernel import WORD_BYTES_MAX, LocalError, PeerError, Reason, Seat
from nodealer.ledger import nested
from nodealer.lobby import messages as m
from nodealer.lobby.address_book import AddressBook
from nodealer.lobby.comparing import Drawn
from nodealer.lobby.forms import LOBBY_VERSION, NAME, NUMBER, PEOPLE_MAX, WATCHERS_MAX
from nodealer.lobby.guest import Guest
from nodealer.lobby.host import NAMED_MAX, Host, Keys
from nodealer.lobby.invite import KNOWN_WAY, Invite
from nodealer.lobby.ready import Kept, LobbyOver
from nodealer.lobby.terms import offer_of, plan_in
from nodealer.wire import (
    Field,
    RecordCodec,
    Schema,
    boolean,
    exact_bytes,
    mapped,
    optional,
    text_up_to,
    tuple_of,
    uint,
)

T = TypeVar("T")

COUNTED_MAX: Final = 1024
"""More than can come in before the secrets are worn out."""


@dataclass(frozen=True, slots=True)
class _Turns:
    """The turns that the holder of a key has had."""

    key: bytes
    count: int


@dataclass(frozen=True, slots=True)
class _HostRecord:
    play: SharedSecret
    watch: SharedSecret
    offer: m.Offer
    watchers: tuple[m.Attendee, ...]
    answers: tuple[m.SignedAnswer | None, ...]
    seed: bytes | None
    turns: tuple[_Turns, ...]
    entries: int
    banned: tuple[bytes, ...]
    named: tuple[bytes, ...]
    addresses: tuple[m.AddressRecord, ...]
    is_founded: bool
    is_closed: bool


@dataclass(frozen=True, slots=True)
class _GuestRecord:
    key: bytes
    """Whose record this is."""
    invite: Invite
    name: str
    is_program: bool
    floor: int
    offer: m.Offer | None
    accepted: m.SignedAnswer | None
    seed: bytes | None
    complete: m.Complete | None
    is_out: bool
    reason: Reason | None


_KEY: Final = exact_bytes(KEY_BYTES)
_SECRET: Final = mapped(exact_bytes(SECRET_BYTES), SharedSecret, SharedSecret.reveal)
_SEED: Final = optional(exact_bytes(SEED_BYTES))
_COUNT: Final = uint(COUNTED_MAX)
_REASON: Final = mapped(text_up_to(WORD_BYTES_MAX), Reason, lambda reason: reason.slug)

_HOST: Final = Schema(
    "lobby/host-record",
    RecordCodec(
        _HostRecord,
        (
            Field("play", _SECRET),
            Field("watch", _SECRET),
            Field("offer", nested(m.OFFER)),
            Field("watchers", tuple_of(m.SITTING, at_most=WATCHERS_MAX)),
            Field("answers", tuple_of(optional(m.SIGNED), at_most=PEOPLE_MAX)),
            Field("seed", _SEED),
            Field(
                "turns",
                tuple_of(
                    RecordCodec(_Turns, (Field("key", _KEY), Field("count", _COUNT))),
                    at_most=COUNTED_MAX,
                ),
            ),
            Field("entries", _COUNT),
            Field("banned", tuple_of(_KEY, at_most=COUNTED_MAX)),
            Field("named", tuple_of(_KEY, at_most=NAMED_MAX)),
            Field("addresses", tuple_of(nested(m.ADDRESS), at_most=PEOPLE_MAX)),
            Field("is_founded", boolean()),
            Field("is_closed", boolean()),
        ),
    ),
    LOBBY_VERSION,
)
_GUEST: Final = Schema(
    "lobby/guest-record",
    RecordCodec(
        _GuestRecord,
        (
            Field("key", _KEY),
            Field("invite", KNOWN_WAY),
            Field("name", NAME),
            Field("is_program", boolean()),
            Field("floor", NUMBER),
            Field("offer", optional(nested(m.OFFER))),
            Field("accepted", optional(m.SIGNED)),
            Field("seed", _SEED),
            Field("complete", optional(nested(m.COMPLETE))),
            Field("is_out", boolean()),
            Field("reason", optional(_REASON)),
        ),
    ),
    LOBBY_VERSION,
)


def keep_host(host: Host) -> Kept:
    """Return what is stored of a host's lobby."""
    record = _HostRecord(
        play=host.keys.play,
        watch=host.keys.watch,
        offer=host.offer,
        watchers=host.watchers,
        answers=tuple(host.answers.get(Seat(one)) for one in range(len(host.seats))),
        seed=host.seed,
        turns=tuple(_Turns(key, count) for key, count in host.turns.items()),
        entries=host.entries,
        banned=host.banned,
        named=host.named,
        addresses=tuple(host.book.records.values()),
        is_founded=host.is_founded,
        is_closed=host.is_closed,
    )
    return Kept(_HOST.write(record))


def reopen_host(kept: Kept, signer: SigningKey, chance: bytes = b"") -> Host:
    """Return the lobby of a host as it was stored last; `chance` is drawn for this run."""
    record = _read(_HOST, kept)
    offer = record.offer
    people = tuple(one.key for one in offer.seats if one is not None)
    plan = plan_in(offer)
    signed = {Seat(number): one for number, one in enumerate(record.answers) if one is not None}
    known = {one.key: one for one in record.addresses}
    if offer_of(plan, offer.lobby, offer.number, offer.seats, signer) != offer:
        raise _damaged("it is that of another key")
    return Host(
        signer=signer,
        keys=Keys(offer.lobby, record.play, record.watch),
        plan=plan,
        number=offer.number,
        seats=offer.seats,
        watchers=record.watchers,
        answers=signed,
        seed=record.seed,
        turns={one.key: one.count for one in record.turns},
        entries=record.entries,
        banned=record.banned,
        named=record.named,
        book=AddressBook(frozenset(people), known),
        is_founded=record.is_founded,
        is_closed=record.is_closed,
        drawn=Drawn(chance),
    )


def keep_guest(guest: Guest) -> Kept:
    """Return what is stored of a guest's lobby."""
    record = _GuestRecord(
        key=guest.key,
        invite=guest.invite,
        name=guest.name,
        is_program=guest.is_program,
        floor=guest.floor,
        offer=guest.offer,
        accepted=guest.accepted,
        seed=guest.seed,
        complete=guest.complete,
        is_out=guest.over is not None,
        reason=None if guest.over is None else guest.over.reason,
    )
    return Kept(_GUEST.write(record))


def reopen_guest(kept: Kept, signer: SigningKey, chance: bytes = b"") -> Guest:
    """Return the lobby of a guest as it was stored last; `chance` is drawn for this run."""
    record = _read(_GUEST, kept)
    if record.key != signer.verify_key.raw:
        raise _damaged("it is that of another key")
    guest = Guest(
        signer=signer,
        invite=record.invite,
        name=record.name,
        is_program=record.is_program,
        floor=record.floor,
        offer=record.offer,
        accepted=record.accepted,
        seed=record.seed,
        complete=record.complete,
        over=LobbyOver(record.reason) if record.is_out else None,
        drawn=Drawn(chance),
    )
    return replace(guest, book=AddressBook().expecting(guest.others))


@dataclass(frozen=True, slots=True)
class Seen:
    """The part of a record that can be seen without the key of its owner."""

    offer: m.Offer | None
    is_founded: bool
    is_over: bool


def look_at_host(kept: Kept) -> Seen:
    """Return what can be seen of the lobby of a host."""
    record = _read(_HOST, kept)
    return Seen(record.offer, record.is_founded, record.is_closed)


def look_at_guest(kept: Kept) -> Seen:
    """Return what can be seen of the lobby of a guest."""
    record = _read(_GUEST, kept)
    return Seen(record.offer, record.complete is not None, record.is_out)


def _read(schema: Schema[T], kept: Kept) -> T:
    try:
        return schema.read(kept.data)
    except PeerError as error:
        if error.reason is Reason.ENCODING_VERSION:
            raise _damaged("another version of nodealer has written it; open a new one") from error
        raise _damaged(error.slug) from error


def _damaged(detail: str) -> LocalError:
    return LocalError(Reason.LOCAL_JOURNAL, f"what was stored of the lobby: {detail}")

"""What a host does: one function for each deed of `moves.HOST`, and the inputs that call them.

    host, ready = hosting.receive(host, message, peer)
    host, ready = hosting.accept(host, number, seed)

A draft collects what is to be sent and shown while a deed changes the value. Afterwards the new
value is stored if anything has changed, and the phase in which it stands is compared with the
table.

Costs are bounded. A join is looked at in the order of what the look costs: sender, version, secret,
signature. Who has made others look up `TURNS_MAX` times is sent away; when people have come in
`ENTRIES_MAX` times, the secrets are worn out until the host changes them. The same join on the same
link is answered once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from nodealer.crypto.shared_secret import SharedSecret
from nodealer.crypto.signing import SigningKey
from nodealer.kernel import LocalError, PeerError, Reason, Seat
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.forms import WATCHERS_MAX
from nodealer.lobby.host import (
    Host,
    Keys,
    is_seated,
    member,
    new_host,
    renamed,
    reseated,
    with_guest,
    without,
)
from nodealer.lobby.moves import HOST, HostPhase, Move
from nodealer.lobby.record import keep_host
from nodealer.lobby.signing import check_join, check_proof
from nodealer.lobby.terms import Plan, answer_of, check_answers, seat_of, taken_by, terms_of
from nodealer.table.names import require_names
from nodealer.wire import VERSION

TURNS_MAX: Final = 64
"""Nobody comes, goes and thinks again so often."""

ENTRIES_MAX: Final = 256
"""Who has the secret can come in under ever new keys, but not for ever."""

BANNED_MAX: Final = 64
"""Whoever has to send away more people changes the secrets."""

_HAPPENINGS: Final[Mapping[type, str]] = {
    m.Join: "join",
    m.Left: "left",
    m.Answer: "answer",
    m.Withdrawn: "withdrawn",
    m.AddressRecord: "address",
}


@dataclass(slots=True)
class _Draft:
    """A lobby while it changes."""

    host: Host
    send: list[r.Outgoing] = field(default_factory=list)
    show: list[r.Event] = field(default_factory=list)

    def tell(self, key: bytes, *messages: m.Message) -> None:
        """Send messages to somebody."""
        self.send += [r.Outgoing(message, key) for message in messages]

    def tell_all(self, *messages: m.Message) -> None:
        """Send messages to everybody in the lobby."""
        for key in self.host.guests:
            self.tell(key, *messages)

    def refuse(self, key: bytes, reason: Reason) -> None:
        """Let somebody know that it is not in the lobby."""
        self.tell(key, m.Refused(self.host.keys.lobby, reason))
        self.show.append(r.TurnedAway(key, reason))

    def drop(self, reason: Reason, sender: bytes) -> None:
        """Take no notice of a message."""
        self.show.append(r.Dropped(reason.slug, sender))

    def offer(self) -> None:
        """Send everybody what is offered now."""
        self.show.append(r.Offered(self.host.offer))
        self.tell_all(self.host.offer, progress(self.host))

    def progress(self) -> None:
        """Send everybody who has answered."""
        told = progress(self.host)
        self.show.append(r.Answered(told.number, tuple(sorted(self.host.answers)), told.watchers))
        self.tell_all(told)

    def turn(self, key: bytes) -> None:
        """Count that somebody makes others look up, or raise."""
        count = self.host.turns.get(key, 0) + 1
        if count > TURNS_MAX:
            raise PeerError(Reason.LOBBY_RESTLESS, f"{count} turns")
        self.host = replace(self.host, turns={**self.host.turns, key: count})


Lobby: TypeAlias = tuple[Host, r.Ready]
"""The lobby after an input, and what is to be done."""


def opened(plan: Plan, name: str, signer: SigningKey, keys: Keys) -> Lobby:
    """Open a lobby; `keys` are drawn for it alone."""
    host = new_host(plan, name, signer, keys)
    return host, r.Ready(keep_host(host), show=(r.Offered(host.offer),))


def receive_bytes(host: Host, data: bytes, peer: r.Peer) -> Lobby:
    """Take in bytes, which may be anything."""
    try:
        message = m.read(data)
    except PeerError as error:
        draft = _Draft(host)
        draft.drop(error.reason, peer.key)
        if error.reason is Reason.ENCODING_VERSION and member(host, peer.key) is None:
            draft.refuse(peer.key, Reason.LOBBY_VERSION)
        return _done(draft, host, (host.phase,))
    return receive(host, message, peer)


def receive(host: Host, message: m.Message, peer: r.Peer) -> Lobby:
    """Take in a message that came over the link of `peer`."""
    draft = _Draft(host)
    to: tuple[HostPhase, ...] = (host.phase,)
    try:
        row = _row(host, message)
        to = row.to
        _DEEDS[row.does](draft, message, peer)
    except PeerError as error:
        draft = _Draft(host)
        draft.drop(error.reason, peer.key)
        if error.reason is Reason.LOBBY_RESTLESS and not isinstance(message, m.AddressRecord):
            _send_away(draft, peer.key, error.reason)
    return _done(draft, host, to)


def accept(host: Host, number: int, seed: bytes) -> Lobby:
    """Answer the offer of this number for the host's own seat, with a new seed."""
    draft = _wishing(host, "accept")
    if number != host.number:
        raise LocalError(Reason.LOBBY_STALE, f"number {host.number} is offered now")
    seat = _own_seat(host)
    answer = answer_of(host.offer, host.key, seat, seed, host.signer)
    signed = m.Signed(answer.sealing, answer.signature)
    draft.host = replace(host, answers={**host.answers, seat: signed}, seed=seed)
    draft.progress()
    return _wished(draft, host, "accept")


def withdraw(host: Host) -> Lobby:
    """Take the answer of the host's own seat back."""
    draft = _wishing(host, "withdraw")
    seat = _own_seat(host)
    if seat not in host.answers:
        raise LocalError(Reason.LOCAL_ARGUMENT, "nothing was answered")
    draft.host = _unanswered(host, seat)
    draft.progress()
    return _wished(draft, host, "withdraw")


def change(host: Host, plan: Plan) -> Lobby:
    """Offer something else, with as many seats as it says; all answers are void."""
    draft = _wishing(host, "change")
    people = [one for one in host.seats if one is not None]
    if len(people) > plan.seats:
        detail = f"{len(people)} people sit here: somebody has to be removed first"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    free = [None] * (plan.seats - len(people))
    draft.host = reseated(host, (*people, *free), plan)
    draft.offer()
    return _wished(draft, host, "change")


def remove(host: Host, key: bytes) -> Lobby:
    """Send somebody away, who does not come in again under this key."""
    draft = _wishing(host, "remove")
    if key == host.key or member(host, key) is None:
        raise LocalError(Reason.LOCAL_ARGUMENT, "nobody to remove")
    if len(host.banned) == BANNED_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, "too many were removed: change the invite")
    _send_away(draft, key, Reason.LOBBY_REMOVED)
    return _wished(draft, host, "remove")


def renew(host: Host, play: SharedSecret, watch: SharedSecret) -> Lobby:
    """Change the secrets: old invites are void, and who is here stays."""
    draft = _wishing(host, "renew")
    draft.host = replace(host, keys=Keys(host.keys.lobby, play, watch), entries=0, turns={})
    return _wished(draft, host, "renew")


def start(host: Host) -> Lobby:
    """Make the charter of the answers of all; from here on nothing else comes of this lobby."""
    draft = _wishing(host, "start")
    draft.host = replace(host, is_founded=True)
    founding = draft.host.founding
    assert founding is not None, "all have answered"
    draft.tell_all(host.complete)
    draft.show.append(r.Founded(founding))
    return _wished(draft, host, "start")


def leave(host: Host) -> Lobby:
    """Close the lobby."""
    draft = _wishing(host, "leave")
    draft.tell_all(m.Refused(host.keys.lobby, Reason.LOBBY_CLOSED))
    draft.host = replace(host, is_closed=True)
    draft.show.append(r.Over())
    return _wished(draft, host, "leave")


def moved(host: Host, record: m.AddressRecord) -> Lobby:
    """Tell everybody with a seat where the host can be reached."""
    draft = _wishing(host, "moved")
    try:
        draft.host = replace(host, book=host.book.expecting(_seated(host)).heard(record))
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    _pass_on(draft, record)
    return _wished(draft, host, "moved")


def progress(host: Host) -> m.Progress:
    """Return what is told about who has answered."""
    bits = sum(1 << seat for seat in host.answers)
    return m.Progress(host.keys.lobby, host.number, bits, host.watchers)


def _row(host: Host, message: m.Message) -> Move[HostPhase]:
    """Return what is done with a message, or raise if it has no place here."""
    row = HOST[host.phase].get(_HAPPENINGS.get(type(message), ""))
    if row is None:
        raise PeerError(Reason.LOBBY_UNEXPECTED, type(message).__name__)
    if not isinstance(message, m.AddressRecord) and message.lobby != host.keys.lobby:
        raise PeerError(Reason.LOBBY_UNKNOWN, "another lobby")
    return row


# Deeds.


def _let_in(draft: _Draft, join: m.Join, peer: r.Peer) -> None:
    try:
        _require_admissible(draft.host, join, peer)
    except PeerError as error:
        if error.reason not in m.REFUSALS:
            raise
        _turn_away(draft, peer.key, error.reason)
        return
    guest = m.Sitting(join.key, join.name)
    if _in_this_role(draft.host, join) == guest:
        _welcome_back(draft, peer)
    else:
        _take_in(draft, join, guest, peer)


def _remind(draft: _Draft, join: m.Join, peer: r.Peer) -> None:
    if is_seated(draft.host, peer.key):
        _require_own(draft.host, join, peer)
        _welcome_back(draft, peer)
    elif join.watches:
        _let_in(draft, join, peer)
    else:
        draft.refuse(peer.key, Reason.LOBBY_STARTED)
    if member(draft.host, peer.key) is not None:
        draft.tell(peer.key, draft.host.complete)


def _turn_away_all(draft: _Draft, join: m.Join, peer: r.Peer) -> None:
    del join
    draft.refuse(peer.key, Reason.LOBBY_CLOSED)


def _let_go(draft: _Draft, left: m.Left, peer: r.Peer) -> None:
    del left
    _require_member(draft.host, peer.key)
    _go(draft, peer.key)


def _drop_as_stale(draft: _Draft, message: m.Message, peer: r.Peer) -> None:
    del draft, peer
    raise PeerError(Reason.LOBBY_STALE, type(message).__name__)


def _take(draft: _Draft, answer: m.Answer, peer: r.Peer) -> None:
    host, seat = draft.host, seat_of(draft.host.offer, peer.key)
    if seat is None or answer.seat != seat:
        raise PeerError(Reason.LOBBY_SENDER, f"an answer for seat {answer.seat}")
    terms = terms_of(host.offer, host.key)
    assert terms is not None, "all seats are taken"
    if (answer.number, answer.terms) != (host.number, terms.hash):
        raise PeerError(Reason.LOBBY_STALE, f"an answer to number {answer.number}")
    signed = m.Signed(answer.sealing, answer.signature)
    if host.answers.get(seat) == signed:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "the same answer again")
    # The new one first, so that a bad one costs as little as it can.
    check_answers(host.offer, host.key, {seat: signed, **_others(host, seat)})
    if seat in host.answers:
        # Taken back, which was lost with the link, and answered again.
        draft.turn(peer.key)
    draft.host = replace(draft.host, answers={**host.answers, seat: signed})
    draft.progress()


def _give_back(draft: _Draft, withdrawn: m.Withdrawn, peer: r.Peer) -> None:
    host, seat = draft.host, seat_of(draft.host.offer, peer.key)
    if seat is None or seat not in host.answers or withdrawn.number != host.number:
        raise PeerError(Reason.LOBBY_STALE, f"number {withdrawn.number} was not answered")
    draft.turn(peer.key)
    draft.host = _unanswered(draft.host, seat)
    draft.progress()


def _warn(draft: _Draft, message: m.Left | m.Withdrawn, peer: r.Peer) -> None:
    del message
    who = _require_member(draft.host, peer.key)
    if is_seated(draft.host, peer.key):
        draft.show.append(r.TooLate(who.key, who.name))
    else:
        _go(draft, peer.key)


def _pass_on_news(draft: _Draft, record: m.AddressRecord, peer: r.Peer) -> None:
    host = draft.host
    _require_member(host, peer.key)
    book = host.book.expecting(_seated(host)).heard(record)
    draft.turn(record.key)
    draft.host = replace(draft.host, book=book)
    draft.show.append(r.Moved(record))
    _pass_on(draft, record)


_DEEDS: Final[Mapping[str, Callable[[_Draft, Any, r.Peer], None]]] = {
    "let in": _let_in,
    "remind": _remind,
    "turn away": _turn_away_all,
    "let go": _let_go,
    "drop as stale": _drop_as_stale,
    "take": _take,
    "give back": _give_back,
    "warn": _warn,
    "pass on": _pass_on_news,
}
"""What is done with messages; wishes have functions of their own."""


# Letting in.


def _require_own(host: Host, join: m.Join, peer: r.Peer) -> None:
    """Raise unless the sender of a join has signed it, for this link."""
    if peer.key != join.key or peer.key == host.key:
        raise PeerError(Reason.LOBBY_SENDER, "a join for another key")
    check_join(join, host.key, peer.link)


def _require_admissible(host: Host, join: m.Join, peer: r.Peer) -> None:
    """Raise unless a join gives no reason to object to it; the first reason is told."""
    if peer.key != join.key:
        raise PeerError(Reason.LOBBY_SENDER, "a join for another key")
    if join.protocol != VERSION:
        raise PeerError(Reason.LOBBY_VERSION, f"protocol {join.protocol}")
    if join.key in host.banned:
        raise PeerError(Reason.LOBBY_REMOVED)
    here = _in_this_role(host, join)
    if here is None:
        if host.entries >= ENTRIES_MAX:
            raise PeerError(Reason.LOBBY_SECRET, "worn out")
        secret = host.keys.watch if join.watches else host.keys.play
        check_proof(join, secret, host.key, peer.link)
    _require_own(host, join, peer)
    require_names([join.name])
    if taken_by(join.name, [one for one in host.people if one.key != join.key]) is not None:
        raise PeerError(Reason.LOBBY_NAME)
    has_room = len(host.watchers) < WATCHERS_MAX if join.watches else None in host.seats
    if here is None and not has_room:
        raise PeerError(Reason.LOBBY_FULL)


def _in_this_role(host: Host, join: m.Join) -> m.Sitting | None:
    """Return who holds the key of a join, if it is here in the role that it asks for."""
    known = host.watchers if join.watches else host.seats
    return next((one for one in known if one is not None and one.key == join.key), None)


def _welcome_back(draft: _Draft, peer: r.Peer) -> None:
    if draft.host.links.get(peer.key) == peer.link:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "the same join again")
    draft.host = _linked(draft.host, peer)
    _tell_everything(draft, peer.key)


def _take_in(draft: _Draft, join: m.Join, guest: m.Sitting, peer: r.Peer) -> None:
    before = draft.host
    draft.turn(guest.key)
    if _in_this_role(before, join) is None:
        host = replace(without(draft.host, guest.key), entries=before.entries + 1)
        host = with_guest(host, guest, watches=join.watches)
    else:
        host = renamed(draft.host, guest)
    draft.host = _linked(host, peer)
    draft.show.append(r.Came(guest.key, guest.name, join.watches, join.program))
    if host.number != before.number:
        draft.offer()
        _tell_addresses(draft, guest.key)
    else:
        draft.tell(guest.key, host.offer)
        draft.progress()


def _linked(host: Host, peer: r.Peer) -> Host:
    return replace(host, links={**host.links, peer.key: peer.link})


# Letting go.


def _turn_away(draft: _Draft, key: bytes, reason: Reason) -> None:
    """Refuse somebody, who then is not here any more either."""
    if member(draft.host, key) is not None:
        _go(draft, key)
    draft.refuse(key, reason)


def _send_away(draft: _Draft, key: bytes, reason: Reason) -> None:
    """Refuse somebody for good."""
    banned = (*draft.host.banned, key)[-BANNED_MAX:]
    draft.host = replace(draft.host, banned=banned)
    _turn_away(draft, key, reason)


def _go(draft: _Draft, key: bytes) -> None:
    """Take somebody out of the lobby, and tell the others."""
    who, before = _require_member(draft.host, key), draft.host
    draft.host = without(before, key)
    draft.show.append(r.Went(who.key, who.name))
    if draft.host.number != before.number:
        draft.offer()
    else:
        draft.progress()


def _require_member(host: Host, key: bytes) -> m.Sitting:
    who = member(host, key)
    if who is None or key == host.key:
        raise PeerError(Reason.LOBBY_SENDER, "nobody who is in the lobby")
    return who


def _unanswered(host: Host, seat: Seat) -> Host:
    is_own = seat == seat_of(host.offer, host.key)
    return replace(host, answers=_others(host, seat), seed=None if is_own else host.seed)


def _others(host: Host, seat: Seat) -> dict[Seat, m.Signed]:
    return {one: signed for one, signed in host.answers.items() if one != seat}


# Telling.


def _tell_everything(draft: _Draft, key: bytes) -> None:
    draft.tell(key, draft.host.offer, progress(draft.host))
    _tell_addresses(draft, key)


def _tell_addresses(draft: _Draft, key: bytes) -> None:
    """Send somebody with a seat where the others can be reached."""
    if is_seated(draft.host, key):
        records = draft.host.book.records.items()
        draft.tell(key, *(record for one, record in records if one != key))


def _pass_on(draft: _Draft, record: m.AddressRecord) -> None:
    for key in _seated(draft.host):
        if key not in (record.key, draft.host.key):
            draft.tell(key, record)


def _seated(host: Host) -> tuple[bytes, ...]:
    return tuple(one.key for one in host.seats if one is not None)


def _own_seat(host: Host) -> Seat:
    seat = seat_of(host.offer, host.key)
    assert seat is not None, "a host has a seat"
    return seat


# Beginning and ending a draft.


def _wishing(host: Host, wish: str) -> _Draft:
    if wish not in HOST[host.phase]:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a lobby that is {host.phase.value}: no {wish}")
    return _Draft(host)


def _wished(draft: _Draft, before: Host, wish: str) -> Lobby:
    return _done(draft, before, HOST[before.phase][wish].to)


def _done(draft: _Draft, before: Host, to: Iterable[HostPhase]) -> Lobby:
    host = draft.host
    assert host.phase in to, f"{before.phase} does not lead to {host.phase}"
    kept = keep_host(host)
    keep = None if kept == keep_host(before) else kept
    return host, r.Ready(keep, tuple(draft.send), tuple(draft.show))

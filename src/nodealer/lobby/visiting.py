"""The deeds of a guest: one function for each deed of `moves.GUEST`, and the inputs that call them.

    guest, ready = visiting.linked(guest, link)
    guest, ready = visiting.receive(guest, message, sender)
    guest, ready = visiting.accept(guest, number, seed, rules)

Offers are signed by the host and charters by all seats, so both may come from anybody with a seat:
a host that shows the charter to some and not to others is helped along by those who have it. What
only the link vouches for is taken from the host alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from nodealer.crypto import SigningKey
from nodealer.games import AnyGame
from nodealer.kernel import LocalError, PeerError, Reason, Seat
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.comparing import (
    Drawn,
    all_pledged,
    all_told,
    begun,
    forgotten,
    pledge_of,
)
from nodealer.lobby.guest import Guest
from nodealer.lobby.invite import Invite
from nodealer.lobby.moves import GUEST, GuestPhase, LobbyMove
from nodealer.lobby.record import keep_guest
from nodealer.lobby.sayings import LISTENING, SaidAt, heard, line_of, spoken
from nodealer.lobby.signed import UNPROVEN, UNSIGNED, proof_of, sign_join, unsigned_answer
from nodealer.lobby.terms import answer_of, require_sound
from nodealer.table import Terms, require_names, require_rules


@dataclass(slots=True)
class _Draft:
    """A guest while it changes."""

    guest: Guest
    now: int = 0
    send: list[r.LobbyOutgoing] = field(default_factory=list)
    show: list[r.LobbyEvent] = field(default_factory=list)

    def tell_host(self, *messages: m.LobbyMessage) -> None:
        """Send messages to the host."""
        self.send += [r.LobbyOutgoing(message, self.guest.host) for message in messages]

    def drop(self, reason: Reason, sender: bytes) -> None:
        """Take no notice of a message."""
        self.show.append(r.LobbyDropped(reason.slug, sender))

    def end(self, reason: Reason | None) -> None:
        """Be out of the lobby, and stand by nothing any more."""
        over = r.LobbyOver(reason)
        self.guest = replace(self.guest, over=over, accepted=None, seed=None)
        self.show.append(over)


Visit: TypeAlias = tuple[Guest, r.LobbyReady]
"""The guest after an input, and what is to be done."""


def knocking(
    invite: Invite, name: str, signer: SigningKey, *, is_program: bool = False, chance: bytes = b""
) -> Visit:
    """Return a guest that will knock as soon as it has a link to the host.

    `chance` is drawn for this run of the program.
    """
    try:
        require_names([name])
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    if invite.host == signer.verify_key.raw:
        raise LocalError(Reason.LOBBY_INVITE, "this is your own lobby")
    guest = Guest(signer, invite, name, is_program, drawn=Drawn(chance))
    return guest, r.LobbyReady(keep_guest(guest))


def linked(guest: Guest, link: bytes, program: str = "nodealer") -> Visit:
    """Knock, now that there is a link to the host that was not there before.

    Who has left says so once more; who is at the table has nothing to say here.
    """
    draft = _Draft(guest)
    if guest.phase is GuestPhase.OUT:
        draft.tell_host(m.Leaving(guest.invite.lobby))
    elif guest.phase is not GuestPhase.FOUNDED:
        draft.guest = replace(guest, drawn=forgotten(guest.drawn))
        draft.tell_host(join_of(guest, link, program))
        if guest.own_record is not None:
            draft.tell_host(guest.own_record)
    return _done(draft, guest, (guest.phase,))


def receive_bytes(guest: Guest, data: bytes, sender: bytes, now: int = 0) -> Visit:
    """Take in bytes, which may be anything; `now` is in ticks, and bounds how much is listened to.

    A host that speaks another version is not spoken to: nothing that it offers can be read.
    """
    try:
        _require_heard(guest, sender)
        message = m.read(data)
    except PeerError as error:
        draft = _Draft(guest)
        draft.drop(error.reason, sender)
        is_other = error.reason is Reason.ENCODING_VERSION and sender == guest.host
        if not is_other or "refused" not in GUEST[guest.phase]:
            return _done(draft, guest, (guest.phase,))
        draft.end(Reason.LOBBY_VERSION)
        return _done(draft, guest, (GuestPhase.OUT,))
    return receive(guest, message, sender, now)


def receive(guest: Guest, message: m.LobbyMessage, sender: bytes, now: int = 0) -> Visit:
    """Take in a message that came over the link of the holder of a key."""
    draft = _Draft(guest, now)
    to: tuple[GuestPhase, ...] = (guest.phase,)
    try:
        row = _row(guest, message, sender)
        _DEEDS[row.does](draft, message)
        to = row.to
    except PeerError as error:
        draft = _Draft(guest)
        draft.drop(error.reason, sender)
    return _done(draft, guest, to)


def accept(guest: Guest, number: int, seed: bytes, rules: AnyGame) -> Visit:
    """Accept the offer of this number; the rules are those of its game.

    The seed is a new one, and is used unless this offer was accepted before.
    """
    draft = _wishing(guest, "accept")
    offer, terms, seat = _whole(guest)
    if number != offer.number:
        raise LocalError(Reason.LOBBY_STALE, f"number {offer.number} is offered now")
    try:
        require_rules(terms, rules)
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    seed = guest.seed or seed
    answer = answer_of(offer, guest.host, seat, seed, guest.signer)
    signed = m.SignedAnswer(answer.sealing, answer.signature)
    draft.guest = replace(guest, accepted=signed, seed=seed)
    draft.tell_host(answer)
    return _wished(draft, guest, "accept")


def withdraw(guest: Guest) -> Visit:
    """Take the answer back."""
    draft = _wishing(guest, "withdraw")
    assert guest.offer is not None, "it was accepted"
    draft.guest = replace(guest, accepted=None)
    draft.tell_host(m.Withdrawn(guest.invite.lobby, guest.offer.number))
    return _wished(draft, guest, "withdraw")


def leave(guest: Guest) -> Visit:
    """Leave the lobby."""
    draft = _wishing(guest, "leave")
    draft.tell_host(m.Leaving(guest.invite.lobby))
    draft.end(None)
    return _wished(draft, guest, "leave")


def say(guest: Guest, text: str, at: SaidAt) -> Visit:
    """Say something to everybody in the lobby; it is heard when the host hands it round."""
    draft = _wishing(guest, "say")
    own = m.Attendee(guest.key, guest.name, guest.is_program)
    chat, line = line_of(guest.chat, guest.invite.lobby, own, guest.signer, text, at)
    draft.guest = replace(guest, chat=chat)
    draft.tell_host(line)
    return _wished(draft, guest, "say")


def again(guest: Guest, invite: Invite, name: str, *, is_program: bool = False) -> Visit:
    """Try once more to come into a lobby that this guest is out of."""
    draft = _wishing(guest, "again")
    if (invite.host, invite.lobby) != (guest.host, guest.invite.lobby):
        raise LocalError(Reason.LOBBY_UNKNOWN, "the invite is to another lobby")
    fresh, _ = knocking(invite, name, guest.signer, is_program=is_program)
    floor = guest.floor if guest.offer is None else guest.offer.number
    known = replace(fresh, floor=floor, own_record=guest.own_record)
    draft.guest = replace(known, drawn=forgotten(guest.drawn))
    return _wished(draft, guest, "again")


def redirected(guest: Guest, invite: Invite) -> Visit:
    """Use another invite to the same lobby from now on: it may know newer addresses."""
    if (invite.host, invite.lobby) != (guest.host, guest.invite.lobby):
        raise LocalError(Reason.LOBBY_UNKNOWN, "the invite is to another lobby")
    if invite.watches != guest.invite.watches:
        raise LocalError(
            Reason.LOCAL_ARGUMENT, "who plays does not watch, and who watches not play"
        )
    draft = _Draft(replace(guest, invite=invite))
    return _done(draft, guest, (guest.phase,))


def declared(guest: Guest, *, is_program: bool) -> Visit:
    """Say on the next link whether a program plays; what was accepted stands until then."""
    draft = _Draft(replace(guest, is_program=is_program))
    return _done(draft, guest, (draft.guest.phase,))


def settled(guest: Guest) -> Visit:
    """Forget the seed, which the journal of the table has by now."""
    draft = _wishing(guest, "settle")
    draft.guest = replace(guest, accepted=None, seed=None)
    return _wished(draft, guest, "settle")


def moved(guest: Guest, record: m.AddressRecord) -> Visit:
    """Tell the host where this guest can be reached; the host tells the others."""
    draft = _wishing(guest, "moved")
    draft.guest = replace(guest, own_record=record)
    draft.tell_host(record)
    return _wished(draft, guest, "moved")


def join_of(guest: Guest, link: bytes, program: str) -> m.Join:
    """Return the join that a guest sends on a link."""
    invite, host = guest.invite, guest.host
    what = (invite.watches, guest.name, guest.is_program, program)
    join = m.Join(invite.lobby, guest.key, *what, UNPROVEN, UNSIGNED)
    if invite.secret is not None:
        join = replace(join, proof=proof_of(join, invite.secret, host, link))
    return replace(join, signature=sign_join(join, guest.signer, host, link))


_OF_HOST: Final = (m.Progress, m.NotAdmitted, m.LobbyLine, m.WordDrawing)
"""The messages that only the link vouches for."""


def _row(guest: Guest, message: m.LobbyMessage, sender: bytes) -> LobbyMove[GuestPhase]:
    """Return what is done with a message, or raise if it has no place here."""
    row = GUEST[guest.phase].get(m.happening_of(message))
    if row is None:
        raise PeerError(Reason.LOBBY_UNEXPECTED, type(message).__name__)
    if m.lobby_of(message) not in (None, guest.invite.lobby):
        raise PeerError(Reason.LOBBY_UNKNOWN, "another lobby")
    if isinstance(message, _OF_HOST) and sender != guest.host:
        raise PeerError(Reason.LOBBY_SENDER, "only the host says that")
    _require_heard(guest, sender)
    return row


def _require_heard(guest: Guest, sender: bytes) -> None:
    """Raise unless a guest hears somebody, before anything of a letter is read."""
    if sender != guest.host and sender not in guest.others:
        raise PeerError(Reason.LOBBY_SENDER, "nobody with a seat")


# Deeds.


def _look(draft: _Draft, offer: m.Offer) -> None:
    guest, known = draft.guest, draft.guest.offer
    least = guest.floor if known is None else known.number
    if offer.number < least:
        raise PeerError(Reason.LOBBY_STALE, f"number {offer.number} after {least}")
    require_sound(offer, guest.host)
    if known is not None and offer.number == known.number:
        _look_again(draft, known, offer)
        return
    seen = replace(guest, offer=offer, accepted=None, seed=None, progress=None)
    if seen.drawn.people and seen.drawn.people != offer.seats:
        seen = replace(seen, drawn=replace(forgotten(seen.drawn), number=seen.drawn.number))
    draft.guest = replace(seen, book=guest.book.expecting(seen.others))
    draft.show.append(r.Offered(offer, draft.guest.problem))


def _look_again(draft: _Draft, known: m.Offer, offer: m.Offer) -> None:
    guest = draft.guest
    if offer != known:
        draft.tell_host(m.Leaving(guest.invite.lobby))
        draft.show.append(r.TwoOffers(known, offer))
        draft.end(Reason.LOBBY_TWO_OFFERS)
    elif guest.accepted is not None:
        # The host has just said where it stands, and may not have the answer.
        draft.tell_host(_answer(guest, guest.accepted))


def _note(draft: _Draft, progress: m.Progress) -> None:
    guest = draft.guest
    if guest.offer is None or progress.number != guest.offer.number:
        raise PeerError(Reason.LOBBY_STALE, f"number {progress.number}")
    require_names([one.name for one in progress.watchers])
    draft.guest = replace(guest, progress=progress)
    count = len(guest.offer.seats)
    seats = tuple(Seat(one) for one in range(count) if progress.answered >> one & 1)
    if guest.seat in seats and guest.accepted is None:
        # Taken back, which was lost with the link.
        draft.tell_host(m.Withdrawn(guest.invite.lobby, progress.number))
    draft.show.append(r.Answered(progress.number, seats, progress.watchers))


def _go(draft: _Draft, refused: m.NotAdmitted) -> None:
    draft.end(refused.reason)


def _found(draft: _Draft, complete: m.Complete) -> None:
    guest = draft.guest
    assert guest.offer is not None, "nobody is here without an offer"
    if complete.number != guest.offer.number:
        raise PeerError(Reason.LOBBY_STALE, f"number {complete.number}")
    if not guest.invite.watches and guest.seat is None:
        raise PeerError(Reason.LOBBY_STALE, "no seat for this guest")
    if guest.accepted is None or guest.accepted not in complete.answers:
        # It knows where the others sit, and has nothing to seal with there.
        guest = replace(guest, accepted=None, seed=None)
    draft.guest = replace(guest, complete=complete)
    founding = draft.guest.founding
    assert founding is not None, "offer and answers are here"
    if guest.accepted is not None:
        _hand_on(draft, complete)
    draft.show.append(r.CharterWhole(founding))


def _write_down(draft: _Draft, record: m.AddressRecord) -> None:
    draft.guest = replace(draft.guest, book=draft.guest.book.heard(record))
    draft.show.append(r.Moved(record))


def _listen(draft: _Draft, line: m.LobbyLine) -> None:
    guest = draft.guest
    chat = heard(spoken(guest.chat, guest.host, draft.now, LISTENING), line)
    draft.guest = replace(guest, chat=chat)
    draft.show.append(r.LineSaid(line))


def _draw(draft: _Draft, drawing: m.WordDrawing) -> None:
    guest, drawn = draft.guest, draft.guest.drawn
    lobby, host, seat, offer = guest.invite.lobby, guest.host, guest.seat, guest.offer
    if guest.terms is None or seat is None or offer is None:
        raise PeerError(Reason.LOBBY_STALE, "no seat, or one is free")
    if not drawing.pledges:
        if drawing.number <= drawn.number:
            raise PeerError(Reason.LOBBY_STALE, f"drawing {drawing.number}")
        if not drawn.may_draw:
            raise PeerError(Reason.LOBBY_RESTLESS, "words were drawn too often")
        drawn = begun(drawn, lobby, offer.seats, drawing.number)
        draft.tell_host(m.Pledge(lobby, drawn.number, pledge_of(drawn, lobby, seat)))
    elif drawing.number != drawn.number or not drawn.people:
        raise PeerError(Reason.LOBBY_STALE, f"drawing {drawing.number}")
    elif not drawing.nonces:
        drawn = all_pledged(drawn, lobby, seat, drawing.pledges)
        draft.tell_host(m.ToldNonce(lobby, drawn.number, drawn.nonce))
    else:
        drawn = all_told(drawn, lobby, host, drawing)
        assert drawn.words is not None, "all nonces are here"
        draft.show.append(r.WordsDrawn(drawn.words))
    draft.guest = replace(guest, drawn=drawn)


_DEEDS: Final[Mapping[str, Callable[[_Draft, Any], None]]] = {
    "look at it": _look,
    "note": _note,
    "go": _go,
    "found": _found,
    "write down": _write_down,
    "listen": _listen,
    "draw": _draw,
}
"""What is done with messages; links and wishes have functions of their own."""


def _hand_on(draft: _Draft, complete: m.Complete) -> None:
    """Send the charter to the other seats: perhaps the host does not."""
    guest, (_, terms, _) = draft.guest, _whole(draft.guest)
    for key in terms.identities:
        if key not in (guest.key, guest.host):
            draft.send.append(r.LobbyOutgoing(complete, key))


def _answer(guest: Guest, signed: m.SignedAnswer) -> m.Answer:
    offer, terms, seat = _whole(guest)
    whole = unsigned_answer(offer, terms.hash, seat, signed.sealing)
    return replace(whole, signature=signed.signature)


def _whole(guest: Guest) -> tuple[m.Offer, Terms, Seat]:
    """Return an offer that can be accepted: its terms, and the seat that it gives."""
    assert guest.offer is not None, "an offer is here"
    assert guest.terms is not None, "no seat is free"
    assert guest.seat is not None, "this guest has one"
    return guest.offer, guest.terms, guest.seat


# Beginning and ending a draft.


def _wishing(guest: Guest, wish: str) -> _Draft:
    if wish not in GUEST[guest.phase]:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a guest that is {guest.phase.value}: no {wish}")
    return _Draft(guest)


def _wished(draft: _Draft, before: Guest, wish: str) -> Visit:
    return _done(draft, before, GUEST[before.phase][wish].to)


def _done(draft: _Draft, before: Guest, to: Iterable[GuestPhase]) -> Visit:
    guest = draft.guest
    assert guest.phase in to, f"{before.phase} does not lead to {guest.phase}"
    return guest, r.LobbyReady(_to_keep(before, guest), tuple(draft.send), tuple(draft.show))


def _to_keep(before: Guest, guest: Guest) -> r.Kept | None:
    """Return what is to be stored; of what was dropped nothing is even written down to compare."""
    if guest is before:
        return None
    kept = keep_guest(guest)
    return None if kept == keep_guest(before) else kept

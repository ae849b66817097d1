"""The deeds of a host: the inputs of a lobby, and one function for each deed of `moves.HOST`.

    host, ready = hosting.receive(host, message, peer)
    host, ready = hosting.accept(host, number, seed)

Inputs are messages of guests, which never raise, and wishes of the host's own player, which raise
`LocalError` where the table has no row for them. Afterwards the new value is stored if anything has
changed, and the phase in which it stands is compared with the table. Who comes in is decided in
`admitting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from nodealer.crypto import SharedSecret, SigningKey
from nodealer.kernel import LocalError, PeerError, Reason, Seat
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.admitting import let_in, remind, send_away, turn_away, turn_away_all
from nodealer.lobby.comparing import pledged, told
from nodealer.lobby.host import NAMED_MAX, Host, Keys, member, new_host, renamed, reseated
from nodealer.lobby.host_draft import HostDraft
from nodealer.lobby.moves import HOST, HostPhase, LobbyMove
from nodealer.lobby.record import keep_host
from nodealer.lobby.sayings import SaidAt, line_of, spoken
from nodealer.lobby.terms import TablePlan, answer_of, check_answers, seat_of, terms_of

Lobby: TypeAlias = tuple[Host, r.LobbyReady]
"""The lobby after an input, and what is to be done."""


def opened(
    plan: TablePlan,
    name: str,
    signer: SigningKey,
    keys: Keys,
    *,
    is_program: bool = False,
    chance: bytes = b"",
) -> Lobby:
    """Open a lobby; `keys` are drawn for it alone, `chance` for this run of the program."""
    host = new_host(plan, name, signer, keys, is_program=is_program, chance=chance)
    return host, r.LobbyReady(keep_host(host), show=(r.Offered(host.offer),))


def receive_bytes(host: Host, data: bytes, peer: r.LinkEnd, now: int = 0) -> Lobby:
    """Take in bytes, which may be anything; `now` is in ticks, and bounds how fast people speak."""
    is_here = member(host, peer.key) is not None
    try:
        message = m.read(data) if is_here else m.read(data, m.JOIN_BYTES_MAX)
    except PeerError as error:
        draft = HostDraft(host)
        draft.drop(error.reason, peer.key)
        to: tuple[HostPhase, ...] = (host.phase,)
        if error.reason is Reason.ENCODING_VERSION:
            to = _refuse_version(draft, peer.key)
        return _done(draft, host, to)
    return receive(host, message, peer, now)


def receive(host: Host, message: m.LobbyMessage, peer: r.LinkEnd, now: int = 0) -> Lobby:
    """Take in a message that came over the link of `peer`."""
    draft = HostDraft(host, now)
    to: tuple[HostPhase, ...] = (host.phase,)
    try:
        row = _row(host, message, peer)
        to = row.to
        _DEEDS[row.does](draft, message, peer)
    except PeerError as error:
        draft = HostDraft(host)
        draft.drop(error.reason, peer.key)
        if error.reason is Reason.LOBBY_RESTLESS and not isinstance(message, m.AddressRecord):
            send_away(draft, peer.key, error.reason)
    return _done(draft, host, to)


def accept(host: Host, number: int, seed: bytes) -> Lobby:
    """Answer the offer of this number for the host's own seat, with a new seed."""
    draft = _wishing(host, "accept")
    if number != host.number:
        raise LocalError(Reason.LOBBY_STALE, f"number {host.number} is offered now")
    seat = _own_seat(host)
    answer = answer_of(host.offer, host.key, seat, seed, host.signer)
    signed = m.SignedAnswer(answer.sealing, answer.signature)
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


def change(host: Host, plan: TablePlan) -> Lobby:
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
    send_away(draft, key, Reason.LOBBY_REMOVED)
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
    draft.show.append(r.CharterWhole(founding))
    return _wished(draft, host, "start")


def leave(host: Host) -> Lobby:
    """Close the lobby."""
    draft = _wishing(host, "leave")
    draft.tell_all(m.NotAdmitted(host.keys.lobby, Reason.LOBBY_CLOSED))
    draft.host = replace(host, is_closed=True)
    draft.show.append(r.LobbyOver())
    return _wished(draft, host, "leave")


def declared(host: Host, *, is_program: bool) -> Lobby:
    """Say whether a program plays for the host's own seat; all answers are void."""
    draft = _wishing(host, "change")
    own = member(host, host.key)
    assert own is not None, "a host has a seat"
    draft.host = renamed(host, replace(own, is_program=is_program))
    draft.offer()
    return _wished(draft, host, "change")


def name(host: Host, keys: Iterable[bytes]) -> Lobby:
    """Let the holders of these keys come in without an invite, beside those who may already."""
    draft = _wishing(host, "name")
    named = tuple(dict.fromkeys((*host.named, *keys)))
    if len(named) > NAMED_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"at most {NAMED_MAX} friends are named")
    banned = tuple(one for one in host.banned if one not in named)
    draft.host = replace(host, named=named, banned=banned)
    return _wished(draft, host, "name")


def say(host: Host, text: str, at: SaidAt) -> Lobby:
    """Say something to everybody in the lobby."""
    draft = _wishing(host, "say")
    own = member(host, host.key)
    assert own is not None, "a host has a seat"
    chat, line = line_of(host.chat, host.keys.lobby, own, host.signer, text, at)
    draft.host = replace(host, chat=chat)
    draft.hand_round(line)
    return _wished(draft, host, "say")


def settled(host: Host) -> Lobby:
    """Forget the seed, which the journal of the table has by now."""
    draft = _wishing(host, "settle")
    draft.host = replace(host, seed=None)
    return _wished(draft, host, "settle")


def moved(host: Host, record: m.AddressRecord) -> Lobby:
    """Tell everybody with a seat where the host can be reached."""
    draft = _wishing(host, "moved")
    if record.key != host.key:
        raise LocalError(Reason.LOBBY_SENDER, "the addresses of somebody else")
    try:
        draft.host = replace(host, book=host.book.expecting(host.seated).heard(record))
    except PeerError as refused:
        raise LocalError(refused.reason, refused.detail) from refused
    draft.pass_on(record)
    return _wished(draft, host, "moved")


def _refuse_version(draft: HostDraft, key: bytes) -> tuple[HostPhase, ...]:
    """Tell somebody that its program is of another version; it cannot stay while people gather."""
    row = HOST[draft.host.phase].get("left")
    if row is None or row.does != "let go":
        draft.refuse(key, Reason.LOBBY_VERSION)
        return (draft.host.phase,)
    turn_away(draft, key, Reason.LOBBY_VERSION)
    return row.to


def _row(host: Host, message: m.LobbyMessage, peer: r.LinkEnd) -> LobbyMove[HostPhase]:
    """Return what is done with a message, or raise if it has no place here."""
    row = HOST[host.phase].get(m.happening_of(message))
    if row is None:
        raise PeerError(Reason.LOBBY_UNEXPECTED, type(message).__name__)
    if m.lobby_of(message) not in (None, host.keys.lobby):
        raise PeerError(Reason.LOBBY_UNKNOWN, "another lobby")
    if peer.key == host.key:
        raise PeerError(Reason.LOBBY_SENDER, "the host itself")
    return row


# Deeds.


def _let_go(draft: HostDraft, left: m.Leaving, peer: r.LinkEnd) -> None:
    del left
    draft.require_guest(peer.key)
    draft.go(peer.key)


def _drop_as_stale(draft: HostDraft, message: m.LobbyMessage, peer: r.LinkEnd) -> None:
    del draft, peer
    raise PeerError(Reason.LOBBY_STALE, type(message).__name__)


def _take(draft: HostDraft, answer: m.Answer, peer: r.LinkEnd) -> None:
    host, seat = draft.host, seat_of(draft.host.offer, peer.key)
    if seat is None or answer.seat != seat:
        raise PeerError(Reason.LOBBY_SENDER, f"an answer for seat {answer.seat}")
    terms = terms_of(host.offer, host.key)
    assert terms is not None, "all seats are taken"
    if (answer.number, answer.terms) != (host.number, terms.hash):
        raise PeerError(Reason.LOBBY_STALE, f"an answer to number {answer.number}")
    signed = m.SignedAnswer(answer.sealing, answer.signature)
    if host.answers.get(seat) == signed:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "the same answer again")
    # The new one first, so that a bad one costs as little as it can.
    check_answers(host.offer, host.key, {seat: signed, **_others(host, seat)})
    if seat in host.answers:
        # Taken back, which was lost with the link, and answered again.
        draft.turn(peer.key)
    draft.host = replace(draft.host, answers={**host.answers, seat: signed})
    draft.progress()


def _give_back(draft: HostDraft, withdrawn: m.Withdrawn, peer: r.LinkEnd) -> None:
    host, seat = draft.host, seat_of(draft.host.offer, peer.key)
    if seat is None or seat not in host.answers or withdrawn.number != host.number:
        raise PeerError(Reason.LOBBY_STALE, f"number {withdrawn.number} was not answered")
    draft.turn(peer.key)
    draft.host = _unanswered(draft.host, seat)
    draft.progress()


def _warn(draft: HostDraft, message: m.Leaving | m.Withdrawn, peer: r.LinkEnd) -> None:
    del message
    who = draft.require_guest(peer.key)
    if peer.key in draft.host.seated:
        draft.show.append(r.TooLate(who.key, who.name))
    else:
        draft.go(peer.key)


def _pass_on_news(draft: HostDraft, record: m.AddressRecord, peer: r.LinkEnd) -> None:
    host = draft.host
    draft.require_guest(peer.key)
    book = host.book.expecting(host.seated).heard(record)
    draft.turn(record.key)
    draft.host = replace(draft.host, book=book)
    draft.show.append(r.Moved(record))
    draft.pass_on(record)


def _hand_round(draft: HostDraft, line: m.LobbyLine, peer: r.LinkEnd) -> None:
    who = draft.require_guest(peer.key)
    if (line.key, line.name) != (who.key, who.name):
        raise PeerError(Reason.LOBBY_SENDER, "a line of somebody else")
    draft.host = replace(draft.host, chat=spoken(draft.host.chat, peer.key, draft.now))
    draft.hand_round(line)


def _take_pledge(draft: HostDraft, pledge: m.Pledge, peer: r.LinkEnd) -> None:
    host, seat = draft.host, _drawing_seat(draft.host, pledge, peer)
    drawn = pledged(host.drawn, seat, pledge.pledge)
    draft.host = replace(host, drawn=drawn)
    if drawn.is_pledged:
        own = _own_seat(host)
        drawn = told(drawn, host.keys.lobby, host.key, own, drawn.nonce)
        draft.host = replace(host, drawn=drawn)
        draft.tell_drawing()


def _take_nonce(draft: HostDraft, nonce: m.ToldNonce, peer: r.LinkEnd) -> None:
    host, seat = draft.host, _drawing_seat(draft.host, nonce, peer)
    drawn = told(host.drawn, host.keys.lobby, host.key, seat, nonce.nonce)
    draft.host = replace(host, drawn=drawn)
    if drawn.words is not None:
        draft.tell_drawing()
        draft.show.append(r.WordsDrawn(drawn.words))


def _drawing_seat(host: Host, part: m.Pledge | m.ToldNonce, peer: r.LinkEnd) -> Seat:
    """Return the seat that takes part in the drawing of this moment, or raise."""
    seat = seat_of(host.offer, peer.key)
    if seat is None:
        raise PeerError(Reason.LOBBY_SENDER, "no seat")
    if part.number != host.drawn.number or not host.drawn.people:
        raise PeerError(Reason.LOBBY_STALE, f"drawing {part.number}")
    return seat


_DEEDS: Final[Mapping[str, Callable[[HostDraft, Any, r.LinkEnd], None]]] = {
    "let in": let_in,
    "remind": remind,
    "turn away": turn_away_all,
    "let go": _let_go,
    "drop as stale": _drop_as_stale,
    "take": _take,
    "give back": _give_back,
    "warn": _warn,
    "pass on": _pass_on_news,
    "hand round": _hand_round,
    "take pledge": _take_pledge,
    "take nonce": _take_nonce,
}
"""What is done with messages; wishes have functions of their own."""


def _unanswered(host: Host, seat: Seat) -> Host:
    is_own = seat == seat_of(host.offer, host.key)
    return replace(host, answers=_others(host, seat), seed=None if is_own else host.seed)


def _others(host: Host, seat: Seat) -> dict[Seat, m.SignedAnswer]:
    return {one: signed for one, signed in host.answers.items() if one != seat}


def _own_seat(host: Host) -> Seat:
    seat = seat_of(host.offer, host.key)
    assert seat is not None, "a host has a seat"
    return seat


# Beginning and ending a draft.


def _wishing(host: Host, wish: str) -> HostDraft:
    if wish not in HOST[host.phase]:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a lobby that is {host.phase.value}: no {wish}")
    return HostDraft(host)


def _wished(draft: HostDraft, before: Host, wish: str) -> Lobby:
    return _done(draft, before, HOST[before.phase][wish].to)


def _done(draft: HostDraft, before: Host, to: Iterable[HostPhase]) -> Lobby:
    host = draft.host
    assert host.phase in to, f"{before.phase} does not lead to {host.phase}"
    return host, r.LobbyReady(_to_keep(before, host), tuple(draft.send), tuple(draft.show))


def _to_keep(before: Host, host: Host) -> r.Kept | None:
    """Return what is to be stored; of what was dropped nothing is even written down to compare."""
    if host is before:
        return None
    kept = keep_host(host)
    return None if kept == keep_host(before) else kept

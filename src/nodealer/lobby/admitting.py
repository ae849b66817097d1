"""The admission to a lobby: who is let in, and who is not, or no longer.

A join is looked at in the order of what the look costs: whose it is, whether its sender was
removed, the secret, the signature, the name, a free place. A refusal of these names its reason, and
whoever is refused is not in the lobby, even if it was before. What no program sends that follows
the page is dropped instead, and changes nothing.

Whom the host has named comes in by its key, which its link proves, and needs no secret for that.
Who is here comes back in the same way; so the host
can change the secrets whenever it likes. When people have come in `ENTRIES_MAX` times the secrets
are worn out, and have to be changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer.kernel import PeerError, Reason
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.forms import WATCHERS_MAX
from nodealer.lobby.host import Host, member, renamed, with_guest, without
from nodealer.lobby.host_draft import HostDraft
from nodealer.lobby.sayings import without_lines
from nodealer.lobby.signed import check_join, check_proof
from nodealer.lobby.terms import taken_by
from nodealer.table import require_names

BANNED_MAX: Final = 64
"""Of those who were sent away the last ones; who was before may as well come under a new key."""


def let_in(draft: HostDraft, join: m.Join, peer: r.LinkEnd) -> None:
    """Let a guest in, or back in, or refuse it."""
    try:
        _require_admissible(draft.host, join, peer)
    except PeerError as error:
        if error.reason not in m.REFUSALS:
            raise
        turn_away(draft, peer.key, error.reason)
        return
    guest = m.Attendee(join.key, join.name, join.is_program)
    if _in_this_role(draft.host, join) == guest:
        _welcome_back(draft, peer)
    else:
        _take_in(draft, join, guest, peer)


def remind(draft: HostDraft, join: m.Join, peer: r.LinkEnd) -> None:
    """Tell the charter to whoever may know it."""
    if peer.key in draft.host.seated:
        _require_own(join, peer)
        check_join(join, draft.host.key, peer.link)
        _welcome_back(draft, peer)
    elif join.watches:
        let_in(draft, join, peer)
    else:
        draft.refuse(peer.key, Reason.LOBBY_STARTED)
    if member(draft.host, peer.key) is not None:
        draft.tell(peer.key, draft.host.complete)


def turn_away_all(draft: HostDraft, join: m.Join, peer: r.LinkEnd) -> None:
    """Refuse whoever comes to a lobby that is closed."""
    del join
    draft.refuse(peer.key, Reason.LOBBY_CLOSED)


def turn_away(draft: HostDraft, key: bytes, reason: Reason) -> None:
    """Refuse somebody, who then is not here any more either."""
    if member(draft.host, key) is not None:
        draft.go(key)
    draft.refuse(key, reason)


def send_away(draft: HostDraft, key: bytes, reason: Reason) -> None:
    """Refuse somebody for good."""
    host = draft.host
    banned = (*host.banned, key)[-BANNED_MAX:]
    named = tuple(one for one in host.named if one != key)
    chat = without_lines(host.chat, key)
    draft.host = replace(host, banned=banned, named=named, chat=chat)
    turn_away(draft, key, reason)


def _require_own(join: m.Join, peer: r.LinkEnd) -> None:
    """Raise unless a join is about its sender."""
    if peer.key != join.key:
        raise PeerError(Reason.LOBBY_SENDER, "a join for another key")


def _require_admissible(host: Host, join: m.Join, peer: r.LinkEnd) -> None:
    """Raise unless a join gives no reason to object to it; the first reason is told."""
    _require_own(join, peer)
    if join.key in host.banned:
        raise PeerError(Reason.LOBBY_REMOVED)
    here = _in_this_role(host, join)
    is_named = join.key in host.named and not join.watches
    if here is None and not is_named:
        if host.is_worn_out:
            raise PeerError(Reason.LOBBY_SECRET, "worn out")
        secret = host.keys.watch if join.watches else host.keys.play
        check_proof(join, secret, host.key, peer.link)
    check_join(join, host.key, peer.link)
    require_names([join.name])
    if taken_by(join.name, [one for one in host.people if one.key != join.key]) is not None:
        raise PeerError(Reason.LOBBY_NAME)
    has_room = len(host.watchers) < WATCHERS_MAX if join.watches else None in host.seats
    if here is None and not has_room:
        raise PeerError(Reason.LOBBY_FULL)


def _in_this_role(host: Host, join: m.Join) -> m.Attendee | None:
    """Return who holds the key of a join, if it is here in the role that it asks for."""
    known = host.watchers if join.watches else host.seats
    return next((one for one in known if one is not None and one.key == join.key), None)


def _welcome_back(draft: HostDraft, peer: r.LinkEnd) -> None:
    if draft.host.links.get(peer.key) == peer.link:
        raise PeerError(Reason.LOBBY_UNEXPECTED, "the same join again")
    draft.host = _linked(draft.host, peer)
    draft.tell_everything(peer.key)
    if peer.key in draft.host.seated and not draft.host.is_founded:
        draft.draw()  # whoever was started again has forgotten its nonce


def _take_in(draft: HostDraft, join: m.Join, guest: m.Attendee, peer: r.LinkEnd) -> None:
    before = draft.host
    draft.turn(guest.key)
    is_new = _in_this_role(before, join) is None
    if is_new:
        host = replace(without(draft.host, guest.key), entries=before.entries + 1)
        host = with_guest(host, guest, watches=join.watches)
    else:
        host = renamed(draft.host, guest)
    draft.host = _linked(host, peer)
    draft.show.append(r.Came(guest.key, guest.name, join.watches, join.program, guest.is_program))
    if host.number != before.number:
        draft.offer()
        draft.tell_addresses(guest.key)
    else:
        draft.tell(guest.key, host.offer)
        draft.progress()
    if is_new:
        draft.tell(guest.key, *host.chat.lines)


def _linked(host: Host, peer: r.LinkEnd) -> Host:
    return replace(host, links={**host.links, peer.key: peer.link})

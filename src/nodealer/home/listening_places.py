"""The place where the node of a player listens: as it was asked to, or as its invites say.

A host that goes on in a lobby, or at the table that has come of it, listens where it did before; if
somebody else does meanwhile, its old invites lead nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Final

from nodealer.kernel import LocalError, PeerError, Reason
from nodealer.lobby import AddressRecord, Host
from nodealer.node import (
    Address,
    ListenError,
    Listening,
    Room,
    addresses_in,
    parse,
    parse_relay,
    require_free,
)

EVERYWHERE: Final = "/ip4/0.0.0.0/tcp/0"


def listening_at(
    listen: Sequence[str],
    relays: Sequence[str],
    *,
    meets_nearby: bool,
    rooms: Iterable[Room] = (),
) -> Listening:
    """Return how a node is to be reached, by what its player has named; anywhere by default.

    A port that was named is listened at. One that was left open is that of before, if there are
    invites to one of these lobbies and nobody else listens there.
    """
    asked = [address_given(text, parse) for text in listen]
    places = _as_before(asked, places_before(rooms)) or asked or [parse(EVERYWHERE)]
    through = tuple(address_given(text, parse_relay) for text in relays)
    return Listening(tuple(places), through, meets_nearby=meets_nearby)


def is_moved(reach: Listening, room: Room) -> bool:
    """Say whether old invites to a lobby lead nowhere, because somebody else listens there."""
    return bool(places_before([room])) and not any(one.port for one in reach.listen)


def address_given(text: str, read: Callable[[str], Address]) -> Address:
    """Return the address that somebody names, or raise `LocalError`."""
    try:
        return read(text)
    except PeerError as error:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"{text} is no such address: {error}") from error


def own_record(host: Host) -> AddressRecord | None:
    """Return where a host has said that it can be reached."""
    return host.book.records.get(host.key)


def places_before(rooms: Iterable[Room]) -> tuple[Address, ...]:
    """Return where the host among these has listened: its invites name these places."""
    records = [own_record(room.held) for room in rooms if isinstance(room.held, Host)]
    known = [one for record in records if record for one in addresses_in(record.addresses)]
    return tuple(one for one in known if one.relay is None and one.kind in ("ip4", "ip6"))


def _as_before(asked: Sequence[Address], before: Sequence[Address]) -> list[Address]:
    """Return where to listen so that old invites stay good; nothing if that cannot be."""
    if not before or any(one.port for one in asked):
        return []
    port = before[0].port
    is_private = all(ip_address(one.host).is_loopback for one in before)
    anywhere = [] if is_private else [parse(EVERYWHERE)]
    tried = [[replace(one, port=port) for one in asked]]
    if not asked:
        tried = [[*before], [replace(one, port=port) for one in anywhere]]
    for places in tried:
        if places and _are_free(places):
            return places
    return []


def _are_free(places: list[Address]) -> bool:
    try:
        require_free(places)
    except ListenError:
        return False
    return True

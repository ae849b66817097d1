"""Addresses as others have told them and as a journal keeps them."""

from __future__ import annotations

from collections.abc import Iterable

from nodealer.kernel import PeerError, Seat
from nodealer.node.transport.addresses import Address, parse
from nodealer.store.journal import Journal


def note_addresses(journal: Journal, seat: Seat, addresses: Iterable[Address]) -> None:
    """Remember where a seat may be reached."""
    journal.note(*address_note(seat, addresses))


def address_note(seat: Seat, addresses: Iterable[Address]) -> tuple[str, bytes]:
    """Return the name and the text under which a journal remembers where a seat may be reached."""
    return f"addresses/{seat}", "\n".join(map(str, addresses)).encode()


def addresses_of(journal: Journal, seat: Seat) -> tuple[Address, ...]:
    """Return where a seat may be reached, as far as this journal knows and its note is whole."""
    noted = journal.noted(f"addresses/{seat}") or b""
    return addresses_in(noted.decode(errors="replace").splitlines())


def addresses_in(texts: Iterable[str]) -> tuple[Address, ...]:
    """Return the addresses among texts that others have written; what is none is passed over."""
    found = []
    for text in texts:
        try:
            found.append(parse(text))
        except PeerError:
            continue  # of a later program, perhaps; another one may do
    return tuple(found)

"""The book of addresses of a table: where its seats can be reached, as its journal keeps it.

What is there first comes from the lobby, or from whoever has named an address; then signed records
take its place, passed on by whoever hears them.

A seat whose addresses have changed (it was started again, it has moved to another network, it has
found a relay) signs a record of them and tells everybody it reaches. They keep it and pass it on,
so those who can neither be reached at the old addresses nor reach anybody new learn of it through
a third. Of two records of a key the one with the higher number counts, as in a lobby; the last one
of each seat is in the journal, so it outlives the program, and an older one that is shown again is
dropped. What is in a record is a claim of its author: it says where to look, and the link proves
who is there. It replaces what was known, since old places are what a move leaves behind.

What a peer can make this node do is bounded: records are taken from seats of the table, about
seats of the table, with their signature. Of each key only so many are taken in a time, and of
whoever hands them on only so many looked at; so nobody can use up what is somebody else's by
showing what is old or forged. What is dropped is told again when links come up.

Numbers are the seconds of the clock, or one more than the last: they grow even for a player who has
lost the journal or plays at several tables, and no clock has to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from nodealer.kernel import PeerError, Rate, Reason, Seat
from nodealer.lobby import ADDRESSES_MAX, AddressBook, AddressRecord, address_record, read, write
from nodealer.node.transport.addresses import Address, PeerKey, parse
from nodealer.node.transport.admission import Counted
from nodealer.node.transport.link import now_us
from nodealer.node.transport.timing import SECOND_US
from nodealer.store import Journal

BURST: Final = 8
"""Records of a key that are taken at once."""

REFILL_US: Final = 10 * SECOND_US
"""After so long one more is taken."""

LOOPBACK: Final = ("127.", "::1")


class SeatAddresses:
    """The records of one table, in its journal."""

    def __init__(self, journal: Journal, clock: Callable[[], int] | None = None) -> None:
        self._journal = journal
        self._clock = clock or _seconds
        keys = journal.charter.keys
        self._seats = {key: Seat(seat) for seat, key in enumerate(keys)}
        self._of_key = Counted(Rate(BURST, REFILL_US))
        self._of_bearer = Counted(Rate(BURST * len(keys), REFILL_US // len(keys)))
        self._book = AddressBook().expecting(keys)
        for seat in self._seats.values():
            if noted := journal.noted(_note(seat)):
                with suppress(PeerError):  # a note that is damaged; others will tell it again
                    self._book = self._book.heard(_record(noted))

    def records(self) -> tuple[AddressRecord, ...]:
        """Return the last record of each seat of which there is one, this one's own included."""
        return tuple(self._book.records.values())

    def own(self, addresses: Iterable[Address]) -> AddressRecord | None:
        """Return a new record of this seat's addresses, which is kept; none if nothing is new."""
        if self._journal.seat is None:
            return None  # nobody looks for a spectator
        signer = self._journal.signer()
        texts = tuple(map(str, addresses))
        last = self._book.records.get(signer.verify_key.raw)
        if last is not None and last.addresses == texts:
            return None
        number = self._clock() if last is None else max(self._clock(), last.number + 1)
        record = address_record(signer, number, texts)
        self._keep(record)
        return record

    def heard(self, letter: bytes, sender: PeerKey) -> AddressRecord:
        """Keep what somebody has passed on, and return it; or raise `PeerError`."""
        if sender not in self._seats:
            raise PeerError(Reason.LOBBY_SENDER, "no seat of this table")
        _require(self._of_bearer, sender)
        record = _record(letter)
        if record.key not in self._seats or self._seats[record.key] == self._journal.seat:
            raise PeerError(Reason.LOBBY_ADDRESS, "no other seat of this table")
        self._book.heard(record)  # before it counts for its author, it is the author's, and new
        _require(self._of_key, record.key)
        self._keep(record)
        return record

    def _keep(self, record: AddressRecord) -> None:
        self._book = self._book.heard(record)
        seat = self._seats[record.key]
        self._journal.note(_note(seat), write(record))
        note_addresses(self._journal, seat, addresses_in(record.addresses))


def chosen(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return which addresses are told to others: as many as a record holds, relays among them.

    Those of this machine alone are of use to others on it, and are told if there are no more.
    """
    found = tuple(addresses)
    relayed = [one for one in found if one.relay is not None][: ADDRESSES_MAX - 1]
    direct = [one for one in found if one.relay is None]
    outside = [one for one in direct if not one.host.startswith(LOOPBACK)]
    return (*(outside or direct)[: ADDRESSES_MAX - len(relayed)], *relayed)


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


def _require(counted: Counted, key: bytes) -> None:
    """Count one more record, or raise `PeerError`."""
    if not counted.may(key.hex(), now_us()):
        raise PeerError(Reason.LOBBY_RESTLESS, "too many records")


def _record(data: bytes) -> AddressRecord:
    message = read(data)
    if not isinstance(message, AddressRecord):
        raise PeerError(Reason.LOBBY_ADDRESS, "no record of addresses")
    return message


def _note(seat: Seat) -> str:
    return f"record/{seat}"


def _seconds() -> int:
    return int(datetime.now(tz=UTC).timestamp())

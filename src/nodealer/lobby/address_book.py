"""The addresses of the people of a lobby or a table, as they have signed them themselves.

A record names a key, its addresses and a number, and carries the signature of the key. It may come
through anybody: whoever passes it on can hold it back and nothing more. Of two records of a key the
one with the higher number counts; the node draws its numbers from a clock or counts them, and
stores the last one before it sends it.

A book holds one record for each key that it was told to expect, so strangers cannot fill it. An
address is a claim: it says where to look, and the key of whoever answers there is proven by the
link. Somebody who lies about its own addresses sends others to places where nobody answers as it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from nodealer.kernel import PeerError, Reason
from nodealer.lobby.messages import AddressRecord
from nodealer.lobby.signed import check_address


@dataclass(frozen=True, slots=True)
class AddressBook:
    """The latest record of each key that is expected here."""

    expected: frozenset[bytes] = frozenset()
    records: Mapping[bytes, AddressRecord] = field(default_factory=dict)

    def expecting(self, keys: Iterable[bytes]) -> AddressBook:
        """Return a book that expects these keys, and keeps what it has of them."""
        wanted = frozenset(keys)
        kept = {key: record for key, record in self.records.items() if key in wanted}
        return AddressBook(wanted, MappingProxyType(kept))

    def heard(self, record: AddressRecord) -> AddressBook:
        """Return the book with a record that is news, or raise `PeerError`."""
        if record.key not in self.expected:
            raise PeerError(Reason.LOBBY_ADDRESS, "the key of a stranger")
        known = self.records.get(record.key)
        if known is not None and record.number <= known.number:
            raise PeerError(Reason.LOBBY_ADDRESS, f"number {record.number} is not the latest")
        check_address(record)
        return replace(self, records=MappingProxyType({**self.records, record.key: record}))

    def of(self, key: bytes) -> tuple[str, ...]:
        """Return where a key says that it can be reached."""
        record = self.records.get(key)
        return () if record is None else record.addresses

"""From a lobby to a table: the journal of a seat that has just been agreed on.

The journal is made before anything of the table leaves, with the seed behind the seat's answer and
the addresses that everybody has given. Made twice, after a crash in between, it is simply opened.
"""

from __future__ import annotations

from nodealer.kernel import Seat
from nodealer.lobby import AddressBook, NewSeat
from nodealer.node.places_told import addresses_in, note_addresses
from nodealer.store.identity import Identity
from nodealer.store.journal import Journal
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Profile
from nodealer.store.records import JournalOrigin


def journal_for(
    founding: NewSeat, profile: Profile, identity: Identity, book: AddressBook
) -> Journal:
    """Return the journal of a seat at a new table."""
    charter = founding.agreed.charter
    owner = identity if founding.seat is not None else None
    if profile.journal(charter.table).exists():
        return open_journal(profile, charter.table, owner)
    key = None if owner is None else owner.public
    journal = create(profile, JournalOrigin(charter, founding.seat, key), owner, founding.seed)
    for seat, other in enumerate(charter.keys):
        note_addresses(journal, Seat(seat), addresses_in(book.of(other)))
    return journal

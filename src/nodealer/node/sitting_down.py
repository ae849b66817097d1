"""The way from a lobby to its table: the journal of a seat that has been agreed on.

The journal is made before anything of the table leaves, with the seed behind the seat's answer and
the addresses that everybody has given. Where it is there already it is opened, however often and
whenever somebody comes this way again. Without a journal and without a seed nobody can sit down.
"""

from __future__ import annotations

from nodealer.kernel import LocalError, Reason, Seat
from nodealer.lobby import AddressBook, Founding
from nodealer.node.places_told import address_note, addresses_in
from nodealer.store.identity import Identity
from nodealer.store.journal import Journal
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Profile
from nodealer.store.records import Origin


def journal_for(
    founding: Founding, profile: Profile, identity: Identity, book: AddressBook
) -> Journal:
    """Return the journal of a seat at a new table."""
    charter = founding.agreed.charter
    owner = identity if founding.seat is not None else None
    if profile.journal(charter.table).exists():
        return open_journal(profile, charter.table, owner)
    if founding.seat is not None and founding.seed is None:
        detail = "a table was founded with your answer, which was taken back, or given elsewhere"
        raise LocalError(Reason.LOBBY_ANSWER, detail)
    key = None if owner is None else owner.public
    places = tuple(
        address_note(Seat(seat), addresses_in(book.of(other)))
        for seat, other in enumerate(charter.keys)
    )
    return create(profile, Origin(charter, founding.seat, key), owner, founding.seed, places)

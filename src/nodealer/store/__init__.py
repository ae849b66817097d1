"""The things that a player's machine keeps: an identity, a journal for every table, friends.

A program that plays does this, and nothing else, with a table:

    profile = places_of(os.environ).profile(name)
    identity = open_identity(profile.key, passphrase)
    journal = open_journal(profile, table_id, identity)      or, at a new table, create(…)
    table, ready = come_back_to(journal, now)
    journal.append(…)                                        then send `ready.send`
    …
    table, ready = table.receive(message, sender)
    journal.append(…)                                        then send `ready.send`
    …
    journal.close()

Everything here waits for the disk; one call at a time for each journal, from any thread.

    places, files               directories, and small files that are whole or not there
    lobbies                     the record of a lobby, and whether it is the last one
    locks, old_copies           one process for one journal; whether a journal may be an old copy
    identity                    the key of a player
    database, layouts           SQLite, durable, in versions
    records, journal, opening   the journal of a seat at a table
    seats                       a seat that comes back from its journal
    transcripts                 the public part of a journal
    moving, move_file           to another machine, never in two places at once
    salvage                     what is whole of a damaged journal
    friends, words, wordlist    known keys, and how people compare keys
    trouble                     everything that can be wrong, with advice

Its page is `specs/09-store.md`.
"""

from nodealer.store.files import make_directory, read_private, write_over
from nodealer.store.friends import (
    Changed,
    Friend,
    Friends,
    Known,
    Lookalike,
    Meeting,
    Renamed,
    Stranger,
)
from nodealer.store.identity import (
    PASSPHRASE_CHARACTERS_MIN,
    Identity,
    create_identity,
    open_identity,
    protect,
    read_key_file,
    write_identity,
)
from nodealer.store.journal import Journal
from nodealer.store.lobbies import LobbyFile, records_in
from nodealer.store.locks import Holder
from nodealer.store.moving import arrive, bring_back, leave
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.places import HOME_VARIABLE, Directories, Profile, places_of
from nodealer.store.records import JournalOrigin
from nodealer.store.salvage import Salvaged, salvage
from nodealer.store.seats import come_back_to, setting_of
from nodealer.store.transcripts import Glance, glance, public_part, transcript
from nodealer.store.trouble import StoreError, Trouble, told_of
from nodealer.store.words import mark_of, shown, words_in, words_of

__all__ = [
    "HOME_VARIABLE",
    "PASSPHRASE_CHARACTERS_MIN",
    "Changed",
    "Directories",
    "Doubt",
    "Friend",
    "Friends",
    "Glance",
    "Holder",
    "Identity",
    "Journal",
    "JournalOrigin",
    "Known",
    "LobbyFile",
    "Lookalike",
    "Meeting",
    "Profile",
    "Renamed",
    "Salvaged",
    "StoreError",
    "Stranger",
    "Trouble",
    "arrive",
    "bring_back",
    "come_back_to",
    "create",
    "create_identity",
    "glance",
    "leave",
    "make_directory",
    "mark_of",
    "open_identity",
    "open_journal",
    "places_of",
    "protect",
    "public_part",
    "read_key_file",
    "read_private",
    "records_in",
    "salvage",
    "setting_of",
    "shown",
    "told_of",
    "transcript",
    "words_in",
    "words_of",
    "write_identity",
    "write_over",
]

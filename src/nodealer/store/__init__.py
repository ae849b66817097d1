"""What a player's machine keeps.

    places, files               directories, and small files that are whole or not there
    locks, marks                one process for one journal; whether a journal may be an old copy
    identity                    the key of a player
    database, layouts           SQLite, durable, in versions
    records, journal, opening   the journal of a seat at a table
    seats                       a seat that comes back from its journal
    transcripts                 the public part of a journal
    trouble                     everything that can be wrong, with advice

Its page is `specs/09-store.md`.
"""

"""The databases of this package as data: their tables, and how each version became the next.

A step is never changed once a version was released; what is to be different is a step more. Public
and private lie in tables of their own. What is exported is read through a connection that may read
`PUBLIC` and nothing else.
"""

from __future__ import annotations

from typing import Final

from nodealer.store.database import DatabaseKind

JOURNAL: Final = DatabaseKind(
    0x4E444A31,  # NDJ1
    (
        (
            """CREATE TABLE founding (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                charter BLOB NOT NULL,
                seat INTEGER,
                identity BLOB)""",
            """CREATE TABLE records (
                number INTEGER PRIMARY KEY,
                batch INTEGER NOT NULL,
                body BLOB NOT NULL,
                link BLOB NOT NULL)""",
            """CREATE TABLE standing (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                count INTEGER NOT NULL,
                head BLOB NOT NULL,
                mark BLOB NOT NULL,
                file INTEGER NOT NULL,
                machine BLOB NOT NULL,
                doubt TEXT,
                retired TEXT,
                holder TEXT)""",
            """CREATE TABLE private (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                box BLOB NOT NULL)""",
            """CREATE TRIGGER records_change BEFORE UPDATE ON records
                BEGIN SELECT RAISE(ABORT, 'records are never changed'); END""",
            """CREATE TRIGGER records_end BEFORE DELETE ON records
                BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END""",
            """CREATE TRIGGER founding_change BEFORE UPDATE ON founding
                BEGIN SELECT RAISE(ABORT, 'a table is founded once'); END""",
        ),
        ("CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",),
    ),
)
"""The journal of one seat at one table. Version 2 has notes."""

PUBLIC: Final = frozenset({"founding", "records", "standing", "sqlite_master"})
"""The tables of a journal in which nothing is secret."""

FRIENDS: Final = DatabaseKind(
    0x4E444631,  # NDF1
    (
        (
            """CREATE TABLE friends (
                key BLOB PRIMARY KEY,
                name TEXT NOT NULL,
                alike TEXT NOT NULL,
                met INTEGER NOT NULL,
                seen INTEGER NOT NULL,
                confirmed INTEGER) WITHOUT ROWID""",
            "CREATE INDEX friends_alike ON friends (alike)",
        ),
    ),
)
"""The keys that a player knows."""

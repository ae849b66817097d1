"""Hands that reach into a database past everything that guards it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TRIGGERS = ("records_change", "records_end", "founding_change")


@contextmanager
def broken_into(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database as anybody could who may read the file."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def change(path: Path, statement: str, *values: object) -> None:
    """Change a journal without its guards."""
    with broken_into(path) as database:
        for trigger in TRIGGERS:
            database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        database.execute(statement, values)

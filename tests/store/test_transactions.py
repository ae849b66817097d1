"""Transactions: all of what is done inside, or nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from nodealer.store.database import transaction


def fail_inside(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO notes VALUES ('dropped')")
        raise RuntimeError


def test_what_fails_inside_leaves_nothing() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        with transaction(connection):
            connection.execute("INSERT INTO notes VALUES ('kept')")
        with pytest.raises(RuntimeError):
            fail_inside(connection)
        assert connection.execute("SELECT text FROM notes").fetchall() == [("kept",)]
        assert not connection.in_transaction

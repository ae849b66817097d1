"""The table at a terminal: what a player sees of it, and what keys do.

This door names what is of use without a terminal as well: the book beside a table, the snapshot
that is made of both, and words. The terminal itself has a door of its own, `nodealer.ui.shell`.
"""

from nodealer.ui.book import (
    Book,
    chatted,
    counted,
    dismissed,
    muted,
    noted,
    noticed,
    opened,
    reached,
    unmuted,
)
from nodealer.ui.snapshot import Snapshot, snapshot_of
from nodealer.ui.text import wrapped
from nodealer.ui.times import in_words

__all__ = [
    "Book",
    "Snapshot",
    "chatted",
    "counted",
    "dismissed",
    "in_words",
    "muted",
    "noted",
    "noticed",
    "opened",
    "reached",
    "snapshot_of",
    "unmuted",
    "wrapped",
]

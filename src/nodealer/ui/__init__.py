"""The table at a terminal: what a player sees of it, and what keys do."""

from nodealer.ui.book import (
    Book,
    chatted,
    counted,
    dismissed,
    muted,
    noted,
    opened,
    reached,
    unmuted,
)
from nodealer.ui.commands import Command
from nodealer.ui.shell import Latest, run_table
from nodealer.ui.snapshot import Snapshot, snapshot_of
from nodealer.ui.text import wrapped
from nodealer.ui.times import in_words

__all__ = [
    "Book",
    "Command",
    "Latest",
    "Snapshot",
    "chatted",
    "counted",
    "dismissed",
    "in_words",
    "muted",
    "noted",
    "opened",
    "reached",
    "run_table",
    "snapshot_of",
    "unmuted",
    "wrapped",
]

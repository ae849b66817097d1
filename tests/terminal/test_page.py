"""The page on the terminal says what the program does."""

from __future__ import annotations

import re

import pytest

from nodealer.show.book import CHAT_LINES_MAX, LOG_LINES_MAX
from nodealer.show.commands import COMMANDS, usage
from nodealer.show.progress import Share
from nodealer.show.snapshot import Sitting
from nodealer.terminal.aloud import LISTED_MAX
from nodealer.terminal.panes import QUIET_TICKS
from nodealer.terminal.screen import COLUMNS_MIN, ROWS_MIN, WIDE
from nodealer.terminal.shell.full import ESCAPE_SECONDS
from tests.tidy.project import ROOT

PAGE = (ROOT / "specs" / "11-terminal.md").read_text()
FLAT = " ".join(PAGE.split())


def test_the_page_has_all_commands_and_no_others() -> None:
    rows = re.findall(r"^\| `(/[^`]+)` \| (.+) \|$", PAGE, re.MULTILINE)
    assert rows == [(usage(name), kind.text) for name, kind in COMMANDS.items()]


@pytest.mark.parametrize(
    "words",
    [
        f"At least {COLUMNS_MIN} columns and {ROWS_MIN} rows",
        f"from {WIDE} columns on",
        f"{LOG_LINES_MAX:,} lines, the chat {CHAT_LINES_MAX}",
        f"more than {LISTED_MAX} actions",
        f"after {QUIET_TICKS // 1000} seconds",
        f"within {ESCAPE_SECONDS * 1000:.0f} ms",
        *(one.value for one in Sitting if one is not Sitting.THERE),
        "`done`",
        "`now`",
        "`later`",
    ],
)
def test_the_page_has_the_numbers_and_words_of_the_program(words: str) -> None:
    assert words in FLAT


def test_there_are_as_many_shares_as_words_for_them() -> None:
    assert len(Share) == 3

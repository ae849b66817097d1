"""The QR code of an invite: read again from what is drawn in the terminal."""

from __future__ import annotations

import pytest
import segno

from nodealer.lobby.invite import write_invite
from nodealer.lobby.qr import QUIET, modules, terminal_lines
from tests.lobby.test_invite import INVITE

DRAWN = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def from_lines(lines: list[str]) -> list[list[bool]]:
    """Return the dark modules of what stands in a terminal."""
    rows: list[list[bool]] = []
    for line in lines:
        rows += [[not DRAWN[sign][half] for sign in line] for half in (0, 1)]
    return rows


@pytest.mark.parametrize("quiet", [QUIET, 2, 1])
def test_the_terminal_shows_the_modules(quiet: int) -> None:
    rows = [list(row) for row in modules(INVITE, quiet)]
    drawn = from_lines(terminal_lines(INVITE, quiet))
    assert drawn[:-1] == rows
    assert len({len(line) for line in terminal_lines(INVITE, quiet)}) == 1


def test_the_quiet_zone_is_light() -> None:
    rows = modules(INVITE)
    side = len(rows)
    assert {len(row) for row in rows} == {side}
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            is_inside = QUIET <= x < side - QUIET and QUIET <= y < side - QUIET
            assert is_inside or not dark
    assert rows[QUIET][QUIET], "the corner of a finder"


def test_a_usual_invite_is_small() -> None:
    code = segno.make_qr(write_invite(INVITE).upper(), error="l", boost_error=False)
    assert (code.mode, code.version) == ("alphanumeric", 6)
    assert len(modules(INVITE, 0)) == 41
    assert len(terminal_lines(INVITE, 2)) == 23, "it fits a terminal of 24 lines"

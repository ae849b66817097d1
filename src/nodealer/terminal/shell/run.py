"""The form in which a table is shown: the screen where there is a terminal, else plain lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

from nodealer.show import (
    Driver,
)
from nodealer.terminal.shell.full import run_full
from nodealer.terminal.shell.lines import run_lines
from nodealer.terminal.shell.terminal import Ending, Terminal
from nodealer.terminal.spans import Palette

TITLED: Final = ("xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "wezterm", "vte")
"""Terminals with a window that has a title, by the beginnings of their names."""


def wants_plain(environment: Mapping[str, str]) -> bool:
    """Say whether this is no terminal that can draw."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return not is_terminal or environment.get("TERM", "dumb") == "dumb"


def palette_for(environment: Mapping[str, str], *, has_four: bool) -> Palette:
    """Return the colours that are wanted; with NO_COLOR there are none."""
    if environment.get("NO_COLOR"):
        return Palette.NONE
    return Palette.FOUR if has_four else Palette.TWO


async def run_table(
    driver: Driver, *, is_plain: bool = False, has_four_colours: bool = False
) -> Ending:
    """Show a table to the person who started this program."""
    if is_plain or wants_plain(os.environ):
        return await run_lines(driver)
    palette = palette_for(os.environ, has_four=has_four_colours)
    encoding = sys.stdout.encoding or "ascii"
    has_title = os.environ.get("TERM", "").startswith(TITLED)
    terminal = Terminal(
        sys.stdin.fileno(), sys.stdout.fileno(), encoding, palette, has_title=has_title
    )
    return await run_full(driver, terminal)

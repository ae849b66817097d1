"""A browser that is sent to the page, without the token on any command line.

The command line of a program can be read by everybody on the machine. So the browser is given the
name of a file that only its owner can read, and the file leads on to the address. Where there is no
screen nothing is started: a browser of text would take the terminal, and over ssh the screen is not
the one in front of which the player sits.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from nodealer.store import write_over

_SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
_FROM_AFAR: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")

_OPENERS: Final = ("xdg-open", "open")
"""The programs that know the player's browser, of Linux and of macOS."""

_LEADING_ON: Final = """\
<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>nodealer</title>
"""

_APART: Final = 'exec "$0" "$1" </dev/null >/dev/null 2>&1 &'
"""The browser goes on when this program ends, and says nothing on its terminal."""


def has_screen(environment: Mapping[str, str], platform: str) -> bool:
    """Say whether the player sits in front of a screen of this machine."""
    if any(environment.get(one) for one in _FROM_AFAR):
        return False
    return platform == "darwin" or any(environment.get(one) for one in _SCREENS)


def open_page(address: str, leading_on: Path, environment: Mapping[str, str]) -> bool:
    """Send the player's browser to an address, by way of a file; say whether one was started."""
    path = environment.get("PATH")
    opener = next((found for one in _OPENERS if (found := shutil.which(one, path=path))), None)
    if opener is None:
        return False
    write_over(leading_on, _LEADING_ON.format(address=escape(address)).encode())
    command = ("/bin/sh", "-c", _APART, opener, str(leading_on))
    done = subprocess.run(command, env=dict(environment), start_new_session=True, check=False)  # noqa: S603 - a program of the player, and a path
    return done.returncode == 0

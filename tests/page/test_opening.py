"""A browser is sent to the page, and nobody else learns the token from it."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from nodealer.page.page_opening import has_screen, open_page
from nodealer.store.places import places_of

ADDRESS = "http://127.0.0.1:1234/#token=0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("environment", "platform", "is_there"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "darwin", True),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, "linux", False),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", False),
    ],
)
def test_a_screen_is_one_in_front_of_which_the_player_sits(
    environment: dict[str, str], platform: str, is_there: bool
) -> None:
    assert has_screen(environment, platform) is is_there


@pytest.mark.parametrize("name", ["xdg-open", "open"])
def test_the_browser_is_given_a_file_and_not_the_token(tmp_path: Path, name: str) -> None:
    seen = tmp_path / "seen"
    opener = tmp_path / name
    opener.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" >{seen}.part\n'
        f'/bin/cat "$1" >>{seen}.part\n/bin/mv {seen}.part {seen}\n'
    )
    opener.chmod(0o755)
    profile = places_of({"NODEALER_HOME": str(tmp_path / "home")}).profile()
    profile.make()
    link = profile.page_link
    assert open_page(ADDRESS, link, {"PATH": str(tmp_path)})
    while not seen.exists():
        time.sleep(0.01)
    command, given, *text = seen.read_text().splitlines()
    assert command == str(opener)
    assert given == str(link)
    assert any(f"url={ADDRESS}" in line for line in text)
    assert stat.S_IMODE(link.stat().st_mode) == 0o600


def test_without_a_browser_nothing_is_written(tmp_path: Path) -> None:
    link = tmp_path / "page.html"
    assert not open_page(ADDRESS, link, {"PATH": str(tmp_path)})
    assert not link.exists()

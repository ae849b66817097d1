"""A disk that is really full, under a whole program: a file system of its own, with little room.

`unshare` of util-linux gives the program a view of the file systems in which it may make one more,
in memory, which nobody else sees and which is gone with it. There the home of a player lies. It has
room for the beginning of a game; then the kernel says that there is none, in the middle of whatever
is being written; and later there is more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

SPACES = ("unshare", "--user", "--map-root-user", "--mount")

SCENE = """
mount -t tmpfs -o "size=$1k,mode=700" disk "$NODEALER_HOME" || exit 1
run() { "$python" -P -m nodealer "$@"; echo "ended $?" >&2; }
run play macaua --bots 1 --auto --json
run resume --auto --json
mount -o remount,size=64m "$NODEALER_HOME" || exit 1
run resume --auto --json
run verify "$NODEALER_HOME"/data/profiles/default/transcripts/*
"""

FULL = "the disk is full, or a limit for its files is reached"
ADVICE = "nodealer: make room and start again: nothing was signed that is not stored"

SIZES = (230,)
"""Kilobytes: two journals are begun in 200, and no game comes to its end in 270."""

MORE_SIZES = tuple(range(210, 270, 10))


@pytest.mark.parametrize("size", MORE_SIZES if IS_FULL else SIZES)
def test_a_game_goes_on_once_there_is_room(size: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [*SPACES, "sh", "-c", SCENE, "scene", str(size)],
        env={**os.environ, "NODEALER_HOME": str(tmp_path), "python": sys.executable},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = [FULL if FULL in line else line for line in done.stderr.splitlines()]
    refused = [FULL, ADVICE, "ended 1"]
    assert said == [*refused, *refused, "ended 0", "ended 0"]
    told = json.loads(done.stdout.splitlines()[0])
    assert told["verdict"] == "complete"

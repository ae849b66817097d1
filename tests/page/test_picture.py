"""The picture in the readme is taken by a script of a real game, and the script still takes it."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

from scripts.make_page_picture import HEIGHT, PICTURE, WIDTH
from tests.tidy.project import ROOT

HEAD = b"\x89PNG\r\n\x1a\n"


def test_the_script_takes_such_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    command = [sys.executable, "scripts/make_page_picture.py", str(path), "--bots", "1"]
    subprocess.run(command, cwd=ROOT, check=True)
    for one in (path, PICTURE):
        data = one.read_bytes()
        assert data.startswith(HEAD)
        assert struct.unpack(">II", data[16:24]) == (WIDTH, HEIGHT)

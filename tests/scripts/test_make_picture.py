"""The picture in the readme is made by a script from a real game, and the script still makes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scripts.make_picture import COLUMNS, PICTURE, ROWS, Shown, drawn
from tests.tidy.project import ROOT

TEXT = "{http://www.w3.org/2000/svg}text"


def words(picture: str) -> list[str]:
    """Return the texts of a picture, from top to bottom."""
    return [one.text or "" for one in ET.fromstring(picture).iter(TEXT)]  # noqa: S314 - our own


def test_the_script_makes_such_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "terminal.svg"
    command = [sys.executable, "scripts/make_picture.py", str(path), "--bots", "1"]
    subprocess.run(command, cwd=ROOT, check=True)
    made = words(path.read_text(encoding="utf-8"))
    for kept in (made, words(PICTURE.read_text(encoding="utf-8"))):
        assert kept[0].startswith("Macaua: against bots [")
        assert any("shuffled the deck and proved it, in " in text for text in kept)
        assert any(text.startswith("Your turn") for text in kept)
        assert "? keys" in kept or any(text.startswith("You see now") for text in kept)


def test_what_a_terminal_is_sent_is_drawn() -> None:
    shown = Shown()
    shown.write("\x1b[2J\x1b[2;1H\x1b[0m\x1b[2K a \x1b[1;31m<b>\x1b[0m  c\x1b[?25l")
    assert shown.text().splitlines()[1] == " a <b>  c"
    picture = drawn(shown)
    assert words(picture) == ["a", "<b>", "c"]
    assert 'font-weight="bold">&lt;b&gt;' in picture
    assert len(shown.letters) == ROWS
    assert {len(row) for row in shown.letters} == {COLUMNS}


@pytest.mark.parametrize("sent", ["\x1b[3A", "\x07", "\x1b[0J"])
def test_what_it_does_not_understand_it_does_not_draw(sent: str) -> None:
    with pytest.raises(ValueError, match="a terminal is sent"):
        Shown().write(sent)

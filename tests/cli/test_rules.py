"""`nodealer rules` shows what is installed, ours and others', and says so of what does not work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nodealer.games.macaua import MACAUA
from nodealer.games.registry import BUILT_IN
from nodealer.show import first_sentence
from tests.cli.program import nodealer
from tests.games.installed import install, install_sample


def test_a_page_of_rules_is_printed_as_it_is() -> None:
    done = nodealer("rules", "macaua")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == MACAUA.rules()


def test_games_are_listed_with_version_seats_and_one_line() -> None:
    done = nodealer("rules")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(BUILT_IN)
    assert "macaua  version 1  2 to 10 seats  Get rid of your cards first." in lines


def test_a_game_that_somebody_installs_is_listed_and_has_its_page(tmp_path: Path) -> None:
    install_sample(tmp_path)
    listed = nodealer("rules", beside=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in listed] == sorted(["high-card", *BUILT_IN])
    (sample,) = (line for line in listed if line.startswith("high-card "))
    assert sample.endswith("  2 to 6 seats   Everybody lays a card, in the order of the seats.")
    assert nodealer("rules", "high-card", beside=tmp_path).stdout.startswith("# High card\n")


def test_the_list_for_programs(tmp_path: Path) -> None:
    install_sample(tmp_path)
    found = json.loads(nodealer("rules", "--json", beside=tmp_path).stdout)
    assert [game["game"] for game in found["games"]] == sorted(["high-card", *BUILT_IN])
    assert found["problems"] == {}
    (sample,) = (game for game in found["games"] if game["game"] == "high-card")
    assert (sample["version"], sample["seats"], sample["policies"]) == (1, [2, 6], ["void"])
    assert sample["options"] == [
        {
            "option": "cards",
            "text": "cards for each",
            "default": 3,
            "values": "a number from 1 to 6",
        }
    ]


def test_a_page_for_programs() -> None:
    found = json.loads(nodealer("rules", "macaua", "--json").stdout)
    assert (found["game"], found["page"]) == ("macaua", MACAUA.rules())


def test_a_broken_game_is_told_of_and_hurts_no_other(tmp_path: Path) -> None:
    install(tmp_path, "broken_package", {"broken": "nowhere_to_be_found:GAME"})
    done = nodealer("rules", beside=tmp_path)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == sorted(BUILT_IN)
    assert done.stderr.startswith("nodealer: the game 'broken' cannot be loaded")
    found = json.loads(nodealer("rules", "--json", beside=tmp_path).stdout)
    assert list(found["problems"]) == ["broken"]
    done = nodealer("rules", "broken", beside=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be loaded" in done.stderr


THERE_ARE = f"there are {', '.join(sorted(BUILT_IN))};"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("maccaua", f"no game 'maccaua', perhaps macaua; {THERE_ARE}"),
        ("poker", f"no game 'poker'; {THERE_ARE} others come with packages"),
        ("", f"no game ''; {THERE_ARE}"),
        ("x" * 5000, f"no game '{'x' * 40}'; there are"),
    ],
)
def test_an_unknown_game(written: str, told: str) -> None:
    done = nodealer("rules", written)
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr.splitlines()[0]


def test_a_terminal_that_lacks_a_letter_shows_the_rest(tmp_path: Path) -> None:
    install_sample(tmp_path)
    page = tmp_path / "high_card" / "page.md"
    page.write_text(page.read_text().replace("# High card", "# Höhe ♠"), encoding="utf-8")
    done = nodealer("rules", "high-card", beside=tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# H?he ?\n")


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("# Title\n\nOne\nsentence. Another one.\n", "One sentence."),
        ("# Title\n\n## Part\n\nNo full stop\n\nMore.", "No full stop"),
        ("# Title\n", ""),
    ],
)
def test_the_line_of_a_game_is_the_first_sentence_of_its_page(page: str, line: str) -> None:
    assert first_sentence(page) == line

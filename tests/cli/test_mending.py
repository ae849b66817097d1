"""What only the owner of a journal can decide on is decided by a word, and the game goes on."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.node.practice import identity_in
from nodealer.store.identity import open_identity
from nodealer.store.opening import create, open_journal
from nodealer.store.records import JournalOrigin
from tests.cli.practising import founded_against_a_bot
from tests.cli.program import nodealer
from tests.store.damage import change
from tests.store.players import places_in

OTHER_MACHINE = "process 7 on cellar/0badc0de since 2026-01-01T00:00:00+00:00"

DAMAGE = "UPDATE records SET body = x'00' WHERE number = 3"
HELD = "UPDATE standing SET holder = ?"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the home of somebody who has played a game against a bot, and its table."""
    home = tmp_path_factory.mktemp("played")
    done = nodealer("play", "macaua", "--bots", "1", "--auto", "--json", NODEALER_HOME=str(home))
    assert done.returncode == 0, done.stderr
    return home, json.loads(done.stdout)["table"]


def test_a_damaged_game_against_a_bot_is_gone_on_with(
    played: tuple[Path, str], tmp_path: Path
) -> None:
    home, table = tmp_path / "home", played[1]
    shutil.copytree(played[0], home)
    journals = sorted(home.rglob(f"{table}.journal"))
    assert len(journals) == 2, "that of the player, and that of the bot"
    for path in journals:
        change(path, "DELETE FROM records WHERE number > 9")
        change(path, DAMAGE)
    refused = nodealer("resume", "--auto", NODEALER_HOME=str(home))
    assert refused.returncode == 1
    assert "--salvage" in refused.stderr.splitlines()[-1]
    done = nodealer("resume", table, "--salvage", "--auto", "--json", NODEALER_HOME=str(home))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("2 records are whole") == 2
    assert json.loads(done.stdout)["verdict"] == "complete"
    assert len(list(home.rglob("*.damaged-1"))) == 2, "nothing is thrown away"


def test_a_journal_without_damage_is_left_as_it_is(played: tuple[Path, str]) -> None:
    home, table = played
    arguments = ("resume", table[:6], "--salvage", "--auto", "--json")
    done = nodealer(*arguments, NODEALER_HOME=str(home))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verdict"] == "complete"
    assert not list(home.rglob("*.damaged-*"))


def test_what_cannot_be_salvaged_is_said(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path)
    change(places.profile().journal(table), "DELETE FROM private")
    change(places.profile().journal(table), "UPDATE standing SET count = 7")
    done = nodealer("resume", "--salvage", "--auto", NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "nothing can be saved" in done.stderr
    assert "the others go on" in done.stderr


def test_a_game_that_another_machine_had_open_is_taken_over(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path)
    for profile in (places.profile(), places.profile("bot-1")):
        change(profile.journal(table), HELD, OTHER_MACHINE)
    refused = nodealer("resume", "--auto", NODEALER_HOME=str(tmp_path))
    assert refused.returncode == 1
    assert "cellar" in refused.stderr
    assert "--take-over" in refused.stderr.splitlines()[-1]
    done = nodealer("resume", "--take-over", "--auto", "--json", NODEALER_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] == "complete"


def test_a_table_that_is_watched_is_taken_over_too(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path / "players")
    key = places.profile().key
    with closing(open_journal(places.profile(), table, open_identity(key))) as journal:
        charter = journal.charter
    own = places_in(tmp_path / "own")
    create(own.profile(), JournalOrigin(charter)).close()
    identity_in(own.profile())
    change(own.profile().journal(table), HELD, OTHER_MACHINE)
    arguments = ("resume", "--take-over", "--listen", "nowhere")
    done = nodealer(*arguments, NODEALER_HOME=str(tmp_path / "own"))
    assert "cellar" not in done.stderr
    assert "nowhere is no such address" in done.stderr


def test_whose_journal_it_is_not_mends_nothing(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path)
    shutil.copy2(places.profile("bot-1").key, places.profile().key)
    done = nodealer("resume", table.hex()[:6], "--salvage", NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "belongs to another identity" in done.stderr

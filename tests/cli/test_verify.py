"""`nodealer verify`, `replay` and `export`, as people and programs call them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer import __version__
from nodealer.kernel import Seat
from nodealer.table import Setting, sit_down
from nodealer.verify import transcript_of
from tests.cli.program import nodealer, on_terminal
from tests.games.installed import install_sample
from tests.support.circle import Circle, agreed_by, circle, player_of

CHECKS = [
    "structure",
    "identity",
    "signatures",
    "chain",
    "cryptography",
    "rules",
    "completeness",
    "liveness",
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = circle(2)
    made.play()
    path = tmp_path_factory.mktemp("records") / "game.ndt"
    path.write_bytes(transcript_of(made.tables[Seat(0)].ledger))
    return path


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = circle(2)
    path = tmp_path_factory.mktemp("records") / "begun.ndt"
    path.write_bytes(transcript_of(made.tables[Seat(0)].ledger))
    return path


def objects(text: str) -> Iterator[dict[str, object]]:
    for line in text.splitlines():
        yield json.loads(line)


def test_a_sound_game_for_people(played: Path) -> None:
    done = nodealer("verify", str(played))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{played}: complete: sound from the charter to the close\n")
    assert "What a sound record proves" in done.stdout
    assert "  seat 0: player 0\n    key " in done.stdout
    assert "  height 2: seats 0 and 1 shuffled a deck\n" in done.stdout
    assert ": game 1 was won by seat " in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 80


def test_a_name_that_is_no_file_and_no_table(tmp_path: Path) -> None:
    for name, found in [("abc", "no such file, and there is no table yet"), ("x", "No such file")]:
        done = nodealer("verify", name, at=tmp_path, NODEALER_HOME=str(tmp_path / "home"))
        assert done.returncode == 13
        assert found in done.stdout
    assert not list(tmp_path.iterdir()), "nothing was made"


def test_a_file_is_preferred_to_a_table_of_that_mark(played: Path, tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(played.read_bytes())
    done = nodealer("verify", "abc", at=tmp_path, NODEALER_HOME=str(tmp_path / "home"))
    assert done.stdout.startswith("abc: complete: ")


def test_a_sound_game_for_programs(played: Path) -> None:
    done = nodealer("verify", "--json", str(played))
    (found,) = objects(done.stdout)
    first, *last = ["file", "verdict", "culprit", "height", "check", "checks"], "judged_by", "ms"
    assert [list(found)[:6], *list(found)[-2:]] == [first, *last]
    assert found["game"] == {"id": "macaua", "version": 1}
    assert found["judged_by"] == {"nodealer": __version__, "protocol": 1, "format": 1}
    assert (found["file"], found["verdict"]) == (str(played), "complete")
    assert (found["culprit"], found["check"]) == (None, None)
    checks = found["checks"]
    assert isinstance(checks, dict)
    assert list(checks) == CHECKS
    assert all(list(one) == ["passed", "failed", "not_run"] for one in checks.values())


def test_of_what_does_not_hold_nothing_is_promised(played: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ndt"
    data = bytearray(played.read_bytes())
    data[-20] ^= 1  # in the last signature
    bad.write_bytes(data)
    done = nodealer("verify", str(bad))
    first, *_ = done.stdout.splitlines()
    assert first == f"{bad}: invalid: a check failed, and nobody is proven guilty of it"
    assert "honest" not in done.stdout


def test_the_highest_exit_code_wins(played: Path, begun: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ndt"
    data = bytearray(played.read_bytes())
    data[-20] ^= 1  # in the last signature
    bad.write_bytes(data)
    for names, code in (
        ([played, begun], 10),
        ([begun, bad], 12),
        ([bad, tmp_path / "missing"], 13),
    ):
        done = nodealer("verify", "--json", *map(str, names))
        assert done.returncode == code
        assert [found["file"] for found in objects(done.stdout)] == [str(name) for name in names]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda _: None, "No such file"),
        (lambda path: path.mkdir(), "Is a directory"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.write_bytes(bytes(range(256))), "encoding/"),
        (lambda path: os.truncate(path, 1 << 40) if path.touch() is None else None, "larger than"),
    ],
)
def test_what_is_no_transcript_is_said_to_be_none(make: object, told: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert callable(make)
    make(path)
    for command in (["verify"], ["replay"], ["export", "--format", "json"]):
        done = nodealer(*command, str(path))
        assert done.returncode == 13
        assert told in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_a_name_with_a_zero_byte_cannot_come_from_a_shell_but_from_a_program() -> None:
    program = "from nodealer.cli.main import main; main(['verify', 'a\\0b'])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr
    assert "unreadable" in done.stdout


def test_standard_input(played: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nodealer", "verify", "--json", "-"],
        input=played.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "complete"


def test_what_somebody_expects(played: Path) -> None:
    found = json.loads(nodealer("export", str(played), "--format", "json").stdout)
    table, key = found["table"], found["charter"]["keys"][1]
    good = nodealer(
        "verify", str(played), "--expect-table", table.upper(), "--expect-seat", f"1={key}"
    )
    assert good.returncode == 0
    for wrong in (["--expect-table", "0" * 64], ["--expect-seat", f"0={key}"]):
        done = nodealer("verify", str(played), *wrong)
        assert done.returncode == 12
        assert "identity failed at height 0" in done.stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ["--expect-table", "ab"],
        ["--expect-seat", "x"],
        ["--expect-seat", "1=ab"],
        ["--expect-seat", f"11={'0' * 64}"],
        ["--expect-seat", f"0={'0' * 64}", "--expect-seat", f"0={'1' * 64}"],
        [],
    ],
)
def test_a_wrong_command_line(wrong: list[str]) -> None:
    files = ["file"] if wrong else []
    done = nodealer("verify", *files, *wrong)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_sample_game_is_verified_and_told_without_touching_ours(tmp_path: Path) -> None:
    players = [player_of(Seat(seat)) for seat in range(3)]
    made = Circle(Setting(agreed_by(players, HIGH_CARD), HIGH_CARD))
    for player in players:
        made.do(player.seat, sit_down(made.setting, player))
    made.deliver()
    made.play()
    path = tmp_path / "sample.ndt"
    path.write_bytes(transcript_of(made.tables[Seat(0)].ledger))
    place = tmp_path / "beside"
    install_sample(place)
    done = nodealer("verify", str(path), beside=place)
    assert (done.returncode, done.stderr) == (0, "")
    told = nodealer("replay", str(path), beside=place).stdout
    assert "takes the trick." in told
    unchecked = nodealer("verify", str(path), PYTHONPATH="src")
    assert unchecked.returncode == 14
    assert "there is no game 'high-card'" in unchecked.stdout
    assert "honest" not in unchecked.stdout


def test_a_game_is_told_to_a_pipe_at_once(played: Path) -> None:
    done = nodealer("replay", str(played))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "   0  player 0 and player 1 sit down to macaua, version 1."
    assert lines[-1].strip() == "The record is complete: sound from the charter to the close."


@pytest.mark.parametrize(("typed", "told"), [("\n\nq\n", 3), ("\nQ\n", 2), ("\n" * 200, None)])
def test_a_game_is_told_step_by_step_on_a_terminal(
    played: Path, typed: str, told: int | None
) -> None:
    code, text = on_terminal("replay", str(played), typed=typed)
    assert code == 0
    assert "Enter goes on, q ends." in text
    assert "sit down to macaua" in text
    assert ("The record is complete" in text) == (told is None)
    if told is not None:
        assert f"\n{told:>4}  " not in text.replace("\r", "")


def test_a_game_is_exported_as_text_and_as_data(played: Path, tmp_path: Path) -> None:
    for form in ("text", "json"):
        place = tmp_path / form
        printed = nodealer("export", str(played), "--format", form)
        written = nodealer("export", str(played), "--format", form, "--output", str(place))
        assert (printed.returncode, written.returncode) == (0, 0)
        assert (written.stdout, written.stderr) == ("", "")
        if form == "json":
            assert json.loads(printed.stdout) == json.loads(place.read_text())
        else:
            assert printed.stdout == place.read_text()


def test_an_existing_file_is_left_as_it_is(played: Path, tmp_path: Path) -> None:
    before = played.read_bytes()
    done = nodealer("export", str(played), "--format", "text", "--output", str(played))
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert played.read_bytes() == before
    nowhere = tmp_path / "no" / "where"
    done = nodealer("export", str(played), "--format", "text", "--output", str(nowhere))
    assert done.returncode == 1
    assert "cannot be written" in done.stderr

"""`nodealer simulate`: reproducible, in order, honest about failures, and quick to end."""

from __future__ import annotations

import json
import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nodealer.cli.game_tally import command
from nodealer.cli.main import parser
from nodealer.cli.simulate import DESCRIPTION, SEED_MAX, first_task
from nodealer.lab.fleet.simulate_workers import played
from nodealer.lab.fleet.simulated_game import Task, play_task
from tests.cli.program import nodealer, on_terminal

GAMES = ["simulate", "macaua", "--players", "3", "--games", "3", "--seed", "17", "--faults", "all"]
"""Short games, in two of which somebody lies."""

TIMES = ("cpu_ms", "wall_ms")


def told(text: str) -> list[dict[str, object]]:
    """Return what was told in JSON, without the times."""
    objects = [json.loads(line) for line in text.splitlines()]
    return [{k: v for k, v in one.items() if k not in TIMES} for one in objects]


def task(**changes: object) -> Task:
    fields: dict[str, object] = {
        "game": "macaua",
        "players": 2,
        "seed": 1,
        "options": (),
        "policy": None,
        "faults": "none",
        "is_sharing": True,
    }
    return Task(**{**fields, **changes})  # type: ignore[arg-type]  # fields of a task


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, object]], list[Path]]:
    """What was told of the games, and their transcripts."""
    place = tmp_path_factory.mktemp("transcripts")
    done = nodealer(*GAMES, "--json", "--transcripts", "a", at=place, PYTHONHASHSEED="1")
    assert done.returncode == 0, done.stderr
    return told(done.stdout), sorted((place / "a").iterdir())


def test_the_same_seed_gives_the_same_bytes_whatever_the_jobs(
    games: tuple[list[dict[str, object]], list[Path]], tmp_path: Path
) -> None:
    whole, files = games
    arguments = [*GAMES, "--json", "--jobs", "2", "--transcripts", "b"]
    done = nodealer(*arguments, at=tmp_path, PYTHONHASHSEED="2")
    assert done.returncode == 0, done.stderr
    objects = told(done.stdout)
    assert [one.get("seed") for one in objects] == [17, 18, 19, None]
    for place, run in (("a", whole), ("b", objects)):
        assert [one.get("transcript") for one in run[:-1]] == [
            f"{place}/macaua-3p-{seed}.ndt" for seed in (17, 18, 19)
        ]
    assert without_places(objects) == without_places(whole)
    written = {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert written == {path.name: path.read_bytes() for path in files}


def without_places(objects: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return what was told, but for where transcripts are."""
    return [{k: v for k, v in one.items() if k != "transcript"} for one in objects]


def test_one_game_of_a_run_by_its_own_seed(
    games: tuple[list[dict[str, object]], list[Path]],
) -> None:
    whole, _ = games
    alone = ["simulate", "macaua", "--players", "3", "--games", "1", "--seed", "19"]
    single = told(nodealer(*alone, "--faults", "all", "--json").stdout)
    assert single[0] == whole[2] | {"transcript": None}


def test_an_object_for_each_game_and_a_summary(tmp_path: Path) -> None:
    arguments = ["simulate", "macaua", "--players", "2", "--games", "2", "--seed", "7", "--json"]
    done = nodealer(*arguments, "--transcripts", str(tmp_path))
    *games, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert not done.stderr
    for seed, one in enumerate(games, 7):
        assert one["game"] == "macaua"
        assert one["players"] == 2
        assert one["seed"] == seed
        assert len(one["table"]) == 64
        assert one["height"] > 0
        assert sorted(seat for place in one["result"]["places"] for seat in place) == [0, 1]
        assert Path(one["transcript"]).read_bytes()
        assert one["verdict"] == "complete"
        assert one["culprit"] is None
        assert one["violations"] == []
        assert one["wall_ms"] >= 0
        assert one["cpu_ms"] >= 0
    assert summary["summary"] is True
    assert (summary["games"], summary["failed"]) == (2, 0)
    assert summary["counts"]["verdicts"] == {"complete": 2}


def test_the_transcripts_hold_before_the_judge(
    games: tuple[list[dict[str, object]], list[Path]],
) -> None:
    _, files = games
    done = nodealer("verify", *map(str, files))
    assert done.returncode == 0, done.stdout


def test_text_for_people() -> None:
    calm = ["simulate", "macaua", "--players", "2", "--games", "3", "--seed", "3"]
    done = nodealer(*calm)
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["seed", "height", "verdict"]
    assert [line.split()[0] for line in lines[1:4]] == ["3", "4", "5"]
    assert "3 games, 0 failed" in lines
    assert "verdicts: complete 3" in lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-game"], "there is no game"),
        (["macaua", "--option", "hand=7"], "has no option"),
        (["macaua", "--option", "call=perhaps"], "yes or no"),
        (["macaua", "--policy", "nothing"], "has no policy 'nothing'; it has"),
        (["high-card", "--players", "9"], "high-card"),
        (["macaua", "--seed", str(SEED_MAX), "--games", "2"], "a seed above"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is_played(
    arguments: list[str], words: str
) -> None:
    done = nodealer("simulate", *arguments)
    assert done.returncode == 1
    assert not done.stdout
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_an_option_without_a_value_is_a_wrong_command_line() -> None:
    done = nodealer("simulate", "macaua", "--option", "call")
    assert done.returncode == 2
    assert "'call' is not of the form NAME=VALUE" in done.stderr


def test_a_directory_that_cannot_be_written_to_is_said_before_anything_is_played(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        done = nodealer("simulate", "macaua", "--players", "2", "--transcripts", str(place))
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{place} cannot be written to: " in done.stderr
        assert "Traceback" not in done.stderr


def test_a_transcript_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    arguments = ["simulate", "macaua", "--players", "2", "--games", "3", "--transcripts"]
    (tmp_path / "macaua-2p-1.ndt").mkdir()  # where the second one belongs
    done = nodealer(*arguments, str(tmp_path))
    assert done.returncode == 1
    assert "macaua-2p-1.ndt cannot be written: " in done.stderr
    assert "the transcripts so far are kept" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "macaua-2p-0.ndt").is_file()


def test_the_examples_of_the_help_can_be_played() -> None:
    examples = [line for line in DESCRIPTION.splitlines() if line.startswith("  nodealer ")]
    assert len(examples) > 3
    for line in examples:
        args = parser().parse_args(shlex.split(line)[1:])
        assert first_task(args).game == "macaua"


def test_the_summary_fits_the_terminal() -> None:
    lies = ["simulate", "macaua", "--players", "2", "--faults", "byzantine", "--games", "12"]
    code, text = on_terminal(*lies, COLUMNS="60")
    assert code == 0
    summary = text.partition("12 games, 0 failed")[2].replace("\r", "").splitlines()
    assert sum(line.startswith("    ") for line in summary) >= 3, "long lines are broken"
    assert max(map(len, summary)) < 60


def test_a_game_in_which_something_raises_is_told_and_the_others_go_on() -> None:
    broken = task(players=11)
    good, bad, other = played([task(), broken, task(seed=2)], jobs=2)
    assert not good.has_failed
    assert not other.has_failed
    assert bad.record is None
    assert bad.has_failed
    assert "Traceback" in bad.error


def test_the_command_that_plays_a_game_again_is_one_that_works() -> None:
    first = task(
        seed=12,
        options=(("call", True), ("first", "host")),
        policy="redeal",
        faults="lossy",
        is_sharing=False,
    )
    words = shlex.split(command(first))
    assert words[0] == "nodealer"
    done = nodealer(*words[1:], "--json")
    assert done.returncode == 0, done.stderr
    one = told(done.stdout)[0]
    record = play_task(first).record
    assert record is not None
    assert (one["table"], one["height"]) == (record.table, record.height)


def test_ctrl_c_sums_up_what_was_done_and_leaves_no_process() -> None:
    many = ["simulate", "macaua", "--players", "2", "--games", "100000", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", *many],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        # `communicate` would pass over what came together with the first line.
        lines = [first, *process.stdout]
        messages = process.stderr.read()
    assert process.returncode == 130
    assert not messages
    assert json.loads(lines[-1])["games"] == len(lines) - 1


def test_workers_end_with_a_parent_that_was_killed() -> None:
    many = ["simulate", "macaua", "--players", "2", "--games", "100000", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", *many],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        # Workers hold the other end too; it is closed once the last of them has ended.
        process.communicate(timeout=60)


def test_a_worker_that_is_ended_costs_one_game() -> None:
    results = played([task(seed=seed) for seed in range(6)], jobs=2)
    done = [next(results)]
    for process in multiprocessing.active_children():
        process.kill()
    done.extend(results)
    assert [one.task.seed for one in done] == list(range(6))
    failed = [one.error for one in done if one.has_failed]
    assert failed == ["the process that played it was ended"] * 2

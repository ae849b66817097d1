"""The runner of the checks: it goes on after failures, and says what was left out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts import run_checks
from scripts.run_checks import (
    CHECKS,
    UNWATCHED,
    Check,
    Need,
    wants_one_json_document,
)


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-c", source)


GOOD = Check("good", "holds", python("print('=== 3 passed in 1.00s ===')"))
BAD = Check("bad", "does not hold", python("print('because'); raise SystemExit(3)"))
SIZES = Check(
    "sizes",
    "knows what is wanted",
    python("import os; assert os.environ['NODEALER_TEST_PROFILE'] == 'ci'"),
    full_command=python("import os; assert os.environ['NODEALER_TEST_PROFILE'] == 'full'"),
)
TOOLLESS = Check("toolless", "needs a lathe", (), needs=(Need("lathe", lambda: False, "buy one"),))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_checks, "LOGS", tmp_path)
    monkeypatch.setattr(run_checks, "CHECKS", (BAD, GOOD, SIZES, TOOLLESS))
    monkeypatch.delenv("CI", raising=False)


def test_a_failure_is_shown_and_does_not_stop_the_rest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run_checks.main(["bad", "good"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["bad", "FAILED"]
    assert lines[0].endswith("exit code 3")
    assert lines[1] == "  | because"
    assert lines[3].split()[:2] == ["good", "ok"]
    assert lines[-1] == "1 ok, 1 FAILED"
    assert (tmp_path / "bad.log").read_text() == "because\n"


MEETING = """
import pathlib, sys, time
mine, other = (pathlib.Path(sys.argv[1], name) for name in sys.argv[2:])
mine.touch()
until = time.monotonic() + 60
while not other.exists():
    assert time.monotonic() < until
    time.sleep(0.01)
"""


def test_two_checks_run_beside_each_other_and_are_told_in_order(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the two waits for the other."""
    there = (*python(MEETING), str(tmp_path))
    one = Check("one", "", (*there, "1", "2"))
    two = Check("two", "", (*there, "2", "1"))
    monkeypatch.setattr(run_checks, "CHECKS", (one, two, BAD, GOOD))
    assert run_checks.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line.split()[:2] for line in lines if " s cpu" in line]
    assert told[:2] == [["one", "ok"], ["two", "ok"]]
    assert [name for name, _ in told] == ["one", "two", "bad", "good", "in"]


def test_the_line_in_which_pytest_counts_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_checks.main(["good"]) == 0
    assert "3 passed in 1.00s" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("arguments", [["sizes"], ["sizes", "--full"]])
def test_full_sizes_are_asked_for(arguments: list[str]) -> None:
    assert run_checks.main(arguments) == 0


def test_what_is_missing_is_left_out_with_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_checks.main(["good", "toolless"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split(maxsplit=1)[1] == "left out  needs lathe: buy one"
    assert lines[-1] == "1 ok, 1 left out"


def test_in_ci_what_is_missing_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    assert run_checks.main(["good", "toolless"]) == 1
    assert "FAILED    needs lathe: buy one" in capsys.readouterr().out


def test_a_command_that_does_not_start_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_checks, "CHECKS", (Check("gone", "", ("/nowhere/tool",)),))
    assert run_checks.main([]) == 1
    assert "/nowhere/tool does not start" in capsys.readouterr().out


def test_all_run_in_the_order_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_checks.main(["--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["bad", "good", "sizes", "toolless"]


def test_an_unknown_name_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        run_checks.main(["no-such"])
    assert ending.value.code == 2
    assert "there is no check 'no-such'" in capsys.readouterr().err


@pytest.mark.parametrize(("output", "is_fine"), [('{"m_us": 21}\n', True), ("m 21 us\n", False)])
def test_the_benchmark_must_answer_in_json(output: str, is_fine: bool) -> None:
    assert (wants_one_json_document(output) == "") is is_fine


def test_every_test_is_run_by_one_check() -> None:
    (tests,) = (check.command for check in CHECKS if check.name == "tests")
    (deep,) = (check.command for check in CHECKS if check.name == "deep")
    assert "--watched=yes" in tests
    assert "--watched=no" in deep
    assert {path for path in deep if path.startswith("tests/")} == {
        line.partition("::")[0] for line in UNWATCHED
    }
    left = {word.removeprefix("--ignore=") for word in tests if word.startswith("--ignore=")}
    assert {line for line in UNWATCHED if "::" not in line} <= left


def test_the_real_table_names_each_check_once() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)

"""How a command ends: with its answer, an expected failure, an interruption, or a defect."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import run_stand_in, stand_in


@pytest.mark.parametrize("code", [0, 1])
def test_the_answer_of_the_command_is_the_exit_code(code: int) -> None:
    assert run_stand_in(f"def run(args): return {code}").returncode == code


@pytest.mark.parametrize(
    ("error", "slug", "advice"),
    [
        ("LocalError(Reason.LOCAL_ARGUMENT, 'detail')", "local/argument", "--help"),
        ("PeerError(Reason.SIGNATURE_BAD)", "signature/bad", "another seat"),
        ("Bug(Reason.LOCAL_SECRET)", "local/secret", "report"),
    ],
)
def test_an_expected_failure_is_one_line_and_advice(error: str, slug: str, advice: str) -> None:
    done = run_stand_in(
        f"from nodealer.kernel import *\ndef run(args):\n    print('half')\n    raise {error}"
    )
    first, second = done.stderr.splitlines()
    assert done.returncode == 1
    assert done.stdout == "half\n"
    assert first.startswith("nodealer: ")
    assert slug in first
    assert second.startswith("nodealer: ")
    assert advice in second


def test_a_defect_shows_its_traceback() -> None:
    done = run_stand_in("def run(args): return 1 // 0")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_ctrl_c_ends_quietly() -> None:
    source = "import signal\ndef run(args):\n    print('ready', flush=True)\n    signal.pause()"
    with subprocess.Popen(
        stand_in(source), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=30)
    assert process.returncode == 130
    assert not messages


@pytest.mark.parametrize("size", [1, 1_000_000], ids=["at the end", "on the way"])
def test_a_reader_that_went_away_is_no_news(size: int) -> None:
    source = (
        f"import sys\ndef run(args):\n    sys.stdin.read()\n    print('x' * {size})\n    return 0"
    )
    with subprocess.Popen(
        stand_in(source),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # The command writes only after its input ended, so the reader is surely gone by then.
        process.stdout.close()
        process.stdin.close()
        messages = process.stderr.read()
    assert process.returncode == 141
    assert not messages


def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "nodealer",
                "bench",
                "deck",
                "--cards",
                "10",
                "--seats",
                "2",
                "--json",
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("nodealer: what it found cannot be written")
    assert "Traceback" not in done.stderr

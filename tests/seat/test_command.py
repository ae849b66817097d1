"""`nodealer seat` as people start it: a process, one line of output, a client, a verdict."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from nodealer.crypto.boxes import Cost
from nodealer.store.identity import protect
from tests.cli.program import nodealer
from tests.seat.seated import Home, client_for
from tests.tidy.project import ROOT

SECONDS = 300


def test_a_program_plays_a_seat_to_the_end(tmp_path: Path) -> None:
    home = Home(tmp_path, "take5")
    client = client_for(home)
    mark = home.charter.table.hex()[:6]
    with subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "nodealer", "seat", mark),
            *("--protocol", "take5", "--json"),
        ],
        env={**os.environ, "NODEALER_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        line = json.loads(process.stdout.readline())
        assert (line["protocol"], line["seat"], line["url"]) == ("take5", 0, None)
        host, port = line["address"].split(":")
        with socket.create_connection((host, int(port)), SECONDS) as connection:
            wire = connection.makefile("rw", encoding="utf-8")
            wire.write(line["token"] + "\n")
            answers = client.opening()
            while not client.is_over:
                wire.writelines(json.dumps(answer) + "\n" for answer in answers)
                wire.flush()
                answers = client.hear(json.loads(wire.readline()))
        told, complained = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, complained
    assert json.loads(told)["verdict"] == "complete"


def executed(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Serve the seat to a client over its input and output."""
    program = " ".join(map(shlex.quote, (sys.executable, "-P", "-m", *map(str, arguments))))
    given = ("--protocol", "take5", "--exec", program, "--json")
    return nodealer("seat", *given, at=ROOT, beside=ROOT, NODEALER_HOME=str(folder))


def test_a_program_that_is_started_plays_over_its_input_and_output(tmp_path: Path) -> None:
    home = Home(tmp_path, "take5")
    broken_off = executed(tmp_path, "tests.seat.line_client", "take5", 3)
    first, last = map(json.loads, broken_off.stdout.splitlines())
    assert (first["address"], first["token"], first["url"]) == (None, None, None)
    assert (broken_off.returncode, last["verdict"]) == (1, "unfinished")
    assert "the program has ended, with exit code 0" in broken_off.stderr
    done = executed(tmp_path, "tests.seat.line_client", "take5")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["verdict"], told["table"]) == ("complete", home.charter.table.hex())


def test_a_program_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    Home(tmp_path, "take5")
    given = ("--protocol", "take5", "--exec", "no-such-program --x")
    done = nodealer("seat", *given, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "no-such-program cannot be started: No such file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--protocol", "take5"), "66 has no protocol 'take5'; it has 66-v1, 66-v2"),
        (("--protocol", "66-v1"), "66-v1 needs variant=v1"),
        (("abc", "--protocol", "66-v2"), "no table"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    Home(tmp_path, "66-v2")
    done = nodealer("seat", *arguments, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert words in done.stderr
    assert not done.stdout
    assert "Traceback" not in done.stderr


def test_a_key_with_a_passphrase_is_opened_with_it(tmp_path: Path) -> None:
    home, file = Home(tmp_path, "66-v2"), tmp_path / "passphrase"
    protect(home.profile.key, None, "four words or more", Cost(10))
    file.touch(0o600)
    file.write_text("four words or more\n")
    given = ("--protocol", "66-v1", "--passphrase-file", str(file))
    done = nodealer("seat", *given, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "66-v1 needs variant=v1" in done.stderr  # the key was opened before that


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    Home(tmp_path, "66-v2")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = nodealer("seat", "--protocol", "66-v2", "--port", port, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert port in done.stderr

"""`nodealer seat` as people start it: a process, one line of output, a client, a verdict."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from nodealer.crypto.boxes import Cost
from nodealer.store.identity import protect
from tests.cli.program import nodealer
from tests.seat.seated import Home, client_for

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

"""A game of somebody else has a protocol of its own, and a client plays it to the end."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import tests.seat.talking_card as package
from tests.games.installed import SAMPLE, install
from tests.seat.seated import Home
from tests.seat.talking_card import GAME

SECONDS = 300


def test_a_client_plays_a_game_of_others_to_the_end(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    Home(tmp_path / "home", "talking-card-lines", rules=GAME)
    install(installed, "talking_card", {"talking-card": "talking_card:GAME"})
    shutil.copytree(Path(str(package.__file__)).parent, installed / "talking_card")
    beside = [str(installed), str(SAMPLE / "src"), os.environ.get("PYTHONPATH", "")]
    with subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "nodealer", "seat"),
            *("--protocol", "talking-card-lines", "--json"),
        ],
        env={
            **os.environ,
            "NODEALER_HOME": str(tmp_path / "home"),
            "PYTHONPATH": os.pathsep.join(beside),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first, process.stderr and process.stderr.read()
        line = json.loads(first)
        assert (line["protocol"], line["seat"]) == ("talking-card-lines", 0)
        host, port = line["address"].split(":")
        heard: list[str] = []
        with socket.create_connection((host, int(port)), SECONDS) as connection:
            wire = connection.makefile("rw", encoding="utf-8")
            wire.write(line["token"] + "\n")
            wire.flush()
            while "over" not in heard:
                told = json.loads(wire.readline())
                heard.append(told["type"])
                if told["type"] == "your-turn":
                    wire.write(json.dumps({"type": "lay", "number": told["hand"][-1]}) + "\n")
                    wire.flush()
        told, complained = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, complained
    assert json.loads(told)["verdict"] == "complete"
    assert (heard.count("your-turn"), heard.count("laid"), heard.count("taken")) == (3, 6, 3)
    assert "error" not in heard

"""`nodealer doctor` as people start it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.program import nodealer

HERE = "/ip4/127.0.0.1/tcp/0"


def test_it_tells_people_and_programs(tmp_path: Path) -> None:
    text = nodealer("doctor", "--listen", HERE, NODEALER_HOME=str(tmp_path))
    assert (text.returncode, text.stderr) == (0, "")
    assert "name a relay with --relay" in text.stdout
    told = nodealer("doctor", "--listen", HERE, "--json", NODEALER_HOME=str(tmp_path))
    report = json.loads(told.stdout)
    assert report["well"]
    assert len(report["findings"]) == 5


def test_what_is_bad_is_an_exit_code(tmp_path: Path) -> None:
    done = nodealer("doctor", "--listen", "/ip4/192.0.2.99/tcp/4001", NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "nothing can listen at" in done.stdout

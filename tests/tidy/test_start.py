"""A start loads only what it needs: help answers at once, whatever the commands need."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
from nodealer.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(sorted(sys.modules)))
"""

HEAVY = {"cbor2", "coincurve", "cryptography", "libp2p", "segno", "trio"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["bench", "deck", "--help"],
        ["new-game", "--help"],
        ["rules", "--help"],
        ["seat", "--help"],
        ["simulate", "--help"],
        ["verify", "--help"],
        ["replay", "--help"],
        ["export", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}
    assert "nodealer" in loaded
    assert not loaded & HEAVY

"""What does not play loads neither trio nor libp2p, and what plays loads libp2p alone with it."""

from __future__ import annotations

import json
import subprocess
import sys

LOADED = "\nimport sys, json; print(json.dumps(sorted({n.partition('.')[0] for n in sys.modules})))"
MAIN = "from nodealer.cli.main import main\n"


def loaded_by(program: str, *arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", program + LOADED, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    assert "nodealer" in found
    return set(found)


def test_simulating_loads_no_network() -> None:
    program = MAIN + (
        "main(['simulate', 'macaua', '--players', '2', '--games', '1', '--seed', '1'])"
    )
    assert not loaded_by(program) & {"libp2p", "multiaddr", "trio"}


def test_judging_loads_no_network() -> None:
    program = "import nodealer.verify, nodealer.cli.verify"
    assert not loaded_by(program) & {"libp2p", "multiaddr", "trio"}


def test_links_load_no_libp2p() -> None:
    program = "import nodealer.node, nodealer.node.transport.memory"
    assert not loaded_by(program) & {"libp2p", "multiaddr"}

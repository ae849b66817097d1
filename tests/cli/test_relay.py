"""`nodealer relay`, as a service: it says where it is, serves nothing else, and stops when told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nodealer.node.listening import parse_relay
from tests.cli.program import nodealer


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_relay_says_where_it_is_and_stops_when_told(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", "relay", "--listen", "/ip4/127.0.0.1/tcp/0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "NODEALER_HOME": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        address = parse_relay(process.stdout.readline().strip())
        assert address.host == "127.0.0.1"
        assert address.relay is not None
        process.send_signal(number)
        rest, said = process.communicate()
    assert process.returncode == code
    assert not rest
    assert "cannot be read here" in said
    assert "Traceback" not in said


def test_a_relay_has_an_address_of_its_own(tmp_path: Path) -> None:
    done = nodealer("relay", "--listen", "/ip4/192.0.2.1/tcp/4001", NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "choose another address with --listen" in done.stderr


def test_what_is_no_relay_is_said(tmp_path: Path) -> None:
    command = ("host", "macaua", "--auto", "--relay", "/ip4/192.0.2.1/tcp/4001")
    done = nodealer(*command, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "link/address" in done.stderr

"""Starts nodealer as people do: in a process of its own, with real pipes and signals."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

STAND_IN = """
import sys, types
module = types.ModuleType("nodealer.cli.bench_deck")
exec(sys.argv.pop(1), module.__dict__)
sys.modules[module.__name__] = module
from nodealer.cli.main import main
sys.exit(main())
"""


def nodealer(
    *arguments: str, beside: Path | None = None, at: Path | None = None, **changed: str
) -> subprocess.CompletedProcess[str]:
    """Run the real thing, with what is installed in another place, and a changed environment.

    It starts in the directory `at`, if that is given.
    """
    places = [str(beside)] if beside else []
    known = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*places, *([known] if known else [])])
    return subprocess.run(
        [sys.executable, "-P", "-m", "nodealer", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=at,
        env={**os.environ, **({"PYTHONPATH": path} if path else {}), **changed},
    )


def stand_in(source: str, *arguments: str) -> list[str]:
    """Return the command line of `nodealer bench deck …`, its module replaced by `source`.

    What is under test is how `main` treats a command, whatever the command does.
    """
    return [sys.executable, "-P", "-c", STAND_IN, source, "bench", "deck", *arguments]


def run_stand_in(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `stand_in` to its end."""
    return subprocess.run(
        stand_in(source, *arguments), capture_output=True, encoding="utf-8", check=False
    )


def on_terminal(*arguments: str, typed: str = "", **changed: str) -> tuple[int, str]:
    """Run the real thing on a terminal; return its exit code and all that was to be seen."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        close_fds=True,
        env={**os.environ, **changed},
    ) as process:
        os.close(slave)
        os.write(master, typed.encode())
        seen = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            seen += part
    os.close(master)
    return process.returncode, seen.decode()

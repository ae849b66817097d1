"""Tries `dist/` as somebody does who has nothing: installs it with each tool, and plays.

    .venv/bin/python scripts/try_packages.py [--dist DIRECTORY] [--only TOOL] PYTHON...

A tool (pip, pipx, uv tool, uvx) comes unmodified from the package index, into a directory of its
own. Everything is done in an empty home, with a PATH on which stand the tool and half a dozen
programs of the system: no compiler, no git, nothing of this project. The core is installed and
plays a game against bots; `nodealer[net]` is installed, `host` opens a lobby, and what is installed
the same way a second time joins it; both play to the end. A line for each says how long it took.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROGRAMS = ("cat", "dirname", "env", "ldd", "ls", "readlink", "realpath", "sh", "uname")
"""What stands on the PATH beside the tool."""

KEPT = ("LANG", "LC_ALL", "SSL_CERT_FILE", "PIP_CERT", "UV_INDEX_URL", "UV_DEFAULT_INDEX")

GAME_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Place:
    """An empty home, a PATH, and where the packages are."""

    home: Path
    dist: Path
    python: str

    def environment(self, **more: str) -> dict[str, str]:
        """Return all that a program here knows of the world."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if key in KEPT or key.lower().endswith("_proxy")
        }
        own = {"HOME": str(self.home), "PATH": str(self.home / "path"), "TERM": "dumb"}
        return kept | own | more

    def run(self, *command: str, **more: str) -> float:
        """Run a program to its end; return how long it took."""
        started = time.monotonic()
        done = subprocess.run(
            command,
            env=self.environment(**more),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)}:\n{done.stdout[-4000:]}")
        return time.monotonic() - started


Install = Callable[[Place, str], Sequence[str]]
"""Installs a package, and returns how its command is called."""


def by_pip(place: Place, package: str) -> Sequence[str]:
    """Install with pip into an environment of its own."""
    venv = place.home / package.replace("[", "-").rstrip("]")
    place.run(place.python, "-m", "venv", str(venv))
    pip = (str(venv / "bin" / "python"), "-m", "pip", "install", "--no-cache-dir")
    place.run(*pip, "--find-links", str(place.dist), package)
    return [str(venv / "bin" / "nodealer")]


def by_pipx(place: Place, package: str) -> Sequence[str]:
    """Install with pipx."""
    arguments = f"--no-cache-dir --find-links {place.dist}"
    place.run(
        "pipx", "install", "--force", "--python", place.python, "--pip-args", arguments, package
    )
    return [str(place.home / ".local" / "bin" / "nodealer")]


def by_uv_tool(place: Place, package: str) -> Sequence[str]:
    """Install with uv."""
    options = ("--python", place.python, "--no-cache", "--force", "--find-links", str(place.dist))
    place.run("uv", "tool", "install", *options, package)
    return [str(place.home / ".local" / "bin" / "nodealer")]


def by_uvx(place: Place, package: str) -> Sequence[str]:
    """Install nothing: uvx fetches what it starts."""
    options = ("--python", place.python, "--find-links", str(place.dist), "--from", package)
    place.run("uvx", *options, "nodealer", "--version")
    return ["uvx", *options, "nodealer"]


TOOLS: Mapping[str, Install] = {
    "pip": by_pip,
    "pipx": by_pipx,
    "uv tool": by_uv_tool,
    "uvx": by_uvx,
}


def put_tools(home: Path) -> None:
    """Make the PATH of an empty home."""
    path = home / "path"
    path.mkdir()
    for name in PROGRAMS:
        if found := shutil.which(name):
            (path / name).symlink_to(found)
    tools = home / "tools"
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    pip = [str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "uv", "pipx"], check=True, stderr=subprocess.DEVNULL)
    for name in ("uv", "uvx", "pipx"):
        (path / name).symlink_to(tools / "bin" / name)


def try_tool(tool: str, place: Place) -> None:
    """Install with a tool, play alone and with somebody else, and print how long it took."""
    started = time.monotonic()
    command = TOOLS[tool](place, "nodealer")
    core = time.monotonic() - started
    alone = place.run(*command, "play", "macaua", "--bots", "2", "--auto")
    started = time.monotonic()
    command = TOOLS[tool](place, "nodealer[net]")
    net = time.monotonic() - started
    invite, together = play_together(place, command)
    times = f"core {core:5.1f} s, game {alone:4.1f} s, net {net:5.1f} s"
    print(f"{tool:8} {times}, invite {invite:4.1f} s, game of two {together:4.1f} s", flush=True)


def play_together(place: Place, command: Sequence[str]) -> tuple[float, float]:
    """Let two play; return how long it took to the invite, and to the end of the game."""
    started = time.monotonic()
    common = ("--auto", "--listen", "/ip4/127.0.0.1/tcp/0", "--no-lan", "--name")
    with subprocess.Popen(
        [*command, "host", "macaua", "--json", *common, "Ana"],
        env=place.environment(NODEALER_HOME=str(place.home / "host")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as host:
        try:
            assert host.stdout is not None
            invite = host.stdout.readline().strip()
            shown = time.monotonic() - started
            guest = str(place.home / "guest")
            place.run(*command, "join", invite, *common, "Bea", NODEALER_HOME=guest)
            told = host.communicate(timeout=GAME_SECONDS)[0]
        finally:
            host.kill()
    if json.loads(told.splitlines()[-1])["verdict"] != "complete":
        sys.exit(f"the game of two did not end well: {told}")
    return shown, time.monotonic() - started - shown


def main() -> None:
    """Try what the command line names."""
    parser = argparse.ArgumentParser(description="try dist/ in empty environments")
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", choices=TOOLS, action="append")
    args = parser.parse_args()
    for python in args.pythons:
        print(
            subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout,
            end="",
        )
        for tool in args.only or TOOLS:
            with tempfile.TemporaryDirectory(prefix="empty-") as home:
                put_tools(Path(home))
                try_tool(tool, Place(Path(home), args.dist.resolve(), python))


if __name__ == "__main__":
    main()

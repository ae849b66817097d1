"""The JavaScript side of the tests: Node and js-libp2p, installed once from their lock.

`package-lock.json` names exact versions with hashes, and no addresses: npm installs them from
wherever it is configured to look. Nothing that comes along is run while it is installed. All of it
lies in `.js/` at the top of the project, which can be deleted at any time: pages and sources of
others must not lie where the tidy tests look for ours. Node itself is among it, because the one of
the machine may be too old for js-libp2p, which needs Node 22.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from tests.tidy.project import ROOT

HERE = Path(__file__).parent
PLACE = ROOT / ".js"
STAMP = PLACE / "stamp"
LOCKED = ("package.json", "package-lock.json", ".npmrc")
SOURCES = ("cbor.mjs", "language.mjs", "spectator.mjs")

INSTALL = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")


def node_with_packages() -> Path:
    """Return Node, once its packages and the sources of the tests lie beside each other."""
    PLACE.mkdir(exist_ok=True)
    descriptor = os.open(PLACE, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        wanted = b"".join((HERE / name).read_bytes() for name in LOCKED)
        if not STAMP.exists() or STAMP.read_bytes() != wanted:
            _install(wanted)
        for name in SOURCES:
            shutil.copy(HERE / name, PLACE / name)
    finally:
        os.close(descriptor)
    # Where no package brings one along, the one of the machine has to do.
    found = [*PLACE.glob("node_modules/node-*/bin/node"), Path(shutil.which("node") or "node")]
    return found[0]


def _install(stamp: bytes) -> None:
    STAMP.unlink(missing_ok=True)
    for name in LOCKED:
        shutil.copy(HERE / name, PLACE / name)
    done = subprocess.run(
        INSTALL, cwd=PLACE, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    assert done.returncode == 0, done.stderr
    STAMP.write_bytes(stamp)

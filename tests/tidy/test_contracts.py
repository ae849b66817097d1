"""The import contracts of `pyproject.toml` break where they should: each is shown a violation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tidy.project import ROOT

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

# The installed command is the one way to start it that is documented.
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")

PLANTS = [
    # The contract that must break, a module, and what it must not import.
    ("layers", "kernel/planted.py", "import nodealer.crypto"),
    ("layers", "wire/planted.py", "import nodealer.cards"),
    ("layers", "crypto/planted.py", "import nodealer.wire"),
    ("layers", "deck/planted.py", "import nodealer.cli"),
    ("layers", "store/planted.py", "import nodealer.sim"),
    ("layers", "table/planted.py", "import nodealer.store"),
    ("layers", "show/planted.py", "import nodealer.cli"),
    ("layers", "show/planted.py", "import nodealer.terminal"),
    ("layers", "lobby/planted.py", "import nodealer.verify"),
    ("layers", "table/planted.py", "import nodealer.lobby"),
    ("layers", "node/planted.py", "import nodealer.home"),
    ("layers", "home/planted.py", "import nodealer.cli"),
    ("silent-home", "home/planted.py", "from sys import stdout"),
    ("silent-home", "home/planted.py", "import argparse"),
    ("layers", "home/planted.py", "import nodealer.terminal"),
    ("layers", "dialogue/planted.py", "import nodealer.terminal"),
    ("layers", "home/planted.py", "import nodealer.dialogue"),
    ("any-channel", "dialogue/planted.py", "import nodealer.node"),
    ("any-channel", "dialogue/visit.py", "import websockets"),
    ("dialogue", "dialogue/planted.py", ""),
    ("keeping", "keeping/planted.py", ""),
    ("sans-io", "keeping/engine.py", "from trio import sleep"),
    ("layers", "keeping/engine.py", "import nodealer.store"),
    ("sans-io", "dialogue/visit.py", "from trio import sleep"),
    ("hashing", "home/planted.py", "import hashlib"),
    ("layers", "unplaced/__init__.py", ""),
    ("sans-io", "kernel/planted.py", "import time"),
    ("sans-io", "cards/planted.py", "from random import shuffle"),
    ("sans-io", "wire/planted.py", "import os.path"),
    ("sans-io", "crypto/planted.py", "import secrets"),
    ("sans-io", "deck/planted.py", "def late():\n    import asyncio.subprocess"),
    ("sans-io", "games/planted.py", "import random"),
    ("sans-io", "bots/planted.py", "from time import monotonic"),
    ("sans-io", "terminal/planted.py", "import termios"),
    ("sans-io", "show/planted.py", "from trio import sleep"),
    ("sans-io", "terminal/shell/planted.py", "import libp2p"),
    ("sans-io", "lobby/planted.py", "import secrets"),
    ("sans-io", "seat/conversation.py", "import trio"),
    ("seat", "seat/json_text.py", "import nodealer.seat.shell"),
    ("seat-faces", "seat/json_text.py", "import nodealer.table"),
    ("layers", "seat/json_text.py", "import nodealer.store"),
    ("open-faces", "games/planted.py", "import nodealer.crypto"),
    ("open-faces", "games/macaua/planted.py", "from nodealer.wire import cbor"),
    ("open-faces", "bots/planted.py", "import nodealer.deck"),
    ("hashing", "games/planted.py", "import hashlib"),
    ("hashing", "deck/planted.py", "from hashlib import sha256"),
    ("hashing", "wire/planted.py", "import hmac"),
    ("hashing", "store/planted.py", "import hashlib"),
    ("hashing", "lobby/planted.py", "import hmac"),
    ("cryptography", "deck/planted.py", "from cryptography.hazmat.primitives import hashes"),
    ("cryptography", "store/planted.py", "from cryptography.hazmat.primitives import hashes"),
    ("curve", "crypto/planted.py", "from coincurve import PublicKey"),
    ("curve", "deck/planted.py", "import coincurve"),
    ("cbor", "deck/planted.py", "import cbor2"),
    ("cbor", "kernel/planted.py", "from cbor2 import dumps"),
    ("libp2p", "node/planted.py", "from libp2p import new_host"),
    ("libp2p", "cli/planted.py", "import libp2p"),
    ("websockets", "page/planted.py", "from websockets.trio.server import serve"),
    ("silent-page", "page/planted.py", "import nodealer.home"),
    ("silent-page", "page/planted.py", "import nodealer.table"),
    ("silent-page", "page/planted.py", "import nodealer.terminal"),
    ("layers", "home/planted.py", "import nodealer.page"),
    ("layers", "loopback/planted.py", "import nodealer.seat"),
    ("hashing", "page/planted.py", "import hmac"),
    ("layers", "node/planted.py", "import nodealer.sim"),
    ("sans-io", "node/transport/session.py", "import trio"),
    ("terminal", "terminal/aloud.py", "import nodealer.terminal.shell.run"),
    ("terminal", "terminal/planted.py", ""),
    ("show", "show/planted.py", ""),
    ("show", "show/snapshot.py", "import nodealer.show.wording"),
    # Framing needs the limits.
    ("acyclic", "kernel/limits.py", "import nodealer.kernel.framing"),
]


ONE_OF_EACH = list({plant[0]: plant for plant in PLANTS}.values())
"""The last violation of every contract, which an ordinary run plants all at once."""


def contracts(place: Path) -> tuple[int, str]:
    """Check the contracts of a copy of the project."""
    done = subprocess.run(
        [LINT_IMPORTS, "--no-cache", "--config", str(place / "pyproject.toml")],
        cwd=place / "src",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def name_of(contract: str) -> str:
    """Return the line of `pyproject.toml` that names a contract for people."""
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    return lines[lines.index(f'id = "{contract}"') + 1].split('"')[1]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(copy: Path, plants: Sequence[tuple[str, str, str]]) -> None:
    """Write the modules of violations; some are of the same module."""
    statements = defaultdict[Path, list[str]](list)
    for _, module, statement in plants:
        statements[copy / "src" / "nodealer" / module].append(statement)
    for planted, lines in statements.items():
        planted.parent.mkdir(exist_ok=True)
        planted.write_text("\n".join(['"""Planted."""', "", *lines, ""]))


def section_of(contract: str, output: str) -> str:
    """Return what is said of a contract that is broken."""
    name = name_of(contract)
    assert f"{name} BROKEN" in output
    return output.split(f"\n{name}\n{'-' * len(name)}\n")[1].split("\n---", maxsplit=1)[0]


def test_the_copy_keeps_all_contracts(copy: Path) -> None:
    code, output = contracts(copy)
    assert code == 0, output


def test_planted_imports_break_their_contracts_all_at_once(copy: Path) -> None:
    plant(copy, ONE_OF_EACH)
    code, output = contracts(copy)
    assert code != 0
    for contract, module, _ in ONE_OF_EACH:
        parts = Path("nodealer", module).with_suffix("").parts
        blamed = section_of(contract, output)
        assert ".".join(parts) in blamed or f"- .{parts[-1]} -> " in blamed, (contract, blamed)


@pytest.mark.parametrize(("contract", "module", "statement"), PLANTS if IS_FULL else PLANTS[:1])
def test_a_planted_import_breaks_its_contract(
    copy: Path, contract: str, module: str, statement: str
) -> None:
    plant(copy, [(contract, module, statement)])
    code, output = contracts(copy)
    assert code != 0
    assert f"{name_of(contract)} BROKEN" in output

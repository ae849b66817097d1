"""The dialogue runs where a browser's Python runs, unchanged: it tells a record in the same texts.

Pyodide is CPython for WebAssembly; here Node runs it, with the packages of npm and of the lock of
the core. What has no wheel for it is stood in for by JavaScript's curves (`standins`).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.js import recorded
from tests.js.installed import PLACE, node_with_packages
from tests.tidy.project import ROOT

HERE = Path(__file__).parent
WHEELS = PLACE / "wheels"
WANTED = ("cbor2", "wcwidth")
FOR_BROWSERS = (
    "--platform=pyemscripten_2026_0_wasm32",
    "--python-version=3.14",
    "--implementation=cp",
    "--abi=cp314",
    "--only-binary=:all:",
    "--no-deps",
    "--require-hashes",
)


def wheels() -> list[Path]:
    """Return the wheels for a browser's Python, as the lock of the core names them."""
    lock = (ROOT / "requirements" / "core.lock").read_text(encoding="utf-8")
    blocks = re.findall(r"^[a-z0-9].*(?:\n .*)*", lock, re.MULTILINE)
    wanted = [one for one in blocks if one.split("==")[0] in WANTED]
    assert len(wanted) == len(WANTED)
    text = "\n".join(wanted)
    stamp = WHEELS / "wanted.txt"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != text:
        shutil.rmtree(WHEELS, ignore_errors=True)
        WHEELS.mkdir(parents=True)
        names = WHEELS / "names.txt"
        names.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input"]
        command += [*FOR_BROWSERS, f"--dest={WHEELS}", f"--requirement={names}"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        names.rename(stamp)
    return sorted(WHEELS.glob("*.whl"))


@pytest.mark.parametrize("name", ["two-players"])
def test_a_record_is_told_in_a_browsers_python_as_it_is_here(tmp_path: Path, name: str) -> None:
    node = node_with_packages()
    packages, tests = tmp_path / "packages", tmp_path / "tests"
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as file:
            file.extractall(packages)
    ours = shutil.ignore_patterns("__pycache__", "site")
    shutil.copytree(ROOT / "src" / "nodealer", packages / "nodealer", ignore=ours)
    tests.mkdir()
    for source in ("recorded.py", "standins.py"):
        shutil.copy(HERE / source, tests / source)
    record = ROOT / "tests" / "verify" / "golden" / f"{name}.ndt"
    shutil.copy(record, tests / record.name)
    command = [str(node), "language.mjs", str(packages), str(tests), record.name]
    done = subprocess.run(
        command, cwd=PLACE, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout)
    assert told["python"] >= [3, 13]
    assert told["texts"] == recorded.texts_of(record.read_bytes())

"""One process at a time; whoever comes second is told who has it."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nodealer.store import locks
from nodealer.store.locks import Holder, Lock, machine_name, read_tag, this_process
from nodealer.store.trouble import Trouble
from tests.store.troubles import trouble
from tests.tidy.project import ROOT

HOLDER = """
import sys
from pathlib import Path
from nodealer.store.locks import Lock
lock = Lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
lock.release()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HOLDER, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.communicate()


def test_a_process_that_has_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with held_by_another_process(path) as other, trouble(Trouble.HELD, f"process {other.pid} on"):
        Lock(path)
    Lock(path).release()


def test_a_process_that_was_killed_has_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with held_by_another_process(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert path.read_text().startswith(f"process {other.pid} on ")
        lock = Lock(path)
        assert path.read_text() == str(this_process())
        lock.release()


def test_a_lock_is_let_go_of(tmp_path: Path) -> None:
    for _ in range(2):
        lock = Lock(tmp_path / "lock")
        assert (tmp_path / "lock").read_text() == str(this_process())
        lock.release()
    assert (tmp_path / "lock").read_text() == ""


def test_a_holder_without_a_tag_is_told_as_unknown(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    (tmp_path / "lock").write_bytes(b"\xff\xfe")
    with trouble(Trouble.HELD, "unknown"):
        Lock(tmp_path / "lock")
    lock.release()


def test_a_lock_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", fails)
        with trouble(Trouble.FULL):
            Lock(tmp_path / "lock")
    Lock(tmp_path / "lock").release()


def test_a_tag_is_read_as_it_was_written() -> None:
    holder = this_process()
    assert read_tag(str(holder)) == holder
    assert holder.process == os.getpid()
    assert holder.machine == machine_name()
    for text in ("", "process", "process x on y since z", f"{holder} and more"):
        assert read_tag(text) is None
    assert read_tag("process 1 on a/b since c") == Holder(1, "a/b", "c")


def test_a_machine_is_the_same_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "id").write_text("0123456789abcdef\n")
    monkeypatch.setattr(locks, "MACHINE_ID", tmp_path / "id")
    name, number = machine_name().split("/")
    assert number == "01234567"
    assert this_process().is_here
    assert Holder(1, f"renamed/{number}", "then").is_here
    assert not Holder(1, f"{name}/0badc0de", "then").is_here
    assert not Holder(1, name, "then").is_here
    monkeypatch.setattr(locks, "MACHINE_ID", tmp_path / "none")
    assert Holder(1, name, "then").is_here
    assert not Holder(1, "another", "then").is_here


def test_a_machine_without_a_number_goes_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "node", lambda: "my machine")
    monkeypatch.setattr(locks, "MACHINE_ID", tmp_path / "none")
    assert machine_name() == "mymachine"
    monkeypatch.setattr(platform, "node", lambda: "")
    assert machine_name() == "unnamed"

"""The readers under a fuzzer that is guided by coverage, where it is installed.

It is Atheris, a group of dependencies of its own, because it has no wheel for every Python:

    .venv/bin/python -m pip install --group fuzz

It ends by itself after the seconds that it is given, or at the first input of which something
comes that is no refusal, which it keeps in a file.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from nodealer.kernel import PeerError
from tests.fuzz.driving import SLOW_SECONDS
from tests.fuzz.readers import TARGETS, Target

INPUT_BYTES_MAX = 1 << 16


def guide(name: str | None, seconds: int) -> None:
    """Run one reader, the first where none is named, for so many seconds; ends the process."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.exit("atheris is not here: .venv/bin/python -m pip install --group fuzz")
    target = next(one for one in TARGETS if name in (None, one.name))
    atheris.instrument_all()
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(target.good()):
            (Path(folder) / str(number)).write_bytes(data)
        limits = (
            f"-max_total_time={seconds}",
            f"-max_len={INPUT_BYTES_MAX}",
            f"-timeout={max(1, round(SLOW_SECONDS))}",
        )
        atheris.Setup([sys.argv[0], *limits, folder], lambda data: _take(target, data))
        atheris.Fuzz()


def _take(target: Target, data: bytes) -> None:
    with suppress(PeerError, *target.refusals):
        target.read(data)

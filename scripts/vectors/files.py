"""A test vector as a value, and as a file: one case, in the fixed form of the format page.

Every file is one JSON object with the members `about`, `run`, `given`, `expect` and `then`, in this
order. What fits on one line stands on one line, everything else is indented by one space for each
level, so that a change in a vector is a change of few lines. The same vector always gives the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

LINE_MAX: Final = 100

ENDINGS: Final = (".json", ".jsonl", ".ndt")
"""What the generator writes; whatever else lies beside is left as it is."""


@dataclass(frozen=True)
class Vector:
    """One case: what is computed (`run`) from what (`given`), and what must come of it."""

    path: str
    about: str
    run: str
    given: Json
    expect: str = "ok"
    then: Json | None = None

    def to_text(self) -> str:
        """Return the file."""
        members: Json = {
            "about": self.about,
            "run": self.run,
            "given": self.given,
            "expect": self.expect,
        }
        if self.then is not None:
            members["then"] = self.then
        lines = [f" {json.dumps(name)}: {_text(value, 1)}" for name, value in members.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def as_files(vectors: Iterable[Vector]) -> dict[str, bytes]:
    """Return each file by its path; two vectors in one file are a mistake."""
    files: dict[str, bytes] = {}
    for vector in vectors:
        name = f"{vector.path}.json"
        if name in files:
            raise ValueError(f"two vectors are called {name}")
        files[name] = vector.to_text().encode()
    return files


def differences(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return what is not as it should be in a folder of vectors, a line for each file."""
    present = {path.relative_to(folder).as_posix() for path in _written(folder)}
    return [
        *(f"missing: {name}" for name in sorted(files.keys() - present)),
        *(f"extra: {name}" for name in sorted(present - files.keys())),
        *(
            f"differs: {name}"
            for name in sorted(present & files.keys())
            if (folder / name).read_bytes() != files[name]
        ),
    ]


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make the folder hold exactly these vectors; pages beside them stay."""
    for path in _written(folder):
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _written(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS)


def _text(value: object, depth: int) -> str:
    """Return a value in one line if it fits, else a line for each member."""
    short = json.dumps(value, ensure_ascii=True)
    if len(short) + depth < LINE_MAX or not isinstance(value, dict | list) or not value:
        return short
    indent = " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_text(item, depth + 1)}" for name, item in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [_text(item, depth + 1) for item in value]
        opening, closing = "[", "]"
    body = ",\n".join(indent + part for part in parts)
    return f"{opening}\n{body}\n{' ' * depth}{closing}"

"""Where the project's files are, for tests that read them as text."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TEXT_ENDINGS = {".py", ".md", ".sh", ".toml", ".cddl"}


def relative(path: Path) -> str:
    """Return the name by which people know a file of the project."""
    return str(path.relative_to(ROOT))


def texts() -> list[Path]:
    """Return all files that people have written as text, but not what tools have made."""
    places = [ROOT / place for place in ("src", "tests", "scripts", "specs")]
    inside = (path for place in places for path in place.rglob("*"))
    return sorted(path for path in (*ROOT.glob("*"), *inside) if path.suffix in TEXT_ENDINGS)


def documents() -> list[Path]:
    """Return the Markdown pages."""
    return [path for path in texts() if path.suffix == ".md"]

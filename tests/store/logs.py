"""What of a log SQLite reads: the frames of its present round; what lies behind them is nothing."""

from __future__ import annotations

from pathlib import Path

HEAD_BYTES = 32
FRAME_HEAD_BYTES = 24
PAGE_BYTES = 4096
FRAME_BYTES = FRAME_HEAD_BYTES + PAGE_BYTES

SALTS = slice(16, 24)
"""Drawn for every round; each frame has them too, behind the number of its page and a length."""


def log_of(path: Path) -> Path:
    """Return where the log of a database is."""
    return path.with_name(f"{path.name}-wal")


def used_of(log: bytes) -> int:
    """Return how many bytes of a log are in use."""
    end = HEAD_BYTES
    while _is_frame(log[end : end + FRAME_HEAD_BYTES], log[SALTS]):
        end += FRAME_BYTES
    return end


def _is_frame(head: bytes, salts: bytes) -> bool:
    return any(head[:4]) and head[8:16] == salts

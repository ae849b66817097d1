"""The process that judges a file: a record comes in, a verdict goes out, and that is all.

python -m nodealer.steward.judging_worker < game.ndt
"""

from __future__ import annotations

import json
import os
import sys
from typing import Final

from nodealer.dialogue import verdict_fields, verdict_on
from nodealer.verify import TRANSCRIPT_BYTES_MAX, judge_bytes

NAME: Final = "This record"
"""What the file is called, which has no name here."""

LESS_URGENT: Final = 10
"""So much nicer than the table is this process."""


def main() -> None:
    """Judge what comes, and write the verdict."""
    os.nice(LESS_URGENT)
    judged = judge_bytes(sys.stdin.buffer.read(TRANSCRIPT_BYTES_MAX + 1))
    sys.stdout.write(json.dumps(verdict_fields(verdict_on(NAME, judged))))


if __name__ == "__main__":
    main()

"""Writes the test vectors from the code, or says where they differ from it.

    gen_vectors.py            write `specs/vectors` anew
    gen_vectors.py --check    write nothing; exit code 1 and a list if a file is not as it would be

The vectors are part of the specs: other implementations run them, and `tests/vectors` runs them
against this one. There is neither chance nor time in them, so a change of a file is a change of the
protocol, to be read like one. The `expect` of each is named by hand in `scripts/vectors`, never
taken from what the code answers; the tests would show a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "sample_game" / "src")]

from scripts.vectors import (  # noqa: E402 - the path comes first
    choices,
    conversations,
    encoding,
    groups,
    messages,
    mixed_order,
    names,
    refusals,
    relations,
    shuffles,
    transcripts,
    verdicts,
    words,
)
from scripts.vectors.files import as_files, differences, write  # noqa: E402

FOLDER = ROOT / "specs" / "vectors"

TOPICS = (
    encoding,
    groups,
    messages,
    transcripts,
    relations,
    shuffles,
    choices,
    mixed_order,
    names,
    words,
    conversations,
    refusals,
)


def generated() -> dict[str, bytes]:
    """Return every file by its path."""
    vectors = as_files(vector for topic in TOPICS for vector in topic.vectors())
    return {**vectors, **verdicts.files()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or compare the vectors."""
    parser = argparse.ArgumentParser(
        description="Writes the test vectors in specs/vectors from the code.",
        epilog="Exit codes: 0 all is well, 1 a file differs, 2 usage.",
        allow_abbrev=False,
    )
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("--into", type=Path, default=FOLDER, help="another folder, for tests")
    args = parser.parse_args(arguments)
    files = generated()
    if not args.check:
        write(args.into, files)
        print(f"{len(files)} files")
        return 0
    wrong = differences(args.into, files)
    print("\n".join(wrong) if wrong else f"{len(files)} files are what the code generates")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

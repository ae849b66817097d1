"""Writes a transcript as JSON or text, to standard output or to a new file.

A file that exists already is left as it is: somebody may have mistaken the transcript itself for
the output.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from nodealer.cli.output import complain, emit_json, emit_text
from nodealer.cli.tell_file import as_text, read_judged
from nodealer.verify import JudgedFile, exported, lines_of, story


def run(args: argparse.Namespace) -> int:
    """Export the transcript."""
    judged = read_judged(args.file)
    if judged.transcript is None:
        complain(*list(lines_of(args.file, judged, [args.file]))[:4])
        return judged.report.exit_code
    if args.output is not None:
        return _written(Path(args.output), _as_text(judged, args.format))
    if args.format == "json":
        emit_json(exported(judged))
    else:
        emit_text(_as_text(judged, "text"))
    return 0


def _as_text(judged: JudgedFile, form: str) -> str:
    if form == "json":
        return json.dumps(exported(judged), allow_nan=False, indent=1) + "\n"
    return "\n".join(as_text(told) for told in story(judged)) + "\n"


def _written(path: Path, text: str) -> int:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        complain(f"{path} exists already and is left as it is")
        return 1
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
        return 1
    return 0

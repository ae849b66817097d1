"""`nodealer verify`: whether transcripts are sound, and who broke a rule if not.

All files are judged first, because a verdict may depend on the others: copies of one table that
differ are a fork. The time told in JSON is that of judging the one file by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import TRANSCRIPT_HELP, add_profile_name

if TYPE_CHECKING:
    from nodealer.verify import JudgedFile

DESCRIPTION = """\
Checks the transcript of a table: every signature, every proof, every move. It needs no
network and no keys. It says who won, whether anybody cheated and what was proven; then who
shuffled each deck, and who was left out, by whose votes and on which grounds. Several files
of one table are compared with each other.

examples:
  nodealer verify game.ndt
  nodealer verify 8049f5                     one of your tables, by its mark
  nodealer verify mine.ndt yours.ndt
  nodealer verify game.ndt --expect-table 3f2a... --expect-seat 0=9be1...
  nodealer verify --json - < game.ndt
"""

EPILOG = """\
exit codes (the highest of several files wins):
  0    complete: sound from the charter to the close; a proven cheat in it is named
  10   unfinished: sound as far as it goes; it says for whom the table waits
  11   invalid, and a seat has signed what is wrong
  12   invalid, and nobody's signature is on what is wrong; a fork without a culprit
  13   unreadable: no transcript, or cut in the middle
  14   unchecked: the rules of the game are not installed; everything else holds
"""


def register(commands: Commands) -> None:
    """Describe `verify`."""
    verify = add_command(commands, "verify", "check the transcript of a game", DESCRIPTION, EPILOG)
    verify.add_argument("files", nargs="+", metavar="FILE|TABLE", help=TRANSCRIPT_HELP)
    add_profile_name(verify)
    verify.add_argument(
        "--expect-table", type=_hash, metavar="ID", help="the id that the table must have"
    )
    verify.add_argument(
        "--expect-seat",
        type=_seat,
        action=_OneKeyForEach,
        default={},
        metavar="N=KEY",
        help="the identity key that seat N must have; may be given for several seats",
    )
    verify.add_argument("--json", action="store_true", help="write one JSON object for each file")


class _OneKeyForEach(argparse.Action):
    """Collects keys by seat; a seat has one key, so two for it are a mistake."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Add the key of a seat."""
        del option_string
        seat, key = cast("tuple[int, bytes]", values)
        known: dict[int, bytes] = getattr(namespace, self.dest)
        if seat in known:
            parser.error(f"seat {seat} is given two keys")
        setattr(namespace, self.dest, {**known, seat: key})


def _hash(text: str) -> bytes:
    """Read 32 bytes as people write them."""
    digits = set("0123456789abcdef")
    if len(text) != 64 or not set(text.lower()) <= digits:  # noqa: PLR2004 - two for each byte
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not 64 hexadecimal digits")
    return bytes.fromhex(text)


def _seat(text: str) -> tuple[int, bytes]:
    """Read a seat and its key."""
    number, mark, key = text.partition("=")
    if not mark or len(number) != 1 or not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not N=KEY with a seat from 0 to 9")
    return int(number), _hash(key)


def run(args: argparse.Namespace) -> int:
    """Judge all files and print the reports."""
    from nodealer.cli.files import read_judged
    from nodealer.verify import LIMITS, SOUND, Expected, compare_all, lines_of

    expected = Expected(args.expect_table, args.expect_seat)
    each, times = [], []
    for name in args.files:
        start = time.perf_counter()
        each.append(read_judged(name, args.profile, expected))
        times.append(round((time.perf_counter() - start) * 1000, 3))
    judged = compare_all(each)
    for name, one, took in zip(args.files, judged, times, strict=True):
        if args.json:
            emit_json(as_json(name, one, took))
        else:
            emit_text("\n".join(lines_of(name, one, args.files)))
    if not args.json and any(one.report.verdict in SOUND for one in judged):
        emit_text(f"\n{LIMITS}")
    return worst(judged)


def worst(judged: Sequence[JudgedFile]) -> int:
    """Return the exit code for several files: the highest."""
    return max(one.report.exit_code for one in judged)


def as_json(name: str, judged: JudgedFile, took: float) -> Json:
    """Return what programs are told of a file."""
    from nodealer.verify import judged_by, report_data

    return {"file": name, **report_data(judged), "judged_by": judged_by(), "ms": took}

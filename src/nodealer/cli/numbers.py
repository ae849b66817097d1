"""Whole numbers on the command line: read with their bounds, and refused with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def add_number(
    parser: argparse.ArgumentParser,
    flag: str,
    bounds: tuple[int, int],
    default: int,
    text: str,
    metavar: str = "N",
) -> None:
    """Describe an option with a whole number; the text may name its bounds."""
    parser.add_argument(
        flag,
        type=whole_number(*bounds),
        default=default,
        metavar=metavar,
        help=f"{text.format(*bounds)} (default: {default})",
    )


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high` that says what it expects."""

    def read(text: str) -> int:
        # The length first: Python refuses to read numbers of thousands of digits.
        if len(text) <= len(str(high)) and text.isascii() and text.isdigit():
            number = int(text)
            if low <= number <= high:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")

    return read

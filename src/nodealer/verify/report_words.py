"""The words of a report: what a code says of a seat, how a seat is called, what may be printed."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from nodealer.kernel import Seat
from nodealer.verify.judge import JudgedFile

CODES: Final = {
    "E1": "signed two different things where there may be one",
    "E2": "cast two different votes in one round",
    "E3": "voted behind an entry that it had voted to keep",
    "E4": "voted against an entry that it had built on",
    "E5": "signed something that the rules or the proofs refuse",
    "E6": "refused what is good, or sealed what is not",
    "E7": "signed something after it had left",
}
"""What each code of evidence says of a seat."""

_BRACKETS: Final = {"Ps": "[", "Pe": "]"}
"""Shown in a name in the place of signs that open and close: no name can end its own brackets, and
say in a verdict that somebody else is guilty."""


def printable(text: str) -> str:
    """Return a line without anything that could move a cursor or turn text around."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def called(judged: JudgedFile, seat: Seat) -> str:
    """Return how people call a seat: its number and, if the charter is sound, its name."""
    if judged.agreed is None:
        return f"seat {seat}"
    name = judged.agreed.terms.names[seat]
    return f"seat {seat} ({''.join(_BRACKETS.get(category(letter), letter) for letter in name)})"

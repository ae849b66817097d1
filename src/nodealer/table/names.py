"""The names of players, as everybody at a table sees them.

A name is shown on other people's terminals and pages, so it holds nothing that could move their
cursor, turn their text around, stay unseen or look like somebody else's name: 1 to 24 characters
that are letters, marks, numbers, punctuation, symbols or single spaces, in normal form, beginning
with none that clings to what stands before it; and no two names at a table may be one after
compatibility folding. Letters of different scripts that look alike are not told apart: a name
proves nothing; the key does.

All readers of a charter must come to the same verdict for ever, and the tables of characters grow
every year. So a name is made of the characters of Unicode 3.2, with the categories of that version,
whose tables every Python has. Letters in use today are among them; most of the pictures that phones
know are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final
from unicodedata import normalize, ucd_3_2_0

from nodealer.kernel import PeerError, Reason

NAME_CHARACTERS_MAX: Final = 24

_SHOWABLE: Final = "LMNPS"
"""The first letters of the categories that a name may have; a space is allowed beside."""

_CLINGING: Final = "M"
"""The first letter of the categories that a name must not begin with."""

_UNSEEN: Final = frozenset(
    map(
        chr,
        chain(
            (0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            range(0x180B, 0x180E),  # variants of Mongolian letters
            range(0xFE00, 0xFE10),  # variants of any
        ),
    )
)
"""Hyphens, joiners, fillers and variants that nobody sees."""


def require_names(names: Sequence[str]) -> None:
    """Raise unless every name may be shown and no two look alike."""
    seen: dict[str, int] = {}
    for seat, name in enumerate(names):
        _require_name(seat, name)
        other = seen.setdefault(folded(name), seat)
        if other != seat:
            raise _refused(f"seats {other} and {seat} have names that look alike")


def folded(name: str) -> str:
    """Return a name as it is compared with others."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def _require_name(seat: int, name: str) -> None:
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX:
        raise _refused(f"the name of seat {seat} has {len(name)} characters")
    if not all(_is_showable(letter) for letter in name):
        raise _refused(f"the name of seat {seat} has a character that cannot be shown")
    if name != normalize("NFC", name):
        raise _refused(f"the name of seat {seat} is not in normal form")
    if name != " ".join(name.split()):
        raise _refused(f"the name of seat {seat} has spaces that cannot be seen")
    if ucd_3_2_0.category(name[0])[0] in _CLINGING:
        raise _refused(f"the name of seat {seat} begins with a mark")


def _is_showable(letter: str) -> bool:
    if letter in _UNSEEN:
        return False
    return letter == " " or ucd_3_2_0.category(letter)[0] in _SHOWABLE


def _refused(detail: str) -> PeerError:
    return PeerError(Reason.TABLE_NAME, detail)

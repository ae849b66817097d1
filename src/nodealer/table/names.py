"""The names of players, as everybody at a table sees them.

A name is shown on other people's terminals and pages, so it holds nothing that could move their
cursor, turn their text around or look like somebody else's name: 1 to 24 characters that are
letters, marks, numbers, punctuation, symbols or single spaces, in normal form, and no two names at
a table may look alike after compatibility folding. A name proves nothing; the key does.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from nodealer.kernel import PeerError, Reason

NAME_CHARACTERS_MAX: Final = 24

_SHOWABLE: Final = "LMNPS"
"""The first letters of the Unicode categories that a name may have; a space is allowed beside."""


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
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _require_name(seat: int, name: str) -> None:
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX:
        raise _refused(f"the name of seat {seat} has {len(name)} characters")
    if name != unicodedata.normalize("NFC", name):
        raise _refused(f"the name of seat {seat} is not in normal form")
    if name != " ".join(name.split(" ")).strip() or "  " in name:
        raise _refused(f"the name of seat {seat} has spaces that cannot be seen")
    if not all(letter == " " or unicodedata.category(letter)[0] in _SHOWABLE for letter in name):
        raise _refused(f"the name of seat {seat} has a character that cannot be shown")


def _refused(detail: str) -> PeerError:
    return PeerError(Reason.TABLE_NAME, detail)

"""An invite as a QR code: in half blocks for the terminal, in rows of modules for a page.

The line goes into the code in capitals, which it is read in just as well: so it takes the small
alphabet of QR codes, and less room. The quiet zone around the code is part of it; four modules are
what the standard asks for.

On a terminal a character is two modules high. The light modules are drawn, because letters are
light and the ground is dark on most terminals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from nodealer.lobby.invite import Invite, read_invite, write_invite

QUIET: Final = 4
"""Light modules on each side."""

Modules: TypeAlias = Sequence[Sequence[bool]]
"""Rows of modules, true where it is dark."""


def modules(invite: Invite, quiet: int = QUIET) -> Modules:
    """Return the modules of an invite, the quiet zone included."""
    import segno  # noqa: PLC0415 - loads XML and mail, and few starts draw an invite

    code = segno.make_qr(write_invite(invite).upper(), error="l", boost_error=False)
    rows = [
        [False] * quiet + [bool(module) for module in row] + [False] * quiet for row in code.matrix
    ]
    blank = [[False] * len(rows[0]) for _ in range(quiet)]
    return [*blank, *rows, *blank]


def square_rows(line: str) -> tuple[str, ...]:
    """Return the rows of the QR code of an invite's line: 1 is dark, 0 is light."""
    rows = modules(read_invite(line))
    return tuple("".join("1" if dark else "0" for dark in row) for row in rows)


def terminal_lines(invite: Invite, quiet: int = QUIET) -> list[str]:
    """Return the lines of text that show an invite as a QR code."""
    rows = [[not dark for dark in row] for row in modules(invite, quiet)]
    # A code has an odd number of rows, whatever its size.
    rows.append([False] * len(rows[0]))
    return [
        "".join(_BLOCKS[above, below] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]


_BLOCKS: Final = {
    (True, True): "█",
    (True, False): "▀",
    (False, True): "▄",
    (False, False): " ",
}
"""What two modules look like, the upper and the lower one, drawn or not."""

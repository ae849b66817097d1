"""The tree of everything the core raises; its branches say whose fault it is.

`LocalError`  this program asked for something that the protocol or the game does not allow.
`PeerError`   bytes or claims of another seat were refused; the reason names what was wrong.
`Bug`         the program contradicts itself; nothing may be signed or sent after it.

Each carries a `Reason`, whose slug is stable: it stands in the specs, in the test vectors and in
signed refusals. Code that checks a peer's claim raises; it never returns a truth value, because
a forgotten `if` would then accept everything.
"""

from __future__ import annotations

from nodealer.kernel.reasons import Reason


class NodealerError(Exception):
    """Root of the tree: a reason with a stable slug, and what exactly was found."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        """Carry `reason` and `detail` as they are."""
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    @property
    def slug(self) -> str:
        """The stable name of the reason, as specs and vectors write it."""
        return self.reason.slug

    def __str__(self) -> str:
        """Return slug, meaning and detail in one line."""
        line = f"{self.slug}: {self.reason.meaning}"
        return f"{line} ({self.detail})" if self.detail else line


class LocalError(NodealerError):
    """We asked for something that is not allowed; nothing has changed."""


class PeerError(NodealerError):
    """Something that a peer sent was refused; nothing has changed.

    `seats` names the seats at fault where they are not simply the sender, as when the parts of
    several seats are good one by one and not together.
    """

    def __init__(self, reason: Reason, detail: str = "", seats: tuple[int, ...] = ()) -> None:
        super().__init__(reason, detail)
        self.seats = seats


class Bug(NodealerError):  # noqa: N818 - the name says whose error it is
    """The program contradicts itself: stop the table, publish nothing."""

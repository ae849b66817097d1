"""The payloads under way between the two ends of a link: nothing is lost or comes twice.

Payloads are numbered from 1 in each direction. The sender keeps each of them until the other end
has *taken* it, which is more than *arrived*: it has left the other's queue. So one number does two
things. What is not taken can be sent again over a new connection, from the first that has not
arrived; and as long as it is not taken it fills the window, so a slow reader slows its writer down,
and neither end ever holds more than a window.

When the other end is another run of its program, its queues are gone. A session begins anew: what
was to be sent to the former run is dropped, because it was an answer to words that the new run has
never said, and a marker tells the reader where the new one begins.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from nodealer.kernel import PeerError, Reason
from nodealer.node.transport.timing import WINDOW_BYTES, WINDOW_FRAMES


@dataclass(frozen=True, slots=True)
class Began:
    """From here on another run of the peer speaks, or its first; `renewed` if there was one."""

    renewed: bool


class Outbox:
    """Payloads for the other end: those not taken, and how far this connection is with them."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._taken = 0
        self._written = 0
        self._highest = 0
        self.added = self.added_bytes = 0
        """Of all runs together, for people."""

    def __len__(self) -> int:
        """Return how many payloads the other end has not taken."""
        return len(self._frames)

    def has_room(self, length: int) -> bool:
        """Say whether a payload of this length may be added."""
        return len(self._frames) < WINDOW_FRAMES and self._bytes + length <= WINDOW_BYTES

    def add(self, payload: bytes) -> None:
        """Keep a payload until it is taken."""
        assert self.has_room(len(payload)), "whoever adds has asked for room"
        self._frames.append(payload)
        self._bytes += len(payload)
        self.added += 1
        self.added_bytes += len(payload)

    def next(self) -> tuple[int, bytes] | None:
        """Return the next payload to be written and its number, if there is one."""
        place = self._written - self._taken
        if place == len(self._frames):
            return None
        self._written += 1
        self._highest = max(self._highest, self._written)
        return self._written, self._frames[place]

    def release(self, taken: int) -> bool:
        """Forget what was taken, and say whether that is more than before."""
        if not self._taken <= taken <= self._highest:
            raise PeerError(Reason.LINK_ACKNOWLEDGED, f"{taken} after {self._taken}")
        is_more = taken > self._taken
        while self._taken < taken:
            self._bytes -= len(self._frames.popleft())
            self._taken += 1
        self._written = max(self._written, taken)
        return is_more

    def resume(self, arrived: int) -> None:
        """Go on behind what has arrived, on a new connection."""
        if not self._taken <= arrived <= self._highest:
            raise PeerError(Reason.LINK_ACKNOWLEDGED, f"{arrived} after {self._taken}")
        self._written = arrived

    def renew(self, *, keep: bool) -> None:
        """Count from 1 again; what has never been under way can be kept."""
        if not keep:
            self._frames.clear()
            self._bytes = 0
        self._taken = self._written = self._highest = 0


class Inbox:
    """Payloads from the other end that have arrived, and how many were taken."""

    def __init__(self) -> None:
        self._items: deque[tuple[int, bytes | Began]] = deque()
        self._generation = 0
        self._sizes: deque[int] = deque()
        """The lengths of what arrived since the taking was last told."""
        self._untold = 0
        self._told = 0
        self.arrived = 0
        self.taken = 0
        self.heard = self.heard_bytes = 0
        """Of all runs together, for people."""

    def __len__(self) -> int:
        return len(self._items)

    def arrive(self, number: int, payload: bytes) -> None:
        """Keep the next payload, or raise `PeerError`."""
        if number != self.arrived + 1:
            raise PeerError(Reason.LINK_ORDER, f"{number} after {self.arrived}")
        size = self._untold + len(payload)
        if len(self._sizes) >= WINDOW_FRAMES or size > WINDOW_BYTES:
            raise PeerError(Reason.LINK_WINDOW, f"{len(self._sizes)} before, {size} bytes")
        self._sizes.append(len(payload))
        self._untold = size
        self.arrived = number
        self._items.append((self._generation, payload))
        self.heard += 1
        self.heard_bytes += len(payload)

    def take(self) -> bytes | Began | None:
        """Return what comes next, if there is anything."""
        if not self._items:
            return None
        generation, item = self._items.popleft()
        if generation == self._generation and not isinstance(item, Began):
            self.taken += 1
        return item

    @property
    def owes_word(self) -> bool:
        """Whether something was taken that the other end has not been told."""
        return self.taken > self._told

    @property
    def is_urgent(self) -> bool:
        """Whether the other end may soon have to wait for a word."""
        return self.owes_word and (
            self.taken - self._told >= WINDOW_FRAMES // 2 or self._untold >= WINDOW_BYTES // 2
        )

    def tell(self) -> int:
        """Return how many were taken; it is written now, so that the window moves on."""
        while self._told < self.taken:
            self._untold -= self._sizes.popleft()
            self._told += 1
        return self.taken

    def renew(self, *, renewed: bool) -> None:
        """Begin anew behind a marker; of what was not taken only the last run's is kept."""
        self._items = deque(item for item in self._items if item[0] == self._generation)
        self._generation += 1
        self._sizes.clear()
        self._untold = self._told = self.arrived = self.taken = 0
        self._items.append((self._generation, Began(renewed)))

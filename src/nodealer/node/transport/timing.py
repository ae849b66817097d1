"""Every time limit, window and count of the links, each with its reason.

Times are whole microseconds on whatever clock the caller reads, so that a run of a session can be
repeated exactly. None of them is part of the protocol except the window: peers may differ in
patience, but must agree on how much one may send before the other has taken it.
"""

from __future__ import annotations

from typing import Final

from nodealer.kernel import MESSAGE_BYTES_MAX, Chance, Rate

SECOND_US: Final = 1_000_000

WINDOW_FRAMES: Final = 256
"""Frames that may be under way or untaken: a whole catch-up of 64 entries fits four times."""

WINDOW_BYTES: Final = 4 * MESSAGE_BYTES_MAX
"""Bounds the memory of a link; four of the longest messages, so that one of them never waits
for the last to be acknowledged."""

ACK_AFTER_US: Final = 50_000
"""How long an acknowledgement waits for a frame to ride on; shorter than a player notices."""

BEAT_US: Final = 1_000_000
"""Between two pings. A ping costs 20 bytes; a beat in a second lets a round-trip time be fresh."""

FIRST_BEATS_US: Final = 100_000
"""Between the first pings of a connection: within a second it is known how far the peer is."""

SILENT_US: Final = 4_000_000
"""Four beats without a byte: the peer is dead, frozen or cut off."""

DEAF_US: Final = 20_000_000
"""A ping may wait behind the longest message on a thin line, but not for longer than this."""

HELLO_US: Final = 10_000_000
"""From the opening of a stream to the hello of the other end."""

FRAME_US: Final = 30_000_000
"""From the first byte of a frame to its last: the longest takes a line of 35 kB a second."""

FORGET_US: Final = 60_000_000
"""How long a link that nobody here asked for is remembered without a connection."""

FAREWELL_US: Final = 2_000_000
"""How long a goodbye waits for its answer."""

ASLEEP_US: Final = 1_500_000
"""A gap between two looks at the clock that is longer than this was our own: the computer slept, or
the program computed. What others did not do meanwhile is not held against them."""

AWAKE_US: Final = SILENT_US + BEAT_US
"""After a sleep so long that others have given this end up: what is lost now was lost in it."""

IDLE: Final = Rate(at_once=64, each=SECOND_US // 20)
"""Frames and connections that bring nothing on, such as pings: a well-behaved peer sends one or two
in a second, ten in the first, and a burst when a network comes back."""

CANDIDATES_MAX: Final = 4
"""Streams on which the leading end may still say hello; more are a flood."""

BACKOFF_FIRST_US: Final = 250_000
BACKOFF_MAX_US: Final = 15_000_000
FOLLOWER_WAITS_US: Final = 200_000
"""The end that does not lead dials a little later, so that two rarely dial at the same moment."""


def backoff(tries: int, chance: Chance, *, leads: bool) -> int:
    """Return how long to wait before the next attempt, after so many that failed."""
    full = min(BACKOFF_MAX_US, BACKOFF_FIRST_US << min(tries, 16)) if tries else 0
    spread = full // 2 + chance.below(full // 2 + 1)
    return spread + (0 if leads else FOLLOWER_WAITS_US)

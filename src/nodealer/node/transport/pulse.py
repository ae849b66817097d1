"""The heartbeat of a connection: pings, answers, the round-trip time, and who is dead.

A ping goes out with every beat, whether or not there is traffic, so that the other end hears
something and the round-trip time is fresh. Only the latest ping of the other end is answered, and
the answer waits in one place until it is written: many pings cost one. The first few follow one
another sooner, so that it is soon known how far the peer is: that is the least of the last round
trips, for in most of them one of the ends was busy with something else.

There are two ways to be dead. A peer of which not a byte was heard for `SILENT_US` is stopped,
frozen or cut off. A peer that sends and never answers a ping is deaf: its writing works and its
reading does not. What counts for the first is any byte, because the longest frame may take longer
than that on a thin line.
"""

from __future__ import annotations

from collections import deque

from nodealer.kernel import Cause, PeerError, Reason
from nodealer.node.transport.timing import BEAT_US, DEAF_US, FIRST_BEATS_US, SILENT_US

_SMOOTHING = 8
"""Each measured time weighs one eighth, as in TCP: one late answer does not look like a trend."""

_SAMPLES = 8
"""Of so many the least is looked for; so many first pings follow one another sooner."""


class Pulse:
    """The heartbeat of one link; it begins anew with each connection."""

    def __init__(self) -> None:
        self._asked: dict[int, int] = {}
        self._answer: int | None = None
        self._token = 0
        self._unsure = 0
        """Answers to pings up to this one may have waited while this end was not awake."""
        self._heard_at = 0
        self._beat_at = 0
        self._hurried = 0
        self._samples: deque[int] = deque(maxlen=_SAMPLES)
        self.rtt_us: int | None = None

    @property
    def least_rtt_us(self) -> int | None:
        """The least of the last round trips of this connection."""
        return min(self._samples, default=None)

    def begin(self, now: int) -> None:
        """Start with a new connection, on which a hello was just heard."""
        self._asked.clear()
        self._answer = None
        self._samples.clear()
        self._hurried = _SAMPLES
        self._heard_at = self._beat_at = now

    def heard(self, now: int) -> None:
        """Note that a byte came."""
        self._heard_at = now

    def asked(self, token: int) -> None:
        """Note a ping of the other end."""
        self._answer = token

    def answered(self, token: int, now: int) -> None:
        """Note an answer, or raise `PeerError` if nobody has asked."""
        if token not in self._asked:
            raise PeerError(Reason.LINK_UNEXPECTED, f"an answer to ping {token}")
        sample = now - self._asked[token]
        self._asked = {other: sent for other, sent in self._asked.items() if other > token}
        if token > self._unsure:
            self._samples.append(sample)
        if self.rtt_us is None:
            self.rtt_us = sample
        else:
            self.rtt_us += (sample - self.rtt_us) // _SMOOTHING

    def ping(self, now: int) -> int | None:
        """Return the token of a ping that is to be written now."""
        if now < self._beat_at:
            return None
        self._beat_at = now + (FIRST_BEATS_US if self._hurried else BEAT_US)
        self._hurried = max(0, self._hurried - 1)
        self._token += 1
        self._asked[self._token] = now
        return self._token

    def pong(self) -> int | None:
        """Return the token of an answer that is to be written."""
        token, self._answer = self._answer, None
        return token

    def death(self, now: int) -> Cause | None:
        """Say why the other end must be thought dead, if it must."""
        if now - self._heard_at >= SILENT_US:
            return Cause.SILENT
        if now - min(self._asked.values(), default=now) >= DEAF_US:
            return Cause.DEAF
        return None

    def forgive(self, gap: int) -> None:
        """Move everything by a time in which this end was not awake."""
        self._heard_at += gap
        self._unsure = self._token
        self._asked = {token: sent + gap for token, sent in self._asked.items()}

    @property
    def wake(self) -> int:
        """The next moment at which something is to be done."""
        deaf = min(self._asked.values(), default=self._heard_at) + DEAF_US
        return min(self._beat_at, self._heard_at + SILENT_US, deaf)

"""The ground of a transport: streams of bytes to peers with proven keys, that may break.

A carrier opens and accepts streams; everything that makes a lasting link of them is above it
(`session`, `link`), so a new carrier is little work, and the conformance kit in `tests/node` says
what it must do. The duties of a carrier:

- `Stream.peer` is proven: the other end holds that key. A peer that claims another key, or offers
  to go on without proof or encryption, never becomes a stream.
- Bytes arrive in order, each once, until the stream breaks. What was written may be lost when it
  breaks, even if `write` has returned.
- One task reads and another one writes. They are not cancelled in the middle of it: `abandon`,
  called by a third, makes both end.
- After `finish` the other end reads everything and then an end. After `abandon` either end may find
  the stream broken at any point.
- `open` is content to be cancelled, tries one address once, and says what it found (`Unreachable`).
  It does not come back to a connection that it already has: that one may be dead.
- A carrier does nothing by itself: no dialling, no retrying, no announcing.
"""

from __future__ import annotations

from typing import Protocol

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import Address, PeerKey


class StreamBroken(Exception):  # noqa: N818 - a state of affairs, and nobody's mistake
    """The stream cannot be used any more."""


class BrokenRuleError(Exception):
    """The other end does not keep to what is spoken, or to the bounds of this end.

    Whoever does so loses the connection, without a word.
    """


class Unreachable(Exception):  # noqa: N818 - a state of affairs, and nobody's mistake
    """No stream to the peer could be opened at the address."""

    def __init__(self, cause: Cause, detail: str = "") -> None:
        super().__init__(f"{cause.meaning} ({detail})" if detail else cause.meaning)
        self.cause = cause
        self.detail = detail


def unreachable(error: BaseException) -> Unreachable:
    """Return what is known of a failure, which others may have put into errors of their own."""
    one: BaseException | None = error
    while one is not None and not isinstance(one, Unreachable):
        one = one.__cause__
    return one or Unreachable(Cause.UNREACHABLE, str(error))


class Stream(Protocol):
    """A stream of bytes to a peer."""

    peer: PeerKey
    place: Address | None
    """Where its other end is, or the relay that passes it on, as far as it is known here."""

    async def read(self) -> bytes:
        """Return some bytes, or none after the end; raise `StreamBroken`."""
        ...

    async def write(self, data: bytes) -> None:
        """Write everything; raise `StreamBroken`."""
        ...

    async def finish(self) -> None:
        """Write no more; the other end will read everything. Never raises `StreamBroken`."""
        ...

    async def abandon(self) -> None:
        """Break the stream, or do nothing if that has happened. Never raises `StreamBroken`."""
        ...


class Carrier(Protocol):
    """Opens and accepts streams for one key."""

    key: PeerKey

    def addresses(self) -> tuple[Address, ...]:
        """Return where this carrier can be reached, as far as it knows."""
        ...

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        """Return a new stream to a peer, or raise `Unreachable`."""
        ...

    async def accept(self) -> Stream:
        """Return the next stream that a peer has opened."""
        ...

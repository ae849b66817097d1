"""The door: who may come in, asked for each connection that somebody else has opened.

A connection is a `Caller` from the moment in which TCP, or a relay, has brought it to its end. The
door is asked about it twice: before a single byte of it is read, when nothing is known but where it
comes from, and again when Noise has proven whose it is. What the door says no to is closed without
a word. A door may end any caller at any time, for instance to make room for another one.

    host     key       asked
    known    None      accepted, nothing was read
    known    known     the key is proven; the multiplexer and the first stream come next

What a caller may do once it is in, and for how long, is no affair of the door: that is the same for
all of them. What the door of a node says is in `doorkeeper`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

import trio

from nodealer.kernel import Reason, Tallied
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.admission import Acquaintances


@dataclass(slots=True, eq=False)
class Caller:
    """A connection that somebody else has opened."""

    host: str
    """The number of the machine from which it comes; empty if a relay has brought it."""
    relay: PeerKey | None = None
    """The relay that has brought it."""
    said_to_be: PeerKey | None = None
    """Who it is, as that relay says."""
    key: PeerKey | None = None
    """Who it is, as soon as that is proven."""
    is_expected: bool = False
    """Whether it may be somebody who is known, by where it comes from; the door says so."""
    life: trio.CancelScope = field(default_factory=trio.CancelScope)

    def end(self) -> None:
        """End the connection, now."""
        self.life.cancel()


class NodeDoor(Protocol):
    """Says who may come in."""

    acquaintances: Acquaintances
    """Whom this node knows."""
    counts: Counter[Reason | Tallied]
    """Who came, and what became of them."""

    def admits(self, caller: Caller) -> bool:
        """Say whether a connection may go on; asked when it is accepted, and when it has a key."""
        ...

    def left(self, caller: Caller) -> None:
        """Note that a connection that was let in has ended, by whomever."""
        ...

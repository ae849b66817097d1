"""The door: who may come in, asked for each connection that somebody else has opened.

A connection is a `Caller` from the moment in which TCP, or a relay, has brought it to its end. The
door is asked about it twice: before a single byte of it is read, when nothing is known but where it
comes from, and again when Noise has proven whose it is. What the door says no to is closed without
a word. A door may end any caller at any time, for instance to make room for another one.

    host     key       asked
    known    None      accepted, nothing was read
    known    known     the key is proven; the multiplexer and the first stream come next

What a caller may do once it is in, and for how long, is no affair of the door: that is the same for
all of them. The door here keeps a number; who holds places for whom is for another one to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import trio

from nodealer.node.transport.addresses import PeerKey


@dataclass(slots=True, eq=False)
class Caller:
    """A connection that somebody else has opened."""

    host: str
    """The number of the machine from which it comes; empty if a relay has brought it."""
    key: PeerKey | None = None
    """Who it is, as soon as that is proven."""
    life: trio.CancelScope = field(default_factory=trio.CancelScope)

    def end(self) -> None:
        """End the connection, now."""
        self.life.cancel()


class Door(Protocol):
    """Says who may come in."""

    def admits(self, caller: Caller) -> bool:
        """Say whether a connection may go on; asked when it is accepted, and when it has a key."""
        ...

    def left(self, caller: Caller) -> None:
        """Note that a connection that was let in has ended, by whomever."""
        ...

    def knows(self, key: PeerKey) -> bool:
        """Say whether the holder of a key is no stranger; asked before each piece of work."""
        ...


class OpenDoor:
    """Lets in whoever comes, up to a number of connections, and takes nobody for a stranger."""

    def __init__(self, callers_max: int) -> None:
        self._callers_max = callers_max
        self._callers: set[Caller] = set()

    def admits(self, caller: Caller) -> bool:
        """Let in whoever comes while there is a place, and whoever is in."""
        if caller not in self._callers and len(self._callers) >= self._callers_max:
            return False
        self._callers.add(caller)
        return True

    def left(self, caller: Caller) -> None:
        """Give the place to the next one."""
        self._callers.discard(caller)

    def knows(self, key: PeerKey) -> bool:
        """Take everybody for a friend."""
        return bool(key)

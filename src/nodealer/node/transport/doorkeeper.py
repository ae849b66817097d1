"""The door of a node: gives the places of `admission` to the connections that others open.

A connection is a `Caller` from the moment in which TCP, or a relay, has brought it to its end. The
door is asked about it twice: before a single byte of it is read, when nothing is known but where it
comes from, and again when Noise has proven whose it is. What the door says no to is closed without
a word. The door may end any caller at any time, to make room for another one. What a caller may do
once it is in, and for how long, is no affair of the door: that is the same for all of them.

    host     key       asked
    known    None      accepted, nothing was read
    known    known     the key is proven; the multiplexer and the first stream come next

The door knows the clock and remembers from where those who are known came last, so that a player
whose program is started again finds a place although its line has another number than its journal
says.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import trio

from nodealer.kernel import Reason, Tallied
from nodealer.node.transport import admission
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.admission import (
    Acquaintances,
    CallerOrigin,
    Crowd,
    HeldPlace,
    HeldPlaces,
    origin_of,
    relayed_origin,
)
from nodealer.node.transport.link import now_us

HOSTS_MAX: Final = 256
"""Known keys of which it is remembered from where they came; far more than sit at open tables."""


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


class Doorkeeper:
    """Lets in whoever has a place, and ends whoever has to give way."""

    def __init__(self) -> None:
        self.acquaintances = Acquaintances()
        self.counts: Counter[Reason | Tallied] = Counter()
        self._attempts = Crowd(admission.ATTEMPTS_OF_BLOCK, admission.ATTEMPTS_OF_ALL)
        self._proofs = Crowd(admission.PROOFS_OF_BLOCK, admission.PROOFS_OF_ALL)
        self._places = HeldPlaces(self._knows)
        self._by_caller: dict[Caller, HeldPlace] = {}
        self._hosts: dict[PeerKey, str] = {}

    def admits(self, caller: Caller) -> bool:
        """Give a place to whoever comes, or note which key its holder has proven."""
        place, now = self._by_caller.get(caller), now_us()
        if place is not None:
            assert caller.key is not None, "asked again because there is a key"
            is_known = self._knows(caller.key)
            self.counts[Tallied.KNOWN if is_known else Tallied.STRANGERS] += 1
            if not is_known and not self._proofs.may(place.origin, now):
                self.counts[Tallied.TOO_MANY_KEYS] += 1
                return False
            self.counts[Tallied.GAVE_WAY] += self._places.prove(place, caller.key, now)
            self._remember(caller)
            return True
        origin = self._origin_of(caller)
        self.counts[Tallied.OPENED] += 1
        self.counts[Tallied.EXPECTED] += origin.is_expected
        if not self._attempts.may(origin, now):
            self.counts[Tallied.TOO_MANY] += 1
            return False
        caller.is_expected = origin.is_expected
        self._by_caller[caller] = place = HeldPlace(origin, now, caller.end)
        self.counts[Tallied.GAVE_WAY] += self._places.take(place, now)
        return True

    def left(self, caller: Caller) -> None:
        """Take the place of a connection back."""
        self._remember(caller)  # it may have become known meanwhile
        self._places.release(self._by_caller.pop(caller))

    def _knows(self, key: PeerKey | None) -> bool:
        return key is not None and self.acquaintances.knows(key)

    def _origin_of(self, caller: Caller) -> CallerOrigin:
        if caller.relay is not None:
            is_known = self._knows(caller.said_to_be)
            return relayed_origin(caller.relay, caller.said_to_be if is_known else None)
        came = {host for key, host in self._hosts.items() if self._knows(key)}
        came |= {one.host for one in self._by_caller if self._knows(one.key)}
        is_expected = caller.host in came or self.acquaintances.expects(caller.host)
        return origin_of(caller.host, is_expected=is_expected)

    def _remember(self, caller: Caller) -> None:
        if caller.key is None or not caller.host or not self.acquaintances.knows(caller.key):
            return
        self._hosts.pop(caller.key, None)
        self._hosts[caller.key] = caller.host
        if len(self._hosts) > HOSTS_MAX:
            del self._hosts[next(iter(self._hosts))]

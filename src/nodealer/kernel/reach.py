"""The reach of a peer, as one value: from the links, where it changes, up to whoever shows it.

A `Reach` says how bytes get to a peer now and since when; of a peer that is not reached, why not,
and when it is tried next; and what ended the last connection to it. A cause is a member of a closed
list with a number, never a text: whatever a peer does, it can choose among these and nothing else,
and nothing that it has written reaches a screen. A peer that broke the rules is named with the
`Reason` for which this node refused it.

Times are in the units of whoever holds the value: microseconds at a link, ticks at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Self, TypeAlias

from nodealer.kernel.reasons import Reason


@unique
class Cause(Enum):
    """The end of a connection, or what keeps it from coming up; the number is for programs."""

    meaning: str

    def __new__(cls, number: int, meaning: str = "") -> Self:
        """Make the member's value its number alone, so that `Cause(number)` finds it again."""
        member = object.__new__(cls)
        member._value_ = number
        member.meaning = meaning
        return member

    NOT_TRIED = 0, "not tried yet"

    # A connection that was there.
    BROKEN = 1, "the connection broke"
    SILENT = 2, "it fell silent"
    DEAF = 3, "it sends, and answers nothing"
    STUCK = 4, "a frame did not end in time"
    REPLACED = 5, "a newer connection took its place"
    ASLEEP = 6, "this machine was asleep"

    # A connection that does not come up.
    NO_ADDRESS = 10, "no address is known"
    UNREACHABLE = 11, "nobody answers there"
    IMPOSTOR = 12, "somebody else answers there"
    HANDSHAKE = 13, "the handshake fails"
    OTHER_PROTOCOL = 14, "it speaks another protocol"
    TURNED_AWAY = 15, "it closes before the hello"
    MUTE = 16, "it did not say hello"
    NO_RELAY = 17, "no relay answers there"
    NOT_AT_RELAY = 18, "the relay does not pass us on"
    NO_PLACE = 19, "the relay gives no place"

    # The end of a link.
    REFUSED = 20, "it broke the rules"
    PEER_LEFT = 21, "it said goodbye"
    LEFT = 22, "this node said goodbye"
    FORGOTTEN = 23, "it did not come back"
    STOPPED = 24, "this node stopped"


@unique
class Way(Enum):
    """The way on which bytes get to a peer."""

    HERE = "here"
    """It is this seat itself."""
    NEARBY = "nearby"
    """Directly, at a number that means something on this network alone."""
    DIRECT = "direct"
    RELAYED = "relayed"
    NONE = "no link"


@unique
class Tallied(Enum):
    """The counts of others at a node, beside the reasons for which it refuses what they send."""

    OPENED = "connections that others opened"
    EXPECTED = "of them from where somebody known is expected"
    KNOWN = "of them who have proven a key that is known here"
    STRANGERS = "of them strangers who have proven a key"
    TOO_MANY = "connections closed unread, since too many came"
    TOO_MANY_KEYS = "strangers closed, since too many proved a key"
    GAVE_WAY = "strangers who gave way to others"
    COOLING = "connections of who had broken the rules, closed"
    UNEXPECTED = "letters for no table that is open here"
    NO_SEAT = "letters from who has no seat at their table"


Counts: TypeAlias = Mapping[Reason | Tallied, int]
"""How often something has happened, by what it is."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of the last connection over which a peer was reached."""

    cause: Cause
    at: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """The payloads that have passed over a link, of this node and of its peer, and their bytes."""

    sent: int = 0
    sent_bytes: int = 0
    heard: int = 0
    heard_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Reach:
    """The reach of a peer: how, since when, and what has come between."""

    way: Way = Way.NONE
    since: int | None = None
    """When it came to be so; of a peer that was never reached, since it is wanted."""
    cause: Cause = Cause.NOT_TRIED
    """Why it is not reached; without meaning while it is."""
    reason: Reason | None = None
    """The rule that it broke, if that is the cause."""
    kind: str = ""
    """The kind of the address at which it is reached."""
    relay: str = ""
    """The id of the relay through which it is reached."""
    round_trip_us: int | None = None
    tries: int = 0
    """The attempts since it was reached that came to nothing."""
    next_try: int | None = None
    """When it is dialled again, while it is waited for that."""
    ended: Ended | None = None
    traffic: Traffic = Traffic()
    is_absent: bool = False
    """Whether its program has said that it does not have the table open."""

    @property
    def is_reached(self) -> bool:
        """Whether bytes get to it."""
        return self.way is not Way.NONE

    def at_times(self, of: Callable[[int], int]) -> Reach:
        """Return the same with all its times in other units."""
        return replace(
            self,
            since=None if self.since is None else of(self.since),
            next_try=None if self.next_try is None else of(self.next_try),
            ended=None if self.ended is None else replace(self.ended, at=of(self.ended.at)),
        )

"""The policy for strangers: who may hold a place at this node, as data and as functions of it.

Whoever can connect costs memory and work before it has shown who it is, so places are bounded; and
whoever fills them must not keep out those for whom they are there. A *place* is that of a
connection that others have opened, from the moment at which it comes until it has ended, or that of
a link. What it counts as is its *standing*:

    OPENING    no key is proven yet
    EXPECTED   the same, from where somebody who is known has been, or comes as a relay says
    STRANGER   a key is proven, and nobody here knows it
    KNOWN      a key that this node plays with or seeks, or that has shown an invite, or watches

Each standing has its share of places, which no other can take (`SHARES`). Nobody is refused because
a share is full: somebody gives way. That is the oldest of the same key, if the key has as many as
it may have; else the oldest of the same *block* of addresses, if the block has; else, of those who
have had their time, the oldest of the block that has the most. So an attacker pushes out itself,
and whoever comes has a while to show what for, whatever others do: attempts and proofs are bounded
by block, and each share has room for all that can be made in that while. Who has shown it is KNOWN,
and no stranger is in its way.

What this node dials by itself is not looked at here: nobody else decides on it, and nothing that
others hold is in its way.

Nothing here has a clock, input or output: times are given, in microseconds.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from nodealer.kernel import Rate
from nodealer.node.transport.addresses import Address, PeerKey, peer_id
from nodealer.node.transport.timing import SECOND_US

BLOCK_BITS: Final = {4: 24, 6: 56}
"""What of a number names its block. A number of version 4 is rented one by one, and in /24 by whom
one has to look for; a household or a rented machine has a /56 or a /64 of version 6 at least, so
all numbers below are one's own for nothing. Wider blocks would put together people who have nothing
to do with each other."""

OPENING_US: Final = 2 * SECOND_US
"""What is left to everybody at least from coming to proving a key, however many others come: four
round trips of half a second."""

PURPOSE_US: Final = 6 * SECOND_US
"""What is left from proving a key to showing an invite or a seat: twelve of them, with a relay
between. Where nobody else comes it is any time."""

ATTEMPTS_OF_BLOCK: Final = Rate(at_once=32, each=SECOND_US // 64)
"""Connections of one block that are taken up. Most work comes later, and has its turn with that of
all strangers; so this may be far more than anybody needs, and whoever comes in a flood of its own
block finds a place after a few attempts."""

ATTEMPTS_OF_ALL: Final = Rate(at_once=64, each=SECOND_US // 128)
"""The same for all blocks together; hosts where somebody known is come on top of it, each with as
much as a block."""

PROOFS_OF_BLOCK: Final = Rate(at_once=16, each=SECOND_US // 16)
"""Strangers of one block who have proven a key. At once: a full table of ten behind one router,
with second attempts. A proof costs 6 ms of work: a tenth of a processor for one block."""

PROOFS_OF_ALL: Final = Rate(at_once=32, each=SECOND_US // 32)
"""The same for all blocks together, a fifth of a processor. Who is known is not counted."""

STAYING: Final = 32
"""Places for strangers whose time is over, so that those go first of whose block there are most."""

BLOCKS_MAX: Final = 1024
"""Blocks of which attempts are remembered. Who is forgotten begins anew, but does not get more than
is left to all; so it costs nothing to forget the oldest."""


class CallerStanding(Enum):
    """The standing as which a place counts."""

    OPENING = "opening"
    EXPECTED = "expected"
    STRANGER = "stranger"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """The places for one standing: of all, of one block, of one key."""

    of_all: int | None = None
    of_block: int | None = None
    of_key: int | None = None
    time: int = 0
    """How long nobody gives way to others, from being counted here on."""


SHARES: Final[Mapping[CallerStanding, PlaceShare]] = {
    CallerStanding.OPENING: PlaceShare(
        ATTEMPTS_OF_ALL.within(OPENING_US),
        ATTEMPTS_OF_BLOCK.within(OPENING_US),
        time=OPENING_US,
    ),
    CallerStanding.EXPECTED: PlaceShare(of_block=ATTEMPTS_OF_BLOCK.within(OPENING_US)),
    CallerStanding.STRANGER: PlaceShare(
        PROOFS_OF_ALL.within(PURPOSE_US) + STAYING,
        PROOFS_OF_BLOCK.within(PURPOSE_US),
        of_key=4,
        time=PURPOSE_US,
    ),
    CallerStanding.KNOWN: PlaceShare(None, None, 16),
}
"""OPENING has room for all attempts in its time, STRANGER for all proofs. EXPECTED are few, because
hosts where somebody known is are few, and each is a block of its own. A STRANGER needs one
connection, and another for each way on which it comes at the same time. KNOWN are those whom this
node has decided to know; at a relay one has a connection for each that it reaches there, nine at a
full table, one for its own place, and some that break."""


PLACES_AT_RELAY: Final = PlaceShare(of_all=64, of_block=16, of_key=1)
"""Reservations at a relay of ours: a dozen tables of which nobody can be dialled, and of one block
a whole table and more."""

CIRCUITS: Final = PlaceShare(of_all=256, of_block=64, of_key=12)
"""Connections that a relay of ours passes on at a time: one to each other player of a full table,
and those that break; of a block a table's worth of such players. Each costs two sockets or streams
and the work of passing on, and 256 stay within what a process may open."""

CIRCUITS_TO_ONE: Final = PlaceShare(of_all=64, of_block=32)
"""Of them to one place: a full table, those who watch it, and strangers."""

CIRCUIT_ATTEMPTS: Final = Rate(at_once=8, each=SECOND_US // 2)
"""How often one block may have itself passed on to one place. All that a relay brings is one block
to who has the place, and no block here may use up what is left to it."""

DIAL_BACKS: Final = Rate(at_once=1, each=10 * SECOND_US)
"""How often a relay of ours dials back for one key: a player asks once, when its program starts."""

DIAL_BACKS_OF_BLOCK: Final = Rate(at_once=4, each=10 * SECOND_US)
"""The same for all keys of one block; who is not dialled hears all the same how it is seen."""


@dataclass(frozen=True, slots=True)
class CallerOrigin:
    """From where a connection comes."""

    block: str
    is_expected: bool = False
    """Whether somebody who is known may come from there; its block is that one host then."""


@dataclass(frozen=True, slots=True)
class Acquaintances:
    """The peers that this node knows, and where such people may come from: nobody at first."""

    knows: Callable[[PeerKey], bool] = lambda _: False
    """Says whether a key is one that this node plays with, seeks, or has let in."""
    expects: Callable[[str], bool] = lambda _: False
    """Says whether somebody who is known may come from the number of a host."""


@dataclass(slots=True, eq=False)
class HeldPlace:
    """A place that somebody holds; `end` is called when it has to give way."""

    origin: CallerOrigin
    since: int
    """When it came, and then when its key was proven."""
    end: Callable[[], None]
    key: PeerKey | None = None
    """Once it is proven."""


@dataclass(slots=True)
class HeldPlaces:
    """The places that are held, the oldest first."""

    knows: Callable[[PeerKey], bool]
    held: dict[HeldPlace, None] = field(default_factory=dict)

    def take(self, place: HeldPlace, now: int) -> int:
        """Give a place to somebody, and return how many others had to give way."""
        self.held[place] = None
        standing, count = self.standing(place), 0
        while (other := giving_way(self._of(standing), place, SHARES[standing], now)) is not None:
            self.release(other)
            other.end()
            count += 1
        return count

    def prove(self, place: HeldPlace, key: PeerKey, now: int) -> int:
        """Take in that a holder has proven a key and is the youngest of its row; as `take`."""
        self.release(place)
        place.key, place.since = key, now
        return self.take(place, now)

    def release(self, place: HeldPlace) -> None:
        """Take a place back, if that has not happened."""
        self.held.pop(place, None)

    def standing(self, place: HeldPlace) -> CallerStanding:
        """Return what a place counts as at the moment."""
        if place.key is None:
            return CallerStanding.EXPECTED if place.origin.is_expected else CallerStanding.OPENING
        return CallerStanding.KNOWN if self.knows(place.key) else CallerStanding.STRANGER

    def _of(self, standing: CallerStanding) -> list[HeldPlace]:
        return [one for one in self.held if self.standing(one) is standing]


def giving_way(
    held: Sequence[HeldPlace], newcomer: HeldPlace, share: PlaceShare, now: int
) -> HeldPlace | None:
    """Return who has to give way to a newcomer that is held too; nobody if there is room."""
    of_key = [one for one in held if one.key == newcomer.key]
    of_block = [one for one in held if one.origin.block == newcomer.origin.block]
    if share.of_key is not None and len(of_key) > share.of_key:
        return of_key[0]
    if share.of_block is not None and len(of_block) > share.of_block:
        return of_block[0]
    if share.of_all is not None and len(held) > share.of_all:
        over = [one for one in held if now - one.since >= share.time] or held
        blocks = greediest(over)
        return next(one for one in over if one.origin.block in blocks)
    return None


def turned_away(
    held: Sequence[HeldPlace], newcomer: HeldPlace, share: PlaceShare
) -> HeldPlace | None:
    """Return who goes where what is held is in use, a newcomer among them; nobody if all may stay.

    It is the youngest of a block that has more than the newcomer's would have, or the newcomer.
    """
    of_key = sum(one.key == newcomer.key for one in held)
    of_block = sum(one.origin.block == newcomer.origin.block for one in held)
    if share.of_key is not None and of_key > share.of_key:
        return newcomer
    if share.of_block is not None and of_block > share.of_block:
        return newcomer
    if share.of_all is None or len(held) <= share.of_all:
        return None
    blocks = greediest(held)
    if newcomer.origin.block in blocks:
        return newcomer
    return next(one for one in reversed(held) if one.origin.block in blocks)


def greediest(held: Iterable[HeldPlace]) -> frozenset[str]:
    """Return the blocks that have the most places."""
    counts = Counter(one.origin.block for one in held)
    most = max(counts.values(), default=0)
    return frozenset(block for block, count in counts.items() if count == most)


class Counted:
    """The number of times that each of many has done something of late."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._paid_at: dict[str, int] = {}

    def is_free(self, who: str, now: int) -> bool:
        """Say whether somebody may do it once more."""
        return self._rate.is_free(self._paid_at.get(who, 0), now)

    def count(self, who: str, now: int) -> None:
        """Note that somebody does it."""
        self._paid_at[who] = self._rate.after(self._paid_at.pop(who, 0), now)
        if len(self._paid_at) > BLOCKS_MAX:
            del self._paid_at[next(iter(self._paid_at))]

    def may(self, who: str, now: int) -> bool:
        """Say whether somebody may do it once more, and note it if so."""
        is_free = self.is_free(who, now)
        if is_free:
            self.count(who, now)
        return is_free


class Crowd:
    """The number of times that strangers did something of late, by block and by all together."""

    def __init__(self, of_block: Rate, of_all: Rate) -> None:
        self._of_blocks = Counted(of_block)
        self._of_all = Counted(of_all)

    def may(self, origin: CallerOrigin, now: int) -> bool:
        """Say whether it may be done once more, and note it if so."""
        is_free = self._of_blocks.is_free(origin.block, now)
        if is_free and (origin.is_expected or self._of_all.may("", now)):
            self._of_blocks.count(origin.block, now)
            return True
        return False


def origin_of(host: str, *, is_expected: bool) -> CallerOrigin:
    """Return the origin of what comes directly from the number of a host."""
    number = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(number, ipaddress.IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    if is_expected:
        return CallerOrigin(str(number), is_expected=True)
    block = ipaddress.ip_network(f"{number}/{BLOCK_BITS[number.version]}", strict=False)
    return CallerOrigin(str(block))


def origin_at(place: Address | None) -> CallerOrigin:
    """Return the origin of a stranger's stream whose other end is there."""
    if place is not None and place.relay is not None:
        return relayed_origin(place.relay)
    if place is None or place.kind == "memory":
        return CallerOrigin("")
    return origin_of(place.host, is_expected=False)


def relayed_origin(relay: PeerKey, known: PeerKey | None = None) -> CallerOrigin:
    """Return the origin of what a relay brings.

    All strangers there are one block: the relay alone knows from where they come. Where it says
    that it brings somebody who is known, it is believed as far as this; it could keep that one out.
    """
    if known is None:
        return CallerOrigin(peer_id(relay))
    return CallerOrigin(f"{peer_id(relay)} {peer_id(known)}", is_expected=True)

"""Peers that break the rules on purpose: a liar between an honest table and the network.

A liar has the keys of its seat and sees all that its table sends and hears. What leaves is what its
*behaviour* makes of that: other messages, more of them, fewer, or none. Some behaviours take a
second liar at the table. The package `lies` lists all of them, each with the end that is expected:

    proven      signed evidence names the liar, by one of these codes
    silent      the liar is missed and left out; that is no verdict of guilt
    dropped     what it sends is not kept: the link is to blame and counts go up; the game goes on
    harmless    nobody has to notice

A behaviour strikes when its occasion comes, which may be never in a short game. Strikes are counted
so that a run can show that each of them really struck. Whoever has lied in a contribution sticks to
it when a message is asked for once more: else it would be named for having said two things. Whoever
is to leave no proof remembers what it has sealed and voted, before it lies and after, and says
nothing that stands against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias, TypeVar

from nodealer.kernel import Chance, EntryId, Seat
from nodealer.ledger import (
    DOMAINS,
    ChainEntry,
    Choice,
    Content,
    Contributed,
    Contribution,
    Ledger,
    LedgerMessage,
    Outgoing,
    Seal,
    Sealed,
    Signed,
    Vote,
    Voted,
    between,
    signed_of,
    write,
)
from nodealer.sim.peer import Peer
from nodealer.sim.repertoire import Deed
from nodealer.table import Table

SignedT = TypeVar("SignedT", bound=Signed)

Lie: TypeAlias = tuple[Seat | None, bytes]
"""What leaves, and for whom; for everybody if for nobody."""


class End(Enum):
    """The end that is expected of a behaviour."""

    PROVEN = "proven"
    SILENT = "silent"
    DROPPED = "dropped"
    HARMLESS = "harmless"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A way of breaking the rules, and what is expected of it.

    `leaving` makes what leaves of a message that the honest table sends, `seen` what leaves because
    of one that came in; `least_seats` and `liars` say what kind of table it takes. Of the codes the
    first is the one to be expected; by the others it may be named too, or instead. Of a game it may
    need that its actions do something with cards. `sits` is where its first liar sits, if
    elsewhere it would hardly find an occasion.
    """

    name: str
    end: End
    leaving: Callable[[Liar, Outgoing], Iterable[Lie]]
    seen: Callable[[Liar, LedgerMessage], Iterable[Lie]] | None = None
    codes: tuple[str, ...] = ()
    least_seats: int = 2
    liars: int = 1
    needs: Deed | None = None
    sits: Seat | None = None


@dataclass(slots=True)
class Liar:
    """A seat that breaks the rules; `role` is its number among the liars of a table."""

    peer: Peer
    behaviour: Behaviour
    others: tuple[Seat, ...]
    chance: Chance
    role: int = 0
    strikes: int = 0
    is_silent: bool = False
    kept: list[bytes] = field(default_factory=list)
    said: set[Seal | Vote] = field(default_factory=set)
    """What it has sealed and voted, if it is one of those that leave no proof."""
    built_on: dict[EntryId, Content] = field(default_factory=dict)
    """The contents of the entries over which it has signed that."""
    lie: Contribution | None = None
    """What it has said in place of a contribution of its own, and says whenever it is asked."""

    @property
    def seat(self) -> Seat:
        """The seat of the liar."""
        return self.peer.seat

    @property
    def table(self) -> Table:
        """The table behind the liar, which keeps to the rules."""
        assert self.peer.table is not None, "a liar does not stop by accident"
        return self.peer.table

    @property
    def ledger(self) -> Ledger:
        """The ledger of that table."""
        return self.table.ledger

    @property
    def tip(self) -> ChainEntry:
        """The last entry that it has taken."""
        return self.ledger.tip

    def leaving(self, out: Outgoing) -> list[Lie]:
        """Return what leaves in place of a message."""
        if self.is_silent:
            return []
        lie = self._lie_for(out.message)
        return list(self.behaviour.leaving(self, out)) if lie is None else [(out.to, write(lie))]

    def _lie_for(self, message: LedgerMessage) -> Contributed | None:
        """Return what was said in place of a message, if it is one of those."""
        if self.lie is None or not isinstance(message, Contributed):
            return None
        one = message.contribution
        is_lied_about = (one.seat, one.parent) == (self.seat, self.lie.parent)
        return Contributed(self.lie) if is_lied_about else None

    def seen(self, message: LedgerMessage) -> list[Lie]:
        """Return what leaves because of a message that came in."""
        if self.is_silent or self.behaviour.seen is None:
            return []
        return list(self.behaviour.seen(self, message))

    def contributes(self, lie: Contribution) -> list[Lie]:
        """Say to everybody something else than the honest table does, and stick to it."""
        self.strikes += 1
        self.lie = lie
        return to_all(Contributed(lie))

    def passes(self, out: Outgoing) -> list[Lie]:
        """Let a message leave as it is, and remember what this seat seals or votes by it."""
        signed = signed_of(out.message)
        if isinstance(signed, Seal | Vote) and signed.seat == self.seat:
            self._note_content(signed)
            self.said.add(signed)
        return [as_it_is(out)]

    def says(self, message: Sealed | Voted) -> list[Lie]:
        """Say something to everybody, unless it is evidence beside what was said before."""
        signed = message.seal if isinstance(message, Sealed) else message.vote
        self._note_content(signed)
        contents = tuple(self.built_on.values())
        if any(between(one, signed, contents) is not None for one in self.said):
            return []
        self.said.add(signed)
        return to_all(message)

    def _note_content(self, signed: Seal | Vote) -> None:
        over = self.tip.find(signed.parent if isinstance(signed, Seal) else signed.base)
        if over is not None and over.content is not None:
            self.built_on[over.id] = over.content

    def signed(self, one: SignedT) -> SignedT:
        """Return an object with the signature of this liar, whatever it says."""
        signature = self.peer.player.signer.sign(DOMAINS[type(one)], one.body())
        return replace(one, signature=signature)

    def seal(self, content: Content, rank: int = 0) -> Seal:
        """Return a seal of this seat on any content."""
        place = (content.table, content.height, content.parent)
        return self.signed(Seal(*place, content.id, rank, self.seat, b""))

    def vote(self, base: ChainEntry, number: int, choice: Choice) -> Vote:
        """Return a vote of this seat over any entry."""
        moment = base.moment()
        place = (moment.table, moment.height, base.id, base.rank)
        return self.signed(Vote(*place, number, choice, self.seat, b""))


def as_it_is(out: Outgoing) -> Lie:
    """Return a message as the honest table sends it."""
    return out.to, write(out.message)


def passing(liar: Liar, out: Outgoing) -> Iterable[Lie]:  # noqa: ARG001 - every behaviour
    """Let everything leave as it is."""
    return [as_it_is(out)]


def once(
    change: Callable[[Liar, Outgoing], Iterable[Lie] | None],
) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that says something else on one occasion; nothing if it is none."""

    def leaving(liar: Liar, out: Outgoing) -> Iterable[Lie]:
        lies = None if liar.strikes else change(liar, out)
        if lies is None:
            return [as_it_is(out)]
        liar.strikes += 1
        return lies

    return leaving


def told_apart(liar: Liar, one: LedgerMessage, other: LedgerMessage) -> list[Lie]:
    """Return one message for some and another for the others; both for one who is alone."""
    half = len(liar.others) // 2
    if not half:
        return to_all(one, other)
    return [
        *((to, write(one)) for to in liar.others[:half]),
        *((to, write(other)) for to in liar.others[half:]),
    ]


def to_all(*messages: LedgerMessage) -> list[Lie]:
    """Return messages for everybody."""
    return [(None, write(message)) for message in messages]

"""What a seat that keeps no rules can sign: any object, over anything, for anybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import (
    AuthoredStep,
    ChainEntry,
    Content,
    Contribution,
    Evidence,
    Leave,
    LedgerMessage,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.chain import authored
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.ledger.objects import DOMAINS, Choice, Ground
from tests.ledger.world import World

S = TypeVar("S", Seal, Vote, Contribution, Refusal, Leave)


class Forger:
    """Signs for one seat of a world, whatever its own ledger would say."""

    def __init__(self, world: World, seat: int) -> None:
        self.world, self.seat = world, Seat(seat)

    def signed(self, unsigned: S) -> S:
        """Return the object with this seat's signature."""
        signature = self.world.keys[self.seat].sign(DOMAINS[type(unsigned)], unsigned.body())
        if isinstance(unsigned, Contribution):
            one = unsigned
            return type(unsigned)(
                one.table, one.height, one.parent, one.seat, one.payloads, one.on, signature
            )
        return replace(unsigned, signature=signature)

    def seal(self, link: ChainEntry, entry: bytes, rank: int | None = None) -> Seal:
        """Return a seal over a link."""
        height = Height(link.height + 1)
        stated = link.rank if rank is None else rank
        return self.signed(
            Seal(link.table, height, link.id, EntryId(entry), stated, self.seat, b"")
        )

    def vote(self, link: ChainEntry, number: int, choice: Choice, rank: int | None = None) -> Vote:
        """Return a vote over a link."""
        height = Height(link.height + 1)
        stated = link.rank if rank is None else rank
        return self.signed(
            Vote(link.table, height, link.id, stated, number, choice, self.seat, b"")
        )

    def contribution(self, link: ChainEntry, data: bytes, on: Sequence[bytes] = ()) -> Contribution:
        """Return a contribution to all that this seat owes over a link."""
        given = tuple((part.label, data) for part in link.owed_by(self.seat))
        height = Height(link.height + 1)
        made = Contribution(link.table, height, link.id, self.seat, given, tuple(on), b"")
        return self.signed(made)

    def content(self, link: ChainEntry, action: bytes) -> Content:
        """Return the content of an action, which replay may refuse."""
        height, step = Height(link.height + 1), AuthoredStep(self.seat, action)
        return Content(link.table, height, link.id, step, (), bytes(32))

    def proposal(self, link: ChainEntry, action: bytes) -> Proposal:
        """Return a proposal that replay accepts."""
        content = authored(link, self.seat, action).content
        return Proposal(content, self.seal(link, content.id))

    def bad_proposal(self, link: ChainEntry, action: bytes) -> Proposal:
        """Return a proposal whose state hash is of nothing."""
        content = self.content(link, action)
        return Proposal(content, self.seal(link, content.id))

    def refusal(
        self, link: ChainEntry, refused: bytes, reason: str, over: Sequence[bytes] = ()
    ) -> Refusal:
        """Return a refusal of something over a link."""
        height = Height(link.height + 1)
        return self.signed(
            Refusal(link.table, height, link.id, refused, reason, tuple(over), self.seat, b"")
        )

    def leave(self, link: ChainEntry, height: int, number: int = 0) -> Leave:
        """Return a leave that states a height and round."""
        return self.signed(Leave(link.table, Height(height), link.id, number, self.seat, b""))

    # Sending.

    def tell(self, signed: object, *to: int) -> None:
        """Deliver something of this seat to some seats, or to all others."""
        world = self.world
        for seat in [Seat(one) for one in to] or [one for one in world.ledgers if one != self.seat]:
            world.take(seat, world.ledgers[seat].receive(wrapped(signed), self.seat))


def wrapped(signed: object) -> LedgerMessage:
    """Return the message that carries a signed object alone; messages stay what they are."""
    match signed:
        case Seal():
            return Sealed(signed)
        case Vote():
            return Voted(signed)
        case Contribution():
            return Contributed(signed)
        case Refusal():
            return Refused(signed)
        case Leave():
            return Left(signed)
        case _:
            return cast("LedgerMessage", signed)


def voted(vote: Vote, *grounds: Ground) -> Voted:
    """Return a vote with grounds beside it."""
    return Voted(vote, grounds)


def codes(world: World, seat: int) -> dict[Seat, str]:
    """Return whom a seat holds evidence against, with the codes."""
    proven: dict[Seat, Evidence] = dict(world.ledgers[Seat(seat)].proven)
    return {accused: evidence.code for accused, evidence in proven.items()}

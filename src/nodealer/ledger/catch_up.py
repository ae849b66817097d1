"""The questions and answers of seats, so that nobody lacks what somebody else holds.

A `Status` says where a seat stands: its tip and, as bitmaps by seat, which messages over the tip it
holds. Whoever reads one sends what the other lacks, whoever signed it: a peer that cannot reach
another directly is served through a third. Missing entries go out whole and in order, never just
the newest state. Everything received twice is passed over, so it does no harm to send too much.

A status is told to everybody when something is missed for too long, and to a single seat that
seems to know more; to the same seat not twice while nothing has changed, so that two seats cannot
keep each other busy. Only after the time in which the first one should have been answered it is
told once more: it may be lost, and after the close nothing is missed, so that nobody would ask
again. What comes in later is passed on to the seats that have said, at this tip, that they lack it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Final

from nodealer.kernel import Seat
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.desk import Desk, put
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import (
    Contributed,
    Entry,
    LedgerMessage,
    Left,
    Proposal,
    Recall,
    Refused,
    Sealed,
    Status,
    Voted,
)
from nodealer.ledger.objects import (
    NO_PARENT,
    AuthoredStep,
    Contribution,
    Seal,
    Signed,
    Vote,
)
from nodealer.ledger.voting import voted_message

ENTRIES_MAX: Final = 64
"""Entries sent for one status; the next status asks for the rest."""


def status_of(draft: Draft) -> Status:
    """Return where this seat stands."""
    tip, desk, past, seat = draft.tip, draft.desk, draft.past, draft.fixed.seat
    round_above, round_below = desk.last_round(), past.last_round()
    return Status(
        table=tip.table,
        seat=Seat(0) if seat is None else seat,
        height=tip.height,
        tip=tip.id if draft.is_founded else NO_PARENT,
        rank=tip.rank,
        round=round_above,
        contributions=_bits(desk.first),
        seals=_bits(desk.sealed),
        votes=_bits(desk.votes.get(round_above, ())),
        round_below=round_below,
        below=_bits(past.votes.get(round_below, ())),
    )


def tell_all(draft: Draft) -> None:
    """Tell everybody where this seat stands."""
    if draft.fixed.seat is not None:
        draft.queried = {}
        if draft.suspect is not None:
            draft.send(Recall(draft.fixed.charter.table, draft.fixed.seat))
        draft.send(status_of(draft))


def query(draft: Draft, seat: Seat | None) -> None:
    """Tell one seat, which seems to know more, where this one stands; seldom twice at one tip."""
    if seat is None or seat == draft.fixed.seat or draft.fixed.seat is None:
        return
    tip, rank = bytes(draft.tip.id), draft.tip.rank
    told_tip, told_rank, told_at = draft.queried.get(seat, (b"", 0, 0))
    may_be_answered = draft.now - told_at < draft.fixed.charter.clock.answer
    if (told_tip, told_rank) == (tip, rank) and may_be_answered:
        return
    draft.queried = {**draft.queried, seat: (tip, rank, draft.now)}
    draft.send(status_of(draft), seat)


def answer_status(draft: Draft, status: Status) -> None:
    """Send to a seat what it lacks."""
    to = status.seat
    if status.tip == NO_PARENT or not draft.is_founded:
        _send_charter_seals(draft, status)
    elif status.height < draft.tip.height:
        link = draft.tip.at(status.height)
        has_mine = link is not None and link.id == status.tip
        if has_mine and link is not None and to not in link.roster:
            return  # it was left out there, and takes nothing more
        send_entries(draft, to, status.height + 1 if has_mine else status.height)
        if has_mine and status.height + 1 == draft.tip.height:
            votes = _votes(draft, draft.past, link, status.round, status.votes)
            _send_all(draft, to, votes)  # it may have to see a round that keeps the tip
    elif status.height > draft.tip.height:
        if status.height == draft.tip.height + 1:  # its tip is what rounds over this one settle
            votes = _votes(draft, draft.desk, draft.tip, status.round_below, status.below)
            _send_all(draft, to, votes)
        query(draft, to)
    elif status.tip != draft.tip.id:
        send_entries(draft, to, status.height)
        _send_all(draft, to, _votes(draft, draft.past, draft.tip.below, 0, 0))
        query(draft, to)
    else:
        draft.place(to, draft.tip.height)
        draft.standing = put(draft.standing, to, _send_over_tip(draft, status))


def send_entries(draft: Draft, to: Seat, first: int) -> None:
    """Send the entries of this chain from a height on, and what lies over the tip."""
    lowest = max(first, 1)
    links = [*takewhile(lambda link: link.height >= lowest, draft.tip.downwards())][::-1]
    for link in links[:ENTRIES_MAX]:
        draft.send(entry_message(link), to)
    if len(links) <= ENTRIES_MAX:
        _send_all(draft, to, over_tip(draft))
    else:
        draft.send(status_of(draft), to)  # which that seat answers with its own, for the rest


def entry_message(link: ChainEntry) -> Entry:
    """Return the entry of a link."""
    entry = link.memory.entry
    assert isinstance(entry, Entry), "the charter is no entry"
    return entry


def over_tip(
    draft: Draft, contributions: int = 0, seals: int = 0, number: int = 0, votes: int = 0
) -> Iterator[LedgerMessage]:
    """Yield what lies over the tip, without what the bitmaps say is held already."""
    desk = draft.desk
    if desk.is_split():
        contributions = seals = 0  # two of one seat look like one: nobody knows who has which
    yield from (Left(leave) for leave in draft.leaves.values())
    if draft.own.leave is not None:
        yield Left(draft.own.leave)
    for one in desk.contributions.values():
        if not _has(contributions, one.seat):
            yield Contributed(one)
    for by_seat in desk.seals.values():
        for seal in by_seat.values():
            if not _has(seals, seal.seat):
                yield seal_message(draft, draft.tip, seal)
    yield from _votes(draft, desk, draft.tip, number, votes)
    yield from (Refused(refusal) for refusal in desk.refusals.values())


def seal_message(draft: Draft, base: ChainEntry, seal: Seal) -> Proposal | Sealed:
    """Return a seal, of whomever, with all that its readers need; that of an author proposes."""
    content = draft.desk_at(base).contents.get(seal.entry)
    beside = draft.beside_rank(base, seal.rank)
    step = None if content is None else content.step
    if content is not None and isinstance(step, AuthoredStep) and step.seat == seal.seat:
        return Proposal(content, seal, beside)
    return Sealed(seal, beside)


def _send_charter_seals(draft: Draft, status: Status) -> None:
    held = {seal.seat: seal for seal in draft.tip.certificate.seals}
    if not draft.is_founded:
        held = draft.desk.seals.get(draft.tip.id, {})
        if status.tip != NO_PARENT:
            query(draft, status.seat)
            return
    missing = [seal for seat, seal in held.items() if not _has(status.seals, seat)]
    root = draft.tip.at(0)
    if draft.is_founded and root is not None:
        missing = [s for s in root.certificate.seals if not _has(status.seals, s.seat)]
    for seal in missing:
        draft.send(Sealed(seal), status.seat)
    if draft.is_founded:
        send_entries(draft, status.seat, 1)
    elif status.seals & ~_bits(held):
        query(draft, status.seat)


def _send_over_tip(draft: Draft, status: Status) -> Status:
    """Send what a status at this tip lacks; return the status as it will be then."""
    to = status.seat
    _send_all(
        draft, to, over_tip(draft, status.contributions, status.seals, status.round, status.votes)
    )
    below = _votes(draft, draft.past, draft.tip.below, status.round_below, status.below)
    _send_all(draft, to, below)
    if status.rank < draft.tip.rank:
        draft.send(entry_message(draft.tip), to)
    mine = status_of(draft)
    lacks = (
        status.contributions & ~mine.contributions
        or status.seals & ~mine.seals
        or status.round > mine.round
        or (status.round == mine.round and status.votes & ~mine.votes)
        or status.rank > mine.rank
    )
    if lacks:
        query(draft, to)
    return replace(
        status,
        contributions=status.contributions | mine.contributions,
        seals=status.seals | mine.seals,
        round=max(status.round, mine.round),
        votes=mine.votes if mine.round >= status.round else status.votes,
    )


def pass_on(draft: Draft, base: ChainEntry, message: LedgerMessage, signed: Signed) -> None:
    """Send on what came in to the seats at this tip that have said that they lack it."""
    if base is not draft.tip:
        return
    for seat, status in tuple(draft.standing.items()):
        after = _with(status, signed)
        if seat != signed.seat and after != status:
            draft.standing = put(draft.standing, seat, after)
            draft.send(message, seat)


def _with(status: Status, signed: Signed) -> Status:
    """Return a status with what its seat will have; it says nothing of refusals."""
    bit = 1 << signed.seat
    match signed:
        case Contribution():
            return replace(status, contributions=status.contributions | bit)
        case Seal():
            return replace(status, seals=status.seals | bit)
        case Vote(round=number) if number > status.round:
            return replace(status, round=number, votes=bit)
        case Vote(round=number) if number == status.round:
            return replace(status, votes=status.votes | bit)
        case _:
            return status


def _votes(
    draft: Draft, desk: Desk, base: ChainEntry | None, number: int, held: int
) -> Iterator[Voted]:
    for one_round, votes in desk.votes.items():
        for vote in votes.values():
            is_held = one_round < number or (one_round == number and _has(held, vote.seat))
            if base is not None and not is_held:
                yield voted_message(draft, base, vote)


def _send_all(draft: Draft, to: Seat, messages: Iterable[LedgerMessage]) -> None:
    for message in messages:
        draft.send(message, to)


def _bits(seats: Iterable[Seat]) -> int:
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def _has(bits: int, seat: Seat) -> bool:
    return bool(bits >> seat & 1)

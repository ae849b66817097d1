"""The open end of a record: what a seat holds that is in no entry yet.

A record of a table is its charter and its entries. Behind them stands what is *open*: everything
signed over the tip and over the tip's parent that no entry of the chain holds, the leaves, and the
evidence. With it a reader can tell for whom the table waits, and who is proven false.

The order is that in which a reader can take it in: leaves, then what lies over the tip's parent,
then what lies over the tip; contributions before contents, contents before seals and votes. Within
each it is that of the seats, so that the same messages make the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.ledger.catch_up import seal_message
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.desk import Desk
from nodealer.ledger.draft import Draft, LedgerState
from nodealer.ledger.messages import Contributed, LedgerMessage, Left, Refused
from nodealer.ledger.objects import Evidence, Seal, Signed
from nodealer.ledger.voting import voted_message


def open_messages(state: LedgerState) -> tuple[LedgerMessage, ...]:
    """Return what this seat holds over its tip and that one's parent, and the leaves.

    Before all have sealed the charter nothing else is signed, and nothing is open.
    """
    draft = Draft(state)
    if not draft.is_founded:
        return ()
    leaves = dict(draft.leaves)
    if draft.own.leave is not None:
        leaves[draft.own.leave.seat] = draft.own.leave
    found: list[LedgerMessage] = [Left(leaves[seat]) for seat in sorted(leaves)]
    settled = frozenset(draft.tip.signed())
    if draft.tip.below is not None:
        found.extend(_over(draft, draft.tip.below, settled))
    found.extend(_over(draft, draft.tip, frozenset()))
    return tuple(found)


def evidence_held(state: LedgerState) -> tuple[Evidence, ...]:
    """Return what this seat can prove, by seat."""
    return tuple(state.proven[seat] for seat in sorted(state.proven))


def _over(draft: Draft, base: ChainEntry, settled: frozenset[Signed]) -> Iterator[LedgerMessage]:
    desk = draft.desk_at(base)
    contributions = sorted(desk.contributions.values(), key=lambda one: (one.seat, one.id))
    yield from (Contributed(one) for one in contributions if one not in settled)
    for seal in _seals(desk):
        if seal not in settled:
            yield seal_message(draft, base, seal)
    for number in sorted(desk.votes):
        for seat in sorted(desk.votes[number]):
            vote = desk.votes[number][seat]
            if vote not in settled:
                yield voted_message(draft, base, vote)
    yield from (Refused(desk.refusals[key]) for key in sorted(desk.refusals))


def _seals(desk: Desk) -> list[Seal]:
    found = [seal for by_seat in desk.seals.values() for seal in by_seat.values()]
    return sorted(found, key=lambda seal: (seal.seat, seal.entry))

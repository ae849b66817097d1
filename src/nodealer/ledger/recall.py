"""What a node does that may have forgotten something it signed.

A journal that was restored, copied, imported or damaged may be older than what this seat has
signed, and so may one whose owner runs two processes: a peer then shows a signature that the
journal lacks. Such a node is *suspect*. It signs nothing, asks every seat of the roster where it
stands and which signatures of the suspect it holds, adopts these, and catches up to the greatest
height it was told. When all have answered it goes on like any other. While one is silent it signs
nothing; others may leave it out.

A plain restart from one's own synced journal needs none of this.
"""

from __future__ import annotations

from dataclasses import replace

from nodealer.kernel import PeerError, Reason
from nodealer.ledger import judging
from nodealer.ledger.answers import signed_of
from nodealer.ledger.desk import put
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Left, Memory, Refused
from nodealer.ledger.objects import Contribution, Seal, Vote


def take_memory(draft: Draft, memory: Memory) -> None:
    """Adopt what another seat holds of this seat's signatures."""
    seat = draft.fixed.seat
    if draft.suspect is None:
        return
    if memory.table != draft.fixed.charter.table or memory.seat >= len(draft.fixed.charter.keys):
        raise PeerError(Reason.DECK_STAGE, "of another table")
    for message in memory.messages:
        if isinstance(message, Left):
            draft.check(message.leave)
            if message.leave.seat == seat:
                draft.own = replace(draft.own, leave=message.leave)
                draft.persist(message)
            continue
        signed = signed_of(message)
        if signed is None or signed.seat != seat:
            raise PeerError(Reason.DECK_SEAT, "a memory of somebody else")
        draft.check(signed)
        if isinstance(message, Refused):
            continue
        assert isinstance(signed, Contribution | Seal | Vote), "what a memory may hold"
        if not judging.is_own(draft, signed):
            judging.adopt(draft, signed)
    draft.suspect = put(draft.suspect, memory.seat, memory.height)


def end_suspicion(draft: Draft) -> None:
    """Go on signing once every other seat of the roster has answered and this one caught up."""
    if draft.suspect is None:
        return
    others = [seat for seat in draft.tip.roster if seat != draft.fixed.seat]
    answered = all(seat in draft.suspect for seat in others)
    if answered and max(draft.suspect.values(), default=0) <= draft.tip.height:
        draft.suspect = None

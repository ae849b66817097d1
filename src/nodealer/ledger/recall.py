"""The recall of a node that may have forgotten something it signed.

A journal that was restored, copied, imported or damaged may be older than what this seat has
signed, and so may one whose owner runs two processes: a peer then shows a signature that the
journal lacks. Such a node is *suspect*. It signs nothing, asks every seat of the roster where it
stands and which signatures of the suspect it holds, adopts these, and catches up to the greatest
height it was told. When all have answered it goes on like any other. While one is silent it signs
nothing; others may leave it out.

A plain restart from one's own synced journal needs none of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nodealer.kernel import PeerError, Reason, Seat
from nodealer.ledger import answers, findings
from nodealer.ledger.codec import MEMORIES_MAX
from nodealer.ledger.desk import put
from nodealer.ledger.draft import Draft
from nodealer.ledger.evidence import falls_behind
from nodealer.ledger.messages import Left, Memory, Recall, alone, signed_of
from nodealer.ledger.objects import Leave, Refusal, Signed, Vote


def answer_recall(draft: Draft, recall: Recall) -> None:
    """Send a seat the signatures of its own that are held here."""
    if draft.fixed.seat is None:
        return
    found = sorted(_signed_by(draft, recall.seat), key=_round)[-MEMORIES_MAX:]
    tip, told = draft.tip, tuple(map(alone, found))
    draft.send(Memory(tip.table, draft.fixed.seat, tip.height, tip.id, told), recall.seat)


def _round(signed: Signed) -> tuple[bool, int]:
    """Return a key that puts the votes of early rounds first: later ones stand for them."""
    return (False, signed.round) if isinstance(signed, Vote) else (True, 0)


def _signed_by(draft: Draft, seat: Seat) -> Iterator[Signed]:
    for desk in (draft.past, draft.desk):
        yield from (one for one in desk.contributions.values() if one.seat == seat)
        yield from (by_seat[seat] for by_seat in desk.seals.values() if seat in by_seat)
        yield from (by_seat[seat] for by_seat in desk.votes.values() if seat in by_seat)
        yield from (refusal for (by, _), refusal in desk.refusals.items() if by == seat)
    yield from draft.aside_of(seat)
    if seat in draft.leaves:
        yield draft.leaves[seat]


def take_memory(draft: Draft, memory: Memory, sender: Seat | None) -> None:
    """Adopt what another seat holds of this seat's signatures."""
    seat = draft.fixed.seat
    if draft.suspect is None:
        return
    draft.require_spoken_by(memory.table, memory.seat, sender)
    for message in memory.messages:
        signed = message.leave if isinstance(message, Left) else signed_of(message)
        if signed is None or signed.seat != seat:
            raise PeerError(Reason.LEDGER_WRONG_SENDER, "a memory of what somebody else has signed")
        draft.check(signed)
        _adopt(draft, signed)
    draft.suspect = put(draft.suspect, memory.seat, memory.height)


def _adopt(draft: Draft, signed: Signed) -> None:
    match signed:
        case Leave():
            draft.own = replace(draft.own, leave=signed)
            draft.persist(Left(signed))
        case Refusal():
            refusals = put(draft.own.refusals, signed.refused, signed)
            draft.own = replace(draft.own, refusals=refusals)
        case _:
            if not findings.is_own(draft, signed):
                findings.adopt(draft, signed)


def end_suspicion(draft: Draft) -> None:
    """Go on signing once every other seat of the roster has answered and this one caught up.

    What others have asked meanwhile, with a vote, is answered now: they may have come to the end of
    what they can ask alone, and wait.
    """
    if draft.suspect is None:
        return
    if unanswered(draft):
        return
    reached = max(*draft.suspect.values(), draft.own.height - 1, 0)
    if reached <= draft.tip.height + _can_only_keep(draft):
        draft.suspect = None
        step_back(draft)
        answers.answer_held(draft)


def _can_only_keep(draft: Draft) -> bool:
    """Say whether the own votes forbid this seat to take the complete entry over its tip.

    Such a seat is as far as it can come by itself: a later round settles the height, and it may
    take as many as were restored at once to have a majority in one. Who answered it stands at that
    entry or at its tip, and has told all that it has signed over both. It votes to keep the entry;
    what it has signed over that must not state more than it votes for now.
    """
    tip, own, best = draft.tip, draft.own, draft.desk.best()
    if best is None or _denies_tip(draft):
        return False
    above = tip.height + 2
    over = [(one.parent, one.rank) for one in own.seals.values() if one.height == above]
    over += [(one.parent, 0) for one in own.contributions.values() if one.height == above]
    over += [(one.base, one.rank) for one in own.votes.get(above, ())]
    agrees = all(entry == best.entry and rank <= best.rank for entry, rank in over)
    return agrees and not draft.fixed.duties.guard(own, tip.height + 1, tip.id, best.rank)


def unanswered(draft: Draft) -> tuple[Seat, ...]:
    """Return the seats that a suspect node still waits for."""
    told = draft.suspect or {}
    return tuple(s for s in draft.tip.roster if s != draft.fixed.seat and s not in told)


def step_back(draft: Draft) -> None:
    """Give up a tip that one's own votes, forgotten when it was taken, forbid to hold by its rank.

    The entry stays at hand, complete; a later round settles whether it is kept.
    """
    below = draft.tip.below
    if below is not None and _denies_tip(draft):
        draft.step_to(below)


def _denies_tip(draft: Draft) -> bool:
    tip, below = draft.tip, draft.tip.below
    if below is None or draft.fixed.duties.guard(draft.own, tip.height, below.id, tip.rank):
        return False
    return any(
        vote.round > tip.rank and falls_behind(vote.choice, tip.id, tip.rank)
        for vote in draft.own.votes_over(tip.height, below.id)
    )

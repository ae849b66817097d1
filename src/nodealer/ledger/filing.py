"""Single signed objects, filed where they belong once they are known to be good.

Over the tip and over its parent there is a desk each. A seal, contribution or vote goes on the desk
of what it is signed over; its height, the rank it states and the roster must fit, and its signature
is checked. What is filed is compared with everything else of the same seat, and whatever
contradicts itself is evidence; and it is seen what becomes complete by it.

Every function here raises `PeerError` for what a peer did wrong, before it has changed anything
that matters: the draft is thrown away then.
"""

from __future__ import annotations

from nodealer.kernel import EntryId, PeerError, Reason
from nodealer.ledger import answers, findings
from nodealer.ledger.chain import ChainEntry, Followed, sealed
from nodealer.ledger.desk import CONTENTS_MAX, ROUNDS_MAX, put
from nodealer.ledger.draft import AHEAD_MAX, Draft
from nodealer.ledger.evidence import broken_vote
from nodealer.ledger.messages import (
    Sealed,
)
from nodealer.ledger.objects import (
    Certificate,
    Content,
    Contribution,
    Keep,
    Leave,
    Seal,
    Vote,
)


def file_seal(draft: Draft, base: ChainEntry, seal: Seal) -> None:
    """File a seal; what contradicts another is evidence."""
    desk = draft.desk_at(base)
    if seal.seat in desk.seals.get(seal.entry, ()):
        return
    if seal.seat not in base.roster:
        raise PeerError(Reason.LEDGER_NOT_IN_ROSTER, f"seat {seal.seat}")
    _require_place(draft, base, seal)
    before = desk.sealed.get(seal.seat)
    draft.check(seal)
    if before is not None:
        findings.compare_two(draft, before, seal)
        if sum(seal.seat in seals for seals in desk.seals.values()) >= AHEAD_MAX:
            return
    draft.open_at(base).file_seal(seal)
    draft.place(seal.seat, base.height)
    findings.compare(draft, seal)
    if seal.entry in desk.refused:
        findings.blame_sealer(draft, base, seal)
    findings.recognise(draft, seal)
    findings.complete(draft, base, seal.entry)


def learn_content(draft: Draft, base: ChainEntry, content: Content) -> None:
    """File a content; over the tip it is replayed at once."""
    desk = draft.desk_at(base)
    if content.id in desk.contents or len(desk.contents) >= CONTENTS_MAX:
        return
    draft.open_at(base).contents[content.id] = content
    findings.judge_content(draft, base, content)


def file_contribution(draft: Draft, base: ChainEntry, one: Contribution) -> None:
    """File a contribution, and judge whatever can be judged now."""
    desk = draft.desk_at(base)
    if one.id in desk.contributions:
        return
    before = desk.first_of(one.seat)
    draft.check(one)
    if before is not None:
        findings.compare_two(draft, before, one)
        if sum(other.seat == one.seat for other in desk.contributions.values()) >= AHEAD_MAX:
            return
    draft.open_at(base).file_contribution(one)
    draft.place(one.seat, base.height)
    findings.compare(draft, one)
    findings.recognise(draft, one)
    findings.judge_contributions(draft, base)


def file_vote(draft: Draft, base: ChainEntry, vote: Vote) -> None:
    """File a vote; what it makes complete is filed with it."""
    desk = draft.desk_at(base)
    before = desk.votes.get(vote.round, {}).get(vote.seat)
    if before is not None and before.body() == vote.body():
        return
    _check_vote(draft, base, vote)
    draft.check(vote)
    if before is not None:
        findings.compare_two(draft, before, vote)
        return
    if (broken := broken_vote(vote, base.roster)) is not None:
        draft.prove(broken)
        return
    draft.open_at(base).file_vote(vote)
    draft.place(vote.seat, base.height)
    findings.compare(draft, vote)
    findings.recognise(draft, vote)
    findings.complete_round(draft, base, vote.round)
    answers.answer(draft, base, vote)


def _check_vote(draft: Draft, base: ChainEntry, vote: Vote) -> None:
    if vote.seat not in base.roster:
        raise PeerError(Reason.LEDGER_NOT_IN_ROSTER, f"seat {vote.seat}")
    _require_place(draft, base, vote)
    choice = vote.choice
    if isinstance(choice, Keep):
        if choice.rank < vote.round and not draft.backed(choice.entry, choice.rank):
            raise PeerError(Reason.LEDGER_RANK_NOT_BACKED, "of the kept entry")
    elif broken_vote(vote, base.roster) is None:
        stay = [seat for seat in base.roster if seat not in choice.seats]
        is_backed = base.is_majority(len(stay)) or all(map(draft.is_faulty, choice.seats))
        if not is_backed:
            raise PeerError(Reason.LEDGER_NO_GROUNDS)


def _require_place(draft: Draft, base: ChainEntry, signed: Seal | Vote) -> None:
    if signed.height != base.height + 1:
        raise PeerError(Reason.LEDGER_WRONG_PLACE, "another height than that over its parent")
    if signed.rank > 0 and not draft.backed(base.id, signed.rank):
        raise PeerError(Reason.LEDGER_RANK_NOT_BACKED, f"rank {signed.rank}")


def require_near(draft: Draft, base: ChainEntry, vote: Vote) -> None:
    """Bound the rounds for which votes are kept by how far this seat has come itself."""
    desk, height = draft.desk_at(base), base.height + 1
    best = desk.best()
    reached = max(draft.own.last_round(height), 0 if best is None else best.rank)
    if draft.fixed.seat is None:
        reached = max(reached, desk.last_round())
    if vote.round > reached + ROUNDS_MAX:
        raise PeerError(Reason.LEDGER_ROUND_FAR_AHEAD, f"round {vote.round}")


def file_left(draft: Draft, leave: Leave) -> None:
    """Take in a leave."""
    draft.check(leave)
    if leave.seat not in draft.leaves and leave.seat != draft.fixed.seat:
        draft.leaves = put(draft.leaves, leave.seat, leave)
        draft.show(leave)
        findings.compare(draft, leave)


def file_charter_seal(draft: Draft, seal: Seal) -> None:
    """File a seal of the charter; when all are there the table is open."""
    table = EntryId(draft.fixed.charter.table)
    if draft.is_founded or (seal.height, seal.entry, seal.rank) != (0, table, 0):
        return
    seals = draft.desk.seals.get(draft.tip.id, {})
    if seal.seat in seals:
        return
    draft.check(seal)
    draft.open_desk().file_seal(seal)
    seals = draft.desk.seals[draft.tip.id]
    if len(seals) == len(draft.tip.roster):
        certificate = Certificate(
            draft.tip.id, 0, seals=tuple(seals[seat] for seat in draft.tip.roster)
        )
        draft.move_to(sealed(draft.tip, certificate), above=False)
        for one in certificate.seals:
            draft.persist(Sealed(one))


def file_result(
    draft: Draft, base: ChainEntry, followed: Followed, certificate: Certificate
) -> None:
    """File a complete entry over the tip or its parent; its messages are filed one by one too."""
    entry = followed.content.id
    if certificate.rank in draft.desk_at(base).results.get(entry, {}):
        return
    draft.keep_certificate(certificate)
    draft.open_at(base).file_result(followed, certificate)
    for seal in certificate.seals:
        file_seal(draft, base, seal)
    for vote in certificate.votes:
        file_vote(draft, base, vote)

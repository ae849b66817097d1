"""What becomes of a message: checked, filed where it belongs, or refused.

A message speaks of a base: what it is signed over. Four answers are possible.

    the tip or its parent       it is filed on that desk, after its signature was checked
    not known yet, near         it is kept aside, within bounds, until the entry is taken
    far ahead                   it is not kept; the sender is asked for what is missing
    far below                   nothing depends on it; a vote may still be answered

Nothing is filed of which one part is not good: a stated rank without its certificate, a `keep`
without the entry that it keeps, a seat that is not in the roster. What is filed is compared with
everything else of the same seat, and whatever contradicts itself is evidence.

Every function here raises `PeerError` for what a peer did wrong, before it has changed anything
that matters: the draft is thrown away then.
"""

from __future__ import annotations

from dataclasses import replace

from nodealer.kernel import EntryId, PeerError, Reason, Seat
from nodealer.ledger import answers, judging
from nodealer.ledger.certificates import check_certificate
from nodealer.ledger.chain import Followed, Link, eviction, follow
from nodealer.ledger.desk import CONTENTS_MAX, ROUNDS_MAX, put
from nodealer.ledger.draft import AHEAD_MAX, Draft
from nodealer.ledger.evidence import broken_vote
from nodealer.ledger.messages import (
    Contributed,
    Entry,
    Left,
    Message,
    Proposal,
    Refused,
    Sealed,
    Voted,
)
from nodealer.ledger.objects import (
    NO_PARENT,
    AuthoredStep,
    Certificate,
    Content,
    Contribution,
    Evict,
    Keep,
    Leave,
    Seal,
    Signed,
    Vote,
)
from nodealer.ledger.ready import Gone, Objected


def file_proposal(draft: Draft, message: Proposal, sender: Seat | None) -> None:
    """Take in a content with its author's seal."""
    content, seal = message.content, message.seal
    step = content.step
    if not isinstance(step, AuthoredStep) or step.seat != seal.seat:
        raise _misfit("a proposal of a seat that is not its author")
    if (content.id, content.parent, content.height) != (seal.entry, seal.parent, seal.height):
        raise _misfit("a proposal whose seal is on something else")
    base = _base(draft, message, seal, sender)
    if base is None:
        return
    take_certificates(draft, message.beside)
    file_seal(draft, base, seal)
    learn_content(draft, base, content)


def file_sealed(draft: Draft, message: Sealed, sender: Seat | None) -> None:
    """Take in a seal."""
    seal = message.seal
    if seal.parent == NO_PARENT:
        file_charter_seal(draft, seal)
        return
    base = _base(draft, message, seal, sender)
    if base is not None:
        take_certificates(draft, message.beside)
        file_seal(draft, base, seal)


def file_contributed(draft: Draft, message: Contributed, sender: Seat | None) -> None:
    """Take in a contribution."""
    one = message.contribution
    base = _base(draft, message, one, sender)
    if base is not None:
        file_contribution(draft, base, one)


def file_voted(draft: Draft, message: Voted, sender: Seat | None) -> None:
    """Take in a vote."""
    vote = message.vote
    base = _base(draft, message, vote, sender)
    if base is None:
        return
    take_certificates(draft, message.beside)
    for ground in message.grounds:
        judging.check_ground(draft, ground)
        file_ground(draft, ground)
    if message.kept is not None:
        file_entry(draft, message.kept, sender)
    file_vote(draft, base, vote)


def file_left(draft: Draft, message: Left) -> None:
    """Take in a leave."""
    leave = message.leave
    draft.check(leave)
    if leave.seat not in draft.leaves and leave.seat != draft.fixed.seat:
        draft.leaves = put(draft.leaves, leave.seat, leave)
        draft.show(Gone(leave))
        judging.compare(draft, leave)


def file_refused(draft: Draft, message: Refused, sender: Seat | None) -> None:
    """Take in a refusal."""
    refusal = message.refusal
    base = _base(draft, message, refusal, sender)
    if base is None:
        return
    desk = draft.desk_at(base)
    key = (refusal.seat, refusal.refused)
    if key in desk.refusals or sum(seat == refusal.seat for seat, _ in desk.refusals) >= AHEAD_MAX:
        return
    draft.check(refusal)
    draft.open_at(base).refusals[key] = refusal
    draft.show(Objected(refusal))
    judging.judge_refusal(draft, base, refusal)


def file_entry(draft: Draft, message: Entry, sender: Seat | None) -> None:
    """Take in a complete entry: whoever sends it, its certificate is what counts."""
    content, certificate = message.content, message.certificate
    first = (certificate.seals or certificate.votes or (None,))[0]
    if first is None or certificate.entry != content.id:
        raise _misfit("an entry without a certificate")
    if content.table != draft.fixed.charter.table:
        raise _misfit("an entry of another table")
    base = draft.base_of(content.parent)
    if base is None or not draft.is_founded:
        answers.file_far_entry(draft, message, first, sender)
        return
    take_certificates(draft, message.beside)
    for one in message.contributions:
        draft.check(one)
    followed = draft.desk_at(base).followed.get(content.id)
    if followed is None:
        followed = follow(base, content, message.contributions)
    _check(draft, base, content, certificate)
    file_result(draft, base, followed, certificate)


def file_result(draft: Draft, base: Link, followed: Followed, certificate: Certificate) -> None:
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


# Certificates beside a message.


def take_certificates(draft: Draft, beside: tuple[Certificate, ...]) -> None:
    """Check certificates, the lowest first, and have them at hand."""
    for certificate in beside:
        if (certificate.entry, certificate.rank) not in draft.certificates:
            _take_certificate(draft, certificate)


def _take_certificate(draft: Draft, certificate: Certificate) -> None:
    messages: tuple[Seal | Vote, ...] = (*certificate.seals, *certificate.votes)
    first = messages[0] if messages else None
    if first is None:
        raise _misfit("an empty certificate")
    base = draft.link_of(first.parent if isinstance(first, Seal) else first.base)
    if base is None:
        raise PeerError(Reason.DECK_STAGE, "a certificate over an entry not known here")
    content = _content_of(draft, base, certificate, first)
    if content is None:
        raise PeerError(Reason.DECK_STAGE, "a certificate of an entry not known here")
    _check(draft, base, content, certificate)
    draft.keep_certificate(certificate)
    if draft.base_of(base.id) is not None and content.id in draft.desk_at(base).followed:
        file_result(draft, base, draft.desk_at(base).followed[content.id], certificate)


def _content_of(
    draft: Draft, base: Link, certificate: Certificate, first: Seal | Vote
) -> Content | None:
    if draft.base_of(base.id) is not None:
        desk = draft.desk_at(base)
        if certificate.entry in desk.contents:
            return desk.contents[certificate.entry]
    above = draft.link_of(certificate.entry)
    if above is not None:
        return above.content
    if not isinstance(first, Vote) or not isinstance(first.choice, Evict):
        return None
    if not set(first.choice.seats) < set(base.roster):
        raise _misfit("an eviction of nobody that is there")
    followed = eviction(base, first.round, first.choice.seats)
    if followed.content.id == certificate.entry and draft.base_of(base.id) is not None:
        desk = draft.open_at(base)
        desk.contents[certificate.entry] = followed.content
        desk.followed[certificate.entry] = followed
    return followed.content


def _check(draft: Draft, base: Link, content: Content, certificate: Certificate) -> None:
    for ground in certificate.grounds:
        judging.check_ground(draft, ground)
    check_certificate(base, content, certificate, draft.backed, lambda _: None)
    messages: tuple[Signed, ...] = (*certificate.seals, *certificate.votes)
    for message in messages:
        draft.check(message)
    for ground in certificate.grounds:
        file_ground(draft, ground)


def file_ground(draft: Draft, ground: object) -> None:
    """File a ground that was checked."""
    if isinstance(ground, Leave):
        file_left(draft, Left(ground))
    else:
        judging.adopt_evidence(draft, ground)


# Single objects, over the tip or its parent.


def file_seal(draft: Draft, base: Link, seal: Seal) -> None:
    """File a seal; what contradicts another is evidence."""
    desk = draft.desk_at(base)
    if seal.seat in desk.seals.get(seal.entry, ()):
        return
    if seal.seat not in base.roster:
        raise _misfit("a seal of a seat that is out")
    if seal.height != base.height + 1 or not (seal.rank == 0 or draft.backed(base.id, seal.rank)):
        raise _misfit("a seal whose rank or height is not backed")
    before = desk.sealed.get(seal.seat)
    draft.check(seal)
    if before is not None:
        judging.compare_two(draft, before, seal)
        if sum(seal.seat in seals for seals in desk.seals.values()) >= AHEAD_MAX:
            return
    draft.open_at(base).file_seal(seal)
    draft.place(seal.seat, base.height)
    judging.compare(draft, seal)
    if seal.entry in desk.refused:
        judging.blame_sealer(draft, base, seal)
    judging.recognise(draft, seal)
    judging.complete(draft, base, seal.entry)


def learn_content(draft: Draft, base: Link, content: Content) -> None:
    """File a content; over the tip it is replayed at once."""
    desk = draft.desk_at(base)
    if content.id in desk.contents or len(desk.contents) >= CONTENTS_MAX:
        return
    draft.open_at(base).contents[content.id] = content
    judging.judge_content(draft, base, content)


def file_contribution(draft: Draft, base: Link, one: Contribution) -> None:
    """File a contribution, and judge whatever can be judged now."""
    desk = draft.desk_at(base)
    if one.id in desk.contributions:
        return
    before = desk.first_of(one.seat)
    draft.check(one)
    if before is not None:
        judging.compare_two(draft, before, one)
        if sum(other.seat == one.seat for other in desk.contributions.values()) >= AHEAD_MAX:
            return
    draft.open_at(base).file_contribution(one)
    draft.place(one.seat, base.height)
    judging.compare(draft, one)
    judging.recognise(draft, one)
    judging.judge_contributions(draft, base)


def file_vote(draft: Draft, base: Link, vote: Vote) -> None:
    """File a vote; what it makes complete is filed with it."""
    desk = draft.desk_at(base)
    before = desk.votes.get(vote.round, {}).get(vote.seat)
    if before is not None and before.body() == vote.body():
        return
    _check_vote(draft, base, vote)
    draft.check(vote)
    if before is not None:
        judging.compare_two(draft, before, vote)
        return
    if (broken := broken_vote(vote, base.roster)) is not None:
        draft.prove(broken)
        return
    draft.open_at(base).file_vote(vote)
    draft.place(vote.seat, base.height)
    judging.compare(draft, vote)
    judging.recognise(draft, vote)
    judging.complete_round(draft, base, vote.round)
    answers.answer(draft, base, vote)


def _check_vote(draft: Draft, base: Link, vote: Vote) -> None:
    if vote.height != base.height + 1 or vote.seat not in base.roster:
        raise _misfit("a vote of a seat that is out, or of another height")
    if vote.rank > 0 and not draft.backed(base.id, vote.rank):
        raise _misfit("a vote whose rank is not backed")
    if vote.round > ROUNDS_MAX + max(draft.desk_at(base).last_round(), base.rank):
        raise _misfit("a vote of a round far ahead")
    choice = vote.choice
    if isinstance(choice, Keep):
        if choice.rank < vote.round and not draft.backed(choice.entry, choice.rank):
            raise _misfit("a keep without the entry that it keeps")
    elif broken_vote(vote, base.roster) is None:
        stay = [seat for seat in base.roster if seat not in choice.seats]
        is_backed = base.is_majority(len(stay)) or all(map(draft.is_faulty, choice.seats))
        if not is_backed:
            raise _misfit("an eviction without majority or grounds")


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
        tip = replace(draft.tip, certificate=certificate)
        draft.move_to(tip, above=False)
        for one in certificate.seals:
            draft.persist(Sealed(one))


def refile_ahead(draft: Draft) -> None:
    """File again what was kept aside, after the tip has changed."""
    kept, draft.ahead, draft.is_moved = draft.ahead, {}, False
    for messages in kept.values():
        for message in messages:
            # What was good alone may still prove bad where it belongs; it goes alone, too.
            try:
                file(draft, message, None)
            except PeerError as error:
                draft.count(error.slug)


def file(draft: Draft, message: Message, sender: Seat | None) -> None:
    """File a message that holds signed objects."""
    match message:
        case Proposal():
            file_proposal(draft, message, sender)
        case Sealed():
            file_sealed(draft, message, sender)
        case Contributed():
            file_contributed(draft, message, sender)
        case Voted():
            file_voted(draft, message, sender)
        case Refused():
            file_refused(draft, message, sender)
        case Left():
            file_left(draft, message)
        case Entry():
            file_entry(draft, message, sender)
        case _:
            raise PeerError(Reason.ENCODING_KIND, "nothing to be filed")


def _base(draft: Draft, message: Message, signed: Signed, sender: Seat | None) -> Link | None:
    """Return the desk's base; else deal with a message that belongs on none of the two."""
    assert not isinstance(signed, Leave), "a leave is over no base"
    over = signed.base if isinstance(signed, Vote) else signed.parent
    if signed.table != draft.fixed.charter.table:
        raise _misfit("of another table")
    base = draft.base_of(over) if draft.is_founded else None
    if base is None:
        answers.file_elsewhere(draft, message, signed, sender)
    return base


def _misfit(detail: str) -> PeerError:
    return PeerError(Reason.DECK_STAGE, detail)

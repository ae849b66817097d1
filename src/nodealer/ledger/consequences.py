"""The consequences of what is held: entries are taken, contents sealed, until nothing follows.

After every input the same short list is gone through from the top, and again as long as something
happened:

    replace     the tip, by the result of a later round over its parent
    take        a complete entry over the tip
    seal        the content that is due or was proposed
    vote        where all that is missed has left or is proven false

Each asks the rules of `duties` first. What the player or the layer above must bring, an action or
payloads, is asked for at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nodealer.kernel import Seat
from nodealer.ledger import answers, catch_up, findings, intake, rounds
from nodealer.ledger.application import Closed, Due
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.chain import (
    ChainEntry,
    Followed,
    extended,
    forget_far,
    may_author,
    with_certificate,
)
from nodealer.ledger.draft import Draft
from nodealer.ledger.messages import Contributed, LedgerMessage, Sealed, signed_of
from nodealer.ledger.missed import enabled, proposed
from nodealer.ledger.objects import (
    AuthoredStep,
    Contribution,
    EvictStep,
    Seal,
)
from nodealer.ledger.ready import Ask, AskAction, AskContribution, AskSeal, LeftOut, Took
from nodealer.ledger.voting import voted_message


def advance(draft: Draft) -> None:
    """Do everything that follows from what is held."""
    while True:
        if draft.is_moved:
            intake.refile_ahead(draft)
        _know_bare_step(draft)
        if not (_replace_tip(draft) or _take(draft) or _seal(draft) or rounds.act_on_faults(draft)):
            return


def _know_bare_step(draft: Draft) -> None:
    """A step of seals alone follows from the tip; those who do not sign must know it as well."""
    tip = draft.tip
    if draft.is_founded and isinstance(tip.duty, Due) and not tip.owing():
        findings.settle(draft, tip)


def asks(draft: Draft) -> tuple[Ask, ...]:
    """Return what this seat is asked for now."""
    tip, seat = draft.tip, draft.fixed.seat
    if seat is None or not draft.may_sign or seat not in tip.roster:
        return ()
    if is_held(draft):
        return (AskSeal(tip.id),)
    if may_author(tip, seat):
        if not draft.fixed.duties.one_seal(draft.own, tip.id):
            return ()
        return (AskAction(tip.id, isinstance(tip.duty, Closed)),)
    may_give = draft.fixed.duties.one_contribution(draft.own, tip.id)
    if not tip.parts or not may_give or seat not in enabled(draft):
        return ()
    return (AskContribution(tip.id, tip.owed_by(seat), _earlier(draft, seat)),)


def is_held(draft: Draft) -> bool:
    """Say whether a step of seals alone is due that this seat seals only when it is told to."""
    tip, duties = draft.tip, draft.fixed.duties
    is_bare = isinstance(tip.duty, Due) and not tip.owing()
    return (
        is_bare
        and any(part.kind in duties.held for part in tip.parts)
        and draft.noticed != tip.id
        and duties.one_seal(draft.own, tip.id)
    )


def _earlier(draft: Draft, seat: Seat) -> tuple[Contribution, ...]:
    """Return all that the contribution of a seat builds on, directly or not, in seat order."""
    desk, found = draft.desk, {}
    wanted = [desk.first[before] for before in draft.tip.predecessors(seat)]
    while wanted:
        one = desk.contributions[wanted.pop()]
        found[one.seat] = one
        wanted.extend(one.on)
    return tuple(found[before] for before in sorted(found))


def own_messages(draft: Draft) -> Iterator[LedgerMessage]:
    """Yield what this seat has signed over its tip and that one's parent."""
    seat, below = draft.fixed.seat, draft.tip.below
    if not draft.is_founded:
        seals = draft.desk.seals.get(draft.tip.id, {})
        yield from (Sealed(seal) for seal in seals.values() if seal.seat == seat)
        return
    for message in catch_up.over_tip(draft):
        signed = signed_of(message)
        if signed is not None and signed.seat == seat:
            yield message
    for base in (draft.tip, below):
        if base is not None:
            for vote in draft.own.votes_over(base.height + 1, base.id):
                yield voted_message(draft, base, vote)


def _replace_tip(draft: Draft) -> bool:
    """Rule 7: the result of a later round over the tip's parent takes the tip's place."""
    tip, below = draft.tip, draft.tip.below
    certificate = draft.past.best() if below is not None else None
    if below is None or certificate is None or certificate.rank <= tip.rank:
        return False
    duties = draft.fixed.duties
    if not duties.replace(draft.own, tip.height, below.id, tip.rank, certificate.rank):
        return False
    beside = draft.beside((certificate.entry, certificate.rank))[:-1]
    if certificate.entry == tip.id:
        link = with_certificate(tip, certificate, beside)
        draft.tip = link
        draft.persist(entry_message(link))
        draft.show(Took(link.height, link.id, link.rank))
        return True
    followed = draft.past.followed[certificate.entry]
    _arrive(draft, extended(below, followed, certificate, beside), replaced=True)
    return True


def _take(draft: Draft) -> bool:
    """Rules 3 and 4: take a complete entry over the tip, by the highest rank that there is."""
    tip, own, best = draft.tip, draft.own, draft.desk.best()
    if best is None or not draft.is_founded or own.is_out:
        return False
    if not draft.fixed.duties.guard(own, tip.height + 1, tip.id, best.rank):
        return False
    beside = draft.beside((best.entry, best.rank))[:-1]
    link = extended(tip, draft.desk.followed[best.entry], best, beside)
    _arrive(draft, link, replaced=False)
    return True


def _arrive(draft: Draft, link: ChainEntry, *, replaced: bool) -> None:
    content, seat = link.content, draft.fixed.seat
    assert content is not None, "only the charter has no content"
    draft.move_to(link, above=not replaced)
    forget_far(link)
    draft.prune_own()
    draft.prune_bound()
    draft.drop_old_certificates()
    if isinstance(content.step, EvictStep) and seat in content.step.seats:
        draft.own = replace(draft.own, is_out=True)
        draft.show(LeftOut(link.height))
    draft.persist(entry_message(link))
    draft.show(Took(link.height, link.id, link.rank, replaced))
    answers.answer_held(draft)


def _seal(draft: Draft) -> bool:
    tip, seat = draft.tip, draft.fixed.seat
    duties = draft.fixed.duties
    if seat is None or not draft.may_sign or not duties.one_seal(draft.own, tip.id):
        return False
    if seat not in tip.roster or is_held(draft):
        return False
    followed = _to_seal(draft)
    if followed is None or seat in draft.desk.seals.get(followed.content.id, ()):
        return False
    store_basis(draft, followed)
    seal_over_tip(draft, followed)
    return True


def _to_seal(draft: Draft) -> Followed | None:
    """Return the content to seal: the one that is due, or the first valid one of the author."""
    if isinstance(draft.tip.duty, Due):
        return findings.settle(draft, draft.tip)
    followed = proposed(draft)
    return None if followed is None or _author(followed) == draft.fixed.seat else followed


def _author(followed: Followed) -> Seat | None:
    step = followed.content.step
    return step.seat if isinstance(step, AuthoredStep) else None


def store_basis(draft: Draft, followed: Followed) -> None:
    """Rule 9: what a signature rests on is stored before it."""
    if not draft.fixed.duties.remembers:
        return
    author = _author(followed)
    if author is None:
        for one in followed.contributions:
            if one.id not in draft.stored:
                draft.stored = draft.stored | {one.id}
                draft.persist(Contributed(one))
    else:
        seal = draft.desk.seals[followed.content.id][author]
        draft.persist(catch_up.seal_message(draft, draft.tip, seal))


def seal_over_tip(draft: Draft, followed: Followed) -> None:
    """Sign, remember, file and send the seal of this seat on a content over its tip."""
    tip, seat, content = draft.tip, draft.fixed.seat, followed.content
    assert seat is not None, "only a seat may sign"
    rank = draft.fixed.duties.stated_rank(tip.rank)
    seal = draft.sign(Seal(tip.table, content.height, tip.id, content.id, rank, seat, b""))
    findings.remember(draft, seal)
    draft.open_desk().file_seal(seal)
    message = catch_up.seal_message(draft, tip, seal)
    draft.persist(message)
    draft.send(message)
    findings.complete(draft, tip, content.id)

"""The way in of a message: checked, filed where it belongs, or refused.

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

from typing import TypeAlias

from nodealer.kernel import PeerError, Reason, Seat
from nodealer.ledger import answers, catch_up, findings
from nodealer.ledger.backing import check_certified, file_ground, take_certificates
from nodealer.ledger.chain import ChainEntry, Followed, extended, follow
from nodealer.ledger.draft import AHEAD_MAX, Draft
from nodealer.ledger.filing import (
    file_charter_seal,
    file_contribution,
    file_left,
    file_result,
    file_seal,
    file_vote,
    learn_content,
    require_near,
)
from nodealer.ledger.messages import (
    Contributed,
    Entry,
    LedgerMessage,
    Left,
    Proposal,
    Refused,
    Sealed,
    Voted,
    signed_of,
)
from nodealer.ledger.objects import (
    NO_PARENT,
    AuthoredStep,
    EvictStep,
    Leave,
    Refusal,
    Signed,
)
from nodealer.ledger.ready import LeftOut

OverBase: TypeAlias = Proposal | Sealed | Contributed | Voted | Refused
"""A message whose signed object is over an entry, and is filed on the desk of that."""


def file(draft: Draft, message: LedgerMessage, sender: Seat | None) -> None:
    """File a message that holds signed objects."""
    match message:
        case Left(leave=leave):
            file_left(draft, leave)
        case Entry():
            file_entry(draft, message, sender)
        case Sealed(seal=seal) if seal.parent == NO_PARENT:
            file_charter_seal(draft, seal)
        case Proposal() | Sealed() | Contributed() | Voted() | Refused():
            signed = signed_of(message)
            assert signed is not None, "each of these has one"
            base = _base(draft, message, signed, sender)
            if base is None:
                return
            if isinstance(message, Contributed):
                file_contribution(draft, base, message.contribution)
            elif isinstance(message, Voted):
                _file_voted(draft, base, message, sender)
            elif isinstance(message, Refused):
                _file_refusal(draft, base, message.refusal)
            else:
                _file_sealed(draft, base, message)
            catch_up.pass_on(draft, base, message, signed)
        case _:
            raise PeerError(Reason.ENCODING_KIND, "nothing to be filed")


def file_entry(draft: Draft, message: Entry, sender: Seat | None) -> None:
    """Take in a complete entry: whoever sends it, its certificate is what counts."""
    content, certificate = message.content, message.certificate
    if not certificate.messages or certificate.entry != content.id:
        raise PeerError(Reason.LEDGER_CERTIFICATE, "not of this entry, or empty")
    if content.table != draft.fixed.charter.table:
        raise PeerError(Reason.LEDGER_OTHER_TABLE)
    base = draft.base_of(content.parent)
    if base is None or not draft.is_founded:
        answers.file_far_entry(draft, message, sender)
        _notice_exclusion(draft, message)
        return
    for one in message.contributions:
        draft.check(one)
    # The certificate first: nobody can make one up, and replay may take a hundred times as long.
    take_certificates(draft, message.beside, content)
    check_certified(draft, base, content, certificate)
    followed = draft.desk_at(base).followed.get(content.id)
    if followed is None:
        followed = follow(base, content, message.contributions)
    _compare_given(draft, base, followed)
    for each in (certificate, *message.beside):
        if each.entry == content.id:
            file_result(draft, base, followed, each)


def refile_ahead(draft: Draft) -> None:
    """File again what was kept aside, after the tip has changed."""
    kept, draft.ahead, draft.is_moved = draft.ahead, {}, False
    for (_, seat, _), messages in kept.items():
        for message in messages:
            draft.sender = seat
            # What was good alone may still prove bad where it belongs; it goes alone, too.
            try:
                file(draft, message, None)
            except PeerError as error:
                draft.count(error.slug)


def _require_author(message: Proposal) -> None:
    content, seal = message.content, message.seal
    step = content.step
    if not isinstance(step, AuthoredStep) or step.seat != seal.seat:
        raise PeerError(Reason.LEDGER_NOT_ITS_SEAL, "not of the author")
    if (content.id, content.parent, content.height) != (seal.entry, seal.parent, seal.height):
        raise PeerError(Reason.LEDGER_NOT_ITS_SEAL, "on something else")


def _base(
    draft: Draft, message: OverBase, signed: Signed, sender: Seat | None
) -> ChainEntry | None:
    """Return the desk's base; else deal with a message that belongs on none of the two."""
    if isinstance(message, Proposal):
        _require_author(message)
    assert not isinstance(signed, Leave), "a leave is over no base"
    if signed.table != draft.fixed.charter.table:
        raise PeerError(Reason.LEDGER_OTHER_TABLE)
    base = draft.base_of(signed.parent) if draft.is_founded else None
    if base is None:
        answers.file_elsewhere(draft, message, signed, sender)
    return base


def _file_sealed(draft: Draft, base: ChainEntry, message: Proposal | Sealed) -> None:
    """File a seal, and the content that its author proposes with it."""
    take_certificates(draft, message.beside)
    file_seal(draft, base, message.seal)
    if isinstance(message, Proposal):
        content = message.content
        if message.seal.seat in draft.desk_at(base).seals.get(content.id, ()):
            learn_content(draft, base, content)


def _file_voted(draft: Draft, base: ChainEntry, message: Voted, sender: Seat | None) -> None:
    require_near(draft, base, message.vote)
    take_certificates(draft, message.beside)
    for ground in message.grounds:
        # A ground that cannot be followed here is left out; a majority needs none.
        try:
            findings.check_ground(draft, ground)
        except PeerError as error:
            draft.count(error.slug)
        else:
            file_ground(draft, ground)
    if message.kept is not None:
        file_entry(draft, message.kept, sender)
    file_vote(draft, base, message.vote)


def _file_refusal(draft: Draft, base: ChainEntry, refusal: Refusal) -> None:
    desk = draft.desk_at(base)
    key = (refusal.seat, refusal.refused)
    if key in desk.refusals or sum(seat == refusal.seat for seat, _ in desk.refusals) >= AHEAD_MAX:
        return
    draft.check(refusal)
    draft.open_at(base).refusals[key] = refusal
    draft.show(refusal)
    findings.judge_refusal(draft, base, refusal)


def _compare_given(draft: Draft, base: ChainEntry, followed: Followed) -> None:
    desk = draft.desk_at(base)
    for one in followed.contributions:
        before = desk.first_of(one.seat)
        if before is not None:
            findings.compare_two(draft, before, one)
        findings.compare(draft, one)


def _notice_exclusion(draft: Draft, message: Entry) -> None:
    """Tell the player once an eviction of this seat, which it may not take, is final elsewhere."""
    parent, seat = message.content.parent, draft.fixed.seat
    if draft.own.is_out or draft.left_out is not None:
        return
    for base, desk in ((draft.tip, draft.desk), (draft.tip.below, draft.past)):
        for followed in desk.followed.values() if base is not None else ():
            step, entry = followed.content.step, followed.content.id
            is_mine = isinstance(step, EvictStep) and seat in step.seats
            if base is not None and is_mine and entry == parent and entry in desk.results:
                link = extended(base, followed, next(iter(desk.results[entry].values())))
                check_certified(draft, link, message.content, message.certificate)
                follow(link, message.content, message.contributions)
                draft.left_out = link.height
                draft.show(LeftOut(link.height))

"""A ledger out of what was stored: a restart that forgets nothing it has signed.

A journal is the list of all messages that `Ready.persist` ever listed, in order: the charter's
seals, taken entries, own signatures, and what these rest on. `recover` goes through it once:

    an entry            over the tip: it is taken; over the tip's parent: it takes the tip's place
    an own signature    is remembered, so that nothing is ever signed twice
    anything else       is what an own signature rests on, and goes to the desk

No rule is asked, because every step was asked for when it was stored, and nothing is signed before
all is read. Every signature, hash and replay is checked again, so a damaged journal is noticed.
What others have sent and nobody signed on is not in a journal: they send it again when they are
told where this seat stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from nodealer.kernel import LocalError, PeerError, Reason
from nodealer.ledger import catch_up, consequences, filing, intake
from nodealer.ledger.application import Application
from nodealer.ledger.chain import extended, with_certificate
from nodealer.ledger.desk import put
from nodealer.ledger.draft import Draft, Fixed
from nodealer.ledger.findings import adopt
from nodealer.ledger.ledger import Ledger, followed_up, unsealed
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
    Contribution,
    EvictStep,
    Seal,
    Vote,
)
from nodealer.ledger.ready import Ready
from nodealer.ledger.recall import step_back

UNBACKED: Final = (Reason.LEDGER_RANK_NOT_BACKED, Reason.LEDGER_NO_GROUNDS)
"""Why an own signature may not be filed yet: it was adopted from others as it stands, and what it
rests on need not be in the journal. It is remembered; they send it again with all that it needs."""


def recover(
    fixed: Fixed,
    state: Application,
    records: Iterable[LedgerMessage],
    now: int = 0,
    *,
    is_old: bool = False,
) -> tuple[Ledger, Ready]:
    """Return the ledger that stored these records; a damaged journal raises `LocalError`.

    One that may be older than what this seat has signed is suspect from the start: nothing is
    signed over its tip, not even what would follow from the records alone.
    """
    draft = Draft(unsealed(fixed, state))
    draft.now = now
    try:
        reread(draft, records)
    except PeerError as error:
        raise LocalError(Reason.LOCAL_JOURNAL, str(error)) from error
    draft.records.clear()
    draft.outbox.clear()
    draft.events.clear()
    draft.since = now
    step_back(draft)
    if is_old:
        draft.begin_suspicion()
        draft.send(catch_up.status_of(draft))
    return followed_up(draft)


def reread(draft: Draft, records: Iterable[LedgerMessage]) -> None:
    """Go through records of a journal; nothing is signed meanwhile, for nobody would store it."""
    draft.is_reading = True
    for record in records:
        _replay(draft, record)
    draft.is_reading = False
    draft.heard = frozenset()  # what others say counts from here on; they say it all again


def _replay(draft: Draft, record: LedgerMessage) -> None:
    match record:
        case Entry():
            _retake(draft, record)
        case Sealed(seal=seal) if seal.parent == NO_PARENT:
            filing.file_charter_seal(draft, seal)
            draft.is_moved = False
        case Left(leave=leave):
            draft.check(leave)
            if leave.seat == draft.fixed.seat:
                draft.own = replace(draft.own, leave=leave)
        case Refused(refusal=refusal):
            draft.check(refusal)
            refusals = put(draft.own.refusals, refusal.refused, refusal)
            draft.own = replace(draft.own, refusals=refusals)
        case _:
            _remember(draft, record)


def _remember(draft: Draft, record: LedgerMessage) -> None:
    signed = signed_of(record)
    if not isinstance(signed, Contribution | Seal | Vote):
        raise PeerError(Reason.ENCODING_KIND, "not what a journal holds")
    if signed.seat == draft.fixed.seat:
        draft.check(signed)
        adopt(draft, signed)
    base = draft.base_of(signed.parent)
    if base is not None and isinstance(record, Proposal | Contributed | Sealed | Voted):
        try:
            intake.file(draft, record, None)
        except PeerError as error:
            if signed.seat != draft.fixed.seat or error.reason not in UNBACKED:
                raise


def _retake(draft: Draft, record: Entry) -> None:
    tip = draft.tip
    intake.file_entry(draft, record, None)
    certificate = record.certificate
    base = draft.base_of(record.content.parent)
    if base is None:
        raise PeerError(Reason.LEDGER_UNKNOWN_PARENT, "an entry out of order")
    if record.content.id == tip.id:
        draft.tip = with_certificate(tip, certificate, record.beside)
        return
    followed = draft.desk_at(base).followed[record.content.id]
    link = extended(base, followed, certificate, record.beside)
    draft.move_to(link, above=base is tip)
    draft.is_moved = False
    draft.prune_own()
    draft.prune_bound()
    if isinstance(record.content.step, EvictStep):
        is_out = draft.own.is_out or draft.fixed.seat in record.content.step.seats
        draft.own = replace(draft.own, is_out=is_out)


def resent(ledger: Ledger) -> tuple[LedgerMessage, ...]:
    """Return this seat's own messages over its tip and its parent, to be sent after a restart."""
    return tuple(consequences.own_messages(Draft(ledger)))

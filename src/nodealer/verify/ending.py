"""The open end of a transcript: what is signed and in no entry, and for whom the table waits.

It is taken in by a ledger without a seat, the same core that every seat runs: it stands at the
tip's parent, is given the last entry and then what is open, one message after the other. What it
would drop a file should not hold. What it proves is proven, and whom it would miss is awaited.
"""

from __future__ import annotations

from dataclasses import replace

from nodealer.kernel import Bug, PeerError
from nodealer.ledger import (
    Desk,
    Dropped,
    Entry,
    Evidence,
    Fixed,
    Ledger,
    LedgerMessage,
    Left,
    Proposal,
    Sealed,
    Signed,
    Voted,
    entry_message,
    messages,
)
from nodealer.verify.report import Check
from nodealer.verify.unknown_state import NoState
from nodealer.verify.walk import Walk


def signed_of(message: LedgerMessage) -> Signed:
    """Return the signed object of an open message."""
    signed = message.leave if isinstance(message, Left) else messages.signed_of(message)
    assert signed is not None, "the reader lets no other message through"
    return signed


def take_in(walk: Walk, brought: tuple[LedgerMessage, ...]) -> tuple[Ledger | None, list[Evidence]]:
    """Check what is open; return the ledger that has taken it in, and what that has proven."""
    good = [message for message in brought if _is_good(walk, message)]
    if isinstance(walk.tip.state, NoState):
        walk.tally.not_run(Check.LIVENESS, len(good))
        return None, []
    try:
        ledger = _standing(walk)
        for message in good:
            ledger = _received(walk, ledger, message)
    except (Bug, PeerError) as error:
        walk.fail(Check.RULES, "a replay that comes to an end", error.detail)
        return None, []
    return ledger, list(ledger.proven.values())


def _is_good(walk: Walk, message: LedgerMessage) -> bool:
    is_good = walk.is_signed(signed_of(message))
    beside = message.beside if isinstance(message, Proposal | Sealed | Voted) else ()
    for certificate in beside:
        is_good = walk.is_certified(certificate) and is_good
    if isinstance(message, Voted):
        for ground in message.grounds:
            walk.hear(ground)
        if message.kept is not None:
            is_good = _is_good_entry(walk, message.kept) and is_good
    return is_good


def _is_good_entry(walk: Walk, entry: Entry) -> bool:
    signed: list[Signed] = [*entry.contributions]
    for certificate in (entry.certificate, *entry.beside):
        signed.extend(certificate.messages)
        for ground in certificate.grounds:
            walk.hear(ground)
    bad = [one for one in signed if not walk.is_signed(one)]
    return not bad


def _standing(walk: Walk) -> Ledger:
    """Return a ledger that has taken the last entry as a seat would."""
    fixed = Fixed(walk.charter, None, None, walk.checker)
    tip = walk.tip
    below = tip.below
    if below is None:
        return Ledger(fixed, tip, Desk(), Desk())
    ledger = Ledger(fixed, below, Desk(), Desk(), certificates=dict(walk.certificates))
    ledger, _ = ledger.receive(entry_message(tip))
    return ledger if ledger.tip.id == tip.id else Ledger(fixed, tip, Desk(), Desk())


def _received(walk: Walk, ledger: Ledger, message: LedgerMessage) -> Ledger:
    before = sum(ledger.counts.values())
    after, ready = ledger.receive(message)
    if sum(after.counts.values()) == before:
        walk.tally.passed(Check.LIVENESS)
        return after
    dropped = [event.slug for event in ready.show if isinstance(event, Dropped)]
    counted = [slug for slug, count in after.counts.items() if count > ledger.counts.get(slug, 0)]
    walk.fail(
        Check.LIVENESS,
        "what a seat would keep",
        f"{type(message).__name__.lower()}: {', '.join(dropped or counted)}",
        height=signed_of(message).height,
    )
    return replace(after, counts=ledger.counts)

"""Certificates and grounds that come beside a message: checked, and kept at hand.

A stated rank, a kept entry and an eviction without a majority count only with what shows them. It
lies beside the signature, the lowest height first, because certificates rest on each other. What
was checked once stays at hand as long as its height is near the tip, so that a message which needs
it can be passed on.
"""

from __future__ import annotations

from nodealer.kernel import PeerError, Reason
from nodealer.ledger import findings
from nodealer.ledger.certificates import check_certificate
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.draft import Draft
from nodealer.ledger.filing import (
    file_left,
    file_result,
)
from nodealer.ledger.objects import (
    Certificate,
    Content,
    Ground,
    Leave,
)


def take_certificates(
    draft: Draft, beside: tuple[Certificate, ...], known: Content | None = None
) -> None:
    """Check certificates, the lowest first, and have them at hand; settled ones are passed over."""
    for certificate in beside:
        if not certificate.messages:
            raise PeerError(Reason.LEDGER_CERTIFICATE, "empty")
        is_settled = certificate.messages[0].height <= draft.settled_height
        if not is_settled and (certificate.entry, certificate.rank) not in draft.certificates:
            _take_certificate(draft, certificate, known)


def _take_certificate(draft: Draft, certificate: Certificate, known: Content | None) -> None:
    base = draft.link_of(certificate.messages[0].parent)
    if base is None:
        raise PeerError(Reason.LEDGER_UNKNOWN_PARENT, "of a certificate")
    is_known = known is not None and known.id == certificate.entry
    content = known if is_known else _content_of(draft, base, certificate)
    if content is None:
        raise PeerError(Reason.LEDGER_CERTIFICATE, "of an entry not known here")
    check_certified(draft, base, content, certificate)
    draft.keep_certificate(certificate)
    if draft.base_of(base.id) is not None and content.id in draft.desk_at(base).followed:
        file_result(draft, base, draft.desk_at(base).followed[content.id], certificate)


def _content_of(draft: Draft, base: ChainEntry, certificate: Certificate) -> Content | None:
    if draft.base_of(base.id) is not None:
        desk = draft.desk_at(base)
        if certificate.entry in desk.contents:
            return desk.contents[certificate.entry]
    above = draft.link_of(certificate.entry)
    return None if above is None else above.content


def check_certified(
    draft: Draft, base: ChainEntry, content: Content, certificate: Certificate
) -> None:
    """Raise unless the certificate makes the content complete and is signed; keep its grounds."""
    for ground in certificate.grounds:
        findings.check_ground(draft, ground)
    check_certificate(base, content, certificate, draft.backed)
    for message in certificate.messages:
        draft.check(message)
    for ground in certificate.grounds:
        file_ground(draft, ground)


def file_ground(draft: Draft, ground: Ground) -> None:
    """File a ground that was checked."""
    if isinstance(ground, Leave):
        file_left(draft, ground)
    else:
        draft.prove(ground)

"""The shape of an entry, looked at alone: whom it binds, and whether it is in order.

A signature binds whoever made it to what it covers and to nothing else. An entry may be bad because
somebody has signed it so, or because whoever made the file has put together what does not belong
together; only the first has a culprit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodealer.ledger import (
    AuthoredStep,
    Certificate,
    Content,
    Contribution,
    Entry,
    EvictStep,
    Seal,
    in_order,
    stated,
)
from nodealer.table import Acted, read_action


def bound(content: Content, seals: Sequence[Seal]) -> Seal | None:
    """Return the good seal on a content that binds its seat: the author's, or the lowest."""
    step = content.step
    author = step.seat if isinstance(step, AuthoredStep) else None
    return min(seals, key=lambda seal: (seal.seat != author, seal.seat), default=None)


def misnames(content: Content, given: Iterable[Contribution]) -> bool:
    """Say whether a content names contributions as what they are not, or in disorder."""
    seats = {one.id: one.seat for one in given}
    named = [seat for seat, _ in content.contributions]
    is_other = any(seats.get(name, seat) != seat for seat, name in content.contributions)
    return is_other or named != sorted(set(named))


def is_in_order(message: Entry) -> bool:
    """Say whether what lies beside an entry is what its certificate rests on, and no more.

    What was at hand from an earlier entry may be left out.
    """
    certificate, beside = message.certificate, message.beside
    if any(not one.messages for one in (certificate, *beside)):
        return not beside
    known = {(bytes(one.entry), one.rank): one for one in beside}
    return in_order(stated(certificate), known) == beside


def is_grounded(content: Content, certificate: Certificate) -> bool:
    """Say whether there are no grounds, or one for each seat that is left out, in their order."""
    step, grounds = content.step, certificate.grounds
    seats = step.seats if isinstance(step, EvictStep) else ()
    return not grounds or tuple(ground.seat for ground in grounds) == seats


def openings(content: Content) -> int:
    """Return how many cards a content opens with a proof."""
    if not isinstance(content.step, AuthoredStep):
        return 0
    action = read_action(content.step.action)
    return len(action.openings) if isinstance(action, Acted) else 0

"""The seats that are missed: their message could be here and is not.

A seat is missed only for a message that it was able to send. Whoever waits for another's
contribution is not missed for its own; whoever voted to keep the tip and must see that round
complete before it may go on is not missed for what comes over the tip. In its place those are
missed whose vote that round still lacks. So a list of missed seats is a list of those that hold the
table up, and never of those who are held up.

Missing is no fault, and nothing here is signed by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from nodealer.kernel import Seat
from nodealer.ledger.application import Authored, Due
from nodealer.ledger.chain import Followed
from nodealer.ledger.draft import Draft
from nodealer.ledger.objects import AuthoredStep, Keep, Vote


def missed(draft: Draft) -> tuple[Seat, ...]:
    """Return the seats that are missed, in ascending order; never this seat itself."""
    if not draft.is_founded:
        found = set(draft.tip.roster) - set(draft.desk.seals.get(draft.tip.id, ()))
    else:
        found, rounds = _over_tip(draft), _awaited_rounds(draft)
        found = (found - rounds.keys()) | _holding_back(draft, found, rounds)
    return tuple(sorted(found - {draft.fixed.seat} if draft.fixed.seat is not None else found))


def holding_back(draft: Draft) -> set[Seat]:
    """Return the seats whose vote in the round below keeps others from going on."""
    return _holding_back(draft, _over_tip(draft), _awaited_rounds(draft))


def is_acting(draft: Draft) -> bool:
    """Say whether players have to decide something: there is more time for that than to answer."""
    match draft.tip.duty:
        case Authored():
            return not has_begun(draft)
        case Due(parts):
            return any(part.decided for part in parts) and bool(enabled(draft))
        case _:
            return False


def has_begun(draft: Draft) -> bool:
    """Say whether a valid proposal of the seat on turn is here."""
    return proposed(draft) is not None


def proposed(draft: Draft) -> Followed | None:
    """Return the valid proposal over the tip that came first."""
    desk = draft.desk
    for entry, followed in desk.followed.items():
        step = followed.content.step
        if isinstance(step, AuthoredStep) and step.seat in desk.seals.get(entry, ()):
            return followed
    return None


def enabled(draft: Draft) -> set[Seat]:
    """Return the seats that owe a contribution, lack it here, and have what it builds on."""
    desk = draft.desk
    return {
        seat
        for seat in draft.tip.owing()
        if desk.first.get(seat) not in desk.judged and is_enabled(draft, seat)
    }


def is_enabled(draft: Draft, seat: Seat) -> bool:
    """Say whether what the contribution of a seat builds on is here, and good."""
    desk = draft.desk
    return all(desk.first.get(before) in desk.judged for before in draft.tip.predecessors(seat))


def _over_tip(draft: Draft) -> set[Seat]:
    tip = draft.tip
    unsealed = _unsealed(draft)
    match tip.duty:
        case Authored(seat):
            return unsealed if has_begun(draft) else {seat}
        case Due():
            return enabled(draft) or unsealed
        case _:
            return {s for s in unsealed if draft.is_faulty(s)} if has_begun(draft) else set()


def _unsealed(draft: Draft) -> set[Seat]:
    """Return the seats whose seal on the content that this seat has sealed is not here."""
    tip, desk, own = draft.tip, draft.desk, draft.own.seals.get(draft.tip.id)
    sealed = desk.sealed if own is None else desk.seals.get(own.entry, {})
    return {seat for seat in tip.roster if seat not in sealed}


def _last_keep(draft: Draft, seat: Seat) -> int:
    """Return the round in which a seat last voted to keep this tip; 0 if it did not."""
    match draft.past.last_vote(seat):
        case Vote(choice=Keep(entry=entry), round=number) if entry == draft.tip.id:
            return number
        case _:
            return 0


def _awaited_rounds(draft: Draft) -> dict[Seat, int]:
    """Return the seats that are held back, each with the round whose result it needs.

    Who has shown that it holds the tip needs none: it is not answered either, and could otherwise
    vote to keep the tip in a new round and have the others missed in its place for ever.
    """
    if not draft.past.votes:
        return {}
    complete = draft.past.results.get(draft.tip.id, {})
    rounds = {
        seat: _last_keep(draft, seat)
        for seat in draft.tip.roster
        if draft.placed.get(seat, -1) < draft.tip.height
    }
    return {
        seat: number
        for seat, number in rounds.items()
        if number > 0 and not any(rank >= number for rank in complete)
    }


def _holding_back(draft: Draft, found: set[Seat], rounds: Mapping[Seat, int]) -> set[Seat]:
    lacking: set[Seat] = set()
    for seat in found & rounds.keys():
        lacking |= set(draft.tip.roster) - draft.past.votes.get(rounds[seat], {}).keys()
    return lacking

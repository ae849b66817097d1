"""Messages that belong on no desk, and the answer that a seat behind us gets.

A round that settles a height may be asked for long after that height was settled elsewhere: the
asking seat lost patience because messages did not reach it. Every seat that has the entry answers
with `keep`, in the same round, and sends what comes after; so false patience ends with one history
and nobody left out. That is all that happens below the tip: nothing there is ever replaced.

What speaks of an entry that is not known yet is kept aside, a bounded number for every seat, and
filed again when the tip changes. What is further ahead is not kept; its sender is told where this
seat stands and sends what is missing, in order.
"""

from __future__ import annotations

from typing import Final

from nodealer.kernel import Reason, Seat
from nodealer.ledger import catch_up, findings
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.desk import ROUNDS_MAX, put
from nodealer.ledger.draft import AHEAD_MAX, Draft, Slot
from nodealer.ledger.messages import Entry, LedgerMessage, Voted
from nodealer.ledger.objects import Contribution, Keep, Leave, Seal, Signed, Vote
from nodealer.ledger.voting import cast, voted_message

NEAR: Final = (0, 1, 2)
"""Heights above the tip at which a message over an entry not known here may soon be of use."""

ANSWERS_MAX: Final = 16
"""Answers to one seat about one entry in whatever rounds. Patience ends a few times."""

MEETINGS_MAX: Final = 48
MEETINGS_EVERY: Final = 8
"""Further answers, only in rounds that this number divides. Who asks so often plays, or has a clock
that runs much too fast; with that one the others must meet in one round, each by itself."""

BURDENS_MAX: Final = 4
"""Votes of one seat kept aside with grounds, kept entry and certificates, which may take much room
and are not checked yet. Further ones are kept bare; what they need is sent again when asked for."""

WHOLE_MAX: Final = 8
"""Entries kept aside for one seat: of each only one signature was checked, and each may be as long
as a message can be. Further ones are sent again when asked for."""

SLOTS_MAX: Final = ROUNDS_MAX + 8
"""Kinds and rounds for which something is kept aside, for each seat."""


def file_elsewhere(
    draft: Draft, message: LedgerMessage, signed: Signed, sender: Seat | None
) -> None:
    """Deal with a message that is over neither the tip nor its parent."""
    assert not isinstance(signed, Leave), "a leave is over no base"
    ahead = signed.height - draft.tip.height
    if ahead in NEAR and (draft.link_of(signed.parent) is None or not draft.is_founded):
        draft.check(signed)
        findings.compare(draft, signed)
        if isinstance(signed, Seal | Vote | Contribution):
            findings.recognise(draft, signed)
        _put_aside(draft, message, signed)
        catch_up.query(draft, sender)
    elif ahead > 0:
        draft.count(Reason.LEDGER_UNKNOWN_PARENT.value)
        catch_up.query(draft, sender)
    elif isinstance(signed, Vote):
        _answer_below(draft, signed)


def file_far_entry(draft: Draft, message: Entry, sender: Seat | None) -> None:
    """Deal with a complete entry that is over neither the tip nor its parent."""
    first = message.certificate.messages[0]
    ahead = message.content.height - draft.tip.height
    over = draft.link_of(message.content.parent)
    if ahead in NEAR[1:] and (over is None or not draft.is_founded):
        draft.check(first)
        _put_aside(draft, message, first)
    if ahead > 0:
        catch_up.query(draft, sender)


def _put_aside(draft: Draft, message: LedgerMessage, signed: Signed) -> None:
    number = signed.round if isinstance(signed, Vote) else 0
    if isinstance(message, Voted) and _burdens(draft, signed.seat) >= BURDENS_MAX:
        message = Voted(message.vote)
    if isinstance(message, Entry) and _entries(draft, signed.seat) >= WHOLE_MAX:
        return
    slot: Slot = (type(message), signed.seat, number)
    before = draft.ahead.get(slot, ())
    slots = sum(seat == signed.seat for _, seat, _ in draft.ahead)
    is_full = len(before) >= AHEAD_MAX or (not before and slots >= SLOTS_MAX)
    if not is_full and message not in before:
        draft.ahead = put(draft.ahead, slot, (*before, message))


def _burdens(draft: Draft, seat: Seat) -> int:
    """Return how many votes of a seat are kept aside with all that lay beside them."""
    return sum(
        isinstance(message, Voted) and message != Voted(message.vote)
        for (_, other, _), messages in draft.ahead.items()
        if other == seat
        for message in messages
    )


def _entries(draft: Draft, seat: Seat) -> int:
    """Return how many entries are kept aside of which this seat signed the first signature."""
    return sum(
        len(messages)
        for (kind, other, _), messages in draft.ahead.items()
        if (kind, other) == (Entry, seat)
    )


def answer(draft: Draft, base: ChainEntry, vote: Vote) -> None:
    """Answer a vote over the tip's parent with `keep`, if its seat may lack the tip."""
    if base is draft.tip:
        return
    tip, best = draft.tip, draft.past.best(below=vote.round)
    if best is not None and best.rank > tip.rank:
        _answer(draft, base, vote, Keep(best.entry, best.rank))
    elif tip.rank < vote.round:
        _answer(draft, base, vote, Keep(tip.id, tip.rank))


def answer_held(draft: Draft) -> None:
    """Answer the votes that were here before the tip was taken: the last one of every seat.

    A seat that was alone for long may have voted in many rounds; it can follow only from its last.
    """
    below = draft.tip.below
    last: dict[Seat, Vote] = {}
    for number in sorted(draft.past.votes):
        last.update(draft.past.votes[number])
    for vote in sorted(last.values(), key=lambda one: one.round):
        assert below is not None, "votes below the tip are over its parent"
        answer(draft, below, vote)


def _answer_below(draft: Draft, vote: Vote) -> None:
    base = draft.tip.find(vote.base)
    link = draft.tip.at(vote.height)
    if base is None or link is None or vote.height != base.height + 1 or link.below is not base:
        return
    if vote.seat not in base.roster:
        return
    draft.check(vote)
    if link.rank < vote.round <= draft.own.last_round(vote.height) + ROUNDS_MAX:
        _answer(draft, base, vote, Keep(link.id, link.rank))


def _answer(draft: Draft, base: ChainEntry, vote: Vote, choice: Keep) -> None:
    duties = draft.fixed.duties
    lacks = draft.placed.get(vote.seat, -1) < vote.height
    if not lacks or vote.seat == draft.fixed.seat or not duties.answers_with_keep:
        return
    if vote.round <= draft.own.last_round(vote.height):
        _show_rounds(draft, base, vote)
    elif not _asks_too_often(draft, base, vote) and cast(draft, base, vote.round, choice):
        catch_up.send_entries(draft, vote.seat, vote.height)


def _asks_too_often(draft: Draft, base: ChainEntry, vote: Vote) -> bool:
    """Say whether a seat has asked about an entry so often that it cannot lack it.

    What one seat uses up is nothing to any other; below the tip's parent, where nobody of the
    roster can be, all share one number.
    """
    if base is not draft.tip.below:
        count = len(draft.own.votes.get(vote.height, ()))
    else:
        answered = {one.round for one in draft.own.votes_over(vote.height, base.id)}
        asked = {number for number, votes in draft.past.votes.items() if vote.seat in votes}
        count = len(answered & asked)
    is_meeting = vote.round % MEETINGS_EVERY == 0
    return count >= (ANSWERS_MAX + MEETINGS_MAX if is_meeting else ANSWERS_MAX)


def _show_rounds(draft: Draft, base: ChainEntry, vote: Vote) -> None:
    """Send the own vote of the latest round that the seat behind can follow to.

    This seat may have answered others in rounds far above; it cannot vote in a lower one. Whoever
    is behind keeps votes of so many rounds ahead, and comes up to this one by and by.
    """
    near = [
        one
        for one in draft.own.votes_over(vote.height, base.id)
        if vote.round < one.round <= vote.round + ROUNDS_MAX
    ]
    if near:
        draft.send(voted_message(draft, base, near[-1]), vote.seat)

"""Casting a vote, and taking part in a round over a base.

Every vote of this seat is made here, after the rules of `duties` were asked. A vote carries with it
whatever its readers need: the kept entry whole, the certificate of a stated rank, the grounds of an
eviction that no majority backs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer.kernel import Seat
from nodealer.ledger import findings
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.codec import EVIDENCE
from nodealer.ledger.desk import put
from nodealer.ledger.draft import Draft
from nodealer.ledger.duties import is_eviction_of
from nodealer.ledger.messages import Entry, Voted
from nodealer.ledger.objects import Choice, Evict, Evidence, Ground, Keep, Vote

GROUNDS_BYTES_MAX: Final = 3 << 18
"""Evidence beside one vote; a message holds a quarter more, and certificates need some of it."""


def may_cast(draft: Draft, base: ChainEntry, number: int, choice: Choice) -> bool:
    """Ask all rules whether this seat may vote so."""
    seat, duties, own = draft.fixed.seat, draft.fixed.duties, draft.own
    height = base.height + 1
    if seat is None or not draft.may_sign or seat not in base.roster:
        return False
    assert not (isinstance(choice, Keep) and choice.rank >= number), "kept ranks lie below"
    knows_complete = bool(base is draft.tip and draft.desk.results)
    above = draft.tip.at(height)
    return (
        duties.one_vote(own, height, number)
        and duties.holder(knows_complete, choice)
        and (above is None or duties.stands_by(above.id, above.rank, choice))
        and duties.keep(own, height, base.id, choice)
        and not is_eviction_of(choice, seat)
    )


def cast(draft: Draft, base: ChainEntry, number: int, choice: Choice) -> bool:
    """Vote, if the rules allow it; say whether they did."""
    if not may_cast(draft, base, number, choice):
        return False
    seat = draft.fixed.seat
    assert seat is not None, "only a seat may sign"
    rank = draft.fixed.duties.stated_rank(base.rank)
    moment = base.moment()
    vote = draft.sign(Vote(moment.table, moment.height, base.id, rank, number, choice, seat, b""))
    remember(draft, vote)
    message = voted_message(draft, base, vote)
    draft.persist(message)
    draft.send(message)
    draft.show(vote)
    if base is draft.tip:
        draft.heard = frozenset()
    if base is draft.tip or base is draft.tip.below:
        draft.open_at(base).file_vote(vote)
        findings.complete_round(draft, base, number)
    return True


def remember(draft: Draft, vote: Vote) -> None:
    """Add a vote to what this seat has signed."""
    own = draft.own
    votes = put(own.votes, vote.height, (*own.votes.get(vote.height, ()), vote))
    draft.own = replace(own, votes=votes, height=max(own.height, vote.height))


def entry_of(draft: Draft, base: ChainEntry, entry: bytes, rank: int) -> Entry | None:
    """Return a complete entry over a base with its certificate of a rank, if it is at hand."""
    if base is draft.tip or base is draft.tip.below:
        desk = draft.desk_at(base)
        for name, ranks in desk.results.items():
            if name == entry and rank in ranks:
                followed = desk.followed[name]
                beside = draft.beside((entry, rank))[:-1]
                return Entry(followed.content, followed.contributions, ranks[rank], beside)
    link = draft.tip.find(entry)
    if link is None or link.content is None or link.rank != rank:
        return None
    return Entry(link.content, link.contributions, link.certificate, link.beside)


def voted_message(draft: Draft, base: ChainEntry, vote: Vote) -> Voted:
    """Return a vote, of whomever, with all that its readers need."""
    choice, beside = vote.choice, draft.beside_rank(base, vote.rank)
    if isinstance(choice, Keep):
        return Voted(vote, (), entry_of(draft, base, choice.entry, choice.rank), beside)
    return Voted(vote, grounds_of(draft, choice), None, beside)


def grounds_of(draft: Draft, choice: Choice) -> tuple[Ground, ...]:
    """Return the grounds of an eviction that are at hand, as many as a message can hold.

    Where a majority stays they are needed by nobody: what is left out costs no vote its weight.
    """
    known: dict[Seat, Ground] = {**draft.proven, **draft.leaves}
    found: list[Ground] = []
    left = GROUNDS_BYTES_MAX
    for seat in choice.seats if isinstance(choice, Evict) else ():
        ground = known.get(seat)
        size = len(EVIDENCE.write(ground)) if isinstance(ground, Evidence) else 0
        if ground is not None and size <= left:
            found.append(ground)
            left -= size
    return tuple(found)

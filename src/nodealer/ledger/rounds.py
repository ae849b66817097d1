"""The time that a seat has, and what follows when it is over: when to vote, for what, and where.

Timers are never needed for safety; whatever they do, the rules of `duties` hold. They are here so
that a table goes on when a seat falls silent.

    something is missed     the clock of this wait starts; it starts anew when other seats are
                            missed, the tip changes, or this seat has voted
    act or answer is over   the table shows "suspended"; everybody is told what is held, so that
                            what was lost on the way is sent again by whoever has it
    patience is over        this seat joins the round over the tip in which most vote as it does, or
                            opens the next

A seat that has left, or is proven false, is not waited for: the others vote at once, unless all
that is missed is on its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final

from nodealer.kernel import Seat, Value
from nodealer.ledger import catch_up
from nodealer.ledger.application import Closed
from nodealer.ledger.certificates import is_valid_evict, without
from nodealer.ledger.desk import ROUNDS_MAX
from nodealer.ledger.draft import Draft
from nodealer.ledger.missed import has_begun, is_acting, missed
from nodealer.ledger.objects import Choice, Evict, Keep, Vote
from nodealer.ledger.ready import Stalled, Suspended
from nodealer.ledger.recall import unanswered
from nodealer.ledger.voting import cast, may_cast

SILENCE_ROUND: Final = 2
"""In this round a seat that has said nothing since the one before is left out with the missed."""

STUBBORN_ROUND: Final = 3
"""From this round on seats vote with a majority that agreed, and leave out who has held it up."""

MEETINGS: Final = 4
"""Who has held up two of so many rounds in which a majority has voted alike is left out."""


def next_round(draft: Draft) -> int:
    """Return the round that this seat would vote in now."""
    last = draft.own.last_round(draft.tip.height + 1)
    seen = draft.desk.last_round()
    return seen if seen > last else last + 1


def joined_round(draft: Draft) -> int:
    """Return the round in which this seat's vote joins the most others; the highest of several.

    All of those who stay must vote alike in one round. If everybody joined the highest round, one
    seat with a fast clock, or with bad intentions, could keep the others from ever meeting. A
    round out of reach is not joined, and keeps nobody from opening the next one.
    """
    last = draft.own.last_round(draft.tip.height + 1)
    seen = [n for n in draft.desk.votes if n > last and _is_within_reach(draft, n)]
    if not seen:
        return last + 1

    def agreeing(number: int) -> int:
        choice = choose(draft, number)
        return sum(vote.choice == choice for vote in draft.desk.votes[number].values())

    return max(seen, key=lambda number: (agreeing(number), number))


def limit(draft: Draft) -> int:
    """Return the ticks after which the table is suspended."""
    clock = draft.fixed.charter.clock
    return clock.act if is_acting(draft) else clock.answer


def patience(draft: Draft, until_suspended: int) -> int:
    """Return the ticks after which this seat votes."""
    clock = draft.fixed.charter.clock
    doublings = min(next_round(draft) - 1, ROUNDS_MAX)
    return min(clock.longest, (until_suspended + clock.rejoin) << doublings)


def watch(draft: Draft) -> int | None:
    """Start the clock anew if something else is awaited now; return the tick to be woken at."""
    awaited = _awaited(draft)
    if awaited != draft.awaited:
        draft.awaited, draft.since, draft.is_suspended = awaited, draft.now, False
    if not awaited:
        return None
    until_suspended = limit(draft)
    until_vote = patience(draft, until_suspended)
    return draft.since + (until_vote if draft.is_suspended else min(until_suspended, until_vote))


def _awaited(draft: Draft) -> tuple[Value, ...]:
    if draft.suspect is not None:
        return ("suspect", unanswered(draft), draft.tip.id)
    waited_for = missed(draft)
    complete = bool(draft.desk.results)
    if not waited_for and not complete:
        return ()
    return (draft.tip.id, waited_for, complete, draft.own.last_round(draft.tip.height + 1))


def pass_time(draft: Draft) -> bool:
    """Do what is due at the present tick, and say whether anything was."""
    if not draft.awaited:
        return False
    waited, until_suspended = draft.now - draft.since, limit(draft)
    until_vote = patience(draft, until_suspended)
    is_suspended, is_voting = waited >= until_suspended, waited >= until_vote
    if is_suspended and not draft.is_suspended:
        draft.is_suspended = True
        draft.show(Suspended(missed(draft), draft.since + until_vote))
        catch_up.tell_all(draft)
    if is_voting:
        lose_patience(draft)
    return is_suspended or is_voting


def lose_patience(draft: Draft) -> None:
    """Vote over the tip, or say that no majority can be had."""
    draft.since = draft.now
    if not draft.is_founded or not draft.may_sign:
        catch_up.tell_all(draft)
        return
    number = joined_round(draft)
    choice = choose(draft, number) if _is_within_reach(draft, number) else None
    if choice is None:
        draft.show(Stalled(missed(draft)))
        catch_up.tell_all(draft)
    else:
        cast(draft, draft.tip, number, choice)


def _is_within_reach(draft: Draft, number: int) -> bool:
    """Say whether a round is one that a majority can still join.

    Votes of rounds far ahead are not kept, so a seat that went on alone would be heard by nobody
    who comes back. It waits for the others instead. Only where it keeps a complete entry it counts
    itself as there already: who answered it may have been asked by others, in rounds far above.
    """
    height, over = draft.tip.height + 1, draft.desk.votes
    last = dict.fromkeys(draft.tip.roster, 0)
    for seen, votes in over.items():
        last.update({seat: max(last.get(seat, 0), seen) for seat in votes})
    assert draft.fixed.seat is not None, "only a seat loses patience"
    last[draft.fixed.seat] = number if draft.desk.results else draft.own.last_round(height)
    return number <= _reached(draft, last.values()) + ROUNDS_MAX // 2


def _reached(draft: Draft, rounds: Iterable[int]) -> int:
    """Return the last round that a majority has come to, if these are the last ones of seats."""
    reached = sorted(rounds, reverse=True)
    needed = draft.tip.quorum_of(len(draft.tip.quorum_roster))
    return reached[needed - 1] if len(reached) >= needed else 0


def act_on_faults(draft: Draft) -> bool:
    """Vote at once if all that is missed has left or is proven false; say whether it was done."""
    if not (draft.leaves or draft.proven) or draft.desk.results:
        return False
    faulty = _faulty(draft)
    if not faulty or not draft.may_sign or not _is_held_up(draft, faulty):
        return False
    number = joined_round(draft)
    own = draft.own.votes_over(draft.tip.height + 1, draft.tip.id)
    last = own[-1].choice if own else None
    has_said_so = isinstance(last, Evict) and set(faulty) <= set(last.seats)
    if (has_said_so and number not in draft.desk.votes) or not _is_within_reach(draft, number):
        return False
    choice = choose(draft, number)
    return isinstance(choice, Evict) and cast(draft, draft.tip, number, choice)


def _is_held_up(draft: Draft, faulty: tuple[Seat, ...]) -> bool:
    """Say whether what is due can only go on without these seats."""
    if isinstance(draft.tip.duty, Closed) and not has_begun(draft):
        return False
    waited_for = missed(draft)
    if waited_for and all(seat in faulty for seat in waited_for):
        return True
    leaves = draft.leaves
    return any(s in draft.proven or leaves[s].height <= draft.tip.height for s in faulty)


def choose(draft: Draft, number: int) -> Choice | None:
    """Return what this seat votes for over its tip in a round, or nothing."""
    best = draft.desk.best(below=number)
    if best is not None:
        keep = Keep(best.entry, best.rank)
        return keep if may_cast(draft, draft.tip, number, keep) else None
    for seats in _candidates(draft, number):
        choice = Evict(seats)
        if _is_valid(draft, seats) and may_cast(draft, draft.tip, number, choice):
            return choice
    return None


def _candidates(draft: Draft, number: int) -> list[tuple[Seat, ...]]:
    alone = _alone(draft, number)
    if number >= STUBBORN_ROUND:
        now = [*_agreed(draft, number - 1), *alone]
        before = [*_agreed(draft, number - 2), *alone]
        return before if _are_more(draft, number, before, now) else now
    if number != SILENCE_ROUND or _faulty(draft):
        return alone
    together = tuple(sorted(_unheard(draft).union(alone[0] or alone[1])))
    is_outvoted = any(_are_more(draft, number, [seats], [together]) for seats in alone)
    return alone if is_outvoted else [together, *alone]


def _alone(draft: Draft, number: int) -> list[tuple[Seat, ...]]:
    """Return the faulty seats, or those that are missed, first without those that voted before."""
    if faulty := _faulty(draft):
        return [faulty]
    waited_for, before = missed(draft), draft.desk.votes.get(number - 1, {})
    return [tuple(seat for seat in waited_for if seat not in before), waited_for]


def _are_more(
    draft: Draft, number: int, some: list[tuple[Seat, ...]], others: list[tuple[Seat, ...]]
) -> bool:
    """Say whether more have voted in a round for the first valid one of some than of others."""
    cast = [vote.choice for vote in draft.desk.votes.get(number, {}).values()]
    one, other = (
        next((cast.count(Evict(seats)) for seats in each if _is_valid(draft, seats)), 0)
        for each in (some, others)
    )
    return one > other


def _unheard(draft: Draft) -> set[Seat]:
    """Return the seats that have said nothing since this one voted in the first round.

    Missed or not, they have cast no vote over the tip; nothing else that they have signed has come
    in since, from whomever; and nothing that is valid has come over their own link, not even where
    they stand. Whoever is there has had a whole round for any of these.

    That is asked once. In a later round a majority that agrees leaves out all others as well; and
    if it were asked in each, a seat that lets itself be heard by some alone could part them for
    ever.
    """
    tip = draft.tip
    if draft.own.last_round_over(tip.height + 1, tip.id) != SILENCE_ROUND - 1:
        return set()
    voters = {seat for votes in draft.desk.votes.values() for seat in votes}
    return set(tip.roster) - voters - draft.heard - {draft.fixed.seat}


def _faulty(draft: Draft) -> tuple[Seat, ...]:
    return tuple(
        seat for seat in draft.tip.roster if draft.is_faulty(seat) and seat != draft.fixed.seat
    )


def _agreed(draft: Draft, latest: int) -> list[tuple[Seat, ...]]:
    """Return what a majority wanted when it met last, first with those who have held it up.

    A majority has met in a round if so many have voted in it, whatever for. Rounds up to the latest
    count: the one before that which is voted in, so that who votes in it first has acted on the
    same as the others. Where more have voted as the round before that one tells, they are a round
    ahead, and cannot have known the last one; who comes later votes with them.

    Whoever votes otherwise once may be honest: it has heard something later than the others, or
    sooner. It follows them now, if they have not left it out. Who holds up a round in which they
    vote alike, and then another one, does not want to go on; or it is gone.
    """
    met = [
        votes
        for seen, votes in sorted(draft.desk.votes.items())
        if seen <= latest and draft.tip.is_majority(len(votes))
    ]
    choice = _wanted(draft, met[-1]) if met else None
    if choice is None:
        return []
    alike = list(takewhile(lambda votes: _wanted(draft, votes) == choice, reversed(met)))[:MEETINGS]
    cast = [seat for votes in alike for seat, vote in votes.items() if vote.choice == choice]
    holding_up = {seat for seat in draft.tip.roster if cast.count(seat) < len(alike) - 1}
    return [tuple(sorted(holding_up.union(choice.seats))), choice.seats]


def _wanted(draft: Draft, votes: Mapping[Seat, Vote]) -> Evict | None:
    """Return whom a majority wanted to leave out in a round."""
    cast = [vote.choice for vote in votes.values()]
    for choice in cast:
        if isinstance(choice, Evict) and draft.tip.is_majority(cast.count(choice)):
            return choice
    return None


def _is_valid(draft: Draft, seats: tuple[Seat, ...]) -> bool:
    tip = draft.tip
    stay = without(tip.roster, seats)
    faulty = frozenset(seat for seat in seats if draft.is_faulty(seat))
    return draft.fixed.seat not in seats and is_valid_evict(tip, stay, seats, faulty)

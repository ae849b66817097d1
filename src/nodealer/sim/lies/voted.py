"""Lies in the rounds: votes that contradict each other or what their seat has sealed.

A liar does not wait for somebody to fall silent; it votes at the next best occasion, against seats
that have done nothing. No such vote wins, since nobody joins it; what follows is who is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from nodealer.ledger import (
    ROUNDS_MAX,
    Evict,
    Keep,
    Leave,
    LedgerMessage,
    Left,
    Outgoing,
    Sealed,
    Voted,
    entry_message,
)
from nodealer.sim.lying import Behaviour, End, Liar, Lie, as_it_is, once, to_all

LEAST_HEIGHT: Final = 6
"""The first deal is over; there are entries below the tip to vote on."""

Votes: TypeAlias = Callable[[Liar], Iterable[Lie] | None]


def at_a_seal(votes: Votes, *, is_sealing: bool) -> Callable[[Liar, Outgoing], Iterable[Lie]]:
    """Return the behaviour that votes right after a seal of the liar, or in its place."""

    def voting(liar: Liar, out: Outgoing) -> Iterable[Lie] | None:
        lies = votes(liar) if _is_occasion(liar, out) else None
        return None if lies is None else [*([as_it_is(out)] if is_sealing else []), *lies]

    return once(voting)


def _is_occasion(liar: Liar, out: Outgoing) -> bool:
    message = out.message
    is_seal = isinstance(message, Sealed) and message.seal.parent == liar.tip.id
    return is_seal and liar.tip.height >= LEAST_HEIGHT


def _two_votes(liar: Liar) -> Iterable[Lie] | None:
    """Two different votes in one round."""
    one, other = liar.others[:2]
    votes = [liar.vote(liar.tip, 1, Evict((seat,))) for seat in (one, other)]
    return to_all(*(Voted(vote) for vote in votes))


def _regressing(liar: Liar) -> Iterable[Lie] | None:
    """First a vote to keep the tip, then one to leave somebody out in its place."""
    base = liar.tip.below
    if base is None or liar.tip.rank or base.rank:
        return None
    keep = liar.vote(base, 1, Keep(liar.tip.id, 0))
    evict = liar.vote(base, 2, Evict(liar.others[:1]))
    return to_all(Voted(keep, kept=entry_message(liar.tip)), Voted(evict))


def _against_its_seal(liar: Liar) -> Iterable[Lie] | None:
    """A seal over the tip, and a vote that there be another tip."""
    base = liar.tip.below
    if base is None or liar.tip.rank or base.rank:
        return None
    return to_all(Voted(liar.vote(base, 1, Evict(liar.others[:1]))))


def _against_nobody(liar: Liar) -> Iterable[Lie] | None:
    """A vote to leave out nobody."""
    return to_all(Voted(liar.vote(liar.tip, 1, Evict(()))))


def _ever_new(liar: Liar, out: Outgoing) -> Iterable[Lie]:
    """From some point on, nothing but votes, each in a round after those of the others."""
    if liar.strikes or _is_occasion(liar, out):
        liar.strikes += 1
        return []
    return liar.passes(out)


def _ever_new_seen(liar: Liar, message: LedgerMessage) -> Iterable[Lie]:
    """Answer every vote with one of the next round over the same base.

    If the others have kept what the last ones were against, there is nothing more to say without
    leaving a proof.
    """
    if not liar.strikes or not isinstance(message, Voted):
        return []
    # The table behind the liar may have the entry over this base that the others miss its seal for.
    base, number = liar.tip.find(message.vote.base), message.vote.round + 1
    if base is None or len(liar.kept) >= number or number > ROUNDS_MAX:
        return []
    lies = liar.says(Voted(liar.vote(base, number, Evict(liar.others[:1]))))
    if lies:
        liar.kept.extend([b""] * (number - len(liar.kept)))
    return lies


def _after_leaving(liar: Liar) -> Iterable[Lie] | None:
    """A last word that is not the last, and that is older than the seal beside it."""
    moment = liar.tip.moment()
    place = (moment.table, liar.tip.height, liar.tip.id)
    return to_all(Left(liar.signed(Leave(*place, 0, liar.seat, b""))))


VOTED: Final = (
    Behaviour(
        "two votes",
        End.PROVEN,
        at_a_seal(_two_votes, is_sealing=True),
        # The table behind the liar may have the entry that one of them denies.
        codes=("E2", "E4"),
        least_seats=3,
    ),
    Behaviour(
        "regressing vote",
        End.PROVEN,
        at_a_seal(_regressing, is_sealing=False),
        # The table behind the liar goes on to vote and seal as if it had not said that.
        codes=("E3", "E2", "E4"),
        least_seats=3,
    ),
    Behaviour(
        "vote against its seal",
        End.PROVEN,
        at_a_seal(_against_its_seal, is_sealing=True),
        # The table behind the liar may answer those who keep its tip, in the same round.
        codes=("E4", "E2"),
        least_seats=3,
    ),
    Behaviour(
        "vote against nobody",
        End.PROVEN,
        at_a_seal(_against_nobody, is_sealing=True),
        # The table behind the liar votes with the others to leave it out, in the same round, or
        # has the entry that its word denies.
        codes=("E5", "E2", "E4"),
    ),
    Behaviour("ever new rounds", End.SILENT, _ever_new, _ever_new_seen, least_seats=3),
    Behaviour(
        "seal after leaving", End.PROVEN, at_a_seal(_after_leaving, is_sealing=True), codes=("E7",)
    ),
)
"""What a seat can do wrong in rounds."""

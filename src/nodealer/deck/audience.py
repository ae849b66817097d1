"""The audience of a slot, and who must release what so that exactly they can finish it.

Every closed layer of a slot belongs to one seat. `known(j)` is j and everybody to whom j's layer
was sealed; the audience is the set of seats that may see the face, with `PUBLIC` for everybody.
Both only grow, and every release counts from the moment it is agreed, sent or not.

The invariant speaks of coalitions, because a rule for single seats is not enough (two layers
sealed to one viewer by two others would let those two see the card together):

    for every set B of seats that holds nobody of the audience and not every seat,
    some closed layer is known to nobody in B.

Three conditions imply it and can be checked at once:

    1. whoever knows a closed layer is its seat or in the audience;
    2. while the audience is empty, every seat's layer is closed;
    3. while the audience is some seats, one of them has a closed layer.

`plan` is the one place that decides on releases. For a new audience it picks a guard, the closed
layer of a member that lacks the fewest seals; all other closed layers open, and the guard's is
sealed to every member that does not know it yet. The invariant holds after every subset of these
releases has arrived, in any order.

What all seats may see is open to everybody, unless a wish says that the card stays closed: then
the guard's layer is sealed to all others, and its seat can still restack the card or hand it on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from nodealer.kernel import LocalError, Reason, Seat

PUBLIC: Final = Seat(-1)
"""Everybody, spectators and readers of the history included."""


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The releases that one slot needs, and who will then be able to see it."""

    audience: frozenset[Seat]
    opens: tuple[Seat, ...] = ()
    guard: Seat | None = None
    viewers: tuple[Seat, ...] = ()

    @property
    def releasing(self) -> frozenset[Seat]:
        """The seats that have something to send."""
        sealing = (self.guard,) if self.guard is not None and self.viewers else ()
        return frozenset((*self.opens, *sealing))


def widened(
    audience: frozenset[Seat],
    added: Collection[Seat],
    roster: Collection[Seat],
    *,
    stays_closed: bool = False,
) -> frozenset[Seat]:
    """Return the audience with `added`; once that completes the roster, the card is public.

    It is not if it stays closed, as long as nobody wishes it to be public.
    """
    target = audience | frozenset(added)
    completed = target != audience and target.issuperset(roster) and not stays_closed
    return target | {PUBLIC} if completed else target


def plan(
    closed: Mapping[Seat, frozenset[Seat]],
    audience: frozenset[Seat],
    added: Collection[Seat],
    roster: Collection[Seat],
    *,
    stays_closed: bool = False,
) -> ReleasePlan:
    """Return what it takes to add seats to the audience of a slot.

    `closed` maps each seat with a closed layer to those who know that layer, itself included.
    Whoever was granted the slot and can finish it needs nothing. Who handed it over is in its
    audience from memory alone, and gets a seal if that is wished; so does whoever was granted it by
    releases that were broken off.
    """
    if all(_is_served(closed, audience, seat) for seat in added):
        return ReleasePlan(audience)
    target = widened(audience, added, roster, stays_closed=stays_closed)
    if PUBLIC in target:
        return _possible(ReleasePlan(target, opens=tuple(sorted(closed))), roster)
    guard = _guard(closed, target)
    return _possible(
        ReleasePlan(
            target,
            opens=tuple(sorted(seat for seat in closed if seat != guard)),
            guard=guard,
            viewers=tuple(sorted(target - closed[guard])),
        ),
        roster,
    )


def _is_served(
    closed: Mapping[Seat, frozenset[Seat]], audience: frozenset[Seat], seat: Seat
) -> bool:
    return seat in audience and all(seat in known for known in closed.values())


def _guard(closed: Mapping[Seat, frozenset[Seat]], target: frozenset[Seat]) -> Seat:
    members = [seat for seat in closed if seat in target]
    if not members:
        raise LocalError(Reason.DECK_AUDIENCE, "no closed layer belongs to the audience")
    return min(members, key=lambda seat: (len(target - closed[seat]), seat))


def _possible(made: ReleasePlan, roster: Collection[Seat]) -> ReleasePlan:
    gone = made.releasing - frozenset(roster)
    if gone:
        raise LocalError(Reason.DECK_SEAT_GONE, f"layers of {sorted(gone)} are needed")
    return made

"""The release planner, searched exhaustively: every audience, every order, every partial delivery.

A state of the search is one slot as the planner sees it: which layers are closed, who knows each of
them, who may see the card, and which seats are still at the table. From the fresh slot every change
of the audience is made (each set of seats, and everybody), each again from every state that comes
out. Of the releases of each plan every subset is delivered, single seals apart, and every coalition
is asked whether it can take off all layers that are left. It must never be able to unless it holds
somebody of the audience or every seat; and once all is delivered it must be able to if it does.

Spectators hold no layer and no seal: a coalition with them can do what it can do without them, and
spectators alone are the empty coalition.

`states` counts the distinct states of the slot between operations; `deliveries` counts what was
checked: each change from each state with each subset of its releases, changes that add nobody
included, but each state only once however many orders of changes lead to it.

In a search with `closing` each change is also made so that the card stays closed, whoever sees it:
then all seats may be the audience, and the guard's layer still keeps everybody else out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, combinations, product

import pytest

from nodealer.deck import PUBLIC, ReleasePlan, plan
from nodealer.kernel import LocalError, Reason, Seat

Closed = Mapping[Seat, frozenset[Seat]]
Planner = Callable[[Closed, frozenset[Seat], Collection[Seat], Collection[Seat]], ReleasePlan]


@dataclass(frozen=True)
class State:
    """One slot between two operations."""

    closed: tuple[tuple[Seat, frozenset[Seat]], ...]
    audience: frozenset[Seat]
    roster: frozenset[Seat]


@dataclass
class Tally:
    """What a search went through, and what it found wrong."""

    states: int = 0
    deliveries: int = 0
    refused: int = 0
    most_seals: int = 0
    wrong: list[str] = field(default_factory=list)


def fresh(seats: int) -> State:
    everybody = [Seat(seat) for seat in range(seats)]
    closed = tuple((seat, frozenset((seat,))) for seat in everybody)
    return State(closed, frozenset(), frozenset(everybody))


def subsets(
    items: Sequence[tuple[Seat, Seat | None]],
) -> Iterator[frozenset[tuple[Seat, Seat | None]]]:
    sizes = range(len(items) + 1)
    return map(frozenset, chain.from_iterable(combinations(items, size) for size in sizes))


def changes(roster: frozenset[Seat]) -> Iterator[frozenset[Seat]]:
    """Every set of seats, none included, and everybody."""
    seats = sorted(roster)
    for size in range(len(seats) + 1):
        yield from map(frozenset, combinations(seats, size))
    yield frozenset((PUBLIC,))


def bits(seats: Collection[Seat]) -> int:
    return sum(1 << seat for seat in seats if seat != PUBLIC)


@cache
def findings(seats: int, layers: tuple[int, ...], audience: int, public: bool, full: bool) -> str:
    """Ask every coalition whether it can finish; `layers` holds who knows each closed one."""
    for coalition in range(1 << seats):
        able = all(known & coalition for known in layers)
        entitled = public or coalition & audience or coalition == (1 << seats) - 1
        if able and not entitled:
            return f"coalition {coalition:b} can finish"
        if full and entitled and not able:
            return f"coalition {coalition:b} cannot finish"
    return ""


def delivered(
    closed: Closed, made: ReleasePlan, arrived: Collection[tuple[Seat, Seat | None]]
) -> dict[Seat, frozenset[Seat]]:
    """Return who knows which layer after some of a plan's releases have arrived."""
    opened = {seat for seat, viewer in arrived if viewer is None}
    left = {seat: known for seat, known in closed.items() if seat not in opened}
    viewers = frozenset(viewer for _, viewer in arrived if viewer is not None)
    if made.guard is not None:
        left[made.guard] = left[made.guard] | viewers
    return left


def releases(made: ReleasePlan) -> list[tuple[Seat, Seat | None]]:
    opens: list[tuple[Seat, Seat | None]] = [(seat, None) for seat in made.opens]
    return opens + [(made.guard, viewer) for viewer in made.viewers if made.guard is not None]


def check_plan(seats: int, state: State, made: ReleasePlan, tally: Tally) -> State:
    """Deliver every subset of a plan's releases; return the state once all have arrived."""
    closed, due = dict(state.closed), releases(made)
    tally.most_seals = max(tally.most_seals, len(made.viewers))
    for arrived in subsets(due):
        tally.deliveries += 1
        left = delivered(closed, made, arrived)
        layers = tuple(sorted(map(bits, left.values())))
        public, full = PUBLIC in made.audience, len(arrived) == len(due)
        found = findings(seats, layers, bits(made.audience), public, full)
        if found:
            tally.wrong.append(f"{found}: {state}, {made}, arrived {sorted(map(str, arrived))}")
    after = delivered(closed, made, due)
    return State(tuple(sorted(after.items())), made.audience, state.roster)


def search(
    seats: int, planner: Planner = plan, *, leaving: bool = False, closing: bool = False
) -> Tally:
    """Go through every state; with `leaving`, seats leave the table in every order as well."""
    staying: Planner = partial(plan, stays_closed=True)
    planners = [planner, staying] if closing else [planner]
    tally = Tally()
    start = fresh(seats)
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        found = [
            State(state.closed, state.audience, state.roster - {gone})
            for gone in state.roster
            if leaving and len(state.roster) > 1
        ]
        for added, planned in product(changes(state.roster), planners):
            closed = dict(state.closed)
            try:
                made = planned(closed, state.audience, added, state.roster)
            except LocalError as refusal:
                tally.refused += 1
                if refusal.reason is not Reason.DECK_SEAT_GONE or state.roster >= set(closed):
                    tally.wrong.append(f"{refusal.slug}: {state} + {sorted(added)}")
                continue
            if not made.releasing <= state.roster:
                tally.wrong.append(f"needs a layer of a seat that left: {state}, {made}")
            found.append(check_plan(seats, state, made, tally))
        for new in found:
            if new not in seen:
                seen.add(new)
                waiting.append(new)
    tally.states = len(seen)
    return tally


@pytest.mark.parametrize(
    ("seats", "states", "counted"),
    [(2, 7, 49), (3, 18, 257), (4, 45, 1409), (5, 108, 7941)],
)
def test_exactly_the_audience_can_finish_in_every_state(
    seats: int, states: int, counted: int
) -> None:
    tally = search(seats)
    assert tally.wrong == []
    assert tally.refused == 0
    assert (tally.states, tally.deliveries) == (states, counted)
    # n - 1 seals suffice for n seats; the plans need one less, as the guard is a viewer itself.
    assert tally.most_seals == seats - 2


@pytest.mark.parametrize(
    ("seats", "states", "counted", "refused"),
    [(2, 21, 85, 8), (3, 126, 662, 78), (4, 675, 4923, 624), (5, 3348, 35736, 4690)],
)
def test_seats_that_leave_are_never_needed_and_never_weaken_a_card(
    seats: int, states: int, counted: int, refused: int
) -> None:
    tally = search(seats, leaving=True)
    assert tally.wrong == []
    assert (tally.states, tally.deliveries, tally.refused) == (states, counted, refused)


@pytest.mark.parametrize(
    ("seats", "states", "counted"),
    [(2, 9, 122), (3, 21, 594), (4, 49, 3154), (5, 113, 17546)],
)
def test_a_card_that_stays_closed_is_seen_by_its_audience_alone(
    seats: int, states: int, counted: int
) -> None:
    tally = search(seats, closing=True)
    assert tally.wrong == []
    assert (tally.states, tally.deliveries, tally.refused) == (states, counted, 0)


@pytest.mark.parametrize(
    ("seats", "states", "counted", "refused"),
    [(2, 27, 218, 20), (3, 147, 1548, 174), (4, 735, 10902, 1304)],
)
def test_so_is_one_where_seats_leave(seats: int, states: int, counted: int, refused: int) -> None:
    tally = search(seats, leaving=True, closing=True)
    assert tally.wrong == []
    assert (tally.states, tally.deliveries, tally.refused) == (states, counted, refused)


def opening_again(
    closed: Closed, audience: frozenset[Seat], added: Collection[Seat], roster: Collection[Seat]
) -> ReleasePlan:
    """Let all but the new viewers open, as for a first peek."""
    made = plan(closed, audience, added, roster)
    opens = tuple(sorted(set(closed) - set(added)))
    return ReleasePlan(made.audience, opens=opens) if added else made


def guarding_by_owner(
    closed: Closed, audience: frozenset[Seat], added: Collection[Seat], roster: Collection[Seat]
) -> ReleasePlan:
    """Keep the lowest layer closed, whether its seat may see the card or not."""
    made = plan(closed, audience, added, roster)
    if made.guard is None:
        return made
    guard = min(closed)
    opens = tuple(sorted(set(closed) - {guard}))
    return ReleasePlan(made.audience, opens, guard, tuple(sorted(made.audience - closed[guard])))


def forgetting_the_audience(
    closed: Closed, audience: frozenset[Seat], added: Collection[Seat], roster: Collection[Seat]
) -> ReleasePlan:
    """Plan as if nobody had seen the card before."""
    return plan(closed, frozenset() if added else audience, added, roster)


def expecting_everybody(
    closed: Closed, audience: frozenset[Seat], added: Collection[Seat], roster: Collection[Seat]
) -> ReleasePlan:
    """Count on layers of seats that have left."""
    everybody = set(closed) | set(roster)
    return plan(closed, audience, added, everybody)


@pytest.mark.parametrize(
    "flawed", [opening_again, guarding_by_owner, forgetting_the_audience, expecting_everybody]
)
def test_the_search_reports_planners_that_are_wrong(flawed: Planner) -> None:
    assert search(3, flawed, leaving=True).wrong


def test_the_table_of_operations() -> None:
    """The plans that `specs/03-deck.md` spells out, for three seats."""
    everybody = tuple(map(Seat, range(3)))
    p, q, r = everybody
    closed = {seat: frozenset((seat,)) for seat in everybody}
    nobody: frozenset[Seat] = frozenset()
    one = frozenset((p,))
    seen = {p: one}
    assert plan(closed, nobody, (), everybody) == ReleasePlan(nobody)
    assert plan(closed, nobody, (p,), everybody) == ReleasePlan(one, (q, r), p)
    assert plan(seen, one, (q,), everybody) == ReleasePlan(one | {q}, (), p, (q,))
    assert plan(closed, nobody, (q, r), everybody) == ReleasePlan(
        frozenset((q, r)), (p, r), q, (r,)
    )
    assert plan(seen, one, (PUBLIC,), everybody) == ReleasePlan(one | {PUBLIC}, (p,))
    assert plan(seen, one, (q, r), everybody).audience == {p, q, r, PUBLIC}
    assert plan({}, frozenset((PUBLIC,)), (), everybody) == ReleasePlan(frozenset((PUBLIC,)))


def test_the_guard_is_the_layer_that_lacks_the_fewest_seals() -> None:
    p, q, r, s = everybody = tuple(map(Seat, range(4)))
    closed = {p: frozenset((p,)), q: frozenset((q, r))}
    made = plan(closed, frozenset((p, q)), (r,), everybody)
    assert (made.guard, made.opens, made.viewers) == (q, (p,), (p,))
    assert s not in made.audience


def test_with_two_seats_showing_to_all_but_the_owner_seals_to_nobody() -> None:
    owner, viewer = Seat(0), Seat(1)
    closed = {seat: frozenset((seat,)) for seat in (owner, viewer)}
    made = plan(closed, frozenset(), (viewer,), (owner, viewer))
    assert made == ReleasePlan(frozenset((viewer,)), (owner,), viewer, ())
    assert made.releasing == {owner}


def test_a_card_that_stays_closed_keeps_its_layer_until_everybody_is_to_see_it() -> None:
    p, q, r = everybody = tuple(map(Seat, range(3)))
    one = frozenset((p,))
    both = plan({p: one}, one, (q, r), everybody, stays_closed=True)
    assert both == ReleasePlan(frozenset(everybody), (), p, (q, r))
    pair = plan({p: one}, one, (q,), (p, q), stays_closed=True)
    assert pair == ReleasePlan(frozenset((p, q)), (), p, (q,))
    closed = {p: frozenset((p, q))}
    assert plan(closed, pair.audience, (p, q), (p, q)) == ReleasePlan(pair.audience)
    opened = plan(closed, pair.audience, (PUBLIC,), (p, q), stays_closed=True)
    assert opened == ReleasePlan(pair.audience | {PUBLIC}, (p,))


def test_a_layer_of_nobody_in_the_audience_has_no_plan() -> None:
    with pytest.raises(LocalError) as refused:
        plan({Seat(0): frozenset((Seat(0),))}, frozenset(), (Seat(1),), [Seat(0), Seat(1)])
    assert refused.value.reason is Reason.DECK_AUDIENCE


def test_layers_of_seats_that_left_are_refused() -> None:
    closed = {Seat(seat): frozenset((Seat(seat),)) for seat in range(3)}
    for added in (Seat(0), PUBLIC):
        with pytest.raises(LocalError) as refused:
            plan(closed, frozenset(), (added,), [Seat(0), Seat(1)])
        assert refused.value.reason is Reason.DECK_SEAT_GONE


def test_the_last_seats_at_the_table_are_everybody() -> None:
    """With seat 2 gone, what both others may see is public, unless its layer is in the way."""
    one = frozenset((Seat(0),))
    made = plan({Seat(0): one}, one, (Seat(1),), [Seat(0), Seat(1)])
    assert made == ReleasePlan(frozenset((PUBLIC, Seat(0), Seat(1))), (Seat(0),))


def test_a_wish_that_names_nobody_changes_nothing() -> None:
    """Not even where all who are left are in the audience, and nobody asked to make it public."""
    p, q, gone = map(Seat, range(3))
    for audience in (frozenset[Seat](), frozenset((p, q))):
        made = plan({p: frozenset((p, q)), gone: frozenset((gone,))}, audience, (), (p, q))
        assert made == ReleasePlan(audience)
        assert not made.releasing

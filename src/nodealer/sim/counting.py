"""The happenings of simulated games, by name, so that a run can show that nothing was missed.

Counts are taken from what happened and not from what was planned: a fault counts when it strikes,
a lie when it is told, evidence when the judge finds it. Names have two words, the group first:

    fault …     what the network, the clocks and the machines did
    lie …       behaviours that struck, once for each liar
    evidence …  codes that the judge finds in the witness's transcript
    verdict …   what the judge says of the witness's transcript
    table …     evictions, entries that a round kept, second games; and what operations come to:
                reshuffles, choices, verdicts of either kind, notices
    game …      what the game itself says that many games come to, in the witness's history

`expected_names` says which of them a long run of a game has to reach, or a run with certain plans;
the summary of a run lists all of those even if they stayed at zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nodealer.games import Milestone
from nodealer.ledger import AuthoredStep, ChainEntry, DueStep, EvictStep, Keep, Ledger
from nodealer.sim.faults import ALL, BYZANTINE, CRASH, LOSSY, NONE, PARTITION, FaultPlan
from nodealer.sim.lies import behaviour_at, behaviours_at
from nodealer.sim.lying import Behaviour
from nodealer.sim.repertoire import Features
from nodealer.sim.world import World
from nodealer.table import OPERATIONS, Again, position_of, read_action
from nodealer.verify import Report

EVICTION: Final = "table eviction"
KEEP: Final = "table keep"
AGAIN: Final = "table again"
COMPLETE: Final = "verdict complete"
UNFINISHED: Final = "verdict unfinished"

KEEPING: Final = 3
"""With fewer seats no round begins but one that leaves a seat out by evidence."""

FEW: Final = 4
"""At a table of so many, half of the seats are soon gone."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        NONE: (),
        LOSSY: ("fault lost", "fault doubled", "fault late", "fault fast clock", KEEP),
        PARTITION: ("fault parting", "fault parted", EVICTION, KEEP),
        CRASH: (
            "fault stopped",
            "fault came back",
            "fault restored",
            "fault gone",
            "fault unheard",
            EVICTION,
        ),
        BYZANTINE: (EVICTION,),
    }
)
"""What each kind of fault leads to, sooner or later; lies and evidence follow from behaviours."""


DRAWN: Final[Mapping[str, Callable[[FaultPlan], bool]]] = MappingProxyType(
    {
        "fault restored": lambda plan: any(stop.lost for stop in plan.stops),
        "fault fast clock": lambda plan: bool(plan.hasty),
    }
)
"""Faults that are drawn for a few games only, and which plans have them."""

LONG: Final = 1000
"""In a long run everything is told so often, or oftener."""

OFTEN: Final = 5
"""In so many games what is planned has to happen in one: others end before its time."""


def expected_names(
    faults: str,
    seats: int,
    features: Features,
    milestones: Iterable[Milestone] = (),
    plans: Sequence[FaultPlan] | None = None,
) -> tuple[str, ...]:
    """Return the names of all that a run of such a game with these faults has to reach.

    Without plans it is a run that is long enough for everything. With them it is the run that has
    these, and need not reach a lie that nobody tells, nor what is drawn hardly ever.
    """
    kinds = tuple(NAMES) if faults == ALL else (faults,)
    names = dict.fromkeys(name for kind in kinds for name in NAMES[kind])
    asked = (operation for effect, operation in OPERATIONS.items() if effect in features)
    names |= dict.fromkeys(table_name(word) for operation in asked for word in operation.counted)
    for milestone in milestones:
        is_possible = milestone.least_seats <= seats and not milestone.is_rare
        if is_possible and (EVICTION in names or not milestone.is_after_leaving):
            names[game_name(milestone)] = None
    names[AGAIN] = names[COMPLETE] = None
    if BYZANTINE in kinds:
        for one, times in _lies(seats, features, plans).items():
            names |= dict.fromkeys(_told_by(one, times))
    if seats < KEEPING:
        names.pop(KEEP, None)
    if seats <= FEW and {CRASH, BYZANTINE} & set(kinds):
        names[UNFINISHED] = None
    for name, is_in in DRAWN.items() if plans is not None else ():
        if sum(map(is_in, plans or ())) < OFTEN:
            names.pop(name, None)
    return tuple(names)


def _told_by(one: Behaviour, times: int) -> Iterator[str]:
    """Yield what comes of a behaviour that a run has so many times."""
    if times > 1:  # a game may end before the occasion of a lie comes
        yield f"lie {one.name}"
    if one.codes and times > len(one.codes):  # one of the other codes may name it
        yield f"evidence {one.codes[0]}"


def _lies(
    seats: int, features: Features, plans: Sequence[FaultPlan] | None
) -> Mapping[Behaviour, int]:
    """Return the behaviours of a run, and how often each is in it."""
    if plans is None:
        return dict.fromkeys(behaviours_at(seats, features), LONG)
    numbers = [plan.behaviour for plan in plans if plan.behaviour is not None]
    return Counter(behaviour_at(number, seats, features) for number in numbers)


def table_name(word: str) -> str:
    """Return the name by which it is counted what an operation has come to."""
    return f"table {word}"


def game_name(milestone: Milestone) -> str:
    """Return the name by which it is counted that games came to something of their own."""
    return f"game {milestone.name}"


def counted(world: World, ledger: Ledger, report: Report) -> Counter[str]:
    """Return what has happened in a world, in the history of its witness, and the verdict on it."""
    counts = Counter({f"fault {name}": n for name, n in world.network.counts.items()})
    counts.update({f"fault {name}": n for name, n in world.counts.items()})
    counts["fault fast clock"] += len(world.plan.hasty)
    for liar in world.liars.values():
        if liar.strikes:
            counts[f"lie {liar.behaviour.name}"] += 1
    counts.update({f"evidence {cheat.code}" for cheat in report.cheats})
    counts[f"verdict {report.verdict.value}"] += 1
    counts.update(counted_in(ledger.tip))
    return +counts


def counted_in(tip: ChainEntry) -> Counter[str]:
    """Return what has happened in a history."""
    counts: Counter[str] = Counter()
    milestones = position_of(tip).setting.game.milestones()
    for link in reversed([*tip.downwards()]):
        counts.update(_counted_at(link))
        for happened in position_of(link).events:
            counts.update(game_name(one) for one in milestones if one.is_told_by(happened))
    return counts


def _counted_at(link: ChainEntry) -> Counter[str]:
    counts: Counter[str] = Counter()
    match None if link.content is None else link.content.step:
        case EvictStep():
            counts[EVICTION] += 1
        case DueStep():
            counts.update(_done_at(link))
        case AuthoredStep(action=action) if isinstance(read_action(action), Again):
            counts[AGAIN] += 1
        case _:
            pass
    if any(isinstance(vote.choice, Keep) for vote in link.certificate.votes):
        counts[KEEP] += 1
    return counts


def _done_at(link: ChainEntry) -> Iterator[str]:
    """Yield what the operation has come to whose last step is done with an entry."""
    assert link.below is not None, "a step is due over an entry"
    before = position_of(link.below)
    if before.program.head is None:
        return  # the close
    operation = OPERATIONS[type(before.program.head)]
    if before.program.step == operation.steps[-1].word:
        given = [data for one in link.contributions for _, data in one.payloads]
        for word, is_so in operation.counted.items():
            if is_so(before, given):
                yield table_name(word)

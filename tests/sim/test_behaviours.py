"""Every way of breaking the rules comes to its end, at tables of several sizes.

Who is proven false is a liar, by a code of what it did; who falls silent is left out and nobody is
named; what is dropped is counted by somebody, and the game goes on. With two seats a proof lets the
other close alone, and silence leaves the table unfinished.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.ledger import EvictStep
from nodealer.sim.game import PlayedGame
from nodealer.sim.lies import behaviours_at
from nodealer.sim.lying import Behaviour, End
from nodealer.sim.repertoire import features_of
from nodealer.verify import Verdict
from tests.sim.games import IN_MACAUA, details, lied

NAMES = [one.name for one in IN_MACAUA]

MACAUA = features_of(game("macaua"), 4, {})

NEVER_FOUNDED = "silent from the start"
HALF = "two silent seats"


def tables(behaviour: Behaviour, *, is_full: bool) -> Iterator[tuple[int, int]]:
    """Yield numbers of seats and seeds; in an ordinary run as many as it takes to strike."""
    if is_full:
        sizes = range(behaviour.least_seats, 6)
        yield from ((seats, seed) for seats in sizes for seed in range(5))
        return
    others = (3, 2) if IN_MACAUA.index(behaviour) % 2 else (2, 3)
    yield from ((seats, 0) for seats in (*others, 4) if seats >= behaviour.least_seats)


def liars(outcome: PlayedGame) -> set[Seat]:
    return set(outcome.world.liars)


def left_out(outcome: PlayedGame) -> set[Seat]:
    steps = [link.content.step for link in outcome.tip.downwards() if link.content is not None]
    return {seat for step in steps if isinstance(step, EvictStep) for seat in step.seats}


def waited_for(outcome: PlayedGame) -> set[Seat]:
    return {seat for seat, _ in outcome.report.awaited}


def strikes(outcome: PlayedGame) -> int:
    return sum(liar.strikes for liar in outcome.world.liars.values())


@pytest.mark.parametrize("behaviour", IN_MACAUA, ids=NAMES)
def test_a_behaviour_comes_to_its_end(behaviour: Behaviour, is_full: bool) -> None:
    struck = noticed = 0
    for seats, seed in tables(behaviour, is_full=is_full):
        outcome = lied(behaviour, seats, seed)
        assert not details(outcome)
        if strikes(outcome):
            struck += 1
            noticed += (is_so := is_noticed(behaviour, outcome))
            assert is_so or seats < 4
            ENDS[behaviour.end](behaviour, outcome)
            if not is_full:
                break
    assert struck
    assert 3 * noticed > 2 * struck


def is_noticed(behaviour: Behaviour, outcome: PlayedGame) -> bool:
    """Say whether the lie is named or counted; a few small tables are over, or know better."""
    if behaviour.end is End.PROVEN:
        return bool(outcome.report.cheats)
    tables = [peer.table for peer in outcome.world.honest if peer.table is not None]
    return behaviour.end is not End.DROPPED or any(table.ledger.counts for table in tables)


def proven(behaviour: Behaviour, outcome: PlayedGame) -> None:
    """The liar is named by a code of what it did, and the others go on without it."""
    cheats = {(cheat.seat, cheat.code) for cheat in outcome.report.cheats}
    assert {seat for seat, _ in cheats} <= liars(outcome)
    assert {code for _, code in cheats} <= set(behaviour.codes)
    assert outcome.report.verdict is Verdict.COMPLETE
    assert left_out(outcome) <= liars(outcome)


def silent(behaviour: Behaviour, outcome: PlayedGame) -> None:
    """Nobody is named; the silent are left out, or awaited where the others are no majority."""
    assert outcome.report.culprit is None
    seats = len(outcome.world.peers)
    is_stuck = seats == 2 or behaviour.name == NEVER_FOUNDED or (behaviour.name, seats) == (HALF, 4)
    if is_stuck:
        assert outcome.report.verdict is Verdict.UNFINISHED
        assert waited_for(outcome) == liars(outcome)
        assert not left_out(outcome)
    else:
        assert outcome.report.verdict is Verdict.COMPLETE
        assert left_out(outcome) == liars(outcome)


def harmless(behaviour: Behaviour, outcome: PlayedGame) -> None:
    """The game comes to its end, and nobody is named."""
    assert outcome.report.verdict is Verdict.COMPLETE
    assert outcome.report.culprit is None
    assert left_out(outcome) <= (liars(outcome) if behaviour.name == "leaving" else set())


ENDS = {End.PROVEN: proven, End.SILENT: silent, End.DROPPED: harmless, End.HARMLESS: harmless}


def test_there_are_more_than_twenty_and_each_has_a_name_of_its_own() -> None:
    assert len(NAMES) == len(set(NAMES)) > 20


def test_who_proves_nothing_has_no_codes() -> None:
    assert all(bool(one.codes) == (one.end is End.PROVEN) for one in IN_MACAUA)


def test_at_small_tables_fewer_are_possible() -> None:
    two, three, four = (behaviours_at(seats, MACAUA) for seats in (2, 3, 4))
    assert len(two) < len(three) < len(four) == len(IN_MACAUA)

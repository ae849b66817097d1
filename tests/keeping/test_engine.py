"""The keeper as a value: whole games with crashes, and every order of events of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

import pytest

from nodealer.games.registry import game
from nodealer.keeping import Engine, Speech, TableJournal
from nodealer.keeping.engine import SYNC_US
from nodealer.keeping.reminders import PAUSE_US
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import LedgerMessage, Sealed
from nodealer.table import Setting
from tests.keeping.world import FAR_ROUND_TRIP_US, BrokenRuleError, Crash, MemoryJournal, World
from tests.support.circle import agreed_by, player_of

ANA, BEA, CARO = Seat(0), Seat(1), Seat(2)

LONG_US = 600_000_000
"""Nothing that anybody waits for in a step takes so long."""

SETTLED_US = 60_000_000
"""In less, a seat that was gone for a moment has everything that it had missed."""


def test_the_journal_of_these_tests_is_one() -> None:
    journal: TableJournal = MemoryJournal()
    journal.append((), syncs=False, is_suspect=False)
    journal.note("a", b"1")
    assert (journal.noted("a"), journal.records()) == (b"1", ())


def seated(seats: int, salt: int = 2) -> World:
    """Return a world in which everybody has just sat down to Macaua."""
    players = [player_of(Seat(seat), ("kept", salt)) for seat in range(seats)]
    rules = game("macaua")
    world = World(Setting(agreed_by(players, rules, salt=("kept", salt)), rules), players)
    for player in players:
        world.start(player.seat)
    return world


def calm(world: World, until: Callable[[World], bool]) -> None:
    """Let everything happen in its usual order."""
    end = world.us + LONG_US
    while not until(world):
        assert world.us < end, f"nobody gets any further at {world.heights}"
        world.happen(world.choices()[0])


@cache
def begun(seats: int) -> World:
    """Return a world in which the first player is asked, and nothing is on the way."""
    world = seated(seats)
    calm(world, lambda world: world.asked is not None)
    calm(world, lambda world: not world.is_busy)
    calm(world, lambda world: all(one.unsynced_us is None for one in world.engines.values()))
    return world


def test_four_seats_play_a_whole_game_with_crashes(is_full: bool) -> None:
    """Again and again a program is gone at some point, with or without what it has not synced."""
    salts, apart = (range(20), 300) if is_full else ((2,), 600)
    assert all(played_with_crashes(salt, apart) > 6 for salt in salts)


def played_with_crashes(salt: int, apart: int) -> int:
    """Play a game to its end, and return how often somebody's program was gone."""
    world, chance = seated(4, salt), Chance("crashes", salt)
    crashes = 0
    while not world.is_closed:
        if world.crash is None or world.points >= world.crash.point:
            at = world.points + 1 + chance.below(apart)
            away = (0, 10_000, 2 * SYNC_US)[chance.below(3)]
            world.crash, crashes = Crash(at, loses=chance.happens(50), away_us=away), crashes + 1
        if world.asked is not None and not world.is_busy:
            world.act(world.asked)
        world.happen(world.choices()[0])
        assert world.us < 100 * LONG_US
    world.crash = None
    calm(world, lambda world: len(world.tips) == 1 and not world.is_busy)
    calm(world, lambda world: all(one.unsynced_us is None for one in world.engines.values()))
    roster = world.engines[ANA].table.position.roster
    assert len(roster) == 4, "nobody was left out"
    for seat, engine in world.engines.items():
        taken = [link.id for link in engine.table.ledger.tip.downwards()]
        world.journals[seat].lose()
        world.start(seat)
        tip = world.engines[seat].table.ledger.tip
        assert [link.id for link in tip.downwards()] == taken, "the close is on every disk"
    return crashes


# A step, in every order.


def step(world: World) -> World:
    """Let the player who is asked act, and return the world with what is then on the way."""
    asked = world.asked
    assert asked is not None
    world.act(asked)
    return world


def is_through(world: World, height: int) -> bool:
    """Whether all have taken the entry over this height, and nothing of it is on the way."""
    is_taken = not world.crashed and min(world.heights) > height
    return is_taken and len(world.tips) == 1 and not world.is_busy


def settle(world: World, height: int) -> None:
    """Let the rest happen in its usual order, within the time that a short absence costs."""
    end = world.us + SETTLED_US
    while not is_through(world, height):
        if world.us > end:
            raise BrokenRuleError(f"{world.heights} after {SETTLED_US} us")
        if world.asked is not None and max(world.heights) == height and not world.is_busy:
            world.act(world.asked)  # its program was gone before anything was stored
        world.happen(world.choices()[0])


def courses(world: World, height: int, deviations: int) -> Iterator[World]:
    """Yield every world in which so many things at most happen in another order than usual."""
    while not is_through(world, height):
        usual, *others = world.choices()
        for other in others if deviations else ():
            fork = world.fork()
            fork.happen(other)
            yield from courses(fork, height, deviations - 1)
        world.happen(usual)
    yield world


@pytest.mark.parametrize("round_trip_us", [1_000, FAR_ROUND_TRIP_US])
def test_in_whatever_order_a_step_happens_all_have_it(round_trip_us: int, is_full: bool) -> None:
    world = begun(4).fork()
    world.round_trip_us = round_trip_us
    (height,) = set(world.heights)
    seen = 0
    for end in courses(step(world), height, 2 if is_full else 1):
        assert len(end.tips) == 1
        seen += 1
    assert seen > (150 if is_full else 15)


@pytest.mark.parametrize(("loses", "away_us"), [(True, 0), (False, 2 * PAUSE_US)])
def test_a_crash_at_any_point_of_a_step_costs_no_more_than_a_moment(
    loses: bool, away_us: int
) -> None:
    assert crash_everywhere(loses=loses, away_us=away_us) >= 20


def crash_everywhere(*, loses: bool, away_us: int) -> int:
    """Let a program be gone at every point of a step, and return how many there are."""
    (height,) = set(begun(3).heights)
    calm_world = begun(3).fork()
    first = calm_world.points
    settle(step(calm_world), height)
    for point in range(first + 1, calm_world.points + 1):
        world = begun(3).fork()
        world.crash = Crash(point, loses=loses, away_us=away_us)
        settle(step(world), height)
        assert len(world.engines) == 3
    return calm_world.points - first


def test_who_was_without_room_is_told_once_there_is_some() -> None:
    world = begun(3).fork()
    (height,) = set(world.heights)
    asked = world.asked
    slow = next(seat for seat in world.engines if seat != asked)
    world.narrow = frozenset({slow})
    step(world)
    for _ in range(40):
        world.happen(world.choices()[0])
    assert world.engines[slow].table.ledger.tip.height == height
    assert any(slow in engine.behind for engine in world.engines.values())
    world.narrow = frozenset()
    settle(world, height)
    assert not any(engine.behind for engine in world.engines.values())


def test_what_is_held_leaves_when_an_engine_is_stopped() -> None:
    world = begun(3).fork()
    step(world)
    while not any(engine.speech.held for engine in world.engines.values()):
        world.happen(world.choices()[0])
    held = next(engine for engine in world.engines.values() if engine.speech.held)
    (offering,) = held.stopped()
    assert isinstance(offering.message, Sealed)
    assert offering.to == tuple(
        seat for seat in held.speech.others if held.speech.held and seat != held.speech.held.author
    )


# Planted: the bugs that these tests are for.


def _never_synced(patch: pytest.MonkeyPatch) -> None:
    append = MemoryJournal.append

    def forgetful(
        self: MemoryJournal, records: Iterable[LedgerMessage], /, *, syncs: bool, is_suspect: bool
    ) -> None:
        append(self, records, syncs=syncs and not records, is_suspect=is_suspect)

    patch.setattr(MemoryJournal, "append", forgetful)


def _held_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Speech, "let_go", lambda *_: ())


def _never_asked_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("nodealer.keeping.reminders.is_asking", lambda _: False)
    patch.setattr("nodealer.keeping.reminders.is_parted", lambda *_: False)


def _never_behind(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Engine, "missing", lambda self, _: self)


@pytest.mark.parametrize(
    ("plant", "test"),
    [
        (_never_synced, partial(crash_everywhere, loses=True, away_us=0)),
        (_held_for_ever, partial(crash_everywhere, loses=False, away_us=0)),
        (_never_behind, test_who_was_without_room_is_told_once_there_is_some),
    ],
)
def test_a_planted_bug_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    test: Callable[[], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        test()

"""A crash at every single moment of a run: the journal is enough, and nobody is accused.

A caller stores record by record and then sends message by message. Between any two of these it may
be gone; what it had stored is there again, and what it had not yet sent is lost or sent again.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import Ledger, Ready
from nodealer.ledger.ready import LeftOut
from tests.ledger.telling import events
from tests.ledger.world import World

SCRIPT = ("turn", "due", "chain", "bind", "turn", "close")


class CrashingWorld(World):
    """A world in which the seat that comes to a given point of storing or sending is restarted."""

    def __init__(self, count: int, script: Sequence[str], at: int | None, more: int = 0) -> None:
        self.points = 0
        self.at, self.more = at, more
        self.crashed: list[Seat] = []
        super().__init__(count, script)

    def take(self, seat: Seat, result: tuple[Ledger, Ready]) -> Ready:
        """Store and send up to the point of the crash; then start from the journal."""
        ledger, ready = result
        for place in range(len(ready.persist) + len(ready.send)):
            self.points += 1
            if self.points == self.at:
                stored = ready.persist[:place]
                sent = ready.send[: max(0, place - len(ready.persist))]
                super().take(seat, (ledger, Ready(stored, sent, ready.show)))
                self.restart(seat)
                return ready
        return super().take(seat, result)

    def restart(self, seat: Seat) -> None:
        """Restart a seat, and maybe others with it."""
        both = [seat, *(other for other in self.ledgers if other != seat)][: 1 + self.more]
        for one in both:
            if one not in self.gone:
                self.crashed.append(one)
                self.crash(one)


def run(at: int | None, *, more: int = 0, gone: int | None = None) -> CrashingWorld:
    """Play a whole table with a crash at a point; `gone` goes for good in the middle."""
    world = CrashingWorld(4, SCRIPT, at, more)
    for turn in range(40):
        if gone is not None and turn == 2:
            world.gone.add(Seat(gone))
        world.settle()
        world.act()
        if turn % 3 == 2:
            world.settle()
            world.pass_time(12)
    world.settle()
    return world


def check(world: CrashingWorld) -> None:
    assert len(world.tips()) == 1
    assert world.log(0)[-1] == "close"
    assert not world.accused()
    assert all(ledger.suspect is None for ledger in world.ledgers.values())


POINTS = run(None).points
POINTS_WITHOUT = run(None, gone=3).points


def test_there_are_many_points() -> None:
    assert POINTS > 150
    assert POINTS_WITHOUT > 150


def places(count: int, step: int, *, is_full: bool) -> range:
    return range(1, count + 1, 1 if is_full else step)


def test_a_crash_at_any_point_changes_nothing(is_full: bool) -> None:
    calm = run(None).log(0)
    for at in places(POINTS, 5, is_full=is_full):
        world = run(at)
        check(world)
        assert world.crashed
        assert world.log(0) == calm, f"a crash at point {at}"


@pytest.mark.parametrize("more", [1, 3])
def test_several_may_crash_at_once(more: int, is_full: bool) -> None:
    calm = run(None).log(0)
    for at in places(POINTS, 17, is_full=is_full):
        world = run(at, more=more)
        check(world)
        assert world.crashed
        assert world.log(0) == calm, f"a crash at point {at}"


def test_one_restarts_while_another_has_gone_for_good(is_full: bool) -> None:
    calm = run(None, gone=3)
    check(calm)
    assert "out [3]" in calm.log(0)
    for at in places(POINTS_WITHOUT, 11, is_full=is_full):
        world = run(at, gone=3)
        check(world)
        assert "out [3]" in world.log(0)
        assert not events(world, LeftOut)


class ForgetfulWorld(CrashingWorld):
    """Planted: the journal loses its end, and the seat does something else than before."""

    def restart(self, seat: Seat) -> None:
        """Restart from a journal that lacks its last records, and go on at once."""
        self.journals[seat] = self.journals[seat][:-2]
        self.crash(seat)
        self.answer(seat, lambda *_: b"other")


def test_a_journal_that_forgets_would_be_found_by_these_tests() -> None:
    accused: set[Seat] = set()
    for at in range(1, POINTS + 1, 3):
        world = ForgetfulWorld(4, SCRIPT, at)
        for _ in range(6):
            world.settle()
            world.act()
        accused |= world.accused()
    assert accused

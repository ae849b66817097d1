"""What a test asks of a world's events and what it does with it again and again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from nodealer.kernel import Seat
from tests.ledger.world import World

E = TypeVar("E")


def opened(script: Iterable[str], count: int = 3) -> World:
    """Return a world whose seats have all sealed the charter."""
    world = World(count, tuple(script))
    world.settle()
    return world


def finish(world: World, rounds: int = 14, ticks: int = 15) -> None:
    """Let everybody play and time pass, in turn."""
    for _ in range(rounds):
        world.play()
        world.pass_time(ticks)


def events(world: World, kind: type[E], seat: int | None = None) -> list[E]:
    """Return the events of one kind that a seat, or any, has shown."""
    return [
        event for by, event in world.shown if isinstance(event, kind) and seat in (None, int(by))
    ]


def cut_off(world: World, seat: int) -> None:
    """Lose everything between one seat and all others."""
    others = [Seat(one) for one in world.charter.seats if one != seat]
    world.cut |= {(Seat(seat), one) for one in others} | {(one, Seat(seat)) for one in others}

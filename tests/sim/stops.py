"""Worlds in which one seat stops at one exact point: between two records, or between two messages.

Everything that a seat does is a batch: records to be stored, then messages to be sent. The points
of a game are counted through all batches of all seats in the order in which they happen. A point is
before its record is stored, or before its message is sent with everything stored.

A power cut takes away what was not synced: all that was stored since something has left last.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from nodealer.kernel import Seat
from nodealer.ledger import Ready
from nodealer.sim.faults import FaultPlan
from nodealer.sim.game import witness_of, world_of
from nodealer.sim.invariants import Findings, require_progress
from nodealer.sim.judging import Judge, require_verdicts
from nodealer.sim.peer import Peer
from nodealer.sim.world import World
from nodealer.table import Table, position_of
from tests.sim.games import macaua


@dataclass
class StoppingWorld(World):
    """A world that counts the points of its seats; at one of them the seat stops."""

    target: int | None = None
    after: int | None = 50
    """How long it is away; nothing if it never comes back."""
    is_power_cut: bool = False
    points: int = 0
    stopped: Seat | None = None
    lost: int = 0
    """Records that a power cut has taken away."""
    synced: dict[Seat, int] = field(default_factory=dict)
    """How many records of each seat were synced when something left last."""

    def _done(self, peer: Peer, table: Table, ready: Ready) -> None:
        size = len(ready.persist) + len(ready.send)
        here = None if self.target is None else self.target - self.points
        self.points += size
        if here is None or not 0 <= here < size:
            World._done(self, peer, table, ready)
            if ready.send:
                self.synced[peer.seat] = len(peer.journal)
            return
        stored = min(here, len(ready.persist))
        self.stopped = peer.seat
        left = peer.stop_within(ready, stored, here - stored)
        self._send(peer, left)
        if self.is_power_cut and not left:
            synced = self.synced.get(peer.seat, 0)
            self.lost += len(peer.journal) - synced
            del peer.journal[synced:]
        if self.after is None:
            peer.is_gone = True
        else:
            self.clock.plan(self.after, partial(self._come_back, peer))


@dataclass(frozen=True)
class Stopped:
    """What came of a game in which a seat stopped at a point."""

    world: StoppingWorld
    found: list[str]
    result: object
    tip: bytes


def stopping(
    seats: int,
    target: int | None,
    after: int | None = 50,
    *,
    plan: FaultPlan | None = None,
    like: StoppingWorld | None = None,
    is_judged: bool = True,
    is_power_cut: bool = False,
) -> Stopped:
    """Play a game in which a seat stops at a point.

    `like` is a world of the same game, whose checks need not be done once more.
    """
    findings = Findings()
    made = world_of(macaua(seats, plan=plan or FaultPlan()), findings)
    world = StoppingWorld(
        made.setting,
        made.peers,
        made.network,
        made.plan,
        made.watchers,
        target=target,
        after=after,
        is_power_cut=is_power_cut,
    )
    if like is not None:
        world._memories, world._read = like._memories, like._read
    world.run()
    require_progress(world, findings)
    if is_judged:
        require_verdicts(world, Judge(world), findings)
    table = witness_of(world).table
    assert table is not None
    found = [f"{one.invariant}: {one.detail}" for one in findings.violations]
    tip = table.ledger.tip
    return Stopped(world, found, position_of(tip).standing, tip.id)


def anybody_proven(world: World) -> bool:
    """Say whether anybody holds evidence against anybody."""
    tables = [peer.table for peer in world.peers.values() if peer.table is not None]
    return any(table.ledger.proven for table in tables)

"""A simulated table: peers, links, a clock, and everything that goes wrong, from one seed.

A `World` is one table among simulated peers. It runs the very code that people play with: tables,
ledgers, proofs, journals. Only time, network and players are simulated. Nothing in it is random;
a seed and a version give the same bytes in every process.

Peers may start from one shared replay and one shared memory of good signatures, so that the same
bytes are checked once for all of them; that changes nothing but the time it takes.

Watchers (`invariants`) are told of everything that happens and see more than any peer: they look
into all of them at once. They are told, they never touch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from nodealer.kernel import MESSAGE_BYTES_MAX, EntryId, PeerError, Seat
from nodealer.ledger import (
    Application,
    LedgerMessage,
    Outgoing,
    Ready,
    Signatures,
    Took,
    read,
    write,
)
from nodealer.sim.clockwork import Clockwork
from nodealer.sim.faults import FaultPlan, Partition, Stop
from nodealer.sim.lying import Liar
from nodealer.sim.peer import Peer
from nodealer.sim.simulated_links import Network
from nodealer.table import Replay, Setting, Table, begin, come_back, sit_down

THOUGHT: Final = (150, 900)
"""The least and the most ticks that a player thinks."""

HASTE: Final = 40
"""How many times too fast a clock runs."""

SHARED_EACH: Final = 1024
"""Signatures of a seat that are remembered for all: who comes back has them all checked again."""

STILL: Final = 900_000
"""A table on which nobody has taken anything for so long never will: this is 15 times the longest
patience, and rounds need three at most once the network is well."""


class Watcher:
    """Somebody who sees everything and touches nothing; each looks at one of the two."""

    def took(self, world: World, peer: Peer, table: Table) -> None:
        """Look at an honest peer whose table has just taken in something."""

    def sent(self, world: World, peer: Peer, message: LedgerMessage) -> None:
        """Look at what an honest peer is about to send."""


@dataclass(slots=True)
class World:
    """One table, its peers and what is between them."""

    setting: Setting
    peers: dict[Seat, Peer]
    network: Network
    plan: FaultPlan
    watchers: tuple[Watcher, ...] = ()
    liars: dict[Seat, Liar] = field(default_factory=dict)
    is_sharing: bool = True
    clock: Clockwork = field(default_factory=Clockwork)
    counts: Counter[str] = field(default_factory=Counter)
    _read: dict[bytes, LedgerMessage] = field(default_factory=dict)
    _memories: tuple[Signatures, Replay] | None = None
    _states: dict[EntryId, Application] = field(default_factory=dict)
    """What peers have come to, which they forget: who comes back asks for all of it again."""
    _moved: int = 0
    """When an honest peer took an entry last."""
    _armed: dict[Seat, Stop] = field(default_factory=dict)

    def run(self) -> None:
        """Found the table, and go on until it is closed everywhere or nothing more can happen."""
        for peer in self.peers.values():
            self._done(peer, *sit_down(self.setting, peer.player, *self._shared()))
        for stop in self.plan.stops:
            self.clock.plan(stop.at, partial(self._arm, stop))
        for parted in self.plan.parts:
            self.clock.plan(parted.at, partial(self._part, parted))
            self.clock.plan(parted.at + parted.lasting, self._heal)
        while self.clock.next_tick() is not None and not self.is_done:
            self.clock.step()

    @property
    def honest(self) -> tuple[Peer, ...]:
        """The honest peers that are there, or will be again."""
        return tuple(one for one in self.peers.values() if one.is_honest and not one.is_gone)

    @property
    def is_done(self) -> bool:
        """Whether every honest peer that stays has closed or is left out, or nothing moves."""
        if self.clock.now > max(self.plan.healed, self._moved) + STILL:
            return True
        is_healed = self.clock.now >= self.plan.healed and not self._armed
        return is_healed and all(map(self._has_ended, self.honest))

    def _has_ended(self, peer: Peer) -> bool:
        if peer.table is None:
            return False
        position = peer.table.position
        goes_on = position.games < self.plan.games and position.can_begin_again
        return peer.is_left_out or (position.is_closed and not goes_on)

    def open_journal(self, peer: Peer) -> None:
        """Look at what a peer that is gone has left; it stays gone and says nothing."""
        now = self._time_of(peer)
        table, _ = come_back(self.setting, peer.player, peer.records(), now, *self._shared())
        peer.table = table

    # Peers.

    def _shared(self) -> tuple[Signatures | None, Replay | None]:
        if not self.is_sharing:
            return None, None
        if self._memories is None:
            keys = self.setting.agreed.charter.keys
            self._memories = (Signatures(keys, SHARED_EACH), begin(self.setting))
        return self._memories

    def _done(self, peer: Peer, table: Table, ready: Ready) -> None:
        """Take what a peer's table has come to: store, send, and plan what comes of it."""
        stop = self._armed.get(peer.seat)
        if stop is not None and (ready.persist or ready.send):
            self._stop(peer, ready, stop)
            return
        if any(isinstance(event, Took) for event in ready.show):
            self._moved = self.clock.now if peer.is_honest else self._moved
            if self.is_sharing:
                self._states[table.ledger.tip.id] = table.ledger.tip.state
        self._send(peer, peer.take(table, ready))
        for watcher in self.watchers if peer.is_honest else ():
            watcher.took(self, peer, table)
        self._plan_wake(peer, ready.wake)
        if peer.asked is not None:
            least, most = THOUGHT
            thought = least + peer.chance.below(most - least)
            self.clock.plan(thought, partial(self._act, peer, peer.asked.parent))

    def _act(self, peer: Peer, parent: bytes) -> None:
        self._tell_time(peer)
        table = peer.table
        if table is None or peer.asked is None or peer.asked.parent != parent:
            return
        peer.asked = None
        if not table.ledger.asked:
            return  # somebody else has acted meanwhile, or the seat has become suspect
        if table.position.is_closed:
            if table.position.games < self.plan.games and table.position.can_begin_again:
                self._done(peer, *table.again())
            return
        # The same choice whatever has happened before: a restart changes nothing about a game.
        chance = peer.chance.branch("turn", table.ledger.tip.height)
        chosen = peer.bot.choose(table.view(), table.legal(), chance)
        self._done(peer, *table.act(chosen))

    def _plan_wake(self, peer: Peer, wake: int | None) -> None:
        if wake is not None and wake != peer.woken:
            peer.woken = wake
            ticks = -(-(wake - self._time_of(peer)) // self._haste(peer))
            self.clock.plan(ticks, partial(self._wake, peer, wake))

    def _wake(self, peer: Peer, wake: int) -> None:
        if peer.table is not None and peer.woken == wake:
            peer.woken = None
            self._done(peer, *peer.table.tick(self._time_of(peer)))

    def _tell_time(self, peer: Peer) -> None:
        """Let a peer look at its clock before anything else happens to it."""
        if peer.table is not None and peer.table.ledger.now < self._time_of(peer):
            self._done(peer, *peer.table.tick(self._time_of(peer)))

    def _haste(self, peer: Peer) -> int:
        return HASTE if peer.seat in self.plan.hasty else 1

    def _time_of(self, peer: Peer) -> int:
        """Return what the clock of a peer shows."""
        return self.clock.now * self._haste(peer)

    # Messages.

    def _send(self, peer: Peer, sends: Iterable[Outgoing]) -> None:
        for out in sends:
            liar = self.liars.get(peer.seat)
            if liar is None:
                for watcher in self.watchers:
                    watcher.sent(self, peer, out.message)
                self._post(peer.seat, out.to, write(out.message))
            else:
                for to, data in liar.leaving(out):
                    self._post(peer.seat, to, data)

    def _post(self, sender: Seat, to: Seat | None, data: bytes) -> None:
        for other in self.peers:
            if other != sender and to in (None, other):
                for delay in self.network.arrivals(sender, other):
                    self.clock.plan(delay, partial(self._arrive, sender, other, data))

    def _arrive(self, sender: Seat, to: Seat, data: bytes) -> None:
        peer = self.peers[to]
        self._tell_time(peer)
        if peer.table is None:
            self.counts["unheard"] += 1
            return
        message = self._message(data) if self.is_sharing else None
        if message is None:
            self._done(peer, *peer.table.receive(data, sender))
        else:
            self._done(peer, *peer.table.receive(message, sender))
        if to in self.liars and (heard := message or _readable(data)) is not None:
            for other, lie in self.liars[to].seen(heard):
                self._post(peer.seat, other, lie)

    def _message(self, data: bytes) -> LedgerMessage | None:
        """Return what these bytes say, read once for all; None if they say nothing."""
        found = self._read.get(data) or _readable(data)
        if found is not None:
            self._read[data] = found
        return found

    # What goes wrong.

    def _arm(self, stop: Stop) -> None:
        if self.peers[stop.seat].is_honest:
            self._armed[stop.seat] = stop

    def _stop(self, peer: Peer, ready: Ready, stop: Stop) -> None:
        del self._armed[peer.seat]
        chance = peer.chance
        stored = chance.below(len(ready.persist) + 1)
        sent = chance.below(len(ready.send) + 1)
        self._send(peer, peer.stop_within(ready, stored, sent))
        self.counts["stopped"] += 1
        if stop.after is None:
            peer.is_gone = True
            self.counts["gone"] += 1
        else:
            self.clock.plan(stop.after, partial(self._come_back, peer, stop.lost))

    def _come_back(self, peer: Peer, lost: int = 0) -> None:
        self.counts["came back"] += 1
        is_old = peer.forget(lost)
        records, now = peer.records(), self._time_of(peer)
        if records:
            shared = self._shared()
            back = come_back(self.setting, peer.player, records, now, *shared, is_old=is_old)
        else:  # it has not even stored that it agrees to the charter
            back = sit_down(self.setting, peer.player, *self._shared())
        self._done(peer, *back)
        if peer.table is not None and is_old:
            self.counts["restored"] += 1
            self._done(peer, *peer.table.recall())
        elif peer.table is not None:
            self._done(peer, *peer.table.tell())

    def _part(self, parted: Partition) -> None:
        self.network.apart = dict(parted.groups)
        if len(set(self.network.apart.values())) > 1:
            self.counts["parting"] += 1

    def _heal(self) -> None:
        """Bring the parts together; whoever has a new connection says where it stands."""
        self.network.apart = {}
        for peer in self.peers.values():
            if peer.table is not None:
                self._done(peer, *peer.table.tell())


def _readable(data: bytes) -> LedgerMessage | None:
    if len(data) > MESSAGE_BYTES_MAX:
        return None
    try:
        return read(data)
    except PeerError:
        return None

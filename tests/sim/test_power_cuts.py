"""What a seat has signed is stored together with its leaving: a batch that says nothing has none.

A node does not sync a batch of which nothing leaves. Whatever a power cut takes away then was
signed by others, or has been stored before by a batch of which something left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import Ready
from nodealer.ledger.messages import Entry, LedgerMessage, Left, Voted, signed_of
from nodealer.ledger.objects import Signed
from nodealer.sim.game import world_of
from nodealer.sim.invariants import Findings
from nodealer.sim.peer import Peer
from nodealer.sim.world import World
from nodealer.table import Table
from tests.sim.games import macaua


def signatures_in(message: LedgerMessage) -> Iterator[Signed]:
    """Return all signatures that a message brings, its own and those of its entries."""
    if isinstance(message, Voted) and message.kept is not None:
        yield from signatures_in(message.kept)
    if isinstance(message, Entry):
        yield from message.contributions
        yield from message.certificate.seals
        yield from message.certificate.votes
    elif isinstance(message, Left):
        yield message.leave
    elif (signed := signed_of(message)) is not None:
        yield signed


@dataclass
class ListeningWorld(World):
    """A world that looks at what its seats store."""

    stored: dict[Seat, set[bytes]] = field(default_factory=dict)
    """What each seat has signed and stored in batches of which something left."""
    silent: int = 0

    def _done(self, peer: Peer, table: Table, ready: Ready) -> None:
        found = [signed for message in ready.persist for signed in signatures_in(message)]
        own = {signed.signature for signed in found if signed.seat == peer.seat}
        stored = self.stored.setdefault(peer.seat, set())
        # Who is shown what it has forgotten has that from others, and its doubt is synced.
        if ready.send or table.ledger.suspect is not None:
            stored |= own
        else:
            self.silent += bool(ready.persist)
            assert own <= stored
        World._done(self, peer, table, ready)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_batch_of_which_nothing_leaves_holds_no_new_signature_of_its_seat(
    seats: int, is_full: bool
) -> None:
    silent = 0
    for seed in range(40 if is_full else 1):
        made = world_of(macaua(seats, seed, "all"), Findings())
        world = ListeningWorld(made.setting, made.peers, made.network, made.plan, made.watchers)
        world.run()
        silent += world.silent
    assert silent > 50

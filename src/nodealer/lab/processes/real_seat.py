"""One seat of a simulated table in a process of its own, over the network, played by a bot.

    python -m nodealer.lab.processes.real_seat SEAT GAME PLAYERS SEED ADDRESS

The journal is there already, in the profile of the seat below `NODEALER_HOME`, with the addresses
of the others. After every batch that is in the journal the process writes a line: the height, and 1
if nothing more is asked of the seat. It may be killed at any moment and started again. It ends when
its standard input does, so it never outlives whoever has started it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Final, TypeAlias

import trio

from nodealer.games import game
from nodealer.kernel import Chance, Seat, TableId
from nodealer.lab.processes.real_table import profile_of
from nodealer.ledger import Ready
from nodealer.node import Address, Keeper, Listening, Node, is_over, parse, play_by
from nodealer.node.network import on_network
from nodealer.sim import Order, bot_of, chance_of
from nodealer.store import Identity, Journal, open_identity, open_journal, places_of
from nodealer.table import Table

STDIN: Final = 0


Play: TypeAlias = Callable[[Node, Keeper, Order], Awaitable[None]]
"""Plays a seat until its table is over."""


def main(
    play: Play,
    seat: str,
    game_id: str,
    players: str,
    seed: str,
    address: str,
    *,
    relays: tuple[Address, ...] = (),
) -> None:
    """Play a seat until nobody listens."""
    order = Order(game(game_id), int(players), int(seed))
    profile = profile_of(places_of(os.environ), Seat(int(seat)))
    (path,) = profile.journals()
    table, identity = TableId(bytes.fromhex(path.stem)), open_identity(profile.key)
    with closing(open_journal(profile, table, identity)) as journal:
        trio.run(_run, play, order, journal, identity, Listening((parse(address),), relays))


async def _run(
    play: Play, order: Order, journal: Journal, identity: Identity, reach: Listening
) -> None:
    async with on_network(identity, reach) as node, trio.open_nursery() as nursery:
        nursery.start_soon(_end_with_stdin, nursery.cancel_scope)
        keeper = node.open_table(journal)
        await play(node, keeper, order)
        await trio.sleep_forever()


async def play_as_in_memory(_: Node, keeper: Keeper, order: Order) -> None:
    """Choose what the seat chooses in a simulation in memory."""
    keeper.observers.add(tell)
    tell(keeper.table)
    await play_by(keeper, bot_of(order), chance_at(keeper, order))


def chance_at(keeper: Keeper, order: Order) -> Chance:
    """Return the chance of a seat."""
    assert keeper.seat is not None, "a player has opened it"
    return chance_of(order).branch("peer", keeper.seat)


def tell(table: Table, _: Ready | None = None) -> None:
    """Tell whoever has started the process where its seat stands."""
    sys.stdout.write(f"{table.ledger.tip.height} {is_over(table):d}\n")
    sys.stdout.flush()


async def _end_with_stdin(scope: trio.CancelScope) -> None:
    async with trio.lowlevel.FdStream(os.dup(STDIN)) as stream:
        while await stream.receive_some():
            pass
    scope.cancel()


if __name__ == "__main__":
    main(play_as_in_memory, *sys.argv[1:])

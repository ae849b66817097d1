"""One seat in a process of its own, played by a bot: what a simulation over the network starts.

    python -m nodealer.node.lonely_seat PROFILE TABLE ADDRESS

The journal is there already, with the addresses of the others. The process plays until the game is
closed, then stays until every seat that is left has shown that it holds the close, or for
`LINGER_SECONDS`. It may be killed at any moment and started again.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import Final

import trio

from nodealer.bots import bot_for
from nodealer.kernel import TableId
from nodealer.node.auto import drawn_chance, play_by
from nodealer.node.network import on_network
from nodealer.node.reach import Reach
from nodealer.node.staying import stay
from nodealer.node.transport.addresses import Address, parse
from nodealer.store.identity import Identity, open_identity
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import places_of

LINGER_SECONDS: Final = 20.0


def main(profile_name: str, table: str, address: str) -> None:
    """Play a seat to its end."""
    profile = places_of(os.environ).profile(profile_name)
    identity = open_identity(profile.key)
    with closing(open_journal(profile, TableId(bytes.fromhex(table)), identity)) as journal:
        trio.run(_play, identity, journal, parse(address))


async def _play(identity: Identity, journal: Journal, address: Address) -> None:
    async with on_network(identity, Reach((address,))) as node:
        keeper = node.open_table(journal)
        chance = drawn_chance("bot")
        await play_by(keeper, bot_for(keeper.table.position.game), chance)
        await stay(keeper, LINGER_SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])

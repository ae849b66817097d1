"""A node on the network: the carrier of real games, the links over it, and the tables above.

Importing this module loads libp2p, so whoever does not play leaves it alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from nodealer.kernel import LocalError, Reason
from nodealer.node.auto import drawn_chance
from nodealer.node.node import Node, open_node
from nodealer.node.transport.addresses import Address
from nodealer.node.transport.over_libp2p import ListenError, open_carrier, require_free
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.store.identity import Identity


@asynccontextmanager
async def on_network(identity: Identity, listen: Sequence[Address]) -> AsyncIterator[Node]:
    """Run the node of a player, listening on these addresses."""
    chance = drawn_chance("links")
    try:
        require_free(listen)
    except ListenError as error:
        detail = f"nothing can listen at {error}; choose another address with --listen"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail) from error
    async with (
        open_carrier(identity.secret(), listen) as carrier,
        open_switchboard(carrier, chance) as links,
        open_node(links) as node,
    ):
        yield node

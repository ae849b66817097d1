"""Finding a table by its id at a peer that has it open: its charter, which the id is the hash of.

Whoever wants to watch a table and was in no lobby knows where one of its seats is, and what the
table is called. It asks that peer to follow the table and is sent the charter first; whether it is
the right one, its hash says. Nothing else is taken from there: with the charter there can be a
journal, and with a journal the table is opened and followed like any other.
"""

from __future__ import annotations

import trio

from nodealer.kernel import PeerError, TableId
from nodealer.ledger import Charter, Founded, read
from nodealer.node.transport.addresses import Address


class Search:
    """A table that is looked for at one peer."""

    def __init__(self, table: TableId, addresses: tuple[Address, ...]) -> None:
        self.table = table
        self.addresses = addresses
        self.charter: Charter | None = None
        self._over = trio.Event()

    async def over(self) -> Charter | None:
        """Wait for the charter; nothing if the peer says that it does not have the table."""
        await self._over.wait()
        return self.charter

    def show(self, letter: bytes) -> None:
        """Look at a letter for the table; what is not its charter is passed over."""
        try:
            message = read(letter)
        except PeerError:
            return
        if isinstance(message, Founded) and message.charter.table == self.table:
            self.charter = message.charter
            self._over.set()

    def give_up(self) -> None:
        """End the search: there is no such table."""
        self._over.set()

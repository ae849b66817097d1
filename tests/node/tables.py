"""Whole nodes inside this process: journals on a disk, links over a carrier in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path

import trio

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.home.sitting import see_to_the_end
from nodealer.kernel import Counts, Reason, Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Charter
from nodealer.node.auto import play_by
from nodealer.node.farewell import stay
from nodealer.node.keeper import Keeper
from nodealer.node.node import Node, open_node
from nodealer.node.seat_addresses import note_addresses
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.store.journal import Journal
from nodealer.store.opening import create, open_journal
from nodealer.store.records import JournalOrigin
from nodealer.store.seats import come_back_to
from tests.node.ether import FaultyEther
from tests.node.makers import in_virtual_time
from tests.store.players import charter_for, home_in, identity_of, origin_of, seed_of

LATENCY_SECONDS = 0.01

STAY_SECONDS = 60


class Circle:
    """Players on one ether, each with a disk of its own."""

    def __init__(self, folder: Path, seats: int) -> None:
        self.ether = FaultyEther(latency_seconds=LATENCY_SECONDS)
        self.charter: Charter = charter_for(seats)
        self.homes = [home_in(folder / str(seat), seat) for seat in range(seats)]
        self.seats = [Seat(seat) for seat in range(seats)]

    def found(self) -> None:
        """Give every seat a journal with the charter, and the addresses of the others."""
        for seat, home in zip(self.seats, self.homes, strict=True):
            origin = origin_of(self.charter, seat)
            with closing(create(home.profile, origin, home.identity, seed_of(seat))) as journal:
                for other in self.seats:
                    note_addresses(journal, other, (Address("memory", name_of(other)),))

    def journal(self, seat: Seat) -> Journal:
        """Open the journal of a seat."""
        home = self.homes[seat]
        return open_journal(home.profile, self.charter.table, home.identity)

    @asynccontextmanager
    async def node(self, seat: Seat, name: str | None = None) -> AsyncIterator[Node]:
        """Run the node of a seat, without any table, under its usual name on the ether or not."""
        key = PeerKey(identity_of(seat).public)
        async with AsyncExitStack() as stack:
            carrier = await stack.enter_async_context(
                self.ether.carrier(key, name or name_of(seat))
            )
            links = await stack.enter_async_context(
                open_switchboard(carrier, Chance("links", seat))
            )
            yield await stack.enter_async_context(open_node(links))

    @asynccontextmanager
    async def at_table(self, seat: Seat) -> AsyncIterator[Keeper]:
        """Run the node of a seat with its table open; behind its end the journal is closed."""
        with closing(self.journal(seat)) as journal:
            async with self.node(seat) as node:
                yield node.open_table(journal)

    def played_and_watched(self, folder: Path) -> list[bytes]:
        """Let all play to the close while somebody watches; return what that one holds then."""
        seen: list[bytes] = []

        async def watch() -> None:
            async with self.watching(folder) as keeper:
                await see_to_the_end(keeper)
                seen.extend(link.id for link in keeper.table.ledger.tip.downwards())

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch)
                for seat in self.seats:
                    nursery.start_soon(self.play, seat)

        in_virtual_time(main)
        return seen

    @asynccontextmanager
    async def watching(self, folder: Path) -> AsyncIterator[Keeper]:
        """Run the node of a spectator, with the table open; its key is none of the charter."""
        home = home_in(folder, len(self.seats))
        key = PeerKey(home.identity.public)
        is_new = not home.profile.journal(self.charter.table).exists()
        begin = (
            partial(create, home.profile, JournalOrigin(self.charter))
            if is_new
            else partial(open_journal, home.profile, self.charter.table)
        )
        with closing(begin()) as journal:
            for seat in self.seats:
                note_addresses(journal, seat, (Address("memory", name_of(seat)),))
            async with AsyncExitStack() as stack:
                carrier = await stack.enter_async_context(self.ether.carrier(key, "spectator"))
                links = await stack.enter_async_context(
                    open_switchboard(carrier, Chance("links", "spectator"))
                )
                node = await stack.enter_async_context(open_node(links))
                yield node.open_table(journal)

    def entries(self, seat: Seat) -> list[bytes]:
        """Return the ids of the entries that a seat has stored, the highest first."""
        with closing(self.journal(seat)) as journal:
            table, _ = come_back_to(journal)
            return [link.id for link in table.ledger.tip.downwards()]

    async def play(self, seat: Seat) -> None:
        """Let a bot play a seat to the end, and stay until the others have the close."""
        async with self.at_table(seat) as keeper:
            await play_by(keeper, bot_for(game("macaua")), Chance("bot", seat))
            await stay(keeper, STAY_SECONDS)

    async def play_to(self, seat: Seat, height: int) -> None:
        """Let a bot play a seat until this height is reached, and close its program."""
        async with self.at_table(seat) as keeper, trio.open_nursery() as nursery:
            nursery.start_soon(play_by, keeper, bot_for(game("macaua")), Chance("bot", seat))
            while keeper.table.ledger.tip.height < height:
                await keeper.changed()
            nursery.cancel_scope.cancel()


def unreadable(counts: Counts) -> int:
    """Return how many letters were not taken because they could not be read."""
    return sum(
        count
        for one, count in counts.items()
        if isinstance(one, Reason) and one.slug.startswith("encoding/")
    )


def name_of(seat: Seat) -> str:
    """Return the name of a seat's node on the ether."""
    return f"seat-{seat}"

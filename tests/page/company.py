"""People and bots at one table, each with a node of their own; every person has a page.

The nodes stand in one process and reach each other as at a table against bots; who plays does not
know. The first seat is a bot's: whose table it is to found makes no difference to the others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import trio

from nodealer.bots import bot_for
from nodealer.games import registry
from nodealer.keeping import no_delay
from nodealer.kernel import Chance, Seat
from nodealer.ledger import Charter, Clock
from nodealer.node import CLOCKS, Keeper, Rules, Seated, bots_in, found, identity_in
from nodealer.node.auto import play_by
from nodealer.node.node import open_node
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.memory import Ether
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.steward.open_table import HouseTable, Unseen
from nodealer.store import open_journal, places_of
from tests.page.serving import ServedHome, served_home

Plays: TypeAlias = Callable[[Keeper], Awaitable[None]]
"""How a seat is played."""

BY_BOTS: Final[Mapping[Seat, Plays]] = MappingProxyType({})


@asynccontextmanager
async def gathered(
    folder: Path,
    game: str,
    people: Sequence[str],
    bots: int,
    options: Mapping[str, int | str | bool],
    *,
    clock: Clock = CLOCKS["calm"],
    plays: Mapping[Seat, Plays] = BY_BOTS,
    ether: Ether | None = None,
) -> AsyncIterator[list[ServedHome]]:
    """Serve the pages of people at one table, who play with so many bots.

    Who `plays` in a way of its own is no bot; of people that is done behind their page.
    """
    rules = registry.game(game)
    async with AsyncExitStack() as stack:
        homes = [
            await stack.enter_async_context(served_home(folder / name, name=name))
            for name in people
        ]
        profiles = [one.steward.house.shelf.profile for one in homes]
        persons = [
            Seated(profile, identity_in(profile), name)
            for profile, name in zip(profiles, people, strict=True)
        ]
        places = places_of({"NODEALER_HOME": str(folder / "bots")})
        first, *others = bots_in(places, bots, "")
        everybody = [first, *persons, *others]
        charter = found(Rules(rules, options, clock), everybody)
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        space = Ether() if ether is None else ether
        for number, one in enumerate(everybody):
            keeper = await _at_table(stack, space, one, Seat(number), charter)
            if Seat(number) in plays:
                nursery.start_soon(plays[Seat(number)], keeper)
            if one in persons:
                steward, table = (
                    homes[persons.index(one)].steward,
                    HouseTable(keeper, Unseen(keeper.id)),
                )
                steward.show(table)
                nursery.start_soon(table.run, steward.house.bells.changed)
            elif Seat(number) not in plays:
                nursery.start_soon(play_by, keeper, bot_for(rules), Chance("bot", number))
        yield homes


async def _at_table(
    stack: AsyncExitStack, ether: Ether, one: Seated, seat: Seat, charter: Charter
) -> Keeper:
    key = PeerKey(charter.keys[seat])
    journal = stack.enter_context(closing(open_journal(one.profile, charter.table, one.identity)))
    carrier = await stack.enter_async_context(ether.carrier(key, f"seat-{seat}"))
    links = await stack.enter_async_context(open_switchboard(carrier, Chance("links", seat)))
    node = await stack.enter_async_context(open_node(links))
    node.draw_delay = no_delay
    return node.open_table(journal)

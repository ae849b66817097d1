"""Dialling together, without routers between: what can be seen of it here; see also the scenes."""

from __future__ import annotations

import trio
import trio.testing

from nodealer.node.transport.addresses import Address, parse
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from tests.node.makers import HERE, SEEDS, stream_between

SILENT = parse("/ip4/127.0.0.1/tcp/1")


async def fine(one: Libp2pCarrier, other: Libp2pCarrier) -> None:
    """Require that two carriers still reach each other."""
    here, there = await stream_between(one, other)
    await here.write(b"all is well")
    assert await there.read() == b"all is well"


def test_the_end_that_leads_gets_a_stream_from_the_port_on_which_it_listens() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as near, open_carrier(SEEDS[1], [HERE]) as far:
            near.punch(far.key, far.addresses()[0])
            here, there = await near.accept(), await far.accept()
            assert here.peer == far.key
            assert there.peer == near.key
            assert there.place == near.addresses()[0]
            await here.write(b"through")
            assert await there.read() == b"through"

    trio.run(main)


def test_what_does_not_come_about_is_no_trouble() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as near, open_carrier(SEEDS[1], [HERE]) as far:
            far.punch(near.key, SILENT)
            near.punch(far.key, SILENT)
            # Alone, the end that does not lead waits for a handshake that nobody begins.
            far.punch(near.key, near.addresses()[0])
            await trio.sleep(0.2)
            await fine(near, far)

    trio.run(main)


def test_where_a_node_is_seen_is_told() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as near:
            seen: list[Address] = []

            async def wait() -> None:
                await near.addresses_changed()
                seen.extend(near.addresses())

            async with trio.open_nursery() as nursery:
                nursery.start_soon(wait)
                await trio.testing.wait_all_tasks_blocked()
                near.known_as(SILENT)
            assert seen[-1] == SILENT

    trio.run(main)

"""A peer in a process of its own: it sends back whatever it takes.

    python -m tests.node.far_peer NUMBER PORT

It prints its address, and why its connections have ended, and goes on until it is stopped.
"""

from __future__ import annotations

import sys

import trio

from nodealer.kernel.chance import Chance
from nodealer.node.transport.addresses import parse
from nodealer.node.transport.link import Link, LinkEnded
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.node.transport.switchboard import open_switchboard
from tests.node.makers import SEEDS


async def echo(link: Link) -> None:
    """Send back what a peer sends, until it leaves."""
    try:
        while True:
            item = await link.receive()
            if isinstance(item, bytes):
                await link.send(item)
    except LinkEnded:
        return


async def tell_ends(link: Link) -> None:
    """Print why the connection has ended, each time when there is another one."""
    told = None
    while True:
        reach = link.reach
        if reach.is_reached and reach.ended is not None and reach.ended != told:
            told = reach.ended
            sys.stdout.write(f"{told.cause.name}\n")
            sys.stdout.flush()
        await link.changed()


async def main(number: int, port: int) -> None:
    """Run the peer."""
    listen = [parse(f"/ip4/127.0.0.1/tcp/{port}")]
    async with (
        open_carrier(SEEDS[number], listen) as carrier,
        open_switchboard(carrier, Chance("far peer", number)) as board,
        trio.open_nursery() as nursery,
    ):
        sys.stdout.write(f"{carrier.addresses()[0]}\n")
        sys.stdout.flush()
        while True:
            link = await board.accept()
            nursery.start_soon(echo, link)
            nursery.start_soon(tell_ends, link)


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), int(sys.argv[2]))

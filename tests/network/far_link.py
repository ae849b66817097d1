"""One end of a link between two peers that know each other's addresses, in a process of its own.

    python -m tests.network.far_link NUMBER OTHER RELAY ADDRESS

It listens on port 4001, keeps a place at the relay, reaches for the other at the relay and at the
address, and prints a line whenever the way to the other has become another one.
"""

from __future__ import annotations

import sys

import trio

from nodealer.kernel import Way
from nodealer.kernel.chance import Chance
from nodealer.node.listening import parse_relay
from nodealer.node.network import punch_relayed
from nodealer.node.transport.addresses import parse
from nodealer.node.transport.link import Link
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.node.transport.switchboard import open_switchboard
from tests.node.makers import SEEDS, key


def way_of(link: Link) -> str:
    return {Way.NONE: "none", Way.RELAYED: "relayed"}.get(link.reach.way, "direct")


async def main(number: int, other: int, relay_text: str, address: str) -> None:
    relay = parse_relay(relay_text)
    assert relay.relay is not None
    async with (
        open_carrier(SEEDS[number], [parse("/ip4/0.0.0.0/tcp/4001")]) as carrier,
        open_switchboard(carrier, Chance("far link", number)) as board,
        trio.open_nursery() as nursery,
    ):
        carrier.keep_place(relay.relay, relay)
        while relay not in carrier.addresses():
            await carrier.addresses_changed()
        nursery.start_soon(punch_relayed, carrier, board)
        link = board.link(key(other), (relay, parse(address)))
        said = ""
        while True:
            if way_of(link) != said:
                said = way_of(link)
                sys.stdout.write(f"{said}\n")
                sys.stdout.flush()
            await link.changed()


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])

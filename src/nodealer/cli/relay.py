"""`nodealer relay`: helps peers to each other that nobody can dial.

It runs until it is stopped: Ctrl-C, or the signal with which services are stopped.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nodealer.cli.output import complain, emit_text
from nodealer.cli.parsers import Commands, add_command

if TYPE_CHECKING:
    from nodealer.node import Address
    from nodealer.store import Identity

RELAY_LISTEN = "/ip4/0.0.0.0/tcp/4001"

DESCRIPTION = """\
Runs a relay on a machine that others can dial, for players behind routers: they keep a place here
with `--relay ADDRESS`, and whoever knows that address is passed on to them. Prints its addresses,
one in a line, and runs until it is stopped. What is passed on is encrypted from one player to the
other: a relay sees who talks to whom, when and how much, and can read and change nothing. It is a
circuit relay (version 2) of libp2p, so other programs can use it too.

examples:
  nodealer relay
  nodealer relay --listen /ip4/0.0.0.0/tcp/9000
"""


def register(commands: Commands) -> None:
    """Describe `relay`."""
    relay = add_command(commands, "relay", "help players behind routers to each other", DESCRIPTION)
    relay.add_argument(
        "--listen",
        action="append",
        metavar="ADDRESS",
        help=f"where it is reached, as a multiaddr (default: {RELAY_LISTEN})",
    )
    relay.add_argument(
        "--profile",
        default="relay",
        metavar="NAME",
        help="whose key it has; its address names it (default: relay)",
    )


def run(args: argparse.Namespace) -> int:
    """Run the relay."""
    import trio

    from nodealer.home import address_given
    from nodealer.node import identity_in, parse
    from nodealer.store import places_of

    profile = places_of(os.environ).profile(args.profile)
    listen = [address_given(text, parse) for text in args.listen or [RELAY_LISTEN]]
    stopped_by = trio.run(_serve, identity_in(profile), listen)
    if stopped_by == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


async def _serve(identity: Identity, listen: Sequence[Address]) -> int:
    import trio

    from nodealer.node import peer_id
    from nodealer.node.network import as_relay

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with as_relay(identity, listen) as carrier:
            for address in carrier.addresses():
                emit_text(f"{address}/p2p/{peer_id(carrier.key)}")
            sys.stdout.flush()  # whoever has started it in the background waits for these lines
            complain(
                "players give one of these lines that they can dial as --relay;",
                "what is passed on is encrypted from one to the other and cannot be read here",
            )
            async for number in signals:
                return number
    raise AssertionError("signals never end")

"""`nodealer relay`: helps peers to each other that nobody can dial."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

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


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `relay`."""
    relay = commands.add_parser(
        "relay",
        help="help players behind routers to each other",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
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
    relay.set_defaults(module="nodealer.cli.run_relay")

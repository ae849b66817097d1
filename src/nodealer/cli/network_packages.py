"""The packages that tables among machines need, on a machine that does not have them yet.

Whoever plays against bots, simulates or verifies does without. Commands that go nowhere without
them say so before they begin; others come upon it where a table among machines is opened, as an
error of the same name. In a directory of sources nobody needs to be told: `scripts/nodealer`, which
has started this program, is started again and installs them first.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from nodealer.cli.output import complain
from nodealer.lab import LIBP2P

NETWORKED: Final = frozenset(
    f"nodealer.cli.{name}"
    for name in ("doctor", "host", "join", "bench_net", "bench_siege", "relay", "watch")
)
"""What goes nowhere without the network."""

AT_HOME: Final = "nodealer.cli.page"
"""What does a part of its work without the network, and is better begun with it where it can be."""

STARTER: Final = "NODEALER_STARTER"
"""Where `scripts/nodealer` is, if it has started this program."""

LAYER: Final = "NODEALER_LAYER"
"""What it has seen to: `core`, or `net` too."""


def require_network(args: argparse.Namespace) -> None:
    """Raise if a command that goes nowhere without the network cannot have it."""
    from importlib.util import find_spec  # noqa: PLC0415 - needed by few commands

    is_wanted = args.module in NETWORKED or getattr(args, "transport", "") == LIBP2P
    is_wanted |= args.module == AT_HOME and STARTER in os.environ
    if is_wanted and find_spec("libp2p") is None:
        from nodealer.store import StoreError, Trouble  # noqa: PLC0415 - loads what help does without

        raise StoreError(Trouble.NETWORK, "libp2p")


def get_network(error: Exception) -> None:
    """Start once more with the network if it is missing and can be had; else return."""
    from nodealer.store import StoreError, Trouble  # noqa: PLC0415 - as above

    starter = os.environ.get(STARTER)
    is_missing = isinstance(error, StoreError) and error.trouble is Trouble.NETWORK
    if starter and is_missing and os.environ.get(LAYER) == "core":
        complain("tables among machines need more packages; they are installed now, this once")
        sys.stdout.flush()
        environment = os.environ | {LAYER: "net"}
        os.execve(starter, [starter, *sys.argv[1:]], environment)  # noqa: S606 - our own

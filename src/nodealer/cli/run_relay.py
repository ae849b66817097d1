"""Runs a relay until it is stopped: Ctrl-C, or the signal with which services are stopped."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

import trio

from nodealer.cli.output import complain, emit_text
from nodealer.cli.relay import RELAY_LISTEN
from nodealer.home.listening import address_given
from nodealer.node.network import as_relay
from nodealer.node.practice import identity_in
from nodealer.node.transport.addresses import Address, parse, peer_id
from nodealer.store.identity import Identity
from nodealer.store.places import places_of


def run(args: argparse.Namespace) -> int:
    """Run the relay."""
    profile = places_of(os.environ).profile(args.profile)
    listen = [address_given(text, parse) for text in args.listen or [RELAY_LISTEN]]
    stopped_by = trio.run(_serve, identity_in(profile), listen)
    if stopped_by == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


async def _serve(identity: Identity, listen: Sequence[Address]) -> int:
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

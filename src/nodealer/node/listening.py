"""The wishes of a node to be reached: where it listens, through which relays, whom it tells.

Plain data, from a command line or a test, handed to `network`. A relay is written as the address
that it prints, `…/tcp/4001/p2p/12D3Koo…`; as an address of this node the same with `/p2p-circuit`
behind it, which others can dial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nodealer.node.transport.addresses import Address, parse

CIRCUIT: Final = "/p2p-circuit"


@dataclass(frozen=True, slots=True)
class Listening:
    """The things a node does to be reached."""

    listen: tuple[Address, ...]
    relays: tuple[Address, ...] = ()
    """Addresses of this node at relays, each with the key of its relay."""
    meets_nearby: bool = True
    """Whether machines on the same network are told that this node is there, and looked for."""


def parse_relay(text: str) -> Address:
    """Return the address that a node has at the relay of this name, or raise `PeerError`."""
    address = parse(text if text.endswith(CIRCUIT) else text + CIRCUIT)
    assert address.relay is not None, "only that form ends so"
    return address

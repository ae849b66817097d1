"""The numbers of a node on its own network, if it has any there; `local_network` tells others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.node.transport.addresses import Address, PeerKey, is_nearby


@dataclass(frozen=True, slots=True)
class Here:
    """The numbers of this node: who it is, this machine, and the one port it listens at."""

    key: PeerKey
    hosts: tuple[str, ...]
    port: int


def here(key: PeerKey, addresses: Sequence[Address]) -> Here | None:
    """Return what there is to be said to this network; nothing if nobody there can dial it."""
    near = [one for one in addresses if is_nearby(one)]
    return Here(key, tuple(one.host for one in near), near[0].port) if near else None

"""Through two routers at once: a direct connection between peers that nobody can dial.

A router lets in what answers to something that went out. So both peers dial each other's outer
address at about the same time, each from the port on which it listens: the first packet of each
opens its own router for the other's, and TCP makes one connection of two openings that meet. Most
routers keep the port of what goes out, or the same one for all that comes from a port inside; with
others this fails, and nothing is lost: the peers stay on the relay over which they have agreed.

There is nothing to agree on but the moment, and that is when the relayed link has come up, which
both notice within the time of one message; a lost first packet is sent again by TCP itself. Which
end begins the handshake is settled beforehand: the one that leads the link.
"""

from __future__ import annotations

from libp2p.abc import INetConn
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from libp2p.transport.tcp.tcp import TCP
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.node.transport.addresses import Address
from nodealer.node.transport.doorkeeper import Caller
from nodealer.node.transport.guarded import GuardedSwarm


async def punch(swarm: Swarm, peer: ID, there: Address, here: Address) -> INetConn:
    """Return the connection that comes of dialling together, for the end that leads."""
    place = Multiaddr(str(there))
    return await swarm.dial_addr(place, peer, (here.host, here.port))


async def be_punched(swarm: GuardedSwarm, there: Address, here: Address) -> None:
    """Do the same for the other end: what comes of it is taken up like any connection."""
    place = Multiaddr(str(there))
    raw = await TCP().dial_with_source(place, (here.host, here.port))
    await swarm.take_up(raw, Caller(there.host))

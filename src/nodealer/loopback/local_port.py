"""Ports of the loopback: what listens there is reached by programs of this machine alone.

Nothing here takes the name of a network to listen on, and listeners that somebody made elsewhere
are refused: a page that others can reach shows them the hand of its player.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final, TypeAlias

import trio

from nodealer.kernel import LocalError, Reason

LOOPBACK: Final = "127.0.0.1"

LocalListeners: TypeAlias = list[trio.SocketListener]
"""The sockets on which somebody listens."""


async def listen(port: int) -> LocalListeners:
    """Listen on a port of this machine, any free one for 0; raises `OSError` if it is taken."""
    return list(await trio.open_tcp_listeners(port, host=LOOPBACK))


def port_of(listeners: LocalListeners) -> int:
    """Return the port on which somebody listens."""
    return int(listeners[0].socket.getsockname()[1])


def require_loopback(listeners: LocalListeners) -> None:
    """Raise unless nobody but this machine can reach the listeners."""
    for listener in listeners:
        address = listener.socket.getsockname()[0]
        if not ip_address(address).is_loopback:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"others can reach {address}")

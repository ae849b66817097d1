"""The check that an address of this machine can be listened on, before anything is.

The library shares a port that another of its programs has, in silence, and only logs an address
that is not of this machine.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence

from nodealer.node.transport.addresses import Address


class ListenError(OSError):
    """The address cannot be listened on; another program has it, or it is not of this machine."""

    def __init__(self, address: Address, detail: str) -> None:
        super().__init__(f"{address}: {detail}")
        self.address = address


def require_free(listen: Sequence[Address]) -> None:
    """Raise `ListenError` unless all these addresses can be listened on."""
    for address in listen:
        _require_free(address)


def _require_free(address: Address) -> None:
    if address.kind not in ("ip4", "ip6") or address.relay is not None:
        raise ListenError(address, "not the number of a machine")
    family = socket.AF_INET6 if address.kind == "ip6" else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            # Not with SO_REUSEPORT: that is how two programs come to share a port.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address.host, address.port))
        except OSError as error:
            raise ListenError(address, error.strerror or str(error)) from error

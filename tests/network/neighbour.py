"""A neighbour that announces what no program should, again and again, from the number it is given.

    python -m tests.network.neighbour 203.0.113.3

Services of ours under names of other kinds, with bytes that move a cursor, or that grow when they
are read; and names behind which there is nothing.
"""

from __future__ import annotations

import socket
import struct
import sys
import time

from nodealer.node.transport.addresses import PeerKey, peer_id

GROUP = ("224.0.0.251", 5353)
KIND = (b"_nodealer", b"_tcp", b"local")
PAUSE_SECONDS = 0.05

KEY = peer_id(PeerKey(bytes(range(32)))).encode()

NAMES = (
    (KEY, b"_http", b"_tcp", b"local"),
    (KEY + b"-\x1b[2J", *KIND),
    (b"\xff" * 60, *KIND),
    (KEY + b"-0badc0", *KIND),
)


def announced(name: tuple[bytes, ...]) -> bytes:
    """Return a message that says that there is a service of our kind under a name."""
    alias = _written(name)
    head = struct.pack("!6H", 0, 0x8400, 0, 1, 0, 0)
    return head + _written(KIND) + struct.pack("!HHIH", 12, 1, 4500, len(alias)) + alias


def _written(labels: tuple[bytes, ...]) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + bytes(1)


def main() -> None:
    """Announce until killed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        own = socket.inet_aton(sys.argv[1])
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        while True:
            for name in NAMES:
                out.sendto(announced(name), GROUP)
            time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main()

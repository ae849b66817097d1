"""Sending without waiting: a payload goes where there is a link with room for it, or nowhere.

What a node sends while it has other things to do may be lost; the layers above know how to ask for
it again, or do without. A link that has ended, or is about to, has no room.
"""

from __future__ import annotations

from nodealer.node.transport.link import Link, LinkEnded


def offered(link: Link | None, payload: bytes, waiting_max: int | None = None) -> bool:
    """Send a payload if there is room for it, and say whether there was.

    With a bound there is room only while no more payloads than this wait for the peer.
    """
    if link is None or (waiting_max is not None and link.waiting > waiting_max):
        return False
    try:
        return link.offer(payload)
    except LinkEnded:
        return False

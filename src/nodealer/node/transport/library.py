"""What is done with libp2p in the same way wherever it is used."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any, Final

import trio
from libp2p.abc import INetConn
from libp2p.custom_types import TProtocol
from libp2p.network.stream.net_stream import NetStream
from libp2p.protocol_muxer.multiselect_client import MultiselectClient
from libp2p.protocol_muxer.multiselect_communicator import MultiselectCommunicator

LOG: Final = logging.getLogger("nodealer.node")

NEGOTIATION_SECONDS: Final = 10
"""For an exchange of a few short messages with whoever is at the other end."""


async def open_stream(connection: INetConn, protocol: TProtocol) -> NetStream:
    """Open a stream on this connection and on no other, and agree on what is spoken there."""
    stream = await connection.new_stream()
    assert isinstance(stream, NetStream), "the swarm makes no others"
    client, talk = MultiselectClient(), MultiselectCommunicator(stream)
    with trio.fail_after(NEGOTIATION_SECONDS):
        await client.handshake(talk)
        stream.set_protocol(await client.try_select(talk, protocol))
    return stream


async def quietly(step: Awaitable[Any]) -> None:
    """Await something whose failure is no news: ending what has ended, being left by a peer.

    The library raises errors of any kind then. They are logged, for whoever looks for something.
    """
    try:
        await step
    except Exception:
        LOG.debug("%s did not succeed", step, exc_info=True)


def quieten() -> None:
    """Keep the library from writing to the terminal, which it does when a peer is gone."""
    root, library = logging.getLogger(), logging.getLogger("libp2p")
    if not root.handlers:
        root.addHandler(logging.NullHandler())
    library.addHandler(logging.NullHandler())
    library.setLevel(logging.CRITICAL)

"""The swarm of libp2p, with our rules for what comes in from outside."""

from __future__ import annotations

import trio
from libp2p.abc import IRawConnection
from libp2p.io.abc import ReadWriteCloser
from libp2p.network.connection.raw_connection import RawConnection
from libp2p.network.swarm import Swarm
from libp2p.stream_muxer.yamux.yamux import Yamux
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import PeerError
from nodealer.node.transport.addresses import key_of
from nodealer.node.transport.door import Caller, Door
from nodealer.node.transport.library import quietly

CLOSE_SECONDS = 5.0
"""How long a connection may take to end in good order."""


class GuardedSwarm(Swarm):
    """Takes up what peers open, through a door."""

    door: Door

    async def _handle_inbound_connection(
        self, read_write_closer: ReadWriteCloser, maddr: Multiaddr
    ) -> None:
        """Serve a connection that was accepted; the library calls this and lets go of it after."""
        remote = read_write_closer.get_remote_address()
        raw = RawConnection(read_write_closer, initiator=False)
        if remote is not None:  # else it has ended already
            await quietly(self.take_up(raw, maddr, Caller(remote[0])))

    async def take_up(self, raw: IRawConnection, place: Multiaddr, caller: Caller) -> None:
        """Serve a connection that a peer has opened, from its first byte to its end."""
        if not self.door.admits(caller):
            await raw.close()
            return
        try:
            with caller.life:
                await self._serve(raw, place, caller)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_SECONDS):
                await quietly(raw.close())
            self.door.left(caller)

    async def _serve(self, raw: IRawConnection, place: Multiaddr, caller: Caller) -> None:
        connection = await self.upgrade_inbound_raw_conn(raw, place)
        assert isinstance(connection, Yamux), "there is no other multiplexer"
        try:
            caller.key = key_of(connection.peer_id.to_string())
            if self.door.admits(caller):
                await connection.event_closed.wait()
        except PeerError:
            pass  # a key of another kind, with which nobody plays
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CLOSE_SECONDS):
                if caller.life.cancel_called and caller.relay is None:
                    await quietly(raw.close())  # who has to give way is not waited for
                await quietly(connection.close())

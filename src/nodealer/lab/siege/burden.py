"""The work of an attacker, done for nobody: the other half of each comparison.

An attacker takes processor time of the machine on which the table plays. What this costs the table
is not what the attack costs it. So in the control run another process works as hard: it uses as
much processor time, writes as many bytes and opens as many connections, each second, and the port
that it dials swallows everything. The seat that lies is slower for its own lies: in the control run
it burns as much time beside its game.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

import trio

from nodealer.lab.siege.attacks import AttackTally, cpu_seconds
from nodealer.lab.siege.by_hand import BROKEN, Bare, dialled, require_loopback
from nodealer.node import Address

SLOT_SECONDS: Final = 0.02

BURNT_AT_ONCE_SECONDS: Final = 0.1
"""Who is late does not make up for all of it at once: the rest of its process would stand still."""


@dataclass(frozen=True, slots=True)
class Load:
    """The work of an attacker in a second."""

    cpu_seconds: float
    sent_bytes: float
    connections: float


def load_of(tally: AttackTally) -> Load:
    """Return the load of an attacker that has ended."""
    seconds = max(tally.seconds, SLOT_SECONDS)
    return Load(tally.cpu_seconds / seconds, tally.sent_bytes / seconds, tally.tried / seconds)


async def bear(load: Load, swallower: Address) -> None:
    """Work as hard as this, until cancelled."""
    began, began_cpu = trio.current_time(), cpu_seconds()
    sent = opened = 0.0
    async with dialled(swallower) as bare:
        while True:
            await trio.sleep(SLOT_SECONDS)
            elapsed = trio.current_time() - began
            while opened < load.connections * elapsed:
                opened += 1
                async with dialled(swallower):
                    pass
            due = int(load.sent_bytes * elapsed - sent)
            await bare.write(bytes(due))
            sent += due
            while cpu_seconds() - began_cpu < load.cpu_seconds * elapsed:
                pass


async def burn(cpu_share: float) -> None:
    """Use up so much of a processor, in a process that has other things to do, until cancelled."""
    before = trio.current_time()
    while True:
        await trio.sleep(SLOT_SECONDS)
        now = trio.current_time()
        until = cpu_seconds() + cpu_share * min(now - before, BURNT_AT_ONCE_SECONDS)
        before = now
        while cpu_seconds() < until:
            pass


async def swallow(task_status: _Starting) -> None:
    """Listen, and read whatever comes, until cancelled."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    _, port = listeners[0].socket.getsockname()[:2]
    here = Address("ip4", "127.0.0.1", port)
    require_loopback(here)
    task_status.started(here)

    async def swallowed(stream: trio.SocketStream) -> None:
        with suppress(*BROKEN):
            await Bare(stream).until_closed()

    await trio.serve_listeners(swallowed, listeners)


class _Starting(Protocol):
    """The words that trio hands to a task, to say that it has started."""

    def started(self, here: Address, /) -> None:
        """Say so."""
        ...

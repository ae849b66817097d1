"""A process that lays one attack on a table, for a while.

    python -m nodealer.lab.siege.attacker

The first line of its standard input is its order, in JSON. It answers with a line: where it
listens, if it waits to be dialled. The second line, whatever it is, lets it begin; to each further
one it answers with its tally so far. It ends after the seconds of its order, or with its standard
input.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Final

import trio

from nodealer.lab.siege.attacks import (
    BY_NAME,
    STAY_SECONDS,
    AttackTally,
    Target,
    cpu_seconds,
    keep_going,
    wait_for_callers,
)
from nodealer.lab.siege.burden import Load, bear
from nodealer.lab.siege.by_hand import require_loopback
from nodealer.node import PeerKey, parse

STDIN: Final = 0

FILES_WANTED: Final = 4_096
"""Connections are open files; systems allow fewer by themselves."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of an attacker."""

    seconds: float
    connections: int = 0
    """To each target."""
    attack: str = ""
    targets: tuple[tuple[str, str], ...] = ()
    """The key of each, in hexadecimal, and its address."""
    load: tuple[float, float, float] | None = None
    """In place of an attack, the same work for nobody: see `Load`."""
    swallower: str = ""


def main() -> None:
    """Do what the order says."""
    read = json.loads(sys.stdin.readline())
    orders = Orders(**read)
    _allow_files()
    trio.run(_attack, orders)


async def _attack(orders: Orders) -> None:
    tally, targets = AttackTally(), _targets(orders)
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    _, port = listeners[0].socket.getsockname()[:2]
    sys.stdout.write(f"/ip4/127.0.0.1/tcp/{port}\n")
    sys.stdout.flush()
    async with trio.lowlevel.FdStream(os.dup(STDIN)) as orders_end, trio.open_nursery() as nursery:
        await orders_end.receive_some()
        nursery.start_soon(_tell, tally, orders_end, nursery.cancel_scope)
        nursery.cancel_scope.deadline = trio.current_time() + min(orders.seconds, STAY_SECONDS)
        if orders.load is not None:
            nursery.start_soon(bear, Load(*orders.load), parse(orders.swallower))
        elif (step := BY_NAME[orders.attack].step) is None:
            nursery.start_soon(wait_for_callers, listeners[0], tally)
        else:
            for target in targets:
                for _ in range(orders.connections):
                    nursery.start_soon(keep_going, step, target, tally)


def _targets(orders: Orders) -> list[Target]:
    targets = [Target(PeerKey(bytes.fromhex(key)), parse(at)) for key, at in orders.targets]
    for one in targets:
        require_loopback(one.address)
    return targets


async def _tell(
    tally: AttackTally, stream: trio.abc.ReceiveStream, scope: trio.CancelScope
) -> None:
    """Say what was done so far whenever somebody asks; end with the one who asks."""
    began, began_cpu = monotonic(), cpu_seconds()
    while await stream.receive_some():
        tally.seconds, tally.cpu_seconds = monotonic() - began, cpu_seconds() - began_cpu
        sys.stdout.write(json.dumps(asdict(tally)) + "\n")
        sys.stdout.flush()
    scope.cancel()


def _allow_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


if __name__ == "__main__":
    main()

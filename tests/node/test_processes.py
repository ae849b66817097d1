"""Two programs over libp2p: one is stopped, goes on, is killed and comes back.

This is the one test here that waits in real time: for `SILENT_US`, while the other one is frozen.
What is written to standard error by a library that sees a peer vanish would spoil a player's
terminal, so that is watched too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from nodealer.kernel import Cause
from nodealer.kernel.chance import Chance
from nodealer.node.transport.addresses import Address, parse
from nodealer.node.transport.link import Link
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.node.transport.windows import Began
from tests.node.makers import HERE, SEEDS, key
from tests.tidy.project import ROOT


@asynccontextmanager
async def far_peer(number: int, port: int) -> AsyncIterator[tuple[trio.Process, Address]]:
    """Run a peer in another process."""
    command = [sys.executable, "-m", "tests.node.far_peer", str(number), str(port)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    process = await trio.lowlevel.open_process(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        yield process, parse(await line_of(process))
        process.kill()
        with trio.fail_after(10):
            assert b"".join([chunk async for chunk in process.stderr]) == b""
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


async def line_of(process: trio.Process) -> str:
    """Return the next line that a process prints."""
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        line += await process.stdout.receive_some(100)
    return line.decode().strip()


async def wait_for(link: Link, state: LinkState, seconds: float) -> None:
    with trio.fail_after(seconds):
        while link.state is not state:
            await link.changed()


async def echoed(link: Link, payloads: list[bytes]) -> None:
    """Require that payloads come back in order, each once."""
    for payload in payloads:
        await link.send(payload)
    for payload in payloads:
        assert await link.receive() == payload


async def scenario() -> None:
    async with (
        open_carrier(SEEDS[0], [HERE]) as carrier,
        open_switchboard(carrier, Chance("processes")) as board,
    ):
        async with far_peer(1, 0) as (process, address):
            link = board.link(key(1), (address,))
            assert await link.receive() == Began(renewed=False)
            await echoed(link, [b"%d" % number for number in range(200)])

            process.send_signal(signal.SIGSTOP)
            await link.send(b"while you were frozen")
            await wait_for(link, LinkState.AWAY, 20)
            assert link.reach.cause is Cause.SILENT
            process.send_signal(signal.SIGCONT)
            assert await link.receive() == b"while you were frozen"
            await echoed(link, [bytes(1 << 20)])
            assert await line_of(process) == Cause.ASLEEP.name

            process.kill()
            await wait_for(link, LinkState.AWAY, 3)
            assert link.reach.ended is not None
            assert link.reach.ended.cause is Cause.BROKEN

        async with far_peer(1, address.port) as (_, again):
            assert again == address
            assert await link.receive() == Began(renewed=True)
            await echoed(link, [b"as if nothing had been"])


def test_a_peer_is_frozen_thawed_killed_and_started_again() -> None:
    trio.run(scenario)

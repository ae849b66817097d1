"""Somebody whose program is not ours follows a game, and sees what the players see.

The spectator is a node of js-libp2p; what it says and reads was written from the specs alone. It
comes at any time in the game: what was before it is told first. The processes stay until it is
done, so that it sees the close.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import trio

from nodealer.lab.processes.real_processes import Processes
from nodealer.lab.processes.real_table import RealTable, found_table
from nodealer.node.transport.addresses import PeerKey, peer_id
from tests.js.installed import PLACE, node_with_packages
from tests.processes.real_tables import ids_at, order_of

SEAT = 2
"""Whom the spectator asks."""

TRIES = 50


async def follow(node: Path, table: RealTable, found: list[str], done: trio.Event) -> None:
    """Run the spectator until it has reached the node; it may not have been started yet."""
    key = PeerKey(table.charter.keys[SEAT])
    words = [str(table.addresses[SEAT]), peer_id(key), table.charter.table.hex()]
    command = [str(node), "spectator.mjs", *words]
    try:
        for _ in range(TRIES):
            ran = await trio.run_process(
                command, cwd=PLACE, capture_stdout=True, capture_stderr=True, check=False
            )
            assert ran.stdout is not None
            assert ran.stderr is not None
            if ran.returncode == 0:
                found.extend(ran.stdout.decode().splitlines())
                return
            found.append(ran.stderr.decode())
            assert "ECONNREFUSED" in found[-1], found
            found.clear()
            await trio.sleep(0.1)
    finally:
        done.set()


def test_a_node_of_js_libp2p_follows_a_game_to_its_close(tmp_path: Path) -> None:
    node = node_with_packages()
    version = subprocess.run([node, "--version"], capture_output=True, check=True).stdout
    assert version.startswith(b"v22.")
    table = found_table(order_of(4, 6), tmp_path)
    found: list[str] = []
    done = trio.Event()
    processes = Processes(table, needed_until=done)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(follow, node, table, found, done)
            await processes.run()

    trio.run(main)
    assert processes.troubles == []
    histories = [ids_at(table, seat)[-2::-1] for seat in range(4)]  # without the charter
    entries = [f"entry {height} {one.hex()}" for height, one in enumerate(histories[0], 1)]
    assert found == entries
    assert histories == [histories[0]] * 4

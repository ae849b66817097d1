"""A client at a table over the network: every seat a process, as people start it.

One seat is served to a client, the others are played by bots. The processes of the others are
killed in the middle of the game and started again, in the full profile that of the client's seat as
well; the client hears nothing of it, and the game comes to its end.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from nodealer.games.registry import parse_options
from nodealer.lab.processes.real_game import PATIENT
from nodealer.lab.processes.real_table import RealTable, found_table
from nodealer.sim.game import Order
from nodealer.verify import Verdict
from tests.processes.real_tables import judged_at
from tests.seat.clients import CLIENTS, Client, Message
from tests.seat.picking import picking
from tests.seat.seated import OPTIONS
from tests.seat.spoken import RULES

SECONDS = 300

SERVED = 0

Kills = Mapping[int, tuple[int, ...]]
"""After how many messages which seats are killed, and started again."""


class Ends:
    """The processes of a table, of which one at a time is a seat's."""

    def __init__(self, protocol: str, seats: int, home: Path) -> None:
        self.protocol = protocol
        rules = RULES[protocol]
        options = parse_options(rules, OPTIONS[protocol])
        self.table: RealTable = found_table(Order(rules, seats, 1, options, clock=PATIENT), home)
        self.processes: dict[int, subprocess.Popen[str]] = {}

    def start(self, seat: int) -> None:
        words = ["resume", "--auto"]
        if seat == SERVED:
            words = ["seat", "--protocol", self.protocol]
        with (self.table.home / f"complaints-{seat}").open("a") as complaints:
            self.processes[seat] = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", "nodealer", *words, "--json"),
                    *("--profile", f"seat-{seat}"),
                    *("--listen", str(self.table.addresses[seat])),
                ],
                env={**os.environ, **self.table.environment},
                stdout=subprocess.PIPE,
                stderr=complaints,
                encoding="utf-8",
            )

    def kill(self, seat: int) -> None:
        process = self.processes[seat]
        process.kill()
        process.communicate()

    def ended(self, seat: int) -> Message:
        """Wait for the end of a process; return what it tells last."""
        told, _ = self.processes[seat].communicate(timeout=SECONDS)
        complaints = (self.table.home / f"complaints-{seat}").read_text()
        assert self.processes[seat].returncode == 0, complaints
        found: Message = json.loads(told.splitlines()[-1])
        return found

    @contextmanager
    def connected(self) -> Iterator[IO[str]]:
        """Connect to the seat that is served."""
        process = self.processes[SERVED]
        assert process.stdout is not None
        line = json.loads(process.stdout.readline())
        host, port = line["address"].split(":")
        with socket.create_connection((host, int(port)), SECONDS) as connection:
            wire = connection.makefile("rw", encoding="utf-8")
            wire.write(line["token"] + "\n")
            yield wire


def play(ends: Ends, client: Client, kills: Kills) -> None:
    """Let a client play to the end; kill whom it is time to kill."""
    left = dict(kills)
    while not client.is_over:
        with ends.connected() as wire:
            _talk(ends, wire, client, left)


def _talk(ends: Ends, wire: IO[str], client: Client, left: dict[int, tuple[int, ...]]) -> None:
    """Talk until the end, which is acknowledged as well, or until the other side is killed."""
    answers = [] if client.heard else client.opening()
    killed: tuple[int, ...] = ()
    while SERVED not in killed:
        wire.writelines(json.dumps(answer) + "\n" for answer in answers)
        wire.flush()
        if client.is_over:
            return
        answers = client.hear(json.loads(wire.readline()))
        killed = left.pop(len(client.heard), ())
        for seat in killed:
            ends.kill(seat)
            ends.start(seat)


@contextmanager
def table_of(protocol: str, seats: int, home: Path) -> Iterator[Ends]:
    """Start the processes of a table; none outlives this."""
    ends = Ends(protocol, seats, home)
    try:
        for seat in range(seats):
            ends.start(seat)
        yield ends
    finally:
        for seat in ends.processes:
            ends.kill(seat)


def come_to_its_end(home: Path, protocol: str, seats: int, kills: Kills) -> None:
    client = CLIENTS[protocol](SERVED, picking("processes"), starts=True)
    with table_of(protocol, seats, home) as ends:
        play(ends, client, kills)
        assert {ends.ended(seat)["verdict"] for seat in range(seats)} == {"complete"}
    assert client.errors == []
    assert {judged_at(ends.table, seat).report.verdict for seat in range(seats)} == {
        Verdict.COMPLETE
    }


def test_a_client_plays_on_while_the_other_end_is_killed(tmp_path: Path) -> None:
    come_to_its_end(tmp_path, "take5", 2, {4: (1,)})


@pytest.mark.parametrize(
    ("protocol", "kills"),
    [
        ("take5", {count: (count % 3 or 2,) for count in range(3, 40, 4)}),
        *(
            (protocol, {count: (count % 3,) for count in range(4, 200, 11)})
            for protocol in ("66-v1", "66-v2")
        ),
    ],
)
def test_three_processes_of_which_each_is_killed_again_and_again(
    tmp_path: Path, protocol: str, kills: Kills, *, is_full: bool
) -> None:
    if is_full:
        come_to_its_end(tmp_path, protocol, 3, kills)

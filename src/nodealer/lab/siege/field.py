"""A table that is besieged, for one run: four processes that play, attackers, and who comes to it.

What is measured comes in this order:

1. The table plays until the first cards are dealt. Then the attackers begin, all at once.
2. For so many seconds the entries of the table are counted; the slowest seat counts.
3. A seat is killed and started again. It is back when the table has gone on with it.
4. Newcomers come: a guest with an invite, a spectator, somebody who needs a place at the relay.

The game follows from its seed, so two runs play the same entries. In a control run there are, in
place of attackers, as many processes that bear the load of attackers for nobody, and nobody comes.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import trio

from nodealer.games import game
from nodealer.kernel import Seat
from nodealer.lab.processes.real_processes import Processes, a_process
from nodealer.lab.processes.real_table import RealTable, found_table, free_addresses
from nodealer.lab.siege.attacker import Orders
from nodealer.lab.siege.attacks import STAY_SECONDS, Aim, Attack, AttackTally
from nodealer.lab.siege.burden import Load, load_of, swallow
from nodealer.lab.siege.by_hand import anybody
from nodealer.lab.siege.newcomers import (
    PATIENCE_SECONDS,
    guest_comes,
    seconds_until_in,
    sixth_comes,
    spectator_comes,
)
from nodealer.lab.siege.seat import HOST, INVITE, LIE, LIED, Brief, evicted_file
from nodealer.node import CLOCKS, Address, PeerKey, key_of, parse
from nodealer.sim import Order

SEAT_PROGRAM: Final = "nodealer.lab.siege.seat"
ATTACKER_PROGRAM: Final = "nodealer.lab.siege.attacker"

SEATS: Final = 4
ATTACKED, RESTARTED, LIAR = Seat(0), Seat(1), Seat(3)
"""The seat at which attacks of one aim, the one that is started again, and the one that lies."""

LONG_GAME: Final = Order(
    game("take5"),
    SEATS,
    seed=2,
    options=MappingProxyType({"win_score": 200, "stack_size": 20}),
    clock=CLOCKS["brisk"],
)
"""835 entries: nobody sees the end of it during a run."""

DEALT_HEIGHT: Final = 3

LOOK_SECONDS: Final = 0.1

SOUGHT: Final = 4
"""Attackers that each seat is made to dial; each is dialled again and again."""

PROCESSES: Final = Path("/proc")
KILOBYTE: Final = 1 << 10


@dataclass(frozen=True, slots=True)
class SiegePlan:
    """The plan of one run."""

    attacks: tuple[Attack, ...] = ()
    connections: int = 0
    seconds: float = 8.0
    loads: tuple[Load, ...] = ()
    """The work of attackers, done for nobody by as many processes."""
    liar_share: float = 0.0
    """The same of the seat that lies: so much of a processor, beside its game."""
    newcomers: bool = True
    order: Order = LONG_GAME
    thought_seconds: float = 0.0
    to_its_end: bool = False
    """Whether the run ends with the game, and not with what is to be seen during it."""


@dataclass(slots=True)
class SiegeOutcome:
    """The outcome of a run."""

    entries: int = 0
    seconds: float = 0
    calm_mb: float | None = None
    """The same as `peak_mb`, before the attackers have begun."""
    peak_mb: float | None = None
    """The most that a seat of the table has had in memory; where the system tells."""
    tallies: dict[str, AttackTally] = field(default_factory=dict)
    loads: list[Load] = field(default_factory=list)
    """How hard the attackers worked while entries were counted."""
    evicted: tuple[int, ...] = ()
    back_seconds: float | None = None
    guest_seconds: float | None = None
    spectator_seconds: float | None = None
    sixth_seconds: float | None = None
    seat_cpu: dict[int, float] = field(default_factory=dict)
    """Processor time of each seat while entries were counted."""
    troubles: list[str] = field(default_factory=list)

    @property
    def entries_per_second(self) -> float:
        """How fast the table was."""
        return self.entries / self.seconds if self.seconds else 0.0


async def besieged(plan: SiegePlan, home: Path) -> SiegeOutcome:
    """Do one run, with all that it keeps below a directory."""
    run = Siege(plan, found_table(plan.order, home))
    async with AsyncExitStack() as stack:
        await run.set_up(stack)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run.processes.run)
            await run.go()
            if not plan.to_its_end:
                nursery.cancel_scope.cancel()
    run.note_end()
    return run.outcome


class Siege:
    """The processes of one run."""

    def __init__(self, plan: SiegePlan, table: RealTable) -> None:
        self.plan = plan
        self.table = table
        self.outcome = SiegeOutcome()
        self.processes = Processes(table, program=SEAT_PROGRAM)
        self.processes.needed_until = self._is_seen = trio.Event()
        self._attackers: list[tuple[str, Attacker]] = []
        self._relay: Address | None = None

    async def set_up(self, stack: AsyncExitStack) -> None:
        """Start all that has to be there before the table."""
        aims = {one.aim for one in self.plan.attacks}
        relay_key = None
        if Aim.RELAY in aims:
            self._relay, relay_key = await stack.enter_async_context(a_relay(self.table))
        sought: tuple[tuple[str, str], ...] = ()
        for attack in self.plan.attacks:
            if attack.aim is Aim.TABLE:
                continue
            targets = self._targets(attack.aim, relay_key)
            connections = max(self.plan.connections, attack.connections_min)
            orders = Orders(STAY_SECONDS, connections, attack.name, targets)
            attacker = await stack.enter_async_context(an_attacker(orders))
            self._attackers.append((attack.name, attacker))
            if attack.aim is Aim.CALLERS:
                place = str(attacker.address)
                sought = tuple((anybody().public.hex(), place) for _ in range(SOUGHT))
        if self.plan.loads:
            nursery = await stack.enter_async_context(trio.open_nursery())
            stack.callback(nursery.cancel_scope.cancel)
            here = await nursery.start(swallow)
            for load in self.plan.loads:
                orders = Orders(STAY_SECONDS, load=_numbers(load), swallower=str(here))
                attacker = await stack.enter_async_context(an_attacker(orders))
                self._attackers.append(("load", attacker))
        relays = () if self._relay is None else (str(self._relay),)
        liar = LIAR if Aim.TABLE in aims else None
        burner = LIAR if self.plan.liar_share else None
        brief = Brief(relays, sought, liar, burner, self.plan.liar_share, self.plan.thought_seconds)
        brief.write(self.table.home)

    async def go(self) -> None:
        """Let everything happen, in order, unless the table ends before it has begun."""
        if await self._until_height(DEALT_HEIGHT, STAY_SECONDS):
            self.outcome.calm_mb = self._peak_mb()
            await self._count()
            if self.plan.newcomers:
                await self._restart()
                await self._let_come()
            self._look_at_memory()
            await self._take_tallies()
        self._is_seen.set()

    def note_end(self) -> None:
        """Take in what the seats have written down."""
        seats = range(self.plan.order.seats)
        gone = (seat for seat in seats if evicted_file(self.table.home, seat).exists())
        self.outcome.evicted = tuple(gone)
        self.outcome.troubles += self.processes.troubles

    # What happens.

    async def _count(self) -> None:
        """Count the entries of the table while the attackers work."""
        for _, attacker in self._attackers:
            await attacker.begin()
        (self.table.home / LIE).touch()
        began, before, cpu = trio.current_time(), self._height(), self._cpu()
        with trio.move_on_after(self.plan.seconds):
            while not self._is_over():  # noqa: ASYNC110 - lines are read elsewhere
                await trio.sleep(LOOK_SECONDS)
        self.outcome.seconds = trio.current_time() - began
        self.outcome.entries = self._height() - before
        self.outcome.seat_cpu = {seat: used - cpu[seat] for seat, used in self._cpu().items()}
        self.outcome.loads = [load_of(await one.tally()) for _, one in self._attackers]

    async def _restart(self) -> None:
        """Kill a seat, and wait until the table goes on with it."""
        if self._is_over():
            return
        self._look_at_memory()
        began, height = trio.current_time(), max(one.height for one in self.processes.seats)
        self.processes.seats[RESTARTED].kill(comes_back=True)
        if await self._until_height(height + 2, PATIENCE_SECONDS):
            self.outcome.back_seconds = round(trio.current_time() - began, 2)

    async def _let_come(self) -> None:
        """Let newcomers come, all at the same time."""
        home, table = self.table.home, self.table.charter.table
        key, place = PeerKey(self.table.charter.keys[HOST]), self.table.addresses[HOST]
        invite = (home / INVITE).read_text(encoding="utf-8")

        async def guest() -> None:
            self.outcome.guest_seconds = await seconds_until_in(lambda: guest_comes(home, invite))

        async def spectator() -> None:
            self.outcome.spectator_seconds = await seconds_until_in(
                lambda: spectator_comes(home, table, key, place)
            )

        async def sixth(relay: Address) -> None:
            self.outcome.sixth_seconds = await seconds_until_in(lambda: sixth_comes(home, relay))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest)
            nursery.start_soon(spectator)
            if self._relay is not None:
                nursery.start_soon(sixth, self._relay)

    async def _take_tallies(self) -> None:
        for name, attacker in self._attackers:
            self.outcome.tallies[name] = await attacker.tally()
        lied = self.table.home / LIED
        if lied.exists():
            said = int(lied.read_text(encoding="utf-8"))
            self.outcome.tallies["statuses"] = AttackTally(said, said, said)

    # What can be seen.

    def _height(self) -> int:
        return min(one.height for one in self.processes.seats)

    def _is_over(self) -> bool:
        return all(one.is_over for one in self.processes.seats) or bool(self.processes.troubles)

    async def _until_height(self, height: int, seconds: float) -> bool:
        """Wait until all seats are there, and say whether they are."""
        until = trio.current_time() + seconds
        while not self.processes.seats or self._height() < height:
            if self.processes.troubles or trio.current_time() > until:
                return False
            await trio.sleep(LOOK_SECONDS)
        return True

    def _pids(self) -> dict[int, int]:
        seats = self.processes.seats
        return {one.seat: one.process.pid for one in seats if one.process is not None}

    def _look_at_memory(self) -> None:
        now = self._peak_mb()
        if now is not None:
            self.outcome.peak_mb = max(now, self.outcome.peak_mb or 0.0)

    def _peak_mb(self) -> float | None:
        peaks = [mb for pid in self._pids().values() if (mb := peak_mb(pid)) is not None]
        return max(peaks, default=None)

    def _cpu(self) -> dict[int, float]:
        return {seat: cpu_seconds_of(pid) for seat, pid in self._pids().items()}

    def _targets(self, aim: Aim, relay_key: PeerKey | None) -> tuple[tuple[str, str], ...]:
        keys, addresses = self.table.charter.keys, self.table.addresses
        seats = [(key.hex(), str(at)) for key, at in zip(keys, addresses, strict=True)]
        match aim:
            case Aim.ONE:
                return (seats[ATTACKED],)
            case Aim.EVERY:
                return tuple(seats)
            case Aim.RELAY:
                assert self._relay is not None, "it was started"
                assert relay_key is not None, "it was started"
                return ((relay_key.hex(), str(replace(self._relay, relay=None))),)
            case _:
                return ()


class Attacker:
    """A process that waits to attack, attacks, and says what it has done."""

    def __init__(self, process: trio.Process, address: Address) -> None:
        self.address = address
        self._process = process

    async def begin(self) -> None:
        """Let it begin."""
        assert self._process.stdin is not None, "it was asked for"
        await self._process.stdin.send_all(b"begin\n")

    async def tally(self) -> AttackTally:
        """Return what it has done so far."""
        assert self._process.stdin is not None, "it was asked for"
        await self._process.stdin.send_all(b"tally\n")
        return AttackTally(**json.loads(await _line(self._process)))


@asynccontextmanager
async def an_attacker(orders: Orders) -> AsyncIterator[Attacker]:
    """Start an attacker; it is killed at the end of the block, if it has not ended."""
    async with a_process([ATTACKER_PROGRAM], os.environ, subprocess.DEVNULL) as process:
        assert process.stdin is not None, "it was asked for"
        await process.stdin.send_all(json.dumps(asdict(orders)).encode() + b"\n")
        yield Attacker(process, parse((await _line(process)).strip()))


@asynccontextmanager
async def a_relay(table: RealTable) -> AsyncIterator[tuple[Address, PeerKey]]:
    """Run a relay, and yield the address of a place there, and its key."""
    (free,) = free_addresses(1)
    words, environment = (
        ["nodealer", "relay", "--listen", str(free)],
        os.environ | table.environment,
    )
    async with a_process(words, environment, subprocess.DEVNULL) as process:
        place, _, peer = (await _line(process)).strip().rpartition("/p2p/")
        at = parse(place)
        yield Address(at.kind, at.host, at.port, key_of(peer)), key_of(peer)


async def _line(process: trio.Process) -> str:
    """Return the first line that a process writes."""
    assert process.stdout is not None, "it was asked for"
    said = b""
    while b"\n" not in said:
        chunk = await process.stdout.receive_some()
        if not chunk:
            raise RuntimeError(f"a process has ended: {process.args}")
        said += chunk
    return said.split(b"\n")[0].decode()


def _numbers(load: Load) -> tuple[float, float, float]:
    return load.cpu_seconds, load.sent_bytes, load.connections


def peak_mb(pid: int) -> float | None:
    """Return the most that a process has had in memory, where the system tells."""
    try:
        text = (PROCESSES / str(pid) / "status").read_text(encoding="utf-8")
    except OSError:
        return None
    found = [line.split()[1] for line in text.splitlines() if line.startswith("VmHWM:")]
    return int(found[0]) / KILOBYTE if found else None


def cpu_seconds_of(pid: int) -> float:
    """Return the processor time of a process, or nothing where the system does not tell."""
    try:
        text = (PROCESSES / str(pid) / "stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    used = text.rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

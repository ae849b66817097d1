"""What every scene needs: programs on hosts, the lines they print, and how their games ended.

    unshare --user --map-root-user --net python -m tests.network.SCENE DIRECTORY

A scene is a module that is run so. It fails by raising; what its programs have said is in
DIRECTORY then, one file for each.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from nodealer.verify import Verdict, judge_bytes
from tests.network.world import World

ROOT = Path(__file__).resolve().parents[2]

PATH = os.pathsep.join([str(ROOT), str(ROOT / "src")])
"""What is played is this project as it lies here, whatever is installed."""

SCENE_SECONDS = 240
"""No scene takes so long; what hangs is ended."""


class Program:
    """A `nodealer` command that runs on a host."""

    def __init__(self, name: str, process: trio.Process, home: Path) -> None:
        self.name = name
        self.home = home
        self.lines: list[str] = []
        self._process = process
        self._more = trio.Event()

    async def line(self, number: int = 0) -> str:
        """Return a line that it prints, the first if no other is meant."""
        while len(self.lines) <= number:
            await self._more.wait()
            self._more = trio.Event()
        return self.lines[number]

    async def succeeds(self) -> None:
        """Wait until it ends, and raise unless it has done what it was to do."""
        code = await self._process.wait()
        if code:
            raise RuntimeError(f"{self.name} ended with {code}")

    def kill(self) -> None:
        """End it without a word."""
        self._process.send_signal(signal.SIGKILL)

    async def read(self) -> None:
        """Take in what it prints, until it ends."""
        assert self._process.stdout is not None, "it was started so"
        rest = ""
        async for chunk in self._process.stdout:
            *lines, rest = (rest + chunk.decode()).split("\n")
            self.lines += lines
            self._more.set()

    def verdict(self) -> Verdict:
        """Judge the transcript that it has written."""
        (path,) = self.home.rglob("*.ndt")
        return judge_bytes(path.read_bytes()).report.verdict


class Stage:
    """Hosts, and the programs on them."""

    def __init__(self, world: World, folder: Path, nursery: trio.Nursery) -> None:
        self.world = world
        self.folder = folder
        self._nursery = nursery
        self._programs: list[Program] = []

    async def player(self, name: str, host: str, *arguments: str) -> Program:
        """Start a bot on a host that hosts or joins under this name."""
        return await self.start(name, host, *arguments, "--name", name, "--auto", "--json")

    async def start(self, name: str, host: str, *arguments: str) -> Program:
        """Start `nodealer` on a host, with a home of this name."""
        return await self.module(name, host, "nodealer", *arguments)

    async def module(self, name: str, host: str, module: str, *arguments: str) -> Program:
        """Start a module on a host, with a home of this name."""
        home = self.folder / name
        home.mkdir(exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as log:
            process = await trio.lowlevel.open_process(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=home,
                env={**os.environ, "NODEALER_HOME": str(home), "PYTHONPATH": PATH},
                preexec_fn=self.world.entering(host),
            )
        program = Program(name, process, home)
        self._programs.append(program)
        self._nursery.start_soon(program.read)
        return program

    async def play(self, *programs: Program) -> None:
        """Wait until these have played to the end, and judge what they have written."""
        async with trio.open_nursery() as nursery:
            for program in programs:
                nursery.start_soon(program.succeeds)
        verdicts = {program.name: program.verdict() for program in programs}
        assert set(verdicts.values()) == {Verdict.COMPLETE}, verdicts

    def end(self) -> None:
        """End what is still running."""
        for program in self._programs:
            program.kill()


@asynccontextmanager
async def _on_stage(world: World, folder: Path) -> AsyncIterator[Stage]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(world.run)
        stage = Stage(world, folder, nursery)
        try:
            yield stage
        finally:
            stage.end()
            nursery.cancel_scope.cancel()


def perform(build: Callable[[World], None], scene: Callable[[Stage], Awaitable[None]]) -> None:
    """Build a world and play a scene in it, in the directory that the command line names."""

    async def main() -> None:
        world = World()
        build(world)
        with trio.fail_after(SCENE_SECONDS):
            async with _on_stage(world, Path(sys.argv[1])) as stage:
                await scene(stage)

    trio.run(main)

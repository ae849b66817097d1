"""The host has another number than its invite says; on one network it is found all the same.

A neighbour there announces what no program should. It costs nobody the game, nor a line on the
terminal.
"""

from __future__ import annotations

from dataclasses import replace

from nodealer.lobby import read_invite, write_invite
from tests.network.scene import Stage, perform
from tests.network.world import World

LISTEN = ("--listen", "/ip4/0.0.0.0/tcp/4001")
FORMER = ("/ip4/203.0.113.77/tcp/4001",)


def build(world: World) -> None:
    world.host("one", "203.0.113.1", world.internet)
    world.host("two", "203.0.113.2", world.internet)
    world.host("three", "203.0.113.3", world.internet)


async def scene(stage: Stage) -> None:
    await stage.module("eve", "three", "tests.network.neighbour", "203.0.113.3")
    ada = await stage.player("ada", "one", "host", "macaua", "--clock", "brisk", *LISTEN)
    invite = write_invite(replace(read_invite(await ada.line()), addresses=FORMER))
    ben = await stage.player("ben", "two", "join", invite, *LISTEN)
    await stage.play(ada, ben)
    for name in ("ada", "ben", "eve"):
        said = (stage.folder / f"{name}.log").read_text()
        assert not any(word in said for word in ("Traceback", "\x1b")), said


if __name__ == "__main__":
    perform(build, scene)

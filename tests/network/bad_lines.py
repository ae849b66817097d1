"""Three players on lines that are slow and lose packets; for a while one of them is cut off."""

from __future__ import annotations

import trio

from tests.network.scene import Stage, perform
from tests.network.world import World

LISTEN = ("--listen", "/ip4/0.0.0.0/tcp/4001")

BEFORE_SECONDS, APART_SECONDS = 8, 12
"""Longer than it takes to notice, shorter than anybody is left out for."""


def build(world: World) -> None:
    world.internet.delay_seconds = 0.04
    world.internet.loss_percent = 2
    for number, host in enumerate(("one", "two", "three"), 1):
        world.host(host, f"203.0.113.{number}", world.internet)


async def scene(stage: Stage) -> None:
    rules = ("--seats", "3", "--clock", "brisk")
    ada = await stage.player("ada", "one", "host", "macaua", *rules, *LISTEN)
    invite = await ada.line()
    ben = await stage.player("ben", "two", "join", invite, *LISTEN)
    cleo = await stage.player("cleo", "three", "join", invite, *LISTEN)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.play, ada, ben, cleo)
        await trio.sleep(BEFORE_SECONDS)
        for other in ("one", "two"):
            stage.world.part(stage.world.internet, "three", other)
        await trio.sleep(APART_SECONDS)
        stage.world.internet.parted.clear()


if __name__ == "__main__":
    perform(build, scene)

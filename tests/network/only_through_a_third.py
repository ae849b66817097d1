"""Two of three players never reach each other; the third passes on, and the game is played."""

from __future__ import annotations

from tests.network.scene import Stage, perform
from tests.network.world import World

LISTEN = ("--listen", "/ip4/0.0.0.0/tcp/4001")


def build(world: World) -> None:
    for number, host in enumerate(("middle", "left", "right"), 1):
        world.host(host, f"203.0.113.{number}", world.internet)
    world.part(world.internet, "left", "right")


async def scene(stage: Stage) -> None:
    rules = ("--seats", "3", "--clock", "brisk")
    ada = await stage.player("ada", "middle", "host", "macaua", *rules, *LISTEN)
    invite = await ada.line()
    ben = await stage.player("ben", "left", "join", invite, *LISTEN)
    cleo = await stage.player("cleo", "right", "join", invite, *LISTEN)
    await stage.play(ada, ben, cleo)


if __name__ == "__main__":
    perform(build, scene)

"""Two players behind routers that translate addresses play through a relay, to the close."""

from __future__ import annotations

from tests.network.scene import Stage, perform
from tests.network.world import World


def build(world: World) -> None:
    world.host("relay", "203.0.113.1", world.internet)
    world.house(1)
    world.house(2)


async def scene(stage: Stage) -> None:
    relay = await stage.start("relay", "relay", "relay", "--listen", "/ip4/203.0.113.1/tcp/4001")
    place = ("--relay", await relay.line())
    ada = await stage.player("ada", "house-1", "host", "macaua", "--clock", "brisk", *place)
    ben = await stage.player("ben", "house-2", "join", await ada.line(), *place)
    await stage.play(ada, ben)


if __name__ == "__main__":
    perform(build, scene)

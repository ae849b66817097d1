"""Two peers behind strict routers stay on the relay: what is tried beside it does no harm."""

from __future__ import annotations

import trio

from tests.network.scene import Stage, perform
from tests.network.world import World

END = "tests.network.far_link"

LONG_ENOUGH_SECONDS = 20
"""For both ends to start, meet, and try twice."""


def build(world: World) -> None:
    world.host("relay", "203.0.113.1", world.internet)
    world.house(1, keeps_ports=False)
    world.house(2, keeps_ports=False)


async def scene(stage: Stage) -> None:
    relay = await stage.start("relay", "relay", "relay", "--listen", "/ip4/203.0.113.1/tcp/4001")
    place = await relay.line()
    ends = []
    for one, other in ((1, 2), (2, 1)):
        there = f"/ip4/203.0.113.10{other}/tcp/4001"
        numbers = (str(one - 1), str(other - 1))
        ends.append(await stage.module(f"end-{one}", f"house-{one}", END, *numbers, place, there))
    await trio.sleep(LONG_ENOUGH_SECONDS)
    for end in ends:
        assert end.lines[-1] == "relayed", end.lines
        assert "direct" not in end.lines, end.lines


if __name__ == "__main__":
    perform(build, scene)

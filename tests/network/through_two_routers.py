"""Two peers behind routers meet at a relay, and then reach each other without it."""

from __future__ import annotations

from tests.network.scene import Program, Stage, perform
from tests.network.world import World

END = "tests.network.far_link"


def build(world: World) -> None:
    world.host("relay", "203.0.113.1", world.internet)
    world.house(1)
    world.house(2)


async def until_direct(end: Program) -> list[str]:
    """Return the ways to the other, up to the direct one."""
    ways: list[str] = []
    while not ways or ways[-1] != "direct":
        ways.append(await end.line(len(ways)))
    return ways


async def scene(stage: Stage) -> None:
    relay = await stage.start("relay", "relay", "relay", "--listen", "/ip4/203.0.113.1/tcp/4001")
    place = await relay.line()
    ends = []
    for one, other in ((1, 2), (2, 1)):
        there = f"/ip4/203.0.113.10{other}/tcp/4001"
        numbers = (str(one - 1), str(other - 1))
        ends.append(await stage.module(f"end-{one}", f"house-{one}", END, *numbers, place, there))
    for end in ends:
        ways = await until_direct(end)
        assert "relayed" in ways, ways


if __name__ == "__main__":
    perform(build, scene)

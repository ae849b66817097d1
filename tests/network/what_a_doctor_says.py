"""Behind a router nobody gets in but through a relay; a machine of its own is reached directly."""

from __future__ import annotations

import json
from typing import Any

from tests.network.scene import Stage, perform
from tests.network.world import World


def build(world: World) -> None:
    world.host("relay", "203.0.113.1", world.internet)
    world.host("open", "203.0.113.2", world.internet)
    world.house(1)


async def examined(stage: Stage, host: str, relay: str) -> dict[str, tuple[str, str]]:
    doctor = await stage.start(f"doctor-{host}", host, "doctor", "--json", "--relay", relay)
    await doctor.succeeds()
    report: dict[str, Any] = json.loads(await doctor.line())
    return {one["subject"]: (one["standing"], one["text"]) for one in report["findings"]}


async def scene(stage: Stage) -> None:
    relay = await stage.start("relay", "relay", "relay", "--listen", "/ip4/203.0.113.1/tcp/4001")
    place = await relay.line()
    inside = await examined(stage, "house-1", place)
    assert inside["relay"][0] == "good", inside
    assert inside["reached"][0] == "doubtful", inside
    assert inside["reached"][1].endswith("outside you are 203.0.113.101"), inside
    outside = await examined(stage, "open", place)
    assert outside["reached"][0] == "good", outside


if __name__ == "__main__":
    perform(build, scene)

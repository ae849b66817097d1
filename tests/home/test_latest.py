"""The newest of many values, for whoever shows them."""

from __future__ import annotations

import trio
from trio.testing import wait_all_tasks_blocked

from nodealer.home.latest import Latest


def test_whoever_is_slow_gets_the_newest() -> None:
    async def main() -> list[int]:
        latest, found = Latest[int](), []
        latest.put(1)
        latest.put(2)
        updates = latest.updates()
        found.append(await anext(updates))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(put_later, latest)
            found.extend([one async for one in updates])
        return found

    async def put_later(latest: Latest[int]) -> None:
        await trio.lowlevel.checkpoint()
        latest.put(3)
        await wait_all_tasks_blocked()
        latest.put(4)
        latest.close()

    assert trio.run(main) == [2, 3, 4]

"""A table that is kept open: what a peer without room misses, and what is refused to the player."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Never

import pytest
import trio

from nodealer.keeping.engine import SYNC_US
from nodealer.kernel import LocalError, Seat
from nodealer.node.auto import is_asked
from nodealer.node.keeper import Keeper
from nodealer.node.table_talk import WAITING_MAX
from nodealer.node.transport.link import offered
from nodealer.node.transport.timing import SECOND_US
from nodealer.store.trouble import StoreError, Trouble
from tests.node.makers import in_virtual_time, up
from tests.node.tables import Circle, name_of

ANA, BEA = Seat(0), Seat(1)

MANY = 200
"""Inputs that many tasks bring at the same moment."""


def test_who_was_without_room_is_told_once_there_is_some(tmp_path: Path) -> None:
    """The window of a peer that cannot be reached fills up; then what is sent is dropped."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(ANA))
            bea = await stack.enter_async_context(circle.at_table(BEA))
            link = ana.link_to(BEA)
            assert link is not None
            await up(link)
            circle.ether.part(name_of(ANA), name_of(BEA))
            while offered(link, b"\xff"):
                pass
            assert not offered(link, b"\xff", WAITING_MAX)
            ana.talk.say("nobody hears this")
            await ana.tell()
            await trio.sleep(10)
            circle.ether.heal()
            heard: list[object] = []
            bea.observers.add(lambda _, ready: heard.append(ready))
            await trio.sleep(30)
            assert heard
            assert not bea.talk.chat.lines
            link.begin_goodbye(1)
            assert not offered(link, b"\xff")

    in_virtual_time(main)


def test_what_the_player_may_not_do_is_refused_and_many_messages_are_taken(
    tmp_path: Path,
) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            with pytest.raises(LocalError):
                await ana.again()
            async with trio.open_nursery() as nursery:
                for _ in range(MANY):
                    nursery.start_soon(ana.receive, b"\xff", BEA)
            assert ana.table.ledger.counts["encoding/indefinite"] == MANY

    in_virtual_time(main)


def test_what_nothing_has_left_after_is_synced_in_time(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            seats = (ANA, BEA)
            keepers = [await stack.enter_async_context(circle.at_table(seat)) for seat in seats]
            seen = []
            for one in keepers:
                journal = one.journal
                one.observers.add(lambda *_, journal=journal: seen.append(journal.is_synced))
            while not any(is_asked(one.table) for one in keepers):
                await keepers[0].changed()
            await trio.sleep(SYNC_US / SECOND_US)
            assert False in seen, "some batches may wait"
            assert all(one.journal.is_synced for one in keepers)

    in_virtual_time(main)


def test_between_two_messages_of_a_flood_the_player_has_a_turn(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana, trio.open_nursery() as nursery:

            async def flood() -> None:
                for _ in range(MANY):
                    await ana.receive(b"\xff", BEA)

            await ana.tell()
            nursery.start_soon(flood)
            nursery.start_soon(ana.tell)
            await ana.changed()
            await ana.tell()
            assert ana.table.ledger.counts["encoding/indefinite"] < MANY // 10

    in_virtual_time(main)


def test_who_is_cancelled_has_brought_an_input_whole(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            with trio.CancelScope() as too_early:
                too_early.cancel()
                await ana.receive(b"\xff", BEA)
            assert too_early.cancelled_caught
            assert not ana.table.ledger.counts
            await ana.tell()
            with trio.CancelScope() as scope:
                scope.cancel()
                await ana.receive(b"\xff", BEA)
            assert scope.cancelled_caught
            assert ana.table.ledger.counts["encoding/indefinite"] == 1

    in_virtual_time(main)


def failing_disk(tried: list[Trouble]) -> Callable[..., Never]:
    """Return what stores nothing: the disk is full, and then the journal is finished."""

    def append(*_: object, **__: object) -> Never:
        tried.append(Trouble.FINISHED if tried else Trouble.FULL)
        raise StoreError(tried[-1], "journal")

    return append


def test_a_full_disk_ends_the_table_and_not_only_who_noticed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever brings an input hears nothing: it would take it for a refusal, and go on."""
    circle = Circle(tmp_path, 2)
    circle.found()
    returned: list[object] = []
    tried: list[Trouble] = []

    async def bring(keeper: Keeper) -> None:
        try:
            await keeper.tell()
        except LocalError as error:
            returned.append(error)
        else:
            returned.append(None)

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            await ana.tell()
            monkeypatch.setattr(ana.journal, "append", failing_disk(tried))
            async with trio.open_nursery() as nursery:
                for _ in range(3):
                    nursery.start_soon(bring, ana)

    with pytest.raises(BaseExceptionGroup) as caught:
        in_virtual_time(main)
    errors: list[BaseException] = [caught.value]
    while isinstance(errors[0], BaseExceptionGroup):
        errors = [each for one in errors for each in getattr(one, "exceptions", (one,))]
    assert [getattr(error, "trouble", error) for error in errors] == [Trouble.FULL]
    assert returned == []
    assert len(tried) == 1, "nothing is tried again"


def test_what_goes_wrong_at_the_very_end_is_told_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program ends anyway; it must not look as if all were stored."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            await ana.tell()
            monkeypatch.setattr(ana.journal, "append", failing_disk([]))
            with trio.CancelScope() as scope:
                scope.cancel()
                await ana.tell()

    with pytest.raises(BaseExceptionGroup) as caught:
        in_virtual_time(main)
    assert caught.group_contains(StoreError)

"""Spectators: from whom they hear, who gets a place, and what they cannot do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import pytest
import trio

from nodealer.kernel import Height, LocalError, Seat, TableId, Tallied
from nodealer.kernel.chance import Chance
from nodealer.ledger import Founded, write
from nodealer.ledger.ready import Dropped
from nodealer.node import spectators
from nodealer.node.chat import LINE
from nodealer.node.envelopes import Absent, Follow, ForChat, ForTable, write_envelope
from nodealer.node.keeper import Keeper
from nodealer.node.node import Node, open_node
from nodealer.node.seat_addresses import note_addresses
from nodealer.node.transport import timing
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.link import Link
from nodealer.node.transport.switchboard import Switchboard, open_switchboard
from nodealer.node.transport.windows import Began
from nodealer.store.opening import create
from nodealer.store.records import JournalOrigin
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import in_virtual_time, up
from tests.node.tables import Circle, name_of, unreadable
from tests.node.test_chat import line_of
from tests.store.players import charter_for, home_in, identity_of

ANA, BEA = Seat(0), Seat(1)
NO_TABLE = TableId(bytes(32))


def place_of(seat: Seat) -> tuple[PeerKey, tuple[Address, ...]]:
    return PeerKey(identity_of(seat).public), (Address("memory", name_of(seat)),)


@asynccontextmanager
async def outsider(circle: Circle, number: int = 7) -> AsyncIterator[tuple[Node, Switchboard]]:
    """Run the node of somebody who has no seat, and no table."""
    key = PeerKey(identity_of(number).public)
    async with AsyncExitStack() as stack:
        carrier = await stack.enter_async_context(circle.ether.carrier(key, f"outsider-{number}"))
        links = await stack.enter_async_context(open_switchboard(carrier, Chance("links", number)))
        yield await stack.enter_async_context(open_node(links)), links


async def until_closed(keeper: Keeper) -> None:
    while not keeper.table.position.is_closed:
        await keeper.changed()


def test_who_follows_loses_nothing_when_a_seat_goes(tmp_path: Path) -> None:
    """Each seat in turn is gone for a while; there is always another one to hear it from."""
    circle = Circle(tmp_path, 3)
    circle.found()
    seen: list[bytes] = []
    told: list[object] = []

    async def restless(seat: Seat) -> None:
        with trio.move_on_after(1 + 2 * seat) as span:
            await circle.play(seat)
        if span.cancelled_caught:
            await trio.sleep(1)
            await circle.play(seat)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(restless, seat)
            async with circle.watching(tmp_path / "spectator") as keeper:
                keeper.observers.add(lambda _, ready: told.extend(ready.show))
                await until_closed(keeper)
                seen.extend(link.id for link in keeper.table.ledger.tip.downwards())

    in_virtual_time(main)
    assert seen == circle.entries(ANA)
    assert told
    assert not [one for one in told if isinstance(one, Dropped)], "nobody has sent anything wrong"
    journal = home_in(tmp_path / "spectator", 3).profile.journal(circle.charter.table)
    assert judge_bytes(transcript(journal)).report.verdict is Verdict.COMPLETE


def test_a_table_is_found_by_its_mark_at_a_seat_and_then_followed(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    seen: list[bytes] = []

    async def watch() -> None:
        async with outsider(circle) as (node, _):
            charter = await node.find_charter(circle.charter.table, *place_of(ANA))
            assert charter == circle.charter
            home = home_in(tmp_path / "outsider", 7)
            with closing(create(home.profile, JournalOrigin(charter))) as journal:
                note_addresses(journal, ANA, place_of(ANA)[1])
                keeper = node.open_table(journal)
                with pytest.raises(LocalError, match="open already"):
                    node.open_table(journal)
                await until_closed(keeper)
                seen.extend(link.id for link in keeper.table.ledger.tip.downwards())

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            for seat in circle.seats:
                nursery.start_soon(circle.play, seat)

    in_virtual_time(main)
    assert seen == circle.entries(ANA)


def test_a_table_that_a_seat_does_not_have_is_not_found(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA), outsider(circle) as (node, _):
            assert await node.find_charter(NO_TABLE, *place_of(ANA)) is None

    in_virtual_time(main)


def test_a_peer_that_is_linked_already_is_asked_as_well(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA), outsider(circle) as (node, _):
            assert await node.find_charter(NO_TABLE, *place_of(ANA)) is None
            with trio.fail_after(10):
                found = await node.find_charter(circle.charter.table, *place_of(ANA))
            assert found == circle.charter

    in_virtual_time(main)


def test_another_charter_than_the_one_that_is_sought_is_passed_over(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    wrong = write(Founded(charter_for(2, "another lobby")))

    async def main() -> None:
        async with outsider(circle, 8) as (_, links), outsider(circle) as (node, _):
            seller = links.link(PeerKey(identity_of(7).public), (Address("memory", "outsider-7"),))
            key = PeerKey(identity_of(8).public)
            found = []
            async with trio.open_nursery() as nursery:

                async def search() -> None:
                    place = (Address("memory", "outsider-8"),)
                    found.append(await node.find_charter(circle.charter.table, key, place))

                nursery.start_soon(search)
                await up(seller)
                await trio.sleep(1)
                for letter in (wrong, b"\xff"):
                    await seller.send(write_envelope(ForTable(circle.charter.table), letter))
                await trio.sleep(1)
                assert not found
                right = write(Founded(circle.charter))
                await seller.send(write_envelope(ForTable(circle.charter.table), right))
            assert found == [circle.charter]

    in_virtual_time(main)


async def asking(links: Switchboard, seat: Seat) -> Link:
    """Return a bare link to a seat, which is up."""
    link = links.link(*place_of(seat))
    await up(link)
    return link


async def read_on(link: Link, letters: list[bytes]) -> None:
    """Read all that comes, until cancelled."""
    while True:
        item = await link.receive()
        if isinstance(item, bytes):
            letters.append(item)


def test_who_asks_to_follow_again_and_again_has_one_feed(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.node(ANA) as node, outsider(circle) as (_, links):
            with closing(circle.journal(ANA)) as journal:
                keeper = node.open_table(journal)
                link = await asking(links, ANA)
                for _ in range(200):
                    await link.send(write_envelope(Follow(keeper.id, Height(0))))
                await trio.sleep(0.5)
                assert node.spectators.of(keeper.id) == 1
                letters: list[bytes] = []
                with trio.move_on_after(3):
                    await read_on(link, letters)
                assert node.spectators.of(keeper.id) == 1
                assert 0 < len(letters) < 20

    in_virtual_time(main)


def test_a_node_has_so_many_places_for_spectators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "FOLLOWERS_MAX", 1)
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            keeper = await stack.enter_async_context(circle.at_table(ANA))
            _, first = await stack.enter_async_context(outsider(circle, 7))
            second, _ = await stack.enter_async_context(outsider(circle, 8))
            link = first.link(*place_of(ANA))
            await up(link)
            await link.send(write_envelope(Follow(keeper.id, Height(0))))
            assert isinstance(await link.receive(), Began)
            assert isinstance(await link.receive(), bytes)
            assert await second.find_charter(keeper.id, *place_of(ANA)) is None

    in_virtual_time(main)


def test_who_has_an_invite_is_served_before_who_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "FOLLOWERS_MAX", 1)
    circle = Circle(tmp_path, 2)
    circle.found()
    invited = PeerKey(identity_of(8).public)

    async def main() -> None:
        async with AsyncExitStack() as stack:
            node = await stack.enter_async_context(circle.node(ANA))
            keeper = node.open_table(stack.enter_context(closing(circle.journal(ANA))))
            monkeypatch.setattr(node.spectators, "_is_invited", lambda peer: peer == invited)
            links = []
            for number in (7, 8, 9):
                _, board = await stack.enter_async_context(outsider(circle, number))
                links.append(board.link(*place_of(ANA)))
                await up(links[-1])
                await links[-1].send(write_envelope(Follow(keeper.id, Height(0))))
                await trio.sleep(1)
            # The first one has had to give way and hears it; the last one finds no place.
            for link in (links[0], links[2]):
                letters: list[bytes] = []
                with trio.move_on_after(1):
                    await read_on(link, letters)
                assert letters[-1] == write_envelope(Absent(keeper.id))
            assert node.spectators.of(keeper.id) == 1
            assert node.spectators.include(invited)
            assert set(keeper.fed) == {invited}
            assert node.welcomes(invited)

    in_virtual_time(main)


def test_who_is_gone_leaves_its_place_although_nothing_happens(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.node(ANA) as node:
            with closing(circle.journal(ANA)) as journal:
                node.open_table(journal)
                async with outsider(circle) as (_, links):
                    link = links.link(*place_of(ANA))
                    await up(link)
                    await link.send(write_envelope(Follow(journal.table, Height(0))))
                    await trio.sleep(1)
                    assert node.spectators.of(journal.table) == 1
                await trio.sleep(timing.FORGET_US / timing.SECOND_US + 10)
                assert node.spectators.of(journal.table) == 0

    in_virtual_time(main)


def test_who_watches_has_no_word_at_the_table(tmp_path: Path) -> None:
    """What a spectator sends in the name of a seat is dropped, and its own player may not act."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            node = await stack.enter_async_context(circle.node(ANA))
            keeper = node.open_table(stack.enter_context(closing(circle.journal(ANA))))
            _, links = await stack.enter_async_context(outsider(circle))
            link = await asking(links, ANA)
            letter = write(Founded(circle.charter))
            await link.send(write_envelope(ForTable(keeper.id), letter))
            line = LINE.write(line_of(BEA, 1, "hi", keeper.id))
            await link.send(write_envelope(ForChat(keeper.id), line))
            await link.send(write_envelope(ForChat(NO_TABLE), line))
            await link.send(write_envelope(Absent(keeper.id)))
            await link.send(b"\xff")
            await trio.sleep(1)
            assert node.counts[Tallied.NO_SEAT] == 2
            assert node.counts[Tallied.UNEXPECTED] == 2
            assert unreadable(node.counts) == 1
            assert not keeper.talk.chat.lines
            assert not keeper.absent
            watch = await stack.enter_async_context(circle.watching(tmp_path / "spectator"))
            for wish in (watch.leave, watch.again):
                with pytest.raises(LocalError):
                    await wish()

    in_virtual_time(main)


def test_a_seat_whose_table_is_not_open_is_known_until_it_opens_it(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    told: list[frozenset[Seat]] = []

    async def main() -> None:
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(ANA))
            node = await stack.enter_async_context(circle.node(BEA))
            await trio.sleep(5)
            told.append(ana.absent)
            node.open_table(stack.enter_context(closing(circle.journal(BEA))))
            await trio.sleep(5)
            told.append(ana.absent)

    in_virtual_time(main)
    assert told == [{BEA}, frozenset()]


def test_who_follows_asks_again_until_the_seat_has_opened_the_table(tmp_path: Path) -> None:
    """And it is fed from the charter on, although not all have sealed that when it asks."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            node = await stack.enter_async_context(circle.node(ANA))
            watch = await stack.enter_async_context(circle.watching(tmp_path / "spectator"))
            await trio.sleep(7)
            assert watch.absent == {ANA}
            node.open_table(stack.enter_context(closing(circle.journal(ANA))))
            await trio.sleep(5)
            circle.ether.part("spectator", name_of(BEA))
            await stack.enter_async_context(circle.at_table(BEA))
            with trio.fail_after(60):
                while watch.table.ledger.tip.height == 0:
                    await watch.changed()
            assert ANA not in watch.absent

    in_virtual_time(main)

"""Seats that move: who learns of it, from whom, and what is not believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from nodealer.kernel import PeerError, Reason, Seat, Way
from nodealer.lobby import AddressRecord, address_record, write
from nodealer.lobby.forms import ADDRESSES_MAX
from nodealer.lobby.messages import Leaving
from nodealer.node.envelopes import ForAddress, write_envelope
from nodealer.node.node import Node
from nodealer.node.practice import BOTS, bots_of
from nodealer.node.seat_addresses import BURST, REFILL_US, SeatAddresses, addresses_of, chosen
from nodealer.node.transport.addresses import Address, PeerKey, parse
from nodealer.node.transport.timing import SECOND_US
from nodealer.store.journal import Journal
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle
from tests.store.players import identity_of

ME, AUTHOR, OTHER, STRANGER = Seat(0), Seat(1), Seat(2), Seat(7)

THERE = parse("/ip4/192.0.2.7/tcp/4001")
ELSEWHERE = Address("memory", "elsewhere")


def key_of(seat: Seat) -> PeerKey:
    return PeerKey(identity_of(seat).public)


def record_by(seat: Seat, number: int, *addresses: Address) -> AddressRecord:
    return address_record(identity_of(seat).signer, number, tuple(map(str, addresses)))


@pytest.fixture
def circle(tmp_path: Path) -> Circle:
    made = Circle(tmp_path, 3)
    made.found()
    return made


@pytest.fixture
def journal(circle: Circle) -> Iterator[Journal]:
    with closing(circle.journal(ME)) as opened:
        yield opened


def in_time(test: Callable[[], Awaitable[None]]) -> None:
    in_virtual_time(test)


@pytest.mark.parametrize("damage", [b"\xff\xfe", b"/ip4/no/tcp/number", b"\x00" * 40])
def test_what_a_damaged_note_knew_is_not_known_and_nothing_else_is_lost(
    circle: Circle, journal: Journal, damage: bytes
) -> None:
    journal.note(f"addresses/{AUTHOR}", damage + b"\n/ip4/192.0.2.7/tcp/4001")
    journal.note(f"record/{AUTHOR}", damage)
    journal.note("chat/lines", damage)
    journal.note(BOTS, damage)

    async def main() -> None:
        assert addresses_of(journal, AUTHOR) == (THERE,)
        assert addresses_of(journal, OTHER)
        assert SeatAddresses(journal).records() == ()
        assert all(bots_of(journal))
        async with circle.node(ME) as node:
            keeper = node.open_table(journal)
            assert keeper.talk.chat.lines == ()
            keeper.talk.say("hello")

    in_time(main)


def test_a_record_replaces_what_was_known_and_outlives_the_program(journal: Journal) -> None:
    async def main() -> None:
        record = record_by(AUTHOR, 5, THERE)
        heard = SeatAddresses(journal).heard(write(record), key_of(OTHER))
        assert heard == record
        assert addresses_of(journal, AUTHOR) == (THERE,)
        again = SeatAddresses(journal)
        assert again.records() == (record,)
        with pytest.raises(PeerError, match="not the latest"):
            again.heard(write(record), key_of(AUTHOR))

    in_time(main)


def forged(record: AddressRecord) -> AddressRecord:
    return AddressRecord(record.key, record.number, (str(THERE),), record.signature)


@pytest.mark.parametrize(
    ("letter", "sender", "reason"),
    [
        (write(record_by(AUTHOR, 9, THERE)), STRANGER, Reason.LOBBY_SENDER),
        (write(record_by(STRANGER, 9, THERE)), AUTHOR, Reason.LOBBY_ADDRESS),
        (write(record_by(ME, 9, THERE)), AUTHOR, Reason.LOBBY_ADDRESS),
        (write(record_by(AUTHOR, 4, THERE)), AUTHOR, Reason.LOBBY_ADDRESS),
        (write(forged(record_by(AUTHOR, 9))), OTHER, Reason.SIGNATURE_BAD),
        (write(Leaving(bytes(16))), AUTHOR, Reason.LOBBY_ADDRESS),
    ],
    ids=["from nobody", "of nobody", "of oneself", "old", "forged", "no record"],
)
def test_what_is_not_believed_changes_nothing(
    journal: Journal, letter: bytes, sender: Seat, reason: Reason
) -> None:
    async def main() -> None:
        known = SeatAddresses(journal)
        known.heard(write(record_by(AUTHOR, 4, ELSEWHERE)), key_of(AUTHOR))
        with pytest.raises(PeerError) as caught:
            known.heard(letter, key_of(sender))
        assert caught.value.reason is reason
        assert addresses_of(journal, AUTHOR) == (ELSEWHERE,)

    in_time(main)


def test_nobody_can_have_more_records_stored_than_a_few(journal: Journal) -> None:
    async def main() -> None:
        known = SeatAddresses(journal)
        for number in range(1, BURST + 1):
            known.heard(write(record_by(AUTHOR, number, THERE)), key_of(AUTHOR))
        with pytest.raises(PeerError) as caught:
            known.heard(write(record_by(AUTHOR, 99, THERE)), key_of(AUTHOR))
        assert caught.value.reason is Reason.LOBBY_RESTLESS
        known.heard(write(record_by(OTHER, 1, THERE)), key_of(AUTHOR))
        await trio.sleep(REFILL_US / SECOND_US)
        known.heard(write(record_by(AUTHOR, 99, THERE)), key_of(AUTHOR))

    in_time(main)


def test_nobody_can_use_up_what_is_somebody_elses(journal: Journal) -> None:
    async def main() -> None:
        known = SeatAddresses(journal)
        old = record_by(AUTHOR, 4, THERE)
        known.heard(write(old), key_of(AUTHOR))
        dropped: Counter[Reason] = Counter()
        for _ in range(4 * BURST):
            for shown in (old, replace(old, number=9)):
                with pytest.raises(PeerError) as caught:
                    known.heard(write(shown), key_of(OTHER))
                dropped[caught.value.reason] += 1
        assert dropped[Reason.LOBBY_RESTLESS] == 8 * BURST - 3 * BURST
        known.heard(write(record_by(AUTHOR, 5, ELSEWHERE)), key_of(AUTHOR))
        assert addresses_of(journal, AUTHOR) == (ELSEWHERE,)

    in_time(main)


def test_own_records_have_growing_numbers_whatever_the_clock_says(journal: Journal) -> None:
    async def main() -> None:
        clock = iter([100, 50, 200])
        known = SeatAddresses(journal, lambda: next(clock))
        first = known.own([THERE])
        assert first == record_by(ME, 100, THERE)
        assert known.own([THERE]) is None
        assert known.own([ELSEWHERE]) == record_by(ME, 101, ELSEWHERE)
        assert known.own([THERE]) == record_by(ME, 200, THERE)
        assert SeatAddresses(journal).own([THERE]) is None

    in_time(main)


def test_what_is_told_fits_into_a_record_with_relays_and_without_loopback() -> None:
    here = [parse(f"/ip4/127.0.0.{number}/tcp/1") for number in (1, 2)]
    many = [parse(f"/ip4/192.0.2.{number}/tcp/1") for number in range(1, 12)]
    relayed = Address("ip4", "198.51.100.1", 4001, key_of(AUTHOR))
    told = chosen([*here, *many, relayed])
    assert told == (*many[: ADDRESSES_MAX - 1], relayed)
    assert chosen([*here, relayed]) == (*here, relayed)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, in virtual time."""
    for _ in range(1000):
        if holds():
            return
        await trio.sleep(0.1)
    raise AssertionError("it never holds")


def test_who_moves_is_found_through_a_third(circle: Circle) -> None:
    """Two that cannot reach each other hear of it from the one that both reach."""

    async def main() -> None:
        circle.ether.part("elsewhere", "seat-1")
        with closing(circle.journal(Seat(1))) as mine, closing(circle.journal(Seat(2))) as its:
            async with (
                circle.at_table(Seat(0)),
                circle.node(Seat(1)) as one,
                circle.node(Seat(2), "elsewhere") as mover,
            ):
                keeper = one.open_table(mine)
                mover.open_table(its)
                await until(lambda: addresses_of(mine, Seat(2)) == (ELSEWHERE,))
                assert keeper.link_to(Seat(2)) is not None
                circle.ether.heal()
                await until(lambda: is_up(one, Seat(2)))

    in_time(main)


def is_up(node: Node, seat: Seat) -> bool:
    (keeper,) = node.keepers.values()
    reach = keeper.reach(seat)
    if reach.is_reached:
        assert (reach.way, reach.kind) == (Way.DIRECT, "memory")
        return reach.round_trip_us is not None
    return False


def test_a_node_tells_when_it_can_be_reached_elsewhere_and_counts_what_it_drops(
    circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        with closing(circle.journal(Seat(0))) as mine, closing(circle.journal(Seat(1))) as its:
            async with circle.node(Seat(0)) as here, circle.node(Seat(1)) as there:
                here.open_table(mine)
                there.open_table(its)
                await until(lambda: is_up(here, Seat(1)))
                monkeypatch.setattr(here, "addresses", lambda: (THERE,))
                here.moved()
                await until(lambda: addresses_of(its, Seat(0)) == (THERE,))
                letter = write(record_by(AUTHOR, 1))
                here._send(key_of(AUTHOR), write_envelope(ForAddress(mine.table), letter))
                await until(lambda: there.counts[Reason.LOBBY_ADDRESS] > 0)

    in_time(main)

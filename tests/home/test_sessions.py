"""Sessions of hosts and guests, as whoever shows them uses them: calls, values, hindrances."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from nodealer.home.guest_session import AnswerWanted, GuestNews, GuestSession, Voided
from nodealer.home.hindrances import (
    FreeSeatError,
    NobodyError,
    NothingOfferedError,
    OtherKeyError,
    UnreadOfferError,
)
from nodealer.home.host_session import Banished, HostNews, HostSession
from nodealer.kernel import LocalError, TableId
from nodealer.lobby import NewSeat
from nodealer.lobby.admitting import BANNED_MAX
from nodealer.lobby.messages import Attendee
from nodealer.lobby.ready import Came, CharterWhole, Offered
from nodealer.store import Changed, Friends, Known, LobbyFile
from tests.cli.gatherings import PLACE, Gathering


def silent_two(gathering: Gathering) -> tuple[HostSession, GuestSession]:
    """Return the sessions of Ana and of Bea, whom nobody tells of in lines."""
    host = gathering.host(gathering.player(0)).session
    guest = gathering.guest(gathering.player(1), host.host.invite((PLACE,))).session
    return host, guest


def test_sessions_speak_in_values_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gathering = Gathering(tmp_path)
    host, guest = silent_two(gathering)
    told: list[HostNews | GuestNews] = []
    host.tell = guest.tell = told.append
    foundings: list[NewSeat | object | None] = []

    async def script() -> None:
        async with trio.open_nursery() as nursery:
            with pytest.raises(NothingOfferedError):
                guest.accept()
            with pytest.raises(FreeSeatError):
                host.start()
            nursery.start_soon(wait, host.gather)
            nursery.start_soon(wait, guest.wait)
            await gathering.settle()
            with pytest.raises(NobodyError):
                host.kick("Zoe")
            guest.accept()
            host.set_option("call=yes")
            with pytest.raises(UnreadOfferError):
                host.start()
            await gathering.settle()
            with pytest.raises(LocalError):
                host.set_seats(0)
            guest.accept()
            await gathering.settle()
            guest.take_back()
            await gathering.settle()
            assert host.start() == ("Bea",)
            guest.accept()
            await gathering.settle()

    async def wait(session: object) -> None:
        foundings.append(await session())  # type: ignore[operator]

    trio.run(script)
    gathering.close()
    one, other = foundings
    assert isinstance(one, NewSeat)
    assert isinstance(other, NewSeat)
    assert one.table == other.table
    for kind in (Came, Offered, AnswerWanted, Voided, CharterWhole):
        assert any(isinstance(each, kind) for each in told), kind
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("is_attended", [False, True])
def test_another_key_is_in_the_way_until_it_is_confirmed(tmp_path: Path, is_attended: bool) -> None:
    gathering = Gathering(tmp_path)
    ana = gathering.player(0)
    gathering.company(ana).remember([Attendee(gathering.player(5).key, "Bea")])
    host = gathering.host(ana, is_attended=is_attended).session
    guest = gathering.guest(gathering.player(1), host.host.invite((PLACE,)), agrees=True).session
    told: list[HostNews] = []
    host.tell, guest.tell = told.append, lambda _: None

    async def script() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.gather)
            await gathering.settle()
            if is_attended:
                with pytest.raises(OtherKeyError) as caught:
                    host.start()
                assert caught.value.names == ("Bea",)
                assert host.confirm("bea").name == "Bea"
                assert host.start() == ("Bea",)
            nursery.cancel_scope.cancel()

    trio.run(script)
    gathering.close()
    assert [one.who.name for one in told if isinstance(one, Banished)] == ["Bea"] * (
        not is_attended
    )


def test_who_thinks_twice_while_the_host_begins_sits_at_the_table(tmp_path: Path) -> None:
    gathering = Gathering(tmp_path)
    host, guest = silent_two(gathering)
    ana, bea = gathering.player(0), gathering.player(1)
    foundings: list[NewSeat | object | None] = []

    async def script() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait, host.gather)
            nursery.start_soon(wait, guest.wait)
            await gathering.settle()
            guest.accept()
            await gathering.settle()
            guest.take_back()
            guest.accept()
            assert host.start() == ()
            await gathering.settle()

    async def wait(session: object) -> None:
        foundings.append(await session())  # type: ignore[operator]

    trio.run(script)
    with (
        closing(ana.shelf.sit_down(host.room)) as one,
        closing(bea.shelf.sit_down(guest.room)) as other,
    ):
        assert one.table == other.table
        assert other.seat == 1
    gathering.close()
    assert len(foundings) == 2


def test_a_host_without_a_person_sends_away_whoever_comes_however_many(tmp_path: Path) -> None:
    """Who has the invite comes under ever new keys, by the name of a friend of the host."""
    gathering = Gathering(tmp_path)
    ana = gathering.player(0)
    gathering.company(ana).remember([Attendee(gathering.player(5).key, "Bea")])
    host = gathering.host(ana, is_attended=False).session
    host.room.held = replace(host.host, banned=tuple(bytes([n]) * 32 for n in range(BANNED_MAX)))
    guest = gathering.guest(gathering.player(1), host.host.invite((PLACE,)), agrees=True).session
    told: list[HostNews] = []
    host.tell, guest.tell = told.append, lambda _: None

    async def script() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.gather)
            await gathering.settle()
            nursery.cancel_scope.cancel()

    trio.run(script)
    gathering.close()
    assert [one.who.name for one in told if isinstance(one, Banished)] == ["Bea"]
    assert host.host.banned[-1] == gathering.player(1).key
    assert len(host.host.banned) == BANNED_MAX


def test_whoever_watches_remembers_nobody_by_the_name_of_a_friend(tmp_path: Path) -> None:
    """A host that nobody has to trust could seat a false Bea before the eyes of her friend."""
    gathering = Gathering(tmp_path)
    watcher, true, false = (gathering.player(number) for number in (2, 5, 1))
    book = gathering.company(watcher)
    book.remember([Attendee(true.key, "Bea")])
    host = gathering.host(gathering.player(0), is_attended=False).session
    guest = gathering.guest(false, host.host.invite((PLACE,)), agrees=True).session
    seeing = gathering.guest(watcher, host.host.invite((PLACE,), watches=True), "Cleo").session
    founded: list[object] = []

    async def watch() -> None:
        founded.append(await seeing.wait())

    async def script() -> None:
        async with trio.open_nursery() as nursery:
            for session in (watch, host.gather, guest.wait):
                nursery.start_soon(session)
            await gathering.settle()

    trio.run(script)
    gathering.close()
    assert isinstance(founded[0], NewSeat)
    with closing(Friends(watcher.profile.friends)) as friends:
        assert isinstance(friends.meet("Bea", false.key), Changed)
        assert isinstance(friends.meet("Ana", gathering.player(0).key), Known)


def test_a_damaged_record_is_let_go_when_the_lobbies_of_a_table_are_looked_for(
    tmp_path: Path,
) -> None:
    gathering = Gathering(tmp_path)
    ana = gathering.player(0)
    room = gathering.host(ana).session.room
    gathering.close()
    room.file.path.write_bytes(b"damaged")
    assert ana.shelf.rooms_of(TableId(bytes(32))) == []
    LobbyFile(ana.profile, room.file.path.name).close()

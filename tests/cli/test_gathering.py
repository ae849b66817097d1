"""People gather: what they type, what they are told, whom they know, and crashes in between."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
import trio.testing

from nodealer.cli.guest_session import UNHEARD_SECONDS, GuestSession
from nodealer.cli.host_session import HostSession
from nodealer.cli.lobby_shelf import KEPT_SECONDS, listed, lobby_by, open_lobby
from nodealer.games import registry
from nodealer.games.base import AnyGame
from nodealer.kernel import LocalError
from nodealer.lobby import Founding, Peer, hosting
from nodealer.lobby.messages import Sitting
from nodealer.lobby.moves import GuestPhase, HostPhase
from nodealer.lobby.ready import Over
from nodealer.node.envelopes import read_envelope
from nodealer.store.lobbies import records_in
from nodealer.store.trouble import StoreError, Trouble
from nodealer.store.words import words_of
from tests.cli.gatherings import PLACE, Gathering, Player
from tests.store.conftest import MEMORY
from tests.store.players import drawn
from tests.store.troubles import trouble

Script = Callable[[Gathering, trio.Nursery], Awaitable[None]]


@pytest.fixture
def gathering(tmp_path: Path) -> Iterator[Gathering]:
    """A gathering on disks in memory, where there is such a place: everything is synced often."""
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else tmp_path) as folder:
        made = Gathering(Path(folder))
        yield made
        made.close()


def played(gathering: Gathering, script: Script) -> None:
    """Run a script to its end; whatever still waits then is cancelled."""

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            await script(gathering, nursery)
            nursery.cancel_scope.cancel()

    trio.run(run)


async def begin(
    gathering: Gathering, nursery: trio.Nursery, player: Player, session: HostSession | GuestSession
) -> None:
    nursery.start_soon(gathering.follow, player, session)
    await gathering.settle()


@asynccontextmanager
async def two(
    gathering: Gathering, nursery: trio.Nursery
) -> AsyncIterator[tuple[HostSession, GuestSession]]:
    """Ana has opened a lobby for two, and Bea has come."""
    ana, bea = gathering.player(0), gathering.player(1)
    host = gathering.host(ana)
    await begin(gathering, nursery, ana, host)
    guest = gathering.guest(bea, host.host.invite((PLACE,)))
    await begin(gathering, nursery, bea, guest)
    yield host, guest


def test_both_accept_and_the_table_is_founded(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            assert host.host.phase is HostPhase.OFFERING, "the host has not accepted unseen"
            host.typed("start")
            await gathering.settle()

    played(gathering, script)
    foundings = list(gathering.results.values())
    assert all(isinstance(one, Founding) for one in foundings)
    assert len({one.table for one in foundings if isinstance(one, Founding)}) == 1
    told = capsys.readouterr().err
    assert "Bea" in told
    assert " ".join(words_of(gathering.player(1).key)) in told
    assert "the table is founded" in told
    with_friends = gathering.company(gathering.player(0))
    offer = gathering.rooms[gathering.player(0).key].held.offer
    assert offer is not None
    (line,) = with_friends.introduce(offer.seats)
    assert "words not compared yet" in line


def test_start_before_the_others_waits_for_them(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("start")
            await gathering.settle()
            assert not gathering.results
            guest.typed("y")
            await gathering.settle()
            assert len(gathering.results) == 2

    played(gathering, script)


def test_a_start_is_for_the_offer_that_was_seen(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("start")
            await gathering.settle()
            guest.typed("no")
            await gathering.settle()
            third = gathering.player(2)
            came = gathering.guest(third, host.host.invite((PLACE,)), "Cleo", agrees=True)
            await begin(gathering, nursery, third, came)
            assert host.host.phase is HostPhase.OFFERING
            assert host.host.seed is None, "nobody has accepted Cleo"

    played(gathering, script)
    assert gathering.results[gathering.player(1).key] == Over()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("option call=yes", "option call: no -> yes"),
        ("seats 3", "seat 2: none -> free"),
        ("clock brisk", "for a turn: 1 minute -> 30 seconds"),
        ("policy void", "when one leaves: redeal ("),
    ],
)
def test_the_host_changes_what_is_offered(
    gathering: Gathering, capsys: pytest.CaptureFixture[str], typed: str, words: str
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            before = host.host.number
            capsys.readouterr()
            host.typed(typed)
            await gathering.settle()
            assert host.host.number == before + 1
            assert guest.guest.phase is not GuestPhase.ACCEPTED
            assert capsys.readouterr().err.count(words) == 2, "both are told"

    played(gathering, script)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("option call=perhaps", "call"),
        ("option nonsense", "name=value"),
        ("option hand=7", "no option"),
        ("seats one", "needs a number"),
        ("seats 1", "seats"),
        ("seats 99", "seats"),
        ("clock never", "brisk, calm, letters"),
        ("policy anarchy", "no policy"),
        ("kick Zoe", "nobody called 'Zoe'"),
        ("kick Ana", "nobody called 'Ana'"),
        ("confirm Zoe", "nobody called 'Zoe'"),
        ("dance", "no such command"),
        ("help", "kick NAME"),
        ("words", "your own words: "),
        ("who", "seat 0           Ana"),
        ("invite", "nodealer1"),
        ("invite watch", "nodealer1"),
        ("confirm Bea", "remembered"),
    ],
)
def test_what_is_typed_is_answered_and_what_is_wrong_changes_nothing(
    gathering: Gathering, capsys: pytest.CaptureFixture[str], typed: str, words: str
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, _):
            before = host.host
            capsys.readouterr()
            host.typed("")
            assert not capsys.readouterr().err
            host.typed(typed)
            assert words in capsys.readouterr().err
            assert host.host is before

    played(gathering, script)


def test_who_is_sent_away_is_told_and_does_not_come_back(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, _):
            bea = gathering.player(1)
            host.typed("start")
            host.typed("kick bea")
            await gathering.settle()
            assert str(gathering.results.pop(bea.key)).count("removed")
            gathering.leave(bea)
            again = gathering.guest(bea, host.host.invite((PLACE,)), "Bea", agrees=True)
            await begin(gathering, nursery, bea, again)
            assert str(gathering.results[bea.key]).count("removed")
            assert host.host.phase is HostPhase.GATHERING

    played(gathering, script)


def test_a_free_seat_cannot_be_started_with(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana = gathering.player(0)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        host.typed("start")
        assert "a seat is free" in capsys.readouterr().err
        host.typed("quit")
        await gathering.settle()
        assert gathering.results == {ana.key: None}

    played(gathering, script)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("yes", "accepted already"),
        ("back", "taken back"),
        ("who", "seat 0           Ana"),
        ("words", "your own words"),
        ("confirm Ana", "remembered"),
        ("confirm Bea", "nobody called 'Bea'"),
        ("help", "confirm NAME"),
        ("kick Ana", "no such command"),
    ],
)
def test_a_guest_that_has_accepted_types(
    gathering: Gathering, capsys: pytest.CaptureFixture[str], typed: str, words: str
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (_, guest):
            guest.typed("yes")
            await gathering.settle()
            capsys.readouterr()
            guest.typed(typed)
            assert words in capsys.readouterr().err

    played(gathering, script)


def test_a_guest_without_an_offer_can_only_wait_or_leave(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        gathering.leave(ana)
        guest = gathering.guest(bea, host.host.invite((PLACE,)))
        await begin(gathering, nursery, bea, guest)
        guest.typed("yes")
        guest.typed("who")
        guest.typed("back")
        told = capsys.readouterr().err
        assert "nothing to accept yet" in told
        assert "nothing was heard of the host" in told
        assert "no withdraw" in told
        with pytest.raises(LocalError, match="nobody is here"):
            guest.require_answer()
        await gathering.settle()
        assert gathering.results[bea.key] == Over()

    played(gathering, script)


def test_a_yes_is_for_the_offer_that_was_read(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host that changes the rules while somebody types gets no yes for them."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.host.invite((PLACE,)), is_quick=False)
        await begin(gathering, nursery, bea, guest)
        host.typed("option call=yes")
        await gathering.settle()
        guest.typed("yes")
        assert "has just changed" in capsys.readouterr().err
        assert guest.guest.phase is GuestPhase.ASKED

    played(gathering, script)


def test_a_yes_is_for_an_offer_that_was_told(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    """What has arrived and stands on no screen yet is accepted by nobody, however fast one is."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("option call=yes")
            host.typed("start")
            assert host.starts is None, "the host has not read it either"
            sender, to, payload = gathering.wires.popleft()
            _, letter = read_envelope(payload)
            gathering.rooms[to].receive(letter, Peer(sender, drawn("link", sender)))
            assert guest.guest.phase is GuestPhase.ASKED
            assert guest.guest.offer == host.host.offer
            guest.typed("yes")
            assert guest.guest.acceptance is None
            assert capsys.readouterr().err.count("has just changed: read it") == 2
            await gathering.settle()
            guest.typed("yes")
            assert guest.guest.acceptance is not None

    played(gathering, script)


def test_who_has_accepted_is_told_that_it_does_not_count_any_more(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = "what you had accepted does not count any more"

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("option call=yes")
            await gathering.settle()
            assert lost not in capsys.readouterr().err, "nothing was accepted yet"
            for taken_back, told in ((False, 1), (True, 0)):
                guest.typed("yes")
                if taken_back:
                    guest.typed("back")
                host.typed(f"option call={'yes' if taken_back else 'no'}")
                await gathering.settle()
                assert guest.guest.phase is GuestPhase.ASKED
                assert capsys.readouterr().err.count(lost) == told

    played(gathering, script)


def test_a_guest_that_comes_back_is_told_the_whole_offer_and_what_it_lost(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            bea = gathering.player(1)
            gathering.leave(bea)
            capsys.readouterr()
            back = gathering.guest(bea, host.host.invite((PLACE,)))
            assert back.guest.phase is GuestPhase.ACCEPTED
            await begin(gathering, nursery, bea, back)
            told = capsys.readouterr().err
            assert told.count("to come back     1 minute") == 1
            host.typed("option call=yes")
            await gathering.settle()
            assert "what you had accepted does not count any more" in capsys.readouterr().err

    played(gathering, script)


def test_a_cruel_clock_is_called_so_on_both_sides_and_nothing_of_it_is_hidden(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two minutes for a turn, and a millisecond to answer and to come back."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, _):
            capsys.readouterr()
            cruel = replace(host.host.plan.clock, answer=1, rejoin=1)
            host.room.take(*hosting.change(host.host, replace(host.host.plan, clock=cruel)))
            await gathering.settle()
            told = capsys.readouterr().err
            for line in (
                "to answer: 10 seconds -> 1 millisecond",
                "to come back: 1 minute -> 1 millisecond",
                "WARNING, an unusual clock: too short to answer: an honest seat may be",
                "WARNING, an unusual clock: less time to come back than for a turn: who",
            ):
                assert told.count(line) == 2

    played(gathering, script)


def test_a_host_that_does_not_answer_is_said(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        invite = gathering.host(ana).host.invite((PLACE,))
        gathering.leave(ana)
        guest = gathering.guest(bea, invite)
        with trio.move_on_after(2 * UNHEARD_SECONDS):
            await guest.wait()
        assert capsys.readouterr().err.count("does not answer yet") == 1

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0))


@pytest.mark.parametrize("agrees", [False, True])
def test_another_version_of_the_game_is_not_sat_down_to(
    gathering: Gathering,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    agrees: bool,
) -> None:
    """The host has version 1; the guest has another one, or none."""

    def uninstalled(name: str) -> AnyGame:
        return registry.game(f"no-{name}")

    monkeypatch.setattr("nodealer.cli.guest_session.game", uninstalled)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.host.invite((PLACE,)), agrees=agrees)
        await begin(gathering, nursery, bea, guest)
        if not agrees:
            guest.typed("yes")
            assert "there is no game" in capsys.readouterr().err
            return
        (error,) = gathering.errors
        assert "there is no game" in str(error)
        assert host.host.phase is HostPhase.GATHERING, "the seat is free again"

    played(gathering, script)


# Friends.


def befriend(
    gathering: Gathering, player: Player, name: str, friend: int, *, calls: str = ""
) -> None:
    """Let a player know another one, by the name that it had."""
    company = gathering.company(player)
    company.remember([Sitting(gathering.player(friend).key, name)])
    if calls:
        company.confirm([Sitting(gathering.player(friend).key, name)], name)


@pytest.mark.parametrize(
    ("name", "friend", "words"),
    [
        ("Bea", 1, "is known to you: met on"),
        ("Bibi", 1, "is known to you under another name, Bibi"),
        ("Zoe", 5, "is new to you"),
        ("Bеa", 5, "the names look alike"),
        ("Bea", 5, "HAS ANOTHER KEY"),
    ],
)
def test_who_comes_is_told_as_far_as_it_is_known(
    gathering: Gathering, capsys: pytest.CaptureFixture[str], name: str, friend: int, words: str
) -> None:
    befriend(gathering, gathering.player(0), name, friend)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery):
            told = capsys.readouterr().err.splitlines()
            assert sum("Ana" not in line and words in line for line in told) == 1

    played(gathering, script)


def test_compared_words_are_remembered(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    befriend(gathering, gathering.player(0), "Bea", 1, calls="Bea")

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery):
            assert "words compared on" in capsys.readouterr().err

    played(gathering, script)


def test_another_key_under_a_friends_name_stops_a_host_until_the_words_are_compared(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    befriend(gathering, gathering.player(0), "Bea", 5)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            host.typed("start")
            assert "compare the words first, and then `confirm Bea`" in capsys.readouterr().err
            assert host.host.seed is None
            host.typed("confirm bea")
            host.typed("start")
            await gathering.settle()
            assert len(gathering.results) == 2

    played(gathering, script)


def test_another_key_under_a_friends_name_stops_a_guest_until_the_words_are_compared(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    befriend(gathering, gathering.player(1), "Ana", 5)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (_, guest):
            guest.typed("yes")
            assert "`confirm Ana`" in capsys.readouterr().err
            assert guest.guest.acceptance is None
            guest.typed("confirm Ana")
            guest.typed("yes")
            assert guest.guest.phase is GuestPhase.ACCEPTED

    played(gathering, script)


@pytest.mark.parametrize("takes", [False, True])
def test_a_host_without_a_person_sends_away_who_has_another_key(
    gathering: Gathering, takes: bool
) -> None:
    befriend(gathering, gathering.player(0), "Bea", 5)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana, is_attended=False, takes_new_keys=takes)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.host.invite((PLACE,)), agrees=True)
        await begin(gathering, nursery, bea, guest)
        assert isinstance(gathering.results[bea.key], Founding if takes else Over)

    played(gathering, script)


@pytest.mark.parametrize("takes", [False, True])
def test_a_guest_that_agrees_unseen_does_not_agree_to_another_key(
    gathering: Gathering, takes: bool
) -> None:
    befriend(gathering, gathering.player(1), "Ana", 5)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana, is_attended=False)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.host.invite((PLACE,)), agrees=True, takes_new_keys=takes)
        await begin(gathering, nursery, bea, guest)

    played(gathering, script)
    if takes:
        assert len(gathering.results) == 2
        return
    (error,) = gathering.errors
    assert isinstance(error, StoreError)
    assert error.trouble is Trouble.NEW_KEY


# Crashes.


def test_a_lobby_is_gone_on_with_on_both_sides(gathering: Gathering) -> None:
    """Bea has accepted; both programs stop; the invite, the seat and the answer are as before."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            invite = host.host.invite((PLACE,))
            guest.typed("yes")
            await gathering.settle()
        ana, bea = gathering.player(0), gathering.player(1)
        gathering.leave(ana)
        gathering.leave(bea)
        known = open_lobby(ana.profile, hosted=True)
        assert known is not None
        back = gathering.hosting(ana, ana.shelf.reopen(known.name))
        assert back.host.invite((PLACE,)) == invite
        await begin(gathering, nursery, ana, back)
        returned = gathering.guest(bea, invite)
        assert returned.guest.phase is GuestPhase.ACCEPTED
        await begin(gathering, nursery, bea, returned)
        back.typed("start")
        await gathering.settle()
        tables = {one.table for one in gathering.results.values() if isinstance(one, Founding)}
        assert len(tables) == 1
        assert len(gathering.results) == 2

    played(gathering, script)


def test_who_has_accepted_and_missed_the_start_is_told_of_the_table(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        async with two(gathering, nursery) as (host, guest):
            invite = host.host.invite((PLACE,))
            guest.typed("yes")
            await gathering.settle()
            gathering.leave(bea)
            host.typed("start")
            await gathering.settle()
            founding = gathering.results[ana.key]
        assert isinstance(founding, Founding)
        gathering.leave(ana)
        ana.shelf.clean()
        assert ana.profile.journal(founding.table).exists(), "the table of a crash has a journal"
        (room,) = ana.shelf.rooms_of(founding.table)
        gathering.hosting(ana, room)
        returned = gathering.guest(bea, invite)
        await begin(gathering, nursery, bea, returned)
        told = gathering.results[bea.key]
        assert isinstance(told, Founding)
        assert told.table == founding.table

    played(gathering, script)


def test_a_guest_comes_back_under_another_name(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            bea = gathering.player(1)
            gathering.leave(bea)
            again = gathering.guest(bea, host.host.invite((PLACE,)), "Beate")
            await begin(gathering, nursery, bea, again)
            assert [one.name for one in host.host.people] == ["Ana", "Beate"]
            assert not host.host.answers

    played(gathering, script)


def test_an_older_copy_is_left_and_not_gone_on_with(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        async with two(gathering, nursery) as (host, guest):
            invite = host.host.invite((PLACE,))
            copies = [shutil.copy2(one.room.file.path, gathering.folder) for one in (host, guest)]
            guest.typed("yes")
            host.typed("start")
            await gathering.settle()
        for player, copy, room in zip((ana, bea), copies, (host.room, guest.room), strict=True):
            gathering.leave(player)
            shutil.copy2(copy, room.file.path)
        known = open_lobby(ana.profile, hosted=True)
        assert known is not None
        with trouble(Trouble.OLD_COPY):
            ana.shelf.reopen(known.name)
        assert open_lobby(ana.profile, hosted=True) is None, "it is closed"
        visited = open_lobby(bea.profile, hosted=False)
        assert visited is not None
        returned = gathering.guest(bea, invite)
        assert returned.guest.phase is GuestPhase.KNOCKING
        assert returned.guest.acceptance is None

    played(gathering, script)


def test_a_guest_leaves_a_lobby_of_which_it_has_an_older_copy(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (_, guest):
            copy = shutil.copy2(guest.room.file.path, gathering.folder)
            guest.typed("yes")
            bea = gathering.player(1)
            gathering.leave(bea)
            shutil.copy2(copy, guest.room.file.path)
            with trouble(Trouble.OLD_COPY):
                bea.shelf.reopen(guest.room.file.path.name)
            assert open_lobby(bea.profile, hosted=False) is None

    played(gathering, script)


def test_what_is_over_or_old_is_cleaned_up_and_what_is_damaged_is_left(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = gathering.player(0)
    for salt in range(3):
        host = gathering.host(ana, salt=salt)
        if salt == 0:
            host.room.take(*hosting.leave(host.host))
        if salt == 1:
            host.room.file.path.write_bytes(b"damaged")
        gathering.leave(ana)
    ana.shelf.clean()
    found = list(listed(ana.profile))
    assert len(found) == len(records_in(ana.profile)) == 2
    damaged = next(one for one in found if one.seen is None)
    assert damaged.trouble is not None
    with pytest.raises(LocalError):
        ana.shelf.reopen(damaged.name)
    whole = next(one for one in found if one.seen is not None)
    assert lobby_by(ana.profile, None) == lobby_by(ana.profile, whole.mark) == whole
    assert lobby_by(ana.profile, "zzz") is None
    later = KEPT_SECONDS + 60
    now = (ana.profile.home / "lobbies" / whole.name).stat().st_mtime
    monkeypatch.setattr("nodealer.cli.lobby_shelf.now_seconds", lambda: int(now) + later)
    ana.shelf.clean()
    assert [one.name for one in listed(ana.profile)] == [damaged.name]


def test_strangers_that_are_turned_away_do_not_fill_the_screen(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, other = gathering.player(0), gathering.player(50)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        elsewhere = gathering.host(other, salt=1)
        wrong = elsewhere.host.invite((PLACE,))
        invite = replace(wrong, host=ana.key, lobby=host.host.keys.lobby)
        for key in range(1, 20):
            player = gathering.player(key)
            guest = gathering.guest(player, invite, f"Guest {key}")
            await begin(gathering, nursery, player, guest)
        told = capsys.readouterr().err
        assert told.count("turned away:") == 5
        assert "not told any more" in told

    played(gathering, script)

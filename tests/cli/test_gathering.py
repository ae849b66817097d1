"""People gather: what they type, what they are told, whom they know, and crashes in between."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
import trio.testing

from nodealer.cli.people_lines import Introductions
from nodealer.cli.typed_guest import TypedGuest
from nodealer.cli.typed_host import TypedHost
from nodealer.games import registry
from nodealer.home.guest_session import UNHEARD_SECONDS
from nodealer.home.my_lobbies import KEPT_SECONDS, listed, lobby_by
from nodealer.kernel import LocalError, Seat
from nodealer.lobby import Invite, LinkEnd, NewSeat, hosting, plan_of
from nodealer.lobby.host import ENTRIES_MAX
from nodealer.lobby.messages import Attendee
from nodealer.lobby.moves import GuestPhase, HostPhase
from nodealer.lobby.ready import LobbyOver
from nodealer.node.envelopes import read_envelope
from nodealer.node.rooms import Room
from nodealer.node.transport.addresses import PeerKey
from nodealer.store.lobbies import records_in
from nodealer.store.trouble import StoreError, Trouble
from nodealer.store.words import words_of
from nodealer.table import Setting, sit_down
from tests.cli.gatherings import PLACE, Gathering, Player, open_lobby
from tests.lobby.world import CLOCK, keys_of, plan, player_of
from tests.store.conftest import MEMORY
from tests.store.players import drawn
from tests.store.troubles import trouble
from tests.support.circle import Circle

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
    gathering: Gathering, nursery: trio.Nursery, player: Player, session: TypedHost | TypedGuest
) -> None:
    nursery.start_soon(gathering.follow, player, session)
    await gathering.settle()


@asynccontextmanager
async def two(
    gathering: Gathering, nursery: trio.Nursery
) -> AsyncIterator[tuple[TypedHost, TypedGuest]]:
    """Ana has opened a lobby for two, and Bea has come."""
    ana, bea = gathering.player(0), gathering.player(1)
    host = gathering.host(ana)
    await begin(gathering, nursery, ana, host)
    guest = gathering.guest(bea, host.session.host.invite((PLACE,)))
    await begin(gathering, nursery, bea, guest)
    yield host, guest


def test_both_accept_and_the_table_is_founded(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            assert host.session.host.phase is HostPhase.OFFERING, "the host has not accepted unseen"
            host.typed("start")
            await gathering.settle()

    played(gathering, script)
    foundings = list(gathering.results.values())
    assert all(isinstance(one, NewSeat) for one in foundings)
    assert len({one.table for one in foundings if isinstance(one, NewSeat)}) == 1
    told = capsys.readouterr().err
    assert "Bea" in told
    assert " ".join(words_of(gathering.player(1).key)) in told
    assert "the table is founded" in told
    with_friends = gathering.company(gathering.player(0))
    offer = gathering.rooms[gathering.player(0).key].held.offer
    assert offer is not None
    (line,) = Introductions(with_friends).of(offer.seats)
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
            came = gathering.guest(third, host.session.host.invite((PLACE,)), "Cleo", agrees=True)
            await begin(gathering, nursery, third, came)
            assert host.session.host.phase is HostPhase.OFFERING
            assert host.session.host.seed is None, "nobody has accepted Cleo"

    played(gathering, script)
    assert gathering.results[gathering.player(1).key] == LobbyOver()


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
            before = host.session.host.number
            capsys.readouterr()
            host.typed(typed)
            await gathering.settle()
            assert host.session.host.number == before + 1
            assert guest.session.guest.phase is not GuestPhase.ACCEPTED
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
            before = host.session.host
            capsys.readouterr()
            host.typed("")
            assert not capsys.readouterr().err
            host.typed(typed)
            assert words in capsys.readouterr().err
            assert host.session.host is before

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
            again = gathering.guest(bea, host.session.host.invite((PLACE,)), "Bea", agrees=True)
            await begin(gathering, nursery, bea, again)
            assert str(gathering.results[bea.key]).count("removed")
            assert host.session.host.phase is HostPhase.GATHERING

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
        guest = gathering.guest(bea, host.session.host.invite((PLACE,)))
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
        assert gathering.results[bea.key] == LobbyOver()

    played(gathering, script)


def test_a_yes_is_for_the_offer_that_was_read(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host that changes the rules while somebody types gets no yes for them."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.session.host.invite((PLACE,)), is_quick=False)
        await begin(gathering, nursery, bea, guest)
        host.typed("option call=yes")
        await gathering.settle()
        guest.typed("yes")
        assert "has just changed" in capsys.readouterr().err
        assert guest.session.guest.phase is GuestPhase.ASKED

    played(gathering, script)


def test_a_yes_is_for_an_offer_that_was_told(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    """What has arrived and stands on no screen yet is accepted by nobody, however fast one is."""

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("option call=yes")
            host.typed("start")
            assert host.session.starts is None, "the host has not read it either"
            sender, to, payload = gathering.wires.popleft()
            _, letter = read_envelope(payload)
            gathering.rooms[to].receive(letter, LinkEnd(sender, drawn("link", sender)))
            assert guest.session.guest.phase is GuestPhase.ASKED
            assert guest.session.guest.offer == host.session.host.offer
            guest.typed("yes")
            assert guest.session.guest.accepted is None
            assert capsys.readouterr().err.count("has just changed: read it") == 2
            await gathering.settle()
            guest.typed("yes")
            assert guest.session.guest.accepted is not None

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
                assert guest.session.guest.phase is GuestPhase.ASKED
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
            back = gathering.guest(bea, host.session.host.invite((PLACE,)))
            assert back.session.guest.phase is GuestPhase.ACCEPTED
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
            cruel = replace(host.session.host.plan.clock, answer=1, rejoin=1)
            host.session.room.take(
                *hosting.change(host.session.host, replace(host.session.host.plan, clock=cruel))
            )
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


def test_a_start_is_taken_back(gathering: Gathering, capsys: pytest.CaptureFixture[str]) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            host.typed("back")
            assert "nothing was answered" in capsys.readouterr().err
            host.typed("start")
            host.typed("back")
            assert "`start` accepts again" in capsys.readouterr().err
            guest.typed("yes")
            await gathering.settle()
            assert not gathering.results, "nothing begins that was taken back"
            host.typed("start")
            await gathering.settle()
            assert len(gathering.results) == 2

    played(gathering, script)


def test_new_invites_make_old_ones_void_and_a_worn_out_one_is_told(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        old = host.session.host.invite((PLACE,))
        host.session.room.held = replace(host.session.host, entries=ENTRIES_MAX - 1)
        await begin(gathering, nursery, ana, host)
        capsys.readouterr()
        await begin(gathering, nursery, bea, gathering.guest(bea, old))
        assert "the invite is worn out" in capsys.readouterr().err
        before = host.session.invite
        host.typed("invite new")
        told = capsys.readouterr().err
        assert "old invites are void" in told
        assert host.session.invite in told
        assert host.session.invite != before
        assert len(host.session.host.people) == 2, "who is here stays"
        late = gathering.player(2)
        await begin(gathering, nursery, late, gathering.guest(late, old, "Cleo"))
        assert str(gathering.results[late.key]).count("secret")

    played(gathering, script)


def test_a_host_that_does_not_answer_is_said(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        invite = gathering.host(ana).session.host.invite((PLACE,))
        gathering.leave(ana)
        guest = gathering.guest(bea, invite)
        with trio.move_on_after(2 * UNHEARD_SECONDS):
            await guest.session.wait()
        assert capsys.readouterr().err.count("does not answer yet") == 1

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0))


NOT_HERE = {
    "game": (lambda name, _: registry.game(f"no-{name}"), "there is no game"),
    "version": (
        lambda name, version: registry.game(name, version + 1),
        "Macaua is installed in version 1, and this is version 2",
    ),
}


@pytest.mark.parametrize("missing", NOT_HERE)
@pytest.mark.parametrize("agrees", [False, True])
def test_another_version_of_the_game_is_not_sat_down_to(
    gathering: Gathering,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    agrees: bool,
    missing: str,
) -> None:
    """The guest has not the version of the host, or no such game."""
    find_game, told = NOT_HERE[missing]
    monkeypatch.setattr("nodealer.home.guest_session.game", find_game)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        guest = gathering.guest(bea, host.session.host.invite((PLACE,)), agrees=agrees)
        await begin(gathering, nursery, bea, guest)
        if not agrees:
            guest.typed("yes")
            assert told in capsys.readouterr().err
            return
        (error,) = gathering.errors
        assert told in str(error)
        assert host.session.host.phase is HostPhase.GATHERING, "the seat is free again"

    played(gathering, script)


def test_a_table_of_an_earlier_version_is_agreed_on_where_a_newer_one_is_here(
    gathering: Gathering,
) -> None:
    """A lobby of before an update is found again; its plan changes, and stays of its version."""
    first = plan_of(registry.game("66", 1), 2, {}, CLOCK, "void")

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        host = gathering.hosting(ana, ana.shelf.host(first, "Ana", keys_of()))
        host.session.set_option("variant=v1")
        host.session.set_clock(replace(CLOCK, act=CLOCK.act + 1_000))
        await begin(gathering, nursery, ana, host)
        invite = host.session.host.invite((PLACE,))
        await begin(gathering, nursery, bea, gathering.guest(bea, invite, agrees=True))
        host.session.start()
        await gathering.settle()
        for one in gathering.results.values():
            assert isinstance(one, NewSeat)
            assert one.agreed.terms.version == 1
            assert one.agreed.terms.options == (("variant", "v1"),)
        assert len(gathering.results) == 2

    played(gathering, script)


# Friends.


def befriend(
    gathering: Gathering, player: Player, name: str, friend: int, *, calls: str = ""
) -> None:
    """Let a player know another one, by the name that it had."""
    company = gathering.company(player)
    company.remember([Attendee(gathering.player(friend).key, name)])
    if calls:
        company.confirm([Attendee(gathering.player(friend).key, name)], name)


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
            assert host.session.host.seed is None
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
            assert guest.session.guest.accepted is None
            guest.typed("confirm Ana")
            guest.typed("yes")
            assert guest.session.guest.phase is GuestPhase.ACCEPTED

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
        guest = gathering.guest(bea, host.session.host.invite((PLACE,)), agrees=True)
        await begin(gathering, nursery, bea, guest)
        assert isinstance(gathering.results[bea.key], NewSeat if takes else LobbyOver)

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
        guest = gathering.guest(
            bea, host.session.host.invite((PLACE,)), agrees=True, takes_new_keys=takes
        )
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
            invite = host.session.host.invite((PLACE,))
            guest.typed("yes")
            await gathering.settle()
        ana, bea = gathering.player(0), gathering.player(1)
        gathering.leave(ana)
        gathering.leave(bea)
        known = open_lobby(ana.profile, hosted=True)
        assert known is not None
        back = gathering.hosting(ana, ana.shelf.reopen(known.name))
        assert back.session.host.invite((PLACE,)) == invite
        await begin(gathering, nursery, ana, back)
        returned = gathering.guest(bea, invite)
        assert returned.session.guest.phase is GuestPhase.ACCEPTED
        await begin(gathering, nursery, bea, returned)
        back.typed("start")
        await gathering.settle()
        tables = {one.table for one in gathering.results.values() if isinstance(one, NewSeat)}
        assert len(tables) == 1
        assert len(gathering.results) == 2

    played(gathering, script)


def test_who_has_accepted_and_missed_the_start_is_told_of_the_table(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        async with two(gathering, nursery) as (host, guest):
            invite = host.session.host.invite((PLACE,))
            guest.typed("yes")
            await gathering.settle()
            gathering.leave(bea)
            host.typed("start")
            await gathering.settle()
            founding = gathering.results[ana.key]
        assert isinstance(founding, NewSeat)
        gathering.leave(ana)
        ana.shelf.clean()
        assert ana.profile.journal(founding.table).exists(), "the table of a crash has a journal"
        (room,) = ana.shelf.rooms_of(founding.table)
        gathering.hosting(ana, room)
        returned = gathering.guest(bea, invite)
        await begin(gathering, nursery, bea, returned)
        told = gathering.results[bea.key]
        assert isinstance(told, NewSeat)
        assert told.table == founding.table

    played(gathering, script)


def test_a_guest_comes_back_under_another_name(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (host, guest):
            guest.typed("yes")
            await gathering.settle()
            bea = gathering.player(1)
            gathering.leave(bea)
            again = gathering.guest(bea, host.session.host.invite((PLACE,)), "Beate")
            await begin(gathering, nursery, bea, again)
            assert [one.name for one in host.session.host.people] == ["Ana", "Beate"]
            assert not host.session.host.answers

    played(gathering, script)


def test_an_older_copy_is_left_and_not_gone_on_with(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, bea = gathering.player(0), gathering.player(1)
        async with two(gathering, nursery) as (host, guest):
            invite = host.session.host.invite((PLACE,))
            copies = [
                shutil.copy2(one.session.room.file.path, gathering.folder) for one in (host, guest)
            ]
            guest.typed("yes")
            host.typed("start")
            await gathering.settle()
        for player, copy, room in zip(
            (ana, bea), copies, (host.session.room, guest.session.room), strict=True
        ):
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
        assert returned.session.guest.phase is GuestPhase.KNOCKING
        assert returned.session.guest.accepted is None

    played(gathering, script)


def test_a_guest_leaves_a_lobby_of_which_it_has_an_older_copy(gathering: Gathering) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        async with two(gathering, nursery) as (_, guest):
            copy = shutil.copy2(guest.session.room.file.path, gathering.folder)
            guest.typed("yes")
            bea = gathering.player(1)
            gathering.leave(bea)
            shutil.copy2(copy, guest.session.room.file.path)
            with trouble(Trouble.OLD_COPY):
                bea.shelf.reopen(guest.session.room.file.path.name)
            assert open_lobby(bea.profile, hosted=False) is None

    played(gathering, script)


def test_what_is_over_or_old_is_cleaned_up_and_what_is_damaged_is_left(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = gathering.player(0)
    for salt in range(3):
        host = gathering.host(ana, salt=salt)
        if salt == 0:
            host.session.room.take(*hosting.leave(host.session.host))
        if salt == 1:
            host.session.room.file.path.write_bytes(b"damaged")
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
    monkeypatch.setattr("nodealer.home.my_lobbies.now_seconds", lambda: int(now) + later)
    ana.shelf.clean()
    assert [one.name for one in listed(ana.profile)] == [damaged.name]


# A lobby that has become a table.


async def founded_by_two(
    gathering: Gathering, nursery: trio.Nursery
) -> tuple[Invite, dict[PeerKey, NewSeat]]:
    """Let Ana and Bea found a table and close their programs; return the invite to it."""
    async with two(gathering, nursery) as (host, guest):
        invite = host.session.host.invite((PLACE,))
        guest.typed("yes")
        host.typed("start")
        await gathering.settle()
    for key in (0, 1):
        gathering.leave(gathering.player(key))
    found = {key: one for key, one in gathering.results.items() if isinstance(one, NewSeat)}
    gathering.results.clear()
    return invite, found


def test_a_lobby_that_has_become_a_table_leads_there_again_and_again(gathering: Gathering) -> None:
    """On both sides, wherever a program was stopped, by the invite and without it."""
    ana, bea = gathering.player(0), gathering.player(1)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        invite, foundings = await founded_by_two(gathering, nursery)
        newer = replace(invite, addresses=("/ip4/192.0.2.8/tcp/4001",))
        ways: tuple[tuple[Player, Callable[[], Room | None]], ...] = (
            (ana, lambda: ana.shelf.last(hosted=True)),
            (ana, lambda: ana.shelf.last(hosted=True, plan=plan(2))),
            (bea, lambda: bea.shelf.last(hosted=False)),
            (bea, lambda: bea.shelf.visit(newer, "Bea")),
        )
        for is_again in (False, True):  # at first it was stopped before there was a journal
            for player, way in ways:
                if is_again:
                    player.shelf.clean()
                room, founding = way(), foundings[player.key]
                assert room is not None
                with closing(room.file), closing(player.shelf.sit_down(room)) as journal:
                    assert (journal.table, journal.seat) == (founding.table, founding.seat)
                    assert founding.seed is not None
                    assert founding.seed == journal.seed()
                    assert founding.seed not in room.file.path.read_bytes(), "it lies there alone"
        (back,) = bea.shelf.rooms_of(foundings[bea.key].table)
        assert list(map(str, back.addresses)) == list(newer.addresses)
        back.file.close()
        assert ana.shelf.last(hosted=True, plan=plan(2, call=True)) is None
        assert lobby_by(bea.profile, None) is None, "it is not the lobby that is gone on with"

    played(gathering, script)


def test_a_guest_that_has_lost_its_record_finds_its_table_through_the_host(
    gathering: Gathering,
) -> None:
    ana, bea = gathering.player(0), gathering.player(1)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        invite, foundings = await founded_by_two(gathering, nursery)
        for player in (ana, bea):
            player.shelf.clean()
        (record,) = records_in(bea.profile)
        record.unlink()
        table = foundings[ana.key].table
        (room,) = ana.shelf.rooms_of(table)
        gathering.hosting(ana, room)
        returned = gathering.guest(bea, invite)
        await begin(gathering, nursery, bea, returned)
        told = gathering.results[bea.key]
        assert isinstance(told, NewSeat)
        with closing(bea.shelf.sit_down(returned.session.room)) as journal:
            assert journal.table == told.table == table
        bea.profile.journal(table).unlink()
        with pytest.raises(LocalError, match="taken back, or given elsewhere"):
            bea.shelf.sit_down(returned.session.room)
        gathering.leave(bea)
        bea.shelf.clean()
        assert not bea.profile.journals(), "nobody sits down without a seed"

    played(gathering, script)


def test_a_lobby_whose_table_is_over_is_not_gone_on_with(gathering: Gathering) -> None:
    ana = gathering.player(0)

    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        _, foundings = await founded_by_two(gathering, nursery)
        table = Circle(Setting(foundings[ana.key].agreed, registry.game("macaua")))
        for key, founding in foundings.items():
            signer = next(one for one in map(gathering.player, (0, 1)) if one.key == key)
            player = player_of(founding, signer.identity.signer)
            assert player is not None
            table.do(player.seat, sit_down(table.setting, player))
        table.deliver()
        room = ana.shelf.last(hosted=True)
        assert room is not None, "it has just begun"
        with closing(room.file), closing(ana.shelf.sit_down(room)) as journal:
            table.do(Seat(1), table.tables[Seat(1)].leave())
            table.deliver()
            assert table.tables[Seat(0)].position.is_closed
            journal.append(table.stored[Seat(0)])
        assert ana.shelf.last(hosted=True) is None
        assert not records_in(ana.profile)

    played(gathering, script)


def test_strangers_that_are_turned_away_do_not_fill_the_screen(
    gathering: Gathering, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(gathering: Gathering, nursery: trio.Nursery) -> None:
        ana, other = gathering.player(0), gathering.player(50)
        host = gathering.host(ana)
        await begin(gathering, nursery, ana, host)
        elsewhere = gathering.host(other, salt=1)
        wrong = elsewhere.session.host.invite((PLACE,))
        invite = replace(wrong, host=ana.key, lobby=host.session.host.keys.lobby)
        for key in range(1, 20):
            player = gathering.player(key)
            guest = gathering.guest(player, invite, f"Guest {key}")
            await begin(gathering, nursery, player, guest)
        told = capsys.readouterr().err
        assert told.count("turned away:") == 5
        assert "not told any more" in told

    played(gathering, script)

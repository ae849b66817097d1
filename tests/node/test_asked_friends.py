"""Friends who ask a host whether they may come: over links, with strangers beside them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from nodealer.kernel import Reason, Tallied
from nodealer.lobby import ASK, INVITED, NO_LOBBY, MayICome, YouMayCome, hosting, visiting
from nodealer.lobby.host import Host
from nodealer.node.asked_friends import LOBBIES_MAX, Asking
from nodealer.node.envelopes import ForLobby, write_envelope
from nodealer.node.rooms import Room
from nodealer.node.transport.addresses import Address, PeerKey
from tests.node.makers import in_virtual_time
from tests.node.test_gathering import LOBBY, Meeting, gather
from tests.store.players import drawn

AT_HOST = (Address("memory", "node-0"),)


def test_who_is_named_finds_the_lobby_and_sits_down_and_others_hear_nothing(
    tmp_path: Path,
) -> None:
    meeting = Meeting(tmp_path)
    keys = [PeerKey(meeting.home(number).identity.public) for number in range(3)]

    async def main() -> None:
        host = meeting.host(2)
        assert isinstance(host.held, Host)
        host.take(*hosting.name(host.held, [keys[1]]))
        async with (
            meeting.node(0) as first,
            meeting.node(1) as friend,
            meeting.node(2) as stranger,
            trio.open_nursery() as nursery,
        ):
            for one in (friend, stranger):
                one.ask_friends({keys[0]: AT_HOST})
            await trio.sleep(5)
            assert friend.asking.open == stranger.asking.open == {}, "no lobby is open yet"
            first.open_room(host)
            for one in (friend, stranger):
                one.ask_friends({keys[0]: AT_HOST})
            await trio.sleep(5)
            assert stranger.asking.open == {}
            assert friend.asking.open == {keys[0]: (YouMayCome(LOBBY, "Ana", "macaua"),)}
            assert first.welcomes(keys[1])
            assert not first.welcomes(keys[2])
            (said,) = friend.asking.open[keys[0]]
            invite = said.invite(keys[0], tuple(map(str, friend.known_of(keys[0]))))
            visit = visiting.knocking(invite, "Bea", meeting.home(1).identity.signer)
            room = Room(*visit, meeting.file(1, "lobby.guest"))
            friend.open_room(room)
            nursery.start_soon(gather, host)
            founding = await gather(room)
            assert founding is not None
            nursery.cancel_scope.cancel()

    with_limit(main)


def test_what_nobody_asked_is_not_heard_and_what_is_no_question_is_counted(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    keys = [PeerKey(meeting.home(number).identity.public) for number in range(2)]

    async def main() -> None:
        async with meeting.node(0) as first, meeting.node(1) as second:
            first.open_room(meeting.host(2))
            second.ask_friends({keys[0]: AT_HOST})
            await trio.sleep(5)
            answer = INVITED.write(YouMayCome(bytes(16), "Eve", "macaua"))
            for letter in (answer, b"\x00", ASK.write(MayICome())):
                second._send(keys[0], write_envelope(ForLobby(NO_LOBBY), letter))
            await trio.sleep(5)
            assert first.asking.open == {}
            assert first.counts[Tallied.UNEXPECTED] == 1
            assert first.counts[Reason.ENCODING_SHAPE] == 1

    with_limit(main)


def test_of_each_friend_few_lobbies_are_remembered() -> None:
    asking, ana, eve = Asking(), PeerKey(drawn("ana")), PeerKey(drawn("eve"))
    said = [YouMayCome(drawn(f"lobby {number}")[:16], "Ana", "macaua") for number in range(9)]
    assert not asking.hear(ana, said[0])
    asking.begin({ana: ()})
    assert [asking.hear(ana, one) for one in said].count(True) == LOBBIES_MAX
    assert asking.hear(ana, said[0]), "it says it once more"
    assert not asking.hear(eve, said[0])
    asking.forget(ana)
    assert len(asking.lobbies[ana]) == LOBBIES_MAX, "until it has answered anew"
    asking.forget(ana)
    assert asking.lobbies[ana] == ()
    asking.forget(eve)
    asking.begin({eve: ()})
    assert not any(asking.lobbies.values())


def with_limit(main: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        with trio.fail_after(600):
            await main()

    in_virtual_time(limited)

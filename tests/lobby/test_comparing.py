"""The words that all seats compare: equal for all who see the same people, and forged by nobody."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from nodealer.kernel import Seat
from nodealer.lobby import Guest, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.comparing import DRAWINGS_MAX, WORDS_BYTES, Drawn, begun, pledge_of
from tests.lobby.world import HOST, World, accepted, gathered, key_of, plan, signer_of
from tests.support.circle import hashed


def words(world: World, name: str) -> bytes | None:
    return world.nodes[name].drawn.words


def told(world: World, name: str, *messages: m.LobbyMessage, by: str = HOST) -> list[str]:
    """Let a guest get messages; return why they are dropped."""
    count = len(world.dropped(name))
    for one in messages:
        data = m.write(one)
        world.do(name, partial(visiting.receive_bytes, world.guest(name), data, key_of(by)))
    return world.dropped(name)[count:]


def hosted(world: World, name: str, *messages: m.LobbyMessage) -> list[str]:
    """Let the host get messages of somebody; return why they are dropped."""
    count, peer = len(world.dropped(HOST)), world.peer(name)
    for one in messages:
        data = m.write(one)
        world.do(HOST, partial(hosting.receive_bytes, world.host, data, peer))
    return world.dropped(HOST)[count:]


def half_drawn(*held_back: type[m.LobbyMessage]) -> World:
    """Return a full lobby in which these messages of Ben are not under way any more."""
    world = gathered("ben", seats=3)
    world.comes("cleo")
    while world.wires:
        sender, _, data = world.wires[0]
        if sender == "ben" and isinstance(m.read(data), held_back):
            world.wires.popleft()
        else:
            world.step()
    return world


def test_all_who_sit_together_have_the_same_words() -> None:
    world = gathered("ben", "cleo")
    found = {words(world, name) for name in (HOST, "ben", "cleo")}
    assert len(found) == 1
    (both,) = found
    assert both is not None
    assert len(both) == WORDS_BYTES
    assert world.events("ben", r.WordsDrawn) == [r.WordsDrawn(both)]
    assert not [world.dropped(name) for name in (HOST, "ben", "cleo") if world.dropped(name)]


def test_there_are_no_words_while_a_seat_is_free_and_none_for_spectators() -> None:
    world = gathered("ben", seats=3)
    world.comes("vera", watches=True)
    world.settle()
    assert words(world, HOST) is None
    world.comes("cleo")
    world.settle()
    assert words(world, "vera") is None
    drawn = words(world, HOST)
    assert drawn is not None
    assert told(world, "vera", m.WordDrawing(world.host.keys.lobby, 9)) == ["lobby/stale"]
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    assert words(world, HOST) is words(world, "cleo") is None


def test_other_people_or_another_run_bring_other_words_and_other_options_do_not() -> None:
    world = gathered("ben", "cleo")
    before = words(world, HOST)
    world.do(HOST, lambda: hosting.change(world.host, plan(3, call=True)))
    world.settle()
    assert words(world, HOST) == words(world, "ben") == before
    world.do("cleo", lambda: visiting.leave(world.guest("cleo")))
    world.settle()
    world.comes("dora")
    world.settle()
    second = words(world, HOST)
    assert second == words(world, "dora") == words(world, "ben")
    assert second not in (None, before)
    nonces = {world.guest("ben").drawn.nonce}
    for name in ("ben", HOST):
        world.restart(name)
        world.settle()
        assert words(world, HOST) == words(world, "ben") == words(world, "dora") != second
        assert world.guest("ben").drawn.nonce not in nonces, "one that was told is never used again"
        nonces.add(world.guest("ben").drawn.nonce)


def test_nobody_tells_its_nonce_before_all_have_pledged() -> None:
    world = half_drawn(m.Pledge)
    assert not [one for _, _, one in world.sent if isinstance(one, m.ToldNonce)]
    lobby = world.host.keys.lobby
    cleo = world.guest("cleo").drawn
    own = pledge_of(cleo, lobby, Seat(2))
    for pledges in ((own,), (hashed(1), hashed(2)), (hashed(1), hashed(2), hashed(3))):
        assert told(world, "cleo", m.WordDrawing(lobby, 1, pledges)) == ["commit/mismatch"]
    assert told(
        world, "cleo", m.WordDrawing(lobby, 1, (hashed(1), hashed(2), own), (hashed(1),) * 3)
    )
    assert not [one for _, _, one in world.sent if isinstance(one, m.ToldNonce)]
    assert hosted(world, "ben", m.ToldNonce(lobby, 1, hashed("nonce"))) == ["lobby/unexpected"]


def test_who_has_pledged_cannot_choose_any_more() -> None:
    world = half_drawn(m.ToldNonce)
    lobby, drawn = world.host.keys.lobby, world.guest("ben").drawn
    assert hosted(world, "ben", m.Pledge(lobby, 1, hashed("better"))) == ["lobby/unexpected"]
    assert hosted(world, "ben", m.ToldNonce(lobby, 1, hashed("better"))) == ["commit/mismatch"]
    assert hosted(world, "ben", m.ToldNonce(lobby, 2, drawn.nonce)) == ["lobby/stale"]
    assert hosted(world, "ben", m.Pledge(lobby, 2, hashed("better"))) == ["lobby/stale"]
    assert words(world, HOST) is None
    assert hosted(world, "ben", m.ToldNonce(lobby, 1, drawn.nonce)) == []
    assert words(world, HOST) is not None
    assert hosted(world, "ben", m.ToldNonce(lobby, 1, drawn.nonce)) == ["lobby/unexpected"]
    world.comes("vera", watches=True)
    world.settle()
    assert hosted(world, "vera", m.Pledge(lobby, 1, hashed("better"))) == ["lobby/sender"]


def test_a_host_cannot_choose_its_nonce_when_it_knows_the_others() -> None:
    world = gathered("ben", "cleo")
    ben, lobby = world.guest("ben"), world.host.keys.lobby
    world.nodes["ben"] = replace(ben, drawn=replace(ben.drawn, words=None, nonces={}), over=None)
    pledges = tuple(ben.drawn.pledges[seat] for seat in sorted(ben.drawn.pledges))
    nonces = tuple(world.host.drawn.nonces[seat] for seat in sorted(world.host.drawn.nonces))
    chosen = (hashed("chosen"), *nonces[1:])
    for bad in (
        m.WordDrawing(lobby, 1, pledges, chosen),
        m.WordDrawing(lobby, 1, (hashed("other"), *pledges[1:]), chosen),
        m.WordDrawing(lobby, 1, pledges, nonces[:2]),
    ):
        assert told(world, "ben", bad) == ["commit/mismatch"]
        assert words(world, "ben") is None
    assert told(world, "ben", m.WordDrawing(lobby, 1, pledges, nonces), by="cleo") == [
        "lobby/sender"
    ]
    assert told(world, "ben", m.WordDrawing(lobby, 1, pledges)) == ["lobby/unexpected"]
    assert told(world, "ben", m.WordDrawing(lobby, 2, pledges, nonces)) == ["lobby/stale"]
    assert told(world, "ben", m.WordDrawing(lobby, 1, pledges, nonces)) == []
    assert words(world, "ben") == words(world, HOST)


def test_somebody_in_the_middle_has_one_guess_for_each_drawing_and_honest_seats_count_them() -> (
    None
):
    world = gathered("ben", seats=2)
    lobby, ben = world.host.keys.lobby, world.guest("ben")
    for number in range(2, DRAWINGS_MAX + 1):
        assert told(world, "ben", m.WordDrawing(lobby, number)) == []
        assert words(world, "ben") is None
    assert told(world, "ben", m.WordDrawing(lobby, DRAWINGS_MAX + 1)) == ["lobby/restless"]
    assert told(world, "ben", m.WordDrawing(lobby, 1)) == ["lobby/stale"]
    world.connect("ben")
    world.settle()
    assert words(world, "ben") is None, "a new link does not count anew"
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.do("ben", lambda: visiting.again(world.guest("ben"), ben.invite, "ben"))
    world.connect("ben")
    world.settle()
    assert world.phase("ben") == "asked"
    assert words(world, "ben") is None, "nor does coming again"
    world.play()
    assert world.tables("ben") == world.tables(HOST) != set(), "it takes nothing else"


def test_a_host_draws_as_often_and_no_more() -> None:
    world = gathered("ben", seats=2)
    for _ in range(DRAWINGS_MAX + 2):
        world.restart("ben")
        world.settle()
    assert world.host.drawn.count == DRAWINGS_MAX
    assert words(world, HOST) is None


def test_who_has_no_chance_takes_part_in_nothing() -> None:
    world = World(2)
    world.names[key_of("ben")] = "ben"
    world.links["ben"] = hashed("link")
    invite = world.host.invite(())
    world.do("ben", lambda: visiting.knocking(invite, "ben", signer_of("ben")))
    world.connect("ben")
    world.settle()
    assert world.dropped("ben") == ["lobby/restless"]
    assert words(world, HOST) is None


def test_a_nonce_is_of_one_drawing_and_a_pledge_of_one_seat() -> None:
    people = tuple(m.Attendee(key_of(name), name) for name in (HOST, "ben"))
    first = begun(Drawn(hashed("run")), bytes(16), people, 1)
    second = begun(first, bytes(16), people, 2)
    assert (
        len({one.nonce for one in (first, second, begun(first, bytes(15) + b"x", people, 2))}) == 3
    )
    assert pledge_of(first, bytes(16), Seat(0)) != pledge_of(first, bytes(16), Seat(1))
    assert hashed("run") not in repr(first).encode()
    assert first.nonce.hex() not in repr(first)


def test_words_are_of_this_lobby_host_and_people() -> None:
    """Whoever sits in the middle shows other keys, so what the two read has nothing in common."""
    lobby = World(2)
    lobby.comes("mallory")
    lobby.settle()
    found = {words(lobby, HOST)}
    other = World(2, salt="other")
    other.comes("mallory")
    other.settle()
    found.add(words(other, HOST))
    assert len(found) == 2
    assert None not in found


def test_a_drawing_is_over_when_the_table_is_founded() -> None:
    world = accepted("ben")
    world.do(HOST, lambda: hosting.start(world.host))
    lobby = world.host.keys.lobby
    assert hosted(world, "ben", m.Pledge(lobby, 1, bytes(32))) == ["lobby/stale"]
    world.settle()
    assert told(world, "ben", m.WordDrawing(lobby, 9)) == ["lobby/unexpected"]
    world.connect("ben")
    assert isinstance(world.nodes["ben"], Guest)


def test_nothing_of_a_drawing_is_stored() -> None:
    world = half_drawn(m.ToldNonce)
    secret = world.guest("ben").drawn.nonce
    assert not any(secret in kept.data for kept in world.kept.values())


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_words_of_many(seats: int) -> None:
    world = World(seats)
    names = [f"guest {number}" for number in range(1, seats)]
    for name in names:
        world.comes(name)
    world.settle()
    assert len({words(world, name) for name in (HOST, *names)}) == 1
    assert words(world, HOST) is not None

"""What people in a lobby say to each other: who hears it, and what nobody hears."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import LocalError, PeerError, Reason
from nodealer.lobby import hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.forms import SAID_CHARACTERS_MAX
from nodealer.lobby.sayings import (
    AT_ONCE,
    EVERY_TICKS,
    KEPT_MAX,
    KEPT_OF_KEY_MAX,
    LISTENING,
    SPEAKERS_MAX,
    LobbyChat,
    SaidAt,
    heard,
    line_of,
    spoken,
)
from nodealer.lobby.signed import UNSIGNED, signed_line
from tests.lobby.world import HOST, World, accepted, gathered, key_of, signer_of


def line(
    world: World, name: str, text: str = "hello", number: int = 1, **other: bytes
) -> m.LobbyLine:
    """Return a line that somebody has signed."""
    lobby = other.get("lobby", world.host.keys.lobby)
    return signed_line(
        m.LobbyLine(lobby, key_of(name), name, number, text, UNSIGNED), signer_of(name)
    )


def hosted(world: World, name: str, said: m.LobbyLine) -> list[str]:
    """Let the host get a line over the link of somebody; return for which reason it is dropped."""
    count = len(world.dropped(HOST))
    peer = world.peer(name)
    world.do(
        HOST,
        lambda: hosting.receive_bytes(world.host, m.write(said), peer, world.clock * 1000),
    )
    return world.dropped(HOST)[count:]


def told(world: World, name: str, said: m.LobbyLine, by: str = HOST) -> list[str]:
    """Let a guest get a line from somebody; return for which reason it is dropped."""
    count = len(world.dropped(name))
    world.do(
        name,
        lambda: visiting.receive_bytes(
            world.guest(name), m.write(said), key_of(by), world.clock * 1000
        ),
    )
    return world.dropped(name)[count:]


def test_everybody_hears_what_is_said_and_who_comes_later_what_is_kept() -> None:
    world = gathered("ben", seats=3)
    world.comes("vera", watches=True)
    world.settle()
    world.says(HOST, "welcome")
    world.settle()
    world.says("ben", "  hello   you ")
    world.says("vera", "I watch")
    world.settle()
    spoken_here = [f"{HOST}: welcome", "ben: hello you", "vera: I watch"]
    for name in (HOST, "ben", "vera"):
        assert world.heard(name) == spoken_here
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    world.comes("cleo")
    world.settle()
    assert world.heard("cleo") == spoken_here, "of who has left too"
    world.connect("cleo")
    world.settle()
    assert world.heard("cleo") == spoken_here, "each once, however often it is told"


def test_nothing_of_what_is_said_is_stored() -> None:
    world = gathered("ben", seats=3)
    kept = dict(world.kept)
    world.says(HOST, "a word that is nowhere else")
    world.says("ben", "another word")
    world.settle()
    assert world.kept == kept
    world.restart(HOST)
    world.settle()
    assert world.host.chat == LobbyChat()
    world.clock += 1
    world.says("ben", "who remembers?")
    world.settle()
    assert world.heard(HOST)[-1] == "ben: who remembers?"


def test_two_lines_of_one_second_are_both_heard() -> None:
    world = gathered("ben", seats=3)
    for name in (HOST, "ben"):
        world.says(name, "one")
        world.says(name, "two")
    world.settle()
    assert sorted(world.heard("ben")) == sorted(
        [f"{HOST}: one", f"{HOST}: two", "ben: one", "ben: two"]
    )


def test_nobody_speaks_for_somebody_else() -> None:
    world = gathered("ben", "cleo")
    good = line(world, "ben")
    for bad, slug in (
        (line(world, "cleo"), "lobby/sender"),
        (replace(good, name="cleo"), "lobby/sender"),
        (replace(good, text="other"), "signature/bad"),
        (replace(good, number=2), "signature/bad"),
        (replace(line(world, "ben", lobby=bytes(16)), lobby=good.lobby), "signature/bad"),
        (line(world, "ben", lobby=bytes(16)), "lobby/unknown"),
    ):
        assert hosted(world, "ben", bad) == [slug]
    assert not world.heard(HOST)
    assert hosted(world, "ben", good) == []
    world.comes("eve")
    world.settle()
    assert hosted(world, "eve", line(world, "eve")) == ["lobby/sender"], "the lobby is full"


def test_a_host_can_neither_invent_nor_change_nor_repeat_what_others_say() -> None:
    world = gathered("ben", "cleo")
    good = line(world, "cleo", number=7)
    for bad, slug in (
        (replace(good, text="I give up"), "signature/bad"),
        (replace(good, name="ben"), "signature/bad"),
        (replace(good, key=key_of("ben")), "signature/bad"),
        (line(world, "cleo", "\x1b[2J"), "chat/text"),
        (replace(good, name="\x1b[2J"), "table/name"),
    ):
        assert told(world, "ben", bad) == [slug]
    assert told(world, "ben", good, by="cleo") == ["lobby/sender"]
    assert told(world, "ben", good) == []
    assert told(world, "ben", good) == ["chat/stale"]
    assert told(world, "ben", line(world, "cleo", number=6)) == ["chat/stale"]
    assert world.heard("ben") == ["cleo: hello"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " hello",
        "hello ",
        "two  spaces",
        "a\nb",
        "\u202eturned",
        "x" * (SAID_CHARACTERS_MAX + 1),
    ],
)
def test_what_cannot_be_seen_is_not_said(text: str) -> None:
    world = gathered("ben", seats=3)
    assert hosted(world, "ben", line(world, "ben", text)) == ["chat/text"]
    assert told(world, "ben", line(world, "cleo", text)) == ["chat/text"]


def test_one_says_only_what_others_would_hear() -> None:
    world = gathered("ben", seats=3)
    for text in ("", "  ", "\x07", "x" * (SAID_CHARACTERS_MAX + 1)):
        for name in (HOST, "ben"):
            with pytest.raises(LocalError, match="characters"):
                world.says(name, text)
    assert hosted(world, "ben", line(world, "ben", "x" * SAID_CHARACTERS_MAX)) == []


def test_who_speaks_too_fast_is_not_heard() -> None:
    world = gathered("ben", seats=3)
    for number in range(1, AT_ONCE + 1):
        assert hosted(world, "ben", line(world, "ben", number=number)) == []
    late = line(world, "ben", number=AT_ONCE + 1)
    assert hosted(world, "ben", late) == ["chat/flood"]
    world.clock += EVERY_TICKS // 1000
    assert hosted(world, "ben", late) == []
    assert world.host.phase.value == "gathering", "and stays where it is"
    for name in (HOST, "ben"):
        world.clock += 100
        for _ in range(AT_ONCE):
            world.says(name, "again")
        with pytest.raises(LocalError, match="wait a moment"):
            world.says(name, "and again")


def test_a_host_that_floods_its_guest_is_not_listened_to() -> None:
    world = gathered("ben", seats=3)
    for number in range(1, LISTENING.at_once + 1):
        assert told(world, "ben", line(world, "cleo", number=number)) == []
    assert told(world, "ben", line(world, "cleo", number=999)) == ["chat/flood"]


def test_of_each_so_many_lines_are_kept_and_of_all_no_more() -> None:
    world, chat = World(), LobbyChat()
    for number in range(1, KEPT_OF_KEY_MAX + 5):
        chat = heard(chat, line(world, "ben", f"line {number}", number))
    assert next(one.text for one in chat.lines) == "line 5"
    assert len(chat.lines) == KEPT_OF_KEY_MAX
    for name in ("cleo", "dora", "emil"):
        for number in range(1, KEPT_OF_KEY_MAX):
            chat = heard(chat, line(world, name, number=number))
    assert len(chat.lines) == KEPT_MAX
    assert sum(one.name == "ben" for one in chat.lines) == KEPT_MAX - 3 * (KEPT_OF_KEY_MAX - 1)
    with pytest.raises(PeerError) as refused:
        heard(chat, line(world, "ben", number=1))
    assert refused.value.reason is Reason.CHAT_STALE, "although it is not kept any more"


def test_what_is_remembered_of_who_has_spoken_is_bounded() -> None:
    world, chat = World(), LobbyChat()
    for number in range(SPEAKERS_MAX + 1):
        name = f"guest {number}"
        chat = spoken(heard(chat, line(world, name)), key_of(name), 0)
    assert (len(chat.last), len(chat.paid)) == (SPEAKERS_MAX, SPEAKERS_MAX)
    assert key_of("guest 0") not in chat.last


def test_of_who_was_sent_away_nothing_is_told_to_those_who_come() -> None:
    world = gathered("ben", "cleo")
    world.says("ben", "something rude")
    world.says("cleo", "oh")
    world.settle()
    world.do(HOST, lambda: hosting.remove(world.host, key_of("ben")))
    world.settle()
    world.comes("dora")
    world.settle()
    assert world.heard("dora") == ["cleo: oh"]


def test_numbers_follow_the_clock_and_never_go_back() -> None:
    chat = LobbyChat()
    ben = m.Attendee(key_of("ben"), "ben")
    numbers = []
    for at in (5, 5, 3, 9):
        chat, said = line_of(chat, bytes(16), ben, signer_of("ben"), "hello", SaidAt(at, 0))
        numbers.append(said.number)
    assert numbers == [5, 6, 7, 9]


def test_nothing_is_said_where_nobody_gathers() -> None:
    world = accepted("ben")
    late = line(world, "ben")
    world.do(HOST, lambda: hosting.start(world.host))
    assert hosted(world, "ben", late) == ["lobby/unexpected"]
    with pytest.raises(LocalError):
        world.says(HOST, "too late")
    world.settle()
    with pytest.raises(LocalError):
        world.says("ben", "too late")
    assert told(world, "ben", late) == ["lobby/unexpected"]


def test_a_program_says_so_to_everybody() -> None:
    world = World(2, programs={"ben"})
    world.comes("ben")
    world.settle()
    (came,) = [one for one in world.events(HOST, r.Came) if isinstance(one, r.Came)]
    assert came.is_program
    world.play()
    for name in (HOST, "ben"):
        founding = world.nodes[name].founding
        assert founding is not None
        assert founding.programs == (1,)
        assert founding.agreed.terms.names == (HOST, "ben"), "the charter knows names alone"


def test_who_lets_a_program_play_from_now_on_has_to_be_accepted_anew() -> None:
    world = accepted("ben")
    world.do("ben", lambda: visiting.declared(world.guest("ben"), is_program=True))
    world.connect("ben")
    world.settle()
    assert (world.phase(HOST), world.phase("ben")) == ("offering", "asked")
    world.do(HOST, lambda: hosting.declared(world.host, is_program=True))
    world.settle()
    world.play()
    assert world.host.founding is not None
    assert world.host.founding.programs == (0, 1)
    with pytest.raises(LocalError):
        hosting.declared(world.host, is_program=False)


def test_a_host_cannot_say_of_somebody_what_that_one_has_not_said() -> None:
    world = gathered("ben", "cleo")
    ben = world.guest("ben")
    assert ben.offer is not None
    seats = tuple(
        None if one is None else replace(one, is_program=one.name == "ben")
        for one in ben.offer.seats
    )
    lying = replace(world.host, seats=seats, number=world.host.number + 1).offer
    guest, ready = visiting.receive(ben, lying, key_of(HOST))
    assert guest.problem is Reason.LOBBY_OFFER
    assert not ready.send
    # Under the number of the true one it is shown to Cleo alone. All accept, to equal terms.
    world = gathered("ben", "cleo")
    seats = tuple(
        None if one is None else replace(one, is_program=one.name == "ben")
        for one in world.host.seats
    )
    lying = replace(world.host, seats=seats).offer
    world.nodes["cleo"] = replace(world.guest("cleo"), offer=lying)
    for name in (HOST, "ben", "cleo"):
        world.accept(name)
        world.settle()
    assert world.phase(HOST) == "ready"
    world.do(HOST, lambda: hosting.start(world.host))
    world.settle()
    assert world.guest("ben").founding is not None
    assert world.guest("cleo").founding is None, "Ben's answer is to what he was shown himself"
    assert set(world.dropped("cleo")) == {"signature/bad"}

"""Friends who are named come in by their keys; whoever is not named learns nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import LocalError, PeerError, Reason, encode
from nodealer.lobby import hosting, visiting, write_invite
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.asking import ASK, INVITED, MayICome, YouMayCome, answer_to, read_asking
from nodealer.lobby.forms import LOBBY_BYTES
from nodealer.lobby.host import ENTRIES_MAX, NAMED_MAX
from nodealer.lobby.messages import JOIN_BYTES_MAX
from nodealer.lobby.record import keep_guest, keep_host, reopen_guest, reopen_host
from nodealer.lobby.signed import sign_join
from tests.lobby.test_malicious_guest import LINK, refused, send, signed
from tests.lobby.world import HOST, PROGRAM, World, accepted, gathered, key_of, secret_of, signer_of
from tests.support.circle import hashed


def naming(*names: str, seats: int = 3) -> World:
    """Return a lobby whose host has named these."""
    world = World(seats)
    world.do(HOST, lambda: hosting.name(world.host, [key_of(one) for one in names]))
    return world


def asked_join(world: World, name: str, link: bytes = LINK) -> m.Join:
    """Return the join of somebody who has no invite."""
    said = answer_to(world.host, key_of(name)) or YouMayCome(world.host.keys.lobby, HOST, "macaua")
    invite = said.invite(key_of(HOST), ())
    guest, _ = visiting.knocking(invite, name, signer_of(name))
    return visiting.join_of(guest, link, PROGRAM)


def test_whom_the_host_has_named_comes_in_by_its_key() -> None:
    world = naming("ben")
    offer, progress = send(world, "ben", asked_join(world, "ben"))
    assert isinstance(offer, m.Offer)
    assert isinstance(progress, m.Progress)
    assert [one.name for one in world.host.people] == [HOST, "ben"]


def test_who_is_not_named_is_told_what_every_stranger_is_told() -> None:
    world, other = naming("ben"), World(3)
    for name in ("eve", "cleo"):
        assert refused(world, name, asked_join(world, name)) == "lobby/secret"
        assert refused(other, name, asked_join(other, name)) == "lobby/secret"
        assert answer_to(world.host, key_of(name)) is None
    watching = signed(asked_join(world, "ben"), "ben", watches=True)
    assert refused(world, "ben", watching) == "lobby/secret", "named are those who play"
    assert len(world.host.people) == 1


def test_nobody_passes_for_a_friend() -> None:
    world = naming("ben")
    of_ben = asked_join(world, "ben")
    assert send(world, "eve", of_ben) == [], "over another link than that of Ben's key"
    forged = replace(of_ben, signature=sign_join(of_ben, signer_of("eve"), key_of(HOST), LINK))
    assert send(world, "ben", forged) == []
    another = hashed("another link")
    assert send(world, "ben", of_ben, link=another) == [], "said again on another link"
    assert world.dropped(HOST) == ["lobby/sender", "signature/bad", "signature/bad"]
    elsewhere = asked_join(naming("ben", seats=4), "ben")
    assert len(send(world, "ben", elsewhere)) == 2, "the same lobby: nothing of it is secret"
    assert len(world.host.people) == 2


def test_all_else_holds_for_friends_too() -> None:
    world = naming("ben", "cleo", "dora", seats=2)
    taken = signed(asked_join(world, "ben"), "ben", name=HOST)
    assert refused(world, "ben", taken) == "lobby/name"
    send(world, "ben", asked_join(world, "ben"))
    assert refused(world, "cleo", asked_join(world, "cleo")) == "lobby/full"
    world = naming("ben")
    world.nodes[HOST] = replace(world.host, entries=ENTRIES_MAX)
    assert len(send(world, "ben", asked_join(world, "ben"))) == 2, "no secret, so none worn out"


def test_a_friend_who_was_removed_does_not_come_in_and_is_not_answered() -> None:
    world = naming("ben")
    send(world, "ben", asked_join(world, "ben"))
    world.do(HOST, lambda: hosting.remove(world.host, key_of("ben")))
    assert refused(world, "ben", asked_join(world, "ben")) == "lobby/removed"
    assert answer_to(world.host, key_of("ben")) is None
    assert world.host.named == ()
    world.do(HOST, lambda: hosting.name(world.host, [key_of("ben")]))
    assert len(send(world, "ben", asked_join(world, "ben"))) == 2, "named once more, forgiven"


def test_invites_and_new_secrets_are_as_before() -> None:
    world = naming("ben", seats=4)
    world.comes("cleo")
    world.settle()
    world.do(HOST, lambda: hosting.renew(world.host, secret_of("new"), secret_of("newer")))
    send(world, "ben", asked_join(world, "ben"))
    assert [one.name for one in world.host.people] == [HOST, "cleo", "ben"]


def test_who_is_named_is_stored_and_sent_to_nobody() -> None:
    world = naming("ben")
    world.comes("cleo")
    world.settle()
    again = reopen_host(keep_host(world.host), signer_of(HOST))
    assert again.named == (key_of("ben"),)
    assert not any(key_of("ben") in m.write(one) for _, _, one in world.sent)


def test_a_friend_that_starts_again_comes_back_without_an_invite() -> None:
    world = naming("ben")
    said = answer_to(world.host, key_of("ben"))
    assert said is not None
    world.names[key_of("ben")] = "ben"
    world.invites["ben"] = said.invite(key_of(HOST), ("/ip4/192.0.2.7/tcp/4001",)), "ben"
    world.do("ben", lambda: visiting.knocking(*world.invites["ben"], signer_of("ben")))
    world.connect("ben")
    world.settle()
    guest = reopen_guest(keep_guest(world.guest("ben")), signer_of("ben"))
    assert guest.invite == world.invites["ben"][0]
    with pytest.raises(LocalError, match="no invite to pass on"):
        write_invite(guest.invite)


def test_a_host_answers_while_people_gather_and_names_so_many() -> None:
    world = naming("ben")
    assert answer_to(world.host, key_of("ben")) == YouMayCome(world.host.keys.lobby, HOST, "macaua")
    with pytest.raises(LocalError, match="at most 64"):
        hosting.name(world.host, [hashed("key", one) for one in range(NAMED_MAX)])
    world.do(HOST, lambda: hosting.leave(world.host))
    assert answer_to(world.host, key_of("ben")) is None
    world = accepted("ben")
    world.do(HOST, lambda: hosting.name(world.host, [key_of("dora")]))
    assert answer_to(world.host, key_of("dora")) is not None, "if only to say that it is full"
    world.do(HOST, lambda: hosting.start(world.host))
    assert answer_to(world.host, key_of("dora")) is None
    with pytest.raises(LocalError):
        hosting.name(world.host, [key_of("ben")])


def test_question_and_answer_come_back_and_nothing_odder_does() -> None:
    said = YouMayCome(bytes(range(LOBBY_BYTES)), "Ana", "macaua")
    assert read_asking(ASK.write(MayICome())) == MayICome()
    assert read_asking(INVITED.write(said)) == said
    for bad, reason in (
        (encode((1, "lobby/ask")), Reason.ENCODING_VERSION),
        (encode((2, "lobby/ask", 1)), Reason.ENCODING_SHAPE),
        (encode((2, "lobby/join")), Reason.ENCODING_KIND),
        (encode((2, "lobby/invited", said.lobby, "\x1b[2J", "macaua")), Reason.TABLE_NAME),
        (encode((2, "lobby/invited", said.lobby, "Ana", "\x1b[2J")), Reason.LOBBY_OFFER),
        (encode((2, "lobby/invited", said.lobby, "Ana", "maçaua")), Reason.LOBBY_OFFER),
        (bytes(JOIN_BYTES_MAX + 1), Reason.ENCODING_OVERSIZED),
    ):
        with pytest.raises(PeerError) as refusal:
            read_asking(bad)
        assert refusal.value.reason is reason


@given(st.binary(max_size=100))
def test_no_bytes_but_a_question_are_one(raw: bytes) -> None:
    for data in (raw, INVITED.write(YouMayCome(bytes(16), "Ana", "macaua"))[: len(raw)]):
        with pytest.raises(PeerError):
            read_asking(data)


def test_nobody_else_is_told_whether_somebody_came_by_name_or_by_invite() -> None:
    world = naming("ben", seats=4)
    world.comes("cleo")
    world.settle()
    send(world, "ben", asked_join(world, "ben"))
    world.settle()
    came = [one for one in world.events(HOST, r.Came) if isinstance(one, r.Came)]
    assert [one.name for one in came] == ["cleo", "ben"]
    assert gathered("cleo", "ben", seats=4).host.offer.seats == world.host.offer.seats

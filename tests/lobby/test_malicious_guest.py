"""What a guest tries, and somebody without an invite: seats and answers of others, floods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.kernel import LocalError, Reason, Seat, encode
from nodealer.lobby import Guest, Host, address_record, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.admitting import BANNED_MAX
from nodealer.lobby.forms import ADDRESS_BYTES_MAX, WATCHERS_MAX
from nodealer.lobby.host import ENTRIES_MAX
from nodealer.lobby.host_draft import TURNS_MAX
from nodealer.lobby.messages import JOIN_BYTES_MAX
from nodealer.lobby.record import keep_host
from nodealer.lobby.signed import sign_answer, sign_join, unsigned_answer
from nodealer.lobby.terms import answer_of, terms_of
from nodealer.table import accept
from tests.lobby.world import (
    ADDRESS,
    HOST,
    PROGRAM,
    World,
    accepted,
    gathered,
    key_of,
    keys_of,
    player_of,
    secret_of,
    signer_of,
)
from tests.support.circle import hashed

LINK = hashed("a link")


def join_by(world: World, name: str, link: bytes = LINK, *, watches: bool = False) -> m.Join:
    """Return a good join of somebody."""
    guest, _ = visiting.knocking(world.host.invite((), watches=watches), name, signer_of(name))
    return visiting.join_of(guest, link, PROGRAM)


def signed(join: m.Join, by: str, **changes: object) -> m.Join:
    """Return a join with changes, signed anew."""
    changed = replace(join, **changes)  # type: ignore[arg-type]
    return replace(changed, signature=sign_join(changed, signer_of(by), key_of(HOST), LINK))


def send(
    world: World, name: str, *messages: m.LobbyMessage, link: bytes = LINK
) -> list[m.LobbyMessage]:
    """Let the host get messages of somebody; return what it answers to the sender."""
    peer, count = r.LinkEnd(key_of(name), link), len(world.sent)
    world.names[peer.key] = name
    for one in messages:
        data = m.write(one)
        world.do(HOST, partial(hosting.receive_bytes, world.host, data, peer))
    return [message for _, to, message in world.sent[count:] if to == name]


def refused(world: World, name: str, *messages: m.LobbyMessage) -> str:
    """Return the reason for which the host refuses somebody."""
    (answer,) = send(world, name, *messages)
    assert isinstance(answer, m.NotAdmitted)
    return answer.reason.slug


def test_the_join_of_an_honest_guest_is_taken() -> None:
    world = World()
    offer, progress = send(world, "ben", join_by(world, "ben"))
    assert isinstance(offer, m.Offer)
    assert isinstance(progress, m.Progress)
    assert [one.name for one in world.host.people] == [HOST, "ben"]


def test_who_joins_twice_has_one_seat() -> None:
    world = World()
    send(world, "ben", join_by(world, "ben"))
    number = world.host.number
    assert send(world, "ben", join_by(world, "ben")) == []
    assert world.dropped(HOST) == ["lobby/unexpected"]
    other = hashed("another link")
    assert len(send(world, "ben", join_by(world, "ben", other), link=other)) == 2
    assert world.host.number == number
    assert len(world.host.people) == 2


def test_nobody_comes_in_under_a_name_that_looks_like_anothers() -> None:
    world = gathered("ben", seats=3)
    join = join_by(world, "eve")
    assert refused(world, "eve", signed(join, "eve", name="BEN")) == "lobby/name"
    assert refused(world, "eve", signed(join, "eve", name=HOST)) == "lobby/name"
    assert refused(world, "eve", signed(join, "eve", name="e\u202eve")) == "table/name"


def test_who_takes_anothers_name_loses_its_seat() -> None:
    world = gathered("ben", "cleo")
    cleo = world.guest("cleo")
    stolen = replace(cleo, name="ben")
    world.do("cleo", lambda: visiting.linked(stolen, world.links["cleo"]))
    world.settle()
    assert world.guest("cleo").over == r.LobbyOver(Reason.LOBBY_NAME)
    assert [one.name for one in world.host.people] == [HOST, "ben"]
    assert world.phase(HOST) == "gathering"


def test_nobody_comes_in_with_anothers_key() -> None:
    world = gathered("ben", seats=3)
    ours = join_by(world, "eve")
    theirs = join_by(world, "ben")
    for join in (theirs, replace(ours, key=theirs.key), replace(ours, signature=theirs.signature)):
        assert send(world, "eve", join) == []
    assert world.dropped(HOST) == ["lobby/sender", "lobby/sender", "signature/bad"]
    host = join_by(world, "eve")
    own: list[m.LobbyMessage] = [
        signed(replace(host, key=key_of(HOST)), HOST),
        m.Leaving(world.host.keys.lobby),
    ]
    assert send(world, HOST, *own) == [], "a link to itself"
    assert world.dropped(HOST)[3:] == ["lobby/sender"] * 2
    assert len(world.host.people) == 2


def test_the_proof_holds_for_this_secret_lobby_link_and_role_alone() -> None:
    world, other = World(), World(salt="other")
    good = join_by(world, "eve")
    foreign = join_by(other, "eve")
    watching = join_by(world, "eve", watches=True)
    on_another_link = join_by(world, "eve", hashed("another link"))
    for proof in (foreign.proof, watching.proof, on_another_link.proof, bytes(32)):
        assert refused(world, "eve", signed(good, "eve", proof=proof)) == "lobby/secret"
    assert refused(world, "eve", signed(good, "eve", watches=True)) == "lobby/secret"
    assert send(world, "eve", foreign) == []
    assert world.dropped(HOST) == ["lobby/unknown"]
    assert send(world, "eve", on_another_link, link=hashed("a third")) != []
    assert len(world.host.people) == 1


def join_of_version_1(world: World, name: str) -> bytes:
    """Return a join as programs of the first version have sent it."""
    lobby, key = world.host.keys.lobby, key_of(name)
    said = (lobby, key, False, name, PROGRAM, 1, bytes(32), bytes(64))
    return encode((1, "lobby/join", *said))


def test_other_versions_are_told_so_in_a_form_that_all_read() -> None:
    world = World()
    peer = r.LinkEnd(key_of("eve"), LINK)
    refusal = m.NotAdmitted(world.host.keys.lobby, Reason.LOBBY_VERSION)
    for data, count in (
        (join_of_version_1(world, "eve"), 1),
        (encode((3, "lobby/join")), 1),
        (b"", 0),
        (bytes(1 << 16), 0),
    ):
        host, ready = hosting.receive_bytes(world.host, data, peer)
        assert [one.message for one in ready.send] == [refusal] * count
        assert (host.number, ready.keep) == (1, None)
    assert m.write(refusal) == encode(
        (1, "lobby/refused", world.host.keys.lobby, "lobby/version")
    ), "that is what programs of version 1 read"


def test_who_comes_back_with_another_version_is_not_here_any_more() -> None:
    world = accepted("ben", "cleo")
    old = join_of_version_1(world, "ben")
    world.do(HOST, lambda: hosting.receive_bytes(world.host, old, world.peer("ben")))
    assert [one.name for one in world.host.people] == [HOST, "cleo"]
    assert world.sent[-1][1:] == (
        "ben",
        m.NotAdmitted(world.host.keys.lobby, Reason.LOBBY_VERSION),
    )
    world = accepted("ben")
    world.do(HOST, lambda: hosting.start(world.host))
    world.do(HOST, lambda: hosting.receive_bytes(world.host, old, world.peer("ben")))
    assert [one.name for one in world.host.people] == [HOST, "ben"], "the table is founded"
    assert world.sent[-1][1] == "ben"


def test_a_full_lobby_takes_nobody() -> None:
    world = gathered("ben")
    assert refused(world, "eve", join_by(world, "eve")) == "lobby/full"
    for number in range(WATCHERS_MAX):
        name = f"watcher {number}"
        assert len(send(world, name, join_by(world, name, watches=True))) == 2
    assert refused(world, "eve", join_by(world, "eve", watches=True)) == "lobby/full"


def test_a_founded_table_takes_nobody_but_spectators() -> None:
    world = accepted("ben")
    world.do(HOST, lambda: hosting.start(world.host))
    assert refused(world, "eve", join_by(world, "eve")) == "lobby/started"
    bad = signed(join_by(world, "eve", watches=True), "eve", proof=bytes(32))
    assert refused(world, "eve", bad) == "lobby/secret"
    kinds = [type(one) for one in send(world, "eve", join_by(world, "eve", watches=True))]
    assert kinds == [m.Offer, m.Progress, m.Complete]
    kinds = [type(one) for one in send(world, "ben", join_by(world, "ben"))]
    assert kinds == [m.Offer, m.Progress, m.Complete]
    assert send(world, "ben", join_by(world, "ben")) == []
    assert send(world, "ben", join_by(world, "eve")) == []


def test_an_answer_for_another_seat_is_dropped() -> None:
    world = gathered("ben", "cleo")
    offer, host = world.host.offer, key_of(HOST)
    ben, cleo = Seat(1), Seat(2)
    good = answer_of(offer, host, ben, hashed("seed"), signer_of("ben"))
    for_cleo = answer_of(offer, host, cleo, hashed("seed"), signer_of("ben"))
    of_cleo = answer_of(offer, host, cleo, hashed("seed"), signer_of("cleo"))
    of_seat_two = replace(good, sealing=for_cleo.sealing)
    cases: list[tuple[str, m.Answer, str]] = [
        ("ben", for_cleo, "lobby/sender"),
        ("ben", of_cleo, "lobby/sender"),
        ("eve", good, "lobby/sender"),
        ("ben", resigned(for_cleo, seat=ben), "proof/key"),
        ("ben", replace(good, signature=of_cleo.signature), "signature/bad"),
        ("ben", of_seat_two, "signature/bad"),
        ("ben", resigned(good, sealing=b"\0"), "encoding/shape"),
        ("ben", resigned(good, number=good.number + 1), "lobby/stale"),
        ("ben", resigned(good, terms=bytes(32)), "lobby/stale"),
    ]
    for name, answer, slug in cases:
        assert send(world, name, answer) == []
        assert world.dropped(HOST)[-1] == slug
    assert not world.host.answers
    send(world, "ben", good)
    assert list(world.host.answers) == [ben]
    assert send(world, "ben", good) == []
    assert world.dropped(HOST)[-1] == "lobby/unexpected"


def resigned(answer: m.Answer, **changes: object) -> m.Answer:
    """Return an answer of Ben with changes, signed anew."""
    changed = replace(answer, **changes)  # type: ignore[arg-type]
    return replace(
        changed, signature=sign_answer(changed, m.Attendee(key_of("ben"), "ben"), signer_of("ben"))
    )


class SameSecret(Keyring):
    """The keyring of a seat that has the secret of another one."""

    def sealing_secret(self, terms: bytes) -> int:
        """Return what two seats have agreed on."""
        return int.from_bytes(terms[:8], "big") | 1


def conspiring(offer: m.Offer, name: str, seat: Seat) -> m.Answer:
    """Return an answer with a sealing key that another seat has as well."""
    terms = terms_of(offer, key_of(HOST))
    assert terms is not None
    sealing = accept(terms, SameSecret(SECP256K1, seat, hashed("seed")))
    answer = unsigned_answer(offer, terms.hash, seat, sealing)
    return replace(
        answer, signature=sign_answer(answer, m.Attendee(key_of(name), name), signer_of(name))
    )


def test_two_seats_cannot_have_one_sealing_key() -> None:
    world = gathered("ben", "cleo", "dora")
    ben, cleo = (
        conspiring(world.host.offer, name, Seat(seat)) for seat, name in ((1, "ben"), (2, "cleo"))
    )
    send(world, "ben", ben)
    send(world, "cleo", cleo)
    assert world.dropped(HOST) == ["deck/same-key"]
    for name in ("dora", HOST):
        world.accept(name)
    world.settle()
    answers = world.host.answers
    four = (answers[Seat(0)], *(m.SignedAnswer(one.sealing, one.signature) for one in (ben, cleo)))
    complete = m.Complete(ben.lobby, ben.number, (*four, answers[Seat(3)]))
    world.do("dora", lambda: visiting.receive(world.guest("dora"), complete, key_of(HOST)))
    assert world.dropped("dora") == ["deck/same-key"]


def test_an_answer_before_all_seats_are_taken_or_after_all_have_answered_is_stale() -> None:
    world = gathered("ben", seats=3)
    answer = m.Answer(world.host.keys.lobby, world.host.number, bytes(32), Seat(1), b"", bytes(64))
    gone = m.Withdrawn(world.host.keys.lobby, world.host.number)
    send(world, "ben", answer, gone)
    assert world.dropped(HOST) == ["lobby/stale"] * 2
    done = accepted("ben")
    send(done, "ben", answer)
    assert done.dropped(HOST) == ["lobby/stale"]


def test_nobody_takes_back_what_it_has_not_answered() -> None:
    world = gathered("ben", "cleo")
    world.accept("cleo")
    world.settle()
    lobby, number = world.host.keys.lobby, world.host.number
    for name in ("ben", "eve"):
        send(world, name, m.Withdrawn(lobby, number))
        assert world.dropped(HOST)[-1] == "lobby/stale"
    send(world, "cleo", m.Withdrawn(lobby, number - 1))
    assert world.dropped(HOST)[-1] == "lobby/stale"
    assert len(world.host.answers) == 1
    send(world, "eve", m.Leaving(lobby))
    assert world.dropped(HOST)[-1] == "lobby/sender"


def test_who_never_answers_is_removed_and_the_others_go_on() -> None:
    world = gathered("ben", "cleo")
    for name in (HOST, "ben"):
        world.accept(name)
    world.settle()
    assert world.phase(HOST) == "offering"
    with pytest.raises(LocalError):
        hosting.start(world.host)
    world.do(HOST, lambda: hosting.remove(world.host, key_of("cleo")))
    world.comes("dora")
    world.play()
    assert world.tables("dora") == world.tables("ben") != set()


@pytest.mark.parametrize("wish", [visiting.leave, visiting.withdraw])
def test_who_goes_at_the_last_moment_is_named_and_seals_nothing(
    wish: Callable[[Guest], visiting.Visit],
) -> None:
    world = accepted("ben", "cleo")
    world.do("ben", lambda: wish(world.guest("ben")))
    world.do(HOST, lambda: hosting.start(world.host))
    world.settle()
    assert world.events(HOST, r.TooLate) == [r.TooLate(key_of("ben"), "ben")]
    founding = world.guest("ben").founding
    if founding is not None:  # it knows which table will not come about
        assert {founding.table} == world.tables(HOST)
        assert player_of(founding, signer_of("ben")) is None
    assert world.tables("cleo") == world.tables(HOST), "they know, and open another lobby"


def test_who_changes_its_name_for_ever_is_sent_away() -> None:
    world = World()
    for turn in range(TURNS_MAX):
        name = f"eve {turn}"
        send(world, "eve", signed(join_by(world, "eve"), "eve", name=name))
    assert [one.name for one in world.host.people] == [HOST, f"eve {TURNS_MAX - 1}"]
    last = signed(join_by(world, "eve"), "eve", name="eve again")
    assert send(world, "eve", last)[-1] == m.NotAdmitted(
        world.host.keys.lobby, Reason.LOBBY_RESTLESS
    )
    assert [one.name for one in world.host.people] == [HOST]
    assert refused(world, "eve", join_by(world, "eve")) == "lobby/removed"


def test_who_thinks_again_for_ever_is_sent_away() -> None:
    world = gathered("ben", "cleo")
    for name in ("cleo", HOST):
        world.accept(name)
    for _ in range(TURNS_MAX):
        world.accept("ben")
        world.settle()
        world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
        world.settle()
    assert world.guest("ben").over == r.LobbyOver(Reason.LOBBY_RESTLESS)
    assert world.phase(HOST) == "gathering"
    world.comes("dora")
    world.play()
    assert world.tables("dora") == world.tables("cleo") != set()


def test_a_secret_is_worn_out_by_those_who_come_under_ever_new_keys() -> None:
    world = World()
    world.nodes[HOST] = replace(world.host, entries=ENTRIES_MAX - 3)
    for number in range(3):
        name = f"eve {number}"
        send(world, name, join_by(world, name), m.Leaving(world.host.keys.lobby))
    assert world.host.entries == ENTRIES_MAX
    assert refused(world, "eve", join_by(world, "eve")) == "lobby/secret"
    world.do(HOST, lambda: hosting.renew(world.host, secret_of(1), secret_of(2)))
    assert len(send(world, "eve", join_by(world, "eve"))) == 2


def test_news_of_addresses_are_those_of_people_here_and_not_too_many() -> None:
    world = gathered("ben", "cleo")
    stranger = address_record(signer_of("eve"), 1, (ADDRESS,))
    send(world, "ben", stranger)
    send(world, "eve", stranger)
    forged = replace(address_record(signer_of("cleo"), 1, ()), addresses=(ADDRESS,))
    send(world, "ben", forged)
    assert world.dropped(HOST) == ["lobby/address", "lobby/sender", "signature/bad"]
    for number in range(1, TURNS_MAX + 5):
        send(world, "ben", address_record(signer_of("ben"), number, (ADDRESS,)))
    assert world.dropped(HOST)[-1] == "lobby/restless"
    assert world.phase(HOST) == "offering", "its seat it keeps"
    assert world.host.book.records[key_of("ben")].number == TURNS_MAX - 1
    world.settle()
    assert world.guest("cleo").book.records[key_of("ben")].number == TURNS_MAX - 1


def test_a_host_can_send_away_one_more_however_many_it_has() -> None:
    """Who has the invite comes under ever new keys; no number of them makes the next one stay."""
    world = World()
    for number in range(BANNED_MAX + 1):
        name = f"eve {number}"
        send(world, name, join_by(world, name))
        world.do(HOST, lambda n=name: hosting.remove(world.host, key_of(n)))  # type: ignore[misc]
        assert refused(world, name, join_by(world, name)) == "lobby/removed"
    assert len(world.host.banned) == BANNED_MAX
    assert key_of("eve 0") not in world.host.banned


def test_long_letters_are_read_of_those_who_are_here_alone() -> None:
    """One of 13 kB takes ten times as long to read as all else that a stranger can ask for."""
    world = gathered("ben", seats=3)
    places = ("/" + "a" * (ADDRESS_BYTES_MAX - 1),) * 2
    for name in ("eve", "ben"):
        send(world, name, address_record(signer_of(name), 1, places))
    assert world.dropped(HOST) == ["encoding/oversized"]
    assert world.host.book.records[key_of("ben")].addresses == places
    before = world.guest("ben")
    junk, eve = b"\xff" * JOIN_BYTES_MAX, key_of("eve")
    world.do("ben", lambda: visiting.receive_bytes(before, junk, eve))
    assert world.dropped("ben") == ["lobby/sender"]


def test_a_flood_that_changes_nothing_is_not_written_down_to_be_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who has an old invite, or was removed, can send letters without end."""
    world, written = gathered("ben", seats=3), 0

    def counted(host: Host) -> r.Kept:
        nonlocal written
        written += 1
        return keep_host(host)

    monkeypatch.setattr(hosting, "keep_host", counted)
    for name in ("ben", "eve"):
        send(world, name, world.host.offer, join_by(world, "cleo"), m.Withdrawn(bytes(16), 1))
    assert refused(world, "eve", replace(join_by(world, "eve"), proof=bytes(32))) == "lobby/secret"
    assert written == 0
    send(world, "eve", join_by(world, "eve"))
    assert written == 2


def test_messages_that_only_a_host_sends_are_unexpected() -> None:
    world = gathered("ben", seats=3)
    send(world, "ben", world.host.offer, m.NotAdmitted(keys_of().lobby, Reason.LOBBY_FULL))
    assert world.dropped(HOST) == ["lobby/unexpected"] * 2
    assert world.phase("ben") == "waiting"

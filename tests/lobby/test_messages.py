"""The messages as bytes: all of them come back, nothing odder does, and nothing raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.games.registry import game
from nodealer.kernel import LocalError, PeerError, Reason, encode
from nodealer.lobby import (
    KINDS,
    Guest,
    Host,
    TablePlan,
    address_record,
    hosting,
    plan_of,
    read,
    visiting,
    with_clock,
    write,
)
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.address_book import AddressBook
from nodealer.lobby.forms import ADDRESS_BYTES_MAX, ADDRESSES_MAX, WATCHERS_MAX
from nodealer.lobby.messages import JOIN_BYTES_MAX, LOBBY_MESSAGE_BYTES_MAX, REFUSALS
from nodealer.wire import decode
from tests.lobby.world import ADDRESS, CLOCK, HOST, RULES, World, gathered, key_of, plan, signer_of
from tests.support.circle import hashed


@lru_cache(maxsize=1)
def conversation() -> World:
    """Return a lobby in which a message of every kind was sent."""
    world = gathered("ben", "cleo")
    world.comes("vera", watches=True)
    for name in ("ben", "cleo"):
        record = address_record(signer_of(name), 1, (ADDRESS,))
        world.do(name, lambda n=name, one=record: visiting.moved(world.guest(n), one))  # type: ignore[misc]
    world.settle()
    world.accept("ben")
    world.settle()
    world.do("ben", lambda: visiting.withdraw(world.guest("ben")))
    world.settle()
    world.do("ben", lambda: visiting.leave(world.guest("ben")))
    world.settle()
    world.says("cleo", "who else comes?")
    world.settle()
    world.comes("dora")
    world.settle()
    world.comes("emil")
    world.play()
    return world


def real() -> dict[str, list[m.LobbyMessage]]:
    """Return real messages of every kind."""
    found: dict[str, list[m.LobbyMessage]] = {kind: [] for kind in KINDS}
    for _, _, message in conversation().sent:
        whole = decode(write(message))
        assert isinstance(whole, tuple)
        found[str(whole[1])].append(message)
    return found


REAL = real()
SAMPLES = tuple(one for messages in REAL.values() for one in messages[:3])


@pytest.mark.parametrize("kind", KINDS)
def test_messages_of_every_kind_come_back(kind: str) -> None:
    assert REAL[kind]
    for message in REAL[kind]:
        assert read(write(message)) == message


@pytest.mark.parametrize("kind", KINDS)
def test_other_forms_are_refused(kind: str) -> None:
    whole = decode(write(REAL[kind][0]))
    assert isinstance(whole, tuple)
    for odd in (whole[:-1], (*whole, None), (3, *whole[1:]), (2, "lobby/other", *whole[2:])):
        with pytest.raises(PeerError):
            read(encode(odd))
    for place in range(2, len(whole)):
        value = 3 if isinstance(whole[place], bool) else True
        with pytest.raises(PeerError) as refused:
            read(encode((*whole[:place], value, *whole[place + 1 :])))
        assert refused.value.reason is Reason.ENCODING_SHAPE


LONG = "x" * 96
LOBBY = bytes(range(16))


def test_the_longest_messages_fit_their_bound() -> None:
    sittings = tuple(m.Attendee(key_of(HOST), LONG) for _ in range(10))
    offer = conversation().host.offer
    many = tuple((f"{number:064}", "y" * 64) for number in range(64))
    longest: list[m.LobbyMessage] = [
        m.LobbyLine(offer.lobby, key_of(HOST), LONG, 1 << 32, "x" * 800, bytes(64)),
        replace(offer, seats=sittings, options=many),
        m.Complete(offer.lobby, 1, (m.SignedAnswer(bytes(256), bytes(64)),) * 10),
        m.Progress(offer.lobby, 1, 1023, (sittings * 2)[:WATCHERS_MAX]),
        address_record(signer_of(HOST), 1, ("/" + "a" * (ADDRESS_BYTES_MAX - 1),) * ADDRESSES_MAX),
    ]
    for message in longest:
        assert read(write(message)) == message
    join = m.Join(bytes(16), bytes(32), True, LONG, True, "p" * 64, bytes(32), bytes(64))
    assert len(write(join)) < JOIN_BYTES_MAX
    assert read(write(join), JOIN_BYTES_MAX) == join
    assert len(write(offer)) < 1024, "one of Macaua for three"


def test_longer_ones_are_refused_unread() -> None:
    with pytest.raises(PeerError) as refused:
        read(bytes(LOBBY_MESSAGE_BYTES_MAX + 1))
    assert refused.value.reason is Reason.ENCODING_OVERSIZED


def test_a_guest_is_refused_for_a_reason_of_the_list() -> None:
    for reason in REFUSALS:
        assert read(write(m.NotAdmitted(bytes(16), reason))) == m.NotAdmitted(bytes(16), reason)
    with pytest.raises(LocalError):
        write(m.NotAdmitted(bytes(16), Reason.PROOF_KEY))
    with pytest.raises(PeerError):
        read(encode((1, "lobby/refused", bytes(16), "proof/key")))


def test_a_node_without_the_lobby_says_so_to_a_join() -> None:
    for message in SAMPLES:
        data = write(message)
        if len(data) > JOIN_BYTES_MAX:
            continue
        answer = m.unknown_here(data, LOBBY)
        if isinstance(message, m.Join):
            assert answer == m.NotAdmitted(LOBBY, Reason.LOBBY_UNKNOWN)
        else:
            assert answer is None
    assert m.unknown_here(encode((1, "lobby/join")), LOBBY) == m.NotAdmitted(
        LOBBY, Reason.LOBBY_VERSION
    )
    for junk in (b"", encode((2, "lobby/other")), bytes(JOIN_BYTES_MAX + 1)):
        with pytest.raises(PeerError):
            m.unknown_here(junk, LOBBY)
    assert {m.lobby_of(one) for one in SAMPLES} == {None, conversation().host.keys.lobby}


def test_texts_that_are_shown_are_visible() -> None:
    join = REAL["lobby/join"][0]
    assert isinstance(join, m.Join)
    with pytest.raises(LocalError):
        write(replace(join, program="nodealer\x1b[2J"))
    whole = list(decode(write(join)))  # type: ignore[arg-type]
    whole[7] = "nodealer\n"
    with pytest.raises(PeerError):
        read(encode(whole))


DATA = [write(one) for one in SAMPLES]


@given(st.data())
def test_nothing_that_arrives_raises(data: st.DataObject) -> None:
    world = conversation()
    for _ in range(4):
        raw = bytearray(data.draw(st.sampled_from(DATA)))
        for _ in range(data.draw(st.integers(0, 2))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        name = data.draw(st.sampled_from(["ben", "cleo", "vera", HOST]))
        peer = r.LinkEnd(key_of(name), hashed("link", data.draw(st.integers(0, 1))))
        for host in (open_host(), world.host):
            after, ready = hosting.receive_bytes(host, bytes(raw), peer)
            assert ready.keep is not None or after.number == host.number
        for guest in (asked(), world.guest("cleo"), world.guest("ben")):
            visiting.receive_bytes(guest, bytes(raw), peer.key)


@lru_cache(maxsize=1)
def open_host() -> Host:
    return gathered("ben", seats=3).host


@lru_cache(maxsize=1)
def asked() -> Guest:
    return gathered("ben").guest("ben")


@given(st.binary(max_size=200))
def test_no_bytes_raise(raw: bytes) -> None:
    peer = r.LinkEnd(key_of("ben"), b"link")
    host, ready = hosting.receive_bytes(open_host(), raw, peer)
    assert (host.number, ready.keep) == (open_host().number, None)
    guest, ready = visiting.receive_bytes(asked(), raw, peer.key)
    assert (guest.offer, ready.keep) == (asked().offer, None)


def test_a_book_of_addresses_keeps_the_latest_of_those_it_expects() -> None:
    book = AddressBook().expecting([key_of("ben"), key_of("cleo")])
    records = [address_record(signer_of("ben"), number, (ADDRESS,)) for number in (1, 2, 3)]
    book = book.heard(records[1])
    for old in records[:2]:
        with pytest.raises(PeerError, match="not the latest"):
            book.heard(old)
    book = book.heard(records[2])
    assert book.of(key_of("ben")) == (ADDRESS,)
    assert book.of(key_of("cleo")) == ()
    newer = address_record(signer_of("ben"), 8, (ADDRESS,))
    for forged in (
        replace(newer, number=9),
        replace(newer, addresses=()),
        replace(newer, signature=bytes(64)),
    ):
        with pytest.raises(PeerError) as refused:
            book.heard(forged)
        assert refused.value.reason is Reason.SIGNATURE_BAD
    with pytest.raises(PeerError, match="stranger"):
        book.heard(address_record(signer_of("eve"), 1, ()))
    weak = replace(records[0], key=bytes(32))
    with pytest.raises(PeerError) as refused:
        AddressBook().expecting([bytes(32)]).heard(weak)
    assert refused.value.reason is Reason.SIGNATURE_WEAK_KEY
    assert not book.expecting([key_of("cleo")]).records


def test_a_plan_fits_its_rules() -> None:
    assert plan().seats == 3
    wrongs: list[Callable[[], TablePlan]] = [
        lambda: plan(11),
        lambda: plan(3, nothing=1),
        lambda: plan_of(RULES, 3, {}, CLOCK, "nothing"),
        lambda: plan_of(RULES, 3, {}, replace(CLOCK, act=0), "void"),
        lambda: plan_of(RULES, 3, {}, replace(CLOCK, longest=1), "void"),
    ]
    for wrong in wrongs:
        with pytest.raises(LocalError):
            wrong()


def test_options_of_which_nothing_was_said_follow_the_clock() -> None:
    papas, slow = game("papas"), replace(CLOCK, act=48 * 3_600_000, longest=96 * 3_600_000)

    def window(of: TablePlan) -> object:
        return dict(of.options)["window"]

    usual = plan_of(papas, 3, {}, CLOCK, "redeal")
    by_letters = plan_of(papas, 3, {}, slow, "redeal")
    assert (window(usual), window(by_letters)) == (10, 0)
    assert window(plan_of(papas, 3, {"window": 10}, slow, "redeal")) == 10
    assert with_clock(papas, usual, slow) == by_letters
    assert with_clock(papas, by_letters, CLOCK) == usual
    said = plan_of(papas, 3, {"window": 30, "max_turns": 9}, CLOCK, "void")
    assert with_clock(papas, said, slow) == replace(said, clock=slow)
    with pytest.raises(LocalError, match="no option 'hand'"):
        with_clock(papas, replace(said, options=(("hand", 7),)), slow)

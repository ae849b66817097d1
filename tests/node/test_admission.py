"""Who may hold a place: strangers push out strangers, and never anybody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel.rates import Rate
from nodealer.node.transport import admission
from nodealer.node.transport.addresses import PeerKey, peer_id
from nodealer.node.transport.admission import (
    ATTEMPTS_OF_ALL,
    ATTEMPTS_OF_BLOCK,
    CIRCUIT_ATTEMPTS,
    CIRCUITS,
    CIRCUITS_TO_ONE,
    OPENING_US,
    PLACES_AT_RELAY,
    PROOFS_OF_ALL,
    PROOFS_OF_BLOCK,
    PURPOSE_US,
    SHARES,
    Acquaintances,
    CallerOrigin,
    CallerStanding,
    Counted,
    Crowd,
    HeldPlace,
    HeldPlaces,
    PlaceShare,
    giving_way,
    greediest,
    origin_of,
    relayed_origin,
    turned_away,
)
from nodealer.node.transport.doorkeeper import HOSTS_MAX, Caller, Doorkeeper
from nodealer.node.transport.timing import SECOND_US

GIVEN_HOSTS = {
    "192.0.2.7": "192.0.2.0/24",
    "192.0.2.255": "192.0.2.0/24",
    "192.0.3.7": "192.0.3.0/24",
    "127.0.0.1": "127.0.0.0/24",
    "2001:db8:0:12::7": "2001:db8::/56",
    "2001:db8:0:ff:ffff::7": "2001:db8::/56",
    "2001:db8:0:100::7": "2001:db8:0:100::/56",
    "::1": "::/56",
    "::ffff:192.0.2.7": "192.0.2.0/24",
    "fe80::1%eth0": "fe80::/56",
}


def key(number: int) -> PeerKey:
    return PeerKey(number.to_bytes(32, "big"))


def place(
    block: str, of: PeerKey | None = None, end: Callable[[], None] | None = None
) -> HeldPlace:
    return HeldPlace(CallerOrigin(block), 0, end or (lambda: None), of)


def known(*keys: PeerKey) -> Callable[[PeerKey], bool]:
    return lambda one: one in keys


@pytest.mark.parametrize("host", GIVEN_HOSTS)
def test_numbers_are_put_together_by_block(host: str) -> None:
    assert origin_of(host, is_expected=False) == CallerOrigin(GIVEN_HOSTS[host])


def test_a_host_that_is_expected_is_a_block_of_its_own() -> None:
    assert origin_of("::ffff:192.0.2.7", is_expected=True) == CallerOrigin(
        "192.0.2.7", is_expected=True
    )


def test_what_a_relay_brings_is_one_block_but_for_those_who_are_known() -> None:
    relay = key(1)
    assert relayed_origin(relay) == CallerOrigin(peer_id(relay))
    assert relayed_origin(relay, key(2)) != relayed_origin(relay, key(3))
    assert relayed_origin(relay, key(2)).is_expected


def test_the_page_has_the_numbers_of_the_table() -> None:
    page = (Path(__file__).parents[2] / "specs" / "08-node.md").read_text()
    for standing, share in SHARES.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| *{standing.value}*"))
        cells = [cell.strip().removesuffix(" of a host") for cell in row.split("|")[2:6]]
        numbers = (share.of_all, share.of_block, share.of_key)
        time = f"{share.time // SECOND_US} s" if share.time else ""
        assert cells == [*("" if one is None else str(one) for one in numbers), time]
    for words, of_block, of_all in (
        ("attempts that are taken up", ATTEMPTS_OF_BLOCK, ATTEMPTS_OF_ALL),
        ("strangers who have proven a key", PROOFS_OF_BLOCK, PROOFS_OF_ALL),
    ):
        assert f"| {words} | {shown(of_block)} | {shown(of_all)} |" in page
    places, passed_on, one = PLACES_AT_RELAY, CIRCUITS, CIRCUITS_TO_ONE
    assert f"| places | {places.of_all} | {places.of_block} | {places.of_key} | |" in page
    bounds = (passed_on.of_all, passed_on.of_block, passed_on.of_key, one.of_all)
    row = " | ".join(map(str, bounds))
    assert f"| connections that are passed on | {row}, of a block {one.of_block} |" in page


def shown(rate: Rate) -> str:
    return f"{rate.at_once} at once, and then {round(SECOND_US / rate.each)} a second"


SMALL = PlaceShare(of_all=4, of_block=3, of_key=2)


def places_of(holders: Iterable[tuple[str, int]]) -> list[HeldPlace]:
    return [place(block, key(number)) for block, number in holders]


@pytest.mark.parametrize("count", range(6))
def test_whoever_gives_way_is_the_oldest_of_whoever_has_most(count: int) -> None:
    """Try every row of up to five holders of three blocks and two keys, the last one new."""
    for holders in product(product("abc", (1, 2)), repeat=count):
        held = places_of(holders)
        if not held:
            continue
        new = held[-1]
        out = giving_way(held, new, SMALL, 0)
        of_key = [one for one in held if one.key == new.key]
        of_block = [one for one in held if one.origin == new.origin]
        counts = Counter(one.origin.block for one in held)
        if len(of_key) > 2:
            assert out is of_key[0]
        elif len(of_block) > 3:
            assert out is of_block[0]
        elif len(held) > 4:
            assert out is not None
            assert out is not new
            assert counts[out.origin.block] == max(counts.values())
            earlier = held[: held.index(out)]
            assert all(counts[one.origin.block] < max(counts.values()) for one in earlier)
        else:
            assert out is None


@pytest.mark.parametrize("count", range(1, 6))
def test_what_is_in_use_gives_way_only_to_blocks_that_have_less(count: int) -> None:
    for holders in product(product("abc", (1, 2, 3)), repeat=count):
        held = places_of(holders)
        new = held[-1]
        out = turned_away(held, new, SMALL)
        counts = Counter(one.origin.block for one in held)
        if sum(one.key == new.key for one in held) > 2 or counts[new.origin.block] > 3:
            assert out is new
        elif count <= 4:
            assert out is None
        elif counts[new.origin.block] == max(counts.values()):
            assert out is new
        else:
            assert out is not None
            assert counts[out.origin.block] == max(counts.values())
            assert counts[out.origin.block] > counts[new.origin.block]
            later = held[held.index(out) + 1 :]
            assert all(one.origin.block not in greediest(held) for one in later)


def test_a_share_without_bounds_has_room() -> None:
    held = [place("a", key(1)) for _ in range(9)]
    assert giving_way(held, held[-1], PlaceShare(), 0) is None
    assert turned_away(held, held[-1], PlaceShare()) is None
    assert not Acquaintances().knows(key(1))
    assert not Acquaintances().expects("192.0.2.7")


class Visitors:
    """Those who come to a node, and who of them has had to give way."""

    def __init__(self, *friends: PeerKey) -> None:
        self.places = HeldPlaces(known(*friends))
        self.attempts = Crowd(ATTEMPTS_OF_BLOCK, ATTEMPTS_OF_ALL)
        self.proofs = Crowd(PROOFS_OF_BLOCK, PROOFS_OF_ALL)
        self.gone: set[HeldPlace] = set()

    def comes(self, origin: CallerOrigin, now: int) -> HeldPlace | None:
        if not self.attempts.may(origin, now):
            return None
        mine = HeldPlace(origin, now, lambda: self.gone.add(mine))
        self.places.take(mine, now)
        return mine

    def proves(self, one: HeldPlace, by: PeerKey, now: int) -> bool:
        is_in = self.places.knows(by) or self.proofs.may(one.origin, now)
        if is_in:
            self.places.prove(one, by, now)
        else:
            self.places.release(one)
        return is_in

    def fills(self, blocks: int, until: int, *, proves: bool) -> None:
        """Let strangers of so many blocks come as often as they may, each with a key of its own."""
        for number in range(until // (SECOND_US // 64)):
            now = number * (SECOND_US // 64)
            for block in range(blocks):
                one = self.comes(CallerOrigin(f"bad {block}"), now)
                if one is not None and proves:
                    self.proves(one, key(number * blocks + block + 1_000), now)


@pytest.mark.parametrize("blocks", [1, 3, 40])
@pytest.mark.parametrize("proves", [True, False])
def test_whoever_comes_in_a_flood_has_its_time(blocks: int, proves: bool) -> None:
    crowd = Visitors()
    crowd.fills(blocks, 20 * SECOND_US, proves=proves)
    newcomer, now = arrived(crowd, blocks, 21 * SECOND_US, proves=proves)
    time = PURPOSE_US if proves else OPENING_US
    for number in range(time * 64 // SECOND_US):
        later = now + number * (SECOND_US // 64)
        for block in range(blocks):
            one = crowd.comes(CallerOrigin(f"bad {block}"), later)
            if one is not None and proves:
                crowd.proves(one, key(2_000_000 + number * blocks + block), later)
    assert newcomer not in crowd.gone


def arrived(crowd: Visitors, blocks: int, now: int, *, proves: bool) -> tuple[HeldPlace, int]:
    """Come from the blocks of a flood until one is let in, and return when that was."""
    for number in range(64):
        for block in range(blocks):
            later = now + number * (SECOND_US // 64)
            one = crowd.comes(CallerOrigin(f"bad {block}"), later)
            if one is not None and (not proves or crowd.proves(one, key(1), later)):
                return one, later
    raise AssertionError("nobody is let in")


def test_a_block_that_holds_little_is_not_pushed_out_by_one_that_holds_much() -> None:
    crowd = Visitors()
    quiet = [
        crowd.comes(CallerOrigin(f"quiet {number}"), number * SECOND_US) for number in range(5)
    ]
    for number, one in enumerate(quiet):
        assert one is not None
        crowd.places.prove(one, key(number), 0)
    crowd.fills(3, 60 * SECOND_US, proves=True)
    assert not crowd.gone.intersection(one for one in quiet if one is not None)
    assert crowd.gone


Deed = tuple[str, int, int]


def test_strangers_push_out_strangers_and_nobody_who_is_known() -> None:
    crowd = Visitors(key(1))
    friend, stranger = [crowd.comes(CallerOrigin("bad 0"), 0) for _ in range(2)]
    assert friend is not None
    assert stranger is not None
    crowd.places.prove(friend, key(1), 0)
    crowd.places.prove(stranger, key(2), 0)
    crowd.fills(1, 20 * SECOND_US, proves=True)
    assert stranger in crowd.gone
    assert friend not in crowd.gone


DEEDS = st.tuples(st.sampled_from("cppl"), st.integers(0, 40), st.integers(0, 6))


@given(st.lists(DEEDS, min_size=30, max_size=80))
def test_shares_are_kept_and_nobody_who_is_known_gives_way_to_another(deeds: list[Deed]) -> None:
    crowd = Visitors(key(0), key(1))
    monkey = pytest.MonkeyPatch()
    small = {
        CallerStanding.OPENING: PlaceShare(4, 2),
        CallerStanding.EXPECTED: PlaceShare(None, 2),
        CallerStanding.STRANGER: PlaceShare(4, 3, 2),
        CallerStanding.KNOWN: PlaceShare(None, None, 3),
    }
    monkey.setattr(admission, "SHARES", small)
    monkey.setattr(crowd.attempts, "may", lambda *_: True)
    came: list[HeldPlace] = []
    try:
        for deed, which, what in deeds:
            crowd.gone.clear()
            one = came[which % len(came)] if came else None
            if deed == "c" or one is None:
                one = crowd.comes(CallerOrigin(f"block {what}", is_expected=what > 4), 0)
                assert one is not None
                came.append(one)
            elif deed == "l" or one not in crowd.places.held:
                crowd.places.release(one)
                continue
            else:
                crowd.places.prove(one, key(what), 0)
            require_kept(crowd.places, small)
            assert one in crowd.places.held
            assert all(other.key == one.key for other in crowd.gone if is_friend(other))
    finally:
        monkey.undo()


def is_friend(one: HeldPlace) -> bool:
    return one.key in (key(0), key(1))


def require_kept(places: HeldPlaces, shares: dict[CallerStanding, PlaceShare]) -> None:
    for standing, share in shares.items():
        held = [one for one in places.held if places.standing(one) is standing]
        of_block = Counter(one.origin.block for one in held).values()
        of_key = Counter(one.key for one in held).values()
        assert share.of_all is None or len(held) <= share.of_all
        assert share.of_block is None or max(of_block, default=0) <= share.of_block
        assert share.of_key is None or max(of_key, default=0) <= share.of_key


def test_attempts_of_a_block_do_not_use_up_those_of_hosts_that_are_expected() -> None:
    attempts = Crowd(ATTEMPTS_OF_BLOCK, ATTEMPTS_OF_ALL)
    for block in range(40):
        for _ in range(40):
            attempts.may(CallerOrigin(f"bad {block}"), 0)
    assert not attempts.may(CallerOrigin("a"), 0)
    friend = CallerOrigin("192.0.2.7", is_expected=True)
    count = sum(attempts.may(friend, 0) for _ in range(40))
    assert count == ATTEMPTS_OF_BLOCK.at_once
    assert attempts.may(CallerOrigin("a"), ATTEMPTS_OF_ALL.each)


def test_no_more_is_remembered_than_is_needed() -> None:
    counted = Counted(ATTEMPTS_OF_BLOCK)
    for number in range(admission.BLOCKS_MAX + 5):
        assert counted.may(str(number), 0)
    assert len(counted._paid_at) == admission.BLOCKS_MAX


def test_one_block_cannot_fill_a_relay_nor_use_up_what_a_place_is_left() -> None:
    assert PLACES_AT_RELAY.of_block is not None
    assert PLACES_AT_RELAY.of_all is not None
    assert 4 * PLACES_AT_RELAY.of_block <= PLACES_AT_RELAY.of_all
    assert CIRCUITS.of_block is not None
    assert CIRCUITS.of_all is not None
    assert 4 * CIRCUITS.of_block <= CIRCUITS.of_all
    assert CIRCUITS_TO_ONE.of_block is not None
    assert CIRCUITS_TO_ONE.of_all is not None
    assert 2 * CIRCUITS_TO_ONE.of_block <= CIRCUITS_TO_ONE.of_all
    assert 8 * PROOFS_OF_BLOCK.each <= CIRCUIT_ATTEMPTS.each
    of_known = SHARES[CallerStanding.KNOWN].of_key
    assert CIRCUITS.of_key is not None
    assert of_known is not None
    assert CIRCUITS.of_key < of_known


class Friends:
    """Whom a node knows."""

    def __init__(self, *keys: PeerKey) -> None:
        self.keys = set(keys)
        self.hosts: set[str] = set()

    def knows(self, one: PeerKey) -> bool:
        return one in self.keys

    def expects(self, host: str) -> bool:
        return host in self.hosts


def keeper_for(friends: Friends, monkeypatch: pytest.MonkeyPatch) -> Doorkeeper:
    """Return a doorkeeper whose clock stands still."""
    monkeypatch.setattr("nodealer.node.transport.doorkeeper.now_us", lambda: 0)
    door = Doorkeeper()
    door.acquaintances = Acquaintances(friends.knows, friends.expects)
    return door


def flooded(door: Doorkeeper, host: str) -> bool:
    """Let a host come often; say whether it was let in at all."""
    return sum(door.admits(Caller(host)) for _ in range(100)) > 0


def test_where_somebody_known_came_from_a_flood_beside_it_uses_up_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    friends = Friends(key(1), key(2))
    door = keeper_for(friends, monkeypatch)
    before, there = Caller("192.0.2.7"), Caller("192.0.2.8")
    for caller, number in ((before, 1), (there, 2)):
        assert door.admits(caller)
        caller.key = key(number)
        assert door.admits(caller)
    door.left(before)
    friends.hosts.add("192.0.2.9")
    assert flooded(door, "192.0.2.200")
    assert not door.admits(Caller("192.0.2.201"))
    assert all(door.admits(Caller(f"192.0.2.{number}")) for number in (7, 8, 9))
    friends.keys.clear()
    assert not door.admits(Caller("192.0.2.7"))


def test_strangers_prove_keys_no_faster_than_they_may_and_who_is_known_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    door = keeper_for(Friends(key(1)), monkeypatch)
    callers = [Caller("192.0.2.7") for _ in range(ATTEMPTS_OF_BLOCK.at_once)]
    assert all(door.admits(caller) for caller in callers)
    for number, caller in enumerate(callers):
        caller.key = key(1) if number % 4 == 3 else key(100 + number)
    found = [door.admits(caller) for caller in callers]
    assert all(found[3::4])
    assert sum(found) == PROOFS_OF_BLOCK.at_once + len(callers) // 4
    for caller in callers:
        door.left(caller)
    assert not door._places.held


def test_whom_a_relay_brings_who_is_known_is_let_in_beside_a_flood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    door = keeper_for(Friends(key(1)), monkeypatch)
    strangers = [door.admits(Caller("", relay=key(9))) for _ in range(100)]
    assert sum(strangers) == ATTEMPTS_OF_BLOCK.at_once
    assert not door.admits(Caller("", relay=key(9), said_to_be=key(2)))
    assert door.admits(Caller("", relay=key(9), said_to_be=key(1)))


def test_hosts_of_those_who_are_known_are_not_remembered_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    friends = Friends(*map(key, range(HOSTS_MAX + 3)))
    door = keeper_for(friends, monkeypatch)
    for number in range(HOSTS_MAX + 3):
        friends.hosts.add(f"10.0.{number // 250}.{number % 250}")
        caller = Caller(f"10.0.{number // 250}.{number % 250}")
        assert door.admits(caller)
        caller.key = key(number)
        assert door.admits(caller)
        door.left(caller)
    assert len(door._hosts) == HOSTS_MAX

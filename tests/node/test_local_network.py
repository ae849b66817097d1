"""Who is on the same network is found there; what is heard is an address and nothing more."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import trio

from nodealer.kernel import Seat
from nodealer.node import node as nodes
from nodealer.node.local_network import dialled, key_in_name, networks_of
from nodealer.node.nearby import Here, here
from nodealer.node.transport.addresses import Address, PeerKey, is_nearby, parse, peer_id
from nodealer.node.transport.states import LinkState
from nodealer.store.journal import Journal
from nodealer.store.opening import create
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle, name_of
from tests.store.players import identity_of, origin_of, seed_of

ANA, BEA = Seat(0), Seat(1)
KEY = PeerKey(identity_of(BEA).public)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/ip4/192.168.1.7/tcp/4001", True),
        ("/ip4/10.0.0.1/tcp/4001", True),
        ("/ip4/127.0.0.1/tcp/4001", False),
        ("/ip4/0.0.0.0/tcp/4001", False),
        ("/ip4/1.1.1.1/tcp/4001", False),
        ("/ip6/fe80::1/tcp/4001", False),
        (f"/ip4/192.168.1.7/tcp/4001/p2p/{peer_id(KEY)}/p2p-circuit", False),
    ],
)
def test_only_numbers_of_private_networks_are_told_and_taken(text: str, *, expected: bool) -> None:
    assert is_nearby(parse(text)) == expected
    assert (here(KEY, [parse(text)]) is not None) == expected


def test_all_numbers_of_a_machine_are_told_with_one_port() -> None:
    texts = ("/ip4/127.0.0.1/tcp/4001", "/ip4/10.0.0.1/tcp/4001", "/ip4/192.168.1.7/tcp/4001")
    assert here(KEY, [*map(parse, texts)]) == Here(KEY, ("10.0.0.1", "192.168.1.7"), 4001)


def test_a_service_is_named_after_a_key_or_is_none_of_ours() -> None:
    assert key_in_name(f"{peer_id(KEY)}-0badc0._nodealer._tcp.local.") == KEY
    assert key_in_name("somebody._nodealer._tcp.local.") is None
    assert key_in_name("") is None


@pytest.mark.parametrize(
    "rest",
    [
        ".local.",
        "._http._tcp.local.",
        "-0badc0._http._tcp.local.",
        "-0badc\x1b._nodealer._tcp.local.",
        "-0badc0\n._nodealer._tcp.local.",
        "-0badc0._nodealer._tcp.local.\n",
    ],
)
def test_a_name_that_the_library_would_raise_at_is_passed_over(rest: str) -> None:
    assert key_in_name(peer_id(KEY) + rest) is None


def test_only_numbers_of_networks_of_this_machine_are_dialled() -> None:
    numbers = [("192.168.1.4", 24), ("10.8.0.1", 16), ("127.0.0.1", 8)]
    networks = networks_of(("192.168.1.4", "172.17.0.1"), numbers)
    texts = ("169.254.169.254", "10.8.0.7", "172.17.0.2", "127.0.0.1", "1.1.1.1", "192.168.2.1")
    assert not dialled(texts, 4001, networks)
    hosts = ("10.8.0.7", "192.168.1.255", "192.168.1.7", "192.168.1.8")
    assert dialled(hosts, 4001, networks) == (
        Address("ip4", "192.168.1.255", 4001),
        Address("ip4", "192.168.1.7", 4001),
    )


def _without_addresses(circle: Circle) -> Journal:
    """Return a journal of Ana that does not say where anybody is."""
    home = circle.homes[ANA]
    return create(home.profile, origin_of(circle.charter, ANA), home.identity, seed_of(ANA))


@pytest.mark.parametrize("is_early", [True, False])
def test_a_friend_whose_address_is_not_known_is_reached(tmp_path: Path, *, is_early: bool) -> None:
    circle = Circle(tmp_path, 2)
    found = (Address("memory", name_of(BEA)),)

    async def main() -> None:
        async with circle.node(BEA), circle.node(ANA) as node:
            with closing(_without_addresses(circle)) as journal:
                if is_early:
                    node.found_nearby(KEY, found)
                keeper = node.open_table(journal)
                if not is_early:
                    await trio.sleep(1)
                    node.found_nearby(KEY, found)
                    node.found_nearby(KEY, found)  # that is heard again and again
                await trio.sleep(1)
                link = keeper.link_to(BEA)
                assert link is not None
                assert link.state is LinkState.UP

    in_virtual_time(main)


def test_what_is_heard_never_pushes_out_what_is_known(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.node(ANA) as node:
            with closing(circle.journal(ANA)) as journal:
                keeper = node.open_table(journal)
                link = keeper.link_to(BEA)
                assert link is not None
                known = link.addresses
                places = set()
                for port in range(1, 4001):
                    node.found_nearby(KEY, (Address("ip4", "192.168.1.66", port),))
                    await trio.sleep(0.01)
                    places.add(link.addresses[0])
                    assert link.addresses[1:] == known
                assert len(places) <= 1 + 40 / nodes.NEARBY_SECONDS, (
                    "nor is it dialled all the time"
                )

    in_virtual_time(main)


def test_strangers_are_not_remembered_for_ever(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)

    async def main() -> None:
        async with circle.node(ANA) as node:
            for number in range(nodes.NEARBY_MAX + 3):
                stranger = PeerKey(identity_of(100 + number).public)
                node.found_nearby(stranger, (Address("memory", name_of(BEA)),))
            assert len(node.nearby) == nodes.NEARBY_MAX

    in_virtual_time(main)


def test_what_is_heard_behind_the_end_begins_nothing(tmp_path: Path) -> None:
    """A thread listens to the network, and may have the last word when the node is gone."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.node(ANA) as node:
            with closing(circle.journal(ANA)) as journal:
                node.open_table(journal)
        node.found_nearby(KEY, (Address("memory", name_of(BEA)),))
        assert not node.nearby

    in_virtual_time(main)

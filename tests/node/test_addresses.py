"""Addresses and peer ids: the forms that are known, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from libp2p.crypto.ed25519 import create_new_key_pair
from libp2p.peer.id import ID
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import LocalError, PeerError, Reason
from nodealer.node.transport.addresses import (
    ADDRESS_BYTES_MAX,
    Address,
    PeerKey,
    key_of,
    parse,
    peer_id,
)

KEYS = st.binary(min_size=32, max_size=32).map(PeerKey)
RELAY = PeerKey(bytes(range(32)))
RELAYED = f"/ip4/192.0.2.7/tcp/4001/p2p/{peer_id(RELAY)}/p2p-circuit"

GOOD = {
    "/ip4/192.0.2.7/tcp/4001": Address("ip4", "192.0.2.7", 4001),
    "/ip4/0.0.0.0/tcp/0": Address("ip4", "0.0.0.0", 0),  # noqa: S104 - nobody listens there
    "/ip6/2001:db8::7/tcp/65535": Address("ip6", "2001:db8::7", 65535),
    "/dns4/example.org/tcp/80": Address("dns4", "example.org", 80),
    "/dns/a/tcp/80": Address("dns", "a", 80),
    "/dns6/a-b.c/tcp/80": Address("dns6", "a-b.c", 80),
    "/memory/peer-7": Address("memory", "peer-7"),
    RELAYED: Address("ip4", "192.0.2.7", 4001, RELAY),
}

BAD = [
    "",
    "/",
    "/ip4",
    "/ip4/192.0.2.7",
    "ip4/192.0.2.7/tcp/1",
    "/ip4/192.0.2.7/tcp/1/",
    "/ip4/192.0.2.7/udp/1",
    "/ip4/192.0.2.7/tcp/1/ws",
    "/ip4/192.0.2/tcp/1",
    "/ip4/192.0.2.07/tcp/1",
    "/ip4/::1/tcp/1",
    "/ip6/192.0.2.7/tcp/1",
    "/ip6/fe80::1%eth0/tcp/1",
    "/ip4/192.0.2.7/tcp/65536",
    "/ip4/192.0.2.7/tcp/-1",
    "/ip4/192.0.2.7/tcp/01",
    "/ip4/192.0.2.7/tcp/１",
    "/ip4/192.0.2.7/tcp/",
    "/dns4//tcp/1",
    "/dns4/-a/tcp/1",
    "/dns4/a-/tcp/1",
    "/dns4/a..b/tcp/1",
    "/dns4/a_b/tcp/1",
    f"/dns4/{'a' * 64}/tcp/1",
    "/dns4/a\n/tcp/1",
    "/unix/a/tcp/1",
    "/memory/",
    "/memory/A",
    "/memory/a/tcp/1",
    "/" + "a" * ADDRESS_BYTES_MAX,
    RELAYED.replace("12D3", "12D4"),
    RELAYED.replace("/p2p-circuit", ""),
    RELAYED + "/p2p-circuit",
]


@pytest.mark.parametrize("text", GOOD)
def test_the_known_forms(text: str) -> None:
    assert parse(text) == GOOD[text]
    assert str(GOOD[text]) == text


@pytest.mark.parametrize("text", [one for one in GOOD if "memory" not in one])
def test_the_library_reads_them_in_the_same_way(text: str) -> None:
    assert str(Multiaddr(text)) == text


@pytest.mark.parametrize("text", BAD)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(PeerError) as caught:
        parse(text)
    assert caught.value.reason is Reason.LINK_ADDRESS


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        address = parse(text)
    except PeerError:
        return
    assert parse(str(address)) == address


def test_what_is_written_differently_and_means_the_same_has_one_form() -> None:
    assert str(parse("/ip6/2001:DB8:0:0::7/tcp/1")) == "/ip6/2001:db8::7/tcp/1"
    assert str(parse("/dns4/Example.ORG/tcp/1")) == "/dns4/example.org/tcp/1"


@given(KEYS)
def test_a_peer_id_holds_its_key(key: PeerKey) -> None:
    text = peer_id(key)
    assert key_of(text) == key
    assert text.startswith("12D3KooW")


def test_the_library_gives_the_same_id() -> None:
    for number in range(5):
        pair = create_new_key_pair(bytes([number]) * 32)
        key = PeerKey(pair.public_key.to_bytes())
        assert ID.from_pubkey(pair.public_key).to_string() == peer_id(key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12D3KooW",
        "1" * 52,
        "z" * 52,
        peer_id(RELAY)[:-1],
        peer_id(RELAY) + "1",
        peer_id(RELAY).replace("o", "0"),
        "QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N",
    ],
)
def test_other_ids_are_refused(text: str) -> None:
    with pytest.raises(PeerError) as caught:
        key_of(text)
    assert caught.value.reason is Reason.LINK_ADDRESS


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(LocalError):
        peer_id(PeerKey(bytes(31)))

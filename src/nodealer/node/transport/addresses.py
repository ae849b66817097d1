"""The addresses of a peer, as data: a key says who, addresses say where.

The text of an address is a multiaddr, as other programs write it, of one of these forms:

    /ip4/192.0.2.7/tcp/4001          /ip6/2001:db8::7/tcp/4001
    /dns4/example.org/tcp/4001       (also dns and dns6)
    ADDRESS/p2p/RELAY/p2p-circuit    through a relay, whose key must be known
    /memory/name                     inside one process, for tests and simulations

A peer id is the key in the clothes of libp2p: two fixed prefixes and base 58, so either can be
had from the other. Addresses come from invites and from peers: what is not of these forms is
refused here, before any library sees it, and nothing is looked up.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final, NewType

from nodealer.kernel import LocalError, PeerError, Reason

PeerKey = NewType("PeerKey", bytes)
"""The Ed25519 public key of a peer: its identity on the network and at tables."""

KEY_BYTES: Final = 32

ADDRESS_BYTES_MAX: Final = 512
"""A name of a host has at most 253 characters, and an address at most two of them."""

PORT_MAX: Final = 65_535

_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
ID_PREFIX: Final = bytes([0x00, 0x24, 0x08, 0x01, 0x12, 0x20])
"""The identity multihash of 36 bytes: a protobuf that says Ed25519 and holds 32 bytes."""

_ID_LENGTH: Final = 52
"""The base 58 of 38 bytes that begin so."""

_HOST_NAME: Final = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*")
_MEMORY_NAME: Final = re.compile(r"[a-z0-9-]{1,32}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class Address:
    """One place: a host and a port, perhaps behind a relay whose key this is."""

    kind: str
    host: str
    port: int = 0
    relay: PeerKey | None = None

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        place = f"/{self.kind}/{self.host}"
        if self.kind != "memory":
            place += f"/tcp/{self.port}"
        return place if self.relay is None else f"{place}/p2p/{peer_id(self.relay)}/p2p-circuit"


def is_nearby(address: Address) -> bool:
    """Say whether an address is of a kind that means something in one network alone."""
    if address.kind != "ip4" or address.relay is not None:
        return False
    number = ipaddress.ip_address(address.host)
    return number.is_private and not number.is_loopback and not number.is_unspecified


def parse(text: str) -> Address:
    """Return the address that a text names, or raise `PeerError`."""
    if len(text) > ADDRESS_BYTES_MAX:
        raise _refused(f"{len(text)} characters")
    match text.split("/"):
        case ["", "memory", name] if _MEMORY_NAME.fullmatch(name):
            return Address("memory", name)
        case ["", kind, host, "tcp", port]:
            return Address(kind, _host(kind, host), _port(port))
        case ["", kind, host, "tcp", port, "p2p", relay, "p2p-circuit"]:
            return Address(kind, _host(kind, host), _port(port), key_of(relay))
        case _:
            raise _refused("none of the forms that are known here")


def peer_id(key: PeerKey) -> str:
    """Return the name that libp2p gives to a key."""
    if len(key) != KEY_BYTES:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a key of {len(key)} bytes")
    number, digits = int.from_bytes(ID_PREFIX + key, "big"), ""
    while number:
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return _ALPHABET[0] + digits  # the one leading zero byte


def key_of(text: str) -> PeerKey:
    """Return the key in a peer id, or raise `PeerError`."""
    if len(text) != _ID_LENGTH or not set(text) <= set(_ALPHABET):
        raise _refused("not the id of an Ed25519 key")
    number = 0
    for digit in text:
        number = number * len(_ALPHABET) + _ALPHABET.index(digit)
    data = number.to_bytes(_ID_LENGTH, "big")[-len(ID_PREFIX) - KEY_BYTES :]
    key = PeerKey(data.removeprefix(ID_PREFIX))
    # Written again, because a number that is too large loses its head above.
    if len(key) != KEY_BYTES or peer_id(key) != text:
        raise _refused("not the id of an Ed25519 key")
    return key


def _host(kind: str, host: str) -> str:
    try:
        match kind:
            case "ip4":
                return str(ipaddress.IPv4Address(host))
            case "ip6" if "%" not in host:  # the name of a wire of one machine
                return str(ipaddress.IPv6Address(host))
            case "dns" | "dns4" | "dns6" if _HOST_NAME.fullmatch(host):
                return host.lower()
    except ValueError as error:
        raise _refused(str(error)) from error
    raise _refused("no host")


def _port(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > PORT_MAX:
        raise _refused("no port")
    return int(text)


def _refused(detail: str) -> PeerError:
    return PeerError(Reason.LINK_ADDRESS, detail)

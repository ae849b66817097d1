"""Nodes on the same network, found by multicast DNS: for whoever has an old address, or none.

A machine at home has another number tomorrow, and then what invites and journals say is old. On one
network nobody else is needed to find each other again: each node says that it is there, and listens
to who else is. What is heard proves nothing, and need not: it is one more address to dial, at which
the link proves the key or is nothing. Only numbers of the networks that this machine is on are
taken, so nobody can have others dialled.

Multicast DNS is spoken by threads of a library. They only ever hand over what they have heard, so
whoever ends does not wait for them. What is heard is looked up in what the library has heard, and
nobody is asked: whoever announces a name and says nothing else of it holds up nobody. The library
raises where a name is none of its kind, and that would end the thread that listens, with a trace on
a terminal that somebody plays at; so names of any other form than ours are passed over before. It
asks who is there by naming whom it knows, and asks nothing where it cannot write such a name; so it
is asked once without a word of what was heard.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import ifaddr
import trio
from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf
from zeroconf._dns import DNSQuestion
from zeroconf._protocol.outgoing import DNSOutgoing

from nodealer.kernel import PeerError
from nodealer.node.nearby import Here
from nodealer.node.transport.addresses import Address, PeerKey, is_nearby, key_of, peer_id

KIND: Final = "_nodealer._tcp.local."

QUERY, PTR, IN = 0, 12, 1
"""A message that asks; the type and the class of what it asks for (RFC 1035)."""

ADDRESSES_TAKEN: Final = 2
"""Of what is heard of one key."""

CLOSE_SECONDS: Final = 3.0

_NAME: Final = re.compile(rf"([1-9A-Za-z]+)-[0-9a-f]{{6}}\.{re.escape(KIND)}")

_MAY_BE_LEFT: Final[dict[str, Any]] = {"abandon_on_cancel": True}
"""Its name in trio now; the types that libp2p brings along know an older one only."""

Networks: TypeAlias = tuple[ipaddress.IPv4Network, ...]

Found: TypeAlias = Callable[[PeerKey, tuple[Address, ...]], None]


async def meet(who: Here, found: Found) -> None:
    """Say that this node is there, and tell of others, until cancelled."""
    logging.getLogger("zeroconf").addHandler(logging.NullHandler())
    logging.getLogger("zeroconf").propagate = False
    networks = networks_of(who.hosts, _numbers_here())
    listener = _Listener(who.key, networks, trio.lowlevel.current_trio_token(), found)
    try:
        engine = await trio.to_thread.run_sync(_begun, who, listener)
    except OSError:  # there is no multicast here: addresses have to do
        return
    try:
        await trio.to_thread.run_sync(_announce, who, engine, **_MAY_BE_LEFT)
        await trio.sleep_forever()
    finally:
        with trio.CancelScope(deadline=trio.current_time() + CLOSE_SECONDS, shield=True):
            await trio.to_thread.run_sync(engine.close, **_MAY_BE_LEFT)


def key_in_name(name: str) -> PeerKey | None:
    """Return the key that a service is named after."""
    found = _NAME.fullmatch(name)
    try:
        return None if found is None else key_of(found[1])
    except PeerError:
        return None


def networks_of(hosts: Sequence[str], numbers: Iterable[tuple[str, int]]) -> Networks:
    """Return the networks of these hosts, by all numbers of this machine and their prefixes."""
    return tuple(
        ipaddress.IPv4Network((number, prefix), strict=False)
        for number, prefix in numbers
        if number in hosts
    )


def dialled(hosts: Iterable[str], port: int, networks: Networks) -> tuple[Address, ...]:
    """Return which of the places where somebody says to be are dialled."""
    addresses = [Address("ip4", host, port) for host in hosts]
    return tuple(
        one
        for one in addresses
        if is_nearby(one) and any(ipaddress.IPv4Address(one.host) in near for near in networks)
    )[:ADDRESSES_TAKEN]


def _numbers_here() -> list[tuple[str, int]]:
    """Return the numbers of this machine, each with how much of it is that of its network."""
    found = (number for adapter in ifaddr.get_adapters() for number in adapter.ips)
    return [(one.ip, one.network_prefix) for one in found if isinstance(one.ip, str)]


def _begun(who: Here, listener: ServiceListener) -> Zeroconf:
    engine = Zeroconf(interfaces=list(who.hosts), ip_version=IPVersion.V4Only)
    ServiceBrowser(engine, KIND, listener)
    question = DNSOutgoing(QUERY)
    question.add_question(DNSQuestion(KIND, PTR, IN))
    engine.send(question)
    return engine


def _announce(who: Here, engine: Zeroconf) -> None:
    # Two programs of one player have one key, and names of services must not be the same.
    own = f"{peer_id(who.key)}-{secrets.token_hex(3)}"
    info = ServiceInfo(
        KIND,
        f"{own}.{KIND}",
        port=who.port,
        parsed_addresses=list(who.hosts),
        server=f"{own}.local.",
    )
    with suppress(Exception):  # the library raises anything, also because it was closed meanwhile
        engine.register_service(info)


class _Listener(ServiceListener):
    """Hands over what was heard; its methods are called in a thread of the library."""

    def __init__(
        self, own: PeerKey, networks: Networks, token: trio.lowlevel.TrioToken, found: Found
    ) -> None:
        self._own = own
        self._networks = networks
        self._token = token
        self._found = found

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Take in that somebody is there."""
        key = key_in_name(name)
        if key is None or key == self._own:
            return
        info = ServiceInfo(type_, name)
        info.load_from_cache(zc)
        if not info.port:
            return
        near = dialled(info.parsed_addresses(IPVersion.V4Only), info.port, self._networks)
        if near:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._found, key, near)

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Take in that somebody is somewhere else."""
        self.add_service(zc, type_, name)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Do nothing: an address at which nobody is any more costs an attempt."""

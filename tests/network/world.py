"""Small internets inside this machine: hosts with addresses of their own, routers, and bad lines.

Every host is a network namespace of the kernel, so its programs see their own addresses, ports and
routes and nothing else. What lies between them is this process: each interface is a TUN device, and
a *wire* carries packets from one to the others, late, not at all, or not between certain hosts. A
router is a host on two wires; the kernel translates addresses there (netfilter, masquerading), as
routers at home do.

No tool and no privilege is needed: `unshare` of util-linux starts the whole in namespaces of its
own (`tests.network.starting`), in which this process may do all of this, and everything is gone
when it ends. Kernels do not always have `netem`, so delay and loss are made here.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio
from pyroute2 import IPRoute  # type: ignore[import-untyped]  # it has no types
from pyroute2.nftables.expressions import genex, masq  # type: ignore[import-untyped]  # as above
from pyroute2.nftables.main import NFTables  # type: ignore[import-untyped]  # as above

from nodealer.kernel.chance import Chance

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001

MTU = 1500
QUEUE = 4096
MULTICAST_FROM = 224

IPV4 = 2
POSTROUTING_PRIORITY = 100
ACCEPT, DROP = 1, 0

STRICT = [genex("masq", {"flags": ["NF_NAT_RANGE_PROTO_RANDOM_FULLY"]})]
"""Masquerading under ports drawn by chance, another one for each connection."""

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(slots=True)
class Port:
    """One interface of a host, on a wire."""

    host: str
    address: str
    device: int


@dataclass(slots=True)
class Wire:
    """What carries packets between interfaces: a network in a house, or all the rest."""

    delay_seconds: float = 0.0
    loss_percent: int = 0
    ports: dict[bytes, Port] = field(default_factory=dict)
    parted: set[frozenset[str]] = field(default_factory=set)
    """Pairs of hosts between which nothing passes."""
    carried: int = 0


class World:
    """Hosts and wires; `run` carries packets until cancelled."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = Chance("world", seed)
        self._spaces: dict[str, int] = {}
        self._home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self._wires: list[Wire] = []
        self.internet = self.wire()

    def wire(self, *, delay_seconds: float = 0.0, loss_percent: int = 0) -> Wire:
        """Return a new wire."""
        made = Wire(delay_seconds, loss_percent)
        self._wires.append(made)
        return made

    def host(self, name: str, address: str, wire: Wire, gateway: str | None = None) -> str:
        """Add a host with one address, which sends everything else to a gateway."""
        self._spaces[name] = self._new_space()
        with self._inside(name), IPRoute() as route:
            lo = route.link_lookup(ifname="lo")[0]
            route.link("set", index=lo, state="up")
        self._plug(name, "eth0", address, wire)
        if gateway is not None:
            with self._inside(name), IPRoute() as route:
                route.route("add", dst="0.0.0.0/0", gateway=gateway)
        return name

    def router(self, name: str, outer: str, inner: str, home: Wire, *, keeps_ports: bool) -> None:
        """Add a router between the internet and a house."""
        self.host(name, outer, self.internet)
        self._plug(name, "eth1", inner, home)
        with self._inside(name):
            _write("/proc/sys/net/ipv4/ip_forward", "1")
            _masquerade(keeps_ports=keeps_ports)

    def house(self, number: int, *, keeps_ports: bool = True) -> None:
        """Add a house with one computer, `house-N`, behind a router that translates."""
        home = self.wire()
        inner = f"10.0.{number}.1"
        outer = f"203.0.113.{100 + number}"
        self.router(f"router-{number}", outer, inner, home, keeps_ports=keeps_ports)
        self.host(f"house-{number}", f"10.0.{number}.2", home, inner)

    def entering(self, name: str) -> Callable[[], None]:
        """Return what a child process does to be on a host."""
        space = self._spaces[name]

        def enter() -> None:
            _enter(space)

        return enter

    def part(self, wire: Wire, one: str, other: str) -> None:
        """Let nothing pass between two hosts on a wire."""
        wire.parted.add(frozenset((one, other)))

    async def run(self) -> None:
        """Carry packets until cancelled."""
        async with trio.open_nursery() as nursery:
            for wire in self._wires:
                for port in wire.ports.values():
                    nursery.start_soon(self._carry, wire, port)

    # --- inside ---

    def _new_space(self) -> int:
        _check(_libc.unshare(CLONE_NEWNET))
        space = os.open("/proc/self/ns/net", os.O_RDONLY)
        _enter(self._home)
        return space

    @contextmanager
    def _inside(self, name: str) -> Iterator[None]:
        _enter(self._spaces[name])
        try:
            yield
        finally:
            _enter(self._home)

    def _plug(self, name: str, interface: str, address: str, wire: Wire) -> None:
        with self._inside(name):
            device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            request = struct.pack("16sH22x", interface.encode(), IFF_TUN_NO_PI)
            fcntl.ioctl(device, TUNSETIFF, request)
            with IPRoute() as route:
                index = route.link_lookup(ifname=interface)[0]
                route.addr("add", index=index, address=address, prefixlen=24)
                route.link("set", index=index, state="up", mtu=MTU)
                if interface == "eth0":
                    route.route("add", dst="224.0.0.0/4", oif=index)
        wire.ports[_number(address)] = Port(name, address, device)

    async def _carry(self, wire: Wire, source: Port) -> None:
        """Carry what one interface sends."""
        send, receive = trio.open_memory_channel[tuple[float, bytes, Port]](QUEUE)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_deliver, receive)
            while True:
                await trio.lowlevel.wait_readable(source.device)
                try:
                    packet = os.read(source.device, 1 << 16)
                except BlockingIOError:
                    continue
                for port in self._targets(wire, source, packet):
                    try:
                        send.send_nowait((trio.current_time() + wire.delay_seconds, packet, port))
                    except trio.WouldBlock:
                        break  # a full queue drops, as routers do

    def _targets(self, wire: Wire, source: Port, packet: bytes) -> list[Port]:
        """Return who gets a packet."""
        if packet[0] >> 4 != 4:  # there is no version 6 here
            return []
        target = packet[16:20]
        if target[0] >= MULTICAST_FROM:
            found = [port for port in wire.ports.values() if port is not source]
        else:
            found = [wire.ports[target]] if target in wire.ports else self._ways(wire, source)
        found = [one for one in found if frozenset((source.host, one.host)) not in wire.parted]
        if wire.loss_percent and self._chance.below(100) < wire.loss_percent:
            return []
        wire.carried += len(found)
        return found

    def _ways(self, wire: Wire, source: Port) -> list[Port]:
        """Return the router of a house for what goes elsewhere; the internet has no other."""
        if wire is self.internet:
            return []
        routers = [one for one in wire.ports.values() if one.address.endswith(".1")]
        return [one for one in routers if one is not source]


async def _deliver(queue: trio.MemoryReceiveChannel[tuple[float, bytes, Port]]) -> None:
    async for due, packet, port in queue:
        if due > trio.current_time():
            await trio.sleep_until(due)
        try:
            os.write(port.device, packet)
        except BlockingIOError:
            continue


def _masquerade(*, keeps_ports: bool) -> None:
    """Let the kernel translate what leaves; with another port for each connection, if so wanted."""
    with NFTables(nfgen_family=IPV4) as nft:
        nft.table("add", name="nat")
        nft.chain(
            "add",
            table="nat",
            name="out",
            hook="postrouting",
            type="nat",
            priority=POSTROUTING_PRIORITY,
            policy=ACCEPT,
        )
        # Of a connection only the first packet is asked; the others follow it, both ways.
        nft.rule("add", table="nat", chain="out", expressions=(masq() if keeps_ports else STRICT,))
        # What nobody inside has asked for gets no answer.
        nft.table("add", name="door")
        nft.chain(
            "add", table="door", name="in", hook="input", type="filter", priority=0, policy=DROP
        )


def _number(address: str) -> bytes:
    return bytes(int(part) for part in address.split("."))


def _enter(space: int) -> None:
    _check(_libc.setns(space, CLONE_NEWNET))


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - of the kernel, no file
        file.write(text)

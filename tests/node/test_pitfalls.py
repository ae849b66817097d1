"""What libp2p 0.8.1 does that could hit us, and that it does not.

Each was seen to happen with the library used as its examples show. The numbers are those of the
list in `specs/08-node.md`; what has its test elsewhere is named there.
"""

from __future__ import annotations

import logging
import socket
from contextlib import suppress

import pytest
import trio
import trio.testing
from libp2p.custom_types import TProtocol
from libp2p.network.stream.exceptions import StreamEOF, StreamReset
from libp2p.network.stream.net_stream import NetStream
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from libp2p.peer.peerinfo import info_from_p2p_addr
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Cause
from nodealer.node.transport import library, over_libp2p
from nodealer.node.transport.addresses import Address, parse, peer_id
from nodealer.node.transport.carrier import Stream, Unreachable
from nodealer.node.transport.doorkeeper import Caller, Doorkeeper
from nodealer.node.transport.library import open_stream
from nodealer.node.transport.over_libp2p import (
    PROTOCOL,
    Libp2pCarrier,
    Libp2pStream,
    open_carrier,
)
from nodealer.node.transport.ports import ListenError
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.timing import WINDOW_FRAMES
from tests.node.makers import (
    HERE,
    SEEDS,
    Libp2pMaker,
    ended,
    in_virtual_time,
    key,
    stream_between,
    up,
)
from tests.node.test_links import linked, nodes, numbered, take

MULTISTREAM = "/multistream/1.0.0"
WEAKER = ["/plaintext/2.0.0", "/secio/1.0.0", "/tls/1.0.0"]


def line(text: str) -> bytes:
    """Return a line of multistream."""
    return bytes([len(text) + 1]) + text.encode() + b"\n"


async def read_line(stream: trio.SocketStream) -> str:
    length = (await stream.receive_some(1))[0]
    text = b""
    while len(text) < length:
        text += await stream.receive_some(length - len(text))
    return text.decode().strip()


def port_of(carrier: Libp2pCarrier) -> int:
    return carrier.addresses()[0].port


async def is_well(carrier: Libp2pCarrier) -> None:
    """Require that a carrier still takes streams."""
    async with open_carrier(SEEDS[7], [HERE]) as friend:
        with trio.fail_after(10):
            here, there = await stream_between(friend, carrier)
            await here.write(b"well?")
            assert await there.read() == b"well?"


def test_1_nothing_weaker_than_noise_is_accepted() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            raw = await trio.open_tcp_stream("127.0.0.1", port_of(carrier))
            await raw.send_all(line(MULTISTREAM))
            assert await read_line(raw) == MULTISTREAM
            for proposal in WEAKER:
                await raw.send_all(line(proposal))
                assert await read_line(raw) == "na"
            await raw.send_all(line("/noise"))
            assert await read_line(raw) == "/noise"
            await raw.aclose()

    trio.run(main)


def test_1_nothing_weaker_than_noise_is_proposed() -> None:
    proposed = []

    async def attacker(raw: trio.SocketStream) -> None:
        await raw.send_all(line(MULTISTREAM))
        assert await read_line(raw) == MULTISTREAM
        proposed.append(await read_line(raw))
        await raw.send_all(line("na"))
        try:
            while True:
                proposed.append(await read_line(raw))
        except (IndexError, trio.BrokenResourceError):
            await raw.aclose()

    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            nursery.start_soon(trio.serve_listeners, attacker, [listener])
            port = listener.socket.getsockname()[1]
            with pytest.raises(Unreachable) as caught:
                await carrier.open(key(1), Address("ip4", "127.0.0.1", port))
            assert caught.value.cause is Cause.HANDSHAKE
            nursery.cancel_scope.cancel()
        assert proposed == ["/noise"]

    trio.run(main)


def test_2_more_streams_than_anybody_accepts_end_themselves_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(over_libp2p, "BACKLOG", 3)

    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            async with open_carrier(SEEDS[1], [HERE]) as flooder:
                for _ in range(3):
                    await flooder.open(carrier.key, carrier.addresses()[0])
                with trio.fail_after(10):
                    assert await is_turned_away(flooder, carrier)
            for _ in range(3):
                await (await carrier.accept()).abandon()
            await is_well(carrier)

    trio.run(main)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"\x02\xff\n", id="a name that is no text"),
        pytest.param(b"\xff" * 12, id="a length without an end"),
        pytest.param(b"\x01\n", id="no name"),
    ],
)
def test_2_what_cannot_be_negotiated_ends_its_own_stream_only(said: bytes) -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, open_carrier(SEEDS[1], [HERE]) as bad:
            swarm = bad.host.get_network()
            assert isinstance(swarm, Swarm)
            peer = ID.from_string(peer_id(carrier.key))
            connection = await library.dial(swarm, carrier.addresses()[0], peer)
            stream = await connection.new_stream()
            assert isinstance(stream, NetStream)
            await stream.write(line(MULTISTREAM) + said)
            await stream.close_write()
            with trio.fail_after(10), suppress(StreamEOF, StreamReset):
                while await stream.read():
                    pass
            await is_well(carrier)

    trio.run(main)


def test_2_what_a_handler_of_the_library_raises_ends_its_own_stream_only() -> None:
    defective = TProtocol("/defective/1")

    async def fail(_: object) -> None:
        raise ZeroDivisionError

    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, open_carrier(SEEDS[1], [HERE]) as bad:
            carrier.host.set_stream_handler(defective, fail)
            swarm = bad.host.get_network()
            assert isinstance(swarm, Swarm)
            peer = ID.from_string(peer_id(carrier.key))
            connection = await library.dial(swarm, carrier.addresses()[0], peer)
            stream = await library.open_stream(connection, defective)
            with trio.fail_after(10), suppress(StreamEOF, StreamReset):
                while await stream.read():
                    pass
            await is_well(carrier)

    trio.run(main)


async def is_turned_away(one: Libp2pCarrier, other: Libp2pCarrier) -> bool:
    """Say whether a new stream ends at once, or does not even begin."""
    try:
        return await ended(await one.open(other.key, other.addresses()[0]))
    except Unreachable:
        return True


async def require_end(stream: Stream) -> None:
    """Require that a stream ends soon, and before anything comes."""
    with trio.fail_after(3):
        assert await ended(stream)


def test_4_a_cancelled_carrier_listens_no_more() -> None:
    async def main() -> None:
        address = HERE
        with trio.CancelScope() as scope:
            async with (
                open_carrier(SEEDS[0], [HERE]) as carrier,
                open_carrier(SEEDS[1], [HERE]) as other,
            ):
                await stream_between(other, carrier)
                address = carrier.addresses()[0]
                scope.cancel()
        with pytest.raises(OSError, match="all attempts to connect"):
            await trio.open_tcp_stream(address.host, address.port)

    trio.run(main)


def test_6_a_reader_that_sleeps_for_long_does_not_lose_its_stream() -> None:
    async def main() -> None:
        async with nodes(Libp2pMaker(), 2) as (boards, _):
            here, there = await linked(boards[0], boards[1])
            for payload in numbered(WINDOW_FRAMES):
                assert here.offer(payload * 1000)
            await trio.sleep(60)
            assert here.state is LinkState.UP
            for payload in numbered(WINDOW_FRAMES):
                assert await take(there, 1) == [payload * 1000]

    in_virtual_time(main)


def test_7_a_peer_that_could_not_be_reached_can_be_a_moment_later() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            async with open_carrier(SEEDS[1], [HERE]) as other:
                address = other.addresses()[0]
            with trio.fail_after(5):
                for _ in range(5):
                    with pytest.raises(Unreachable):
                        await carrier.open(key(1), address)
            async with open_carrier(SEEDS[1], [address]):
                await carrier.open(key(1), address)

    trio.run(main)


def test_8_the_library_dials_nobody_by_itself() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, open_carrier(SEEDS[1], [HERE]) as b:
            swarm = carrier.host.get_network()
            assert isinstance(swarm, Swarm)
            peer = ID.from_string(peer_id(key(1)))
            info = info_from_p2p_addr(Multiaddr(f"{b.addresses()[0]}/p2p/{peer_id(key(1))}"))
            carrier.host.get_peerstore().add_addrs(peer, info.addrs, 10_000)
            await swarm.auto_connector.maybe_connect()
            await trio.sleep(300)
            assert not swarm.get_connections()

    in_virtual_time(main)


def test_12_there_is_no_other_transport_than_tcp() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            swarm = carrier.host.get_network()
            assert isinstance(swarm, Swarm)
            transports = swarm.transport_manager.get_transports()
            assert [type(one).__name__ for one in transports] == ["TCP"]

    trio.run(main)


def test_13_a_busy_port_is_said_and_not_shared() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            address = carrier.addresses()[0]
            with pytest.raises(ListenError, match="in use") as caught:
                async with open_carrier(SEEDS[1], [HERE, address]):
                    pytest.fail("the port belongs to another")
            assert caught.value.address == address

    trio.run(main)


def test_13_that_the_library_does_not_listen_is_said() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE, HERE]):
            pytest.fail("it takes two equal addresses for one")

    with pytest.RaisesGroup(ListenError, flatten_subgroups=True):
        trio.run(main)


@pytest.mark.parametrize("text", ["/ip4/192.0.2.1/tcp/0", "/dns4/localhost/tcp/0"])
def test_13_an_address_that_is_not_of_this_machine_is_said(text: str) -> None:
    async def main() -> None:
        with pytest.raises(ListenError):
            async with open_carrier(SEEDS[0], [parse(text)]):
                pytest.fail("nobody can listen there")

    trio.run(main)


def test_13_all_addresses_of_this_machine_are_named_one_by_one() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [parse("/ip4/0.0.0.0/tcp/0")]) as carrier:
            found = carrier.addresses()
            assert Address("ip4", "127.0.0.1", found[0].port) in found
            assert not [one for one in found if one.host == "0.0.0.0"]  # noqa: S104 - not bound
            assert len(set(found)) == len(found)

    trio.run(main)


def test_14_a_stream_lasts_although_nothing_happens_on_it() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
            here, there = await stream_between(one, other)
            await trio.sleep(600)
            assert isinstance(there, Libp2pStream)
            assert there._stream in there.connection.get_streams()
            await here.write(b"still there")
            assert await there.read() == b"still there"

    in_virtual_time(main)


def test_16_the_address_that_is_meant_is_the_one_that_is_dialled() -> None:
    async def main() -> None:
        async with nodes(Libp2pMaker(), 2) as (boards, _):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                dead = Address("ip4", "127.0.0.1", probe.getsockname()[1])
            good = boards[1].addresses()[0]
            here = boards[0].link(key(1), (dead, good))
            await up(here)
            assert here.place == good

    trio.run(main)


class Watched(Doorkeeper):
    """A doorkeeper that says when the last one of twelve has left."""

    def __init__(self) -> None:
        super().__init__()
        self.is_empty = trio.Event()
        self._count = 0

    def left(self, caller: Caller) -> None:
        super().left(caller)
        self._count += 1
        if self._count == 12:
            assert not self._places.held
            self.is_empty.set()


def test_17_closed_connections_leave_their_places() -> None:
    async def main() -> None:
        door = Watched()
        async with (
            open_carrier(SEEDS[0], [HERE]) as one,
            open_carrier(SEEDS[1], [HERE], door=door) as other,
        ):
            before = trio.lowlevel.current_statistics().tasks_living
            for _ in range(12):
                here, there = await stream_between(one, other)
                await here.abandon()
                assert await ended(there)
                await there.abandon()
            assert trio.lowlevel.current_statistics().tasks_living <= before + 8
            with trio.fail_after(10):
                await door.is_empty.wait()

    trio.run(main)


Found = tuple[socket.AddressFamily, int, int, str, tuple[str, int]]


async def two_numbers(host: str, port: int, family: int, kind: int) -> list[Found]:
    """Know one name, and two numbers for it, of which one does not answer."""
    await trio.lowlevel.checkpoint()
    if host != "table.example" or family == socket.AF_INET6:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")
    numbers = ["127.0.0.2", "127.0.0.1", "127.0.0.1"]
    return [(socket.AF_INET, kind, 0, "", (number, port)) for number in numbers]


def test_21_names_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
            port = port_of(other)
            here = await one.open(key(1), Address("dns4", "localhost", port))
            await here.abandon()
            with monkeypatch.context() as patch:
                patch.setattr(trio.socket, "getaddrinfo", two_numbers)
                here = await one.open(key(1), Address("dns", "table.example", port))
                assert here.place == Address("dns", "table.example", port)
                with pytest.raises(Unreachable) as caught:
                    await one.open(key(1), Address("dns6", "table.example", port))
                assert caught.value.cause is Cause.UNREACHABLE

    trio.run(main)


def test_two_streams_of_one_connection_end_one_by_one() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
            first, there = await stream_between(one, other)
            assert isinstance(first, Libp2pStream)
            second = Libp2pStream(
                one, await open_stream(first.connection, PROTOCOL), first.peer, first.place
            )
            there_too = await other.accept()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(require_end, first)
                await trio.testing.wait_all_tasks_blocked()
                await first.abandon()
            assert await ended(there)
            await there.abandon()
            await second.write(b"still here")
            assert await there_too.read() == b"still here"

    trio.run(main)


def test_15_the_library_is_silenced_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    library.quieten()
    (handler,) = logging.getLogger().handlers
    assert isinstance(handler, logging.NullHandler)
    assert logging.getLogger("libp2p.network").getEffectiveLevel() == logging.CRITICAL


def test_whatever_is_raised_while_something_ends_is_put_up_with() -> None:
    async def fail() -> None:
        await trio.lowlevel.checkpoint()
        raise KeyError

    trio.run(library.quietly, fail())


def test_a_program_of_another_version_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(over_libp2p, "PROTOCOL", TProtocol("/nodealer/link/2"))
            newer = open_carrier(SEEDS[1], [HERE])
            other = await newer.__aenter__()
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            with pytest.raises(Unreachable) as caught:
                await carrier.open(key(1), other.addresses()[0])
            assert caught.value.cause is Cause.OTHER_PROTOCOL
        await newer.__aexit__(None, None, None)

    trio.run(main)


def test_junk_on_the_port_disturbs_nobody() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            for junk in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 10_000, line(MULTISTREAM)):
                raw = await trio.open_tcp_stream("127.0.0.1", port_of(carrier))
                await raw.send_all(junk)
                await raw.aclose()
            await is_well(carrier)

    trio.run(main)

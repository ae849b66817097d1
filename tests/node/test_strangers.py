"""What somebody can do who has nothing but the address of a node: come in slowly, or not at all.

Each stage ends by itself when the stranger stops there, whichever side has dialled; no key is
computed with that is not of the one kind; nothing is spoken that is not ours; and nothing is
remembered of whoever has gone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
import trio
from Crypto.PublicKey import RSA
from libp2p.crypto import serialization
from libp2p.crypto.exceptions import MissingDeserializerError
from libp2p.crypto.keys import KeyType
from libp2p.crypto.pb import crypto_pb2
from libp2p.peer.envelope import pub_key_from_protobuf
from libp2p.peer.pb import crypto_pb2 as envelope_pb2
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import Cause, PeerError
from nodealer.node.transport import guarded
from nodealer.node.transport.addresses import Address, PeerKey, parse
from nodealer.node.transport.carrier import BrokenRuleError, Unreachable
from nodealer.node.transport.guarded import (
    HANDSHAKE_SECONDS,
    IDLE_SECONDS,
    STAGE_SECONDS,
    GuardedSwarm,
)
from nodealer.node.transport.library import NEGOTIATION_SECONDS
from nodealer.node.transport.multistream import LINE_BYTES_MAX
from nodealer.node.transport.over_libp2p import PROTOCOL, Libp2pCarrier, Libp2pStream, open_carrier
from nodealer.node.transport.secured import read_payload
from tests.node.makers import HERE, SEEDS, in_virtual_time, key, stream_between
from tests.node.stranger import CREDIT, MULTISTREAM, SYN, Stranger, calling, field, frame, line
from tests.node.test_pitfalls import is_well

Step = Callable[[Stranger], Awaitable[object]]


async def say_half_a_line(stranger: Stranger) -> None:
    await stranger.raw.send_all(line(MULTISTREAM)[:7])


async def ask_for_others_for_ever(stranger: Stranger) -> None:
    await stranger.raw.send_all(line(MULTISTREAM))
    for _ in range(1_000):
        await stranger.raw.send_all(line("/tls/1.0.0"))


async def say_no_line(stranger: Stranger) -> None:
    await stranger.raw.send_all(b"\xff\x7f" + bytes(LINE_BYTES_MAX))


async def say_a_line_of_no_letters(stranger: Stranger) -> None:
    await stranger.raw.send_all(b"\x02\xff\n")


async def say_a_line_without_an_end(stranger: Stranger) -> None:
    await stranger.raw.send_all(b"\x02ab")


async def speak_something_else(stranger: Stranger) -> None:
    await stranger.raw.send_all(line("/multistream/2.0.0"))


async def half_a_message(stranger: Stranger) -> None:
    await stranger.ask_for_noise()
    await stranger.raw.send_all(b"\x00\x20" + bytes(16))


async def a_long_message(stranger: Stranger) -> None:
    await stranger.ask_for_noise()
    await stranger.raw.send_all((60_000).to_bytes(2, "big"))


async def half_a_handshake(stranger: Stranger) -> None:
    await stranger.ask_for_noise()
    await stranger.begin_noise()


async def no_muxer(stranger: Stranger) -> None:
    await half_a_handshake(stranger)
    await stranger.end_noise()


async def a_name_of_many_bytes(stranger: Stranger) -> None:
    await stranger.raw.send_all(line(MULTISTREAM) + b"\x81\x01" + bytes(128) + b"\n")


async def a_frame_of_nothing(stranger: Stranger) -> None:
    await no_muxer(stranger)
    await stranger.send_packet(bytes(stranger.noise.encrypt(b"")))


async def no_stream(stranger: Stranger) -> None:
    await stranger.come_in()


async def a_stream_that_ends(stranger: Stranger) -> None:
    await stranger.come_in()
    await stranger.propose(1, "/nobody/speaks/this")
    await stranger.send(frame(CREDIT, 8, 1, 0))


async def a_stream_without_a_word(stranger: Stranger) -> None:
    await stranger.come_in()
    await stranger.send(frame(CREDIT, SYN, 1, 0))


ENDS: dict[Step, float] = {
    Stranger.is_shut_out: STAGE_SECONDS,  # says nothing
    say_half_a_line: STAGE_SECONDS,
    say_no_line: 0,
    say_a_line_of_no_letters: 0,
    say_a_line_without_an_end: 0,
    speak_something_else: 0,
    ask_for_others_for_ever: 0,
    a_name_of_many_bytes: STAGE_SECONDS,
    Stranger.ask_for_noise: STAGE_SECONDS,
    half_a_message: STAGE_SECONDS,
    a_long_message: 0,
    half_a_handshake: STAGE_SECONDS,
    no_muxer: STAGE_SECONDS,
    a_frame_of_nothing: 0,
    no_stream: IDLE_SECONDS,
    a_stream_that_ends: IDLE_SECONDS,
    a_stream_without_a_word: NEGOTIATION_SECONDS + IDLE_SECONDS,
}
"""What a stranger does before it stops, and for how long it is waited for then."""


@pytest.mark.parametrize("step", ENDS, ids=lambda step: str(step.__name__))
def test_who_stops_on_the_way_in_is_shut_out(step: Step) -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            async with calling(carrier) as stranger:
                began = trio.current_time()
                with suppress(trio.BrokenResourceError):  # it is not waited for the end of it
                    await step(stranger)
                await stranger.is_shut_out()
                # In virtual time; what is over sooner is so by a rule and not by a limit.
                assert trio.current_time() - began <= ENDS[step] + 0.5
            await is_well(carrier)

    in_virtual_time(main)


def test_who_comes_in_one_byte_at_a_time_has_a_limit_for_all_of_it() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            began = trio.current_time()
            await trio.sleep(STAGE_SECONDS - 0.1)
            await stranger.ask_for_noise()
            await trio.sleep(STAGE_SECONDS - 0.1)
            await half_of(stranger)
            await stranger.is_shut_out()
            assert trio.current_time() - began <= HANDSHAKE_SECONDS + 0.5

    async def half_of(stranger: Stranger) -> None:
        await stranger.begin_noise()
        await stranger.end_noise()

    in_virtual_time(main)


@asynccontextmanager
async def waiting_for_calls(steps: list[Step]) -> AsyncIterator[tuple[Address, trio.Event]]:
    """Wait for a call of a node, do these steps, and then nothing until it has hung up."""
    hung_up = trio.Event()

    async def serve(raw: trio.SocketStream) -> None:
        async with raw:
            stranger = Stranger(raw)
            for step in steps:
                await step(stranger)
            await stranger.is_shut_out()
        hung_up.set()

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, [listener])
        yield Address("ip4", "127.0.0.1", listener.socket.getsockname()[1]), hung_up
        nursery.cancel_scope.cancel()


ANSWERS: list[Step] = [Stranger.agree_on_noise, Stranger.answer_noise, Stranger.agree_on_yamux]


@pytest.mark.parametrize("count", range(len(ANSWERS) + 1))
def test_who_is_called_and_stops_answering_is_left(count: int) -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as carrier,
            waiting_for_calls(ANSWERS[:count]) as (address, hung_up),
        ):
            began = trio.current_time()
            with pytest.raises(Unreachable) as caught:
                await carrier.open(key(6), address)
            assert caught.value.cause is Cause.HANDSHAKE
            await hung_up.wait()
            limit = NEGOTIATION_SECONDS if count == len(ANSWERS) else STAGE_SECONDS
            assert trio.current_time() - began <= limit + 2

    in_virtual_time(main)


async def answer_something_else(stranger: Stranger) -> None:
    await stranger.raw.send_all(line(MULTISTREAM) + line("/noise/2"))


def test_who_answers_what_nobody_has_proposed_is_left() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as carrier,
            waiting_for_calls([answer_something_else]) as (address, hung_up),
        ):
            with pytest.raises(Unreachable):
                await carrier.open(key(6), address)
            await hung_up.wait()

    trio.run(main)


# --- keys ---


def rsa_identity(size: int) -> bytes:
    """Return a payload with an RSA key of so many bytes, whose numbers are as large as that."""
    return field(1, b"\x08\x00" + field(2, b"\x30" + bytes([7]) * size)) + field(2, bytes(64))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the lengths of all RSA keys with which anything was computed."""
    lengths: list[int] = []

    def import_key(data: bytes) -> None:
        lengths.append(len(data))
        raise ValueError

    monkeypatch.setattr(RSA, "import_key", import_key)
    return lengths


@pytest.mark.parametrize("size", [100, 60_000])
def test_no_rsa_key_is_computed_with_of_one_who_calls(computed: list[int], size: int) -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            async with calling(carrier) as stranger:
                await half_a_handshake(stranger)
                await stranger.end_noise(rsa_identity(size))
                await stranger.is_shut_out()
            await is_well(carrier)

    trio.run(main)
    assert computed == []


@pytest.mark.parametrize("size", [100, 60_000])
def test_no_rsa_key_is_computed_with_of_one_who_is_called(computed: list[int], size: int) -> None:
    async def answer(stranger: Stranger) -> None:
        with pytest.raises(trio.EndOfChannel):
            await stranger.answer_noise(rsa_identity(size))

    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as carrier,
            waiting_for_calls([Stranger.agree_on_noise, answer]) as (address, hung_up),
        ):
            with pytest.raises(Unreachable):
                await carrier.open(key(6), address)
            await hung_up.wait()

    trio.run(main)
    assert computed == []


def test_the_library_reads_keys_of_one_kind_wherever_it_reads_one(computed: list[int]) -> None:
    guarded.refuse_other_keys()
    for kind in KeyType:
        if kind is not KeyType.Ed25519:
            with pytest.raises((MissingDeserializerError, ValueError)):
                serialization.deserialize_public_key(
                    crypto_pb2.PublicKey(key_type=kind.value, data=bytes(99)).SerializeToString()
                )
    for kind in (KeyType.RSA, KeyType.Secp256k1):
        with pytest.raises(ValueError, match="another kind"):
            pub_key_from_protobuf(envelope_pb2.PublicKey(Type=kind.name, Data=bytes(99)))
    assert computed == []


GOOD_KEY = b"\x08\x01\x12\x20" + key(6)


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x0a", id="a field without a length"),
        pytest.param(b"\x0a\x80", id="half a length"),
        pytest.param(b"\x0a\x05abc", id="a field cut short"),
        pytest.param(b"\x08\x01", id="a number"),
        pytest.param(b"\x8a\x01\x00", id="a field of a high number"),
        pytest.param(field(1, GOOD_KEY) * 2, id="a field twice"),
        pytest.param(field(1, GOOD_KEY), id="no signature"),
        pytest.param(field(1, GOOD_KEY) + field(2, bytes(63)), id="a short signature"),
        pytest.param(field(1, GOOD_KEY) + field(2, bytes(64)), id="a wrong signature"),
        pytest.param(field(1, GOOD_KEY[:-1]) + field(2, bytes(64)), id="a short key"),
        pytest.param(field(1, GOOD_KEY + b"\0") + field(2, bytes(64)), id="a long key"),
        pytest.param(field(1, GOOD_KEY[4:]) + field(2, bytes(64)), id="a key without its kind"),
        pytest.param(
            field(1, GOOD_KEY[:4] + b"\xff" * 32) + field(2, bytes(64)), id="a key that is no point"
        ),
    ],
)
def test_what_proves_no_key_is_refused(payload: bytes) -> None:
    with pytest.raises(BrokenRuleError):
        read_payload(payload, bytes(32))


def test_a_key_under_which_anything_is_signed_is_refused() -> None:
    payload = field(1, GOOD_KEY[:4] + bytes(32)) + field(2, bytes(64))
    with pytest.raises(PeerError):
        read_payload(payload, bytes(32))


def test_extensions_of_others_are_passed_over() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await half_a_handshake(stranger)
            await stranger.end_noise(field(4, bytes(200)) + stranger.payload())
            await stranger.ask_for_yamux()

    trio.run(main)


# --- what is spoken, and what is remembered ---

OF_THE_LIBRARY = ["/ipfs/id/1.0.0", "/ipfs/id/push/1.0.0", "/ipfs/ping/1.0.0", "ls"]


def remembered(carrier: Libp2pCarrier) -> int:
    """Count what the library knows of peers."""
    swarm = carrier.host.get_network()
    assert isinstance(swarm, GuardedSwarm)
    return sum(
        map(
            len,
            (
                swarm.peerstore.peer_ids(),
                swarm.auto_connector._recent_disconnects,
                swarm.tag_store._tags,
                swarm.connections,
                swarm.notifees,
                swarm.health_data,
            ),
        )
    )


def test_nothing_is_spoken_but_what_is_used_and_nobody_remembered() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            before = remembered(carrier)
            for seed in SEEDS[2:6]:
                async with calling(carrier, seed) as stranger:
                    await stranger.come_in()
                    for number, protocol in enumerate(OF_THE_LIBRARY):
                        await stranger.propose(2 * number + 1, protocol)
                    said = b""
                    while said.count(line("na")) < len(OF_THE_LIBRARY):
                        said += (await stranger.hear_frame())[4]
                assert not any(line(protocol) in said for protocol in OF_THE_LIBRARY)
            await is_well(carrier)
            await trio.sleep(0.5)
            assert remembered(carrier) == before

    trio.run(main)


def test_a_node_asks_nobody_who_comes_in_anything() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await stranger.come_in()
            await stranger.propose(1, str(PROTOCOL))
            heard = [await stranger.hear_frame() for _ in range(3)]
            assert [one[:3] for one in heard] == [(1, 2, 1), (0, 0, 1), (0, 0, 1)]
            assert heard[1][4] + heard[2][4] == line(MULTISTREAM) + line(str(PROTOCOL))
            with pytest.raises(trio.TooSlowError), trio.fail_after(NEGOTIATION_SECONDS):
                await stranger.hear_frame()
            await (await carrier.accept()).abandon()

    in_virtual_time(main)


def test_where_a_caller_comes_from_is_known_for_both_kinds_of_numbers() -> None:
    async def main() -> None:
        listen = [HERE, parse("/ip6/::1/tcp/0")]
        async with open_carrier(SEEDS[0], listen) as one, open_carrier(SEEDS[1], [HERE]) as other:
            for address in one.addresses():
                here = await other.open(PeerKey(one.key), address)
                there = await one.accept()
                assert there.place is not None
                assert (there.place.kind, there.place.host) == (address.kind, address.host)
                await here.abandon()
                await there.abandon()

    trio.run(main)


def test_where_a_caller_has_been_is_unknown_once_it_is_gone() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
            here, there = await stream_between(other, one)
            await here.abandon()
            await there.abandon()
            assert isinstance(there, Libp2pStream)
            assert one._place_of(there._stream) is None

    trio.run(main)


class Gone:
    """What was accepted and has ended before anybody could look at it."""

    def __init__(self) -> None:
        self.is_closed = False

    async def read(self, n: int | None = None) -> bytes:
        del n
        await trio.lowlevel.checkpoint()
        return b""

    async def write(self, data: bytes) -> None:
        del data
        raise trio.BrokenResourceError

    async def close(self) -> None:
        await trio.lowlevel.checkpoint()
        self.is_closed = True

    def get_remote_address(self) -> None:
        return None


def test_who_has_gone_before_anybody_looks_is_let_go() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            swarm = carrier.host.get_network()
            assert isinstance(swarm, GuardedSwarm)
            gone = Gone()
            await swarm._handle_inbound_connection(
                gone,  # type: ignore[arg-type]  # not one of the library's
                Multiaddr(str(HERE)),
            )
            assert gone.is_closed
            await is_well(carrier)

    trio.run(main)

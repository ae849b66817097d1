"""Whether others reach a node: asked of a relay, which tries nobody but the one who asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from libp2p.abc import INetStream
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID

from nodealer.kernel.rates import Rate
from nodealer.node.transport import dialback
from nodealer.node.transport.addresses import Address, peer_id
from nodealer.node.transport.dialback import DialBackAnswer, DialBackFinding
from nodealer.node.transport.library import dial, open_stream
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from tests.node.makers import HERE, SEEDS, stream_between

LOCAL = "127.0.0.1"


@asynccontextmanager
async def relay_and_asker() -> AsyncIterator[tuple[Libp2pCarrier, Libp2pCarrier, Address]]:
    async with (
        open_carrier(SEEDS[2], [HERE], is_relay=True) as relay,
        open_carrier(SEEDS[0], [HERE]) as asker,
    ):
        yield relay, asker, replace(relay.addresses()[0], relay=relay.key)


def test_a_port_that_is_listened_on_is_reached_and_another_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dialback, "DIAL_BACKS", Rate(1, 0))

    async def main() -> None:
        async with relay_and_asker() as (relay, asker, place):
            mine, its = asker.addresses()[0].port, relay.addresses()[0].port
            assert await asker.ask_to_dial(place, mine) == DialBackAnswer(
                DialBackFinding.REACHED, LOCAL
            )
            # Somebody listens there, with another key.
            assert await asker.ask_to_dial(place, its) == DialBackAnswer(
                DialBackFinding.NOT_REACHED, LOCAL
            )
            assert await asker.ask_to_dial(place, 22) == DialBackAnswer(
                DialBackFinding.NOT_TRIED, LOCAL
            )
            here, there = await stream_between(relay, asker)
            await here.write(b"all is well")
            assert await there.read() == b"all is well"

    trio.run(main)


def test_nobody_may_ask_again_and_again() -> None:
    async def main() -> None:
        async with relay_and_asker() as (_, asker, place):
            mine = asker.addresses()[0].port
            findings = [(await asker.ask_to_dial(place, mine)).finding for _ in range(2)]
            assert findings == [DialBackFinding.REACHED, DialBackFinding.NOT_TRIED]

    trio.run(main)


def test_what_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialback, "TRY_SECONDS", 0.0)

    async def main() -> None:
        async with relay_and_asker() as (_, asker, place):
            answer = await asker.ask_to_dial(place, asker.addresses()[0].port)
            assert answer.finding is DialBackFinding.NOT_REACHED

    trio.run(main)


def test_half_a_question_ends_without_an_answer() -> None:
    async def main() -> None:
        async with relay_and_asker() as (relay, asker, place):
            known = ID.from_string(peer_id(relay.key))
            swarm = asker.host.get_network()
            assert isinstance(swarm, Swarm)
            connection = await dial(swarm, place, known)
            stream = await open_stream(connection, dialback.PROTOCOL)
            await stream.write(b"\x01")
            await stream.close_write()
            assert not await dialback._rest(stream)
            answer = await asker.ask_to_dial(place, asker.addresses()[0].port)
            assert answer.finding is DialBackFinding.REACHED

    trio.run(main)


def test_an_answer_that_does_not_end_is_no_answer() -> None:
    async def main() -> None:
        async with relay_and_asker() as (relay, asker, place):

            async def babble(stream: INetStream) -> None:
                await stream.write(bytes(1000))
                await stream.close()

            relay.host.set_stream_handler(dialback.PROTOCOL, babble)
            with pytest.raises(ValueError, match="does not appear to be"):
                await asker.ask_to_dial(place, 5000)

    trio.run(main)


def test_a_number_with_any_text_behind_it_is_no_answer() -> None:
    async def main() -> None:
        async with relay_and_asker() as (relay, asker, place):

            async def lie(stream: INetStream) -> None:
                await stream.write(b"\x01fe80::1%\x1b[2J\n")
                await stream.close()

            relay.host.set_stream_handler(dialback.PROTOCOL, lie)
            with pytest.raises(ValueError, match="does not appear to be"):
                await asker.ask_to_dial(place, 5000)

    trio.run(main)

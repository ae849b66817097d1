"""What a doctor finds, when something is wrong."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from nodealer.kernel import Cause
from nodealer.node import examining
from nodealer.node.examining import Finding, Health, at_home, outside
from nodealer.node.listening import Listening
from nodealer.node.practice import identity_in
from nodealer.node.transport import dialback, serving
from nodealer.node.transport.addresses import Address, parse
from nodealer.node.transport.admission import PLACES_AT_RELAY
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.store.places import Directories, Profile
from tests.node.makers import HERE, SEEDS, key


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return Directories(tmp_path / "config", tmp_path / "data", tmp_path / "state").profile()


def by_subject(profile: Profile) -> dict[str, Finding]:
    return {one.subject: one for one in at_home(profile)}


def test_nothing_is_made_by_looking(profile: Profile, tmp_path: Path) -> None:
    assert {one.standing for one in at_home(profile)} == {Health.GOOD}
    assert not list(tmp_path.iterdir())


def test_a_damaged_identity_is_bad(profile: Profile) -> None:
    identity_in(profile)
    assert by_subject(profile)["identity"].standing is Health.GOOD
    profile.key.write_bytes(b"x")
    found = by_subject(profile)["identity"]
    assert found.standing is Health.BAD
    assert found.advice


def test_a_full_disk_and_one_that_is_not_there(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "FREE_BYTES_MIN", 1 << 60)
    assert by_subject(profile)["disk"].standing is Health.BAD
    nowhere = Path("/proc/1/nothing")
    found = by_subject(Directories(nowhere, nowhere, nowhere).profile())["disk"]
    assert found.standing is Health.BAD
    assert "nothing can be written" in found.text


def test_a_clock_that_was_set_back_is_noticed(profile: Profile) -> None:
    profile.make()
    journal = profile.tables / f"{'0' * 64}.journal"
    journal.touch()
    os.utime(journal, (2**32, 2**32))
    assert by_subject(profile)["clock"].standing is Health.DOUBTFUL


def findings(*relays: Address, listen: Address = HERE) -> list[Finding]:
    return trio.run(outside, Listening((listen,), relays))


def test_a_port_that_somebody_has() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (found,) = findings(listen=parse(f"/ip4/127.0.0.1/tcp/{port}"))
    assert found.standing is Health.BAD


def test_a_relay_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "PLACE_SECONDS", 0.2)
    relay = replace(parse("/ip4/127.0.0.1/tcp/1"), relay=key(1))
    found = findings(relay)
    assert [one.standing for one in found] == [Health.DOUBTFUL, Health.BAD]
    assert found[-1].cause is Cause.UNREACHABLE
    assert found[-1].text.endswith(": nobody answers there")
    assert [one.subject for one in findings()] == ["listening", "reached"]


def test_what_is_wrong_with_a_relay_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PLACES_AT_RELAY", replace(PLACES_AT_RELAY, of_all=0))

    async def main() -> list[Finding]:
        async with (
            open_carrier(SEEDS[2], [HERE], is_relay=True) as full,
            open_carrier(SEEDS[3], [HERE]) as none,
        ):
            named = (full.addresses()[0], full.key), (none.addresses()[0], none.key)
            other = (full.addresses()[0], none.key)
            places = tuple(replace(one, relay=relay) for one, relay in (*named, other))
            monkeypatch.setattr(examining, "PLACE_SECONDS", 2)
            return await outside(Listening((HERE,), places[:1])) + await outside(
                Listening((HERE,), places[1:])
            )

    causes = [one.cause for one in trio.run(main) if one.subject == "relay"]
    assert causes == [Cause.NO_PLACE, Cause.NO_RELAY, Cause.IMPOSTOR]


@pytest.mark.parametrize(("port_min", "standing"), [(1, Health.GOOD), (65_536, Health.DOUBTFUL)])
def test_a_relay_is_asked(port_min: int, standing: Health, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialback, "PORT_MIN", port_min)

    async def main() -> list[Finding]:
        async with open_carrier(SEEDS[2], [HERE], is_relay=True) as relay:
            place = replace(relay.addresses()[0], relay=relay.key)
            return await outside(Listening((HERE,), (place,)))

    found = {one.subject: one.standing for one in trio.run(main)}
    assert found == {"listening": Health.DOUBTFUL, "relay": Health.GOOD, "reached": standing}

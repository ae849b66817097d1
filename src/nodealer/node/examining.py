"""Is everything in order to play? What `doctor` looks at, one question after the other.

A finding says what was looked at, how it stands, and what to do. Nothing is changed by looking: no
identity is made, no journal opened, and what is written to try the disk is removed again. Whether
others reach this node, only others can tell. So the relays that were named are asked to dial back,
and a second node with a key of its own tries to come in through each of them.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final

import trio

from nodealer.crypto import KEY_BYTES
from nodealer.kernel import Cause, LocalError
from nodealer.node.listening import Listening
from nodealer.node.transport.addresses import Address
from nodealer.node.transport.carrier import Unreachable
from nodealer.node.transport.dialback import DialBackFinding as Dialled
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.ports import ListenError, require_free
from nodealer.store import Profile, read_key_file

FREE_BYTES_MIN: Final = 64 << 20
"""A journal has a few megabytes; a disk with less than this is full soon."""

FIRST_YEAR: Final = 2026
"""No clock that is right shows an earlier one."""

PLACE_SECONDS: Final = 10.0

INSIDE: Final = (Address("ip4", "127.0.0.1", 0),)


class Health(Enum):
    """The health of something."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    """Playing is possible, and something may be missing."""
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding about one thing, and what to do about it."""

    subject: str
    standing: Health
    text: str
    advice: str = ""
    cause: Cause | None = None
    """Why something is not reached, for programs."""


def at_home(profile: Profile) -> Iterator[Finding]:
    """Yield what there is to say of the profile, the disk and the clock."""
    yield _key(profile)
    yield _disk(profile)
    yield _clock(profile)


async def outside(listening: Listening) -> list[Finding]:
    """Return what there is to say of the network."""
    try:
        require_free(listening.listen)
    except ListenError as error:
        text = f"nothing can listen at {error}"
        advice = "choose another address with --listen, or end what has it"
        return [Finding("listening", Health.BAD, text, advice)]
    async with open_carrier(secrets.token_bytes(KEY_BYTES), listening.listen) as carrier:
        found = [_listening(carrier.addresses())]
        if not listening.relays:
            found.append(_nobody_asked())
        for relay in listening.relays:
            found += await _through(carrier, relay)
        return found


def _key(profile: Profile) -> Finding:
    if not profile.key.exists():
        text = f"there is no identity {profile.name} yet; it is made when you first play"
        return Finding("identity", Health.GOOD, text)
    try:
        read_key_file(profile.key)
    except LocalError as error:
        return Finding("identity", Health.BAD, str(error), getattr(error, "advice", ""))
    return Finding("identity", Health.GOOD, f"the key of {profile.name} can be read")


def _disk(profile: Profile) -> Finding:
    place = next(one for one in (profile.home, *profile.home.parents) if one.exists())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x")
            os.fsync(file.fileno())
    except OSError as error:
        text = f"nothing can be written in {place}: {error.strerror}"
        return Finding("disk", Health.BAD, text, "make it writable, or set NODEALER_HOME")
    free = shutil.disk_usage(place).free
    if free < FREE_BYTES_MIN:
        text = f"only {free >> 20} MiB are free at {place}"
        return Finding("disk", Health.BAD, text, "make room: what is not stored is not signed")
    return Finding("disk", Health.GOOD, f"{free >> 20} MiB are free at {place}")


def _clock(profile: Profile) -> Finding:
    now = datetime.now(tz=UTC)
    newest = max((_changed(path) for path in profile.journals()), default=now)
    if now.year < FIRST_YEAR or now < newest:
        text = f"the clock shows {now:%Y-%m-%d %H:%M}, which has been before"
        advice = "set the clock; games go on, but times and new addresses may seem old to others"
        return Finding("clock", Health.DOUBTFUL, text, advice)
    return Finding("clock", Health.GOOD, f"the clock shows {now:%Y-%m-%d %H:%M} UTC")


def _changed(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)


def _listening(addresses: Sequence[Address]) -> Finding:
    listed = ", ".join(map(str, addresses))
    if any(ipaddress.ip_address(one.host).is_global for one in addresses):
        return Finding("listening", Health.GOOD, f"it listens at {listed}")
    text = f"it listens at {listed}: numbers that mean something in your own network alone"
    return Finding("listening", Health.DOUBTFUL, text, "friends elsewhere need a relay")


def _nobody_asked() -> Finding:
    text = "nobody was asked whether you can be reached"
    return Finding("reached", Health.DOUBTFUL, text, "name a relay with --relay; it finds out")


async def _through(carrier: Libp2pCarrier, relay: Address) -> list[Finding]:
    """Ask one relay for everything that it is good for."""
    assert relay.relay is not None, "it is the address of a relay"
    carrier.keep_place(relay.relay, relay)
    with trio.move_on_after(PLACE_SECONDS):
        while relay not in carrier.addresses():
            await carrier.addresses_changed()
    if relay not in carrier.addresses():
        advice = "check the address, and whether it runs; or name another one"
        cause = carrier.why_no_place(relay.relay)
        text = f"no place at {relay}: {cause.meaning}"
        return [Finding("relay", Health.BAD, text, advice, cause)]
    return [await _comes_in(carrier, relay), await _dialled(carrier, relay)]


async def _comes_in(carrier: Libp2pCarrier, relay: Address) -> Finding:
    """Come in through the relay, as somebody else."""
    async with open_carrier(secrets.token_bytes(KEY_BYTES), INSIDE) as other:
        try:
            stream = await other.open(carrier.key, relay)
        except Unreachable as error:
            text = f"{relay} gives a place and passes nothing on: {error.cause.meaning}"
            return Finding("relay", Health.BAD, text, "name another one", error.cause)
        await stream.abandon()
    text = f"others reach you through {relay}"
    return Finding("relay", Health.GOOD, text, "play with this --relay")


async def _dialled(carrier: Libp2pCarrier, relay: Address) -> Finding:
    port = carrier.addresses()[0].port
    try:
        answer = await carrier.ask_to_dial(relay, port)
    except Exception:  # noqa: BLE001 - the library raises anything; no relay has to do it
        text = "this relay does not try whether you can be reached directly"
        return Finding("reached", Health.DOUBTFUL, text)
    if answer.finding is Dialled.REACHED:
        text = f"others reach you directly: {answer.seen_as}, port {port}"
        return Finding("reached", Health.GOOD, text)
    if answer.finding is Dialled.NOT_TRIED:
        text = "the relay did not try whether you can be reached directly"
        return Finding("reached", Health.DOUBTFUL, text, "ask again in a while")
    text = f"nobody gets in directly; outside you are {answer.seen_as}"
    return Finding("reached", Health.DOUBTFUL, text, "play with --relay, or open the port")

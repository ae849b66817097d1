"""A simulated table on this machine's disk: a profile, a key and a journal for every seat.

Keys, seeds and charter follow from the order, as in a simulation in memory; so the same order gives
the same table and, if nobody is left out, the same history. All seats are on the loopback
interface, each at a port of its own.

A seat comes back at the same port after it was killed. So ports are not taken from those that the
system gives away to connections that go out: one of these could be at the place meanwhile.
"""

from __future__ import annotations

import secrets
import socket
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger import Charter
from nodealer.node import Address, note_addresses
from nodealer.sim import Order, charter_for, secret_of
from nodealer.store import (
    HOME_VARIABLE,
    Directories,
    Identity,
    JournalOrigin,
    Profile,
    create,
    places_of,
    write_identity,
)

LOOPBACK: Final = "127.0.0.1"

PORTS: Final = range(12_000, 32_000)
"""Below those that systems give away by themselves."""

TRIES_MAX: Final = 1_000


@dataclass(frozen=True, slots=True)
class RealTable:
    """The places where the seats of a table have what is theirs, and are reached."""

    order: Order
    charter: Charter
    home: Path
    addresses: tuple[Address, ...]

    @property
    def environment(self) -> dict[str, str]:
        """What a process of this table has to be told."""
        return {HOME_VARIABLE: str(self.home)}

    def journal(self, seat: Seat) -> Path:
        """Return the journal of a seat."""
        return profile_of(_places(self.home), seat).journal(self.charter.table)


def profile_of(places: Directories, seat: Seat) -> Profile:
    """Return the profile of a seat."""
    return places.profile(f"seat-{seat}")


def found_table(order: Order, home: Path) -> RealTable:
    """Found a table below a directory: after this its seats can be started."""
    charter, addresses = charter_for(order), free_addresses(order.seats)
    for seat in charter.seats:
        profile = profile_of(_places(home), seat)
        profile.make()
        identity = Identity(secret_of("identity", seat, order))
        write_identity(profile.key, identity)
        origin = JournalOrigin(charter, seat, identity.public)
        seed = secret_of("seed", seat, order)
        with closing(create(profile, origin, identity, seed)) as journal:
            for other in charter.seats:
                note_addresses(journal, other, (addresses[other],))
    return RealTable(order, charter, home, addresses)


def free_addresses(count: int) -> tuple[Address, ...]:
    """Return places on the loopback interface at which nobody listens."""
    found: list[Address] = []
    with ExitStack() as stack:
        for _ in range(TRIES_MAX):
            if len(found) == count:
                return tuple(found)
            port = secrets.choice(PORTS)
            probe = stack.enter_context(socket.socket())
            with suppress(OSError):  # somebody is there
                probe.bind((LOOPBACK, port))
                found.append(Address("ip4", LOOPBACK, port))
    raise LocalError(Reason.LOCAL_ARGUMENT, f"there are not {count} free ports on {LOOPBACK}")


def _places(home: Path) -> Directories:
    return places_of({HOME_VARIABLE: str(home)})

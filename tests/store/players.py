"""Players with profiles on a disk of their own, and tables that they sit down at."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.games.base import AnyGame
from nodealer.games.registry import game, resolve
from nodealer.kernel import Seat
from nodealer.ledger import Charter, Clock, Ready
from nodealer.store.identity import Identity, write_identity
from nodealer.store.journal import Journal
from nodealer.store.places import Directories, Profile
from nodealer.store.records import JournalOrigin
from nodealer.table import Table, Terms, accept, charter_of

CLOCK = Clock(act=20_000, answer=4_000, rejoin=6_000, longest=60_000)


def drawn(*what: object) -> bytes:
    """Return 32 bytes that stand for drawn ones, the same at every run."""
    return sha256(repr(what).encode()).digest()


def identity_of(seat: int) -> Identity:
    """Return the identity of a player."""
    return Identity(drawn("identity", seat))


def seed_of(seat: int, lobby: str = "lobby") -> bytes:
    """Return the seed of a player for one table."""
    return drawn("seed", seat, lobby)


def charter_for(
    seats: int, lobby: str = "lobby", version: int | None = None, rules: AnyGame | None = None
) -> Charter:
    """Return a charter among so many players, of Macaua if no rules are given."""
    rules = game("macaua") if rules is None else rules
    terms = Terms(
        lobby=drawn(lobby),
        game=rules.id,
        version=rules.version if version is None else version,
        options=tuple(resolve(rules, seats, {}).items()),
        names=tuple(f"Player {seat}" for seat in range(seats)),
        identities=tuple(identity_of(seat).public for seat in range(seats)),
        clock=CLOCK,
        policy=rules.policies[0],
    )
    rings = [Keyring(SECP256K1, Seat(seat), seed_of(seat, lobby)) for seat in range(seats)]
    return charter_of(terms, [accept(terms, ring) for ring in rings])


def origin_of(charter: Charter, seat: int) -> JournalOrigin:
    """Return of what the journal of a seat is."""
    return JournalOrigin(charter, Seat(seat), identity_of(seat).public)


def places_in(folder: Path) -> Directories:
    """Return the places of a machine whose disk is this folder."""
    return Directories(folder / "config", folder / "data", folder / "state")


@dataclass(frozen=True, slots=True)
class Home:
    """A player at one machine."""

    profile: Profile
    seat: int

    @property
    def identity(self) -> Identity:
        """The identity of the player."""
        return identity_of(self.seat)


def home_in(folder: Path, seat: int = 0) -> Home:
    """Return the home of a player, with the file of an identity."""
    profile = places_in(folder).profile()
    profile.make()
    if not profile.key.exists():
        write_identity(profile.key, identity_of(seat))
    return Home(profile, seat)


def store(journal: Journal, table: Table, ready: Ready) -> None:
    """Store a batch of a table; only then may anything of it leave."""
    is_suspect = table.ledger.suspect is not None
    journal.append(ready.persist, syncs=bool(ready.send), is_suspect=is_suspect)

"""The agreement of the seats before the first entry, and how a charter is made of it.

    terms      rules and their version, all options, the clock, the policy, names and identity keys
    sealing    each seat's sealing key for this table, with a proof over the hash of the terms

Every seat answers terms that its player accepts with its sealing key; terms and answers together
are the charter, whose hash is the table. A seat draws a new seed for every table, so its sealing
key, and with it the table, never existed before, whatever the others do.

The ledger knows a charter as keys, a clock, a policy and opaque bytes. These bytes are a `Terms`
without what the ledger already has, and the answers. `read` puts the two halves together again and
checks what can be checked of them: the form, that keys are sound and distinct, and the proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.crypto import SECP256K1, Group, Point, VerifyKey
from nodealer.deck import (
    KeyPart,
    Keyring,
    check_sealing_key,
    deck_messages,
    distinct_keys,
    make_sealing_key,
)
from nodealer.games import AnyGame, Options, Plain, resolve
from nodealer.kernel import (
    ID_BYTES,
    SEATS_MAX,
    SEATS_MIN,
    LocalError,
    PeerError,
    Reason,
    Seat,
    digest,
)
from nodealer.ledger import Charter, Clock
from nodealer.table.names import NAME_CHARACTERS_MAX, require_names
from nodealer.table.plain import NAMED_VALUES, WORD
from nodealer.wire import (
    Field,
    RecordCodec,
    Schema,
    bytes_up_to,
    exact_bytes,
    text_up_to,
    tuple_of,
    uint,
)

TERMS: Final = "nodealer/1/terms"

SEALING_PART_BYTES_MAX: Final = 256
TICKS_OF_A_SECOND: Final = 1000
"""The times of a clock are milliseconds, those of a window seconds."""

VERSION_MAX: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Terms:
    """The proposal of the host of a table: everything but the sealing keys.

    `lobby` is a number used once, chosen by the host; no two proposals have the same hash.
    """

    lobby: bytes
    game: str
    version: int
    options: tuple[tuple[str, Plain], ...]
    names: tuple[str, ...]
    identities: tuple[bytes, ...]
    clock: Clock
    policy: str

    @property
    def hash(self) -> bytes:
        """The hash over which every seat proves its sealing key."""
        clock = self.clock
        times = (clock.act, clock.answer, clock.rejoin, clock.longest)
        rules = (self.game, self.version, self.options)
        return digest(TERMS, self.lobby, *rules, self.names, self.identities, times, self.policy)

    @property
    def chosen(self) -> Options:
        """The options by name; what has no single value is no option of any game."""
        single = {name: value for name, value in self.options if isinstance(value, int | str)}
        return MappingProxyType(single)


@dataclass(frozen=True, slots=True)
class Founding:
    """The opaque part of a charter: the terms that the ledger does not have, and the answers."""

    lobby: bytes
    game: str
    version: int
    options: tuple[tuple[str, Plain], ...]
    names: tuple[str, ...]
    sealing: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """A charter that was read and checked."""

    charter: Charter
    terms: Terms
    sealing_keys: Mapping[Seat, Point]


FOUNDING: Final = Schema(
    "table/founding",
    RecordCodec(
        Founding,
        (
            Field("lobby", exact_bytes(ID_BYTES)),
            Field("game", WORD),
            Field("version", uint(VERSION_MAX)),
            Field("options", NAMED_VALUES),
            Field(
                "names",
                tuple_of(
                    text_up_to(4 * NAME_CHARACTERS_MAX), at_least=SEATS_MIN, at_most=SEATS_MAX
                ),
            ),
            Field(
                "sealing",
                tuple_of(
                    bytes_up_to(SEALING_PART_BYTES_MAX), at_least=SEATS_MIN, at_most=SEATS_MAX
                ),
            ),
        ),
    ),
)


def accept(terms: Terms, keyring: Keyring) -> bytes:
    """Return the answer of a seat to terms that its player accepts."""
    part = make_sealing_key(keyring, terms.hash, terms.identities[keyring.seat])
    return deck_messages(keyring.group).write(part)


def charter_of(terms: Terms, answers: Sequence[bytes]) -> Charter:
    """Return the charter of these terms and the answers of all seats, in their order."""
    if len(answers) != len(terms.identities):
        raise LocalError(Reason.LOCAL_ARGUMENT, f"{len(answers)} answers")
    founding = Founding(
        terms.lobby, terms.game, terms.version, terms.options, terms.names, tuple(answers)
    )
    return Charter(FOUNDING.write(founding), terms.clock, terms.identities, terms.policy)


def read_terms(charter: Charter) -> tuple[Terms, tuple[bytes, ...]]:
    """Return terms and answers as a charter states them, read and not yet believed."""
    found = FOUNDING.read(charter.terms)
    if not len(found.names) == len(found.sealing) == len(charter.keys):
        raise PeerError(Reason.TABLE_CHARTER, "names, keys and answers are not of as many seats")
    terms = Terms(
        lobby=found.lobby,
        game=found.game,
        version=found.version,
        options=found.options,
        names=found.names,
        identities=charter.keys,
        clock=charter.clock,
        policy=charter.policy,
    )
    return terms, found.sealing


def check_charter(charter: Charter, group: Group = SECP256K1) -> Agreed:
    """Return what a charter says, once its keys and proofs are found good."""
    terms, answers = read_terms(charter)
    check_terms(terms)
    keys = {}
    for number, answer in enumerate(answers):
        seat = Seat(number)
        part = deck_messages(group).read(answer, KeyPart)
        keys[seat] = check_sealing_key(group, terms.hash, seat, terms.identities[number], part)
    return Agreed(charter, terms, distinct_keys(keys))


def check_terms(terms: Terms) -> None:
    """Raise unless the names, keys and times of the terms are sound."""
    require_names(terms.names)
    _require_identities(terms.identities)
    _require_clock(terms.clock)


def require_rules(terms: Terms, rules: AnyGame) -> None:
    """Raise unless these are the rules that the terms name, and the terms fit them.

    They can be played by so many seats with these options, of which none is missing, with this
    policy, and no window of theirs is longer than the time to act. Without the rules of the game
    nobody can say that, so this stands apart.
    """
    seats = len(terms.identities)
    if (terms.game, terms.version) != (rules.id, rules.version):
        raise PeerError(Reason.TABLE_RULES, f"{rules.id} {rules.version} is installed")
    try:
        options = resolve(rules, seats, terms.chosen)
    except LocalError as refused:
        raise PeerError(Reason.TABLE_RULES, refused.detail) from refused
    if tuple(options.items()) != terms.options:
        raise PeerError(Reason.TABLE_RULES, "an option is missing")
    if terms.policy not in rules.policies:
        raise PeerError(Reason.TABLE_RULES, f"there is no policy {terms.policy!r}")
    if rules.longest_window(options) * TICKS_OF_A_SECOND > terms.clock.act:
        raise PeerError(Reason.TABLE_RULES, "a window is longer than there is time to act")


def _require_clock(clock: Clock) -> None:
    times = (clock.act, clock.answer, clock.rejoin)
    if not 1 <= min(times) <= max(times) <= clock.longest:
        raise PeerError(Reason.TABLE_CHARTER, "a time of the clock is zero, or above the longest")


def _require_identities(identities: Sequence[bytes]) -> None:
    for raw in identities:
        VerifyKey(raw)
    if len(set(identities)) != len(identities):
        raise PeerError(Reason.TABLE_CHARTER, "two seats have the same identity key")

"""The messages of a host and its guests before there is a table.

    join        a guest wants a seat, or to watch; proves that it knows the secret of the invite
    refused     the host lets somebody in no more, or never did, and says why
    offer       what is to be played and who sits where, numbered and signed by the host
    progress    which seats have answered the offer, and who watches
    answer      a seat accepts the offer: its sealing key for these terms, signed
    withdrawn   a seat takes its answer back
    left        a guest leaves
    complete    all answers: with the offer they are the charter
    address     where a key can be reached; passed on by anybody
    drawing     words to compare: pledges are wanted; all pledges; and all nonces
    pledge      a seat pledges itself to a nonce
    nonce       a seat tells what it has pledged
    line        something that somebody in the lobby says; passed on by the host

All are of version 2, but `refused` and `address`: what they say is said to programs of every
version, and at tables too. Nothing here is believed yet: `signed` checks what is signed, `terms`
what is offered. Every text that ends up on a screen is a name, which is checked as at a table, a
line, which `sayings` checks, or visible ASCII. The schemas are one to one the page
`specs/lobby.cddl`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar, cast

from nodealer.crypto import KEY_BYTES, PROOF_BYTES, SIGNATURE_BYTES
from nodealer.games import Plain
from nodealer.kernel import ID_BYTES, SEATS_MAX, PeerError, Reason, Seat
from nodealer.ledger import Clock
from nodealer.lobby.forms import (
    ADDRESSES,
    CLOCK,
    LOBBY_BYTES,
    LOBBY_VERSION,
    NAME,
    NUMBER,
    PEOPLE_MAX,
    PEOPLE_MIN,
    SAID_CHARACTERS_MAX,
    WATCHERS_MAX,
    plain_text,
)
from nodealer.table import NAMED_VALUES, SEALING_PART_BYTES_MAX, VERSION_MAX, WORD
from nodealer.wire import (
    VERSION,
    AnyField,
    Codec,
    Field,
    RecordCodec,
    Schema,
    boolean,
    bytes_up_to,
    choice,
    exact_bytes,
    mapped,
    misused,
    optional,
    read_one,
    text_up_to,
    tuple_of,
    uint,
)

T = TypeVar("T")

LOBBY_MESSAGE_BYTES_MAX: Final = 1 << 15
"""An offer with many options, or the answers of ten seats, take a few kB."""

JOIN_BYTES_MAX: Final = 512
"""The longest join has some 330. Whoever is in no lobby has nothing else to say, and any number of
letters to say it in; to read a long one takes longer than anything else that a stranger can ask."""

PROGRAM_BYTES_MAX: Final = 64

REFUSALS: Final = (
    Reason.TABLE_NAME,
    Reason.LOBBY_UNKNOWN,
    Reason.LOBBY_VERSION,
    Reason.LOBBY_SECRET,
    Reason.LOBBY_NAME,
    Reason.LOBBY_FULL,
    Reason.LOBBY_STARTED,
    Reason.LOBBY_CLOSED,
    Reason.LOBBY_REMOVED,
    Reason.LOBBY_RESTLESS,
)
"""The reasons that a host gives to a guest."""


@dataclass(frozen=True, slots=True)
class Join:
    """A guest wants to come in; `proof` shows the secret, for this link alone."""

    lobby: bytes
    key: bytes
    watches: bool
    name: str
    is_program: bool
    """Whether a program plays, and no person; as it says itself."""
    program: str
    """Name and version of the guest's program, for people."""
    proof: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """The guest is not, or no longer, in the lobby."""

    lobby: bytes
    reason: Reason


@dataclass(frozen=True, slots=True)
class Attendee:
    """Somebody in the lobby: a key, the name it goes by, and whether a program plays for it."""

    key: bytes
    name: str
    is_program: bool = False
    """As it says itself; nobody can know."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The game that is to be played and by whom; a seat without anybody is still free."""

    lobby: bytes
    number: int
    game: str
    version: int
    options: tuple[tuple[str, Plain], ...]
    clock: Clock
    policy: str
    seats: tuple[Attendee | None, ...]
    signature: bytes


@dataclass(frozen=True, slots=True)
class Progress:
    """The seats that have answered, one bit for each, seat 0 the lowest; and who watches."""

    lobby: bytes
    number: int
    answered: int
    watchers: tuple[Attendee, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat accepts an offer, whose terms have this hash; `sealing` is a `deck/key`."""

    lobby: bytes
    number: int
    terms: bytes
    seat: Seat
    sealing: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The answer to this offer does not hold any more."""

    lobby: bytes
    number: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """The sender is not in the lobby any more."""

    lobby: bytes


@dataclass(frozen=True, slots=True)
class SignedAnswer:
    """An answer inside `Complete`: the rest of it follows from the offer."""

    sealing: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Complete:
    """The answers of all seats to an offer."""

    lobby: bytes
    number: int
    answers: tuple[SignedAnswer, ...]


@dataclass(frozen=True, slots=True)
class AddressRecord:
    """The addresses that a key names for itself; of two records the higher number counts."""

    key: bytes
    number: int
    addresses: tuple[str, ...]
    signature: bytes


@dataclass(frozen=True, slots=True)
class LobbyLine:
    """Something that somebody says, signed; of two lines of a key the later has the higher number.

    The name is the one that it had when it said so: whoever comes later may never have met it.
    """

    lobby: bytes
    key: bytes
    name: str
    number: int
    text: str
    signature: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class WordDrawing:
    """The drawing of words as far as it has come: first neither pledges nor nonces are here."""

    lobby: bytes
    number: int
    pledges: tuple[bytes, ...] = ()
    nonces: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Pledge:
    """The hash of a nonce that a seat will tell when all have pledged themselves."""

    lobby: bytes
    number: int
    pledge: bytes


@dataclass(frozen=True, slots=True)
class ToldNonce:
    """The nonce to which a seat has pledged itself."""

    lobby: bytes
    number: int
    nonce: bytes = field(repr=False)


LobbyMessage: TypeAlias = (
    Join
    | NotAdmitted
    | Offer
    | Progress
    | Answer
    | Withdrawn
    | Leaving
    | Complete
    | AddressRecord
    | LobbyLine
    | WordDrawing
    | Pledge
    | ToldNonce
)

_PREFIX: Final = "lobby/"

_LOBBY: Final = Field("lobby", exact_bytes(LOBBY_BYTES))
_NUMBER: Final = Field("number", NUMBER)
_KEY: Final = Field("key", exact_bytes(KEY_BYTES))
_SIGNATURE: Final = Field("signature", exact_bytes(SIGNATURE_BYTES))
_SEALING: Final = Field("sealing", bytes_up_to(SEALING_PART_BYTES_MAX))
_SEAT: Final = cast("Codec[Seat]", uint(SEATS_MAX - 1))

_IS_PROGRAM: Final = Field("is_program", boolean())

SITTING: Final = RecordCodec(Attendee, (_KEY, Field("name", NAME), _IS_PROGRAM))
SIGNED: Final = RecordCodec(SignedAnswer, (_SEALING, _SIGNATURE))


def _slug(reason: Reason) -> str:
    if reason not in REFUSALS:
        raise misused("a reason to refuse a guest", reason)
    return reason.slug


def _schema(
    kind: str, build: type[T], *fields: AnyField, version: int = LOBBY_VERSION
) -> Schema[T]:
    return Schema(_PREFIX + kind, RecordCodec(build, fields), version)


JOIN: Final = _schema(
    "join",
    Join,
    _LOBBY,
    _KEY,
    Field("watches", boolean()),
    Field("name", NAME),
    _IS_PROGRAM,
    Field("program", plain_text(PROGRAM_BYTES_MAX)),
    Field("proof", exact_bytes(PROOF_BYTES)),
    _SIGNATURE,
)
REFUSED: Final = _schema(
    "refused",
    NotAdmitted,
    _LOBBY,
    Field("reason", mapped(choice(*(reason.slug for reason in REFUSALS)), Reason, _slug)),
    version=VERSION,
)
OFFER: Final = _schema(
    "offer",
    Offer,
    _LOBBY,
    _NUMBER,
    Field("game", WORD),
    Field("version", uint(VERSION_MAX)),
    Field("options", NAMED_VALUES),
    Field("clock", CLOCK),
    Field("policy", WORD),
    Field("seats", tuple_of(optional(SITTING), at_least=PEOPLE_MIN, at_most=PEOPLE_MAX)),
    _SIGNATURE,
)
PROGRESS: Final = _schema(
    "progress",
    Progress,
    _LOBBY,
    _NUMBER,
    Field("answered", uint((1 << PEOPLE_MAX) - 1)),
    Field("watchers", tuple_of(SITTING, at_most=WATCHERS_MAX)),
)
ANSWER: Final = _schema(
    "answer",
    Answer,
    _LOBBY,
    _NUMBER,
    Field("terms", exact_bytes(ID_BYTES)),
    Field("seat", _SEAT),
    _SEALING,
    _SIGNATURE,
)
WITHDRAWN: Final = _schema("withdrawn", Withdrawn, _LOBBY, _NUMBER)
LEFT: Final = _schema("left", Leaving, _LOBBY)
COMPLETE: Final = _schema(
    "complete",
    Complete,
    _LOBBY,
    _NUMBER,
    Field("answers", tuple_of(SIGNED, at_least=PEOPLE_MIN, at_most=PEOPLE_MAX)),
)
ADDRESS: Final = _schema(
    "address",
    AddressRecord,
    _KEY,
    _NUMBER,
    Field("addresses", ADDRESSES),
    _SIGNATURE,
    version=VERSION,
)
SAID: Final = _schema(
    "line",
    LobbyLine,
    _LOBBY,
    _KEY,
    Field("name", NAME),
    _NUMBER,
    Field("text", text_up_to(4 * SAID_CHARACTERS_MAX)),
    _SIGNATURE,
)

_HASH: Final = exact_bytes(ID_BYTES)
_OF_SEATS: Final = tuple_of(_HASH, at_most=PEOPLE_MAX)
DRAWING: Final = _schema(
    "drawing", WordDrawing, _LOBBY, _NUMBER, Field("pledges", _OF_SEATS), Field("nonces", _OF_SEATS)
)
PLEDGE: Final = _schema("pledge", Pledge, _LOBBY, _NUMBER, Field("pledge", _HASH))
NONCE: Final = _schema("nonce", ToldNonce, _LOBBY, _NUMBER, Field("nonce", _HASH))


def _by_kind(*schemas: object) -> dict[str, Schema[object]]:
    known = [cast("Schema[object]", one) for one in schemas]
    return {one.kind: one for one in known}


_ALL: Final = _by_kind(
    JOIN,
    REFUSED,
    OFFER,
    PROGRESS,
    ANSWER,
    WITHDRAWN,
    LEFT,
    COMPLETE,
    ADDRESS,
    SAID,
    DRAWING,
    PLEDGE,
    NONCE,
)
_BY_BUILD: Final = {one.record.build: one for one in _ALL.values()}

KINDS: Final = tuple(_ALL)
"""The kinds of messages, in the order of the specs."""


def read(data: bytes, bytes_max: int = LOBBY_MESSAGE_BYTES_MAX) -> LobbyMessage:
    """Return the message that a peer sent as `data`, or raise `PeerError`."""
    if len(data) > bytes_max:
        raise PeerError(Reason.ENCODING_OVERSIZED, f"{len(data)} bytes")
    return cast("LobbyMessage", read_one(data, _ALL))


def happening_of(message: LobbyMessage) -> str:
    """Return the word for a message in the tables of moves: that of its kind."""
    return _BY_BUILD[type(message)].kind.removeprefix(_PREFIX)


def lobby_of(message: LobbyMessage) -> bytes | None:
    """Return the lobby that a message belongs to; an address record belongs to none."""
    return None if isinstance(message, AddressRecord) else message.lobby


def unknown_here(data: bytes, lobby: bytes) -> NotAdmitted | None:
    """Return what a node answers that has no such lobby: to a join, and to nothing else.

    What is of another version may be a join. Whatever else cannot be read raises `PeerError`.
    """
    try:
        message = read(data, JOIN_BYTES_MAX)
    except PeerError as error:
        if error.reason is Reason.ENCODING_VERSION:
            return NotAdmitted(lobby, Reason.LOBBY_VERSION)
        raise
    return NotAdmitted(lobby, Reason.LOBBY_UNKNOWN) if isinstance(message, Join) else None


def write(message: LobbyMessage) -> bytes:
    """Return the bytes of a message."""
    return _BY_BUILD[type(message)].write(message)

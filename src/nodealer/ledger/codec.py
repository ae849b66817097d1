"""The messages as bytes, with a bound on everything that a stranger may choose.

Shapes are those of `nodealer.wire`: an array of version, kind and fields. Signed objects are arrays
of their body followed by the signature. What is signed is never taken from the received bytes but
framed again from the typed fields: the encoding has one form for every value, so both are the same
bytes, and nobody can sign one thing and send another.

Certificates, evidence and kept entries hold signed objects several levels deep. They are carried
as byte strings that are messages themselves, which keeps messages shallow and bounds each by the
size of the message around it.

How the parts are declared is in `forms`; this module declares the objects and the messages.
"""

from __future__ import annotations

from typing import Final, TypeAlias, cast

from nodealer.kernel import (
    MESSAGE_BYTES_MAX,
    SEATS_MAX,
    SEATS_MIN,
    WORD_BYTES_MAX,
    EntryId,
    Height,
    Seat,
    TableId,
    Value,
)
from nodealer.ledger import messages as m
from nodealer.ledger import objects as o
from nodealer.ledger.forms import either, nested, pair, row, schema, single
from nodealer.wire import (
    Codec,
    Schema,
    boolean,
    bytes_up_to,
    choice,
    exact_bytes,
    mapped,
    misshapen,
    misused,
    optional,
    read_one,
    text_up_to,
    tuple_of,
    uint,
)

PARTS_MAX: Final = 16
"""Parts owed at once: a deck's keys and a few coins or choices."""

LABEL_BYTES_MAX: Final = 256
ROUND_MAX: Final = 1 << 32

MEMORIES_MAX: Final = 300
"""Signatures of one seat that another may hold: two heights, 64 rounds, and evidence."""

RECENT_MAX: Final = 16
RECENT_BYTES_MAX: Final = 1 << 12
"""Messages whose bytes are remembered, unless long: what one input reads, stores and sends."""

_HASH: Final = exact_bytes(32)
_SIGNATURE: Final = exact_bytes(64)
_TABLE: Final = cast("Codec[TableId]", _HASH)
_ENTRY: Final = cast("Codec[EntryId]", _HASH)
_HEIGHT: Final = cast("Codec[Height]", uint())
_SEAT: Final = cast("Codec[Seat]", uint(SEATS_MAX - 1))
_ROUND: Final = uint(ROUND_MAX)
_SEATS: Final = tuple_of(_SEAT, at_most=SEATS_MAX)
SIGNED_BYTES_MAX: Final = 54 << 10
"""What a seat may sign at once, an action or all payloads of a contribution.

A shuffle of 256 cards takes 50 kB. Evidence holds up to ten signed objects, an entry as many
contributions, and both have to fit into a message that shows them: what is longer could be signed
and sent, but nobody could pass on what it proves.
"""

_BLOB: Final = bytes_up_to(MESSAGE_BYTES_MAX)
_ACTION: Final = bytes_up_to(SIGNED_BYTES_MAX)
_LABEL: Final = bytes_up_to(LABEL_BYTES_MAX)
_WORD: Final = text_up_to(WORD_BYTES_MAX)
_BITS: Final = uint((1 << SEATS_MAX) - 1)

_Payloads: TypeAlias = tuple[tuple[bytes, bytes], ...]


def _read_together(payloads: _Payloads) -> _Payloads:
    if sum(len(data) for _, data in payloads) > SIGNED_BYTES_MAX:
        raise misshapen(f"payloads of at most {SIGNED_BYTES_MAX} bytes together", payloads)
    return payloads


def _written_together(payloads: _Payloads) -> _Payloads:
    if sum(len(data) for _, data in payloads) > SIGNED_BYTES_MAX:
        raise misused(f"payloads of at most {SIGNED_BYTES_MAX} bytes together", payloads)
    return payloads


_PAYLOADS: Final = mapped(
    tuple_of(pair(_LABEL, _ACTION), at_least=1, at_most=PARTS_MAX),
    _read_together,
    _written_together,
)

# Objects.

_PART: Final = row(
    o.Part,
    ("label", _LABEL),
    ("kind", _WORD),
    ("seats", _SEATS),
    ("binding", boolean()),
    ("chained", boolean()),
)
_STEP: Final = either(
    authored=(o.AuthoredStep, row(o.AuthoredStep, ("seat", _SEAT), ("action", _ACTION))),
    due=(o.DueStep, row(o.DueStep, ("parts", tuple_of(_PART, at_most=PARTS_MAX)))),
    evict=(o.EvictStep, row(o.EvictStep, ("round", _ROUND), ("seats", _SEATS))),
)
_CHOICE: Final = either(
    evict=(o.Evict, row(o.Evict, ("seats", _SEATS))),
    keep=(o.Keep, row(o.Keep, ("entry", _ENTRY), ("rank", _ROUND))),
)
_PLACE: Final = (("table", _TABLE), ("height", _HEIGHT), ("parent", _ENTRY))
_SIGNED_BY: Final = (("seat", _SEAT), ("signature", _SIGNATURE))

CONTENT: Final = row(
    o.Content,
    *_PLACE,
    ("step", _STEP),
    ("contributions", tuple_of(pair(_SEAT, _HASH), at_most=SEATS_MAX)),
    ("state", _HASH),
)
CONTRIBUTION: Final = row(
    o.Contribution,
    *_PLACE,
    ("seat", _SEAT),
    ("payloads", _PAYLOADS),
    ("on", tuple_of(_HASH, at_most=PARTS_MAX)),
    ("signature", _SIGNATURE),
)
SEAL: Final = row(o.Seal, *_PLACE, ("entry", _ENTRY), ("rank", _ROUND), *_SIGNED_BY)
VOTE: Final = row(
    o.Vote,
    ("table", _TABLE),
    ("height", _HEIGHT),
    ("base", _ENTRY),
    ("rank", _ROUND),
    ("round", _ROUND),
    ("choice", _CHOICE),
    *_SIGNED_BY,
)
REFUSAL: Final = row(
    o.Refusal,
    *_PLACE,
    ("refused", _HASH),
    ("reason", _WORD),
    ("over", tuple_of(_HASH, at_most=SEATS_MAX)),
    *_SIGNED_BY,
)
LEAVE: Final = row(
    o.Leave, ("table", _TABLE), ("height", _HEIGHT), ("tip", _ENTRY), ("round", _ROUND), *_SIGNED_BY
)
_CLOCK: Final = row(
    o.Clock, *((name, uint(ROUND_MAX)) for name in ("act", "answer", "rejoin", "longest"))
)
_CHARTER: Final = row(
    o.Charter,
    ("terms", _BLOB),
    ("clock", _CLOCK),
    ("keys", tuple_of(_HASH, at_least=SEATS_MIN, at_most=SEATS_MAX)),
    ("policy", _WORD),
)

# What is carried as a byte string inside others.

_SIGNED: Final = either(
    contribution=(o.Contribution, CONTRIBUTION),
    seal=(o.Seal, SEAL),
    vote=(o.Vote, VOTE),
    refusal=(o.Refusal, REFUSAL),
    leave=(o.Leave, LEAVE),
)
EVIDENCE: Final = schema(
    "evidence",
    o.Evidence,
    ("code", choice("E1", "E2", "E3", "E4", "E5", "E6", "E7")),
    ("seat", _SEAT),
    ("messages", tuple_of(_SIGNED, at_least=1, at_most=SEATS_MAX + 2)),
    ("contents", tuple_of(CONTENT, at_most=2)),
)
_GROUND: Final = either(left=(o.Leave, LEAVE), proven=(o.Evidence, single(nested(EVIDENCE))))
_GROUNDS: Final = tuple_of(_GROUND, at_most=SEATS_MAX)
CERTIFICATE: Final = schema(
    "certificate",
    o.Certificate,
    ("entry", _ENTRY),
    ("rank", _ROUND),
    ("seals", tuple_of(SEAL, at_most=SEATS_MAX)),
    ("votes", tuple_of(VOTE, at_most=SEATS_MAX)),
    ("grounds", _GROUNDS),
)
_BESIDE: Final = tuple_of(nested(CERTIFICATE), at_most=m.CERTIFICATES_MAX)

# Messages.

FOUNDED: Final = schema("charter", m.Founded, ("charter", _CHARTER))
PROPOSAL: Final = schema(
    "proposal", m.Proposal, ("content", CONTENT), ("seal", SEAL), ("beside", _BESIDE)
)
SEALED: Final = schema("sealed", m.Sealed, ("seal", SEAL), ("beside", _BESIDE))
CONTRIBUTED: Final = schema("contributed", m.Contributed, ("contribution", CONTRIBUTION))
ENTRY: Final = schema(
    "entry",
    m.Entry,
    ("content", CONTENT),
    ("contributions", tuple_of(CONTRIBUTION, at_most=SEATS_MAX)),
    ("certificate", nested(CERTIFICATE)),
    ("beside", _BESIDE),
)
VOTED: Final = schema(
    "voted",
    m.Voted,
    ("vote", VOTE),
    ("grounds", _GROUNDS),
    ("kept", optional(nested(ENTRY))),
    ("beside", _BESIDE),
)
REFUSED: Final = schema("refused", m.Refused, ("refusal", REFUSAL))
LEFT: Final = schema("left", m.Left, ("leave", LEAVE))
STATUS: Final = schema(
    "status",
    m.Status,
    ("table", _TABLE),
    ("seat", _SEAT),
    ("height", _HEIGHT),
    ("tip", _ENTRY),
    ("rank", _ROUND),
    ("round", _ROUND),
    ("contributions", _BITS),
    ("seals", _BITS),
    ("votes", _BITS),
    ("round_below", _ROUND),
    ("below", _BITS),
)
RECALL: Final = schema("recall", m.Recall, ("table", _TABLE), ("seat", _SEAT))


class _Remembered:
    """A message of a seat inside a memory, as a byte string."""

    def load(self, value: Value, /) -> object:
        data = _BLOB.load(value)
        return read_one(data, _OWN)

    def dump(self, item: object, /) -> Value:
        return write(item)


MEMORY: Final = schema(
    "memory",
    m.Memory,
    ("table", _TABLE),
    ("seat", _SEAT),
    ("height", _HEIGHT),
    ("tip", _ENTRY),
    ("messages", tuple_of(_Remembered(), at_most=MEMORIES_MAX)),
)


def _by_kind(*schemas: object) -> dict[str, Schema[object]]:
    known = [cast("Schema[object]", one) for one in schemas]
    return {one.kind: one for one in known}


_OWN: Final = _by_kind(PROPOSAL, SEALED, CONTRIBUTED, VOTED, REFUSED, LEFT)
_ALL: Final = _by_kind(FOUNDED, *_OWN.values(), ENTRY, STATUS, RECALL, MEMORY)
_BY_BUILD: Final = {one.record.build: one for one in _ALL.values()}

KINDS: Final = tuple(_ALL)
"""The kinds of messages, in the order of the specs."""


class _Recent:
    """The bytes of the last few messages: what is read is stored next, and what is stored is sent.

    A message has one form, so the bytes that were read are those that would be written.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, bytes]] = {}
        """By the identity of the message, which is kept, so that no other can have it."""

    def find(self, message: object) -> bytes | None:
        known = self._known.get(id(message))
        return None if known is None else known[1]

    def add(self, message: object, data: bytes) -> None:
        if len(data) <= RECENT_BYTES_MAX:
            self._known[id(message)] = message, data
            if len(self._known) > RECENT_MAX:
                del self._known[next(iter(self._known))]


_RECENT: Final = _Recent()


def read(data: bytes) -> m.LedgerMessage:
    """Return the message that a peer sent as `data`, or raise `PeerError`."""
    return cast("m.LedgerMessage", read_one(data, _ALL))


def read_to_store(data: bytes) -> m.LedgerMessage:
    """Return the message that a peer sent, and remember its bytes; it may be stored next."""
    message = read(data)
    _RECENT.add(message, data)
    return message


def write(message: object) -> bytes:
    """Return the bytes of a message."""
    data = _RECENT.find(message)
    if data is not None:
        return data
    known = _BY_BUILD.get(type(message))
    if known is None:
        raise misused("a message of the ledger", message)
    data = known.write(message)
    _RECENT.add(message, data)
    return data

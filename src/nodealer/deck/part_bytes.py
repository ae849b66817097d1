"""The parts of the deck as bytes.

Every part that a seat sends is one message: a kind, and the fields of its dataclass. Points and
proofs are byte strings of fixed-width items without counts: how many there must be follows from the
state of the deck, and the checks compare. So a message can be refused before any of it is believed:

    here            wrong bytes: form, lengths, points off the curve, scalars out of range
    in the checks   wrong claims: counts, keys, proofs

Which group the points belong to is not in the message; a table has one group. `specs/wire.cddl`
gives the same shapes for other implementations.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar, cast

from nodealer.crypto import Group
from nodealer.deck.claims import AbsentPart, FacePart, MemberPart
from nodealer.deck.equality import EqualPart, NotEqualPart
from nodealer.deck.exchange import ExchangeProof
from nodealer.deck.handover import HandedCard, HandoverPart
from nodealer.deck.joint import CommitPart, OpenPart
from nodealer.deck.keys import KeyPart
from nodealer.deck.mask import MaskPart
from nodealer.deck.point_codecs import (
    any_proof,
    card,
    cards,
    point,
    points,
    proof,
    scalar,
    shuffle_proof,
)
from nodealer.deck.release import OpenKey, OpenShare, Release, ReleasePart, SealShares
from nodealer.deck.restacking import RestackPart
from nodealer.deck.reveal import ViewedFace
from nodealer.deck.shuffle import ShufflePart
from nodealer.kernel import (
    CARDS_MAX,
    DERIVE_TRIES_MAX,
    FACE_NAME_BYTES_MAX,
    ID_BYTES,
    OPENED_VALUE_BYTES_MAX,
    SEATS_MAX,
    LocalError,
    Reason,
    Value,
)
from nodealer.wire import (
    AnyField,
    Codec,
    Field,
    RecordCodec,
    Schema,
    bytes_up_to,
    exact_bytes,
    misshapen,
    misused,
    read_one,
    text_up_to,
    tuple_of,
    uint,
)

T = TypeVar("T")


class DeckMessages:
    """Reads and writes all parts of the deck over one group."""

    def __init__(self, group: Group) -> None:
        schemas = (*_joint_steps(group), *_releases(group), *_moves(group), *_claims(group))
        self._by_build = {schema.record.build: schema for schema in (*schemas, *_choices())}
        self._by_kind = {schema.kind: schema for schema in self._by_build.values()}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of messages, in the order of the specs."""
        return tuple(self._by_kind)

    def write(self, part: object) -> bytes:
        """Return the message of a part."""
        schema = self._by_build.get(type(part))
        if schema is None:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"{type(part).__name__} is no part of a deck")
        return schema.write(part)

    def read(self, data: bytes, build: type[T]) -> T:
        """Return the part of type `build` that a peer sent, or raise `PeerError`."""
        part = self._by_build[build].read(data)
        assert isinstance(part, build), "a schema builds what it is filed under"
        return part

    def read_any(self, data: bytes) -> object:
        """Return the part of whatever kind the message is."""
        return read_one(data, self._by_kind)


@lru_cache(maxsize=8)
def deck_messages(group: Group) -> DeckMessages:
    """Return the messages over a group, made once."""
    return DeckMessages(group)


def _joint_steps(group: Group) -> list[Schema[object]]:
    return [
        _kind("deck/key", KeyPart, Field("X", point(group)), Field("proof", proof(group))),
        _kind(
            "deck/shuffle",
            ShufflePart,
            Field("cards", cards(group)),
            Field("proof", shuffle_proof(group)),
        ),
        _kind(
            "deck/mask",
            MaskPart,
            Field("keys", points(group)),
            Field("exchange", _exchange(group)),
        ),
    ]


def _releases(group: Group) -> list[Schema[object]]:
    items = tuple_of(_AnyRelease(group), at_least=1, at_most=CARDS_MAX)
    return [
        _kind("deck/release", ReleasePart, Field("items", items)),
        _erased(Schema("deck/open-key", _open_key(group))),
        _erased(Schema("deck/open-share", _open_share(group))),
        _kind(
            "deck/viewed-face",
            ViewedFace,
            Field("face", text_up_to(FACE_NAME_BYTES_MAX)),
            Field("proof", proof(group)),
        ),
    ]


def _moves(group: Group) -> list[Schema[object]]:
    handed = RecordCodec(HandedCard, (Field("card", card(group)), Field("proof", proof(group))))
    return [
        _kind(
            "deck/restack",
            RestackPart,
            Field("H", point(group)),
            Field("inward", _exchange(group)),
            Field("cards", cards(group)),
            Field("shuffle", shuffle_proof(group)),
            Field("keys", points(group)),
            Field("outward", _exchange(group)),
        ),
        _kind(
            "deck/handover",
            HandoverPart,
            Field("cards", tuple_of(handed, at_least=1, at_most=CARDS_MAX)),
        ),
    ]


def _claims(group: Group) -> list[Schema[object]]:
    return [
        _kind("deck/face", FacePart, Field("proof", proof(group))),
        _kind("deck/member", MemberPart, Field("proof", any_proof(group))),
        _kind("deck/absent", AbsentPart, Field("Ts", points(group)), Field("proof", proof(group))),
        _kind("deck/equal", EqualPart, Field("proof", proof(group))),
        _kind(
            "deck/not-equal",
            NotEqualPart,
            Field("T", point(group)),
            Field("tries", uint(DERIVE_TRIES_MAX - 1)),
            Field("proof", proof(group)),
        ),
    ]


def _choices() -> list[Schema[object]]:
    return [
        _kind("deck/commit", CommitPart, Field("commitment", exact_bytes(ID_BYTES))),
        _kind(
            "deck/open",
            OpenPart,
            Field("value", bytes_up_to(OPENED_VALUE_BYTES_MAX)),
            Field("salt", exact_bytes(ID_BYTES)),
        ),
    ]


def _kind(kind: str, build: type[T], *fields: AnyField) -> Schema[object]:
    return _erased(Schema(kind, RecordCodec(build, fields)))


def _erased(schema: Schema[T]) -> Schema[object]:
    """Forget the type of a schema, to file it; its record still refuses any other at run time."""
    return cast("Schema[object]", schema)


def _exchange(group: Group) -> RecordCodec[ExchangeProof]:
    return RecordCodec(
        ExchangeProof, (Field("deltas", points(group)), Field("proof", proof(group)))
    )


def _open_key(group: Group) -> RecordCodec[OpenKey]:
    return RecordCodec(OpenKey, (Field("secret", scalar(group)),))


def _open_share(group: Group) -> RecordCodec[OpenShare]:
    return RecordCodec(OpenShare, (Field("S", point(group)), Field("proof", proof(group))))


def _seal_shares(group: Group) -> RecordCodec[SealShares]:
    return RecordCodec(
        SealShares,
        (
            Field("U", point(group)),
            Field("Vs", points(group, at_most=SEATS_MAX)),
            Field("proof", proof(group)),
        ),
    )


class _AnyRelease:
    """The codec of one release: the word for its form, then its fields."""

    def __init__(self, group: Group) -> None:
        self._forms: Mapping[str, Codec[Release]] = {
            "key": cast("Codec[Release]", _open_key(group)),
            "share": cast("Codec[Release]", _open_share(group)),
            "seal": cast("Codec[Release]", _seal_shares(group)),
        }
        self._words: Mapping[type, str] = {OpenKey: "key", OpenShare: "share", SealShares: "seal"}

    def load(self, value: Value, /) -> Release:
        if type(value) is not tuple or not value or type(value[0]) is not str:
            raise misshapen("an array that starts with a word", value)
        form = self._forms.get(value[0])
        if form is None:
            raise misshapen(" or ".join(self._forms), value[0])
        return form.load(value[1:])

    def dump(self, item: Release, /) -> Value:
        word = self._words.get(type(item))
        if word is None:
            raise misused("a release", item)
        dumped = self._forms[word].dump(item)
        assert isinstance(dumped, tuple), "a record is an array"
        return (word, *dumped)

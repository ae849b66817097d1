"""The declaration of a kind of message, and the one way in which it is read and written.

A message is the array `[version, kind, field, ...]`. The version stands first, so that a message
of another version is recognised as such before anything else in it is looked at; the kind says
which fields follow. No field is left out and none is added: a field more or less is another kind
or another version.

A kind is declared once, as a `Schema`: its name, the frozen dataclass that holds it, and a codec
for each field. From then on nobody sees a half-read message: `Schema.read` returns an instance
whose every field has its type and keeps its bounds, or raises.

    SEATED = Schema(
        "table/seated",
        Record(
            Seated,
            (
                Field("table", mapped(exact_bytes(ID_BYTES), TableId, bytes)),
                Field("seat", mapped(uint(SEATS_MAX - 1), Seat, int)),
            ),
        ),
    )

`RecordCodec` is a codec itself, for parts of a message that have fields of their own; they are
arrays without version and kind. A rule about several fields at once is put around it with `mapped`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Final, Generic, TypeVar

from nodealer.kernel import ITEMS_MAX, LocalError, PeerError, Reason, Value, encode
from nodealer.wire.cbor import decode, decode_head
from nodealer.wire.codecs import (
    Codec,
    described,
    dump_at,
    load_at,
    misshapen,
    misused,
    text_up_to,
    uint,
)

T = TypeVar("T")

VERSION: Final = 1
"""The version of the protocol that this program speaks."""

KIND_BYTES_MAX: Final = 64
"""Kinds are short paths of a layer and a noun, such as `deck/shuffle`."""

_VERSION_CODEC: Final = uint()
_KIND_CODEC: Final = text_up_to(KIND_BYTES_MAX)


class AnyField(ABC):
    """A field whose type is forgotten, so that fields of different types stand in one tuple.

    A base class and not a protocol: in a place where a protocol is expected, type checkers would
    take `object` for the type of every field that is declared there.
    """

    __slots__ = ()

    name: str

    @abstractmethod
    def load(self, value: Value, /) -> object:
        """Return the typed field; an error names it."""

    @abstractmethod
    def dump_from(self, holder: object, /) -> Value:
        """Return the wire form of the field that `holder` has; an error names it."""


@dataclass(frozen=True, slots=True)
class Field(AnyField, Generic[T]):
    """One field of a message or record: the attribute that holds it, and its codec."""

    name: str
    codec: Codec[T]

    def load(self, value: Value, /) -> T:
        """Return the typed field; an error names it."""
        return load_at(self.name, self.codec, value)

    def dump_from(self, holder: object, /) -> Value:
        """Return the wire form of the field that `holder` has; an error names it."""
        return dump_at(self.name, self.codec, getattr(holder, self.name))


@dataclass(frozen=True, slots=True)
class RecordCodec(Generic[T]):
    """The codec of a dataclass: the array of its fields, in its order."""

    build: type[T]
    fields: tuple[AnyField, ...]

    def __post_init__(self) -> None:
        """Require that the fields are those of the dataclass."""
        declared = [field.name for field in self.fields]
        held = [field.name for field in fields(self.build)] if is_dataclass(self.build) else None
        if declared != held:
            detail = f"{self.build.__name__} holds {held}, declared are {declared}"
            raise LocalError(Reason.LOCAL_ARGUMENT, detail)

    def load(self, value: Value, /) -> T:
        """Return the instance that has the fields of the array `value`."""
        if type(value) is not tuple or len(value) != len(self.fields):
            raise misshapen(f"an array of {len(self.fields)} items", value)
        loaded = [field.load(item) for field, item in zip(self.fields, value, strict=True)]
        # This is `self.build(*loaded)`. No type checker can know the parameters of every `T`;
        # `__post_init__` has compared them.
        instance: T = type.__call__(self.build, *loaded)
        return instance

    def dump(self, item: T, /) -> Value:
        """Return the array of the fields of `item`."""
        if type(item) is not self.build:
            raise misused(f"a {self.build.__name__}", item)
        return tuple(field.dump_from(item) for field in self.fields)


@dataclass(frozen=True, slots=True)
class Schema(Generic[T]):
    """One kind of message."""

    kind: str
    record: RecordCodec[T]
    version: int = VERSION
    """That of the messages of this kind; a layer whose peers agree on one may have its own."""

    def __post_init__(self) -> None:
        """Require a name that a message can carry."""
        _KIND_CODEC.dump(self.kind)

    def read(self, data: bytes) -> T:
        """Return the message that a peer sent as `data`, or raise `PeerError`."""
        return read_one(data, {self.kind: self})

    def write(self, message: T) -> bytes:
        """Return the bytes of `message`, or raise `LocalError` if peers would not read them."""
        dumped = dump_at(self.kind, self.record, message)
        assert isinstance(dumped, tuple), "a record is an array"
        data = encode((self.version, self.kind, *dumped))
        if len(data) <= ITEMS_MAX:
            return data  # too short to be too long or to hold too many items
        try:
            decode(data)
        except PeerError as error:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"{self.kind}: {error}") from error
        return data


def read_one(data: bytes, schemas: Mapping[str, Schema[T]]) -> T:
    """Return the message that a peer sent as `data`, of one of these kinds, or raise `PeerError`.

    What is wrong with the head is said before what is wrong with the rest, as `peek_kind` does.
    """
    versions = {one.version for one in schemas.values()}
    try:
        whole = decode(data)
    except PeerError:
        kind = _peek_kind(data, schemas, versions)
        _require_version(decode_head(data, 1), (schemas[kind].version,))
        raise
    if not isinstance(whole, tuple):
        raise PeerError(Reason.ENCODING_SHAPE, "the outermost item is not an array")
    schema = schemas[_kind_of(whole, schemas, versions)]
    _require_version(whole, (schema.version,))
    return load_at(schema.kind, schema.record, whole[2:])


_VERSION: Final = Field("version", _VERSION_CODEC)
_KIND: Final = Field("kind", _KIND_CODEC)


def peek_kind(data: bytes, expected: Container[str]) -> str:
    """Return the kind of the message `data`, which must be of our version and one of `expected`.

    Only the head is read; the rest may still prove to be no message at all. With a table of
    schemas by kind `read_one` does both.
    """
    return _peek_kind(data, expected, (VERSION,))


def _peek_kind(data: bytes, expected: Container[str], versions: Collection[int]) -> str:
    unread: PeerError | None = None
    try:
        head = decode_head(data, 2)
    except PeerError as error:
        # The version is judged before what stands behind it is read.
        head, unread = decode_head(data, 1), error
    _require_version(head, versions)
    if unread is not None:
        raise unread
    return _kind_of(head, expected, versions)


def _require_version(head: Sequence[Value], versions: Collection[int]) -> None:
    version = _at(head, 0, _VERSION)
    if version not in versions:
        known = " or ".join(map(str, sorted(versions)))
        raise PeerError(Reason.ENCODING_VERSION, f"expected {known}, found {version}")


def _kind_of(head: Sequence[Value], expected: Container[str], versions: Collection[int]) -> str:
    _require_version(head, versions)
    kind = _at(head, 1, _KIND)
    if kind not in expected:
        raise PeerError(Reason.ENCODING_KIND, f"found {described(kind)}")
    return kind


def _at(head: Sequence[Value], place: int, field: Field[T]) -> T:
    if len(head) <= place:
        raise misshapen(field.name, tuple(head))
    return field.load(head[place])

"""The declarations of the ledger's objects: rows, alternatives, and messages within messages.

A row is an array of fixed length that becomes a value by position. An alternative is an array that
begins with the word for its form. Both know nothing of what they hold. They stand beside the
records of `wire` because objects of the ledger have fields that are computed and not sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, TypeVar, cast

from nodealer.kernel import MESSAGE_BYTES_MAX, Value
from nodealer.wire import Codec, Field, RecordCodec, Schema, bytes_up_to, mapped, misshapen, misused

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class _Row(Generic[T]):
    """An array of fixed length: `build` makes a value of its items, `parts` takes it apart."""

    build: Callable[..., T]
    codecs: tuple[Codec[object], ...]
    parts: Callable[[T], tuple[object, ...]]

    def load(self, value: Value, /) -> T:
        if type(value) is not tuple or len(value) != len(self.codecs):
            raise misshapen(f"an array of {len(self.codecs)} items", value)
        loaded = [codec.load(item) for codec, item in zip(self.codecs, value, strict=True)]
        return self.build(*loaded)

    def dump(self, item: T, /) -> Value:
        parts = zip(self.codecs, self.parts(item), strict=True)
        return tuple([codec.dump(part) for codec, part in parts])


@dataclass(frozen=True, slots=True)
class _Either:
    """One of several forms: an array that begins with the word for its form."""

    forms: Mapping[str, tuple[type, Codec[object]]]

    def load(self, value: Value, /) -> object:
        if type(value) is not tuple or not value or type(value[0]) is not str:
            raise misshapen("an array that starts with a word", value)
        form = self.forms.get(value[0])
        if form is None:
            raise misshapen(f"one of {', '.join(self.forms)}", value[0])
        return form[1].load(value[1:])

    def dump(self, item: object, /) -> Value:
        for word, (build, codec) in self.forms.items():
            if type(item) is build:
                dumped = codec.dump(item)
                assert isinstance(dumped, tuple), "a row is an array"
                return (word, *dumped)
        raise misused(f"one of {', '.join(self.forms)}", item)


def row(build: type[T], *fields: tuple[str, object]) -> Codec[T]:
    """Return the codec of a value with these fields, in this order."""
    codecs = tuple(cast("Codec[object]", codec) for _, codec in fields)
    names = [name for name, _ in fields]
    taken = attrgetter(*names)
    return _Row(build, codecs, taken if len(names) > 1 else lambda item: (taken(item),))


def pair(first: Codec[A], second: Codec[B]) -> Codec[tuple[A, B]]:
    """Return the codec of two values."""
    codecs = (cast("Codec[object]", first), cast("Codec[object]", second))
    return _Row(lambda one, other: (one, other), codecs, lambda both: both)


def single(item: Codec[T]) -> Codec[T]:
    """Return the codec of an array of one item."""
    return _Row(lambda only: only, (cast("Codec[object]", item),), lambda only: (only,))


def either(**forms: tuple[type, object]) -> Codec[object]:
    """Return the codec of one of several forms, by their words."""
    known = {word: (build, cast("Codec[object]", codec)) for word, (build, codec) in forms.items()}
    return _Either(known)


def schema(kind: str, build: type[T], *fields: tuple[str, object]) -> Schema[T]:
    """Return a kind of message of the ledger."""
    rows = tuple(Field(name, cast("Codec[object]", codec)) for name, codec in fields)
    return Schema(f"ledger/{kind}", RecordCodec(build, rows))


def nested(inner: Schema[T]) -> Codec[T]:
    """Return the codec of a message inside another, as a byte string."""
    return mapped(bytes_up_to(MESSAGE_BYTES_MAX), inner.read, inner.write)

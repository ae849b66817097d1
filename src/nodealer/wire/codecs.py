"""The parts of which messages are made: each reads one form of value, with bounds, both ways.

A `Codec[T]` stands between a value as it is on the wire and a typed one. `load` parses what a peer
sent: it returns a `T` that needs no further checks of its form, or raises `PeerError`. `dump` goes
the other way and holds our own program to the same bounds with `LocalError`, because what every
peer would refuse must not leave either.

The codecs here know forms, not meanings: integers, strings and arrays of a given size, and no
card, key or signature. Higher layers bring their own, with `mapped` or with any object that has
`load` and `dump`. Three rules hold for all:

- `dump(load(value))` is `value` again, so that the one form of a value, which the encoding gives
  to integers and strings, extends to every type;
- `load` raises nothing but `PeerError`, with whatever reason fits, and `dump` nothing but
  `LocalError`;
- the detail of an error says what was expected and what was found, without repeating long content.
  Where it was found is added on the way out, by `load_at` and `dump_at`:
  `table/seated: seat: expected an integer from 0 to 9, found null`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from nodealer.kernel import UINT_MAX, LocalError, PeerError, Reason, Value

T = TypeVar("T")
S = TypeVar("S")
Word = TypeVar("Word", bound=str)
Plain = TypeVar("Plain", bound=int | bytes | str)

_SHOWN_CHARACTERS_MAX: Final = 32
"""A longer text is not repeated in an error."""

_CONSTANT_NAMES: Final[Mapping[bool | None, str]] = {None: "null", False: "false", True: "true"}

_LONG_FORM_NAMES: Final[Mapping[type, str]] = {
    bytes: "byte string",
    str: "text",
    tuple: "array",
    dict: "map",
}


class Codec(Protocol[T]):
    """The two directions between a value of the wire and a typed one."""

    def load(self, value: Value, /) -> T:
        """Return the typed form of what a peer sent, or raise `PeerError`."""

    def dump(self, item: T, /) -> Value:
        """Return the wire form of `item`, or raise `LocalError` if it has none."""


def integer(minimum: int, maximum: int) -> Codec[int]:
    """Return the codec of the integers from `minimum` to `maximum`."""

    def accepted(value: object) -> int | None:
        # Not `isinstance`: true and false are integers to Python, but not on the wire.
        return value if type(value) is int and minimum <= value <= maximum else None

    return _Atom(f"an integer from {minimum} to {maximum}", accepted)


def uint(maximum: int = UINT_MAX) -> Codec[int]:
    """Return the codec of the integers from 0 to `maximum`."""
    return integer(0, maximum)


def boolean() -> Codec[bool]:
    """Return the codec of true and false."""

    def accepted(value: object) -> bool | None:
        return value if type(value) is bool else None

    return _Atom("true or false", accepted)


def exact_bytes(length: int) -> Codec[bytes]:
    """Return the codec of the byte strings of `length` bytes."""

    def accepted(value: object) -> bytes | None:
        return value if type(value) is bytes and len(value) == length else None

    return _Atom(f"{length} bytes", accepted)


def bytes_up_to(maximum: int) -> Codec[bytes]:
    """Return the codec of the byte strings of at most `maximum` bytes."""

    def accepted(value: object) -> bytes | None:
        return value if type(value) is bytes and len(value) <= maximum else None

    return _Atom(f"at most {maximum} bytes", accepted)


def bytes_in_units(unit: int, *, at_least: int = 0, at_most: int) -> Codec[bytes]:
    """Return the codec of byte strings that hold `at_least` to `at_most` parts of `unit` bytes.

    Many points or scalars in one string cost the decoder one item, not one for each.
    """

    def accepted(value: object) -> bytes | None:
        if type(value) is not bytes:
            return None
        count, rest = divmod(len(value), unit)
        return value if rest == 0 and at_least <= count <= at_most else None

    return _Atom(f"{at_least} to {at_most} times {unit} bytes", accepted)


def text_up_to(bytes_max: int) -> Codec[str]:
    """Return the codec of the texts whose UTF-8 has at most `bytes_max` bytes."""

    def accepted(value: object) -> str | None:
        if type(value) is not str:
            return None
        # Halves of surrogate pairs are for the encoder to refuse; here they only count.
        return value if len(value.encode(errors="surrogatepass")) <= bytes_max else None

    return _Atom(f"text of at most {bytes_max} bytes", accepted)


def choice(*words: Word) -> Codec[Word]:
    """Return the codec of one out of a few words."""
    known: dict[str, Word] = {word: word for word in words}

    def accepted(value: object) -> Word | None:
        return known.get(value) if type(value) is str else None

    return _Atom(f"one of {', '.join(known)}", accepted)


def optional(item: Codec[T]) -> Codec[T | None]:
    """Return the codec of null, which stands for nothing, or else of what `item` reads."""
    return _Optional(item)


def tuple_of(item: Codec[T], *, at_least: int = 0, at_most: int) -> Codec[tuple[T, ...]]:
    """Return the codec of the arrays of `at_least` to `at_most` items, each read by `item`."""
    return _TupleOf(item, at_least, at_most)


def mapped(inner: Codec[S], load: Callable[[S], T], dump: Callable[[T], S]) -> Codec[T]:
    """Return a codec that turns what `inner` reads into another type, and back.

    The door for the types of other layers: `mapped(uint(SEATS_MAX - 1), Seat, int)`, or a point
    and its bytes. `load` may raise `PeerError` with a reason of its own.
    """
    return _Mapped(inner, load, dump)


def load_at(place: str, codec: Codec[T], value: Value) -> T:
    """Return what `codec` loads; an error names the place."""
    try:
        return codec.load(value)
    except PeerError as error:
        raise PeerError(error.reason, f"{place}: {error.detail}") from error


def dump_at(place: str, codec: Codec[T], item: T) -> Value:
    """Return what `codec` dumps; an error names the place."""
    try:
        return codec.dump(item)
    except LocalError as error:
        raise LocalError(error.reason, f"{place}: {error.detail}") from error


def misshapen(expected: str, found: object) -> PeerError:
    """Return the refusal of what a peer sent in another form than `expected`."""
    return PeerError(Reason.ENCODING_SHAPE, f"expected {expected}, found {described(found)}")


def misused(expected: str, found: object) -> LocalError:
    """Return the complaint that we meant to send something else than what was `expected`."""
    return LocalError(Reason.LOCAL_ARGUMENT, f"expected {expected}, found {described(found)}")


def described(value: object) -> str:
    """Return a few words about `value`, however long it is and whatever stands in it."""
    match value:
        case None | bool():
            return _CONSTANT_NAMES[value]
        case int():
            return f"integer {value}" if abs(value) <= UINT_MAX + 1 else "a longer integer"
        case str() if len(value) <= _SHOWN_CHARACTERS_MAX:
            # In ASCII, with everything else escaped: it may end up on somebody's terminal.
            return f"text {value!a}"
        case bytes() | str() | tuple() | dict() if type(value) in _LONG_FORM_NAMES:
            return f"{_LONG_FORM_NAMES[type(value)]} of length {len(value)}"
        case _:
            return f"a {type(value).__name__}"


@dataclass(frozen=True, slots=True)
class _Atom(Generic[Plain]):
    """A value that is its own typed form; `accepted` returns it, or nothing if it does not fit."""

    expected: str
    accepted: Callable[[object], Plain | None]

    def load(self, value: Value, /) -> Plain:
        accepted = self.accepted(value)
        if accepted is None:
            raise misshapen(self.expected, value)
        return accepted

    def dump(self, item: Plain, /) -> Value:
        accepted = self.accepted(item)
        if accepted is None:
            raise misused(self.expected, item)
        return accepted


@dataclass(frozen=True, slots=True)
class _Optional(Generic[T]):
    item: Codec[T]

    def load(self, value: Value, /) -> T | None:
        return None if value is None else self.item.load(value)

    def dump(self, item: T | None, /) -> Value:
        return None if item is None else self.item.dump(item)


@dataclass(frozen=True, slots=True)
class _TupleOf(Generic[T]):
    item: Codec[T]
    at_least: int
    at_most: int

    def load(self, value: Value, /) -> tuple[T, ...]:
        if type(value) is not tuple or not self.at_least <= len(value) <= self.at_most:
            raise misshapen(self._expected(), value)
        return tuple(load_at(f"item {place}", self.item, item) for place, item in enumerate(value))

    def dump(self, items: tuple[T, ...], /) -> Value:
        if type(items) is not tuple or not self.at_least <= len(items) <= self.at_most:
            raise misused(self._expected(), items)
        return tuple(dump_at(f"item {place}", self.item, item) for place, item in enumerate(items))

    def _expected(self) -> str:
        return f"an array of {self.at_least} to {self.at_most} items"


@dataclass(frozen=True, slots=True)
class _Mapped(Generic[S, T]):
    inner: Codec[S]
    to_typed: Callable[[S], T]
    to_plain: Callable[[T], S]

    def load(self, value: Value, /) -> T:
        return self.to_typed(self.inner.load(value))

    def dump(self, item: T, /) -> Value:
        return self.inner.dump(self.to_plain(item))

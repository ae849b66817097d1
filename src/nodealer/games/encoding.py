"""States, actions and events as plain values: what is hashed, sent, stored and compared.

A game's state is made of frozen dataclasses, tuples, mappings, enumerations and plain values.
`encode_state` turns it into a value that `kernel.encode` takes, the same on every machine and in
every process:

    dataclass            map from field names to values, and from "" to the name of the class
    mapping              map if all keys are text, otherwise pairs in the order of their encoding
    tuple                array
    frozenset            array in the order of the encoding of its items
    enumeration          its value
    int, str, bool,      itself
    bytes, None

Everything else is refused, floats above all: they do not add up alike everywhere. Named tuples are
refused too; they would lose the names of their fields.

What is hashed and sent nests 8 levels deep at most, and whoever carries a game's values wraps them
in some of its own. So a game's are shallower.

Every seat hashes the state after every entry, and from one to the next most of it stays the same.
So `state_in_bytes` puts the encoding of that value together from remembered pieces: the plain
values in it, and the keys of its dataclasses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeAlias, cast

from nodealer.games.api import Named
from nodealer.kernel import LocalError, Reason, Value, array_of, encode, map_of

CLASS_NAME: Final = ""
"""The key of a class's name; no field has it."""

INTEGER_BITS_MAX = 63
"""Plain numbers fit into signed words everywhere, databases and browsers' BigInt64 included."""


STATE_NESTING_MAX = 6
"""Levels of arrays and maps in an encoded state; the rest is for the hash of the whole table."""

PLAIN_NESTING_MAX = 4
"""Levels of tuples in a plain value; the rest is for the messages that hold actions."""


REMEMBERED_MAX: Final = 1024
"""Plain values of which the encoding is remembered."""

_Exact: TypeAlias = int | str | bytes | None

_EXACT: Final = frozenset((int, str, bytes, bool, type(None)))
"""A subclass may print and compare as it likes; only these are the same everywhere."""


def encode_state(state: object) -> Value:
    """Return the state as a plain value."""
    if type(state) in _EXACT:
        return cast("Value", state)
    match state:
        case tuple() if type(state) is tuple:
            return tuple([encode_state(item) for item in state])
        case Enum():
            return encode_state(state.value)
        case Mapping():
            return _mapping(state)
        case frozenset():
            return _in_order(encode_state(item) for item in state)
        case _ if is_dataclass(state) and not isinstance(state, type):
            values = {name: encode_state(getattr(state, name)) for name in _names(type(state))}
            return {CLASS_NAME: type(state).__name__, **values}
        case _:
            raise _refused(state)


def state_in_bytes(state: object, levels_left: int = STATE_NESTING_MAX) -> bytes:
    """Return the encoding of what `encode_state` returns; a state nested too deeply is refused."""
    kind: type = type(state)
    if kind in _EXACT:
        return _encoded(cast("_Exact", state))
    if kind is tuple:
        _require_levels(1, levels_left)
        items = cast("tuple[object, ...]", state)
        return array_of([state_in_bytes(item, levels_left - 1) for item in items])
    keys = _keys(kind)
    if keys is not None:
        _require_levels(1, levels_left)
        written = [_encoded(CLASS_NAME), _encoded(kind.__name__)]
        for name, key in keys:
            written += (key, state_in_bytes(getattr(state, name), levels_left - 1))
        return map_of(written)
    if isinstance(state, Enum):
        return state_in_bytes(state.value, levels_left)
    value = encode_state(state)
    _require_levels(nesting(value), levels_left)
    return encode(value)


def encode_named(named: Named) -> Value:
    """Return an action or event as a plain value: its kind, and its fields by name."""
    return (named.kind, dict(named.fields))


def is_plain(value: object, levels: int = PLAIN_NESTING_MAX) -> bool:
    """Whether a value is one of those that actions, events and facts are made of."""
    if type(value) is tuple:
        return levels > 0 and all(is_plain(item, levels - 1) for item in value)
    if type(value) is int:
        return value.bit_length() <= INTEGER_BITS_MAX
    if type(value) is str:
        return _is_text(value)
    return value is None or type(value) is bool


def nesting(value: Value) -> int:
    """Return how many levels of arrays and maps an encoded value has."""
    if isinstance(value, Mapping):
        return 1 + max(map(nesting, value.values()), default=0)
    if isinstance(value, tuple):
        return 1 + max(map(nesting, value), default=0)
    return 0


# True is 1 to Python and not to the encoding, so the type is part of what is remembered.
@lru_cache(maxsize=REMEMBERED_MAX, typed=True)
def _encoded(value: _Exact) -> bytes:
    return encode(value)


@lru_cache(maxsize=256)
def _keys(kind: type) -> tuple[tuple[str, bytes], ...] | None:
    """Return the fields of a dataclass that is nothing else, and their keys, in their order."""
    if not is_dataclass(kind) or issubclass(kind, Enum | Mapping | frozenset):
        return None
    return tuple(sorted(((name, encode(name)) for name in _names(kind)), key=itemgetter(1)))


def _require_levels(needed: int, left: int) -> None:
    if needed > left:
        raise LocalError(Reason.LOCAL_UNFRAMABLE, f"more than {STATE_NESTING_MAX} levels")


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in fields(kind))


def _mapping(mapping: Mapping[object, object]) -> Value:
    if CLASS_NAME in mapping:
        raise _refused(CLASS_NAME)
    if all(type(key) is str for key in mapping):
        return {str(key): encode_state(mapping[key]) for key in sorted(mapping, key=str)}
    return _in_order((encode_state(key), encode_state(item)) for key, item in mapping.items())


def _in_order(items: Iterable[Value]) -> Value:
    return tuple(sorted(items, key=encode))


def _is_text(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _refused(found: object) -> LocalError:
    return LocalError(Reason.LOCAL_UNFRAMABLE, f"a state with a {type(found).__name__} in it")

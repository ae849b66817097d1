"""The codecs of plain values: what actions and options are made of.

Numbers, text, truth values, null, and arrays of these. Byte strings and maps are known to the wire
and not to games, so they are refused here, before any rules see them. Values with names are a list
of pairs in ascending order of the names, so that every list has one form.
"""

from __future__ import annotations

from typing import Final, cast

from nodealer.games import Plain, is_plain
from nodealer.kernel import WORD_BYTES_MAX, PeerError, Reason, Value
from nodealer.wire import Codec, mapped, misshapen, misused, text_up_to, tuple_of

NAMED_MAX: Final = 64

_EXPECTED: Final = "numbers of at most 63 bits, text, truth values, null, or arrays of these"


class _Plain:
    """A plain value is its own form on the wire."""

    def load(self, value: Value, /) -> Plain:
        if not is_plain(value):
            raise misshapen(_EXPECTED, value)
        return cast("Plain", value)

    def dump(self, item: Plain, /) -> Value:
        if not is_plain(item):
            raise misused(_EXPECTED, item)
        return item


class _NamedValue:
    """A name and a plain value."""

    def load(self, value: Value, /) -> tuple[str, Plain]:
        if type(value) is not tuple or len(value) != _PAIR:
            raise misshapen("a name and a value", value)
        name, found = value
        return WORD.load(name), _PLAIN.load(found)

    def dump(self, item: tuple[str, Plain], /) -> Value:
        if type(item) is not tuple or len(item) != _PAIR:
            raise misused("a name and a value", item)
        name, found = item
        return WORD.dump(name), _PLAIN.dump(found)


def _ascending(pairs: tuple[tuple[str, Plain], ...]) -> tuple[tuple[str, Plain], ...]:
    names = [name for name, _ in pairs]
    if names != sorted(set(names)):
        raise PeerError(Reason.ENCODING_SHAPE, "names ascend, each once")
    return pairs


WORD: Final = text_up_to(WORD_BYTES_MAX)
"""A short word: a kind of action, a name of a field, the id of a game."""

_PLAIN: Final[Codec[Plain]] = _Plain()
_PAIR: Final = 2

NAMED_VALUES: Final[Codec[tuple[tuple[str, Plain], ...]]] = mapped(
    tuple_of(_NamedValue(), at_most=NAMED_MAX), _ascending, _ascending
)
"""Plain values by name."""

"""From the bytes that a terminal sends to keys, whatever pieces they come in.

A terminal sends letters as UTF-8 and all other keys as escape sequences; one key may arrive in two
pieces, and two keys in one. A `Decoder` is a value that remembers the piece that is not whole yet:

    decoder, keys = decoder.feed(data)

Feeding bytes one by one or all at once yields the same keys. One thing cannot be seen from bytes:
whether an escape is the key or begins a sequence. If nothing follows for a moment the caller asks
`flush`, and it was the key.

What is pasted arrives between two marks and becomes one `Pasted`, so that nothing in it acts as a
key. Bytes that are no UTF-8 become the sign for that; sequences that nobody knows are nothing. A
sequence or a paste that never ends is given up at a bound.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

SEQUENCE_BYTES_MAX: Final = 32
"""No key's sequence is longer."""

PASTE_BYTES_MAX: Final = 4096
"""More than a line of chat can hold; what follows is dropped up to the closing mark."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A letter."""

    letter: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key that is no letter, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text that came from elsewhere, as one."""

    text: str


Key: TypeAlias = Typed | Pressed | Pasted

_CONTROLS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0x01: "home",
        0x02: "left",
        0x03: "interrupt",
        0x04: "end-of-input",
        0x05: "end",
        0x06: "right",
        0x08: "backspace",
        0x09: "tab",
        0x0A: "enter",
        0x0B: "kill-right",
        0x0C: "redraw",
        0x0D: "enter",
        0x0E: "down",
        0x10: "up",
        0x15: "kill-left",
        0x17: "kill-word",
        0x1A: "stop",
        0x7F: "backspace",
    }
)
"""The control keys that mean something here; the others are nothing."""

_SEQUENCES: Final[Mapping[bytes, str]] = MappingProxyType(
    {
        b"[A": "up",
        b"[B": "down",
        b"[C": "right",
        b"[D": "left",
        b"[F": "end",
        b"[H": "home",
        b"[1~": "home",
        b"[3~": "delete",
        b"[4~": "end",
        b"[5~": "page-up",
        b"[6~": "page-down",
        b"[7~": "home",
        b"[8~": "end",
        b"OA": "up",
        b"OB": "down",
        b"OC": "right",
        b"OD": "left",
        b"OF": "end",
        b"OH": "home",
        b"OM": "enter",
    }
)
"""What follows the escape."""

_ESCAPE: Final = 0x1B
_SPACE: Final = 0x20
_LETTER_BYTES_MAX: Final = 4
_DELETE: Final = 0x7F
_PASTE_BEGINS: Final = b"[200~"
_PASTE_ENDS: Final = b"\x1b[201~"

# Parameter bytes, intermediate bytes, one final byte; or a single shift and one byte.
_WHOLE: Final = re.compile(rb"\[[0-?]*[ -/]*[@-~]|O[ -~]")
_BEGUN: Final = re.compile(rb"(?:\[[0-?]*[ -/]*|O)?")


@dataclass(frozen=True, slots=True)
class Decoder:
    """The beginning of a key that is not whole yet; `pasted` while a paste is under way."""

    rest: bytes = b""
    pasted: bytes | None = None

    def feed(self, data: bytes) -> tuple[Decoder, tuple[Key, ...]]:
        """Return the decoder after more bytes, and the keys that they complete."""
        rest, pasted = self.rest + data, self.pasted
        keys: list[Key] = []
        while rest:
            if pasted is not None:
                rest, pasted, key = _paste(rest, pasted)
                if pasted is not None:
                    break
                keys.append(key)
                continue
            size, found = _first(rest)
            if not size:
                break
            if rest[:size] == b"\x1b" + _PASTE_BEGINS:
                pasted = b""
            elif found is not None:
                keys.append(found)
            rest = rest[size:]
        return Decoder(rest, pasted), tuple(keys)

    def flush(self) -> tuple[Decoder, tuple[Key, ...]]:
        """Return what a lone escape was, now that nothing has followed it.

        A sequence that has begun is waited for: a slow line may have torn it, and what is left of
        it must not act as letters.
        """
        if not self.is_waiting:
            return self, ()
        return Decoder(), (Pressed("escape"),)

    @property
    def is_waiting(self) -> bool:
        """Whether an escape is there that may be a key."""
        return self.pasted is None and self.rest == bytes([_ESCAPE])


def _first(rest: bytes) -> tuple[int, Key | None]:
    """Return how many bytes the first key has, 0 if it is not whole, and the key, if it is one."""
    byte = rest[0]
    if byte == _ESCAPE:
        return _sequence(rest)
    if byte < _SPACE or byte == _DELETE:
        name = _CONTROLS.get(byte)
        return 1, None if name is None else Pressed(name)
    return _letter(rest)


def _sequence(rest: bytes) -> tuple[int, Key | None]:
    after = rest[1 : 1 + SEQUENCE_BYTES_MAX]
    whole = _WHOLE.match(after)
    if whole is not None:
        name = _SEQUENCES.get(whole[0])
        return 1 + len(whole[0]), None if name is None else Pressed(name)
    if len(after) < SEQUENCE_BYTES_MAX and _BEGUN.fullmatch(after):
        return 0, None
    return 1, Pressed("escape")


def _letter(rest: bytes) -> tuple[int, Key | None]:
    """Return the first letter; what begins none is one byte that is no letter."""
    text, _ = utf_8_decode(rest[:_LETTER_BYTES_MAX], "replace")
    if not text:
        return 0, None
    data = text[0].encode()
    return len(data) if rest.startswith(data) else 1, Typed(text[0])


def _paste(rest: bytes, pasted: bytes) -> tuple[bytes, bytes | None, Pasted]:
    """Return what follows the paste, what is pasted while it goes on, and the whole paste."""
    inside, mark, after = rest.partition(_PASTE_ENDS)
    if mark:
        text = (pasted + inside)[:PASTE_BYTES_MAX].decode(errors="replace")
        return after, None, Pasted(text)
    # The closing mark may have begun.
    keep = next(
        size for size in range(len(_PASTE_ENDS) - 1, -1, -1) if inside.endswith(_PASTE_ENDS[:size])
    )
    cut = len(inside) - keep
    return inside[cut:], (pasted + inside[:cut])[:PASTE_BYTES_MAX], Pasted("")

"""How an input is made of one that is good.

Half of the changes are to bytes: flipped, replaced, taken out, doubled, put in, cut, joined with
another input. The other half are to what the bytes say: a message is decoded, one value in it is
exchanged for another, taken out, doubled or put into itself, and it is written again, so that the
checks behind the reader are reached. Byte strings that hold messages are changed inside as well.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import cbor2

CHANGES_MAX: Final = 4
DEPTH_MAX: Final = 6

ODD: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 23, 24, 255, 256, 2**31, 2**32, 2**32 - 1, 2**63, 2**64 - 1, -(2**63)),
    *(True, False, None, 1.5, float("nan"), float("inf")),
    *("", "\x00", "a" * 300, "\u202e", "é", "1" * 5000, b"", bytes(32), bytes(33), b"\xff" * 64),
    *([], [[]], [[[[[[[[]]]]]]]], {}, {1: 2}, {"a": []}),
)
"""Values that are seldom what a field wants: bounds, other types, empty, long, deep."""

Change = Callable[[Random, bytes, bytes], bytes]


def _flipped(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _replaced(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + random.choice(_HEADS) + data[at + 1 :]


def _taken_out(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + data[at + random.randint(1, 40) :]


def _put_in(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.randbytes(random.randint(1, 12)) + data[at:]


def _doubled(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data))
    piece = data[at : at + random.randint(1, 64)]
    return data[:at] + piece * random.randint(2, 20) + data[at:]


def _cut(random: Random, data: bytes, _: bytes) -> bytes:
    return data[: random.randint(0, len(data))]


def _joined(random: Random, data: bytes, other: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + other[random.randint(0, len(other)) :]


def _lengthened(random: Random, data: bytes, _: bytes) -> bytes:
    """Say of an array, a text or bytes that it is as long as can be."""
    at = random.randrange(len(data))
    head = bytes([random.choice((0x5B, 0x7B, 0x9B, 0xBB, 0x5A, 0x9A))])
    return data[:at] + head + random.randbytes(8) + data[at + 1 :]


_HEADS: Final = tuple(bytes([head]) for head in range(256))

_OF_BYTES: Final[tuple[Change, ...]] = (
    _flipped,
    _replaced,
    _taken_out,
    _put_in,
    _doubled,
    _cut,
    _joined,
    _lengthened,
)


def changed(random: Random, data: bytes, other: bytes) -> bytes:
    """Return what becomes of an input, given another good one beside it."""
    is_said = random.random() < 1 / 2
    if is_said and (made := _said_otherwise(random, data)) is not None:
        return made
    for _ in range(random.randint(1, CHANGES_MAX)):
        data = random.choice(_OF_BYTES)(random, data or b"\x00", other)
    return data


def _said_otherwise(random: Random, data: bytes, depth: int = 0) -> bytes | None:
    """Return a message with one value in it that is another; None if it is no message."""
    try:
        value = cbor2.loads(data)
    except Exception:  # noqa: BLE001 - whatever it is, it is not CBOR
        return None
    if depth == 0 and not isinstance(value, list):
        return None
    return cbor2.dumps(_exchanged(random, value, depth), canonical=True)


def _exchanged(random: Random, value: Any, depth: int) -> Any:  # noqa: ANN401 - of any type
    """Return a value of which something is other than it was."""
    if isinstance(value, list) and value and depth < DEPTH_MAX and random.random() < 0.9:
        made = list(value)
        at = random.randrange(len(made))
        match random.randrange(8):
            case 0:
                del made[at]
            case 1:
                made.insert(at, made[at])
            case 2:
                made[at] = [made[at]]
            case 3:
                made *= random.randint(2, 300) if len(made) < 50 else 2
            case _:
                made[at] = _exchanged(random, made[at], depth + 1)
        return made
    if isinstance(value, bytes) and value and random.random() < 0.7:
        inside = _said_otherwise(random, value, depth + 1) if depth < DEPTH_MAX else None
        return inside or random.choice(_OF_BYTES)(random, value, value)
    if isinstance(value, int) and random.random() < 0.5:
        return value + random.choice((-1, 1))
    return random.choice(ODD)


def changed_gently(random: Random, data: bytes) -> bytes:
    """Return a message with one value in it that is another of the same kind and length.

    What reads it takes it for a good one, so the checks behind the reader have to find it. What is
    no message any more, because it was changed before, stays as it is.
    """
    try:
        value = cbor2.loads(data)
    except Exception:  # noqa: BLE001 - whatever it is, it is not CBOR
        return data
    return cbor2.dumps(_altered(random, value), canonical=True)


def _altered(random: Random, value: Any) -> Any:  # noqa: ANN401 - of any type
    if isinstance(value, list) and value:
        made = list(value)
        at = random.randrange(len(made))
        made[at] = _altered(random, made[at])
        return made
    if isinstance(value, bytes) and value:
        inside = _inside(random, value)
        return _flipped(random, value, b"") if inside is None else inside
    if isinstance(value, int):
        return not value if isinstance(value, bool) else max(0, value + random.choice((-1, 1)))
    return value


def _inside(random: Random, data: bytes) -> bytes | None:
    """Return a message inside a message, changed; None if these bytes are none."""
    try:
        value = cbor2.loads(data)
    except Exception:  # noqa: BLE001 - whatever it is, it is not CBOR
        return None
    is_whole = isinstance(value, list) and cbor2.dumps(value, canonical=True) == data
    return changed_gently(random, data) if is_whole else None

"""Vectors of messages: every kind once in order, and everything that is refused before the deck.

The messages are made field by field from the types that the specs give; nothing in them is true of
any deck, for reading asks only about form. Each type brings its own defects, so that every field of
every kind is shown with each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from nodealer.crypto import SECP256K1, Point, write_scalar
from nodealer.deck import deck_messages
from nodealer.kernel import Value, encode
from nodealer.kernel.limits import CARDS_MAX, MESSAGE_BYTES_MAX, OPENED_VALUE_BYTES_MAX, SEATS_MAX
from nodealer.wire import KIND_BYTES_MAX, VERSION
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import hashed, scalar, some_point

_OFF_CURVE: Final = b"\x02" + (5).to_bytes(32, "big")
_ORDER: Final = SECP256K1.order.to_bytes(32, "big")
_SHAPE: Final = "encoding/shape"


@dataclass(frozen=True)
class Type:
    """A type of field: a good value, and the defects that it can have."""

    good: Value
    bad: tuple[tuple[str, Value, str], ...]


def _record(*inner: tuple[str, Type]) -> Type:
    """Return a record; its defects are those of its fields, and one field less."""
    values = [kind.good for _, kind in inner]
    bad = [
        (f"{name}-{defect}", [*values[:place], value, *values[place + 1 :]], reason)
        for place, (name, kind) in enumerate(inner)
        for defect, value, reason in kind.bad
    ]
    return Type(values, (*bad, ("short", values[:-1], _SHAPE)))


def _points_of(count: int, word: str) -> bytes:
    return b"".join([some_point(word, index).encode() for index in range(count)])


def _point(word: str) -> Type:
    """Return a point; all defects of points are shown with X, the most telling one with others."""
    good = some_point(word).encode()
    off_curve = ("off-curve", _OFF_CURVE, "group/point-off-curve")
    if word != "X":
        return Type(good, (off_curve,))
    return Type(
        good,
        (
            off_curve,
            ("length", good + b"\x00", _SHAPE),
            ("identity", b"\x00", _SHAPE),
            ("prefix", b"\x04" + good[1:], "group/point-prefix"),
        ),
    )


def _scalar(word: str) -> Type:
    good = write_scalar(scalar(word))
    bad = (("length", good[1:], _SHAPE), ("range", _ORDER, "group/scalar-range"))
    return Type(good, bad)


def _points(word: str, count: int = 2, unit: int = 1) -> Type:
    good = _points_of(count * unit, word)
    return Type(
        good,
        (
            ("length", good[:-1], _SHAPE),
            ("off-curve", good[:-33] + _OFF_CURVE, "group/point-off-curve"),
        ),
    )


def _seals() -> Type:
    plain = _points("Vs")
    too_many = ("too-many", _points_of(1, "Vs") * (SEATS_MAX + 1), _SHAPE)
    return Type(plain.good, (*plain.bad, ("none", b"", _SHAPE), too_many))


def _proof(word: str, responses: int = 1) -> Type:
    scalars = b"".join([write_scalar(scalar(word, index)) for index in range(responses)])
    good = hashed(word)[:16] + scalars
    length = ("length", good[:-1], "proof/length")
    largest = 16 + 32 * (4 + 2 * CARDS_MAX)
    too_long = ("too-long", bytes(largest + 32), _SHAPE)
    out_of_range = ("range", good[:-32] + _ORDER, "group/scalar-range")
    return Type(good, (length, out_of_range, too_long) if word == "key" else (length,))


def _any_proof(branches: int) -> Type:
    good = b"".join([write_scalar(scalar("branch", index)) for index in range(2 * branches)])
    return Type(
        good,
        (
            ("length", good[:-32], _SHAPE),
            ("none", b"", _SHAPE),
            ("range", good[:-32] + _ORDER, "group/scalar-range"),
        ),
    )


def _shuffle_proof(cards: int) -> Type:
    scalars = b"".join([write_scalar(scalar("tw", index)) for index in range(4 + 2 * cards)])
    points = _points_of(2 * cards, "tw")
    good = points + hashed("tw")[:16] + scalars
    return Type(
        good,
        (
            ("length", good[:-32], "proof/length"),
            ("off-curve", _OFF_CURVE + good[33:], "group/point-off-curve"),
            ("range", good[:-32] + _ORDER, "group/scalar-range"),
        ),
    )


def _hash(word: str) -> Type:
    return Type(hashed(word), (("length", hashed(word)[:-1], _SHAPE),))


def _exchange(word: str) -> Type:
    """Return an exchange, with one defect of its own and one of each field."""
    full = _record(("deltas", _points(word)), ("proof", _proof(word, 2)))
    shown = {"deltas-off-curve", "short"}
    return Type(full.good, tuple(defect for defect in full.bad if defect[0] in shown))


def _array(inner: Type, name: str) -> Type:
    bad = [(f"{name}-{defect}", [value], reason) for defect, value, reason in inner.bad]
    return Type([inner.good], (("none", [], _SHAPE), *bad))


def _releases() -> Type:
    forms = {
        "key": _record(("secret", _scalar("secret"))),
        "share": _record(("S", _point("S")), ("proof", _proof("share"))),
        "seal": _record(
            ("U", _point("U")),
            ("Vs", _seals()),
            ("proof", _proof("seal", 2)),
        ),
    }
    good = {word: [word, *_listed(form.good)] for word, form in forms.items()}
    bad = [
        (f"{word}-{defect}", [[word, *_listed(value)]], reason)
        for word, form in forms.items()
        for defect, value, reason in form.bad
    ]
    return Type(
        list(good.values()),
        (
            *bad,
            ("none", [], _SHAPE),
            ("too-many", [good["key"]] * (CARDS_MAX + 1), _SHAPE),
            ("item-empty", [[]], _SHAPE),
            ("item-no-array", [b"key"], _SHAPE),
            ("word-unknown", [["open", *_listed(forms["key"].good)]], _SHAPE),
            ("word-bytes", [[b"key", *_listed(forms["key"].good)]], _SHAPE),
            ("word-of-another", [["share", *_listed(forms["key"].good)]], _SHAPE),
        ),
    )


def _listed(value: Value) -> Sequence[Value]:
    assert isinstance(value, list), "a record is a list"
    return value


_KINDS: Final[dict[str, tuple[tuple[str, Type], ...]]] = {
    "deck/key": (("X", _point("X")), ("proof", _proof("key"))),
    "deck/shuffle": (("cards", _points("cards", 1, 2)), ("proof", _shuffle_proof(1))),
    "deck/mask": (("keys", _points("keys")), ("exchange", _exchange("deltas"))),
    "deck/release": (("items", _releases()),),
    "deck/open-key": (("secret", _scalar("secret")),),
    "deck/open-share": (("S", _point("S")), ("proof", _proof("share"))),
    "deck/viewed-face": (
        ("face", Type("QH", (("length", "Q" * 65, _SHAPE), ("bytes", b"QH", _SHAPE)))),
        ("proof", _proof("viewed")),
    ),
    "deck/restack": (
        ("H", _point("H")),
        ("inward", _exchange("inward")),
        ("cards", _points("cards", 1, 2)),
        ("shuffle", _shuffle_proof(1)),
        ("keys", _points("keys")),
        ("outward", _exchange("outward")),
    ),
    "deck/handover": (
        (
            "cards",
            _array(
                _record(
                    ("card", Type(_points_of(2, "card"),
                                  (("length", _points_of(1, "card"), _SHAPE),
                                   ("off-curve", _points_of(1, "card") + _OFF_CURVE,
                                    "group/point-off-curve")))),
                    ("proof", _proof("handover", 2)),
                ),
                "handed",
            ),
        ),
    ),
    "deck/face": (("proof", _proof("face")),),
    "deck/member": (("proof", _any_proof(2)),),
    "deck/absent": (("Ts", _points("Ts")), ("proof", _proof("absent", 4))),
    "deck/equal": (("proof", _proof("equal", 2)),),
    "deck/not-equal": (
        ("T", _point("T")),
        ("tries", Type(0, (("range", 256, _SHAPE), ("negative", -1, _SHAPE),
                           ("boolean", False, _SHAPE)))),
        ("proof", _proof("not-equal", 3)),
    ),
    "deck/commit": (("commitment", _hash("commitment")),),
    "deck/open": (
        ("value", Type(b"\x01\x02",
                       (("length", bytes(OPENED_VALUE_BYTES_MAX + 1), _SHAPE),
                        ("text", "12", _SHAPE)))),
        ("salt", _hash("salt")),
    ),
}  # fmt: skip


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `messages`."""
    for kind, declared in _KINDS.items():
        yield from _of_kind(kind, declared)
    yield from _of_no_kind()


def _of_kind(kind: str, declared: tuple[tuple[str, Type], ...]) -> Iterator[Vector]:
    folder = f"messages/{kind.removeprefix('deck/')}"
    good = [value.good for _, value in declared]
    message: list[Value] = [VERSION, kind, *good]
    part = deck_messages(SECP256K1).read_any(encode(message))
    given: Json = {"kind": kind, "data": encode(message).hex()}
    then = {"fields": _plain(part)}
    yield Vector(f"{folder}/valid", f"a message of the kind {kind}", "message/read", given,
                 then=then)  # fmt: skip
    other = "deck/equal" if kind == "deck/face" else "deck/face"
    defects: list[tuple[str, str, list[Value], str]] = [
        ("missing", "the last field is left out", message[:-1], _SHAPE),
        ("extra", "a field too many", [*message, None], _SHAPE),
        ("kind", f"{other} where {kind} is expected", [VERSION, other, *good], "encoding/kind"),
        ("version", "another version", [VERSION + 1, *message[1:]], "encoding/version"),
    ]
    defects += [
        (f"{name}-{defect}", f"field {name}: {defect}", [*message[:at], value, *message[at + 1 :]],
         reason)
        for at, (name, type_) in enumerate(declared, start=2)
        for defect, value, reason in type_.bad
    ]  # fmt: skip
    for name, about, defective, reason in defects:
        wrong: Json = {"kind": kind, "data": encode(defective).hex()}
        yield Vector(f"{folder}/refused/{name}", about, "message/read", wrong, reason)


def _of_no_kind() -> Iterator[Vector]:
    good: list[Value] = [VERSION, "deck/commit", hashed("commitment")]
    data = encode(good)
    defects: dict[str, tuple[str, bytes, str]] = {
        "empty": ("no bytes", b"", "encoding/truncated"),
        "no-array": ("a byte string", encode(b"abc"), _SHAPE),
        "map": ("a map", encode({"version": 1}), _SHAPE),
        "no-version": ("an empty array", encode([]), _SHAPE),
        "no-kind": ("a version alone", encode([VERSION]), _SHAPE),
        "version-text": ("a version in words", encode(["1", *good[1:]]), _SHAPE),
        "version-negative": ("a negative version", encode([-1, *good[1:]]), _SHAPE),
        "version-before-kind": ("another version, and a kind that is no text: the version is first",
                                encode([0, 7]), "encoding/version"),
        "version-before-rest": ("another version of which the rest is no CBOR",
                                b"\x83\x02\xff\xff", "encoding/version"),
        "kind-bytes": ("a kind in bytes", encode([VERSION, b"deck/commit", good[2]]), _SHAPE),
        "kind-long": ("a kind of 65 bytes", encode([VERSION, "k" * (KIND_BYTES_MAX + 1)]), _SHAPE),
        "kind-unknown": ("a kind that there is not", encode([VERSION, "deck/none", 0]),
                         "encoding/kind"),
        "trailing": ("a byte behind the message", data + b"\x00", "encoding/trailing"),
        "truncated": ("the last byte is missing", data[:-1], "encoding/truncated"),
        "not-minimal": ("the version in two bytes", b"\x83\x18\x01" + data[2:],
                        "encoding/not-minimal"),
    }  # fmt: skip
    for name, (about, wrong, reason) in defects.items():
        yield Vector(f"messages/any/refused/{name}", about, "message/read", {"data": wrong.hex()},
                     reason)  # fmt: skip
    length = MESSAGE_BYTES_MAX + 1 - len(data)
    pieces: Json = {"pieces": [[data.hex(), 1], ["00", length]]}
    yield Vector("messages/any/refused/oversized", "the whole is too long, whatever it is",
                 "message/read", pieces, "encoding/oversized")  # fmt: skip


def _plain(part: object) -> Any:  # noqa: ANN401 - any JSON
    """Return the fields of a part: points, scalars and bytes as hex, records as objects."""
    readers: dict[type, Callable[[Any], object]] = {
        bytes: bytes.hex,
        str: str,
        tuple: lambda items: [_plain(inner) for inner in items],
    }
    if isinstance(part, Point):
        return part.encode().hex()
    if is_dataclass(part):
        own = {field.name: _plain(getattr(part, field.name)) for field in fields(part)}
        return own | {"tries": int(own["tries"], 16)} if "tries" in own else own
    if isinstance(part, int):
        return write_scalar(part).hex()
    for type_, reader in readers.items():
        if isinstance(part, type_):
            return reader(part)
    raise TypeError(type(part).__name__)

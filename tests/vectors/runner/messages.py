"""Messages: bytes to fields and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from nodealer import deck as parts
from nodealer.crypto import SECP256K1, Point, write_scalar
from nodealer.deck import deck_messages
from tests.vectors.runner.reading import Json, data_of

KINDS: Final[Mapping[str, type[object]]] = {
    "deck/key": parts.KeyPart,
    "deck/shuffle": parts.ShufflePart,
    "deck/mask": parts.MaskPart,
    "deck/release": parts.ReleasePart,
    "deck/open-key": parts.OpenKey,
    "deck/open-share": parts.OpenShare,
    "deck/viewed-face": parts.ViewedFace,
    "deck/restack": parts.RestackPart,
    "deck/handover": parts.HandoverPart,
    "deck/face": parts.FacePart,
    "deck/member": parts.MemberPart,
    "deck/absent": parts.AbsentPart,
    "deck/equal": parts.EqualPart,
    "deck/not-equal": parts.NotEqualPart,
    "deck/commit": parts.CommitPart,
    "deck/open": parts.OpenPart,
}


def read(kind: str | None, data: bytes) -> object:
    """Return the part of a message: of this kind, or of any."""
    messages = deck_messages(SECP256K1)
    return messages.read_any(data) if kind is None else messages.read(data, KINDS[kind])


def _read(given: Json) -> Json:
    data = data_of(given)
    part = read(given.get("kind"), data)
    assert deck_messages(SECP256K1).write(part) == data, "what was read is written as it was"
    assert deck_messages(SECP256K1).read_any(data) == part, "the kind says how to read it"
    return {"fields": _fields(part)}


def _fields(part: object) -> Json:
    return {
        field.name: int(getattr(part, field.name))
        if field.name == "tries"
        else _plain(getattr(part, field.name))
        for field in fields(part)  # type: ignore[arg-type] # every part is a dataclass
    }


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):  # masked cards are pairs
        return [_plain(item) for item in value]
    return _hex(value) or _fields(value)


def _hex(value: object) -> str | None:
    match value:
        case Point():
            return value.encode().hex()
        case bytes():
            return value.hex()
        case int():
            return write_scalar(value).hex()
        case _:
            return None


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {"message/read": _read}

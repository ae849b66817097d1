"""What a node and a client say to each other: messages, refusals, and JSON from strangers.

A client is a program of the player, and may be wrong in every way. What it says is read here, with
bounds; whatever is not a JSON object with a type is refused before anything looks into it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, NoReturn, TypeAlias

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None

SAID_BYTES_MAX: Final = 4096
"""The longest message of a client; the longest that means anything has some hundred bytes."""

NAME_SHOWN_MAX: Final = 40
"""Of a name that nobody knows, so much is repeated."""

NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})


class Fault(Enum):
    """What is wrong with something that a client says."""

    MALFORMED = "malformed"
    TOO_LONG = "too-long"
    UNKNOWN_MESSAGE = "unknown-message"
    WRONG_FIELDS = "wrong-fields"
    UNACKNOWLEDGED = "unacknowledged"
    UNREGISTERED = "unregistered"
    NOT_NOW = "not-now"
    NOT_ALLOWED = "not-allowed"
    LEFT_OUT = "left-out"


class Refused(Exception):  # noqa: N818 - it says what it is
    """What a client says is refused, and changes nothing."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Told:
    """A message to a client; `asks` if the player has to act after it."""

    name: str
    fields: Mapping[str, Json] = field(default_factory=lambda: NOTHING)
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a client: its name, and all else that is in it."""

    name: str
    fields: Mapping[str, Json]


def read_said(text: str) -> Said:
    """Return what a client says, or raise `Refused` if it is no message at all."""
    if len(text.encode(errors="replace")) > SAID_BYTES_MAX:
        raise Refused(Fault.TOO_LONG, f"a message has at most {SAID_BYTES_MAX} bytes")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Refused(Fault.MALFORMED, "a message is one JSON object on one line") from error
    if not isinstance(value, dict):
        raise Refused(Fault.MALFORMED, "a message is a JSON object")
    name = value.pop("type", None)
    if not isinstance(name, str):
        raise Refused(Fault.MALFORMED, "a message says in `type` what it is")
    return Said(name, value)


def require_fields(said: Said, names: Sequence[str]) -> None:
    """Raise `Refused` unless a message has exactly these fields."""
    if said.fields.keys() != set(names):
        listed = ", ".join(names) if names else "no fields"
        raise Refused(Fault.WRONG_FIELDS, f"{said.name} has {listed}")


def number_in(said: Said, name: str) -> int:
    """Return the number in a field; true and 1.0 are none."""
    value = said.fields[name]
    if type(value) is not int:
        raise Refused(Fault.WRONG_FIELDS, f"{name} is a whole number")
    return value


def numbers_in(said: Said, name: str) -> tuple[int, ...]:
    """Return the numbers of a list in a field, no two of them equal, ascending."""
    value = said.fields[name]
    if not isinstance(value, list):
        raise Refused(Fault.WRONG_FIELDS, f"{name} is a list of whole numbers")
    found = tuple(item for item in value if type(item) is int)
    if len(found) != len(value) or len(set(found)) != len(found):
        raise Refused(Fault.WRONG_FIELDS, f"{name} is a list of different whole numbers")
    return tuple(sorted(found))


def unknown(said: Said) -> Refused:
    """Return the refusal of a message that the protocol does not have."""
    return Refused(Fault.UNKNOWN_MESSAGE, f"there is no {said.name[:NAME_SHOWN_MAX]!r}")


def written(fields: Mapping[str, Json]) -> str:
    """Return a message as one line of ASCII, without its end."""
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")

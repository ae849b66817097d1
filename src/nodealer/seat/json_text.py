"""JSON of a client: what it says, read with bounds, and what it is told, written.

A client is a program of the player, and may be wrong in every way. Whatever is not a JSON object
with a type is refused before anything looks into it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NoReturn

from nodealer.games import ClientRefused, ClientRequest, Fault, JsonValue

SAID_BYTES_MAX: Final = 4096
"""The longest message of a client; the longest that means anything has some hundred bytes."""


def read_request(text: str) -> ClientRequest:
    """Return what a client says, or raise `ClientRefused` if it is no message at all."""
    if len(text.encode(errors="replace")) > SAID_BYTES_MAX:
        raise ClientRefused(Fault.TOO_LONG, f"a message has at most {SAID_BYTES_MAX} bytes")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ClientRefused(Fault.MALFORMED, "a message is one JSON object on one line") from error
    if not isinstance(value, dict):
        raise ClientRefused(Fault.MALFORMED, "a message is a JSON object")
    name = value.pop("type", None)
    if not isinstance(name, str):
        raise ClientRefused(Fault.MALFORMED, "a message says in `type` what it is")
    return ClientRequest(name, value)


def written(fields: Mapping[str, JsonValue]) -> str:
    """Return a message as one line of ASCII, without its end."""
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")

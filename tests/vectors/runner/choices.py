"""Plans of audiences, commitments and coins, signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from nodealer.crypto import SigningKey, VerifyKey, commit, verify_opening
from nodealer.deck import coin, draw, plan
from nodealer.kernel import Seat, TableId
from tests.vectors.runner.reading import Json, listed, seats, value_of


def _plan(given: Json) -> Json:
    closed = {Seat(int(seat)): frozenset(seats(known)) for seat, known in given["closed"].items()}
    audience, added = frozenset(seats(given["audience"])), seats(given["added"])
    roster, stays_closed = seats(given["roster"]), given.get("stays_closed", False)
    made = plan(closed, audience, added, roster, stays_closed=stays_closed)
    return {
        "audience": listed(made.audience),
        "opens": list(made.opens),
        "guard": made.guard,
        "viewers": list(made.viewers),
    }


def _commit(given: Json) -> Json:
    table, label, seat, value, salt = _committed(given)
    return {"commitment": commit(table, label, seat, value, salt).hex()}


def _open(given: Json) -> None:
    table, label, seat, value, salt = _committed(given)
    verify_opening(table, label, seat, bytes.fromhex(given["commitment"]), value, salt)


def _committed(given: Json) -> tuple[TableId, bytes, Seat, bytes, bytes]:
    table, label, value, salt = (
        bytes.fromhex(given[name]) for name in ("table", "label", "value", "salt")
    )
    return TableId(table), label, Seat(given["seat"]), value, salt


def _coin(given: Json) -> Json:
    table, label = TableId(bytes.fromhex(given["table"])), bytes.fromhex(given["label"])
    values = {Seat(int(seat)): bytes.fromhex(value) for seat, value in given["values"].items()}
    return {"coin": coin(table, label, seats(given["seats"]), values).hex()}


def _draw(given: Json) -> Json:
    return {"drawn": draw(bytes.fromhex(given["coin"]), given["sides"])}


def _sign(given: Json) -> Json:
    key = SigningKey(bytes.fromhex(given["seed"]))
    signature = key.sign(given["domain"], value_of(given["value"]))
    return {"key": key.verify_key.raw.hex(), "signature": signature.hex()}


def _verify(given: Json) -> None:
    key = VerifyKey(bytes.fromhex(given["key"]))
    key.verify(given["domain"], value_of(given["value"]), bytes.fromhex(given["signature"]))


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    "audience/plan": _plan,
    "commit/commit": _commit,
    "commit/open": _open,
    "coin/result": _coin,
    "coin/draw": _draw,
    "signature/sign": _sign,
    "signature/verify": _verify,
}

"""Vectors of the planner of audiences, of commitments and coins, and of signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nodealer.crypto import SigningKey, commit
from nodealer.deck import PUBLIC, coin, draw, plan
from nodealer.kernel import Seat, TableId, Value
from nodealer.kernel.limits import OPENED_VALUE_BYTES_MAX
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import flipped, hashed, item, seats

_ALL: Final = int(PUBLIC)

_Plan = tuple[str, dict[int, list[int]], list[int], list[int], list[int]]

_PLANS: Final[dict[str, _Plan]] = {
    # name: about, closed layers and who knows them, audience, added, roster
    "deal": ("a card to its owner", {0: [0], 1: [1], 2: [2]}, [], [1], [0, 1, 2]),
    "deal-to-two": ("to two at once: the lower one guards", {0: [0], 1: [1], 2: [2]}, [], [2, 1],
                    [0, 1, 2]),
    "open": ("to everybody", {0: [0], 1: [1]}, [], [_ALL], [0, 1]),
    "open-dealt": ("a dealt card to everybody", {1: [1]}, [1], [_ALL], [0, 1, 2]),
    "peek": ("a second viewer: the guard seals", {0: [0]}, [0], [2], [0, 1, 2]),
    "peek-again": ("a third viewer: one seal is there already", {0: [0, 2]}, [0, 2], [1],
                   [0, 1, 2, 3]),
    "all-but-one": ("to all but one", {0: [0], 1: [1], 2: [2], 3: [3]}, [], [0, 1, 3],
                    [0, 1, 2, 3]),
    "last-viewer": ("the last seat that could not see it: the card is public", {0: [0, 1]}, [0, 1],
                    [2], [0, 1, 2]),
    "two-seats-both": ("both of two seats: public", {0: [0], 1: [1]}, [], [0, 1], [0, 1]),
    "nobody": ("nobody is added to nobody", {0: [0], 1: [1]}, [], [], [0, 1]),
    "nothing-new": ("who sees it already", {0: [0, 2]}, [0, 2], [2], [0, 1, 2]),
    "guard-by-seals": ("the guard is whose layer needs the fewest seals, not the lowest seat",
                       {0: [0], 2: [0, 2]}, [0, 2], [0], [0, 1, 2]),
    "handed-over": ("a handed card: its giver stands in the audience and gets the seal too",
                    {1: [1]}, [0, 1], [2], [0, 1, 2, 3]),
    "gone-elsewhere": ("a seat that left does no harm where it has no layer", {0: [0]}, [0], [1],
                       [0, 1, 3]),
    "gone-alone": ("the last seat at the table: everything it may see is public", {0: [0]}, [0],
                   [], [0]),
}  # fmt: skip

_PLANS_CLOSED: Final[dict[str, _Plan]] = {
    # As above, of cards that stay closed.
    "closed-two-seats": ("the only opponent sees it, and it stays closed", {0: [0]}, [0], [1],
                         [0, 1]),
    "closed-last-viewer": ("the last seat that could not see it: sealed to it as well",
                           {0: [0, 1]}, [0, 1], [2], [0, 1, 2]),
    "closed-fresh": ("all at once, where nobody had seen it", {0: [0], 1: [1], 2: [2]}, [],
                     [0, 1, 2], [0, 1, 2]),
    "closed-opened": ("to everybody: nothing stays closed", {0: [0, 1]}, [0, 1], [_ALL], [0, 1]),
}  # fmt: skip

_PLANS_REFUSED: Final[dict[str, tuple[_Plan, str]]] = {
    "no-layer-of-the-audience": (
        ("no closed layer belongs to the new audience", {1: [1]}, [], [0], [0, 1, 2]),
        "deck/audience",
    ),
    "no-layer-at-all": (
        ("a card without layers", {}, [], [0], [0, 1, 2]),
        "deck/audience",
    ),
    "gone-opens": (
        ("a seat that left would have to open", {0: [0], 1: [1], 2: [2]}, [], [0], [0, 1]),
        "deck/seat-gone",
    ),
    "gone-opens-to-all": (
        ("to everybody, but a layer is gone", {0: [0], 2: [2]}, [], [_ALL], [0, 1]),
        "deck/seat-gone",
    ),
    "gone-seals": (
        ("the guard has left", {2: [2]}, [2], [0], [0, 1, 3]),
        "deck/seat-gone",
    ),
}


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topics `audience`, `commit`, `coin` and `signatures`."""
    yield from _plans()
    yield from _commitments()
    yield from _coins()
    yield from _draws()
    yield from _signatures()


def _plans() -> Iterator[Vector]:
    for name, described in {**_PLANS, **_PLANS_CLOSED}.items():
        given = _asked(described)
        if name in _PLANS_CLOSED:
            given["stays_closed"] = True
        _, closed, audience, added, roster = described
        made = plan(
            {Seat(seat): frozenset(_seats(known)) for seat, known in closed.items()},
            frozenset(_seats(audience)),
            _seats(added),
            _seats(roster),
            stays_closed=name in _PLANS_CLOSED,
        )
        then: Json = {
            "audience": seats(made.audience),
            "opens": seats(made.opens),
            "guard": None if made.guard is None else int(made.guard),
            "viewers": seats(made.viewers),
        }
        yield Vector(f"audience/{name}", described[0], "audience/plan", given, then=then)
    for name, (described, reason) in _PLANS_REFUSED.items():
        path = f"audience/refused/{name}"
        yield Vector(path, described[0], "audience/plan", _asked(described), reason)


def _asked(described: _Plan) -> Json:
    _, closed, audience, added, roster = described
    return {
        "closed": {str(seat): known for seat, known in closed.items()},
        "audience": seats(_seats(audience)),
        "added": seats(_seats(added)),
        "roster": roster,
    }


def _seats(numbers: Sequence[int]) -> list[Seat]:
    return [Seat(number) for number in numbers]


def _commitments() -> Iterator[Vector]:
    table, salt = TableId(hashed("table")), hashed("salt")
    value, label = b"the left one", b"which card"
    commitment = commit(table, label, Seat(1), value, salt)
    base: Json = {
        "table": table.hex(),
        "label": label.hex(),
        "seat": 1,
        "value": value.hex(),
        "salt": salt.hex(),
    }
    made = {"commitment": commitment.hex()}
    yield Vector("commit/commit", "a commitment is a hash", "commit/commit", base, then=made)
    opened = base | made
    yield Vector("commit/open", "an opening that fits", "commit/open", opened)
    empty = commit(table, b"", Seat(0), b"", salt).hex()
    least = base | {"label": "", "seat": 0, "value": "", "commitment": empty}
    yield Vector("commit/open-empty", "nothing is a value too", "commit/open", least)
    mismatch, length = "commit/mismatch", "commit/length"
    defects: dict[str, tuple[Json, str]] = {
        "table": ({"table": hashed("other").hex()}, mismatch),
        "label": ({"label": b"who begins".hex()}, mismatch),
        "seat": ({"seat": 2}, mismatch),
        "value": ({"value": b"the right one".hex()}, mismatch),
        "salt": ({"salt": flipped(salt).hex()}, mismatch),
        "commitment": ({"commitment": flipped(commitment).hex()}, mismatch),
        "salt-short": ({"salt": salt[1:].hex()}, length),
        "commitment-short": ({"commitment": commitment[1:].hex()}, length),
        "value-long": ({"value": bytes(OPENED_VALUE_BYTES_MAX + 1).hex()}, "commit/oversized"),
    }
    for name, (change, reason) in defects.items():
        about = f"the opening of another commitment: {name}"
        yield Vector(f"commit/refused/{name}", about, "commit/open", opened | change, reason)


def _coins() -> Iterator[Vector]:
    table, label = TableId(hashed("table")), b"who begins"
    values = {seat: hashed("coin", seat) for seat in (0, 2, 5)}
    written = {str(seat): value.hex() for seat, value in values.items()}
    base: Json = {"table": table.hex(), "label": label.hex(), "seats": [5, 0, 2], "values": written}
    result = coin(table, label, _seats([0, 2, 5]), {Seat(s): v for s, v in values.items()})
    then = {"coin": result.hex()}
    about = "the values of three seats, in ascending order of seats"
    yield Vector("coin/three", about, "coin/result", base, then=then)
    without = {seat: value for seat, value in written.items() if seat != "2"}
    defects: dict[str, tuple[str, Json, str]] = {
        "missing": ("a seat has not opened", {"values": without}, "commit/missing"),
        "nobody": ("nobody is asked", {"seats": []}, "commit/missing"),
        "short": ("a value of 31 bytes", {"values": written | {"2": values[2][1:].hex()}},
                  "commit/length"),
    }  # fmt: skip
    for name, (found, change, reason) in defects.items():
        yield Vector(f"coin/refused/{name}", found, "coin/result", base | change, reason)


def _draws() -> Iterator[Vector]:
    result = hashed("result")
    for bound in (1, 2, 3, 10, 52, 210, 1 << 32):
        given: Json = {"coin": result.hex(), "sides": bound}
        then = {"drawn": draw(result, bound)}
        about = f"a number below {bound}"
        yield Vector(f"coin/draw-{bound}", about, "coin/draw", given, then=then)


def _signatures() -> Iterator[Vector]:
    key = SigningKey(hashed("signing key"))
    domain = "nodealer/1/test"
    value: list[Value] = [hashed("table"), 7, "text"]
    signature = key.sign(domain, value)
    signed = _signed(key.verify_key.raw, domain, value, signature)
    given: Json = {"seed": hashed("signing key").hex(), "domain": domain, "value": item(value)}
    then = {"key": key.verify_key.raw.hex(), "signature": signature.hex()}
    yield Vector("signatures/sign", "a key signs", "signature/sign", given, then=then)
    yield Vector("signatures/valid", "it verifies", "signature/verify", signed)
    order = (1 << 252) + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order
    bad = "signature/bad"
    defects: dict[str, tuple[str, Json, str]] = {
        "domain": ("another domain", {"domain": "nodealer/1/other"}, bad),
        "value": ("another value", {"value": item([hashed("table"), 8, "text"])}, bad),
        "type": ("the same number as text", {"value": item([hashed("table"), "7", "text"])}, bad),
        "R": ("the first half altered", {"signature": flipped(signature, 0).hex()}, bad),
        "s": ("the second half altered", {"signature": flipped(signature, 40).hex()}, bad),
        "s-not-reduced": ("s and the order: the same residue",
                          {"signature": signature[:32].hex() + s.to_bytes(32, "little").hex()},
                          bad),
        "zero": ("64 zero bytes", {"signature": bytes(64).hex()}, bad),
        "key": ("another key", {"key": SigningKey(hashed("other")).verify_key.raw.hex()}, bad),
        "key-not-reduced": ("a key whose y is the field's prime and three",
                            {"key": "f0" + "ff" * 30 + "7f"}, bad),
        "short": ("63 bytes", {"signature": signature[:-1].hex()}, "signature/length"),
        "long": ("65 bytes", {"signature": signature.hex() + "00"}, "signature/length"),
        "key-short": ("a key of 31 bytes", {"key": key.verify_key.raw[1:].hex()},
                      "signature/length"),
        "weak-key-one": ("the neutral element as key", {"key": "01" + "00" * 31},
                         "signature/weak-key"),
        "weak-key-zero": ("a key of order four, with the sign set", {"key": "00" * 31 + "80"},
                          "signature/weak-key"),
        "weak-key-eight": (
            "a key of order eight",
            {"key": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"},
            "signature/weak-key"),
        "weak-key-not-reduced": ("the neutral element, not reduced",
                                 {"key": "ee" + "ff" * 30 + "7f"}, "signature/weak-key"),
    }  # fmt: skip
    for name, (about, change, reason) in defects.items():
        path = f"signatures/refused/{name}"
        yield Vector(path, about, "signature/verify", signed | change, reason)


def _signed(key: bytes, domain: str, value: Value, signature: bytes) -> Json:
    return {
        "key": key.hex(),
        "domain": domain,
        "value": item(value),
        "signature": signature.hex(),
    }

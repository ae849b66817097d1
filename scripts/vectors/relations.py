"""Vectors of the proofs of linear relations: AND, OR, and each relation of the deck.

The good proofs are those of the three-seat and two-seat tables, taken out of their messages, with
the statement as everybody computes it from the deck; some shapes that no deck comes into are made
here. Then every point of the statement, every part of the proof and the context is altered, one at
a time, and a false claim is proven as an honest prover would.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from nodealer.crypto import (
    SECP256K1,
    SHORT_SCALAR_BYTES,
    NonceSource,
    Seed,
    prove,
    prove_any,
    relations,
)
from nodealer.deck.sight import view_of
from nodealer.kernel import Seat
from scripts.vectors.conversations import three_seats, two_seats
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import flipped, hashed, point, scalar
from scripts.vectors.statements import build
from scripts.vectors.taken import Taken

_G: Final = SECP256K1.generator


@dataclass(frozen=True)
class Proven:
    """A good proof: its relation, context and statement, and for some the witness."""

    run: str
    name: str
    about: str
    context: bytes
    statement: Json
    proof: bytes
    witness: tuple[int, ...] = ()
    false_at: tuple[str | int, ...] = ()

    def vector(self) -> Vector:
        """Return the positive vector."""
        path = f"proofs/{self.folder}/{self.name}"
        return Vector(path, self.about, self.run, self.given())

    def given(self, **changes: object) -> Json:
        """Return what the vector gives, with some members changed."""
        plain: Json = {
            "context": self.context.hex(),
            "statement": self.statement,
            "proof": self.proof.hex(),
        }
        return plain | changes

    @property
    def folder(self) -> str:
        """Return the name of the relation as the specs write it in reasons."""
        return self.run.removeprefix("proof/")


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `proofs`, shuffles excepted."""
    for good in (*_plain_ones(), *_with_weights(), *_of_viewers()):
        yield good.vector()
        yield from _refused(good)
    for good in _more():
        yield good.vector()


def _refused(good: Proven) -> Iterator[Vector]:
    def refused(name: str, about: str, reason: str = good.run, **changes: object) -> Vector:
        path = f"proofs/{good.folder}/refused/{name}"
        return Vector(path, about, good.run, good.given(**changes), reason)

    # A return is a transfer but for its reason: its points are altered there.
    for place in _points_in(good.statement) if good.run != "proof/return" else ():
        altered = _altered(good.statement, place)
        name = "-".join(str(step) for step in place)
        yield refused(name, f"{name}: the point and G", statement=altered)
    yield refused("context", "made for another place", context=flipped(good.context).hex())
    for name, at in _proof_parts(good):
        about = f"another {name}"
        yield refused(name, about, proof=flipped(good.proof, at).hex())
    if len(good.witness) == 1:
        shorter = good.proof[:-32].hex()
        yield refused("proof-short", "a response is missing", "proof/length", proof=shorter)
    if good.false_at:
        false = _altered(good.statement, good.false_at)
        made = _proof_of(good, false)
        about = "a false claim, proven as if it were true"
        yield refused("false", about, statement=false, proof=made.hex())
    yield from _special(good, refused)


def _special(good: Proven, refused: Any) -> Iterator[Vector]:  # noqa: ANN401 - the maker above
    """Return what is not a point and not of every relation."""
    statement = good.statement
    match good.run:
        case "proof/seal":
            viewers = [statement["viewers"][0], statement["viewers"][1] + 1]
            about = "for another viewer with the same key"
            yield refused("viewers", about, statement=statement | {"viewers": viewers})
        case "proof/member":
            turned = statement["faces"][::-1]
            yield refused("order", "the faces in another order",
                          statement=statement | {"faces": turned})  # fmt: skip
            renamed = [["cow", statement["faces"][0][1]], *statement["faces"][1:]]
            yield refused("name", "another name for the point of a face",
                          statement=statement | {"faces": renamed})  # fmt: skip
        case "proof/not-equal":
            yield refused("tries", "the weights of another try", statement=statement | {"tries": 1})
        case "proof/absent":
            turned = statement["Ts"][::-1]
            yield refused("Ts-order", "each T beside the other slot",
                          statement=statement | {"Ts": turned})  # fmt: skip
            yield refused("Ts-count", "a T for one slot only", "deck/count",
                          statement=statement | {"Ts": turned[:1]})  # fmt: skip
        case "proof/mask":
            short = statement | {"deltas": statement["deltas"][:-1]}
            yield refused("deltas-count", "a card without delta", "deck/count", statement=short)
        case _:
            return


def _points_in(statement: Json) -> list[tuple[str | int, ...]]:
    """Return the places of points: all that stand alone, of lists the first (two of views).

    Where a viewer has no layer of her own, E is in no equation.
    """
    places: list[tuple[str | int, ...]] = []
    for name, value in statement.items():
        if isinstance(value, str):
            places.append((name,))
        elif isinstance(value, dict):
            places += [(name, inner) for inner in value]
        elif isinstance(value, list):
            for index, item in enumerate(value[: 2 if name == "views" else 1]):
                if isinstance(item, str):
                    places.append((name, index))
                elif isinstance(item, dict | list):
                    inner_places = item if isinstance(item, dict) else range(len(item))
                    places += [
                        (name, index, inner)
                        for inner in inner_places
                        if len(item[inner]) in {2, 66}
                    ]
    return [place for place in places if not _is_idle(statement, place)]


def _is_idle(statement: Json, place: Sequence[str | int]) -> bool:
    if place[0] == "faces":
        return place[-1] == 0  # the name of a face
    holder: Any = statement
    for step in place[:-1]:
        holder = holder[step]
    return (
        "T" not in statement
        and place[0] in {"view", "views"}
        and (place[-1] == "E" and "L" not in holder)
    )


def _altered(statement: Json, place: Sequence[str | int]) -> Json:
    changed: Any = copy.deepcopy(statement)
    holder = changed
    for step in place[:-1]:
        holder = holder[step]
    data = bytes.fromhex(holder[place[-1]])
    old = SECP256K1.identity if data == b"\x00" else SECP256K1.read_point(data)
    holder[place[-1]] = point(old + _G)
    assert isinstance(changed, dict)
    return changed


def _proof_parts(good: Proven) -> list[tuple[str, int]]:
    """Return the parts of a proof, each with one of its bytes."""
    if good.run == "proof/member":
        return [("challenge-0", 31), ("response-0", 63), ("challenge-1", 95), ("response-1", 127)]
    responses = (len(good.proof) - SHORT_SCALAR_BYTES) // 32
    shown = sorted({0, min(1, responses - 1), responses - 1})
    parts = [(f"response-{k}", SHORT_SCALAR_BYTES + 32 * k + 31) for k in shown]
    return [("challenge", SHORT_SCALAR_BYTES - 1), *parts]


def _nonces() -> NonceSource:
    return Seed(SECP256K1, hashed("nonces")).nonce_source("proof")


def _proof_of(good: Proven, statement: Json) -> bytes:
    transcript, built = build(good.run, good.context, statement)
    if good.run == "proof/member":
        parts = prove_any(SECP256K1, transcript, built, 0, good.witness, _nonces())
        return parts.to_bytes()
    return prove(SECP256K1, transcript, built[0], good.witness, _nonces()).to_bytes()


def _plain_ones() -> Iterator[Proven]:
    yield _key()
    yield _share()
    yield _seal()
    yield _handover(Taken(three_seats(), "transfer"), 0, "transfer")
    yield _handover(Taken(two_seats(), "return"), 1, "return")
    yield _face()
    yield _member()


def _key() -> Proven:
    step = Taken(three_seats(), "deck-keys")
    part = step.part(1)
    x = step.table.rings[Seat(1)].deck_secret(step.deck.table, step.deck.epoch)
    return Proven(
        "proof/key", "valid", "the key of a seat", step.context(1, "key"), {"X": point(part.X)},
        part.proof.to_bytes(), (x,), ("X",),
    )  # fmt: skip


def _share() -> Proven:
    step = Taken(three_seats(), "reveal by share")
    number = step.step["slot"]
    slot, part = step.slot(number), step.part(2)
    statement = {
        "L": point(slot.layer(Seat(2)).key), "E": point(slot.E), "S": point(part.S)
    }  # fmt: skip
    return Proven(
        "proof/share", "valid", "an opened layer", step.context(2, "share", number), statement,
        part.proof.to_bytes(), (step.secret(2, number),), ("S",),
    )  # fmt: skip


def _seal() -> Proven:
    """Make a seal to two viewers; those of the tables are to one."""
    k, rho, y = scalar("k"), scalar("rho"), scalar("y")
    E, Y, Z = scalar("E") * _G, y * _G, scalar("z") * _G
    statement: Json = {
        "L": point(k * _G),
        "E": point(E),
        "U": point(rho * _G),
        "viewers": [0, 2],
        "sealed": [[point(Y), point(k * E + rho * Y)], [point(Z), point(k * E + rho * Z)]],
    }
    good = Proven("proof/seal", "two-viewers", "a share for two viewers", hashed("seal"), statement,
                  b"", (k, rho), ("sealed", 0, 1))  # fmt: skip
    return _filled(good)


def _filled(good: Proven) -> Proven:
    proof = _proof_of(good, good.statement)
    return Proven(good.run, good.name, good.about, good.context, good.statement, proof,
                  good.witness, good.false_at)  # fmt: skip


def _handover(step: Taken, giver: int, relation: str) -> Proven:
    moves = step.step.get("moves")
    number = moves[str(giver)]["slots"][0] if moves else step.step["slots"][-1]
    slot, handed = step.slot(number), step.part(giver).cards[0]
    to = moves[str(giver)]["to"] if moves else None
    key = step.deck.joint_key if to is None else step.deck.sealing_keys[Seat(to)]
    name = relation if to is None else f"{relation}/{to}"
    statement = {
        "L": point(slot.layer(Seat(giver)).key),
        "E": point(slot.E),
        "N": point(slot.N),
        "E'": point(handed.card.E),
        "M'": point(handed.card.M),
        "P": point(key),
    }
    about = "a card under the key of another seat" if moves else "a card under the joint key"
    return Proven(f"proof/{relation}", "valid", about, step.context(giver, name, number), statement,
                  handed.proof.to_bytes())  # fmt: skip


def _face() -> Proven:
    step = Taken(three_seats(), "face")
    number, name = step.step["slot"], step.step["face"]
    slot = step.slot(number)
    statement = {
        "L": point(slot.layer(Seat(1)).key),
        "E": point(slot.E),
        "N": point(slot.N),
        "C": point(step.face(name)),
    }
    return Proven(
        "proof/face", "valid", "a slot has a face", step.context(1, f"face/{name}", number),
        statement, step.part(1).proof.to_bytes(), (step.secret(1, number),), ("C",),
    )  # fmt: skip


def _member() -> Proven:
    step = Taken(three_seats(), "member")
    number, names = step.step["slot"], step.step["faces"]
    slot = step.slot(number)
    statement = {
        "L": point(slot.layer(Seat(0)).key),
        "E": point(slot.E),
        "N": point(slot.N),
        "faces": [[name, point(step.face(name))] for name in names],
    }
    return Proven(
        "proof/member", "valid", "a slot has one of three faces",
        step.context(0, "member", number), statement, step.part(0).proof.to_bytes(),
        (step.secret(0, number),), ("faces", 0, 1),
    )  # fmt: skip


def _with_weights() -> Iterator[Proven]:
    yield _mask()
    step = Taken(three_seats(), "absent")
    numbers = step.deck.layout.zones
    slots = [step.slot(n) for where, hand in numbers.items() if where.seat == 1 for n in hand]
    part = step.part(1)
    statement: Json = {
        "C": point(step.face("potato")),
        "slots": [[point(s.layer(Seat(1)).key), point(s.E), point(s.N)] for s in slots],
        "Ts": [point(T) for T in part.Ts],
    }
    context = step.context(1, "absent/potato", *[slot.id for slot in slots])
    yield Proven("proof/absent", "valid", "two cards are not of a face", context, statement,
                 part.proof.to_bytes())  # fmt: skip


def _mask() -> Proven:
    step = Taken(two_seats(), "mask")
    part, pile = step.part(1), step.deck.pile
    assert pile is not None, "the pile was shuffled"
    statement: Json = {
        "old": [point(step.deck.deck_keys[Seat(1)])] * len(pile.cards),
        "new": [point(key) for key in part.keys],
        "E": [point(card.E) for card in pile.cards],
        "deltas": [point(delta) for delta in part.exchange.deltas],
    }
    context = step.context(1, "mask", *range(len(pile.cards)))
    return Proven("proof/mask", "valid", "one key for each card instead of the deck key", context,
                  statement, part.exchange.proof.to_bytes())  # fmt: skip


def _of_viewers() -> Iterator[Proven]:
    step = Taken(three_seats(), "reveal by a viewer")
    number, part = step.step["slot"], step.part(0)
    statement: Json = {
        "Y": point(step.deck.sealing_keys[Seat(0)]),
        "view": _view(view_of(step.deck, Seat(0), step.slot(number))),
        "C": point(step.face(part.face)),
    }
    context = step.context(0, "view-face", number)
    y = step.table.rings[Seat(0)].sealing_secret(step.deck.terms)
    yield Proven("proof/view-face", "valid", "what a viewer sees", context, statement,
                 part.proof.to_bytes(), (y,), ("C",))  # fmt: skip
    yield _verdict("equal")
    yield _verdict("not-equal")


def _verdict(relation: str) -> Proven:
    step = Taken(three_seats(), relation)
    numbers, part = step.step["slots"], step.part(0)
    statement: Json = {
        "Y": point(step.deck.sealing_keys[Seat(0)]),
        "views": [_view(view_of(step.deck, Seat(0), step.slot(number))) for number in numbers],
    }
    if relation == "not-equal":
        statement |= {"T": point(part.T), "tries": part.tries}
    about = "two slots are equal" if relation == "equal" else "four slots are not all equal"
    return Proven(f"proof/{relation}", "valid", about, step.context(0, relation, *numbers),
                  statement, part.proof.to_bytes())  # fmt: skip


def _more() -> Iterator[Proven]:
    """Return good proofs in shapes that the tables do not come into, or come into elsewhere."""
    step = Taken(two_seats(), "restack one")
    numbers = [n for where, hand in step.deck.layout.zones.items() if where.seat == 1 for n in hand]
    slots, part = [step.slot(number) for number in numbers], step.part(1)
    H = [point(part.H)] * len(slots)
    inward: Json = {
        "old": [point(slot.layer(Seat(1)).key) for slot in slots],
        "new": H,
        "E": [point(slot.E) for slot in slots],
        "deltas": [point(delta) for delta in part.inward.deltas],
    }
    yield Proven("proof/convert", "in", "keys of slots become the key of a hand",
                 step.context(1, "restack-in", *numbers), inward,
                 part.inward.proof.to_bytes())  # fmt: skip
    outward: Json = {
        "old": H,
        "new": [point(key) for key in part.keys],
        "E": [point(card.E) for card in part.cards],
        "deltas": [point(delta) for delta in part.outward.deltas],
    }
    yield Proven("proof/convert", "out", "the key of a hand becomes keys of slots",
                 step.context(1, "restack-out", *numbers), outward,
                 part.outward.proof.to_bytes())  # fmt: skip
    yield _two_layers()


def _two_layers() -> Proven:
    """Make a view with a layer of the viewer's own and a sealed one."""
    y, k, rho, E = scalar("y"), scalar("k"), scalar("rho"), scalar("E") * _G
    C = SECP256K1.hash_to_point("nodealer/1/face", "QH")
    W = rho * _G
    view = relations.SlotView(E, C - y * W + k * E, W, k * _G)
    statement: Json = {"Y": point(y * _G), "view": _view(view), "C": point(C)}
    return _filled(
        Proven("proof/view-face", "own-layer", "a viewer with a layer of her own beside the seal",
               hashed("view"), statement, b"", (y, k))
    )  # fmt: skip


def _view(view: relations.SlotView) -> Json:
    plain: Json = {"E": point(view.E), "Q": point(view.Q), "W": point(view.W)}
    return plain if view.L is None else plain | {"L": point(view.L)}

"""A second verifier of the deck's parts, made from the program in the pages.

It is handed the bytes of a message and the public state over which the part was made. Reading,
points, contexts, statements and proofs are the pages'; of our code it uses the fields of the state
and the arithmetic of the group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nodealer.crypto import SECP256K1, Point
from nodealer.deck import Slot
from tests.specs.pages import Algebra, program
from tests.specs.scenario import LABEL, Sent, every_part

PAGE = program()
GROUP = Algebra(SECP256K1)
PROOF_BYTES_MAX, SHUFFLE_BYTES_MAX = 16 + 32 * 516, 33_424

View = tuple[Point, Point, Point, Point | None]
Fields = Sequence[Any]


def judge(sent: Sent, data: bytes) -> None:
    """Raise the page's refusal unless `data` is a good message in the place of the one sent."""
    kind = PAGE.decode(sent.message)[1]
    message = _opened(data, kind)
    form, check = _KINDS[kind]
    if len(message) != len(form):
        raise PAGE.Refusal("encoding/shape")
    check(sent, [read(value) for read, value in zip(form, message, strict=True)])


def _opened(data: bytes, kind: str) -> Fields:
    """Return the fields behind version and kind, in the order of checks that the page lays down."""
    reader = PAGE.Reader(data)
    major, count = reader.head()
    if major != 4:
        raise PAGE.Refusal("encoding/shape")
    reader.announce(count)
    if count < 1 or type(version := reader.item(7)) is not int or version < 0:
        raise PAGE.Refusal("encoding/shape")
    if version != 1:
        raise PAGE.Refusal("encoding/version")
    if count <= 1 or type(found := reader.item(7)) is not str or len(found.encode()) > 64:
        raise PAGE.Refusal("encoding/shape")
    if found != kind:
        raise PAGE.Refusal("encoding/kind")
    message: Fields = PAGE.decode(data)
    return message[2:]


# Forms of fields.


def _shaped(is_good: bool) -> None:
    if not is_good:
        raise PAGE.Refusal("encoding/shape")


def _sized(unit: int, at_most: int, *, at_least: int = 1) -> Callable[[Any], bytes]:
    def read(value: object) -> bytes:
        _shaped(type(value) is bytes and len(value) % unit == 0)
        assert isinstance(value, bytes)
        _shaped(at_least <= len(value) // unit <= at_most)
        return value

    return read


def _points(at_most: int = 256) -> Callable[[Any], list[Point]]:
    sized = _sized(33, at_most)
    return lambda value: PAGE.read_points(GROUP, sized(value))


def _point(value: object) -> Point:
    return _points(1)(value)[0]


def _cards(value: object) -> list[tuple[Point, Point]]:
    points = PAGE.read_points(GROUP, _sized(66, 256)(value))
    return list(zip(points[::2], points[1::2], strict=True))


def _card(value: object) -> tuple[Point, Point]:
    return _cards(_sized(66, 1)(value))[0]


def _scalar(value: object) -> int:
    scalars: list[int] = PAGE.read_scalars(GROUP, _sized(32, 1)(value))
    return scalars[0]


def _proof(value: object) -> bytes:
    data = _sized(1, PROOF_BYTES_MAX, at_least=0)(value)
    if len(data) < 16 or len(data) % 32 != 16:
        raise PAGE.Refusal("proof/length")
    PAGE.read_scalars(GROUP, data[16:])
    return data


def _any_proof(value: object) -> bytes:
    data = _sized(64, 256)(value)
    PAGE.read_scalars(GROUP, data)
    return data


def _array(*forms: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    def read(value: object) -> list[Any]:
        _shaped(type(value) is tuple and len(value) == len(forms))
        assert isinstance(value, tuple)
        return [form(item) for form, item in zip(forms, value, strict=True)]

    return read


def _list(form: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    def read(value: object) -> list[Any]:
        _shaped(type(value) is tuple and 1 <= len(value) <= 256)
        assert isinstance(value, tuple)
        return [form(item) for item in value]

    return read


def _release(value: object) -> list[Any]:
    _shaped(type(value) is tuple and len(value) > 0 and type(value[0]) is str)
    assert isinstance(value, tuple)
    _shaped(value[0] in _RELEASES)
    return [value[0], *_RELEASES[value[0]](value[1:])]


def _small(value: object) -> int:
    _shaped(type(value) is int and 0 <= value <= 255)
    assert isinstance(value, int)
    return value


def _face(value: object) -> str:
    _shaped(type(value) is str and len(value.encode()) <= 64)
    assert isinstance(value, str)
    return value


_exchange = _array(_points(), _proof)
_hash = _sized(1, 32, at_least=32)
_shuffle_bytes = _sized(1, SHUFFLE_BYTES_MAX, at_least=0)
_RELEASES = {
    "key": _array(_scalar),
    "share": _array(_point, _proof),
    "seal": _array(_point, _points(10), _proof),
}


def _shuffle_proof(value: object) -> bytes:
    data = _shuffle_bytes(value)
    cards, rest = divmod(len(data) - 144, 130)
    if rest or cards < 0:
        raise PAGE.Refusal("proof/length")
    PAGE.read_points(GROUP, data[: 66 * cards])
    PAGE.read_scalars(GROUP, data[66 * cards + 16 :])
    return data


# Checks.


def _transcript(sent: Sent, relation: str, slots: Sequence[int] = ()) -> object:
    at = sent.moment
    context = PAGE.H(
        "nodealer/1/proof",
        at.table,
        at.height,
        at.parent,
        at.step,
        sent.deck.epoch,
        sent.seat,
        relation,
        list(slots),
    )
    return PAGE.Transcript(GROUP, context)


def _and(sent: Sent, relation: str, slots: Sequence[int], statement: object, proof: bytes) -> None:
    reason = f"proof/{relation.partition('/')[0]}"
    PAGE.verify_and(GROUP, _transcript(sent, relation, slots), statement, proof, reason)


def _slots(sent: Sent) -> list[Slot]:
    return [sent.deck.slot(number) for number in sent.slots]


def _sole(sent: Sent, slot: Slot) -> tuple[Point, Point, Point]:
    (layer,) = slot.layers.values()
    assert layer.seat == sent.seat
    return layer.key, slot.E, slot.N


def _face_point(name: str) -> Point:
    found: Point = PAGE.hash_to_curve(GROUP, "nodealer/1/face", name)
    return found


def _view(sent: Sent, slot: Slot) -> View:
    if slot.face is not None:
        return slot.E, _face_point(slot.face), GROUP.identity, None
    Q, W, L = slot.N, GROUP.identity, None
    for seat, layer in slot.layers.items():
        if seat == sent.seat:
            L = layer.key
        else:
            sealed = layer.sealed[sent.seat]
            Q, W = Q - sealed.V, W + sealed.U
    return slot.E, Q, W, L


def _check_key(sent: Sent, fields: Fields) -> None:
    X, proof = fields
    _and(sent, "key", [], PAGE.r_key(GROUP, X), proof)


def _check_shuffle(sent: Sent, fields: Fields) -> None:
    cards, proof = fields
    pile = sent.deck.pile
    assert pile is not None
    X = PAGE.linear(GROUP, [(1, key) for key in sent.deck.deck_keys.values()])
    PAGE.verify_shuffle(GROUP, _transcript(sent, "shuffle"), X, list(pile.cards), cards, proof)


def _check_mask(sent: Sent, fields: Fields) -> None:
    keys, (deltas, proof) = fields
    pile = sent.deck.pile
    assert pile is not None
    first, count = sent.deck.next_slot, len(pile.cards)
    transcript = _transcript(sent, "mask", range(first, first + count))
    old = [sent.deck.deck_keys[sent.seat]] * count
    Es = [card.E for card in pile.cards]
    PAGE.verify_exchange(GROUP, transcript, old, keys, Es, deltas, proof, "proof/mask")


def _check_releases(sent: Sent, fields: Fields) -> None:
    owed = [number for number, plan in sent.deck.owed.items() if sent.seat in plan.releasing]
    if len(fields[0]) != len(owed):
        raise PAGE.Refusal("deck/not-owed")
    for number, item in zip(owed, fields[0], strict=True):
        slot, plan = sent.deck.slot(number), sent.deck.owed[number]
        if sent.seat != plan.guard:
            _check_opening(sent, slot, item)
            continue
        if item[0] != "seal":
            raise PAGE.Refusal("deck/release-form")
        _, U, Vs, proof = item
        if len(Vs) != len(plan.viewers):
            raise PAGE.Refusal("deck/count")
        keys = [sent.deck.sealing_keys[viewer] for viewer in plan.viewers]
        transcript = _transcript(sent, "seal", [number])
        sealed = list(zip(keys, Vs, strict=True))
        L = slot.layers[sent.seat].key
        PAGE.verify_seal(GROUP, transcript, L, slot.E, U, list(plan.viewers), sealed, proof)


def _check_opening(sent: Sent, slot: Slot, item: Sequence[Any]) -> None:
    layer = slot.layers[sent.seat]
    if (layer.kind.value, item[0]) == ("slot", "key"):
        if item[1] * GROUP.generator != layer.key:
            raise PAGE.Refusal("deck/wrong-key")
    elif (layer.kind.value, item[0]) == ("seat", "share"):
        _, S, proof = item
        _and(sent, "share", [slot.id], PAGE.r_share(GROUP, layer.key, slot.E, S), proof)
    else:
        raise PAGE.Refusal("deck/release-form")


def _check_open_key(sent: Sent, fields: Fields) -> None:
    _check_opening(sent, _slots(sent)[0], ["key", *fields])


def _check_open_share(sent: Sent, fields: Fields) -> None:
    _check_opening(sent, _slots(sent)[0], ["share", *fields])


def _check_viewed(sent: Sent, fields: Fields) -> None:
    face, proof = fields
    if face not in sent.deck.composition.faces:
        raise PAGE.Refusal("deck/face-unknown")
    Y, view = sent.deck.sealing_keys[sent.seat], _view(sent, _slots(sent)[0])
    statement = PAGE.r_view_face(GROUP, Y, view, _face_point(face))
    _and(sent, "view-face", sent.slots, statement, proof)


def _check_restack(sent: Sent, fields: Fields) -> None:
    H, (deltas_in, proof_in), cards, shuffle, keys, (deltas_out, proof_out) = fields
    slots, numbers = _slots(sent), sent.slots
    if len(cards) != len(slots):
        raise PAGE.Refusal("deck/count")
    old = [_sole(sent, slot)[0] for slot in slots]
    many = [H] * len(slots)
    PAGE.verify_exchange(
        GROUP,
        _transcript(sent, "restack-in", numbers),
        old,
        many,
        [slot.E for slot in slots],
        deltas_in,
        proof_in,
        "proof/convert",
    )
    before = [(slot.E, slot.N + delta) for slot, delta in zip(slots, deltas_in, strict=True)]
    transcript = _transcript(sent, "restack", numbers)
    PAGE.verify_shuffle(GROUP, transcript, H, before, cards, shuffle)
    PAGE.verify_exchange(
        GROUP,
        _transcript(sent, "restack-out", numbers),
        many,
        keys,
        [E for E, _ in cards],
        deltas_out,
        proof_out,
        "proof/convert",
    )


def _check_handover(sent: Sent, fields: Fields) -> None:
    if len(fields[0]) != len(sent.slots):
        raise PAGE.Refusal("deck/count")
    (target,) = sent.about
    if target == "X":
        relation, P = "return", PAGE.linear(GROUP, [(1, X) for X in sent.deck.deck_keys.values()])
    else:
        seats = {str(seat): key for seat, key in sent.deck.sealing_keys.items()}
        relation, P = f"transfer/{target}", seats[target]
    for slot, ((E, M), proof) in zip(_slots(sent), fields[0], strict=True):
        statement = PAGE.r_handover(GROUP, *_sole(sent, slot), E, M, P)
        _and(sent, relation, [slot.id], statement, proof)


def _check_face(sent: Sent, fields: Fields) -> None:
    L, E, N = _sole(sent, _slots(sent)[0])
    (name,) = sent.about
    statement = PAGE.r_face(GROUP, L, E, N, _face_point(name))
    _and(sent, f"face/{name}", sent.slots, statement, fields[0])


def _check_member(sent: Sent, fields: Fields) -> None:
    faces = [(name, _face_point(name)) for name in sent.about]
    triple = _sole(sent, _slots(sent)[0])
    PAGE.verify_member(GROUP, _transcript(sent, "member", sent.slots), *triple, faces, fields[0])


def _check_absent(sent: Sent, fields: Fields) -> None:
    Ts, proof = fields
    (name,) = sent.about
    triples = [_sole(sent, slot) for slot in _slots(sent)]
    transcript = _transcript(sent, f"absent/{name}", sent.slots)
    PAGE.verify_absent(GROUP, transcript, triples, _face_point(name), Ts, proof)


def _check_equal(sent: Sent, fields: Fields) -> None:
    views = [_view(sent, slot) for slot in _slots(sent)]
    statement = PAGE.r_equal(GROUP, sent.deck.sealing_keys[sent.seat], views)
    _and(sent, "equal", sent.slots, statement, fields[0])


def _check_not_equal(sent: Sent, fields: Fields) -> None:
    T, tries, proof = fields
    views = [_view(sent, slot) for slot in _slots(sent)]
    transcript = _transcript(sent, "not-equal", sent.slots)
    Y = sent.deck.sealing_keys[sent.seat]
    PAGE.verify_not_equal(GROUP, transcript, Y, views, T, tries, proof)


def _check_commit(sent: Sent, fields: Fields) -> None:
    opened = next(other for other in every_part() if other.name == "open")
    value, salt = PAGE.decode(opened.message)[2:]
    PAGE.check_opening(sent.deck.table, LABEL, sent.seat, fields[0], value, salt)


def _check_open(sent: Sent, fields: Fields) -> None:
    committed = next(other for other in every_part() if other.name == "commit")
    (commitment,) = PAGE.decode(committed.message)[2:]
    PAGE.check_opening(sent.deck.table, LABEL, sent.seat, commitment, *fields)


_KINDS: dict[str, tuple[tuple[Callable[[Any], Any], ...], Callable[[Sent, Fields], None]]] = {
    "deck/key": ((_point, _proof), _check_key),
    "deck/shuffle": ((_cards, _shuffle_proof), _check_shuffle),
    "deck/mask": ((_points(), _exchange), _check_mask),
    "deck/release": ((_list(_release),), _check_releases),
    "deck/open-key": ((_scalar,), _check_open_key),
    "deck/open-share": ((_point, _proof), _check_open_share),
    "deck/viewed-face": ((_face, _proof), _check_viewed),
    "deck/restack": (
        (_point, _exchange, _cards, _shuffle_proof, _points(), _exchange),
        _check_restack,
    ),
    "deck/handover": ((_list(_array(_card, _proof)),), _check_handover),
    "deck/face": ((_proof,), _check_face),
    "deck/member": ((_any_proof,), _check_member),
    "deck/absent": ((_points(), _proof), _check_absent),
    "deck/equal": ((_proof,), _check_equal),
    "deck/not-equal": ((_point, _small, _proof), _check_not_equal),
    "deck/commit": ((_hash,), _check_commit),
    "deck/open": ((_sized(1, 1024, at_least=0), _hash), _check_open),
}
"""For each kind the forms of its fields, and the check of what they say."""

"""A step of a table, looked at from outside: its state, its parts, and what else could be sent.

Proofs are taken out of it for vectors of their own, and forgers replace its members one by one.
"""

from __future__ import annotations

import copy
from typing import Any

from nodealer.crypto import SECP256K1, Point
from nodealer.deck import Deck, Keyring, ProofMoment, Slot, deck_messages
from nodealer.kernel import EpochId, Seat, SlotId
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import merge_patch, moment
from scripts.vectors.table import Table


class Taken:
    """A step of a table, for taking a proof out of it."""

    def __init__(self, table: Table, mark: str) -> None:
        self.table = table
        self.step = table.steps[table.marks[mark]]
        before = table.before[table.marks[mark]]
        self.index = table.marks[mark]
        self.before = before.deck
        self.at = before.at

    @property
    def deck(self) -> Deck:
        """The deck before the step."""
        assert self.before is not None, "there is a deck by now"
        return self.before

    def part(self, seat: int) -> Any:  # noqa: ANN401 - a part of any kind
        """Return what a seat sent."""
        message = bytes.fromhex(self.step["parts"][str(seat)])
        return deck_messages(SECP256K1).read_any(message)

    def context(self, seat: int, relation: str, *slots: int) -> bytes:
        """Return the context of a proof of this step."""
        epoch: EpochId = self.deck.epoch
        return self.at.context(epoch, Seat(seat), relation, [SlotId(slot) for slot in slots])

    def slot(self, number: int) -> Slot:
        """Return a slot."""
        return self.deck.slot(SlotId(number))

    def secret(self, seat: int, number: int) -> int:
        """Return the secret of a seat's layer."""
        return self.table.rings[Seat(seat)].layer_secret(self.slot(number).layer(Seat(seat)))

    def face(self, name: str) -> Point:
        """Return the point of a face."""
        return self.deck.faces.point(name)

    def ring(self, seat: int) -> Keyring:
        """Return the keyring of a seat."""
        return self.table.rings[Seat(seat)]

    def later(self, step: str = "later") -> ProofMoment:
        """Return a moment of this table that is not that of the step."""
        return ProofMoment(self.at.table, self.at.height, self.at.parent, step.encode())

    def asked(self, **members: object) -> Json:
        """Return the step with other members; one that is None is left out."""
        changed = {**copy.deepcopy(self.step), **members}
        return {name: value for name, value in changed.items() if value is not None}

    def sent(self, seat: int, part: object) -> Json:
        """Return the step with another part of one seat: a part, bytes, or None for none."""
        messages = deck_messages(SECP256K1)
        data = part if isinstance(part, bytes | None) else messages.write(part)
        parts: Json = {**self.step["parts"], str(seat): None if data is None else data.hex()}
        return self.asked(parts={s: text for s, text in parts.items() if text is not None})

    def refused(self, name: str, about: str, reason: str, wanted: Json) -> Vector:
        """Return the vector that asks for something else in the place of this step."""
        return refused_at(self.table, self.index, name, about, reason, wanted)


def refused_at(
    table: Table, index: int, name: str, about: str, reason: str, wanted: Json
) -> Vector:
    """Return the vector that asks for something in the place of a step, or after the last."""
    made = table.steps[index] if index < len(table.steps) else {}
    given = {"conversation": table.name, "step": index}
    change = merge_patch(made, wanted)
    return Vector(f"deck/refused/{name}", about, "deck/refusal", given | {"change": change}, reason)


def elsewhere(place: Taken, changes: Json) -> Json:
    """Return the step as if it were made at another moment, with the same parts."""
    return place.asked(moment=moment(place.at) | changes)

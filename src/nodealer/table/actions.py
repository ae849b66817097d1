"""Actions as bytes: what a seat does in its turn, with the cards that it opens for it.

An action names cards by slots. A card that its author plays from own knowledge is opened inside the
action, in the order in which the fields of its kind name the cards, so that everybody can check
legality before sealing. The proofs of these openings are bound to the action without them: the
step of their moment is the frame of kind and fields (`step_of`).

What a seat chooses where several are asked (`ChosenSlot`) is no action: it is a part of a due step,
and names a slot. So does what it proves of a card that it is asked for (`HeldCard`).

The other action is `Again`: after the close the lowest seat of the roster may ask for another game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from nodealer.games import Action, Plain, encode_named
from nodealer.kernel import CARDS_MAX, FACE_NAME_BYTES_MAX, ID_BYTES, SlotId, frame
from nodealer.table.plain import NAMED_VALUES, WORD
from nodealer.wire import (
    Field,
    RecordCodec,
    Schema,
    bytes_up_to,
    exact_bytes,
    read_one,
    text_up_to,
    tuple_of,
    uint,
)

OPENING_BYTES_MAX: Final = 512
"""The longest opening is a viewer's proof: a face and a few scalars."""


@dataclass(frozen=True, slots=True)
class Acted:
    """An action of the game, and one opening for each card that it opens."""

    kind: str
    fields: tuple[tuple[str, Plain], ...]
    openings: tuple[bytes, ...]

    @property
    def action(self) -> Action:
        """The action in the words of the game."""
        return Action(self.kind, self.fields)


@dataclass(frozen=True, slots=True)
class ChosenSlot:
    """The card that a seat chooses, by its slot."""

    slot: SlotId


@dataclass(frozen=True, slots=True)
class HeldCard:
    """The card that a seat is asked for and holds: its slot, and the proof of its face."""

    slot: SlotId
    proof: bytes


@dataclass(frozen=True, slots=True)
class ProvenFace:
    """The face that a seat proves a card of its own to have."""

    face: str
    proof: bytes


@dataclass(frozen=True, slots=True)
class OpenedAnswer:
    """The action that a seat had committed to, with the salt, and the cards that it proves."""

    kind: str
    fields: tuple[tuple[str, Plain], ...]
    salt: bytes
    proofs: tuple[ProvenFace, ...]

    @property
    def action(self) -> Action:
        """The action in the words of the game."""
        return Action(self.kind, self.fields)


@dataclass(frozen=True, slots=True)
class Again:
    """Another game at this table, under the same terms."""


ACTED: Final = Schema(
    "table/action",
    RecordCodec(
        Acted,
        (
            Field("kind", WORD),
            Field("fields", NAMED_VALUES),
            Field("openings", tuple_of(bytes_up_to(OPENING_BYTES_MAX), at_most=CARDS_MAX)),
        ),
    ),
)
AGAIN: Final = Schema("table/again", RecordCodec(Again, ()))
HELD: Final = Schema(
    "table/held",
    RecordCodec(HeldCard, (Field("slot", uint()), Field("proof", bytes_up_to(OPENING_BYTES_MAX)))),
)
_PROVEN: Final = RecordCodec(
    ProvenFace,
    (
        Field("face", text_up_to(FACE_NAME_BYTES_MAX)),
        Field("proof", bytes_up_to(OPENING_BYTES_MAX)),
    ),
)

ANSWERED: Final = Schema(
    "table/answer",
    RecordCodec(
        OpenedAnswer,
        (
            Field("kind", WORD),
            Field("fields", NAMED_VALUES),
            Field("salt", exact_bytes(ID_BYTES)),
            Field("proofs", tuple_of(_PROVEN, at_most=CARDS_MAX)),
        ),
    ),
)
CHOSEN: Final = Schema("table/choice", RecordCodec(ChosenSlot, (Field("slot", uint()),)))

AnyAction: TypeAlias = Acted | Again

_SCHEMAS: Final = {
    schema.kind: cast("Schema[AnyAction]", schema)
    for schema in (cast("Schema[object]", ACTED), cast("Schema[object]", AGAIN))
}


def read_action(data: bytes) -> AnyAction:
    """Return the action that a peer wrote as `data`, or raise `PeerError`."""
    return read_one(data, _SCHEMAS)


def step_of(action: Action) -> bytes:
    """Return the step to which the openings inside an action are bound."""
    return frame(encode_named(action))

"""The moment at which something is proven: table, height, parent entry and step.

Every proof is bound to its moment and to its epoch, seat, relation and slots. A proof copied from
another table, an earlier step, another seat or another slot is therefore void, whatever it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.kernel import (
    ID_BYTES,
    EntryId,
    EpochId,
    Height,
    LocalError,
    Reason,
    Seat,
    SlotId,
    TableId,
    digest,
)

_DOMAIN: Final = "nodealer/1/proof"


@dataclass(frozen=True, slots=True)
class ProofMoment:
    """The place in the history of a table where a part of a step is made.

    `step` is the label of the part, or for an authored step the action without its proofs.
    """

    table: TableId
    height: Height
    parent: EntryId
    step: bytes

    def __post_init__(self) -> None:
        """Refuse identifiers that are not hashes; framing would accept them silently."""
        if len(self.table) != ID_BYTES or len(self.parent) != ID_BYTES or self.height < 0:
            raise LocalError(Reason.LOCAL_ARGUMENT, "not a moment of any table")

    def context(
        self, epoch: EpochId, seat: Seat, relation: str, slots: Sequence[SlotId] = ()
    ) -> bytes:
        """Return the context to which a proof of this seat is bound."""
        return digest(
            _DOMAIN,
            self.table,
            self.height,
            self.parent,
            self.step,
            epoch,
            seat,
            relation,
            list(slots),
        )

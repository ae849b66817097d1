"""`Acks`: a step of seals alone. Who has sealed it has taken notice of all that was before."""

from __future__ import annotations

from typing import Final

from nodealer.games import Acks
from nodealer.ledger import Owed
from nodealer.table.operation import (
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Trick,
    as_it_is,
    deck_in_use,
    every_time,
    no_result,
    unchanged,
)
from nodealer.table.position import Position

ACKS: Final = PartKind(
    kind="acks",
    make=None,
    check=None,
    leaves=None,
    is_binding=False,
    doing="take notice",
    why="",
    told="All have taken notice",
)


def _owed(position: Position) -> tuple[Owed, ...]:  # noqa: ARG001 - every step
    return (ACKS.owed_by(()),)


OPERATION: Final = Operation(
    effect=Acks,
    steps=(JointStep(word="acks", parts=(ACKS,), owed=_owed, ground=deck_in_use, take=unchanged),),
    begin=as_it_is,
    results=no_result,
    counted={"notice": every_time},
    lies=(Falsehood("silent instead of noticing", ACKS, Trick.SILENT),),
)

"""`Move`: slots lie behind those of another zone. It takes no step; nobody owes anything."""

from __future__ import annotations

from typing import Final

from nodealer.games import Move
from nodealer.kernel import changed
from nodealer.table.operation import NOT_COUNTED, Operation, no_result
from nodealer.table.position import Position


def _moved(position: Position) -> Position:
    move, deck = position.program.under_way(Move), position.cards
    return changed(position, deck=deck.with_layout(deck.layout.brought(move.slots, move.to)))


OPERATION: Final = Operation(
    effect=Move,
    steps=(),
    begin=_moved,
    results=no_result,
    counted=NOT_COUNTED,
    lies=(),
)

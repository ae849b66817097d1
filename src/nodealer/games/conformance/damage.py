"""Damaged actions: what a faulty or hostile seat could send in place of a legal one.

Each is made from a legal action by one change. Some of the changes happen to give another legal
action; those are left out by whoever uses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from nodealer.cards import Board
from nodealer.games.api import Action, Plain, action
from nodealer.games.base import AnyGame

NO_KIND: Final = "no-such-kind"
NO_FIELD: Final = "no_such_field"
NO_SLOT: Final = 1 << 40

STRANGE_VALUES: Final[tuple[object, ...]] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1 << 70,
    "",
    "no such word",
    "\ud800",
    (),
    (0,),
    (True,),
    (None,),
    ("0",),
    ((0,),),
    (-1,),
    (NO_SLOT,),
    # Not even plain:
    1.0,
    [0],
    b"0",
)


def damaged(game: AnyGame, board: Board, chosen: Action) -> Iterator[Action]:
    """Return what one change makes of an action."""
    fields = dict(chosen.fields)
    yield action(NO_KIND, **fields)
    for kind in game.actions:
        yield action(kind.kind, **fields)
        yield action(kind.kind, **dict.fromkeys(kind.fields))
    yield action(chosen.kind, **fields, **{NO_FIELD: None})
    yield Action(chosen.kind, (*chosen.fields, *chosen.fields[:1], (NO_FIELD, None)))
    for name, value in fields.items():
        yield action(chosen.kind, **{key: item for key, item in fields.items() if key != name})
        for strange in (*STRANGE_VALUES, *_near(board, value)):
            yield action(chosen.kind, **{**fields, name: cast("Plain", strange)})


def _near(board: Board, value: Plain) -> Iterator[Plain]:
    """Return values that are near to a good one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value)
    elif isinstance(value, str):
        yield from (value + " ", value.swapcase(), value[:-1])
    elif isinstance(value, tuple):
        yield from (value * 2, value[:-1], value[1:], value[::-1], (value,))
        # A card from every place of the table, alone and behind the others.
        for slots in board.layout.zones.values():
            for slot in (*slots[:1], *slots[-1:]):
                yield from ((slot,), (*value, slot), (slot, *value))

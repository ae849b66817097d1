"""`Show`: seats get to see slots, by the releases that the planner of the deck asks for.

Shows that stand next to one another are one release. A card that is open is shown to everybody
already; if nobody has to release anything, the shows are done at once. What all seats may see is
opened to everybody, unless the show by which the last of them sees it is to keep it closed.
"""

from __future__ import annotations

from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck
from nodealer.games import Result, Show
from nodealer.kernel import Bug, Reason, Seat, SlotId, changed
from nodealer.ledger import Owed
from nodealer.table.operation import (
    NOT_COUNTED,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Trick,
    bent,
    checked_by,
    deck_in_use,
    made_by,
    vetted,
)
from nodealer.table.position import Position

RELEASE: Final = PartKind(
    kind="release",
    make=made_by(ops.make_releases),
    check=checked_by(ops.ReleasePart, ops.check_releases),
    leaves=None,
    is_binding=False,
    doing="unlock the cards",
    why="A card is seen once all others have opened their locks on it.",
    told="The cards that are dealt or shown are unlocked by {all}",
)


def _granted(position: Position) -> Position:
    wishes: dict[SlotId, set[Seat]] = {}
    staying: set[SlotId] = set()
    faces, everybody = position.board.faces, set(position.roster)
    for show in position.program.neighbours(Show):
        if show.closed and not show.seats:
            raise Bug(Reason.LOCAL_ARGUMENT, "not so: what stays closed is for seats")
        for slot in (slot for slot in show.slots if slot not in faces):
            wish = wishes.setdefault(slot, set())
            before = wish | position.cards.slot(slot).audience
            wish.update(show.seats or (ops.PUBLIC,))
            if show.closed and not before >= everybody:
                staying.add(slot)  # until another show makes the last of all seats see it
            elif not before >= everybody:
                staying.discard(slot)
    asked = [(slot, sorted(seats)) for slot, seats in wishes.items()]
    deck = ops.announce(position.cards, asked, staying)
    return changed(position, deck=deck)


def _owed(position: Position) -> tuple[Owed, ...]:
    seats = ops.owing(position.cards)
    return (RELEASE.owed_by(seats),) if seats else ()


def _nothing(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    return [None] * len(before.program.neighbours(Show))


def _take(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the layers of a deck are released"
    return changed(position, deck=ops.take_releases(ground, vetted(parts[RELEASE.kind])))


OPERATION: Final = Operation(
    effect=Show,
    steps=(
        JointStep(word="release", parts=(RELEASE,), owed=_owed, ground=deck_in_use, take=_take),
    ),
    begin=_granted,
    results=_nothing,
    counted=NOT_COUNTED,
    lies=(
        Falsehood("wrong share", RELEASE, Trick.INSTEAD, bent),
        Falsehood("silent instead of releasing", RELEASE, Trick.SILENT),
    ),
)

"""What operations say can be lied about: what is given instead is refused, what is as good not."""

from __future__ import annotations

import pytest

from nodealer.games.effects import Effect
from nodealer.kernel import PeerError
from nodealer.ledger import Given
from nodealer.table import OPERATIONS, Falsehood, Trick
from tests.support.rehearsal import Rehearsal
from tests.table.points import ASKED, BARTERED, asked_at, at, bartered_at

NAMES = {"release": "deal"}
"""Points that have another name than the part that is due there."""

TOLD = [
    pytest.param(lie, id=lie.name)
    for operation in OPERATIONS.values()
    for lie in operation.lies
    if lie.other is not None
]


def lies_at(table: Rehearsal, lie: Falsehood) -> int:
    """Let every seat that owes the part lie about it first of all, and return how many can."""
    assert lie.other is not None
    told = 0
    for seat in table.owing()[: 1 if table.is_chained() else None]:
        honest = table.given(seat)
        kinds = [part.kind for part in table.owed if seat in part.seats]
        payloads = []
        for kind, (label, data) in zip(kinds, honest.payloads, strict=True):
            where = table.state.place_of(table.moment, label, ())
            is_lied = kind == lie.part.kind
            other = lie.other(where, table.players[seat].keyring, data) if is_lied else data
            payloads.append((label, data if other is None else other))
        lied = Given(seat, tuple(payloads))
        if lied == honest:
            continue
        told += 1
        if lie.trick is Trick.INSTEAD:
            with pytest.raises(PeerError):
                table.state.check(table.moment, seat, lied.payloads, ())
        else:
            table.state.check(table.moment, seat, lied.payloads, ())
    return told


def due(kind: str) -> Rehearsal:
    if kind in BARTERED:
        return bartered_at(kind)
    return asked_at(kind) if kind in ASKED else at(NAMES.get(kind, kind))


@pytest.mark.parametrize("lie", TOLD)
def test_a_lie_is_refused_where_it_is_not_as_good(lie: Falsehood) -> None:
    kind = lie.part.kind
    assert lies_at(due(kind), lie)


@pytest.mark.parametrize("effect", OPERATIONS)
def test_a_lie_is_about_a_part_of_its_operation(effect: type[Effect]) -> None:
    operation = OPERATIONS[effect]
    kinds = {part.kind for step in operation.steps for part in step.parts}
    assert {lie.part.kind for lie in operation.lies} <= kinds
    for lie in operation.lies:
        assert (lie.other is None) == (lie.trick in (Trick.COPIED, Trick.SILENT))

"""The tables of what is done: complete, drawn in the page, and each row of them comes to pass."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

import pytest

from nodealer.kernel import Reason
from nodealer.lobby import advice, hosting, visiting
from nodealer.lobby.advice import ADVICE
from nodealer.lobby.messages import REFUSALS
from nodealer.lobby.moves import GUEST, HOST, Move, diagram, rows
from tests.specs.pages import SPECS

PAGE = (SPECS / "10-lobby.md").read_text(encoding="utf-8")
TABLES: Mapping[str, Mapping[Any, Mapping[str, Move[Any]]]] = {"host": HOST, "guest": GUEST}


@pytest.mark.parametrize("side", TABLES)
def test_the_page_shows_the_table_and_its_diagram(side: str) -> None:
    assert rows(TABLES[side]) in PAGE
    assert f"```mermaid\n{diagram(TABLES[side])}```" in PAGE


@pytest.mark.parametrize("side", TABLES)
def test_every_phase_has_its_rows(side: str) -> None:
    table = TABLES[side]
    phases: type[Enum] = type(next(iter(table)))
    assert set(table) == set(phases)
    for phase, moves in table.items():
        for happening, move in moves.items():
            assert set(move.to) <= set(table), (phase, happening)


def test_every_message_is_a_happening_of_the_side_that_gets_it() -> None:
    for happenings, table in ((hosting._HAPPENINGS, HOST), (visiting._HAPPENINGS, GUEST)):
        known = {name for moves in table.values() for name in moves}
        assert set(happenings.values()) <= known


def test_every_deed_of_a_message_is_done() -> None:
    for happenings, deeds, table in (
        (hosting._HAPPENINGS, hosting._DEEDS, HOST),
        (visiting._HAPPENINGS, visiting._DEEDS, GUEST),
    ):
        done = {
            move.does
            for moves in table.values()
            for happening, move in moves.items()
            if happening in happenings.values()
        }
        assert done == set(deeds)


def test_nothing_follows_the_end() -> None:
    assert all(move.to == (phase,) for phase in list(HOST)[-2:] for move in HOST[phase].values())
    assert set(GUEST[list(GUEST)[-1]]) == {"linked", "again"}


def test_whoever_is_refused_is_told_what_to_do() -> None:
    assert set(REFUSALS) <= set(ADVICE)
    assert all(advice(reason) == text for reason, text in ADVICE.items())
    assert advice(Reason.PROOF_KEY) == ""

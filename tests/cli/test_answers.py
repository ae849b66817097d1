"""What a player wants said for it is remembered at the table by the commands that sit down."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.cli.at_table import _remember
from nodealer.cli.main import parser
from nodealer.keeping import passes_alone
from nodealer.kernel import Seat
from tests.node.tables import Circle


@pytest.mark.parametrize("words", [["host"], ["join"], ["play", "papas"], ["resume"]])
def test_who_sits_down_can_ask_for_it_once(words: list[str]) -> None:
    found = [
        parser().parse_args([*words, *flags]).pass_alone
        for flags in ([], ["--pass-alone"], ["--no-pass-alone"])
    ]
    assert found == [None, True, False]


def test_it_is_remembered_until_something_else_is_said(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    told = []
    for said in (None, True, None, False):
        with closing(circle.journal(Seat(0))) as journal:
            _remember(Namespace(pass_alone=said), journal)
            told.append(passes_alone(journal))
    assert told == [False, True, True, False]

"""The pages of decided points have what a second program of the same game needs."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from nodealer.games.macaua.legality import Settings as MacauaSettings
from nodealer.games.macaua.state import Drawing
from nodealer.games.macaua.state import State as MacauaState
from nodealer.games.papas.agreed import Settings as PapasSettings
from nodealer.games.papas.state import Draw as PapasDraw
from nodealer.games.papas.state import Play as PapasPlay
from nodealer.games.papas.state import State as PapasState
from nodealer.games.registry import game
from nodealer.games.sixty_six.state import LimitedState
from nodealer.games.sixty_six.state import State as SixtySixState
from nodealer.games.take5.settings import Settings as Take5Settings
from nodealer.games.take5.state import State as Take5State
from tests.games.diagrams import DIAGRAMS, DRAWN, page_of

PARTS = [
    ("macaua", MacauaState),
    ("macaua", MacauaSettings),
    ("macaua", Drawing),
    ("papas", PapasState),
    ("papas", PapasPlay),
    ("papas", PapasDraw),
    ("papas", PapasSettings),
    ("take5", Take5State),
    ("take5", Take5Settings),
    ("66", SixtySixState),
    ("66", LimitedState),
]


@pytest.mark.parametrize("game_id", DIAGRAMS)
def test_the_diagrams_are_drawn_from_the_tables_of_the_code(game_id: str) -> None:
    assert DRAWN.findall(page_of(game_id).read_text()) == list(DIAGRAMS[game_id])


@pytest.mark.parametrize(("game_id", "part"), PARTS)
def test_the_fields_of_the_state_are_named(game_id: str, part: type[MacauaState]) -> None:
    """They are hashed under these names, so who writes a second program needs all of them."""
    text = page_of(game_id).read_text()
    table = rf"^\| `{part.__name__}` \|.*\n\|[-|]+\n((?:\|.*\n)+)"
    (rows,) = re.findall(table, text, re.MULTILINE)
    first_cells = [row.split("|")[1] for row in rows.splitlines()]
    named = [name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(field.name for field in fields(part))


@pytest.mark.parametrize("game_id", DIAGRAMS)
def test_options_policies_and_leaving_are_explained(game_id: str) -> None:
    rules, spec = game(game_id), page_of(game_id).read_text()
    words = [*(option.name for option in rules.options), *rules.policies]
    words += [value for option in rules.options if game_id == "66" for value in option.choices]
    for text in (rules.rules(), spec):
        assert not [word for word in words if f"`{word}`" not in text]
        assert re.search(r"^## When a seat leaves$", text, re.MULTILINE)

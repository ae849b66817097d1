"""The looks that games bring are in the words of the page, for each of their faces."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from high_card.rules import GAME as HIGH_CARD
from nodealer.games import AnyGame, CardLook, Options, registry, resolve
from nodealer.kernel import encode
from tests.page.cards.decks import faces_of, looks_of, tables
from tests.specs.pages import SPECS

SCHEMA = (SPECS / "looks.cddl").read_text(encoding="utf-8")


@lru_cache
def schema() -> Schema:
    return Schema(SCHEMA)


def fits(look: Mapping[str, int | str | bool]) -> bool:
    """Say whether a page knows all that a look says, after its way there as JSON."""
    try:
        schema().validate_cbor(encode(json.loads(json.dumps(dict(look)))))
    except ValidationError:
        return False
    return True


def test_there_are_our_games() -> None:
    assert {game.id for game, _ in tables()} >= registry.BUILT_IN.keys()


@pytest.mark.parametrize(("game", "options"), tables(), ids=lambda one: getattr(one, "id", None))
def test_every_face_of_our_games_has_a_look_that_the_page_knows(
    game: AnyGame, options: Options
) -> None:
    looks = looks_of(game, options)
    assert game.looks(options).keys() == set(faces_of(game, options)), "no look without a card"
    strange = {face: look for face, look in looks.items() if look is None or not fits(look)}
    assert not strange


def test_a_game_without_looks_has_faces_all_the_same() -> None:
    looks = looks_of(HIGH_CARD, resolve(HIGH_CARD, 2, {}))
    assert len(looks) == 40
    assert set(looks.values()) == {None}


def test_bull_heads_are_those_of_the_table() -> None:
    take5 = registry.game("take5")
    usual = take5.looks(resolve(take5, 2, {}))
    at_least_3 = take5.looks(resolve(take5, 2, {"bull_range": "3-7"}))
    assert (usual["55"]["heads"], usual["1"]["heads"], at_least_3["1"]["heads"]) == (7, 1, 3)


KNOWN: list[CardLook] = [
    {"kind": "french", "suit": "hearts", "rank": "10"},
    {"kind": "joker", "ink": "red"},
    {"kind": "number", "number": 5},
    {"kind": "number", "number": 5, "heads": 7},
    {"kind": "number", "number": 5, "highest": 13},
    {"kind": "number", "number": 5, "highest": 13, "power": "exchange"},
    {"kind": "picture", "picture": "golden-potato", "title": "A golden potato"},
]

UNKNOWN: list[CardLook] = [
    {"kind": "tarot"},
    {"kind": "french", "suit": "H", "rank": "10"},
    {"kind": "french", "suit": "hearts", "rank": "1"},
    {"kind": "french", "suit": "hearts"},
    {"kind": "joker", "ink": "blue"},
    {"kind": "number", "number": "5"},
    {"kind": "number", "number": 1000},
    {"kind": "number", "number": 5, "heads": 0},
    {"kind": "number", "number": 5, "highest": 13, "power": "fly"},
    {"kind": "picture", "picture": "carrot", "title": "A carrot"},
    {"kind": "picture", "picture": "potato", "title": ""},
]


@pytest.mark.parametrize("look", KNOWN, ids=str)
def test_what_the_page_on_looks_names_is_known(look: CardLook) -> None:
    assert fits(look)


@pytest.mark.parametrize("look", UNKNOWN, ids=str)
def test_other_looks_are_not(look: CardLook) -> None:
    assert not fits(look)


def test_page_and_schema_name_the_same_words() -> None:
    page = (SPECS / "games" / "looks.md").read_text(encoding="utf-8")
    known = re.findall(r'"([^"]+)"', re.sub(r";.*", "", SCHEMA))
    assert not [word for word in known if f"`{word}`" not in page and not word.isdecimal()]

"""A composition is an ordered list of face names, duplicates included, within bounds."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.cards import Composition
from nodealer.kernel import LocalError, Reason
from nodealer.kernel.limits import CARDS_MAX, FACE_NAME_BYTES_MAX

NAMES = st.text(
    st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=FACE_NAME_BYTES_MAX // 4
)
DECKS = st.lists(NAMES, min_size=1, max_size=40).map(tuple)


@given(DECKS)
def test_a_composition_keeps_its_faces_as_they_are(faces: tuple[str, ...]) -> None:
    composition = Composition(faces)
    assert composition.faces == faces
    assert sorted(composition.distinct) == sorted(set(faces))
    firsts = [faces.index(name) for name in composition.distinct]
    assert firsts == sorted(firsts)
    assert Composition(faces) == composition
    assert hash(Composition(faces)) == hash(composition)


@given(st.dictionaries(NAMES, st.integers(0, 6), max_size=8))
def test_copies_come_in_order(copies: dict[str, int]) -> None:
    total = sum(copies.values())
    if total == 0:
        with pytest.raises(LocalError):
            Composition.of(copies)
        return
    composition = Composition.of(copies)
    assert Counter(composition.faces) == +Counter(copies)
    assert composition.distinct == tuple(name for name, count in copies.items() if count)


def test_the_cards_of_the_four_games_fit() -> None:
    french = Composition.of(dict.fromkeys((f"{r}{s}" for s in "CDHS" for r in range(1, 14)), 1))
    assert len(french.faces) == len(french.distinct) == 52
    assert len(Composition.of({"potato": 200, "joker": 10}).faces) == 210


@pytest.mark.parametrize("count", [0, CARDS_MAX + 1, 10 * CARDS_MAX])
def test_a_deck_is_neither_empty_nor_too_large(count: int) -> None:
    with pytest.raises(LocalError) as caught:
        Composition(("joker",) * count)
    assert caught.value.reason is Reason.LOCAL_ARGUMENT
    assert len(Composition(("joker",) * CARDS_MAX).faces) == CARDS_MAX


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a\nb",
        "\0",
        "\x7f",
        "\ud800",
        "\u202e",
        "a\tb",
        "x" * 65,
        "\u00e9" * 33,
        "\U0001f0a1" * 17,
    ],
    ids=ascii,
)
def test_a_face_name_is_short_and_can_be_shown(name: str) -> None:
    with pytest.raises(LocalError) as caught:
        Composition(("king", name))
    assert caught.value.reason is Reason.LOCAL_ARGUMENT


@pytest.mark.parametrize(
    "name", ["x" * 64, "\u00e9" * 32, "\U0001f0a1" * 16, " ", "Q\u2665"], ids=ascii
)
def test_names_up_to_the_limit_are_taken(name: str) -> None:
    assert Composition((name,)).distinct == (name,)


@given(DECKS, st.data())
def test_cards_that_leave_are_missing_once_for_each_mention(
    faces: tuple[str, ...], data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, len(faces) - 1))
    leaving = data.draw(st.permutations(faces))[:count]
    rest = Composition(faces).without(leaving)
    assert Counter(rest.faces) + Counter(leaving) == Counter(faces)
    places = iter(faces)
    assert all(name in places for name in rest.faces)


def test_the_first_copies_leave() -> None:
    deck = Composition(("a", "b", "a", "c", "a"))
    assert deck.without(["a"]).faces == ("b", "a", "c", "a")
    assert deck.without(["a", "c", "a"]).faces == ("b", "a")
    assert deck.without([]) == deck


@pytest.mark.parametrize("removed", [["d"], ["a", "a"], ["b", "d"], ["a", "b", "c", "d"]])
def test_cards_that_are_not_there_cannot_leave(removed: list[str]) -> None:
    with pytest.raises(LocalError) as caught:
        Composition(("a", "b", "c")).without(removed)
    assert caught.value.reason is Reason.DECK_FACE_UNKNOWN


def test_the_last_card_stays() -> None:
    with pytest.raises(LocalError) as caught:
        Composition(("a", "b")).without(["b", "a"])
    assert caught.value.reason is Reason.LOCAL_ARGUMENT


def test_fewer_than_no_copies_are_refused() -> None:
    with pytest.raises(LocalError) as refused:
        Composition.of({"A": 3, "B": -1})
    assert refused.value.reason is Reason.LOCAL_ARGUMENT

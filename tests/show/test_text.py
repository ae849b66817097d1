"""Columns, cuts and line ends, with letters that are wide, narrow or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.show.card_text import card_name
from nodealer.show.text import clean, columns_of, cut, padded, wrapped


@pytest.mark.parametrize(
    ("face", "name"),
    [
        ("9H", "9 of hearts"),
        ("10S", "10 of spades"),
        ("AC", "ace of clubs"),
        ("QD", "queen of diamonds"),
        ("red-joker", "red joker"),
        ("13", "13"),
        ("KING", "KING"),
    ],
)
def test_cards_with_suits_are_read_out_in_words(face: str, name: str) -> None:
    assert card_name(face) == name


TEXTS = st.text(max_size=60).map(clean)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Ana", 3), ("王小明", 6), ("e\u0301", 1), ("ｱ", 1), ("♥", 1), ("", 0)],
)
def test_columns_are_those_of_a_terminal(text: str, columns: int) -> None:
    assert columns_of(text) == columns


@pytest.mark.parametrize(
    ("dirty", "shown"),
    [
        ("a\x1b[2Jb", "a?[2Jb"),
        ("right\u202eleft", "right?left"),
        ("  two\n\tlines ", "two lines"),
        ("zero\u200bwidth", "zero?width"),
    ],
)
def test_nothing_of_others_moves_a_cursor_or_turns_text(dirty: str, shown: str) -> None:
    assert clean(dirty) == shown


@given(TEXTS, st.integers(0, 40))
def test_what_is_cut_has_room_and_is_a_beginning(text: str, columns: int) -> None:
    shown = cut(text, columns)
    assert columns_of(shown) <= columns
    assert shown == text or text.startswith(shown.removesuffix("…"))


@given(TEXTS, st.integers(1, 40))
def test_padding_fills_exactly(text: str, columns: int) -> None:
    assert columns_of(padded(text, columns)) == columns


@given(TEXTS, st.integers(2, 40))
def test_wrapped_lines_have_room_and_lose_nothing(text: str, columns: int) -> None:
    lines = list(wrapped(text, columns))
    assert all(columns_of(one) <= columns for one in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")

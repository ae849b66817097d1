"""Whole games, decision by decision, are what they were when somebody last read them."""

from __future__ import annotations

import pytest

from tests.games.books import BOOKS
from tests.games.playthrough import DRAWN, Book

KEPT = [(book, name) for book in BOOKS for name in book.scripts]


@pytest.mark.parametrize(("book", "name"), KEPT, ids=[f"{b.rules.id}-{name}" for b, name in KEPT])
def test_a_game_is_as_written(book: Book, name: str) -> None:
    assert (book.folder / f"{name}.txt").read_text() == book.written(book.scripts[name])


@pytest.mark.parametrize("book", BOOKS, ids=[book.rules.id for book in BOOKS])
def test_nothing_else_is_kept(book: Book) -> None:
    assert {path.stem for path in book.folder.iterdir()} == set(book.scripts)


@pytest.mark.parametrize("book", BOOKS, ids=[book.rules.id for book in BOOKS])
def test_the_diagrams_of_a_page_are_drawn_from_its_tables(book: Book) -> None:
    assert DRAWN.findall(book.page.read_text()) == list(book.diagrams)

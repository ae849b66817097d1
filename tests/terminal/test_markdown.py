"""The rules of a game are laid out for the columns that there are, and nothing of them is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.games import registry
from nodealer.show.text import columns_of
from nodealer.terminal.markdown import markdown_lines, plain_lines
from nodealer.terminal.spans import Look, width_of

PAGE = """\
# A title *of* some `length`
Words that go on
on the next row, with **strong ones** and a [link](https://example.org/x).

- one
  and more of it
- two
    1. deep

> said by
> somebody

| card | what it does |
|---|:-:|
| **7** | looks at a card |
| 8 | |

```
a | b   c
```
2 * 3 * 4 and snake_case_word stay
"""


def test_a_page_is_laid_out() -> None:
    assert plain_lines(PAGE, 40) == [
        "A title of some length",
        "Words that go on on the next row, with",
        "strong ones and a link.",
        "",
        "- one and more of it",
        "- two",
        "    1. deep",
        "",
        "  said by",
        "  somebody",
        "",
        "card  what it does",
        "7     looks at a card",
        "8",
        "",
        "  a | b   c",
        "2 * 3 * 4 and snake_case_word stay",
    ]


def test_what_is_not_ended_ends_with_the_page() -> None:
    assert plain_lines("```\n a\n\nb", 40) == ["   a", "", "  b"]
    assert plain_lines("**a** *b ` c`", 40) == ["a *b c"]


def test_headings_and_strong_words_look_so() -> None:
    strong = [
        span.text.strip()
        for one in markdown_lines(PAGE, 40)
        for span in one
        if span.look is Look.STRONG
    ]
    assert strong == ["A title of some length", "strong", "ones", "card", "what it does", "7"]


def test_a_table_breaks_its_widest_column_before_it_is_told_row_by_row() -> None:
    table = "| name | words |\n|---|---|\n| one | a few words that are many |\n"
    assert plain_lines(table, 22) == [
        "name  words",
        "one   a few words that",
        "      are many",
    ]
    assert plain_lines(table, 17) == ["- one; words: a", "  few words that", "  are many"]


@pytest.mark.parametrize("columns", [20, 60, 80, 120])
def test_the_rules_of_all_games_have_room(columns: int) -> None:
    for rules in registry.all_games().values():
        assert max(width_of(one) for one in markdown_lines(rules.rules(), columns)) <= columns


def test_no_word_of_the_rules_is_lost() -> None:
    for rules in registry.all_games().values():
        found = "\n".join(plain_lines(rules.rules(), 80))
        for word in re.findall(r"[A-Za-z]{3,}", re.sub(r"\]\([^)]*\)", "", rules.rules())):
            assert word in found


@given(st.text(alphabet="ab *_`|-#>1.\n[]()\t王\x1b", max_size=200), st.integers(1, 40))
def test_any_text_is_lines_that_have_room(page: str, columns: int) -> None:
    for one in plain_lines(page, columns):
        assert "\x1b" not in one
        assert columns_of(one) <= max(columns, 14)

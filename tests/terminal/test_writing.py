"""A line that is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.terminal.keyboard import Key, Pasted, Pressed, Typed
from nodealer.terminal.writing import LINE_CHARACTERS_MAX, Writing, edited

START = Writing("mute Bea now", 8)


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        (Typed("!"), "mute Bea!", " now"),
        (Typed("\x07"), "mute Bea", " now"),
        (Pasted("\x1bx\ny"), "mute Bea?x y", " now"),
        (Pressed("backspace"), "mute Be", " now"),
        (Pressed("delete"), "mute Bea", "now"),
        (Pressed("left"), "mute Be", "a now"),
        (Pressed("right"), "mute Bea ", "now"),
        (Pressed("home"), "", "mute Bea now"),
        (Pressed("end"), "mute Bea now", ""),
        (Pressed("kill-left"), "", " now"),
        (Pressed("kill-right"), "mute Bea", ""),
        (Pressed("kill-word"), "mute ", " now"),
        (Pressed("page-up"), "mute Bea", " now"),
    ],
)
def test_a_key_changes_the_line(key: Key, before: str, after: str) -> None:
    line = edited(START, key)
    assert (line.before, line.after) == (before, after)


CHANGING = ("backspace", "delete", "left", "right", "home", "end", "kill-left", "kill-word")

KEYS = st.one_of(
    st.text(min_size=1, max_size=1).map(Typed),
    st.text(max_size=600).map(Pasted),
    st.sampled_from(CHANGING).map(Pressed),
)


@given(st.lists(KEYS, max_size=30))
def test_the_cursor_stays_in_a_line_that_is_short_and_clean(keys: list[Key]) -> None:
    line = Writing()
    for key in keys:
        line = edited(line, key)
        assert 0 <= line.at <= len(line.text) <= LINE_CHARACTERS_MAX
        assert line.text.isprintable()

"""Words can be told apart by ear, and with marks they say which key it is."""

from __future__ import annotations

import re
from itertools import combinations

from nodealer.crypto.boxes import stretched
from nodealer.store.wordlist import WORDS
from nodealer.store.words import (
    MARK_LENGTH,
    MARK_LETTERS,
    WORD_COUNT,
    WORDS_COST,
    mark_of,
    shown,
    words_of,
)
from tests.store.players import identity_of

ANA, BEA = (identity_of(seat).public for seat in range(2))

# What is heard nearly alike, written alike: in this order.
SOUNDS = [
    ("tch", "j"),
    ("ch", "j"),
    ("sh", "j"),
    ("ge", "je"),
    ("gi", "ji"),
    ("gy", "ji"),
    ("ph", "f"),
    ("ck", "k"),
    ("kn", "n"),
    ("wr", "r"),
    ("wh", "w"),
    ("qu", "kw"),
    ("x", "ks"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("c", "k"),
    ("th", "t"),
]
VOICED = str.maketrans("bdgvzmyq", "ptkfsnik")
VOWELS = {"a": "a", "e": "e", "i": "e", "o": "o", "u": "o"}


def sound(word: str) -> str:
    """Return roughly how a word sounds over a bad line."""
    for written, heard in SOUNDS:
        word = word.replace(written, heard)
    word = re.sub(r"(.)\1+", r"\1", word.translate(VOICED))
    return re.sub(r"[aeiou]+", lambda found: VOWELS[found[0][0]], word)


def distance(one: str, other: str) -> int:
    """Return how many letters are to be changed, put in or left out."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row = row, [count]
        for place, fellow in enumerate(other, 1):
            step = above[place - 1] + (letter != fellow)
            row.append(min(above[place] + 1, row[-1] + 1, step))
    return row[-1]


def test_there_is_a_word_for_every_byte() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(re.fullmatch("[a-z]{4,7}", word) for word in WORDS)


def test_words_differ_early_and_much() -> None:
    assert len({word[:4] for word in WORDS}) == len(WORDS)
    assert min(distance(one, other) for one, other in combinations(WORDS, 2)) >= 3


def test_no_two_words_sound_nearly_alike() -> None:
    sounds = [sound(word) for word in WORDS]
    assert min(distance(one, other) for one, other in combinations(sounds, 2)) >= 2
    assert distance(sound("goat"), sound("coat")) == 0


def test_words_are_those_of_the_key() -> None:
    assert len(words_of(ANA)) == WORD_COUNT == 6
    assert words_of(ANA) != words_of(BEA)
    places = stretched(ANA, b"nodealer/1/words", WORDS_COST)[:6]
    assert words_of(ANA) == tuple(WORDS[place] for place in places)
    assert words_of(ANA) == ("toast", "unicorn", "oatmeal", "walnut", "potato", "mosaic")


def test_every_try_is_expensive() -> None:
    assert 128 * 8 * (1 << WORDS_COST.log_n) == 32 << 20


def test_a_mark_is_short_and_of_plain_letters() -> None:
    assert len(set(MARK_LETTERS)) == len(MARK_LETTERS) == 32
    marks = {mark_of(identity_of(seat).public) for seat in range(50)}
    assert len(marks) == 50
    assert all(len(mark) == MARK_LENGTH and set(mark) <= set(MARK_LETTERS) for mark in marks)


def test_a_name_is_shown_with_the_mark_last() -> None:
    assert shown("Ana", ANA) == f"Ana [{mark_of(ANA)}]"
    assert shown("Ana [234567]", BEA).endswith(f" [{mark_of(BEA)}]")

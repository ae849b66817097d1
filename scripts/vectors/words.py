"""Vectors of marks and words, by which people tell keys apart, and the list of the words."""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.store.wordlist import WORDS
from nodealer.store.words import mark_of, words_of
from scripts.vectors.files import Vector
from scripts.vectors.notation import hashed


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `words`."""
    about = "all words, by the byte that each stands for"
    yield Vector("words/list", about, "words/list", {"words": list(WORDS)})
    for number in range(2):
        key = hashed("key to be told", number)
        then = {"mark": mark_of(key), "words": list(words_of(key))}
        about = "the mark and the words of a key"
        yield Vector(f"words/key-{number}", about, "words/key", {"key": key.hex()}, then=then)

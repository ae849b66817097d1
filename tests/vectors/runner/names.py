"""Names, marks and words of players: what may be shown, what is alike, how keys are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final
from unicodedata import normalize, ucd_3_2_0

from nodealer.store.wordlist import WORDS
from nodealer.store.words import mark_of, words_of
from nodealer.table.names import _is_showable, folded, require_names
from tests.vectors.runner.reading import Json


def _check(given: Json) -> None:
    require_names(given["names"])


def _folded(given: Json) -> Json:
    return {"folded": folded(given["name"])}


def _characters(given: Json) -> None:
    allowed, marks = set(_codes(given["allowed"])), set(_codes(given["marks"]))
    for letter in map(chr, range(0x110000)):
        assert _is_showable(letter) == (ord(letter) in allowed), hex(ord(letter))
        is_mark = _is_showable(letter) and ucd_3_2_0.category(letter)[0] == "M"
        assert is_mark == (ord(letter) in marks), hex(ord(letter))


def _folding(given: Json) -> None:
    words = [word.split(">") for line in given["folding"] for word in line.split(" ")]
    table = {int(one, 16): "".join(chr(int(x, 16)) for x in into.split("+")) for one, into in words}
    for code in _codes(given["of"]):
        text = normalize("NFKC", chr(code)).translate(table)
        assert normalize("NFKC", text) == folded(chr(code)), hex(code)


def _codes(lines: Iterable[str]) -> Iterator[int]:
    for line in lines:
        for word in line.split(" "):
            first, _, last = word.partition("-")
            yield from range(int(first, 16), int(last or first, 16) + 1)


def _words(given: Json) -> None:
    assert tuple(given["words"]) == WORDS, "these are the words"


def _key(given: Json) -> Json:
    key = bytes.fromhex(given["key"])
    return {"mark": mark_of(key), "words": list(words_of(key))}


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    "name/check": _check,
    "name/folded": _folded,
    "name/characters": _characters,
    "name/folding": _folding,
    "words/list": _words,
    "words/key": _key,
}

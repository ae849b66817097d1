"""Names that may be shown to everybody, and those that may not."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from nodealer.kernel import PeerError, Reason
from nodealer.table.names import folded, require_names

GOOD = [
    "a",
    "Anna",
    "anna maria",
    "Zoë",
    "Łukasz",
    "Анна",
    "Ἀθηνᾶ",
    "מרים",
    "فاطمة",
    "美咲",
    "한지민",
    "ประภา",
    "देवी",
    "n°7 (the 2nd)",
    "♠ queen ♠",
    "x" * 24,
]

BAD = {
    "empty": "",
    "too long": "x" * 25,
    "only a space": " ",
    "a space before": " anna",
    "a space behind": "anna ",
    "two spaces": "anna  maria",
    "a tab": "anna\tmaria",
    "a line": "anna\nmaria",
    "a carriage return": "anna\r",
    "an escape": "\x1b[2Janna",
    "a null": "anna\0",
    "a bell": "anna\a",
    "a C1 control": "anna\x9b2J",
    "a delete": "anna\x7f",
    "turned around": "anna\u202e",
    "isolated": "\u2066anna",
    "a mark of direction": "anna\u200f",
    "a joiner": "an\u200dna",
    "a space of no width": "an\u200bna",
    "a word joiner": "an\u2060na",
    "a soft hyphen": "an\u00adna",
    "a byte order mark": "\ufeffanna",
    "a space that does not break": "anna\u00a0maria",
    "a wide space": "anna\u3000maria",
    "a line separator": "anna\u2028maria",
    "a tag": "anna\U000e0041",
    "a variant": "anna\ufe0f",
    "a filler": "\u3164",
    "half a filler": "anna\uffa0",
    "an empty pattern": "\u2800",
    "a grapheme joiner": "an\u034fna",
    "a private character": "anna\ue000",
    "no character": "anna\uffff",
    "an unassigned one": "anna\u0378",
    "newer than the tables": "anna\U0001f600",
    "half a pair": "anna\ud800",
    "decomposed": "Zoe\u0308",
    "a mark in front": "\u0301anna",
}


@pytest.mark.parametrize("name", GOOD)
def test_names_of_people_are_taken(name: str) -> None:
    require_names([name, "somebody else"])


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_shown_is_refused(case: str) -> None:
    with pytest.raises(PeerError) as refused:
        require_names(["somebody else", BAD[case]])
    assert refused.value.reason is Reason.TABLE_NAME
    assert refused.value.detail.isascii()
    assert refused.value.detail.isprintable()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "anna"),
        ("anna", "ANNA"),
        ("Straße", "STRASSE"),
        ("anna", "ａｎｎａ"),
        ("2", "²"),
        ("ﬁn", "fin"),
    ],
)
def test_two_names_must_not_look_alike(one: str, other: str) -> None:
    with pytest.raises(PeerError, match="look alike"):
        require_names([one, "between", other])
    require_names([one])
    require_names([other])


def test_folding_twice_is_folding_once(is_full: bool) -> None:
    for code in range(0, sys.maxunicode + 1, 1 if is_full else 37):
        if not 0xD800 <= code < 0xE000 and unicodedata.ucd_3_2_0.category(chr(code)) != "Cn":
            assert folded(folded(chr(code))) == folded(chr(code))


def test_no_character_that_is_taken_controls_anything(is_full: bool) -> None:
    """Whatever the tables of this Python know of a character, it is none of the dangerous ones."""
    for code in range(0, sys.maxunicode + 1, 1 if is_full else 23):
        letter = chr(code)
        try:
            require_names(["a" + letter])
        except PeerError:
            continue
        assert letter == " " or unicodedata.category(letter)[0] in "LMNPS"
        assert unicodedata.bidirectional(letter) not in {"LRO", "RLO", "LRE", "RLE", "PDF"}

"""Vectors of the names of players: which may be shown, and which are alike.

Two of them are tables for programs that have no old Unicode at hand: the characters that a name may
have, and what the folding makes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from unicodedata import normalize, ucd_3_2_0

from nodealer.table.names import _is_showable, folded
from scripts.vectors.files import Json, Vector

CODE_POINTS: Final = [chr(code) for code in range(0x110000)]

_GOOD: Final[dict[str, tuple[str, list[str]]]] = {
    "plain": ("two names", ["Ana", "Ben"]),
    "one": ("a name of one letter", ["x"]),
    "longest": ("24 characters", ["abcdefghijklmnopqrstuvwx"]),
    "space": ("a space between", ["Ana Maria"]),
    "symbols": ("numbers, punctuation and symbols of Unicode 3.2", ["7!", "\u263a"]),
    "marks": ("marks behind a letter", ["\u0939\u093f\u0928\u094d\u0926\u0940"]),
    "scripts": ("letters of two scripts that look alike are not alike", ["Ana", "An\u0430"]),
    "accent": ("an accent makes another name", ["Jose", "Jos\u00e9"]),
}

_REFUSED: Final[dict[str, tuple[str, list[str]]]] = {
    "empty": ("no character", [""]),
    "long": ("25 characters", ["abcdefghijklmnopqrstuvwxy"]),
    "control": ("a control character", ["A\tna"]),
    "format": ("a character that turns text around", ["A\u202ena"]),
    "soft-hyphen": ("a hyphen that nobody sees", ["A\u00adna"]),
    "filler": ("a letter that nobody sees", ["A\u3164na"]),
    "variant": ("a variant that nobody sees", ["\u263a\ufe0f"]),
    "newer": ("a character that is newer than Unicode 3.2", ["\U0001f600"]),
    "private": ("a character of private use", ["\ue000"]),
    "no-break-space": ("a space of another kind", ["A\u00a0na"]),
    "space-first": ("a space in front", [" Ana"]),
    "space-last": ("a space at the end", ["Ana "]),
    "spaces": ("two spaces in a row", ["Ana  Maria"]),
    "mark-first": ("a mark in front", ["\u0301a"]),
    "decomposed": ("not in form NFC", ["Jose\u0301"]),
    "same": ("the same name twice", ["Ana", "Ben", "Ana"]),
    "case": ("alike but for small and capital letters", ["Ana", "ANA"]),
    "sharp-s": ("full folding makes two letters of one", ["Stra\u00dfe", "STRASSE"]),
    "ligature": ("a ligature and its letters", ["\ufb01n", "fin"]),
    "wide": ("letters of full width", ["\uff21na", "ana"]),
    "number": ("a Roman number and its letters", ["\u2167", "viii"]),
    "sigma": ("both small forms of a letter", ["\u03c3\u03c2", "\u03c2\u03c3"]),
    "iota": ("an iota below is an iota", ["\u1fb3", "\u03b1\u03b9"]),
}


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `names`."""
    for name, (about, names) in _GOOD.items():
        yield Vector(f"names/{name}", about, "name/check", {"names": names})
    for name, (about, names) in _REFUSED.items():
        given: Json = {"names": names}
        yield Vector(f"names/refused/{name}", about, "name/check", given, "table/name")
    for name, text in {
        "folded": "Gro\u00dfer \ufb01\uff21\u2167",
        "folded-marks": "\u0390\u1fb3",
    }.items():
        then = {"folded": folded(text)}
        yield Vector(
            f"names/{name}",
            "what two names are compared by",
            "name/folded",
            {"name": text},
            then=then,
        )
    about = "the characters that a name may have, and those among them that it must not begin with"
    yield Vector("names/characters", about, "name/characters", characters())
    about = "what full case folding makes of all characters that it changes, after NFKC"
    yield Vector("names/folding", about, "name/folding", folding())


def characters() -> Json:
    """Return the code points of names, and of marks among them, as ranges."""
    allowed = [letter for letter in CODE_POINTS if _is_showable(letter)]
    marks = [letter for letter in allowed if ucd_3_2_0.category(letter)[0] == "M"]
    return {"allowed": ranges(allowed), "marks": ranges(marks)}


def folding() -> Json:
    """Return what folding makes of every character that NFKC makes of those of names."""
    allowed = [letter for letter in CODE_POINTS if _is_showable(letter)]
    met = sorted({letter for one in allowed for letter in normalize("NFKC", one)})
    changed = ((one, one.casefold()) for one in met if one.casefold() != one)
    words = (f"{ord(one):X}>{'+'.join(f'{ord(x):X}' for x in into)}" for one, into in changed)
    return {"of": ranges(allowed), "folding": lines(words)}


def ranges(letters: Iterable[str]) -> list[str]:
    """Return ascending code points in hexadecimal, those in a row as the first and the last."""
    found: list[list[int]] = []
    for code in map(ord, letters):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return lines(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in found)


def lines(words: Iterable[str]) -> list[str]:
    """Return words in lines of some length."""
    made = [""]
    for word in words:
        if len(made[-1]) + len(word) > 90:  # noqa: PLR2004 - a line
            made.append("")
        made[-1] = f"{made[-1]} {word}".strip()
    return made

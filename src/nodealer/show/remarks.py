"""The remarks of a game beside its cards, and their looks, made fit to be shown.

A game says how a view stands, what its words mean for a decision and how its cards look; it knows
no screen, and no screen knows a game. It may be anybody's, so its phrases come through here: one
line each, no more and no longer than agreed, nothing in them that a terminal would obey. Where a
game fails to say something it is left out, for the cards can be played without. See
`specs/games/interface.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from nodealer.games import (
    LOOK_FIELDS_MAX,
    LOOK_TEXT_LETTERS_MAX,
    PHRASE_LETTERS_MAX,
    REMARK_LETTERS_MAX,
    STATUS_PHRASES_MAX,
    Action,
    AnyGame,
    CardLook,
    Options,
    View,
)
from nodealer.kernel import Seat
from nodealer.show.text import clean, cut

NUMBER_BITS = 53
"""Of a look; JSON of a page holds greater numbers no more exactly."""


def status_of(game: AnyGame, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
    """Return how the round stands, in short phrases."""
    try:
        phrases = [clean(text) for text in game.status(view, names)[:STATUS_PHRASES_MAX]]
    except Exception:  # noqa: BLE001 - what the rules cannot tell is left out
        return ()
    return tuple(cut(text, PHRASE_LETTERS_MAX) for text in phrases if text)


def remarks_of(game: AnyGame, view: View, legal: Sequence[Action]) -> Mapping[str, str]:
    """Return the remarks on all words of a view: faces, zones, and values to be chosen."""
    found = {word: _remark(game, view, word) for word in _words(view, legal)}
    return MappingProxyType({word: remark for word, remark in found.items() if remark})


def looks_of(game: AnyGame, options: Options, view: View) -> Mapping[str, CardLook]:
    """Return how the faces that are seen look; one without a look is a word."""
    faces = {card.face for zone in view.zones for card in zone.cards if card.face is not None}
    try:
        looks = game.looks(options)
        found = {face: _look(looks[face]) for face in faces if face in looks}
    except Exception:  # noqa: BLE001 - what the rules cannot tell is left out
        return MappingProxyType({})
    return MappingProxyType(found)


def _look(look: CardLook) -> CardLook:
    fields = list(look.items())[:LOOK_FIELDS_MAX]
    return {_bounded(name): _plain(value) for name, value in fields}


def _plain(value: object) -> int | str | bool:
    return (
        value if isinstance(value, int) and value.bit_length() <= NUMBER_BITS else _bounded(value)
    )


def _bounded(text: object) -> str:
    return cut(clean(str(text)), LOOK_TEXT_LETTERS_MAX)


def _words(view: View, legal: Sequence[Action]) -> Iterable[str]:
    words = {card.face for zone in view.zones for card in zone.cards}
    words |= {zone.name for zone in view.zones}
    words |= {value for action in legal for _, value in action.fields if isinstance(value, str)}
    return (word for word in words if word is not None)


def _remark(game: AnyGame, view: View, word: str) -> str:
    try:
        return cut(clean(game.remark(view, word)), REMARK_LETTERS_MAX)
    except Exception:  # noqa: BLE001 - what the rules cannot tell is left out
        return ""

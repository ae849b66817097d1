"""The effects that a game asks for, and what its actions do with cards: seen in a few games.

A game does not say it of itself, and nothing of the protocol needs to know. A simulation does: what
can be lied about, and what a long run has to reach, depends on it. The games are played over the
plain dealer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from enum import Enum
from typing import Final, TypeAlias

from nodealer.games import (
    EFFECTS,
    Action,
    AnyGame,
    Choice,
    Effect,
    Give,
    Options,
    PlainDealer,
    Reshuffle,
    Restack,
    Turn,
    resolve,
)
from nodealer.kernel import Chance, Seat, SlotId

GAMES: Final = 3
"""So many games are played; what happens in none of them is too rare to be waited for."""

ACTIONS_MAX: Final = 400
"""Of a longer game the beginning is enough."""


class Deed(Enum):
    """The deed of an action of a turn with cards, beside choosing one, or of an effect."""

    NAME = "names a card"
    OPEN = "opens a card"
    RETURN = "takes back a card that one seat alone holds"


Feature: TypeAlias = type[Effect] | Deed

Features: TypeAlias = Collection[Feature]

KNOWN_MAX: Final = 64
"""Of tables that differ; a fleet has one."""

_KNOWN: Final[dict[tuple[object, ...], frozenset[Feature]]] = {}
"""What was seen, by game, seats and options: every game of a fleet asks for it again."""


def features_of(game: AnyGame, seats: int, options: Options) -> frozenset[Feature]:
    """Return what a game asks for, and what its actions do, at a table of so many seats."""
    place = (type(game), game.id, game.version, seats, tuple(sorted(options.items())))
    if place not in _KNOWN:
        if len(_KNOWN) == KNOWN_MAX:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[place] = _seen(game, seats, options)
    return _KNOWN[place]


def _seen(game: AnyGame, seats: int, options: Options) -> frozenset[Feature]:
    seen: set[Feature] = set()
    for number in range(GAMES):
        chance = Chance("repertoire", number)
        numbers = [Seat(seat) for seat in range(seats)]
        chosen = resolve(game, seats, options)
        _watch(PlainDealer(game, numbers, chosen, chance.branch("cards")), chance, seen)
    return frozenset(seen)


def _watch(dealer: PlainDealer[object], chance: Chance, seen: set[Feature]) -> None:
    alone: set[SlotId] = set()
    for _ in range(ACTIONS_MAX):
        while dealer.underway and not dealer.is_asking:
            seen.update(_asked(dealer.effects))
            head, before = dealer.effects[0], dealer.pack.faces.keys()
            hidden = alone - dealer.board.faces.keys()
            if isinstance(head, Reshuffle) and hidden.intersection(head.slots):
                seen.add(Deed.RETURN)
            dealer.advance()
            if isinstance(head, Restack | Give):
                alone.update(dealer.pack.faces.keys() - before)
        seen.update(_asked(dealer.effects))
        match dealer.view().duty:
            case Turn(seat=seat):
                legal = dealer.legal(seat)
                seen.update(_done(dealer.game, legal))
                dealer.begin(seat, chance.pick(legal))
            case Choice(owing=(seat, *_)):
                dealer.begin(seat, chance.pick(dealer.legal(seat)))
            case _:
                return


def _asked(effects: Iterable[Effect]) -> Iterator[Feature]:
    for effect in effects:
        yield type(effect)
        riding = (getattr(effect, one.name) for one in fields(effect))
        yield from (type(one) for one in riding if isinstance(one, EFFECTS))


def _done(game: AnyGame, legal: Iterable[Action]) -> Iterator[Feature]:
    opening = {kind.kind for kind in game.actions if kind.opens}
    for chosen in legal:
        if any(isinstance(value, tuple) and value for _, value in chosen.fields):
            yield Deed.NAME
            if chosen.kind in opening:
                yield Deed.OPEN

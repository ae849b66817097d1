"""What effects a game asks for: seen in a few games by chance, over the plain dealer.

A game does not say it of itself, and nothing of the protocol needs to know. A simulation does: what
can be lied about, and what a long run has to reach, depends on it.
"""

from __future__ import annotations

from typing import Final

from nodealer.games.api import AnyGame, Choice, Options, Turn
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Effect
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance

GAMES: Final = 3
"""So many games are played; what happens in none of them is too rare to be waited for."""

ACTIONS_MAX: Final = 400
"""Of a longer game the beginning is enough."""


_KNOWN: Final[dict[tuple[object, ...], frozenset[type[Effect]]]] = {}
"""What was seen, by game, seats and options: every game of a fleet asks for it again."""


def effects_of(game: AnyGame, seats: int, options: Options) -> frozenset[type[Effect]]:
    """Return the effects that a game asks for at a table of so many seats."""
    place = (type(game), game.id, game.version, seats, tuple(sorted(options.items())))
    if place not in _KNOWN:
        _KNOWN[place] = _seen(game, seats, options)
    return _KNOWN[place]


def _seen(game: AnyGame, seats: int, options: Options) -> frozenset[type[Effect]]:
    seen: set[type[Effect]] = set()
    for number in range(GAMES):
        chance = Chance("repertoire", number)
        numbers = [Seat(seat) for seat in range(seats)]
        chosen = resolve(game, seats, options)
        _watch(PlainDealer(game, numbers, chosen, chance.branch("cards")), chance, seen)
    return frozenset(seen)


def _watch(dealer: PlainDealer[object], chance: Chance, seen: set[type[Effect]]) -> None:
    for _ in range(ACTIONS_MAX):
        while dealer.underway and not dealer.is_asking:
            seen.update(type(effect) for effect in dealer.effects)
            dealer.advance()
        seen.update(type(effect) for effect in dealer.effects)
        match dealer.view().duty:
            case Turn(seat=seat) | Choice(owing=(seat, *_)):
                dealer.begin(seat, chance.pick(dealer.legal(seat)))
            case _:
                return

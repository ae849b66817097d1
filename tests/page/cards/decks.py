"""The faces of every game that is installed, and the looks that it brings for them."""

from __future__ import annotations

from collections.abc import Mapping

from nodealer.games import AnyGame, CardLook, Options, Turn, deal, option_tables, registry
from nodealer.kernel import Chance, Seat


def faces_of(game: AnyGame, options: Options) -> tuple[str, ...]:
    """Return all faces of the first deck of a table, each once; somebody may have to ask for it."""
    dealer = deal(game, [Seat(number) for number in range(game.seats[0])], options, Chance("looks"))
    while not dealer.pack.faces:
        duty = game.duty(dealer.state)
        assert isinstance(duty, Turn)
        dealer.act(duty.seat, dealer.legal(duty.seat)[0])
    return tuple(sorted(set(dealer.pack.faces.values())))


def tables() -> list[tuple[AnyGame, Options]]:
    """Return every installed game with its options, by default and otherwise."""
    return [
        (game, options)
        for game in registry.all_games().values()
        for options in option_tables(game, game.seats[0])
    ]


def looks_of(game: AnyGame, options: Options) -> Mapping[str, CardLook | None]:
    """Return every face with its look, or None where the game brings none."""
    looks = game.looks(options)
    return {face: looks.get(face) for face in faces_of(game, options)}

"""The choice of a bot: the sensible one that a game comes with, or chance."""

from __future__ import annotations

from nodealer.bots.chance_bot import ChanceBot
from nodealer.games import AnyGame, Bot


def bot_for(game: AnyGame) -> Bot:
    """Return the bot of a game; where it comes with none, chance plays."""
    sensible = game.bot()
    return ChanceBot() if sensible is None else sensible

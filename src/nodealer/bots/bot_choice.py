"""The choice of a bot: the sensible one that a game comes with, or chance."""

from __future__ import annotations

from typing import Final

from nodealer.bots.chance_bot import ChanceBot
from nodealer.games import AnyGame, Bot
from nodealer.kernel import LocalError, Reason

SENSIBLE: Final = "sensible"
CHANCE: Final = "chance"
BOT_KINDS: Final = (SENSIBLE, CHANCE)


def bot_for(game: AnyGame, kind: str = SENSIBLE) -> Bot:
    """Return a bot of a kind; where a game has no sensible one, chance plays."""
    if kind not in BOT_KINDS:
        listed = ", ".join(BOT_KINDS)
        raise LocalError(Reason.LOCAL_ARGUMENT, f"there is no bot {kind!r}; there are {listed}")
    sensible = game.bot() if kind == SENSIBLE else None
    return ChanceBot() if sensible is None else sensible

"""A bot in a player's seat: it gets what the player would see, and chooses when it is asked.

It sits outside of the keeper like any player, so it can do nothing that a player cannot do. The
chance it is given is its own; what it chooses follows from it, the view and the height, so a bot
whose program was stopped in the middle of a turn goes on as it would have.
"""

from __future__ import annotations

import secrets
from typing import Final

import trio

from nodealer.games import Bot
from nodealer.kernel import Chance, LocalError
from nodealer.ledger import AskAction, AskContribution
from nodealer.node.keeper import Keeper
from nodealer.table import Table

CHANCE_BITS: Final = 63

THOUGHT_SECONDS: Final = 0.0
"""Bots need no time; a table on which people watch gives them some."""


async def play_by(
    keeper: Keeper, bot: Bot, chance: Chance, *, thought_seconds: float = THOUGHT_SECONDS
) -> None:
    """Choose for the seat of this table until it is closed, or the seat is out."""
    while not is_over(keeper.table):
        table = keeper.table
        if not is_asked(table) or keeper.answering.has_said:
            await keeper.changed()
            continue
        await trio.sleep(thought_seconds)
        of_turn = chance.branch("turn", table.ledger.tip.height)
        chosen = bot.choose(table.view(), table.legal(), of_turn)
        try:
            await keeper.act(chosen)
        except LocalError:
            # Somebody else's entry came first: the turn has passed, or the seat is out.
            if keeper.table.ledger.tip is table.ledger.tip and is_asked(keeper.table):
                raise


def is_asked(table: Table) -> bool:
    """Say whether the player of a table is asked for an action of the game, or for a choice."""
    if table.position.is_closed:
        return False
    return any(
        isinstance(ask, AskContribution) or (isinstance(ask, AskAction) and not ask.again)
        for ask in table.ledger.asked
    )


def is_over(table: Table) -> bool:
    """Say whether nothing more is asked of a seat: the game is closed, or goes on without it."""
    if table.position.is_closed:
        return True
    return table.seat is not None and table.seat not in table.position.roster


def drawn_chance(purpose: str) -> Chance:
    """Return a source of chance that nobody can repeat; not good enough for secrets."""
    return Chance(purpose, secrets.randbits(CHANCE_BITS))

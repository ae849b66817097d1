"""Players that are programs: they see a view and the legal actions, as a person would.

What a bot is stands in `games.api`, so that a game can come with a sensible one of its own; here
are those that can play any game, and the contest between two.
"""

from nodealer.bots.bot_choice import bot_for
from nodealer.bots.chance_bot import ChanceBot
from nodealer.bots.contests import Score, contest
from nodealer.games import Bot

__all__ = ["Bot", "ChanceBot", "Score", "bot_for", "contest"]

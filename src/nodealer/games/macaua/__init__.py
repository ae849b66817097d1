"""Macaua: shed your cards by suit or rank, and make the next one draw."""

from nodealer.games.macaua.rules import MACAUA, Macaua

__all__ = ["MACAUA", "Macaua"]

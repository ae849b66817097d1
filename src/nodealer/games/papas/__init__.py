"""Papas: gather golden potatoes by trios and tricks, and say no to the tricks of others."""

from nodealer.games.papas.rules import PAPAS, Papas

__all__ = ["PAPAS", "Papas"]

"""Cards as names and places: faces that a deck is made of, zones in which its slots lie."""

from nodealer.cards.board import Board
from nodealer.cards.faces import Composition
from nodealer.cards.zones import DISCARD, STOCK, Layout, Zone, hand

__all__ = ["DISCARD", "STOCK", "Board", "Composition", "Layout", "Zone", "hand"]

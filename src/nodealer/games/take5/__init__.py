"""6 nimmt!, also known as Take 5: whoever lays the sixth card takes the five that lie there."""

from nodealer.games.take5.rules import TAKE5, Take5

__all__ = ["TAKE5", "Take5"]

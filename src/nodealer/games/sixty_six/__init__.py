"""66: four cards face down that even their owner has not all seen; the fewest points win."""

from nodealer.games.sixty_six.rules import SIXTY_SIX, FirstSixtySix, SixtySix

__all__ = ["SIXTY_SIX", "FirstSixtySix", "SixtySix"]

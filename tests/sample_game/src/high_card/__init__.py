"""High card, a game for nodealer: the rules are in `rules`, the page for players in `page.md`."""

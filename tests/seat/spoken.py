"""The protocols of our games, by their names, and the games that have them."""

from __future__ import annotations

from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.take5 import TAKE5

OURS = (TAKE5, SIXTY_SIX)

PROTOCOLS = {protocol.name: protocol for rules in OURS for protocol in rules.seed_protocols()}

RULES = {protocol.name: rules for rules in OURS for protocol in rules.seed_protocols()}

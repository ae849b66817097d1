"""A table against a bot that was founded and at which nobody has played yet."""

from __future__ import annotations

from pathlib import Path

from nodealer.games.registry import game
from nodealer.kernel import TableId
from nodealer.node.clocks import CLOCKS
from nodealer.node.practice import Rules, Seated, bots_in, found, identity_in
from nodealer.store.places import Directories
from tests.store.players import places_in


def founded_against_a_bot(home: Path) -> tuple[Directories, TableId]:
    """Found it for the player whose things are there."""
    places = places_in(home)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ana")
    rules = Rules(game("macaua"), {}, CLOCKS["brisk"])
    return places, found(rules, [you, *bots_in(places, 1, you.name)]).table

"""Goes on at a table that was left open."""

from __future__ import annotations

import argparse
import os

from nodealer.cli.find_tables import table_by
from nodealer.cli.play_practice import go_on
from nodealer.store.places import places_of


def run(args: argparse.Namespace) -> int:
    """Find the table, and play."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    return go_on(args, places, profile, table_by(profile, args.table))

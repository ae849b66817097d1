"""`nodealer bench`: what cards and countersigning cost on this machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.numbers import whole_number

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

CARDS_RANGE = (10, 210)
"""The decks of the games: the smallest worth shuffling, and the largest in use."""

SEATS_RANGE = (2, 10)

DECK_DESCRIPTION = """\
Measures every step of a proven deck, all seats in one thread.

examples:
  nodealer bench deck
  nodealer bench deck --cards 104 --seats 10
  nodealer bench deck --json

Figures are given as times and as multiples of m, the time of one multiplication of a
point by a scalar on this machine: those can be compared between machines. The column
"budget" is what the design allows, in m; a figure near it varies by a per cent or two.
"""


TABLE_DESCRIPTION = """\
Measures whole tables of Macaua, all seats in one thread.

examples:
  nodealer bench table
  nodealer bench table --json

A transition is given as a multiple of the bare cost of the signatures made and checked in
it; a deal in one-way delays of the network until the first move can leave. It takes about
a minute.
"""

NET_DESCRIPTION = """\
Measures four processes that play Macaua with each other over libp2p, on the loopback
interface and with their journals on the disk, in real time.

examples:
  nodealer bench net
  nodealer bench net --games 1 --json

A committed transition is held against what it cannot do without: a bare question to all
three peers and back, and two syncs of the disk, measured in the same run. All four share
this machine, so figures are those of players only if it has a processor for each.
"""

GAMES_MAX = 2


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `bench` and what it can measure."""
    bench = commands.add_parser(
        "bench",
        help="measure what cards and countersigning cost here",
        description="Measures what cards and countersigning cost on this machine.",
        allow_abbrev=False,
    )
    subjects = bench.add_subparsers(title="subjects", metavar="SUBJECT", required=True)
    deck = subjects.add_parser(
        "deck",
        help="shuffle, mask, deal, open and prove",
        description=DECK_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    deck.add_argument(
        "--cards",
        type=whole_number(*CARDS_RANGE),
        default=52,
        metavar="N",
        help="cards in the deck, {} to {} (default: 52)".format(*CARDS_RANGE),
    )
    deck.add_argument(
        "--seats",
        type=whole_number(*SEATS_RANGE),
        default=4,
        metavar="N",
        help="seats at the table, {} to {} (default: 4)".format(*SEATS_RANGE),
    )
    deck.add_argument("--json", action="store_true", help="write one JSON object")
    deck.set_defaults(module="nodealer.cli.bench_deck")
    table = subjects.add_parser(
        "table",
        help="countersign, verify, and how long a deal takes",
        description=TABLE_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    table.add_argument("--json", action="store_true", help="write one JSON object")
    table.set_defaults(module="nodealer.cli.measure_table")
    net = subjects.add_parser(
        "net",
        help="a transition among processes, against bare questions and syncs",
        description=NET_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    net.add_argument(
        "--games",
        type=whole_number(1, GAMES_MAX),
        default=GAMES_MAX,
        metavar="N",
        help=f"games, 1 to {GAMES_MAX} (default: {GAMES_MAX})",
    )
    net.add_argument("--json", action="store_true", help="write one JSON object")
    net.set_defaults(module="nodealer.cli.measure_net")

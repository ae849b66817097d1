"""`nodealer bench`: what cards and countersigning cost on this machine."""

from __future__ import annotations

from nodealer.cli.numbers import add_number
from nodealer.cli.parsers import Commands, add_command

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
Measures whole tables, all seats in one thread: of Macaua, and what becomes of hands of seven cards
at a table of four.

examples:
  nodealer bench table
  nodealer bench table --json

A transition is given as a multiple of the bare cost of the signatures made and checked in
it; a deal in one-way delays of the network until the first move can leave; a card denied, a hand
restacked, a question answered in processor time of a seat, a theft in that of all four. It takes
about a minute.
"""

NET_DESCRIPTION = """\
Measures four processes that play Macaua with each other over libp2p, on the loopback
interface and with their journals on the disk, in real time.

examples:
  nodealer bench net
  nodealer bench net --games 1 --json

A committed transition is held against what it cannot do without: a bare question to all
three peers and back, and two syncs of the disk, measured in the same run. All four share
this machine, so figures are those of players only if it has a processor for each. Besides,
a program is started for its page: how long until that is there, and a click is seen on it.
"""

GAMES_MAX = 2

SIEGE_DESCRIPTION = """\
Lays siege to a table of four processes on the loopback interface, and measures what it costs:
strangers without a key flood, hold and fill whatever they reach, one attack after the other and
then all at once. Nothing outside of this machine is dialled.

examples:
  nodealer bench siege --attack idle
  nodealer bench siege --json

attacks:
{attacks}

The speed of the table is held against a control run, in which somebody works as hard as the
attackers did, for nobody; its memory against a table that is left alone. Then a player is started
again, and a guest, somebody to watch and somebody without an address of their own come: for each
the seconds until they are in, or a dash. It takes about seven minutes.
"""

ATTACKS = {
    "identity": "a key of huge integers, from who connects",
    "dialled": "the same from who is dialled",
    "names": "a million names of protocols, pushed",
    "frames": "frames of yamux of an unknown kind",
    "unread": "windows filled on streams that nobody reads",
    "strangers": "links that nobody has asked for",
    "half-open": "connections that stop before or in the handshake",
    "idle": "whole connections that say nothing",
    "places": "places at a relay, under fresh keys",
    "statuses": "a seat that asks for everything, over and over",
}
"""The attacks of a siege by their names; `lab.siege.attacks` says what each does."""

CONNECTIONS_RANGE = (1, 512)
SECONDS_RANGE = (1, 60)


def register(commands: Commands) -> None:
    """Describe `bench` and what it can measure."""
    bench = commands.add_parser(
        "bench",
        help="measure what cards and countersigning cost here",
        description="Measures what cards and countersigning cost on this machine.",
        allow_abbrev=False,
    )
    subjects = bench.add_subparsers(prog=bench.prog, title="subjects", metavar="SUBJECT")
    bench.set_defaults(helped=bench)
    deck = add_command(subjects, "deck", "shuffle, mask, deal, open and prove", DECK_DESCRIPTION)
    add_number(deck, "--cards", CARDS_RANGE, 52, "cards in the deck, {} to {}")
    add_number(deck, "--seats", SEATS_RANGE, 4, "seats at the table, {} to {}")
    deck.add_argument("--json", action="store_true", help="write one JSON object")
    deck.set_defaults(module="nodealer.cli.bench_deck")
    table = add_command(
        subjects, "table", "countersign, verify, and how long a deal takes", TABLE_DESCRIPTION
    )
    table.add_argument("--json", action="store_true", help="write one JSON object")
    table.set_defaults(module="nodealer.cli.bench_table")
    net = add_command(
        subjects,
        "net",
        "a transition among processes, against bare questions and syncs",
        NET_DESCRIPTION,
    )
    add_number(net, "--games", (1, GAMES_MAX), GAMES_MAX, f"games, 1 to {GAMES_MAX}")
    net.add_argument(
        "--setup",
        action="store_true",
        help="measure a first set-up too, which fetches its packages anew",
    )
    net.add_argument("--json", action="store_true", help="write one JSON object")
    net.set_defaults(module="nodealer.cli.bench_net")
    attacks = "\n".join(f"  {name:<10} {what}" for name, what in ATTACKS.items())
    siege = add_command(
        subjects,
        "siege",
        "what strangers can do to a table, and whom they keep out",
        SIEGE_DESCRIPTION.format(attacks=attacks),
    )
    siege.add_argument("--attack", choices=ATTACKS, metavar="NAME", help="this attack alone")
    add_number(
        siege,
        "--connections",
        CONNECTIONS_RANGE,
        128,
        "connections of each attacker to a node, {} to {}",
    )
    add_number(
        siege, "--seconds", SECONDS_RANGE, 8, "for which entries are counted in each run, {} to {}"
    )
    siege.add_argument("--json", action="store_true", help="write one JSON object")
    siege.set_defaults(module="nodealer.cli.bench_siege")

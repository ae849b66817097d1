"""`nodealer simulate`: whole tables in one process, with everything that goes wrong, or in many.

Ctrl-C ends the run where it is: what was told so far is summed up, and the answer is that of an
interrupted command. A game counts if it was told, whatever the moment of the interrupt.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodealer.cli.interrupts import Interrupts
from nodealer.cli.numbers import add_number
from nodealer.cli.output import complain, emit_text, show_step
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_options
from nodealer.lab import LIBP2P, MEMORY, REAL_FAULTS

if TYPE_CHECKING:
    from nodealer.lab.fleet import Task

USAGE: Final = 2
"""The exit code of a wrong command line."""

FAULTS = ("none", "lossy", "partition", "crash", "byzantine", "all")
"""What may go wrong; `sim.faults` says what each of them is."""

SEED_MAX = (1 << 63) - 1
GAMES_MAX = 10_000_000
JOBS_MAX = 256

DESCRIPTION = """\
Plays games among simulated players, with the tables and proofs of real ones, in virtual
time. Checkers that see into all players at once watch every game. Everything follows from
the seed: the first game has the seed S, the next one S + 1, whatever the number of jobs.

examples:
  nodealer simulate macaua --players 4 --games 10 --seed 1
  nodealer simulate macaua --players 4 --games 100 --seed 1 --faults all
  nodealer simulate macaua --players 3 --games 1 --seed 17 --faults crash --transcripts games
  nodealer simulate macaua --players 2 --games 5 --seed 1 --option call=yes --json
  nodealer simulate macaua --players 4 --seed 1 --transport libp2p --faults crash
"""

EPILOG = """\
faults:
  none       a calm network, everybody honest and present
  lossy      messages are lost, doubled, late and out of order; some clocks run too fast
  partition  the network falls into parts for a while
  crash      players stop in the middle of storing or sending, and come back or never do
  byzantine  players break the rules on purpose, each game in another way
  all        each game has one of these, or several at once

transports:
  memory     all players in one process, in virtual time
  libp2p     each player in a process of its own, with its own journal, over the loopback
             interface, in real time; with --faults crash one of them is killed and started
             again, up to five times; the other faults are for memory

Options that are not given are at their defaults; `nodealer rules GAME` explains them. In a
result the seats stand from the first place to the last, with = between those that share one.

The answer is 0 if no checker found anything, else 1; every game that failed is told with the
command that plays it again.
"""


def register(commands: Commands) -> None:
    """Describe `simulate`."""
    simulate = add_command(
        commands,
        "simulate",
        "play many games among simulated players, and watch them",
        DESCRIPTION,
        EPILOG,
    )
    add = simulate.add_argument
    add("game", metavar="GAME", help="the id of a game")
    add_number(simulate, "--players", (2, 10), 4, "{} to {}")
    add_number(simulate, "--games", (1, GAMES_MAX), 1, "games")
    add_number(simulate, "--seed", (0, SEED_MAX), 0, "seed of the first game", "S")
    add_number(simulate, "--jobs", (1, JOBS_MAX), 1, "processes that play at the same time", "J")
    add_options(simulate)
    add("--faults", choices=FAULTS, default="none", help="what goes wrong (default: none)")
    add(
        "--transport",
        choices=(MEMORY, LIBP2P),
        default=MEMORY,
        help="how messages travel (default: memory)",
    )
    add("--transcripts", type=Path, metavar="DIR", help="write the transcript of each game there")
    add(
        "--no-share",
        action="store_true",
        help="let each player check everything by itself, also what another has checked already",
    )
    add("--json", action="store_true", help="write one JSON object for each game, and a summary")


def run(args: argparse.Namespace) -> int:
    """Play all games; answer 1 if anything failed."""
    from dataclasses import replace

    from nodealer.cli.game_tally import (
        ROW,
        GameTally,
        UnwritableError,
        keep,
        sum_up,
        tell,
        watched,
    )
    from nodealer.lab.fleet import played

    if args.transport == LIBP2P and args.faults not in REAL_FAULTS:
        known = " and ".join(REAL_FAULTS)
        complain(
            f"--faults {args.faults} needs --transport {MEMORY}.",
            f"Among processes there are {known}. Nothing was played.",
        )
        return USAGE
    first = first_task(args)
    if args.transcripts is not None and not _made(args.transcripts):
        return 1
    tasks = [replace(first, seed=first.seed + number) for number in range(args.games)]
    found = GameTally()
    if not args.json:
        emit_text(ROW.format("seed", "height", "verdict", "result", "seconds", "what was done"))
    with Interrupts() as interrupts:
        try:
            for one in interrupts.between(watched(played(tasks, args.jobs), args.games, found)):
                tell(one, keep(one, args.transcripts), as_json=args.json)
                found.add(one)
        except UnwritableError as error:
            show_step("")
            complain(f"{error}.", "No more games are played; the transcripts so far are kept.")
            return 1
        finally:
            sum_up(found, tasks[: max(found.games, 1)], as_json=args.json)
    return 1 if found.failed else 0


def first_task(args: argparse.Namespace) -> Task:
    """Return the first game, once it is clear that it and those after it can be played."""
    from nodealer.games import registry
    from nodealer.kernel import LocalError, Reason
    from nodealer.lab.fleet import Task, order_of
    from nodealer.sim import check_order

    if args.seed + args.games - 1 > SEED_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"the last game has a seed above {SEED_MAX}")
    rules = registry.game(args.game)
    options = registry.parse_options(rules, args.option)
    first = Task(
        game=rules.id,
        players=args.players,
        seed=args.seed,
        options=tuple(sorted(options.items())),
        policy=args.policy,
        faults=args.faults,
        is_sharing=not args.no_share,
        transport=args.transport,
    )
    check_order(order_of(first))
    return first


def _made(directory: Path) -> bool:
    """Make the directory of the transcripts and see whether it takes files, before any game."""
    from tempfile import TemporaryFile

    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory):
            return True
    except OSError as error:
        complain(f"{directory} cannot be written to: {error.strerror}. Nothing was played.")
        return False

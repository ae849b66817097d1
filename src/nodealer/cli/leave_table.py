"""Leaves a table: signs the last word of a seat, and waits until the others go on without it.

What shows that they hold it is an entry that leaves the seat out, or the close. Whoever was left
out already, or sits at a table that is over, has nothing to leave.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AsyncExitStack, closing
from typing import Final

import trio

from nodealer.cli.at_table import listening
from nodealer.cli.output import complain, emit_json, emit_text
from nodealer.cli.running import run_trio
from nodealer.cli.unlock import identity_of
from nodealer.home.my_tables import table_by
from nodealer.kernel import LocalError, Reason
from nodealer.node.auto import is_over
from nodealer.node.keeper import Keeper
from nodealer.node.network import on_network
from nodealer.node.practice import at_table, bots_of
from nodealer.store.identity import Identity
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import Places, places_of
from nodealer.store.transcripts import glance

PATIENCE_SECONDS: Final = 30.0
"""How long the others are waited for."""

MARK_DIGITS: Final = 6


def run(args: argparse.Namespace) -> int:
    """Leave, and say what was done."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    table = table_by(profile, args.table)
    mark = table.hex()[:MARK_DIGITS]
    if glance(profile.journal(table)).seat is None:
        raise _refused("you only watch this table: nothing has to be left")
    if not args.yes and not _is_sure(mark):
        complain("nothing was done")
        return 1
    identity = identity_of(args, profile)
    with closing(open_journal(profile, table, identity)) as journal:
        is_known = run_trio(_leave, args, places, identity, journal)
    if args.json:
        emit_json({"table": table.hex(), "left": True, "known": is_known})
    elif is_known:
        emit_text(f"You have left table {mark}, and the others know it.")
    else:
        emit_text(f"You have left table {mark}. The others do not know it yet, for they could not")
        emit_text(f"be reached; `nodealer resume {mark}` passes it on.")
    return 0


def _is_sure(mark: str) -> bool:
    if not sys.stdin.isatty():
        raise _refused("leaving is final: say --yes where nobody can be asked")
    sys.stderr.write(f"Leave table {mark} for good? It cannot be taken back. [y/n] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


async def _leave(
    args: argparse.Namespace, places: Places, identity: Identity, journal: Journal
) -> bool:
    async with AsyncExitStack() as stack:
        if bots_of(journal):
            keeper = await stack.enter_async_context(at_table(places, journal, thought_seconds=0))
        else:
            node = await stack.enter_async_context(on_network(identity, listening(args)))
            keeper = node.open_table(journal)
        return await leave_and_wait(keeper, PATIENCE_SECONDS)


async def leave_and_wait(keeper: Keeper, patience_seconds: float) -> bool:
    """Sign the last word of a seat, and say whether the others go on without it now."""
    if is_over(keeper.table):
        raise _refused("the game is over, or goes on without you already")
    if keeper.table.ledger.own.leave is None:
        with trio.move_on_after(patience_seconds):
            while not _may_sign(keeper):
                await keeper.changed()
        if not _may_sign(keeper):
            raise _refused(
                "not all have sat down yet, or the others have not said what you have signed:"
                " nothing can be signed now; try again when they are there"
            )
        await keeper.leave()
    with trio.move_on_after(patience_seconds):
        while not is_over(keeper.table):
            await keeper.changed()
    return is_over(keeper.table)


def _may_sign(keeper: Keeper) -> bool:
    ledger = keeper.table.ledger
    return ledger.phase() != "opening" and ledger.suspect is None


def _refused(detail: str) -> LocalError:
    return LocalError(Reason.LOCAL_ARGUMENT, detail)

"""The common part of all commands that sit down at a table, or watch one, to the end of it."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import Final

from nodealer.cli.by_program import play_by_program
from nodealer.cli.finish import PlayedSitting, tell_finished
from nodealer.cli.output import emit_folded
from nodealer.cli.running import run_trio
from nodealer.cli.table_story import TableStory
from nodealer.home import (
    SeatDriver,
    Shelf,
    Show,
    listening_at,
    opened_table,
    play,
    sitting_at,
    write_transcript,
)
from nodealer.keeping import let_pass_alone
from nodealer.kernel import PeerError, TableId
from nodealer.node import THOUGHT_SECONDS, Keeper, Listening, Node, Room
from nodealer.store import Journal, places_of
from nodealer.table import require_names
from nodealer.terminal import run_table

USUAL_NAME: Final = "You"


def go_on(args: argparse.Namespace, shelf: Shelf, table: TableId) -> int:
    """Play on at a table, or watch on, to its end or until the player has enough."""
    with opened_table(shelf, table) as (journal, rooms):
        _remember(args, journal)
        played = run_trio(_play, args, shelf, journal, rooms)
    return finish(args, shelf, table, played)


async def _play(
    args: argparse.Namespace, shelf: Shelf, journal: Journal, rooms: Sequence[Room]
) -> PlayedSitting:
    places, reach, show = places_of(os.environ), listening(args, rooms), shown(args)
    story, thought = _story(args, show), THOUGHT_SECONDS if show else 0.0
    async with sitting_at(
        places, shelf, journal, rooms, reach, thought_seconds=thought, meet=story.meet
    ) as keeper:
        return await _played(keeper, show, story)


async def sit(args: argparse.Namespace, node: Node, journal: Journal) -> PlayedSitting:
    """Play at a table that has just been found, and close its journal."""
    show = shown(args)
    with closing(journal):
        _remember(args, journal)
        story, keeper = _story(args, show), node.open_table(journal)
        story.meet(keeper)
        return await _played(keeper, show, story)


async def _played(keeper: Keeper, show: Show | None, story: TableStory) -> PlayedSitting:
    story.follow(keeper)

    async def shown_with_story(driver: SeatDriver) -> None:
        assert show is not None, "a bot plays unseen"
        story.show_to(driver)
        await show(driver)

    seen = await play(keeper, show and shown_with_story)
    return PlayedSitting(seen, tuple(story.shuffles))


def _story(args: argparse.Namespace, show: Show | None) -> TableStory:
    """Return the story of a table, told where no screen shows it and no program reads on."""
    return TableStory(None if show or args.json else _tell)


def _tell(text: str) -> None:
    emit_folded(text)
    sys.stdout.flush()


def _remember(args: argparse.Namespace, journal: Journal) -> None:
    """Remember at the table what its player has said about answers, if anything."""
    if args.pass_alone is not None:
        let_pass_alone(journal, passes=args.pass_alone)


def finish(args: argparse.Namespace, shelf: Shelf, table: TableId, played: PlayedSitting) -> int:
    """Write the transcript of a table, and say how the game stands."""
    tell_finished(write_transcript(shelf.profile, table), played, as_json=args.json)
    return 0


def shown(args: argparse.Namespace) -> Show | None:
    """Return how a table is shown to a person or a program; nothing if a bot is to play."""
    if args.program is not None:
        return partial(play_by_program, command=args.program)
    if args.auto or not (args.plain or sys.stdin.isatty()):
        return None
    return partial(run_table, is_plain=args.plain, has_four_colours=args.four_colours)


def listening(args: argparse.Namespace, rooms: Iterable[Room] = ()) -> Listening:
    """Return how this node is to be reached: also by the invites to these lobbies."""
    return listening_at(args.listen or (), args.relay, meets_nearby=not args.no_lan, rooms=rooms)


def account_name() -> str:
    """Return the name of the account, if it can be a name at a table."""
    try:
        name = getpass.getuser()
        require_names([name])
    except (OSError, KeyError, PeerError):
        return USUAL_NAME
    return name

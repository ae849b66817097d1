"""A host and a guest are killed on the way from the invite to the first card, and begin again.

Both are programs at terminals, on the loopback interface. Whoever is killed has got to a stage:
that is seen on its screen or in its journal, and never timed; so the signal finds it anywhere in
what comes next. Then the same command line is typed again, or `resume`, and both have to come to
one table with its first cards dealt.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path

import pytest

from nodealer.kernel import LocalError
from nodealer.store.places import Profile, places_of
from nodealer.store.seats import setting_of
from nodealer.store.transcripts import glance, public_part
from nodealer.table import Table, come_back
from tests.cli.person import PATIENCE_SECONDS, Person, person
from tests.cli.test_lobby import HOST, LOOPBACK, accept, invite_of

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

ASKED = "do you sit down to this?"


class Way:
    """The way of two players to a table, and what they type."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.stack = stack
        self.homes = {name: folder / name for name in ("host", "guest")}
        self.invite = folder / "invite"
        self.at: dict[str, Person] = {}
        self.commands = {
            "host": (*HOST, "--plain"),
            "guest": ("join", f"@{self.invite}", "--name", "Bea", "--plain", *LOOPBACK),
        }

    def begins(self, name: str, *command: str) -> Person:
        """Let somebody type its command, or another one."""
        words = command or self.commands[name]
        self.at[name] = self.stack.enter_context(person(self.homes[name], *words))
        return self.at[name]

    def resumes(self, name: str) -> Person:
        return self.begins(name, "resume", "--plain", *LOOPBACK)

    def profile(self, name: str) -> Profile:
        return places_of({"NODEALER_HOME": str(self.homes[name])}).profile()

    def kill(self, name: str) -> None:
        self.at[name].kill()

    # The stages, in their order. Whoever is there has done all that stand before.

    def invited(self) -> None:
        self.invite.write_text(invite_of(self.begins("host")))
        self.begins("guest").reads("its words:")

    def offered(self) -> None:
        self.at["guest"].reads(ASKED)

    def accepted(self) -> None:
        accept(self.at["guest"])
        self.at["host"].reads("1 of 2 have accepted")

    def founded(self) -> None:
        self.at["host"].types("start")
        for one in self.at.values():
            one.reads("the table is founded")

    def kept(self) -> None:
        self.until(lambda: all(map(self.table, self.homes)))

    def shuffled(self) -> None:
        self.until(lambda: all(map(self.is_sealed, self.homes)))

    def dealt(self) -> None:
        self.until(lambda: all(map(self.is_dealt, self.homes)))

    # What has come of it.

    def until(self, is_there: Callable[[], object]) -> None:
        """Wait for what the journals show, while everybody's screen is read."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_there():
            seen = {name: one.seen for name, one in self.at.items()}
            assert time.monotonic() < deadline, seen
            for one in self.at.values():
                if one.process.poll() is None:
                    one.glances()
        self.require_one_table()

    def table(self, name: str) -> Table | None:
        """Return the table of a player, as far as its journal goes."""
        for path in self.profile(name).journals():
            try:
                charter, records = public_part(path)
                return come_back(setting_of(charter, path), None, records)[0]
            except LocalError:
                return None  # it is written to at this moment
        return None

    def is_sealed(self, name: str) -> bool:
        table = self.table(name)
        return table is not None and table.ledger.tip.height > 0

    def is_dealt(self, name: str) -> bool:
        """Say whether the first cards are dealt, and somebody has the turn."""
        table = self.table(name)
        return self.is_sealed(name) and table is not None and not table.position.underway

    def is_there(self, name: str) -> bool:
        """Say whether a player is at its table with the program that it began last."""
        holders = [glance(path).holder for path in self.profile(name).journals()]
        process = self.at[name].process
        assert process.poll() is None, self.at[name].seen
        return [one.process for one in holders if one is not None] == [process.pid]

    def require_one_table(self) -> None:
        """Raise if anybody is at another table than the others, or at two."""
        tables = {path.stem for name in self.homes for path in self.profile(name).journals()}
        assert len(tables) == 1

    def require_both_there(self) -> None:
        """Wait until both have come to the table with the programs that they began last."""
        self.until(lambda: all(map(self.is_there, self.homes)))
        self.dealt()


STAGES = (
    Way.invited,
    Way.offered,
    Way.accepted,
    Way.founded,
    Way.kept,
    Way.shuffled,
    Way.dealt,
)
"""In their order."""

GATHERING = STAGES[:3]
"""Before there is a table."""


@contextmanager
def on_the_way(folder: Path, stage: Callable[[Way], None]) -> Iterator[Way]:
    """Yield two players who have got to a stage."""
    with ExitStack() as stack:
        way = Way(folder, stack)
        for one in STAGES[: STAGES.index(stage) + 1]:
            one(way)
        yield way


def goes_on(way: Way, name: str, stage: Callable[[Way], None]) -> None:
    """Let both come to the table from where somebody has begun again."""
    host, guest = way.at["host"], way.at["guest"]
    if name == "host" and stage in GATHERING:
        assert invite_of(host) == way.invite.read_text(), "what was passed on is good still"
        host.reads("when one leaves")
    if stage in GATHERING[:2]:
        if stage is Way.invited or name == "guest":
            guest.reads(ASKED)
        way.accepted()
    if stage in GATHERING:
        way.founded()
    way.require_both_there()


SAMPLE = (
    ("guest", "the same", Way.shuffled),
    ("host", "the same", Way.founded),
)
"""The ordinary run."""

EVERY = tuple(product(("guest", "host"), ("the same", "resume"), STAGES))


@pytest.mark.parametrize(
    ("name", "again", "stage"),
    EVERY if IS_FULL else SAMPLE,
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_who_is_killed_comes_to_the_table(
    tmp_path: Path, name: str, again: str, stage: Callable[[Way], None]
) -> None:
    with on_the_way(tmp_path, stage) as way:
        way.kill(name)
        if again == "resume":
            way.resumes(name)
        else:
            way.begins(name)
        goes_on(way, name, stage)

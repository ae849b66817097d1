"""A table on a stage with one seat whose screen is watched: its book is kept as a node keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from nodealer.bots import bot_for
from nodealer.games.base import AnyGame
from nodealer.games.registry import game
from nodealer.kernel import Reach, Seat, Way
from nodealer.kernel.chance import Chance
from nodealer.ledger import Clock, Ready, Signatures
from nodealer.show.book import Book, noted, opened
from nodealer.show.snapshot import Snapshot, snapshot_of
from nodealer.table import Setting, Table, begin, sit_down
from tests.show.making import NAMES, agreed_by_names, player_for
from tests.verify.stage import Stage

CLOCK = Clock(act=60_000, answer=10_000, rejoin=50_000, longest=600_000)

ME = Seat(0)


@dataclass
class Watched(Stage):
    """A stage on which the book of one seat is kept, and those of `others` who are asked for."""

    watcher: Seat = ME
    book: Book = field(default_factory=lambda: Book(title="Friday evening", mark="k7q2"))

    others: dict[Seat, Book] = field(default_factory=dict)

    def do(self, seat: Seat, done: tuple[Table, Ready]) -> None:
        """Take what a table has come to, and note it in the book."""
        super().do(seat, done)
        if seat in self.others:
            self.others[seat] = noted(self.others[seat], *done, self.now)
        if seat == self.watcher:
            self.book = noted(self.book, *done, self.now)

    @property
    def table(self) -> Table:
        """The table of who is watched."""
        return self.tables[self.watcher]

    def snapshot(self, later: int = 0) -> Snapshot:
        """Return what is to be seen, so many ticks later."""
        return snapshot_of(self.table, self.book, self.now + later)

    def deliver_one(self) -> None:
        """Deliver one message."""
        sender, to, message = self.queue.pop(0)
        if not {sender, to} & self.gone:
            self.do(to, self.tables[to].receive(message, sender))

    def bots_play(self, turns: int) -> None:
        """Let sensible bots play some turns."""
        bot = bot_for(self.setting.game)
        for _ in range(turns):
            seat = self.on_turn()
            if seat is None:
                return
            table = self.tables[seat]
            chance = Chance("watched").branch(table.ledger.tip.height)
            self.act(seat, bot.choose(table.view(), table.legal(), chance))


def seated(
    seats: int,
    rules: AnyGame | None = None,
    *,
    seed: int = 0,
    watcher: Seat = ME,
    options: Mapping[str, int | str | bool] | None = None,
) -> Watched:
    """Return a table at which everybody has just sat down, and nothing has arrived."""
    rules = game("macaua") if rules is None else rules
    players = [player_for(Seat(seat), seed) for seat in range(seats)]
    agreed = agreed_by_names(players, rules, NAMES[:seats], seed, CLOCK, options)
    made = Watched(Setting(agreed, rules), watcher=watcher)
    others = [one.seat for one in players if one.seat != watcher]
    made.book = replace(
        made.book,
        marks={one.seat: one.signer.verify_key.raw.hex()[:4] for one in players},
        bots=frozenset(others[-1:]),
        reach={
            seat: Reach(Way.DIRECT, since=0, round_trip_us=(20 + seat) * 1000) for seat in others
        },
    )
    memories = Signatures(agreed.charter.keys), begin(made.setting)
    for player in players:
        made.do(player.seat, sit_down(made.setting, player, *memories))
    made.book = opened(made.book, made.table, 0)
    return made


def dealt(
    seats: int,
    rules: AnyGame | None = None,
    *,
    seed: int = 0,
    watcher: Seat = ME,
    options: Mapping[str, int | str | bool] | None = None,
) -> Watched:
    """Return a table whose first deal is done; deals are made once and copied."""
    given = None if options is None else tuple(sorted(options.items()))
    if rules is not None:
        made = seated(seats, rules, seed=seed, watcher=watcher, options=options)
        made.deliver()
        return made
    made = _dealt(seats, seed, watcher, given)
    return replace(
        made,
        tables=dict(made.tables),
        queue=list(made.queue),
        stored={seat: list(kept) for seat, kept in made.stored.items()},
        sent=list(made.sent),
        asked=dict(made.asked),
        shown=list(made.shown),
        gone=set(made.gone),
        wakes=dict(made.wakes),
        others=dict(made.others),
    )


@cache
def _dealt(
    seats: int,
    seed: int,
    watcher: Seat,
    options: tuple[tuple[str, int | str | bool], ...] | None,
) -> Watched:
    given = None if options is None else dict(options)
    made = seated(seats, seed=seed, watcher=watcher, options=given)
    made.deliver()
    return made

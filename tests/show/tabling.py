"""A driver for tests and for trying: a whole table in this process, bots in the other seats.

All seats are real tables with real keys and proofs; between them are queues in memory. Nothing here
is part of the program that people run. A seat can be made to fall silent at a height, so that one
can see what the others are shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import trio

from nodealer.bots import bot_for
from nodealer.games.api import Action
from nodealer.games.base import AnyGame
from nodealer.home.latest import Latest
from nodealer.kernel import LocalError, Reach, Reason, Seat, Way
from nodealer.kernel.chance import Chance
from nodealer.ledger import AskAction, Clock, LedgerMessage, Ready, Signatures
from nodealer.show.book import Book, chatted, muted, noted, opened, unmuted
from nodealer.show.snapshot import Snapshot, snapshot_of
from nodealer.table import Player, Setting, Table, begin, sit_down
from tests.show.making import NAMES, agreed_by_names, player_for

YOU = Seat(0)

THINKING_SECONDS = 0.0


@dataclass
class Tabling:
    """A table that runs by itself, but for the seat of the player."""

    setting: Setting
    players: list[Player]
    you: Seat = YOU
    seed: int = 0
    thinking: float = THINKING_SECONDS
    silent: Seat | None = None
    silent_from: int = 0
    tables: dict[Seat, Table] = field(default_factory=dict)
    queue: deque[tuple[Seat, Seat, LedgerMessage]] = field(default_factory=deque)
    wakes: dict[Seat, int] = field(default_factory=dict)
    due: list[tuple[float, Seat, bytes]] = field(default_factory=list)
    book: Book = field(init=False)
    shown: Latest[Snapshot] = field(default_factory=Latest)
    began: float = 0.0
    _stirred: trio.Event = field(default_factory=trio.Event)

    def __post_init__(self) -> None:
        others = [one.seat for one in self.players if one.seat != self.you]
        self.book = Book(
            title="in this process",
            mark="trial",
            marks={one.seat: one.signer.verify_key.raw.hex()[:6] for one in self.players},
            bots=frozenset(others),
            reach={seat: Reach(Way.DIRECT) for seat in others},
        )

    async def run(self) -> None:
        """Play until everybody has closed."""
        self.began = trio.current_time()
        memories = Signatures(self.setting.agreed.charter.keys), begin(self.setting)
        for player in self.players:
            self._done(player.seat, *sit_down(self.setting, player, *memories))
        self.book = opened(self.book, self.tables[self.you], self.now)
        while True:
            await self._go_on()

    @property
    def now(self) -> int:
        return int((trio.current_time() - self.began) * 1000)

    # What the terminal asks.

    def updates(self) -> AsyncIterator[Snapshot]:
        return self.shown.updates()

    async def act(self, action: Action) -> None:
        self._tell_time(self.you)
        self._done(self.you, *self.tables[self.you].act(action))
        await trio.lowlevel.checkpoint()

    def say(self, text: str) -> None:
        number = len(self.book.chat) + 1
        self.book = chatted(self.book, self.you, number, text)
        for seat in self.book.bots:
            self.book = chatted(self.book, seat, number, "I only play.")
        self._show()

    async def leave(self) -> None:
        self._tell_time(self.you)
        self._done(self.you, *self.tables[self.you].leave())
        self._show()
        await trio.lowlevel.checkpoint()

    async def again(self) -> None:
        self._tell_time(self.you)
        if not any(isinstance(one, AskAction) for one in self._ledger_asks()):
            raise LocalError(Reason.LOCAL_ARGUMENT, "another game begins after this one")
        self._done(self.you, *self.tables[self.you].again())
        self._show()
        await trio.lowlevel.checkpoint()

    def put_away(self) -> None:
        self.is_put_away = True

    def mute(self, seat: Seat, *, is_muted: bool) -> None:
        self.book = muted(self.book, seat) if is_muted else unmuted(self.book, seat)
        self._show()

    def _ledger_asks(self) -> tuple[object, ...]:
        return self.tables[self.you].ledger.asked

    # The table.

    async def _go_on(self) -> None:
        await trio.lowlevel.checkpoint()
        if self.queue:
            sender, to, message = self.queue.popleft()
            self._tell_time(to)
            self._done(to, *self.tables[to].receive(message, sender))
            return
        ready = [one for one in self.due if one[0] <= trio.current_time()]
        if ready:
            self.due.remove(ready[0])
            self._bot(ready[0][1], ready[0][2])
            return
        woken = [seat for seat, tick in self.wakes.items() if tick <= self.now]
        if woken:
            del self.wakes[woken[0]]
            self._tell_time(woken[0])
            return
        times = [one[0] for one in self.due]
        times += [self.began + (tick + 1) / 1000 for tick in self.wakes.values()]
        wait = min(times, default=trio.current_time() + 1) - trio.current_time()
        with trio.move_on_after(min(1, max(0, wait))):
            await self._stirred.wait()
        self._stirred = trio.Event()
        self._show()

    def _tell_time(self, seat: Seat) -> None:
        self._done(seat, *self.tables[seat].tick(self.now))

    def _bot(self, seat: Seat, parent: bytes) -> None:
        table = self.tables[seat]
        asks = [one for one in table.ledger.asked if one.parent == parent]
        if not asks or table.position.is_closed:
            return
        chance = Chance("tabling", self.seed).branch(seat, table.ledger.tip.height)
        self._tell_time(seat)
        table = self.tables[seat]
        chosen = bot_for(self.setting.game).choose(table.view(), table.legal(), chance)
        self._done(seat, *table.act(chosen))

    def _done(self, seat: Seat, table: Table, ready: Ready) -> None:
        self.tables[seat] = table
        is_silent = seat == self.silent and table.ledger.tip.height >= self.silent_from
        for out in ready.send:
            for other in self.setting.agreed.charter.seats:
                if other != seat and out.to in (None, other) and not is_silent:
                    self.queue.append((seat, other, out.message))
        self.wakes.pop(seat, None)
        if ready.wake is not None:
            self.wakes[seat] = ready.wake
        if ready.ask and seat != self.you:
            self.due.append((trio.current_time() + self.thinking, seat, ready.ask[0].parent))
        if seat == self.you:
            self.book = noted(self.book, table, ready, self.now)
            self._show()
        self._stirred.set()

    def _show(self) -> None:
        table = self.tables.get(self.you)
        if table is not None:
            self.shown.put(snapshot_of(table, self.book, self.now))


def tabling(
    rules: AnyGame,
    seats: int,
    *,
    seed: int = 0,
    clock: Clock | None = None,
    thinking: float = THINKING_SECONDS,
) -> Tabling:
    """Return a table with the player in seat 0."""
    players = [player_for(Seat(seat), seed) for seat in range(seats)]
    agreed = agreed_by_names(players, rules, NAMES[:seats], seed, clock)
    return Tabling(Setting(agreed, rules), players, seed=seed, thinking=thinking)

"""A seat in a process of its own that measures while it plays, for `nodealer bench net`.

Whenever it is this seat's turn everybody else waits for it, and nothing is under way. Then it syncs
a file beside its journal, asks bare questions over the very links that the game uses, and acts; so
all figures come from one run. Everything is done once a turn, like the action itself: what is done
again at once runs faster. A bare question is a letter for a table that nobody has, which a node
answers as soon as it reads it; nothing is stored or checked.

A transition is committed when the seat that has chosen it has all seals in its journal. When each
of the others has them is written down as well, by the clock that all processes of a machine share.
The figures go into a file when the process ends. Unlike other real seats this one tells where it
stands once for each entry and not after every batch: whoever listens works on the processors that
are measured.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import monotonic
from typing import Final

from nodealer.kernel import Seat, TableId
from nodealer.lab.processes.real_seat import chance_at, main, tell
from nodealer.ledger import Authored, Ready
from nodealer.node import Bell, ForTable, Keeper, Node, PeerKey, is_asked, is_over, write_envelope
from nodealer.sim import Order, bot_of
from nodealer.store import HOME_VARIABLE
from nodealer.table import Table

QUESTION_BYTES: Final = 200
SYNCED_BYTES: Final = 1024

RSS_UNITS: Final = 1 << (20 if sys.platform == "darwin" else 10)
"""Of what the system counts, so many are a megabyte."""


@dataclass(slots=True)
class SeatFigures:
    """The measurements of a seat: milliseconds, points in time in seconds, megabytes."""

    acted: dict[str, float] = field(default_factory=dict)
    """When this seat had chosen, by the height of what it chose."""
    taken: dict[str, float] = field(default_factory=dict)
    """When each entry was in the journal of this seat, by its height."""
    rtt_ms: list[float] = field(default_factory=list)
    ask_all_ms: list[float] = field(default_factory=list)
    fsync_ms: list[float] = field(default_factory=list)
    founded: float = 0
    dealt: float = 0
    rss_mb: float = 0


class Measuring:
    """One seat, what it plays, and what it has measured."""

    def __init__(self, node: Node, keeper: Keeper, order: Order) -> None:
        self.figures = SeatFigures()
        self._node = node
        self._keeper = keeper
        self._bot, self._chance = bot_of(order), chance_at(keeper, order)
        self._told = -1
        keeper.observers.add(self._look)

    async def play(self) -> None:
        """Play to the end of the game."""
        keeper = self._keeper
        while not is_over(keeper.table):
            table = keeper.table
            if not is_asked(table):
                await keeper.moved()
                continue
            await self._measure()
            of_turn = self._chance.branch("turn", table.ledger.tip.height)
            chosen = self._bot.choose(table.view(), table.legal(), of_turn)
            tip = table.ledger.tip
            self.figures.acted[str(tip.height + 1)] = monotonic()
            await keeper.act(chosen)
            while keeper.table.ledger.tip is tip:
                await keeper.moved()

    def _look(self, table: Table, _: Ready) -> None:
        """Look at the clock when something is in the journal that was waited for."""
        figures, ledger, now = self.figures, table.ledger, monotonic()
        link, certificate = ledger.tip, ledger.tip.certificate
        if not figures.founded and (certificate.seals or certificate.votes):
            figures.founded = now
        if not figures.dealt and isinstance(link.duty, Authored):
            figures.dealt = now
        for height in range(self._told + 1, link.height + 1):
            figures.taken[str(height)] = now
        if link.height > self._told or is_over(table):
            self._told = link.height
            tell(table)

    async def _measure(self) -> None:
        everybody = [*self._keeper.others]
        self.figures.fsync_ms.append(self._synced())
        self.figures.rtt_ms.append(await self._asked(everybody[:1]))
        self.figures.ask_all_ms.append(await self._asked(everybody))

    async def _asked(self, seats: list[Seat]) -> float:
        """Return the time until all these have answered a bare question."""
        answered, bell = set[PeerKey](), Bell()

        def answer(peer: PeerKey, _: TableId) -> None:
            answered.add(peer)
            bell.ring()

        self._node.told_absent = answer
        table = TableId(secrets.token_bytes(32))
        question = write_envelope(ForTable(table), bytes(QUESTION_BYTES))
        started = monotonic()
        for seat in seats:
            link = self._keeper.link_to(seat)
            assert link is not None, "everybody is there: it is this seat's turn"
            link.offer(question)
        while len(answered) < len(seats):
            await bell.wait()
        return 1000 * (monotonic() - started)

    def _synced(self) -> float:
        """Return the time of writing a little and syncing it, where the journal is."""
        path = self._keeper.journal.path.with_suffix(".synced")
        with path.open("ab", buffering=0) as file:
            started = monotonic()
            file.write(bytes(SYNCED_BYTES))
            os.fsync(file.fileno())
            return 1000 * (monotonic() - started)


async def play_measuring(node: Node, keeper: Keeper, order: Order) -> None:
    """Play, and write down what was measured."""
    measuring = Measuring(node, keeper, order)
    try:
        await measuring.play()
    finally:
        _write_down(measuring.figures, keeper)


def _write_down(figures: SeatFigures, keeper: Keeper) -> None:
    figures.rss_mb = getrusage(RUSAGE_SELF).ru_maxrss / RSS_UNITS
    assert keeper.seat is not None, "a player has opened it"
    path = figures_at(Path(os.environ[HOME_VARIABLE]), keeper.seat)
    path.write_text(json.dumps(asdict(figures)), encoding="utf-8")


def figures_at(home: Path, seat: Seat) -> Path:
    """Return where the figures of a seat are."""
    return home / f"figures-{seat}"


if __name__ == "__main__":
    main(play_measuring, *sys.argv[1:])

"""The walks of the architecture page, traced: they are gone as told, and no longer than bounded.

A real table of two seats deals and plays: journals on a disk, links over a carrier in virtual time,
and for each seat what shows it the table.
"""

from __future__ import annotations

from contextlib import closing
from inspect import isclass, ismodule, unwrap
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.deck import check_releases
from nodealer.home import SeatDriver
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.node import Keeper
from nodealer.node.auto import is_asked
from nodealer.node.transport.link import Link
from nodealer.show import snapshot_of
from nodealer.store import Journal
from nodealer.table.acting import act
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle
from tests.support.tracing import OWN, Hop, Trace, traced
from tests.tidy.test_architecture import place, walks

LETTER_FRAMES_MAX = 18
"""The own frames of an incoming letter, from the wire to the deck that judges a part of it."""

MOVE_MODULES_MAX = 115
"""The modules that have a part in a move of two seats, from the call to all pictures of it."""

SPINE_MAX = 28
"""The modules on the spine of a move: those that call each other from the key to all pictures."""

WIRE: Hop = ("node.node", "Node._serve")

TYPED = 4
"""The first hops of a move are those of a terminal, which is not here."""

SHOWN_SECONDS = 2.0
"""The links and what shows the table are quiet after that; in virtual time it costs nothing."""


class _Traced:
    """The traces of a deal and of the first move after it."""

    def __init__(self, folder: Path) -> None:
        self.circle = Circle(folder, 2)
        self.circle.found()
        self.deal, self.move = Trace(), Trace()
        in_virtual_time(self._play)

    async def _play(self) -> None:
        with traced(check_releases) as self.deal:
            async with self.circle.at_table(Seat(0)) as one, self.circle.at_table(Seat(1)) as other:
                with closing(SeatDriver(one)) as here, closing(SeatDriver(other)) as there:
                    keepers = (one, other)
                    while not any(is_asked(keeper.table) for keeper in keepers):
                        await one.changed()
                    await self._act(next(one for one in keepers if is_asked(one.table)))
                    tips = {keeper.table.ledger.tip.height for keeper in keepers}
                    assert {len(driver.book.log) > 0 for driver in (here, there)} == {True}
                    assert len(tips) == 1

    async def _act(self, keeper: Keeper) -> None:
        table = keeper.table
        chosen = bot_for(table.position.game).choose(table.view(), table.legal(), Chance("walk"))
        await trio.sleep(SHOWN_SECONDS)
        with traced(act, Journal.append, Link.offer, snapshot_of) as self.move:
            await keeper.act(chosen)
            await trio.sleep(SHOWN_SECONDS)
        assert keeper.table.ledger.tip.height > table.ledger.tip.height


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> _Traced:
    return _Traced(tmp_path_factory.mktemp("walks"))


def is_passed(hop: str, trace: Trace) -> bool:
    """Say whether a trace has come through a place: a module, anything of a class, a function."""
    at = place(hop)
    at = unwrap(at) if callable(at) else at
    if ismodule(at):
        return at.__name__.removeprefix(OWN) in trace.modules
    module, name = str(at.__module__).removeprefix(OWN), str(getattr(at, "__qualname__", ""))
    if isclass(at):
        return any(m == module and f.startswith(f"{name}.") for m, f in trace.functions)
    return (module, name) in trace.functions


def test_a_letter_is_short_on_its_way_from_the_wire_to_the_deck(seen: _Traced) -> None:
    ways = [way for way in seen.deal.ways if WIRE in way]
    assert ways, "parts of others were judged"
    longest = max(ways, key=len)
    assert longest[0] == WIRE
    assert len(longest) <= LETTER_FRAMES_MAX, "\n".join(map(".".join, longest))


def test_a_move_is_gone_as_it_is_told(seen: _Traced) -> None:
    hops = walks()["A move"][TYPED:]
    assert [hop for hop in hops if not is_passed(hop, seen.move)] == []


def test_a_card_goes_as_it_is_told(seen: _Traced) -> None:
    hops = [hop for hop in walks()["A card"] if not hop.startswith("games.")]
    assert [hop for hop in hops if not is_passed(hop, seen.deal)] == []


def test_a_place_where_nothing_passes_is_noticed(seen: _Traced) -> None:
    assert not is_passed("ledger.Ledger.recall", seen.move)
    assert not is_passed("lobby.hosting", seen.move)


def test_few_modules_have_a_part_in_a_move(seen: _Traced) -> None:
    assert len(seen.move.modules) <= MOVE_MODULES_MAX, sorted(seen.move.modules)


def test_the_spine_of_a_move_is_short(seen: _Traced) -> None:
    """What leads to the rules, to the disk, to the links and to the pictures, at both seats."""
    typed = {".".join(hop.split(".")[:2]) for hop in walks()["A move"][:TYPED]}
    called = {module for way in seen.move.ways for module, _ in way}
    assert {"table.acting", "store.journal", "node.transport.link", "show.snapshot"} <= called
    assert len(typed | called) <= SPINE_MAX, sorted(typed | called)

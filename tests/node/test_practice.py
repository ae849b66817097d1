"""Tables against bots: played to the close, and gone on with, in one process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.games.api import Action, View, action
from nodealer.games.registry import game
from nodealer.kernel import LocalError, Seat, TableId
from nodealer.kernel.chance import Chance
from nodealer.node.auto import drawn_chance, play_by
from nodealer.node.clocks import CLOCKS
from nodealer.node.farewell import stay
from nodealer.node.practice import (
    Rules,
    Seated,
    at_table,
    bots_in,
    bots_of,
    found,
    identity_in,
)
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from tests.node.makers import in_virtual_time
from tests.node.tables import STAY_SECONDS, Circle
from tests.store.players import places_in

MACAUA = game("macaua")


def test_a_game_against_bots_is_closed_and_gone_on_with(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ada")
    bots = bots_in(places, 1, you.name)
    assert bots[0].name != "Ada"
    charter = found(Rules(MACAUA, {}, CLOCKS["brisk"]), [you, *bots])

    async def main(height: int | None) -> None:
        identity = identity_in(profile)
        with closing(open_journal(profile, charter.table, identity)) as journal:
            assert bots_of(journal) == ("bot-1",)
            async with at_table(places, journal, thought_seconds=0) as keeper:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(play_by, keeper, bot_for(MACAUA), drawn_chance("test"))
                    while not keeper.table.position.is_closed:
                        if height is not None and keeper.table.ledger.tip.height >= height:
                            break
                        await keeper.changed()
                    nursery.cancel_scope.cancel()
                await trio.sleep(1)  # the bots go on sitting there
                assert keeper.table.position.is_closed == (height is None)

    in_virtual_time(lambda: main(4))  # before any cards are played: a lucky hand ends the game soon
    in_virtual_time(lambda: main(None))
    with closing(open_journal(bots[0].profile, charter.table, bots[0].identity)) as journal:
        assert bots_of(journal) == ()


def test_nobody_waits_for_bots_that_have_the_close(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ada")
    charter = found(Rules(MACAUA, {}, CLOCKS["brisk"]), [you, *bots_in(places, 2, you.name)])

    async def main() -> None:
        with closing(open_journal(profile, charter.table, you.identity)) as journal:
            async with at_table(places, journal, thought_seconds=0) as keeper:
                await play_by(keeper, bot_for(MACAUA), drawn_chance("test"))
                began = trio.current_time()
                await stay(keeper, STAY_SECONDS)
                assert trio.current_time() - began < 1

    in_virtual_time(main)


def test_a_program_that_is_stopped_while_it_founds_leaves_no_table_without_its_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Journal.note

    def stopped(journal: Journal, name: str, value: bytes) -> None:
        if journal.seat == Seat(0):
            raise KeyboardInterrupt
        note(journal, name, value)

    places = places_in(tmp_path)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ada")
    bots = bots_in(places, 1, you.name)
    # Whatever is written after the player's journal has its name may come too late.
    monkeypatch.setattr(Journal, "note", stopped)
    with suppress(KeyboardInterrupt):
        found(Rules(MACAUA, {}, CLOCKS["brisk"]), [you, *bots])
    for path in profile.journals():
        table = TableId(bytes.fromhex(path.stem))
        with closing(open_journal(profile, table, you.identity)) as journal:
            assert bots_of(journal) == ("bot-1",)


class Thinker:
    """A bot that takes the first action, or one that no rules allow."""

    def __init__(self, *, is_fair: bool) -> None:
        self.is_fair = is_fair

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        """Choose."""
        del view, chance
        return legal[0] if self.is_fair else action("no such kind")


def test_a_bot_that_thinks_too_long_is_left_out_and_stops(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()
    stopped: list[Seat] = []

    async def think(seat: Seat) -> None:
        async with circle.at_table(seat) as keeper:
            chance = Chance("bot", seat)
            await play_by(keeper, Thinker(is_fair=True), chance, thought_seconds=60)
            assert seat not in keeper.table.position.roster
            stopped.append(seat)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(think, Seat(0))
            for seat in circle.seats[1:]:
                nursery.start_soon(circle.play, seat)

    in_virtual_time(main)
    assert stopped == [Seat(0)]


def test_a_bot_that_breaks_the_rules_is_a_defect_that_is_seen(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            nursery = await stack.enter_async_context(trio.open_nursery())
            stack.callback(nursery.cancel_scope.cancel)
            nursery.start_soon(circle.play, Seat(1))
            keeper = await stack.enter_async_context(circle.at_table(Seat(0)))
            with pytest.raises(LocalError):
                await play_by(keeper, Thinker(is_fair=False), Chance("bot"))

    in_virtual_time(main)


def test_what_cannot_be_played_founds_nothing(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ada")
    with pytest.raises(LocalError):
        found(Rules(MACAUA, {"no such": 1}, CLOCKS["brisk"]), [you, *bots_in(places, 1, "Ada")])
    assert not profile.journals()

"""Tables against bots: played to the close, and gone on with, in one process."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.kernel import LocalError
from nodealer.node.auto import drawn_chance, play_by
from nodealer.node.clocks import CLOCKS
from nodealer.node.practice import (
    Rules,
    Seated,
    at_table,
    bots_in,
    bots_of,
    found,
    identity_in,
)
from nodealer.store.opening import open_journal
from tests.node.makers import in_virtual_time
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
                assert keeper.table.position.is_closed == (height is None)

    in_virtual_time(lambda: main(8))
    in_virtual_time(lambda: main(None))
    with closing(open_journal(bots[0].profile, charter.table, bots[0].identity)) as journal:
        assert bots_of(journal) == ()


def test_what_cannot_be_played_founds_nothing(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    profile = places.profile()
    you = Seated(profile, identity_in(profile), "Ada")
    with pytest.raises(LocalError):
        found(Rules(MACAUA, {"no such": 1}, CLOCKS["brisk"]), [you, *bots_in(places, 1, "Ada")])
    assert not profile.journals()

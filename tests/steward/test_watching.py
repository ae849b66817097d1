"""A table of others is watched from home: found at a player's address, shown without a seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodealer.home import SeatAt
from nodealer.kernel import LocalError, TableId
from nodealer.lobby import read_invite
from nodealer.node import PeerKey, parse
from tests.steward.homes import Said, at_home, run
from tests.steward.test_lobbies import begun, in_the_lobby, two_homes

NO_TABLE = TableId(bytes(32))


def is_dealt(table: Said) -> bool:
    return bool(table["zones"]) and not table["progress"]


def hand_of(seat: int, table: Said) -> list[str | None]:
    (hand,) = [one for one in table["zones"] if (one["name"], one["seat"]) == ("hand", seat)]
    return [card.get("face") for card in hand["cards"]]


def test_a_table_of_others_is_found_and_watched_and_goes_on_there(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea), at_home(tmp_path / "cleo", "Cleo") as cleo:
            invite = read_invite(await in_the_lobby(ana, bea))
            await begun(ana, bea)
            (table,) = ana.steward.house.tables
            at = SeatAt(PeerKey(invite.host), parse(invite.addresses[0]))
            with pytest.raises(LocalError, match="nobody there has this table open"):
                await cleo.steward.watch(NO_TABLE, [at])
            assert cleo.shown["is"] == "home", "nothing was opened"
            await cleo.steward.watch(table, [at])
            seen = await cleo.until("table", is_dealt)
            assert seen["mark"] == ana.shown["mark"]
            assert [(one["name"], one["is_you"]) for one in seen["seats"]] == [
                ("Ana", False),
                ("Bea", False),
            ]
            own = hand_of(0, await ana.until("table", is_dealt))
            assert all(own)
            assert hand_of(0, seen) == [None] * len(own), "whoever watches sees no hand"
            assert seen["choice"]["kinds"] == []
            await cleo.granted("close")
            (listed,) = (await cleo.until("home"))["tables"]
            await cleo.granted("open", mark=listed["mark"])
            await ana.granted("leave", sure=True)
            await cleo.until("table", lambda table: table["seats"][0]["sitting"] == "left")

    run(main)

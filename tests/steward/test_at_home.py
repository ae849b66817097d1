"""What a player has alone: practice, the list of tables, records, and what is refused at home."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import trio

from nodealer.dialogue import GrantedWish, with_table
from nodealer.games.registry import game
from nodealer.home import journal_of
from nodealer.kernel import TableId
from nodealer.node import CLOCKS, identity_in
from nodealer.steward import ServedDialogue
from tests.show.tabling import tabling
from tests.steward.homes import PageAtHome, Said, at_home, run

HOSTED = {"game": "macaua", "seats": 2, "options": {}, "clock": "calm", "name": "Ana"}


def is_asked(table: Said) -> bool:
    return bool(table["is_asked"])


def is_told(home: Said) -> bool:
    """Say whether it is known of all tables how they stand."""
    return all(one["stands"] != "its record is being read" for one in home["tables"])


async def practise(page: PageAtHome) -> str:
    await page.granted("practise", game="macaua", seats=2, options={"call": True})
    return str((await page.until("table", is_asked))["mark"])


def test_practice_begins_at_once_rests_at_home_and_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            mark = await practise(page)
            assert page.shown["title"] == "against bots"
            assert (page.shown["headline"], page.shown["patience"]) == ("Your turn.", None)
            assert page.shown["seats"][0]["name"] == "Ana"
            height = page.shown["height"]
            await page.granted("close")
            home = await page.until("home")
            assert [one["mark"] for one in home["tables"]] == [mark]
            assert not page.steward.house.tables
            await page.granted("open", mark=mark)
            assert (await page.until("table", is_asked))["height"] >= height

    run(main)


def test_bots_wait_as_long_as_the_player_likes(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            await page.granted("practise", game="papas", seats=2, options={})
            (table,) = page.steward.house.tables.values()
            terms = table.keeper.table.position.setting.agreed.terms
            assert terms.clock == CLOCKS["letters"]
            assert dict(terms.options)["window"] == 0

    run(main)


def test_how_tables_stand_is_known_at_once_the_next_time(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            await practise(page)
        for is_known in (False, True):  # it was open when the program ended
            async with at_home(tmp_path, "You", is_named=False) as page:
                assert is_told(page.shown) is is_known
                assert page.shown["name"] == "Ana", "the name of before"
                told = (await page.until("home", is_told))["tables"]
                assert told[0]["stands"] == "Ana has the turn"
                notes = page.profile.standings
                while not notes.exists():
                    await page.granted("close")
                assert stat.S_IMODE(notes.stat().st_mode) == 0o600

    run(main)


def test_notes_that_cannot_be_read_are_made_anew(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            await practise(page)
            await page.granted("close")
            assert is_told(await page.until("home"))
        for damage in (b"", b"[]", b'{"a": 1}', b'{"a": [1]}', b"\xff"):
            page.profile.standings.write_bytes(damage)
            async with at_home(tmp_path, "Ana") as again:
                assert (await again.until("home", is_told))["tables"]

    run(main)


def test_a_table_that_another_process_has_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            mark = await practise(page)
            await page.granted("close")
            (path,) = page.profile.journals()
            table = TableId(bytes.fromhex(path.stem))
            journal = journal_of(page.profile, table, identity_in(page.profile))
            why = await page.refused("open", mark=mark)
            assert why.startswith("another process has it open (process ")
            assert why.endswith("close that process, or go on there")
            assert page.shown["is"] == "home"
            journal.close()
            await page.granted("open", mark=mark)
            await page.until("table", is_asked)

    run(main)


def test_a_bot_that_is_elsewhere_is_a_sentence_too(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            mark = await practise(page)
            await page.granted("close")
            (path,) = page.profile.places.profile("bot-1").journals()
            path.rename(path.with_suffix(".elsewhere"))
            assert "bots stay where a game against them began" in await page.refused(
                "open", mark=mark
            )
            path.with_suffix(".elsewhere").rename(path)
            await page.granted("open", mark=mark)

    run(main)


def test_a_damaged_journal_stands_in_the_list_with_what_is_wrong(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            mark = await practise(page)
            await page.granted("close")
            (path,) = page.profile.journals()
            whole = path.read_bytes()
            path.write_bytes(b"no journal")
            await page.granted("close")
            home = await page.until("home", lambda home: home["tables"][0]["game"] == "?")
            assert home["tables"][0]["mark"] == mark
            assert home["tables"][0]["stands"]
            await page.refused("open", mark=mark)
            path.write_bytes(whole)

    run(main)


def test_a_record_is_looked_at_and_the_home_is_found_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            mark = await practise(page)
            await page.granted("replay", mark=mark)
            record = await page.until("table", lambda table: "recording" in table)
            assert record["recording"]["last"] > 0
            await page.granted("step", to=record["recording"]["last"])
            assert (await page.wish("say", text="hello"))["refused"] == "not-here"
            await page.granted("close")
            await page.until("home")

    run(main)


def test_what_cannot_be_is_refused_and_leaves_nothing_open(tmp_path: Path) -> None:
    wrong: list[tuple[str, dict[str, object], str]] = [
        ("host", {**HOSTED, "clock": "fast"}, "there are these clocks"),
        ("host", {**HOSTED, "game": "chess"}, "chess"),
        ("host", {**HOSTED, "seats": 99}, ""),
        ("host", {**HOSTED, "options": {"x": 1}}, "x"),
        ("host", {**HOSTED, "policy": "y"}, "no policy"),
        ("host", {**HOSTED, "name": "a\nb"}, "choose another name"),
        ("practise", {"game": "papas", "seats": 9, "options": {}}, "Papas"),
        ("join", {"invite": "hello", "name": "Ana"}, "opy the whole line once more"),
        ("join", {"invite": "nodealer1abc", "name": "Ana"}, "opy the whole line once more"),
        ("open", {"mark": "ffffff"}, "there is no table"),
        ("replay", {"mark": "ffffff"}, "there is no table"),
        ("end", {}, "no lobby is shown"),
        ("confirm", {"name": "Bea"}, "no lobby is shown"),
    ]

    async def main() -> None:
        async with at_home(tmp_path, "Ana") as page:
            for what, fields, why in wrong:
                if what in ("host", "practise") and fields.get("seats", 2) == 99:
                    assert (await page.wish(what, **fields))["refused"] == "bad-field"
                    continue
                assert why in await page.refused(what, **fields), (what, fields)
            await page.granted("close")
            assert (await page.until("home"))["tables"] == []
            assert not list((page.profile.home / "lobbies").glob("*"))

    run(main)


def test_no_text_is_made_while_no_page_is_there() -> None:
    async def main() -> None:
        served, made = ServedDialogue(nothing_done), tabling(game("macaua"), 2)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.run)
            served.show(with_table, await anext(aiter(made.updates())))
            assert served.dialogue.state == ""
            async with served.open_visit():
                assert json.loads(served.dialogue.state)["is"] == "table"
            nursery.cancel_scope.cancel()

    run(main)


async def nothing_done(wish: GrantedWish, page: int) -> str:
    raise AssertionError(wish, page)

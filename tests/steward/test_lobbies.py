"""Lobbies on pages, over real links between two homes: from the invite to the table, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from nodealer.crypto import SharedSecret
from nodealer.lobby import read_invite
from tests.steward.homes import PageAtHome, Said, at_home, run

HOSTED = {"game": "macaua", "seats": 2, "options": {}, "clock": "calm", "name": "Ana"}

GLANCE_SECONDS = 0.1
"""Until somebody who reads an offer looks up."""


@asynccontextmanager
async def two_homes(folder: Path) -> AsyncIterator[tuple[PageAtHome, PageAtHome]]:
    async with at_home(folder / "ana", "Ana") as ana, at_home(folder / "bea", "Bea") as bea:
        yield ana, bea


async def hosted(page: PageAtHome, **changed: object) -> Said:
    """Open a lobby."""
    await page.granted("host", **{**HOSTED, **changed})
    return await page.until("lobby", lambda lobby: bool(lobby["invite"]))


async def in_the_lobby(ana: PageAtHome, bea: PageAtHome) -> str:
    """Have one host, and the other come; return the invite."""
    invite = str((await hosted(ana))["invite"])
    await bea.granted("join", invite=invite, name="Bea")
    await bea.until("lobby", may_accept)
    await ana.until("lobby", may_start)
    return invite


def test_people_in_a_lobby_talk(tmp_path: Path) -> None:
    async def talking() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            await in_the_lobby(ana, bea)
            await bea.granted("say", text="shall we begin?")
            for page, is_own in ((ana, False), (bea, True)):
                lobby = await page.until("lobby", lambda lobby: bool(lobby["chat"]))
                (said,) = lobby["chat"]
                assert (said["name"], said["text"], said["is_you"]) == (
                    "Bea",
                    "shall we begin?",
                    is_own,
                )
                assert "shall we begin?" not in lobby["news"]
            assert "characters" in str((await bea.wish("say", text="x" * 201))["says"])
            await begun(ana, bea)
            assert not any(b"shall we begin" in one.read_bytes() for one in files_in(tmp_path))

    run(talking)


def test_a_friend_comes_to_a_lobby_without_an_invite(tmp_path: Path) -> None:
    async def meeting_again() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            await in_the_lobby(ana, bea)
            await begun(ana, bea)
            for page in (ana, bea):
                await page.granted("close")
                await page.until("home", lambda home: bool(home["people"]))
            await bea.granted("look")
            await hosted(ana, game="take5", friends=["Bea"])
            home = await bea.until("home", lambda home: has_lobby(home, "open for you"))
            (listed,) = [one for one in home["tables"] if one["stands"] == "open for you"]
            assert listed["players"] == "Ana"
            await bea.granted("open", mark=listed["mark"])
            lobby = await bea.until("lobby", may_accept)
            assert lobby["invite"] == ""
            assert "Cleo" in str((await ana.wish("host", **HOSTED, friends=["Cleo"]))["says"])

    run(meeting_again)


def has_lobby(home: Said, stands: str) -> bool:
    return any(one["stands"] == stands for one in home["tables"])


def secret_in(line: str) -> SharedSecret:
    secret = read_invite(line).secret
    assert secret is not None
    return secret


def files_in(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file()]


async def accepted(page: PageAtHome) -> None:
    """Say yes, as soon as what is offered can have been read."""
    while "refused" in await page.wish("accept", offer=page.shown["offer"]):  # noqa: ASYNC110 - as it says
        await trio.sleep(GLANCE_SECONDS)


async def begun(ana: PageAtHome, bea: PageAtHome) -> None:
    """Have both say yes, and sit down."""
    await accepted(bea)
    await ana.until("lobby", lambda lobby: bool(lobby["seats"][1]["has_accepted"]))
    await ana.granted("start", offer=ana.shown["offer"])
    await ana.until("table")
    await bea.until("table")


def may_accept(lobby: Said) -> bool:
    return bool(lobby["may_accept"])


def may_start(lobby: Said) -> bool:
    return bool(lobby["may_start"])


def test_a_lobby_becomes_a_table_and_stays_open_while_its_player_is_at_home(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            invite = await in_the_lobby(ana, bea)
            assert [one["name"] for one in bea.shown["seats"]] == ["Ana", "Bea"]
            assert bea.shown["invite"] == bea.shown["watch_invite"] == ""
            assert bea.shown["changeable"] is None
            await begun(ana, bea)
            assert ana.shown["mark"] == bea.shown["mark"]
            await bea.granted("close")
            home = await bea.until("home")
            assert [one["mark"] for one in home["tables"]] == [ana.shown["mark"]]
            assert [one["name"] for one in home["people"]] == ["Ana"]
            # The shuffles go on without anybody looking at hers, and the list says so by itself.
            await bea.until("home", lambda home: "turn" in home["tables"][0]["stands"])
            await ana.until("table", lambda table: not table["progress"])
            await bea.granted("join", invite=invite, name="Bea")
            assert (await bea.until("table"))["mark"] == ana.shown["mark"]

    run(main)


def test_a_taken_name_is_asked_again_and_the_invite_is_kept(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            invite = str((await hosted(ana))["invite"])
            await bea.granted("join", invite=invite, name="Ana")
            home = await bea.until("home", lambda home: bool(home["problem"]))
            assert "choose another name" in home["problem"].lower()
            assert home["invite"] == invite
            await bea.granted("join", invite=home["invite"], name="Bea")
            await bea.until("lobby", may_accept)
            await bea.granted("close")
            assert (await bea.until("home"))["invite"] == ""

    run(main)


def test_a_lobby_goes_on_after_a_restart_with_the_same_invite(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, _):
            invite = (await hosted(ana))["invite"]
            await ana.granted("close")
            (lobby,) = (await ana.until("home"))["tables"]
            assert lobby["is_lobby"]
            await ana.granted("open", mark=lobby["mark"])  # it was open all the time
            assert (await ana.until("lobby"))["invite"] == invite
        async with two_homes(tmp_path) as (ana, bea):
            (lobby,) = ana.shown["tables"]
            await ana.granted("open", mark=lobby["mark"])
            again = await ana.until("lobby", lambda lobby: bool(lobby["invite"]))
            assert again["invite"] == invite
            assert again["warnings"] == []
            await bea.granted("join", invite=invite, name="Bea")
            await bea.until("lobby", may_accept)

    run(main)


def test_a_change_is_shown_as_one_and_a_yes_to_what_was_before_is_late(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            await in_the_lobby(ana, bea)
            before = bea.shown["offer"]
            changeable = ana.shown["changeable"]
            assert changeable["clock"] == "calm"
            await ana.granted("change", what="clock", value="brisk")
            await ana.granted("change", what="option", value="call=yes")
            await ana.until("lobby", lambda lobby: lobby["offer"] == before + 2)
            now = ana.shown["changeable"]
            assert now["clock"] == "brisk"
            assert {one["name"]: one["default"] for one in now["game"]["options"]}["call"] is True
            offer = await bea.until("lobby", lambda lobby: lobby["offer"] == before + 2)
            changed = {one["name"]: one["before"] for one in offer["terms"] if one["before"]}
            assert list(changed.values()) == ["no"], "the last of the changes"
            assert (await bea.wish("accept", offer=before))["refused"] == "late"
            assert "read it" in await bea.refused("accept", offer=before + 2)
            for what, value in (
                ("clock", "fast"),
                ("seats", "many"),
                ("option", "x=1"),
                ("a", "b"),
            ):
                await ana.refused("change", what=what, value=value)
            assert ana.shown["offer"] == before + 2
            await bea.refused("start", offer=before + 2)
            await bea.refused("send-away", name="Ana")

    run(main)


def test_who_is_sent_away_learns_it_at_home_and_who_closes_is_asked_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            invite = await in_the_lobby(ana, bea)
            assert "remembered" in await ana.granted("confirm", name="Bea")
            await ana.until("lobby", lambda lobby: lobby["seats"][1]["says"] == "known to you")
            await ana.granted("send-away", name="Bea")
            home = await bea.until("home", lambda home: bool(home["problem"]))
            assert home["invite"] == ""
            await ana.until("lobby", lambda lobby: lobby["seats"][1]["name"] == "")
            assert "a seat is free" in await ana.refused("start", offer=ana.shown["offer"])
            await ana.granted("renew-invites")
            await ana.until("lobby", lambda lobby: lobby["invite"] != invite)
            await ana.granted("end")
            home = await ana.until("home")
            assert (home["problem"], home["tables"]) == ("", [])

    run(main)


def test_the_own_invite_is_for_somebody_else(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_home(tmp_path, "Ana") as ana:
            invite = (await hosted(ana))["invite"]
            assert "your own lobby" in await ana.refused("join", invite=invite, name="Ana")

    run(main)


def test_invites_stand_in_nothing_but_the_fields_for_them(tmp_path: Path) -> None:
    async def main() -> None:
        async with two_homes(tmp_path) as (ana, bea):
            invite = str((await hosted(ana))["invite"])
            watch = ana.shown["watch_invite"]
            await bea.granted("join", invite=invite, name="Ana")
            await bea.until("home", lambda home: bool(home["problem"]))
            await bea.refused("join", invite=invite[:-1], name="Bea")
            await bea.granted("join", invite=invite, name="Bea")
            await bea.until("lobby", may_accept)
            await begun(ana, bea)
            secrets = [
                invite,
                watch,
                *(secret_in(one).reveal().hex() for one in (invite, watch)),
            ]
            for page in (ana, bea):
                for text in page.texts:
                    plain = text
                    for field in ("invite", "watch_invite"):
                        for one in (invite, watch):
                            plain = plain.replace(f'"{field}":"{one}"', "")
                    assert not [one for one in secrets if one in plain]
            told = " ".join(
                map(repr, (ana.steward.house.tables, ana.steward.house.lobbies, bea.steward))
            )
            assert not [one for one in secrets if one in told]

    run(main)

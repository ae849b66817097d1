"""The port and the token are remembered, so that a page that is open finds its node again."""

from __future__ import annotations

import json
import stat
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from nodealer.page.page_access import USUAL_PORT, remembered
from nodealer.store.places import places_of
from nodealer.store.trouble import StoreError, Trouble
from tests.loopback.calling import Page, page_to, run
from tests.page.visiting_pages import home_of, profile_in


def test_after_a_restart_the_same_page_is_let_in_at_the_same_place(tmp_path: Path) -> None:
    async def test() -> None:
        profile = profile_in(tmp_path)
        async with AsyncExitStack() as open_still:
            async with home_of(profile) as before:
                page = await open_still.enter_async_context(before.page())
                await page.say("here")
                assert await page.hear() == "here"
            assert await page.hear() is None
        async with home_of(profile) as after:
            assert after.at == before.at
            async with page_to(before.port, (before.own, before.cookie)) as page_again:
                assert isinstance(page_again, Page)

    run(test)


def test_where_the_port_is_taken_another_one_is_remembered(tmp_path: Path) -> None:
    async def test() -> None:
        profile = profile_in(tmp_path)
        async with home_of(profile) as first, home_of(profile) as second:
            assert first.port != second.port
            assert first.access.token == second.access.token
            assert first.access.instance == second.access.instance
        async with home_of(profile) as third:
            assert third.port == second.port

    run(test)


def test_two_profiles_have_nothing_in_common(tmp_path: Path) -> None:
    async def test() -> None:
        places = places_of({"NODEALER_HOME": str(tmp_path)})
        mine, yours = places.profile("mine"), places.profile("yours")
        mine.make()
        yours.make()
        async with home_of(mine) as one, home_of(yours) as other:
            assert one.access.cookie_name != other.access.cookie_name
            assert one.access.token != other.access.token
            async with page_to(one.port, (one.own, other.cookie)) as status:
                assert status == 403

    run(test)


def test_what_is_remembered_is_for_its_owner_alone(tmp_path: Path) -> None:
    async def test() -> None:
        profile = profile_in(tmp_path)
        async with home_of(profile):
            assert stat.S_IMODE(profile.page.stat().st_mode) == 0o600
        profile.page.chmod(0o644)
        with pytest.raises(StoreError) as refused:
            async with home_of(profile):
                pass
        assert refused.value.trouble is Trouble.TOO_OPEN

    run(test)


WHOLE = {"port": 1, "instance": "0" * 8, "token": "0" * 32}

DAMAGED: dict[str, object] = {
    "nothing": None,
    "a list": [],
    "no fields": {},
    "no port": {**WHOLE, "port": 0},
    "a port too high": {**WHOLE, "port": 65536},
    "a port in letters": {**WHOLE, "port": "80"},
    "a token too short": {**WHOLE, "token": "0" * 31},
    "no token": {**WHOLE, "token": None},
    "rules in a name": {**WHOLE, "instance": "x; Path=/a"},
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_what_cannot_be_read_is_drawn_anew(tmp_path: Path, kind: str) -> None:
    place = profile_in(tmp_path).page
    for text in (json.dumps(DAMAGED[kind]), "{", json.dumps(DAMAGED[kind])[:-1]):
        place.write_text(text)
        place.chmod(0o600)
        found = remembered(place)
        assert found.port == USUAL_PORT
        assert found.token != "0" * 32
        assert found.instance != "0" * 8
    place.write_text(json.dumps(WHOLE))
    assert remembered(place).port == 1


def test_when_it_ends_nobody_listens_any_more(tmp_path: Path) -> None:
    async def test() -> None:
        async with home_of(profile_in(tmp_path)) as home:
            pass
        with pytest.raises(OSError, match="all attempts to connect"):
            await trio.open_tcp_stream("127.0.0.1", home.port)

    run(test)

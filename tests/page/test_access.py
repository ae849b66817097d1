"""Who is let in: whoever shows the token under the right name, and no page of a stranger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path

import pytest
from wsproto.events import TextMessage

from nodealer.loopback import Mishap
from nodealer.page.page_access import PageAccess, new_access
from nodealer.page.page_service import HEADERS, POLICY
from nodealer.page.site_files import TYPES, site_files
from tests.loopback.calling import Page, ask, flood_with, heard_after, page_to, run, until
from tests.page.visiting_pages import Home, home_of, profile_in

STRANGERS = "http://evil.example"


@pytest.fixture
def at_home(tmp_path: Path) -> Callable[[Callable[[Home], Awaitable[None]]], None]:
    """Run a test with a page that is served; nothing fails there."""

    def running(test: Callable[[Home], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with home_of(profile_in(tmp_path)) as home:
                await test(home)
                assert home.told == []

        run(whole)

    return running


Running = Callable[[Callable[[Home], Awaitable[None]]], None]


def test_the_files_of_the_page_are_served_with_their_types(at_home: Running) -> None:
    folder = files("nodealer.page").joinpath("site")
    names = [one.name for one in folder.iterdir() if one.is_file()]
    assert {"index.html", "app.js", "icon.svg"} <= set(names)

    async def test(home: Home) -> None:
        for name in names:
            found = await ask(home.port, f"/{name}")
            assert found.status == 200, name
            assert found.headers["content-type"] == TYPES[name.rpartition(".")[2]]
            assert found.body == folder.joinpath(name).read_bytes()
        assert (await ask(home.port, "/")).body == folder.joinpath("index.html").read_bytes()

    at_home(test)


def test_every_answer_keeps_the_browser_to_this_place(at_home: Running) -> None:
    async def test(home: Home) -> None:
        asked = (
            await ask(home.port, "/"),
            await ask(home.port, "/nothing"),
            await ask(home.port, "/", host="evil.example"),
            await home.enter(home.access.token),
            await home.enter("wrong"),
        )
        for found in asked:
            for name, value in HEADERS:
                assert found.headers[name.lower()] == value
            assert "server" not in found.headers
        assert [found.status for found in asked] == [200, 404, 421, 204, 403]

    assert "unsafe-inline" not in POLICY
    assert "unsafe-eval" not in POLICY.replace("wasm-unsafe-eval", "")
    at_home(test)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:PORT",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost:PORT",
        "[::1]:PORT",
    ],
)
def test_another_name_of_this_machine_is_a_strangers(at_home: Running, host: str) -> None:
    async def test(home: Home) -> None:
        name = host.replace("PORT", str(home.port))
        assert (await ask(home.port, "/", host=name)).status == 421
        asked = await ask(home.port, "/enter", (home.own, home.cookie), "POST", name)
        assert asked.status == 421
        async with page_to(home.port, (home.own, home.cookie), host=name) as status:
            assert status == 421

    at_home(test)


def test_no_name_and_two_names_are_none(at_home: Running) -> None:
    async def test(home: Home) -> None:
        ours = f"Host: 127.0.0.1:{home.port}\r\n"
        for names in ("", ours * 2, ours + "Host: evil.example\r\n"):
            heard = await heard_after(home.port, f"GET / HTTP/1.1\r\n{names}\r\n".encode())
            assert heard.startswith(b"HTTP/1.1 421 ")

    at_home(test)


@pytest.mark.parametrize(
    "origin",
    [STRANGERS, "null", "", "http://127.0.0.1", "https://127.0.0.1:PORT", "OURS.evil", None],
)
def test_a_page_of_a_stranger_is_kept_out(at_home: Running, origin: str | None) -> None:
    async def test(home: Home) -> None:
        its = (origin or "").replace("OURS", home.access.origin).replace("PORT", str(home.port))
        headers = [home.cookie] if origin is None else [home.cookie, ("Origin", its)]
        async with page_to(home.port, headers) as status:
            assert status == 403
        assert (await ask(home.port, "/enter", headers, "POST")).status == 403
        file = await ask(home.port, "/", headers)
        assert file.status == (200 if origin is None else 403)

    at_home(test)


def test_two_origins_are_none(at_home: Running) -> None:
    async def test(home: Home) -> None:
        async with page_to(home.port, (home.own, home.own, home.cookie)) as status:
            assert status == 403

    at_home(test)


def test_the_token_is_exchanged_for_a_cookie_that_no_script_can_read(at_home: Running) -> None:
    async def test(home: Home) -> None:
        assert home.at.address == f"{home.at.origin}/#token={home.access.token}"
        given = (await home.enter(home.access.token)).headers["set-cookie"]
        pair, *rules = given.split("; ")
        assert pair == f"nodealer-{home.access.instance}={home.access.token}"
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(rules)
        again = await ask(home.port, "/enter", (home.own, ("Cookie", pair)), "POST")
        assert again.status == 204
        async with page_to(home.port, (home.own, ("Cookie", f"a=b; {pair}; c"))) as page:
            assert isinstance(page, Page)

    at_home(test)


def almost(token: str) -> dict[str, str]:
    """Return what is no token, by what it is."""
    return {
        "nothing": "",
        "one letter": token[:1],
        "all letters but one": token[:-1],
        "a letter more": token + "0",
        "capital letters": token.upper() if token != token.upper() else "A" * 32,
        "noughts": "0" * 32,
        "no letters": "\xff" * 32,
    }


@pytest.mark.parametrize("kind", almost(""))
def test_another_token_is_none(at_home: Running, kind: str) -> None:
    async def test(home: Home) -> None:
        token = almost(home.access.token)[kind]
        assert (await home.enter(token)).status == 403
        for cookies in (
            f"{home.access.cookie_name}={token}",
            f"nodealer-00000000={home.access.token}",
            f"nodealer={home.access.token}",
            home.access.token,
        ):
            headers = (home.own, ("Cookie", cookies))
            assert (await ask(home.port, "/enter", headers, "POST")).status == 403
            async with page_to(home.port, headers) as status:
                assert status == 403

    at_home(test)


@pytest.mark.parametrize("scheme", ["Basic ", "", "bearer ", "Bearer  "])
def test_a_token_is_shown_in_one_way(at_home: Running, scheme: str) -> None:
    async def test(home: Home) -> None:
        headers = (home.own, ("Authorization", scheme + home.access.token))
        assert (await ask(home.port, "/enter", headers, "POST")).status == 403

    at_home(test)


def test_a_cookie_that_somebody_put_beside_does_not_log_out(at_home: Running) -> None:
    async def test(home: Home) -> None:
        both = ("Cookie", f"{home.access.cookie_name}=planted; {home.cookie[1]}")
        async with page_to(home.port, (home.own, both)) as page:
            assert isinstance(page, Page)

    at_home(test)


PATHS: Sequence[str] = (
    "/../page_service.py",
    "/%2e%2e/page_service.py",
    "/..%2fpage_service.py",
    "/./index.html",
    "/site/../index.html",
    "//index.html",
    "/index.html/",
    "/index.html?",
    "/INDEX.HTML",
    "/index.html%00",
    "/../../../../../../../../etc/passwd",
    "/..\\page_service.py",
    "index.html",
    "http://127.0.0.1/index.html",
    "/page_service.py",
    "*",
    "/" + "a" * 4000,
)


def test_a_path_leads_nowhere_but_to_a_file_of_the_table(at_home: Running) -> None:
    async def test(home: Home) -> None:
        for path in PATHS:
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{home.port}\r\n\r\n"
            heard = await heard_after(home.port, request.encode())
            assert heard.startswith(b"HTTP/1.1 404 "), path
            assert b"\r\nContent-Length: 0\r\n" in heard

    at_home(test)


def test_only_what_is_there_can_be_asked_for(at_home: Running) -> None:
    async def test(home: Home) -> None:
        own = (home.own, home.cookie)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"):
            assert (await ask(home.port, "/", own, method)).status == 404
        assert (await ask(home.port, "/enter", own)).status == 404
        assert (await ask(home.port, "/talk", own, "POST")).status == 404

    at_home(test)


def test_a_page_talks_and_leaves_nothing_behind(at_home: Running) -> None:
    async def test(home: Home) -> None:
        async with home.page() as one, home.page() as other:
            for number in range(20):
                await one.say(f"one {number}")
                await other.say(f"other {number}")
            for number in range(20):
                assert await one.hear() == f"one {number}"
                assert await other.hear() == f"other {number}"
            assert len(home.visits.there) == 2
            await one.say("enough")
            assert await one.hear() is None
            await other.say("still here")
            assert await other.hear() == "still here"
            assert len(home.visits.there) == 1
        async with home.page() as third:
            await third.say("a page more")
            assert await third.hear() == "a page more"
            assert len(home.visits.there) == 1

    at_home(test)


def test_a_page_that_reads_nothing_is_told_no_more_than_the_machine_takes(
    at_home: Running,
) -> None:
    async def test(home: Home) -> None:
        async with home.page() as friend, home.page() as page:
            await page.say("endless")
            await until(lambda: len(home.visits.there) == 1)
            assert 0 < home.visits.endless_texts < 1000
            await friend.say("still here")
            assert await friend.hear() == "still here"

    at_home(test)


def test_a_page_that_says_too_much_is_held(at_home: Running) -> None:
    async def test(home: Home) -> None:
        async with home.page() as friend, home.page() as page:
            text = bytes(page.words.send(TextMessage("x" * 10_000)))
            assert await flood_with(page, text, 5_000) < 5_000
            await friend.say("still here")
            assert await friend.hear() == "still here"
            await until(lambda: len(home.visits.there) == 1)

    at_home(test)


def test_a_talk_that_fails_ends_alone_and_tells_no_secret(tmp_path: Path) -> None:
    async def test() -> None:
        async with home_of(profile_in(tmp_path)) as home, home.page() as friend:
            async with home.page() as page:
                await page.say("fail")
                assert await page.hear() is None
                assert page.close_code == 1011
            await friend.say("still here")
            assert await friend.hear() == "still here"
            assert home.at.counts == {Mishap.FAILED: 1}
            (line,) = home.told
            assert "ValueError in visiting_pages.py" in line
            assert "secret" not in line

    run(test)


def test_what_is_shown_of_an_access_holds_no_token() -> None:
    access = new_access()
    assert access.token not in repr(access)
    assert access.token != new_access().token
    assert access.instance != new_access().instance
    assert len(bytes.fromhex(access.token)) == 16


def test_two_instances_have_two_cookies() -> None:
    one, other = PageAccess(1, "0" * 8, "1" * 32), PageAccess(1, "2" * 8, "3" * 32)
    assert one.cookie_name != other.cookie_name
    assert not one.has_cookie(other.cookie.partition(";")[0])
    assert not one.has_cookie(None)


def test_the_table_holds_the_files_of_all_folders_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("index.html", "deep/one.js", "deep/er/two.svg", "three.py", "four", "deep/.js~"):
        (tmp_path / name).write_text(name)
    found = site_files(tmp_path)
    assert {path: file.body.decode() for path, file in found.items()} == {
        "/": "index.html",
        "/index.html": "index.html",
        "/deep/one.js": "deep/one.js",
        "/deep/er/two.svg": "deep/er/two.svg",
    }

"""The gallery: a page with all faces of all games in every theme, on a server of its own.

    .venv/bin/python -m tests.page.cards.gallery      # screenshots into .shots/, which git ignores

The cards are drawn by the very modules of the page, under a policy that is as strict as the page's.
What is shown is given as JSON beside the page; only its own script puts it there.
"""

from __future__ import annotations

import functools
import json
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from playwright.sync_api import Browser, Page, sync_playwright

from high_card.rules import GAME as HIGH_CARD
from nodealer.games import AnyGame, registry, resolve
from tests.page.cards.decks import looks_of
from tests.tidy.project import ROOT

SITE: Final = ROOT / "src" / "nodealer" / "page" / "site"
HERE: Final = Path(__file__).parent / "site"
SHOTS: Final = ROOT / ".shots" / "cards"

POLICY: Final = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
TRUSTED: Final = "; require-trusted-types-for 'script'; trusted-types 'none'"
"""What is added where it is asked for: then no text at all becomes markup."""

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
}

Forced: TypeAlias = Literal["none", "active"]
Scheme: TypeAlias = Literal["light", "dark"]

PRESENTED: Final[tuple[tuple[Forced, Scheme], ...]] = (
    ("none", "light"),
    ("active", "light"),
    ("active", "dark"),
)
"""Whether the system forces colours, and which ones it likes."""

THEMES: Final = ("light", "dark", "contrast")
WIDTHS: Final = (40, 64, 96, 160)

STRANGE_WORDS: Final = (
    "the-lighthouse-keeper",
    "Donaudampfschifffahrtsgesellschaft",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "<img src=x onerror=alert(1)>",
    "名前の長いカードです",
    "بطاقة",
    "🂡 🐂🐂🐂",
    "a",
    "x" * 64,
)


def decks() -> dict[str, dict[str, Any]]:
    """Return the faces of all installed games with their looks, and of the sample game."""
    games: dict[str, AnyGame] = {**registry.all_games(), HIGH_CARD.id: HIGH_CARD}
    found: dict[str, dict[str, Any]] = {
        game.id: dict(looks_of(game, resolve(game, game.seats[0], {}))) for game in games.values()
    }
    take5 = games["take5"]
    many = looks_of(take5, resolve(take5, 2, {"bull_range": "9-99"}))
    found["take5 with many heads"] = dict(list(many.items())[:3])
    found["strange words"] = dict.fromkeys(STRANGE_WORDS)
    golden = {"kind": "picture", "picture": "golden-potato", "title": "A golden potato"}
    found["other looks"] = {
        "golden": golden,
        "alone": {"kind": "number", "number": 42},
        "unknown": {"kind": "tarot"},
        "mistaken": {"kind": "french", "suit": "stars", "rank": "A"},
    }
    return found


class Files(BaseHTTPRequestHandler):
    """The files of the page, those of the gallery, and the decks."""

    def do_GET(self) -> None:
        """Answer with a file, and with the policy."""
        name = self.path.partition("?")[0].lstrip("/") or "gallery.html"
        body = self._body(name)
        self.send_response(HTTPStatus.NOT_FOUND if body is None else HTTPStatus.OK)
        self.send_header("Content-Type", TYPES.get(Path(name).suffix, "text/plain"))
        policy = POLICY + TRUSTED * ("trusted" in self.path)
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body or b"")

    def _body(self, name: str) -> bytes | None:
        if name == "decks.json":
            return _decks_as_json()
        for place in (HERE, SITE):
            if (place / name).is_file():
                return (place / name).read_bytes()
        return None

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@functools.cache
def _decks_as_json() -> bytes:
    return json.dumps(decks()).encode()


@contextmanager
def served() -> Iterator[str]:
    """Serve the gallery, and say where."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the Chromium of the system."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        try:
            yield browser
        finally:
            browser.close()


def opened(page: Page, address: str, **asked: str | int) -> None:
    """Open the gallery with what is asked for, and wait until all is drawn."""
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    page.goto(f"{address}?{query}")
    page.wait_for_selector("body[data-drawn]")


def screenshots(names: list[str]) -> Iterator[tuple[str, dict[str, str | int]]]:
    """Yield what is to be seen: the name of a picture, and what is asked of the gallery."""
    for game in names or [*decks(), "backs"]:
        for theme in THEMES:
            for width in WIDTHS:
                yield f"{game}-{theme}-{width}", {"game": game, "theme": theme, "width": width}
            yield f"{game}-{theme}-hand", {"game": game, "theme": theme, "width": 64, "hand": 10}
        four: dict[str, str | int] = {"game": game, "width": 96, "suits": "four"}
        yield f"{game}-four-96", four
        yield f"{game}-dark-four-96", {**four, "theme": "dark"}


def main(names: list[str]) -> None:
    """Make screenshots: of all games, or of those named."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for forced, scheme in PRESENTED:
            page = browser.new_page(forced_colors=forced, color_scheme=scheme)
            for name, asked in screenshots(names):
                if forced == "active" and asked.get("theme") != "light":
                    continue
                page.set_viewport_size({"width": 320 if "hand" in asked else 1400, "height": 300})
                opened(page, address, **asked)
                said = f"{name.replace(' ', '-')}{f'-forced-{scheme}' * (forced == 'active')}.png"
                page.screenshot(path=SHOTS / said, full_page=True)
            page.close()


if __name__ == "__main__":
    main(sys.argv[1:])

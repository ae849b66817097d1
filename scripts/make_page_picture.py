"""Photographs the page of a real game: `specs/pictures/page.png`, for the readme.

    .venv/bin/python scripts/make_page_picture.py [PATH] [--bots N]

The program is started as by somebody whose browser it cannot open; the Chromium of this system
opens its page. A card is played, and when the player is asked again the page is photographed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "specs" / "pictures" / "page.png"

WIDTH, HEIGHT = 1200, 780
PATIENCE_MS: Final = 120_000

ASKED: Final = ".table:not([hidden]).is-asked"
MOVES: Final = 3
SETTLE_MS: Final = 1_200
"""Cards that fly come down meanwhile."""


@contextmanager
def page_served(bots: int) -> Iterator[str]:
    """Start a game, and yield the address of its page."""
    with tempfile.TemporaryDirectory() as home:
        command = ["play", "macaua", "--bots", str(bots), "--name", "Ana", "--page"]
        playing = subprocess.Popen(
            [sys.executable, "-P", "-m", "nodealer", *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "NODEALER_HOME": home, "SSH_TTY": "nobody's screen"},
            encoding="utf-8",
        )
        try:
            assert playing.stderr is not None, "it is a pipe"
            found = (re.search(r"http://\S+", line) for line in playing.stderr)
            yield next(one[0] for one in found if one is not None)
        finally:
            playing.kill()
            playing.wait()


def play_a_little(page: Page) -> None:
    """Play until there is something on the table, then pick a card."""
    for move in range(MOVES):
        page.wait_for_selector(ASKED, timeout=PATIENCE_MS)
        page.wait_for_timeout(SETTLE_MS)
        cards = page.locator(".own button.is-can")
        if cards.count():
            cards.first.click()
            page.wait_for_timeout(SETTLE_MS)
        play = page.locator(".play:not([hidden])")
        if move + 1 < MOVES and play.count():
            play.click()
            page.wait_for_timeout(SETTLE_MS)


def main() -> None:
    """Take the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, nargs="?", default=PICTURE)
    parser.add_argument("--bots", type=int, default=3)
    args = parser.parse_args()
    with page_served(args.bots) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(address)
        play_a_little(page)
        page.screenshot(path=args.path)
        browser.close()


if __name__ == "__main__":
    main()

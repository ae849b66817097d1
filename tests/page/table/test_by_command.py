"""`nodealer play --page`: a table on a page, by the command that people type."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import BrowserContext

from tests.page.table.playing import TURN_MS

PLAY = ("-P", "-m", "nodealer", "play", "macaua", "--bots", "1", "--page")


def test_the_table_is_on_the_page_until_ctrl_c_and_again_after_it(
    context: BrowserContext, tmp_path: Path
) -> None:
    page = context.new_page()
    addresses = []
    for command in (PLAY, ("-P", "-m", "nodealer", "resume", "--page")):
        with subprocess.Popen(
            [sys.executable, *command],
            env={**os.environ, "NODEALER_HOME": str(tmp_path), "SSH_TTY": "no screen"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            assert process.stderr is not None, "it was asked for"
            said = process.stderr.readline()
            while "page: http" not in said:
                assert said, "it says where the page is"
                said = process.stderr.readline()
            addresses.append(said.split("page: ")[1].strip())
            if len(addresses) == 1:
                page.goto(addresses[0])
            page.wait_for_selector(".table:not([hidden]).is-asked", timeout=TURN_MS)
            assert "#" not in page.url, "the token is out of sight"
            process.send_signal(signal.SIGINT)
            told, complaints = process.communicate()
            assert process.returncode == 0, complaints
            assert "resume" in told
            assert "Traceback" not in complaints
            page.get_by_text("Your node is away.").wait_for(timeout=TURN_MS)
    assert addresses[0] == addresses[1], "a page that was left open finds its table"

"""Whole games of every kind, by people who know none of them: two pages, two browsers, two bots."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.company import gathered
from tests.page.serving import in_thread
from tests.page.table.playing import TURN_MS, Hands, Looked

STEPS_MAX = 1500

SHORT: Mapping[str, Mapping[str, int | str | bool]] = {
    "66": {"limit": 1},  # one round, which all stop as soon as they may
    "macaua": {},
    "papas": {"max_turns": 3, "window": 120},
    "take5": {"turn_count": 4, "deck_size": 40, "max_rounds": 1},
}
"""Options with which a game ends soon."""


IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"
PLAYED = SHORT if IS_FULL else ("66", "papas")
"""The others are played by one person in every run, and by chance alone Macaua goes on for long."""


@pytest.mark.parametrize("game", PLAYED)
def test_two_people_in_two_browsers_and_two_bots_play_to_the_end(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    people = ("Ana", "Bea")
    contexts = [browser.new_context(viewport={"width": 1280, "height": 800}) for _ in people]
    looked = [Looked(context) for context in contexts]
    with in_thread(lambda: gathered(tmp_path, game, people, 2, SHORT[game])) as homes:
        pages = [context.new_page() for context in contexts]
        for page, served in zip(pages, homes, strict=True):
            page.goto(served.at.address)
        prefers = "stop the round" if game == "66" else ""
        hands = [Hands(page, seed, prefers=prefers) for seed, page in enumerate(pages)]
        Hands.play_together(hands, STEPS_MAX)
        for page in pages:
            expect(page.locator(".end li")).to_have_count(4, timeout=TURN_MS)
            expect(page.locator("#headline")).to_have_text("The game is over.")
        standings = [page.locator(".end li").all_inner_texts() for page in pages]
        assert standings[0] == standings[1]
        assert [one.told for one in homes] == [[], []]
    for one, served in zip(looked, homes, strict=True):
        assert one.complaints == []
        assert one.strangers(served.at.origin) == []
    for context in contexts:
        context.close()

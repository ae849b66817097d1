"""Whoever plays on the page, and knows no game: with clicks, or with keys alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import BrowserContext, ConsoleMessage, Page
from playwright.sync_api import TimeoutError as TooLateError

from nodealer.kernel import Chance

TURN_MS: Final = 120_000
"""Nothing is measured with it; a machine under load is waited for."""

SETTLE_MS: Final = 3_000
"""So long is waited for something that may not come."""

GLANCE_MS: Final = 300
"""So long somebody is looked at who may not be asked."""

# What can be done now: the numbers of cards that can be picked, how many answers there are, whether
# there is something to play, and the state of the table. Null while nothing can be done.
LOOK: Final = """
() => {
  const table = document.querySelector(".table:not([hidden])");
  if (!table || document.querySelector(".page").dataset.connection !== "open") return null;
  if (table.dataset.state === "over") return {over: true};
  if (!table.classList.contains("is-asked")) return null;
  const cards = [...table.querySelectorAll("button.is-can")].map((card) => card.dataset.card);
  const options = [...table.querySelectorAll(".choice-options:not([hidden]) .option")];
  const isOpen = (at) => options[at].getAttribute("aria-pressed") !== "true";
  const open = [...options.keys()].filter(isOpen);
  const play = table.querySelector(".play:not([hidden])") !== null;
  const begun = table.querySelector(".choice-steps button.quiet:not([hidden])") !== null;
  const found = {cards, options: open, play, over: false};
  return cards.length + open.length + play + begun ? found : null;
}
"""


class Looked:
    """All that pages of a context asked for, and what the browser complained of."""

    def __init__(self, context: BrowserContext) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        context.on("request", lambda request: self.asked.append(request.url))
        context.on("console", self._noted)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))

    def _noted(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def strangers(self, origin: str) -> list[str]:
        """Return what was asked of anybody but the place that serves the page."""
        return [url for url in self.asked if not url.startswith(f"{origin}/")]


class Hands:
    """A player with a pointer, or with keys."""

    def __init__(self, page: Page, seed: int = 0, *, has_pointer: bool = True) -> None:
        self.page = page
        self.chance = Chance("hands", seed)
        self.has_pointer = has_pointer
        self.steps = 0

    def look(self) -> dict[str, Any]:
        """Wait until something can be done, and return what."""
        found = self.page.wait_for_function(LOOK, timeout=TURN_MS).json_value()
        assert isinstance(found, dict)
        return found

    def play_to_the_end(self, steps_max: int = 2000) -> None:
        """Play until the game is over."""
        while not self.step():
            assert self.steps < steps_max, "the game does not end"

    @staticmethod
    def play_together(everybody: Sequence[Hands], steps_max: int = 2000) -> None:
        """Let several play at one table, each as soon as it is asked, until the game is over."""
        playing, idle = list(everybody), 0
        while playing:
            for one in list(playing):
                seen = one.glance()
                idle = idle + 1 if seen is None else 0
                assert idle * GLANCE_MS < TURN_MS, "nobody is asked"
                if seen is not None and one.do(seen):
                    playing.remove(one)
                assert one.steps < steps_max, "the game does not end"

    def glance(self) -> dict[str, Any] | None:
        """Return what can be done now, or very soon."""
        with suppress(TooLateError):
            found = self.page.wait_for_function(LOOK, timeout=GLANCE_MS).json_value()
            assert isinstance(found, dict)
            return found
        return None

    def step(self) -> bool:
        """Do one thing; say whether the game is over."""
        return self.do(self.look())

    def do(self, seen: dict[str, Any]) -> bool:
        """Do one of the things that can be done; say whether the game is over."""
        if seen["over"]:
            return True
        self.steps += 1
        with suppress(TooLateError):  # the table went on meanwhile: it is looked at again
            if seen["play"]:
                self._play()
            elif seen["cards"] or seen["options"]:
                self._pick(seen)
            else:
                self._press("Backspace")
        self._settle(seen)
        return False

    def _play(self) -> None:
        if self.has_pointer:
            self.page.locator(".play").click(timeout=SETTLE_MS)
        else:
            self.page.locator("#choice").focus()
            self._press("Enter")

    def _pick(self, seen: dict[str, Any]) -> None:
        ways = [("card", one) for one in seen["cards"]] + [("option", at) for at in seen["options"]]
        what, which = self.chance.pick(ways)
        one = (
            self.page.locator(f"button[data-card='{which}']")
            if what == "card"
            else self.page.locator(".option").nth(which)
        )
        if self.has_pointer:
            one.click(timeout=SETTLE_MS)
        else:
            one.focus(timeout=SETTLE_MS)
            self._press("Space")

    def _press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def _settle(self, before: dict[str, Any]) -> None:
        """Wait until what was done is seen; what changes nothing is not waited for long."""
        is_other = f"(before) => JSON.stringify(({LOOK})()) !== before"
        said = json.dumps(before, separators=(",", ":"))
        with suppress(TooLateError):
            self.page.wait_for_function(is_other, arg=said, timeout=SETTLE_MS)

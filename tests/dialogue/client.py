"""A player that speaks the dialogue over lines, and knows no game: python client.py SEED.

It reads texts from standard input and writes wishes to standard output, one on a line. Whatever it
may do next it does by chance, until nothing more comes. It imports nothing of nodealer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Wish = dict[str, Any]


class Player:
    """Somebody who plays by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = seed
        self.number = 0
        self.table: dict[str, Any] = {}
        self.late = 0

    def draw(self, count: int) -> int:
        """Draw a number below another one."""
        self.chance = (self.chance * 6364136223846793005 + 1442695040888963407) % 2**64
        return int((self.chance >> 33) % count)

    def hear(self, text: dict[str, Any]) -> Wish | None:
        """Return what is wished after a text."""
        kind = text.get("is")
        if kind == "hello":
            if text["version"] != 1:
                raise SystemExit(f"version {text['version']} is spoken there")
            return self.wish("follow")
        if kind == "table":
            self.table = text
            return self.move()
        if kind == "answer" and "refused" in text:
            self.late += text["refused"] == "late"
            return self.move()
        return None  # lines, chat, and whatever there may be one day

    def wish(self, what: str, **fields: object) -> Wish:
        """Return a wish with the next number."""
        self.number += 1
        return {"n": self.number, "do": what, **fields}

    def move(self) -> Wish | None:
        """Return the next step of a choice, if there is anything to choose."""
        if not self.table["is_asked"]:
            return None
        height, choice = self.table["height"], self.table["choice"]
        if choice["play"] is not None:
            return self.wish("play", height=height, action=choice["play"]["action"])
        if choice["asked"] is not None:
            option = self.draw(len(choice["asked"]["options"]))
            return self.wish("answer", height=height, option=option)
        steps = list(self.steps(choice))
        if self.draw(4):  # who plays cards comes to an end
            steps = [one for one in steps if one[0] == "pick"] or steps
        name, fields = steps[self.draw(len(steps))]
        return self.wish(name, height=height, **fields)

    def steps(self, choice: dict[str, Any]) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield every step that the table offers."""
        for zone in self.table["zones"]:
            for card in zone["cards"]:
                if card.get("can"):
                    yield "pick", {"card": card["card"]}
        if choice["kind"] is None:
            for one in choice["kinds"]:
                yield "choose", {"kind": one["kind"]}
        else:
            yield "clear", {}
        if choice["picked"]:
            yield "back", {}


def main() -> None:
    """Play until nobody says anything more."""
    player = Player(int(sys.argv[1]))
    for line in sys.stdin:
        wish = player.hear(json.loads(line))
        if wish is not None:
            sys.stdout.write(json.dumps(wish) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

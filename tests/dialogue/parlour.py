"""Real tables in one process, at which every seat is played through a dialogue.

A `Parlour` has a whole table, a book and a dialogue for each seat, and keeps every text that was
said. What a dialogue cannot do by itself it does as a node would: it plays, says, mutes.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nodealer.dialogue import (
    Dialogue,
    Request,
    answered,
    entered,
    heard,
    next_text,
    opened,
    with_table,
)
from nodealer.games import Action, AnyGame
from nodealer.kernel import LocalError, Seat
from nodealer.show import Command, Say, Snapshot, chatted, muted, snapshot_of, unmuted
from tests.show.watching import Watched, seated

Said = dict[str, Any]


@dataclass
class Parlour:
    """A table, and the dialogue of each seat."""

    made: Watched
    dialogues: dict[Seat, Dialogue] = field(default_factory=dict)
    texts: dict[Seat, list[str]] = field(default_factory=dict)

    def snapshot(self, seat: Seat) -> Snapshot:
        """Return what a seat is shown."""
        return snapshot_of(self.made.tables[seat], self.made.others[seat], self.made.now)

    def show(self) -> None:
        """Show every seat what there is."""
        for seat in self.dialogues:
            self.dialogues[seat] = with_table(self.dialogues[seat], self.snapshot(seat))

    def enter(self, seat: Seat) -> int:
        """Let a page come to a seat."""
        self.dialogues[seat], page = entered(self.dialogues[seat])
        return page

    def said(self, seat: Seat, page: int) -> list[str]:
        """Return all that a page is told now."""
        found: list[str] = []
        while True:
            self.dialogues[seat], text = next_text(self.dialogues[seat], page)
            if text is None:
                self.texts.setdefault(seat, []).extend(found)
                return found
            found.append(text)

    def hear(self, seat: Seat, page: int, text: str) -> None:
        """Take in what a page says, and do what it asks for."""
        self.dialogues[seat], request = heard(self.dialogues[seat], page, text)
        if request is None:
            return
        try:
            self._grant(seat, request)
        except LocalError as error:
            self.dialogues[seat] = answered(self.dialogues[seat], request, str(error))
        else:
            self.dialogues[seat] = answered(self.dialogues[seat], request)
        self.show()

    def wish(self, seat: Seat, page: int, what: str, /, **fields: object) -> list[Said]:
        """Let a page wish something, and return what it is told."""
        self.hear(seat, page, json.dumps({"n": 1, "do": what, **fields}))
        return [json.loads(text) for text in self.said(seat, page)]

    def _grant(self, seat: Seat, request: Request) -> None:
        book = self.made.others[seat]
        match request.wish:
            case Action() as action:
                self.made.act(seat, action)
            case Say(text):
                for other in self.made.others:
                    known = self.made.others[other]
                    number = len(known.chat) + 1
                    self.made.others[other] = chatted(known, seat, number, text)
            case Command("mute", int() as other):
                self.made.others[seat] = muted(book, Seat(other))
            case Command("unmute", int() as other):
                self.made.others[seat] = unmuted(book, Seat(other))
            case Command("again"):
                self.made.do(seat, self.made.tables[seat].again())
                self.made.deliver()
            case Command("leave"):
                self.made.do(seat, self.made.tables[seat].leave())
                self.made.deliver()
            case _:
                raise AssertionError(f"nobody has a home here: {request.wish}")


def parlour(
    rules: AnyGame | None = None,
    *,
    seats: int = 2,
    seed: int = 0,
    options: Mapping[str, int | str | bool] | None = None,
) -> Parlour:
    """Return a parlour whose cards are dealt, with nobody at the dialogues."""
    made = seated(seats, rules, seed=seed, options=options)
    made.others = dict.fromkeys(made.tables, made.book)
    made.deliver()
    found = Parlour(made, {seat: opened() for seat in made.tables})
    found.show()
    return found


def play_with(
    found: Parlour, programs: Sequence[Sequence[str]], *, texts_max: int = 20_000
) -> None:
    """Let programs play a whole game, each at a seat, over lines of their input and output."""
    with_pages = []
    for seat, command in enumerate(programs):
        page = found.enter(Seat(seat))
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        with_pages.append((Seat(seat), page, process))
    try:
        for seat, page, process in with_pages:
            _tell(found, seat, page, process)
            _listen(found, seat, page, process)
            _tell(found, seat, page, process)
        for _ in range(texts_max):
            asked = [one for one in with_pages if found.snapshot(one[0]).legal]
            if not asked:
                break
            _listen(found, *asked[0])
            for one in with_pages:
                _tell(found, *one)
        for seat, page, process in with_pages:
            _tell(found, seat, page, process)
            process.communicate()
            assert process.wait(timeout=600) == 0
    finally:
        for _, _, process in with_pages:
            process.kill()
            process.communicate()


def _tell(found: Parlour, seat: Seat, page: int, process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    try:
        for text in found.said(seat, page):
            assert "\n" not in text
            process.stdin.write(text + "\n")
        process.stdin.flush()
    except BrokenPipeError as error:
        raise AssertionError(
            f"a program has ended with {process.wait()}: {process.args!r}"
        ) from error


def _listen(found: Parlour, seat: Seat, page: int, process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, "a program that is asked answers"
    found.hear(seat, page, line)

"""What a player wants reaches the driver of the table, and nothing that concerns the terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import trio

from nodealer.games import Action
from nodealer.kernel import Bug, LocalError, Reason, Seat
from nodealer.show.commands import COMMANDS, Command, Say
from nodealer.show.driver import granted
from nodealer.show.snapshot import Snapshot

PASS = Action("pass")

OF_THE_TERMINAL = {"fold", "log", "rules", "net", "help", "quit"}


class Noting:
    """A driver that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def updates(self) -> AsyncIterator[Snapshot]:
        raise NotImplementedError

    async def act(self, action: Action) -> None:
        self.asked.append(action)

    async def again(self) -> None:
        self.asked.append("again")

    async def leave(self) -> None:
        self.asked.append("leave")

    def say(self, text: str) -> None:
        self.asked.append(text)

    def put_away(self) -> None:
        self.asked.append("put-away")

    def mute(self, seat: Seat, *, is_muted: bool) -> None:
        self.asked.append((seat, is_muted))


WISHES: list[tuple[Action | Say | Command, object]] = [
    (PASS, PASS),
    (Say("hello"), "hello"),
    (Command("again"), "again"),
    (Command("leave"), "leave"),
    (Command("put-away"), "put-away"),
    (Command("mute", Seat(1)), (1, True)),
    (Command("unmute", Seat(1)), (1, False)),
]


@pytest.mark.parametrize(("wish", "asked"), WISHES)
def test_a_wish_is_a_call_of_the_driver(wish: Action | Say | Command, asked: object) -> None:
    driver = Noting()
    trio.run(granted, driver, wish)
    assert driver.asked == [asked]


class Refusing(Noting):
    """A driver that may not act."""

    async def act(self, action: Action) -> None:
        self.asked.append(action)
        raise LocalError(self.reason, self.detail)

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__()
        self.reason, self.detail = reason, detail


def test_what_is_refused_is_answered_with_the_reason() -> None:
    reason = Reason.LOCAL_MAY_NOT_SIGN
    assert trio.run(granted, Refusing(reason, "not now"), PASS) == "not now"
    assert trio.run(granted, Refusing(reason, ""), PASS) == reason.meaning
    assert trio.run(granted, Noting(), PASS) == ""


def test_what_concerns_the_terminal_alone_reaches_no_driver() -> None:
    carried = {wish.name for wish, _ in WISHES if isinstance(wish, Command)}
    assert carried | OF_THE_TERMINAL | {"say"} == set(COMMANDS)
    for name in OF_THE_TERMINAL:
        with pytest.raises(Bug, match=name):
            trio.run(granted, Noting(), Command(name))

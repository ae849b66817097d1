"""Lines that ask for something, and those that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.kernel import Seat
from nodealer.show.commands import (
    COMMANDS,
    Command,
    Say,
    TypedWish,
    read_command,
    usage,
)
from tests.show.watching import dealt
from tests.terminal.scenes import finished, stalled_table

SNAPSHOT = dealt(10).snapshot()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("say hello", Say("hello")),
        ("/say  two   words ", Say("two words")),
        ("SAY hi", Say("hi")),
        ("mute Hans", Command("mute", Seat(8))),
        ("mute hans", Command("mute", Seat(8))),
        ("mute 王", Command("mute", Seat(3))),
        ("unmute f", Command("unmute", Seat(6))),
        ("rules", Command("rules")),
        ("leave yes", Command("leave")),
    ],
)
def test_a_line_asks_for_something(text: str, asked: TypedWish) -> None:
    assert read_command(text, SNAPSHOT) == asked


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There are the commands"),
        ("mut Bea", "Perhaps /mute?"),
        ("xyzzy", "There are say"),
        ("say", "Say what?"),
        ("mute", "whom?"),
        ("mute Nobody", "Nobody here"),
        ("mute ana", "yourself"),
        ("leave", "cannot be taken back"),
        ("leave now", "/leave yes"),
        ("quit now", "stands alone"),
        ("again", "not over"),
        ("put-away", "cannot go on without"),
    ],
)
def test_a_line_that_asks_for_nothing_says_why(text: str, words: str) -> None:
    asked = read_command(text, SNAPSHOT)
    assert isinstance(asked, str)
    assert words in asked


def test_several_players_may_begin_alike() -> None:
    ana, bea, third, *others = SNAPSHOT.seats
    both = replace(SNAPSHOT, seats=(ana, bea, replace(third, name="Beate"), *others))
    asked = read_command("mute be", both)
    assert isinstance(asked, str)
    assert "Several players" in asked
    assert read_command("mute bea", both) == Command("mute", Seat(1))


def test_another_game_can_be_asked_for_when_this_one_is_over() -> None:
    assert read_command("again", finished().snapshot()) == Command("again")


def test_every_command_says_how_it_is_written() -> None:
    assert [usage(name) for name in COMMANDS][:2] == ["/say TEXT", "/mute NAME"]


def test_a_table_is_put_away_only_while_it_stands_still_for_good() -> None:
    still = stalled_table().snapshot()
    assert read_command("/put-away", still) == Command("put-away")
    assert "cannot go on" in str(read_command("/put-away", SNAPSHOT))

"""The table in plain lines can be played through by numbers alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.games import Action, SeenCard, SeenZone
from nodealer.games.api import action
from nodealer.kernel import Seat, SlotId
from nodealer.show.book import chatted, muted
from nodealer.show.commands import Command, Say
from nodealer.show.snapshot import Snapshot
from nodealer.terminal.aloud import AGAIN_WORDS, Aloud, answer, tell
from nodealer.terminal.panes import table_lines
from tests.show.watching import ME, dealt, seated
from tests.terminal.scenes import finished, reaching
from tests.terminal.test_control import many_cards

TURN = reaching(3, lambda one: 2 < len(one.legal) <= 12).snapshot()


def after(snapshot: Snapshot) -> Aloud:
    return tell(Aloud(), snapshot)[0]


def test_each_event_is_told_once() -> None:
    made = reaching(3, lambda one: bool(one.legal))
    plain, lines = tell(Aloud(), made.snapshot())
    assert [one.text for one in made.book.log] == lines[: len(made.book.log)]
    assert tell(plain, made.snapshot()) == (plain, [])
    made.book = chatted(made.book, Seat(1), 1, "hm")
    plain, lines = tell(plain, made.snapshot())
    assert lines == ["Bea says: hm"]


def test_a_person_is_asked_once_and_again_on_an_empty_line() -> None:
    plain, lines = tell(Aloud(), TURN)
    assert lines[-len(TURN.legal) - 1] == "What do you do? Type a number:"
    _, again, wish = answer(plain, "\n", TURN)
    assert again[-1] == lines[-1]
    assert wish is None
    assert answer(plain, "0", TURN)[1] == again


def test_a_number_plays() -> None:
    plain = after(TURN)
    for number, chosen in enumerate(TURN.legal, 1):
        assert answer(plain, f"{number}\n", TURN)[2] == chosen


@pytest.mark.parametrize("text", ["99", "999999999999", "x", "-1", "²", "1 2"])
def test_what_is_no_answer_says_so(text: str) -> None:
    _, lines, wish = answer(after(TURN), text, TURN)
    assert wish is None
    assert "number" in lines[0]


def test_who_is_not_asked_is_told_so() -> None:
    quiet = replace(TURN, legal=())
    plain = after(quiet)
    assert "not asked" in answer(plain, "1", quiet)[1][0]
    assert answer(plain, "", quiet)[1] == []


def test_many_actions_are_asked_for_step_by_step() -> None:
    many = many_cards()
    plain, lines = tell(Aloud(), many)
    assert "What do you do? Type a number, 0 goes back:" in lines
    plain, lines, wish = answer(plain, "2", many)
    assert (lines[0], wish) == ("Amount? Type a number, 0 goes back:", None)
    assert answer(plain, "0", many)[0].question != plain.question
    assert answer(plain, "13", many)[1] == ["Type a number from 1 to 12."]
    assert answer(plain, "12", many)[2] == action("bid", amount=11)
    first, lines, _ = answer(after(many), "1", many)
    assert lines[0] == "Which card? Type a number, 0 goes back:"
    assert isinstance(answer(first, "1", many)[2], Action)


def test_commands_and_pages_work_in_lines() -> None:
    plain = after(TURN)
    assert answer(plain, "/say hello", TURN)[2] == Say("hello")
    assert answer(plain, "/mute bea", TURN)[2] == Command("mute", Seat(1))
    assert answer(plain, "/mute", TURN)[1] == ["/mute whom?"]
    assert answer(plain, "/rules", TURN)[1][0] == "Macaua"
    assert answer(plain, "/net", TURN)[1]
    assert answer(plain, "/log", TURN)[1] == [one.text for one in TURN.log]
    assert answer(plain, "?", TURN) == answer(plain, "/help", TURN)


def test_the_steps_of_the_protocol_can_be_left_out() -> None:
    plain, lines, wish = answer(Aloud(), "/fold", TURN)
    assert (lines, wish) == (["The steps of the protocol are hidden."], None)
    assert 0 < len(tell(plain, TURN)[1]) < len(tell(Aloud(), TURN)[1])
    assert answer(plain, "/fold", TURN)[1] == ["The steps of the protocol are told."]


def test_who_is_muted_is_not_told() -> None:
    made = reaching(3, lambda one: bool(one.legal))
    plain, _ = tell(Aloud(), made.snapshot())
    made.book = muted(chatted(made.book, Seat(1), 1, "hm"), Seat(1))
    assert tell(plain, made.snapshot())[1] == []


def test_who_is_waited_for_is_told_once_after_a_while() -> None:
    made = dealt(3)
    made.gone.add(Seat(2))
    made.bots_play(1)
    plain, _ = tell(Aloud(), made.snapshot(later=1_000))
    plain, lines = tell(plain, made.snapshot(later=6_000))
    assert "Waiting for Čeněk" in lines[0]
    assert tell(plain, made.snapshot(later=9_000))[1] == []


def test_the_end_is_told_once() -> None:
    plain, lines = tell(Aloud(), finished().snapshot())
    assert lines[-5:] == ["The game is over.", "1. Ana", "2. Čeněk", "3. Bea", AGAIN_WORDS]
    assert tell(plain, finished().snapshot())[1] == []


def test_a_whole_game_can_be_played_by_numbers() -> None:
    made, plain = seated(2, seed=4), Aloud()
    made.deliver()
    lines: list[str] = []
    for _ in range(200):
        plain, lines = tell(plain, made.snapshot())
        if made.on_turn() is None:
            break
        if made.on_turn() != ME:
            made.bots_play(1)
            continue
        wish = None
        while wish is None:
            plain, lines, wish = answer(plain, "1", made.snapshot())
        assert isinstance(wish, Action)
        made.act(ME, wish)
    assert made.table.position.is_closed
    assert lines


def test_a_hand_that_is_seen_is_read_whole_and_of_a_heap_the_top() -> None:
    faces = ("2C", "3C", "4C", "5C", "6C")
    cards = tuple(SeenCard(SlotId(90 + n), face) for n, face in enumerate(faces))
    zones = (SeenZone("hand", Seat(1), cards), SeenZone("heap", None, cards))
    shown = replace(TURN, view=replace(TURN.view, zones=zones))
    of_hand, of_heap = list(table_lines(shown, has_signs=False))[:2]
    assert of_hand == "Bea: hand: 2C, 3C, 4C, 5C, 6C."
    assert of_heap == "heap: 5 cards, the last ones 4C, 5C, 6C."

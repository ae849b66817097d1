"""What keys do, at real tables and at one with a menu of every kind of question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.games import Action
from nodealer.games.api import ActionKind, action
from nodealer.kernel import Seat
from nodealer.show.book import chatted
from nodealer.show.commands import Command, Say
from nodealer.show.snapshot import Snapshot
from nodealer.terminal.control import (
    QUIT,
    Control,
    Signal,
    Size,
    Wish,
    control_for,
    follow,
    press,
)
from nodealer.terminal.keyboard import Decoder, Key, Pasted, Pressed, Typed
from nodealer.terminal.pages import Page, page_lines
from nodealer.terminal.screen import draw
from tests.show.watching import dealt, seated
from tests.terminal.scenes import (
    USUAL,
    asking_for_a_suit,
    choosing_a_stack,
    numbers,
    picture,
    reaching,
)


def type_keys(
    snapshot: Snapshot, keys: bytes | str, control: Control | None = None
) -> tuple[Control, list[Wish]]:
    """Return the control after these keys, and what was wished."""
    control = control_for(snapshot, USUAL) if control is None else control
    wishes = []
    data = keys.encode() if isinstance(keys, str) else keys
    for key in Decoder().feed(data)[1]:
        control, wish = press(control, key, snapshot)
        wishes += [] if wish is None else [wish]
    return control, wishes


def escaped(control: Control, snapshot: Snapshot) -> Control:
    return press(control, Pressed("escape"), snapshot)[0]


TURN = reaching(3, lambda one: len(one.legal) > 3).snapshot()
NUMBERS = numbers(TURN)
OTHER = next(n for n in range(1, 6) if n not in NUMBERS)
SUIT = asking_for_a_suit().snapshot()


def ace() -> int:
    (slot, *_) = [one.slots("cards")[0] for one in SUIT.legal if one.get("suit")]
    return control_for(SUIT, USUAL).cards.index(slot) + 1


WAITING = reaching(3, lambda one: not one.legal and one.view.duty is not None).snapshot()


def test_a_card_by_number_and_enter_plays_it() -> None:
    control, wishes = type_keys(TURN, f"{NUMBERS[0]}\r")
    (wish,) = wishes
    assert isinstance(wish, Action)
    assert wish.slots("cards") == (control.cards[NUMBERS[0] - 1],)
    assert not control.decision.is_begun


def test_space_chooses_the_card_at_the_cursor() -> None:
    control, _ = type_keys(TURN, b"\x1b[C" * (NUMBERS[0] - 1) + b" ")
    assert control.decision.choice.picked == (control.cards[NUMBERS[0] - 1],)
    control, _ = type_keys(TURN, b"\x1b[D\x1b[H\x1b[F\x1b[D\x1b[C")
    assert control.cursor == len(control.cards) - 1


def test_a_letter_and_enter_do_what_it_stands_for() -> None:
    _, wishes = type_keys(TURN, "d\r")
    assert wishes == [action("draw")]


def test_what_is_undecided_is_asked() -> None:
    control, wishes = type_keys(SUIT, f"{ace()}\r")
    assert (control.question is not None, wishes) == (True, [])
    for keys, suit in (("1", "C"), ("4", "S"), ("h", "H")):
        after, wishes = type_keys(SUIT, keys, control)
        assert (after.question, wishes) == (None, []), "nothing leaves before Enter"
        assert "Enter plays" in picture(SUIT, USUAL, f"{ace()}\r{keys}".encode())
        _, wishes = type_keys(SUIT, "\r", after)
        assert [one.get("suit") for one in wishes if isinstance(one, Action)] == [suit]
        assert type_keys(SUIT, b"\x7f", after)[0].decision == control.decision
    for keys in ("\r", "9", "x"):
        after, wishes = type_keys(SUIT, keys, control)
        assert (bool(after.message), wishes) == (True, [])
    assert escaped(control, SUIT).question is None
    assert type_keys(SUIT, b"\x1b[A", control)[0].question == control.question
    assert type_keys(SUIT, b"\x7f", control)[0].question is None


def test_a_kind_without_cards_asks_its_question_at_once() -> None:
    snapshot = choosing_a_stack().snapshot()
    control, wishes = type_keys(snapshot, "t")
    assert (control.question is not None, wishes) == (True, [])
    control, wishes = type_keys(snapshot, "2", control)
    assert (control.question, wishes) == (None, [])
    assert type_keys(snapshot, "\r", control)[1] == [action("take", stack="B")]


def test_an_answer_in_the_middle_is_taken_back_alone() -> None:
    many = replace(many_cards(), legal=LONG)
    control, _ = type_keys(many, "i1")
    assert control.question is not None
    assert control.question.about == "more"
    control, _ = type_keys(many, b"\x7f", control)
    assert control.question is not None
    assert control.question.about == "amount"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (f"{OTHER}", "rules allow nothing with"),
        ("9", "no card 9; there are 5"),
        ("0", "no card 0"),
        ("\r", "First choose"),
        ("z", "key z does nothing"),
        ("t", "do not allow it now"),
        ("p\r", "Choose cards"),
        (b"\x1b[200~1\x1b[201~", "pasted"),
    ],
)
def test_a_key_that_can_do_nothing_says_why(keys: bytes | str, words: str) -> None:
    control, wishes = type_keys(TURN, keys)
    assert words in control.message
    assert not wishes


@pytest.mark.parametrize("keys", ["1", "d", "\r", " "])
def test_when_it_is_somebody_elses_turn_it_is_said_whose(keys: str) -> None:
    assert WAITING.view.duty is not None
    control, wishes = type_keys(WAITING, keys)
    assert "It is not your turn: " in control.message
    assert not wishes


def test_what_is_on_its_way_and_what_is_not_due_is_said() -> None:
    control, _ = type_keys(replace(TURN, legal=()), "1")
    assert "on its way" in control.message
    control, _ = type_keys(replace(TURN, legal=(), view=replace(TURN.view, duty=None)), "1")
    assert "Nobody can act now" in control.message


def test_what_is_chosen_can_be_taken_back() -> None:
    one = NUMBERS[0]
    control, _ = type_keys(TURN, f"{one}")
    assert not escaped(control, TURN).decision.is_begun
    for keys in ("\x7f", f"{one}"):
        assert type_keys(TURN, keys, control)[0].decision.choice.picked == ()
    assert not type_keys(TURN, "d\x7f")[0].decision.is_begun
    more, _ = type_keys(TURN, f"{OTHER}", control)
    assert "Esc clears it" in more.message or "allow nothing" in more.message


def test_cards_that_do_not_go_together_are_refused() -> None:
    """Two playable cards of different ranks cannot be played at once."""
    control, _ = type_keys(TURN, f"{NUMBERS[0]}")
    for number in NUMBERS[1:]:
        after, _ = type_keys(TURN, f"{number}", control)
        assert "does not go with" in after.message or len(after.decision.choice.picked) == 2


KINDS = (
    ActionKind("show", "show cards", ("cards",)),
    ActionKind("bid", "bid", ("amount",)),
    ActionKind("bet", "bet", ("amount",)),
    ActionKind("raise", "bid more", ("amount", "more")),
)


LONG = tuple(action("raise", amount=one, more=more) for one in (1, 2) for more in (False, True))


def many_cards() -> Snapshot:
    """Return a snapshot with 23 cards in hand, where pairs and numbers can be chosen."""
    made = dealt(3).snapshot()
    hand = made.view.zones[1]
    stock = next(zone for zone in made.view.zones if zone.name == "stock")
    cards = (*hand.cards, *stock.cards[:18])
    zones = (replace(hand, seat=made.view.viewer, cards=cards),)
    legal = [
        action("show", cards=(cards[0].slot, cards[22].slot)),
        action("show", cards=(cards[1].slot, cards[21].slot)),
        *(action("bid", amount=number) for number in range(12)),
        action("bet", amount=1),
    ]
    return replace(made, view=replace(made.view, zones=zones), legal=tuple(legal), kinds=KINDS)


def test_numbers_of_two_digits() -> None:
    many = many_cards()
    control, _ = type_keys(many, "2")
    assert (control.typed, control.decision.choice.picked) == ("2", ())
    assert type_keys(many, "\x7f", control)[0].typed == ""
    assert len(type_keys(many, "\r", control)[0].decision.choice.picked) == 1
    _, wishes = type_keys(many, "1\r23\r")
    assert isinstance(wishes[0], Action)
    assert "alone cannot be played" in type_keys(many, "23\r")[0].message


def test_answers_of_two_digits() -> None:
    many = many_cards()
    control, _ = type_keys(many, "i")
    control, _ = type_keys(many, "b") if control.question is None else (control, [])
    assert control.question is not None
    assert type_keys(many, "1", control)[0].typed == "1"
    assert type_keys(many, "1\x7f", control)[0].typed == ""
    for keys, amount in (("12\r", 11), ("1\r\r", 0), ("5\r", 4)):
        _, wishes = type_keys(many, keys, control)
        assert wishes == [action("bid", amount=amount)]
    assert draw(many, type_keys(many, "1", control)[0]) != draw(many, control)


def test_lines_are_written_and_sent() -> None:
    control, wishes = type_keys(TURN, "/say hello there\r")
    assert (control.writing, wishes) == (None, [Say("hello there")])
    assert type_keys(TURN, "/mute bea\r")[1] == [Command("mute", Seat(1))]
    assert type_keys(TURN, "/\r")[1] == []
    control, wishes = type_keys(TURN, "/jump\r")
    assert "no command jump" in control.message
    assert escaped(type_keys(TURN, "/say")[0], TURN).writing is None
    assert type_keys(TURN, "/s\x7f\x7f")[0].writing is None
    assert type_keys(TURN, b"/say \x1b[200~a\nb\x1b[201~\r")[1] == [Say("a b")]


def test_signals_mean_the_same_everywhere() -> None:
    for before in ("", "/say", "l", "1"):
        control, _ = type_keys(TURN, before)
        found = [press(control, Pressed(name), TURN)[1] for name in ("interrupt", "stop", "redraw")]
        assert found == [QUIT, Signal.STOP, Signal.REDRAW]
    assert type_keys(TURN, "/quit\r")[1] == [QUIT]


@pytest.mark.parametrize(("keys", "page"), [("?", "help"), ("/rules\r", "rules"), ("l", "log")])
def test_pages_open_and_close(keys: str, page: str) -> None:
    control, _ = type_keys(TURN, keys)
    assert control.reading is not None
    assert control.reading.page is Page(page)
    assert draw(TURN, control) != draw(TURN, control_for(TURN, USUAL))
    for key in (Pressed("escape"), Typed("q"), Pressed("enter")):
        assert press(control, key, TURN)[0].reading is None


def test_the_log_opens_at_its_end_and_stays_there() -> None:
    snapshot = replace(TURN, log=TURN.log * 20)
    control, _ = type_keys(snapshot, b"\x1b[5~")
    assert control.reading is not None
    assert control.reading.top is None
    up, _ = type_keys(snapshot, b"\x1b[A", control)
    assert up.reading is not None
    last = len(page_lines(Page.LOG, snapshot, 80)) - control.page_rows
    assert up.reading.top == last - 1
    for keys, top in ((b"\x1b[H", 0), (b"\x1b[B", None), (b"\x1b[F", None), (b" ", None)):
        after, _ = type_keys(snapshot, keys, up)
        assert after.reading is not None
        assert after.reading.top == top
    assert type_keys(snapshot, b"x\x1b[C", up)[0].reading == up.reading
    assert draw(snapshot, up) != draw(snapshot, control)


def test_the_steps_of_the_protocol_can_be_folded_away() -> None:
    folded, wishes = type_keys(TURN, "lf")
    assert (folded.is_folded, wishes) == (True, [])
    assert len(page_lines(Page.LOG, TURN, 80)) > len(page_lines(Page.LOG, TURN, 80, is_folded=True))
    assert draw(TURN, folded) != draw(TURN, type_keys(TURN, "l")[0])
    again, wishes = type_keys(TURN, "/fold\r", escaped(folded, TURN))
    assert (again.is_folded, wishes) == (False, [])
    assert not type_keys(TURN, "?f")[0].is_folded


def test_pages_stop_at_both_ends() -> None:
    control, _ = type_keys(TURN, "/rules\r" + "\x1b[6~" * 90)
    assert control.reading is not None
    rows = page_lines(Page.RULES, TURN, 80)
    assert control.reading.top == len(rows) - control.page_rows
    control, _ = type_keys(TURN, b"\x1b[5~" * 90, control)
    assert control.reading is not None
    assert control.reading.top == 0


def test_a_new_question_forgets_what_was_chosen_for_the_last() -> None:
    control, _ = type_keys(TURN, f"{NUMBERS[0]}")
    assert follow(control, replace(TURN, now=TURN.now + 5000)) == control
    assert not follow(control, replace(TURN, legal=TURN.legal[:-1])).decision.is_begun
    assert not follow(control, WAITING).decision.is_begun


def test_news_that_change_no_card_leave_what_is_written() -> None:
    made = reaching(3, lambda one: len(one.legal) > 3)
    control, _ = type_keys(made.snapshot(), "/say he")
    made.book = chatted(made.book, Seat(1), 1, "hm")
    assert follow(control, made.snapshot()) == control
    gone = replace(made.snapshot(), legal=(), view=replace(made.snapshot().view, zones=()))
    after = follow(control, gone)
    assert (after.cards, after.cursor) == ((), 0)
    assert after.writing == control.writing
    after = replace(after, writing=None)
    assert "no cards" in type_keys(gone, " ", after)[0].message
    assert type_keys(gone, b"\x1b[C\x1b[F", after)[0].cursor == 0


KEYS = st.one_of(
    st.sampled_from("0123456789 /?ldptamq").map(Typed),
    st.sampled_from(["enter", "escape", "backspace", "left", "right", "up", "down", "end"]).map(
        Pressed
    ),
    st.text(max_size=5).map(Pasted),
)
SNAPSHOTS = (TURN, SUIT, WAITING, many_cards())


@given(st.lists(st.tuples(KEYS, st.sampled_from(SNAPSHOTS)), max_size=40))
def test_whatever_is_pressed_only_legal_actions_come_out(
    pressed: list[tuple[Key, Snapshot]],
) -> None:
    control = control_for(TURN, Size(70, 20))
    for key, snapshot in pressed:
        control, wish = press(follow(control, snapshot), key, snapshot)
        if isinstance(wish, Action):
            assert wish in snapshot.legal
        assert len(draw(snapshot, control).lines) == 20


def test_cards_that_the_player_sees_anew_are_named() -> None:
    made = seated(3)
    control = control_for(made.snapshot(), USUAL)
    made.deliver()
    dealt_to_me = follow(control, made.snapshot())
    hand = [card.face for card in made.snapshot().view.zone("hand", made.watcher)]
    assert dealt_to_me.message.startswith("You see now: ")
    assert all(face in dealt_to_me.message for face in hand if face)
    assert follow(replace(dealt_to_me, message=""), made.snapshot()).message == ""

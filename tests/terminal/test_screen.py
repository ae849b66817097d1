"""Drawings fill exactly their window, at every size, whatever the players are called."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.games.api import ActionKind, Plain, action
from nodealer.games.registry import game
from nodealer.kernel import Seat, SlotId
from nodealer.show.book import Book, chatted
from nodealer.show.card_text import value_text
from nodealer.show.snapshot import Snapshot, snapshot_of
from nodealer.show.text import clean
from nodealer.terminal.aloud import Aloud, tell
from nodealer.terminal.control import Size, control_for
from nodealer.terminal.pages import letters_of
from nodealer.terminal.screen import COLUMNS_MIN, ROWS_MIN, WIDE, draw
from nodealer.terminal.spans import (
    Look,
    Palette,
    Span,
    fitted,
    flowed,
    line,
    styled,
    text_of,
    widened,
    width_of,
)
from tests.show.watching import dealt
from tests.terminal.scenes import asking_for_a_suit, choosing_a_stack, finished, pressed
from tests.terminal.test_control import TURN, many_cards

TEN = dealt(10).snapshot()
SNAPSHOTS = (TEN, asking_for_a_suit().snapshot(), finished().snapshot(), many_cards())
SIZES = st.builds(Size, st.integers(1, 150), st.integers(1, 50))
KEYS = st.sampled_from(["", "1", "/say " + "王" * 80, "?", "l", "d", "/rules\r", "\x1b[F"])
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=24).map(clean)


def renamed(snapshot: Snapshot, names: list[str]) -> Snapshot:
    others = [one.name for one in snapshot.seats[len(names) :]]
    named = zip(snapshot.seats, [*names, *others], strict=False)
    return replace(snapshot, seats=tuple(replace(one, name=name) for one, name in named))


@given(st.sampled_from(SNAPSHOTS), SIZES, KEYS, st.lists(NAMES, max_size=10))
def test_a_drawing_fills_its_window(
    snapshot: Snapshot, size: Size, keys: str, names: list[str]
) -> None:
    snapshot = renamed(snapshot, names)
    control = pressed(snapshot, control_for(snapshot, size), keys.encode())
    drawing = draw(snapshot, control)
    assert len(drawing.lines) == size.rows
    assert all(width_of(one) <= size.columns for one in drawing.lines)
    if drawing.cursor is not None:
        assert drawing.cursor[0] < size.rows
        assert drawing.cursor[1] < size.columns


def text_at(snapshot: Snapshot, size: Size, keys: str = "") -> str:
    control = pressed(snapshot, control_for(snapshot, size), keys.encode())
    return "\n".join(text_of(one) for one in draw(snapshot, control).lines)


def test_what_the_player_has_begun_is_named() -> None:
    assert "draw a card   Enter plays" in text_at(TURN, Size(80, 24), "d")


@pytest.mark.parametrize("size", [Size(COLUMNS_MIN, ROWS_MIN), Size(80, 24), Size(WIDE, 30)])
def test_from_the_least_size_on_all_that_matters_is_there(size: Size) -> None:
    text = text_at(TEN, size)
    assert all(seat.name in text for seat in TEN.seats)
    assert "has the turn" in text
    assert "red joker" in text
    assert "discard" in text


@pytest.mark.parametrize("size", [Size(COLUMNS_MIN - 1, 50), Size(150, ROWS_MIN - 1)])
def test_below_it_says_so(size: Size) -> None:
    assert f"needs {COLUMNS_MIN} and {ROWS_MIN}" in " ".join(text_at(TEN, size).split())


def test_the_hand_shows_the_card_at_the_cursor() -> None:
    many = many_cards()
    assert "[ 1" in text_at(many, Size(60, 18))
    assert "[23" in text_at(many, Size(60, 18), "\x1b[F")
    assert "[23" not in text_at(many, Size(60, 18))


def test_without_colours_shapes_stay_and_with_four_suits_differ() -> None:
    shown = line("a", Span("b", Look.STRONG), Span("c", Look.DIAMONDS), Span("d", Look.ALARM))
    assert styled(shown, Palette.NONE) == "a\x1b[1mb\x1b[0mc\x1b[1md\x1b[0m"
    assert styled(shown, Palette.TWO) == "a\x1b[1mb\x1b[0m\x1b[31mc\x1b[0m\x1b[1;31md\x1b[0m"
    looks = (Look.CLUBS, Look.DIAMONDS, Look.HEARTS, Look.SPADES)
    assert len({styled(line(Span("x", look)), Palette.FOUR) for look in looks}) == 4


@given(st.lists(NAMES, max_size=6), st.integers(0, 30))
def test_lines_are_fitted_and_widened(texts: list[str], columns: int) -> None:
    shown = line(*texts)
    assert width_of(fitted(shown, columns)) <= columns
    assert width_of(widened(shown, columns)) == columns


def test_cells_flow_onto_lines() -> None:
    cells = [line("aaa "), line("bbb "), line("cccccccc ")]
    assert [text_of(one) for one in flowed(cells, 8)] == ["aaa bbb ", "cccccccc "]
    assert flowed([], 8) == []


def full_hand() -> Snapshot:
    """Return a snapshot with all cards of the deck in one hand."""
    many = many_cards()
    (hand,) = many.view.zones
    stock = next(zone for zone in TEN.view.zones if zone.name == "stock")
    cards = (*hand.cards, *(replace(stock.cards[0], slot=SlotId(900 + n)) for n in range(60)))
    return replace(many, view=replace(many.view, zones=(replace(hand, cards=cards),)))


def test_a_hand_that_has_no_room_shows_the_rows_around_the_cursor() -> None:
    snapshot = full_hand()
    assert "[ 1" in text_at(snapshot, Size(60, 18))
    text = text_at(snapshot, Size(60, 18), "\x1b[F")
    assert "[83" in text
    assert " 1" in text
    assert text_at(snapshot, Size(60, 18), "4").count("Card 4_") == 1


def test_cards_of_others_that_can_be_chosen_have_numbers() -> None:
    made = dealt(3).snapshot()
    bea = next(zone for zone in made.view.zones if zone.seat == 1)
    kinds = (ActionKind("peek", "look at a card", ("card",)),)
    legal = tuple(action("peek", card=(card.slot,)) for card in bea.cards[:2])
    text = text_at(replace(made, kinds=kinds, legal=legal), Size(80, 24))
    assert "Bea: hand: " in text
    assert " 6)*??    7)*??" in text
    assert " ??   ??" in text


def test_several_own_zones_are_told_apart() -> None:
    made = dealt(3).snapshot()
    own = next(zone for zone in made.view.zones if zone.seat == made.view.viewer)
    zones = (replace(own, cards=own.cards[:2]), replace(own, name="melds", cards=own.cards[2:]))
    text = text_at(replace(made, view=replace(made.view, zones=zones)), Size(80, 24))
    assert "hand:" in text
    assert "melds:" in text


def test_open_cards_of_others_are_shown() -> None:
    made = dealt(3).snapshot()
    bea = next(zone for zone in made.view.zones if zone.seat == 1)
    shown = replace(bea, name="melds", cards=(replace(bea.cards[0], face="QH"),))
    text = text_at(replace(made, view=replace(made.view, zones=(shown,))), Size(80, 24))
    assert "Bea: melds, 1: QH♥" in text


def test_the_order_of_cards_is_asked_for_in_words() -> None:
    made = dealt(3).snapshot()
    hand = [card.slot for card in made.view.zone("hand", made.view.viewer)]
    kinds = (ActionKind("lay", "lay cards", ("cards",)),)
    legal = [action("lay", cards=(hand[0], *rest)) for rest in permutations(hand[1:3])]
    snapshot = replace(made, kinds=kinds, legal=tuple(legal))
    assert "In which order?  1 10S♠ KH♥ 3S♠" in text_at(snapshot, Size(80, 24), "321\r")


def test_a_game_with_many_kinds_has_letters_while_there_are_some() -> None:
    kinds = [ActionKind(f"k{number}", "do something") for number in range(40)]
    letters = letters_of(kinds)
    assert len(set(letters.values())) == len(letters) == 25
    assert "l" not in letters.values()
    snapshot = replace(dealt(3).snapshot(), kinds=tuple(kinds), legal=(action("k39"),))
    assert "do something" not in text_at(snapshot, Size(80, 24))


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "none"), (True, "yes"), (0, "0"), ("H", "hearts"), ((1, "C"), "1 clubs")],
)
def test_values_have_their_words(value: Plain, text: str) -> None:
    assert value_text(value, has_suits=True) == text


def test_a_letter_is_a_suit_only_where_cards_have_suits() -> None:
    assert value_text((1, "C"), has_suits=False) == "1 C"
    assert dealt(2).snapshot().has_suits
    assert not dealt(2, game("take5")).snapshot().has_suits


def test_stacks_are_asked_for_by_their_names_and_what_was_taken_is_not_held() -> None:
    made = choosing_a_stack()
    assert "1 A (1)   2 B (2)   3 C (3)   4 D (1)" in text_at(made.snapshot(), Size(80, 24), "t\r")
    made.act(Seat(0), made.snapshot().legal[0])
    held, won = (made.snapshot().view.zone(name, Seat(0)) for name in ("hand", "taken"))
    assert won
    assert made.snapshot().seats[0].cards == len(held)


def test_no_sequence_of_others_reaches_the_terminal() -> None:
    evil = "\x1b[2J\u202e"
    book = Book(title=evil, mark=evil, marks={Seat(1): evil})
    made = dealt(3)
    snapshot = snapshot_of(made.table, chatted(book, Seat(1), 1, evil), 0)
    remarks = {card.face or "": evil for zone in snapshot.view.zones for card in zone.cards}
    snapshot = replace(snapshot, status=(evil,), remarks=remarks)
    drawing = draw(snapshot, control_for(snapshot, Size(80, 24)))
    sent = "".join(styled(one, Palette.NONE) for one in drawing.lines)
    assert set(re.findall("\x1b[^m]*m", sent)) <= {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"}
    assert "\x1b[2J" not in sent
    assert "\u202e" not in sent
    assert all(one.isprintable() for one in tell(Aloud(), snapshot)[1])


def test_a_seat_that_is_played_by_a_program_is_called_so() -> None:
    snapshot = dealt(3).snapshot()
    text = text_at(snapshot, Size(100, 30))
    assert "program" not in text
    seats = tuple(replace(one, is_program=not one.is_you) for one in snapshot.seats)
    assert text_at(replace(snapshot, seats=seats), Size(100, 30)).count("program") == 2

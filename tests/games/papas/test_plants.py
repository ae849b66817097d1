"""Flaws planted in the rules of Papas are noticed by the tests.

Each row of `PLANTS` changes one thing and names a test that must fail then, with its arguments. A
row whose test still passes shows a rule that nobody watches. `oracle` reads whole games by the page
of rules; it must notice whatever changes what is told.
"""

# ruff: noqa: ARG001 - what is planted takes what it stands for takes

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Step, illegal
from nodealer.games.effects import Give, Outcome, Reshuffle, Restack, Show
from nodealer.games.papas import cards, dealing, deeds, reactions, resolving, rules, turns
from nodealer.games.papas.cards import CARDS, TE_DIJE, WILDCARD
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Phase, State
from nodealer.kernel import Seat, SlotId
from tests.games.papas import test_leaving as leaving
from tests.games.papas import test_rules as told
from tests.games.papas import test_window as window
from tests.games.papas.test_oracle import read
from tests.games.plants import Plant, each, each_test, require_noticed

original_begin = resolving.begin
original_selecting = resolving.selecting
original_next_player = turns.next_player
original_go_on = turns.go_on
original_draw_on = turns.draw_on
original_looked_into = State.looked_into
original_without = dealing._without
original_sizes = dealing._sizes
original_passed_on = turns._passed_on
original_trio_pays = cards.trio_pays


def oracle() -> None:
    """Read whole games by the page."""
    for seed in range(6):
        read(seed)


def of_several(direction: int, first: int) -> Callable[[], None]:
    """Return the test of which interrupt counts."""
    return lambda: window.test_of_several_the_nearest_after_the_player_counts(direction, first)


def kept(state: int, make: Callable[[], Any], hands: list[int]) -> Callable[[], None]:
    """Return the test of a play that is dropped when a seat leaves."""
    return lambda: leaving.test_a_play_is_dropped_and_the_turn_stays(state, make, hands)


def without_restack(course: Course) -> Step[State]:
    """Let a card be taken as the hand lies."""
    step = original_begin(course)
    return replace(step, effects=tuple(e for e in step.effects if not isinstance(e, Restack)))


def opened_hand(course: Course, outcome: Outcome) -> Step[State]:
    """Show a hand so that it is open once all have seen it."""
    step = original_selecting(course, outcome)
    shown = [replace(e, closed=False) if isinstance(e, Show) else e for e in step.effects]
    return replace(step, effects=tuple(shown))


def without_stock(course: Course, outcome: Outcome) -> Step[State]:
    """Shuffle only the cards that ran away, and leave the stock as it lies."""
    step = resolving._cards_drawn(course, outcome)
    effects = [
        Reshuffle(e.slots[: -len(course.board.at(STOCK))], STOCK) if isinstance(e, Reshuffle) else e
        for e in step.effects
    ]
    return replace(step, effects=tuple(effects))


def one_way(course: Course) -> list[Give]:
    """Let only one hand be given."""
    one, other = course.state.play.targets
    return [Give(course.hand_of(one), hand(other))] if course.hand_of(one) else []


def toward_the_new(course: Course) -> Course:
    """Let the victim be who is next after the direction has turned."""
    state = replace(course.state, direction=-course.state.direction)
    aimed = replace(state.play, targets=(state.next_seat(state.seats),))
    after = course.becoming(replace(state, playing=aimed))
    return after.told("turned", seat=state.on_turn, direction=state.direction)


def never_back(course: Course) -> Course:
    """Let the direction be backwards for good."""
    state = course.state
    aimed = replace(state.play, targets=(state.next_seat(state.seats),))
    after = course.becoming(replace(state, playing=aimed, direction=-1))
    return after.told("turned", seat=state.on_turn, direction=-1)


def top_kept(course: Course) -> Step[State]:
    """Keep the top card of the discards out of the stock."""
    discards = course.board.at(DISCARD)
    if course.board.at(STOCK) or len(discards) < 2:
        return original_draw_on(course)
    return course.step(Reshuffle(discards[:-1], STOCK))


def destroyed_of_nothing(course: Course) -> Step[State]:
    """Destroy a golden potato of who has none."""
    state, target = course.state, course.state.play.target
    after = course.becoming(state.gained(target, -1))
    return turns.resolved(after.told("destroyed", seat=state.on_turn, target=target, golden=1))


def robbed_of_nothing(course: Course) -> Step[State]:
    """Gain a golden potato from who has none."""
    state, target = course.state, course.state.play.target
    after = course.becoming(state.gained(target, -1).gained(state.on_turn, 1))
    return turns.resolved(after.told("robbed", seat=state.on_turn, target=target, golden=1))


def drawn_at_the_threshold(course: Course) -> Step[State]:
    """Draw before looking whether the game is over."""
    if not course.state.has_drawn:
        return turns.draw_last(course, turns.DRAWN_AT_THE_END)
    return original_next_player(course)


def at_the_beginning(course: Course, trigger: str) -> Step[State]:
    """Take every entry of state 2 for the beginning of a turn."""
    step = original_go_on(course, trigger)
    return replace(step, state=replace(step.state, is_fresh=True))


def only_holders(course: Course) -> tuple[Seat, ...]:
    """Ask nobody but who has three cards or more."""
    player = reactions.player_of(course.state)
    return tuple(s for s in course.state.seats if s != player and len(course.hand_of(s)) > 2)


def all_asked(course: Course) -> tuple[Seat, ...]:
    """Ask the player too."""
    return tuple(seat for seat in course.state.seats if course.hand_of(seat))


def anything(said: str, against: Sequence[str]) -> bool:
    """Let a No poh answer trios as well."""
    return said == TE_DIJE or against[0] != TE_DIJE


def lowest_counts(seat: Seat, order: tuple[Seat, ...], direction: int) -> tuple[Seat, ...]:
    """Count from the lowest seat."""
    return tuple(one for one in order if one != seat)


def wild_values(faces: Sequence[str]) -> int:
    """Let wildcards stand for a card of value 3."""
    pays = original_trio_pays(faces)
    values = [CARDS[face].value for face in faces if face != WILDCARD]
    return pays or int(len(faces) == 3 and all(value == 3 for value in values))


def two_kinds(faces: Sequence[str]) -> int:
    """Let potatoes of two kinds be a trio."""
    if len(faces) == 3 and {*faces} <= {*cards.POTATOES, WILDCARD}:
        return 1
    return original_trio_pays(faces)


def with_its_play(state: State, staying: tuple[Seat, ...]) -> State:
    """Let a turn begin anew when somebody leaves."""
    return replace(original_without(state, staying), is_fresh=True, has_drawn=False, drawing=None)


def without_direction(state: State, staying: tuple[Seat, ...]) -> State:
    """Forget the direction when somebody leaves."""
    return replace(original_without(state, staying), direction=1, skipped=None)


def of_five(state: State, board: Any, staying: tuple[Seat, ...]) -> Any:  # noqa: ANN401 - as it was
    """Deal five cards to everybody when somebody leaves."""
    return tuple((seat, 5) for seat, _ in original_sizes(state, board, staying))


def as_it_lies(state: State, board: Any, staying: tuple[Seat, ...]) -> Any:  # noqa: ANN401 - as it was
    """Take a hand that was being discarded for discarded."""
    return tuple((seat, len(board.at(hand(seat)))) for seat in staying)


def not_skipped(course: Course) -> Step[State]:
    """Forget the mark."""
    return original_passed_on(course.becoming(replace(course.state, skipped=None)))


def never_known(self: State, hands: Sequence[Seat], *, known: bool) -> State:
    """Never say that somebody knows cards of a hand."""
    return original_looked_into(self, hands, known=False)


def any_slot(slots: Sequence[SlotId], held: Sequence[SlotId]) -> SlotId:
    """Let any card be named, wherever it lies."""
    if len(slots) != 1:
        raise illegal("one card is named")
    return slots[0]


def any_size(state: State, held: int) -> bool:
    """Let any card be changed for others."""
    return held > 0


PLANTS: list[Plant] = [
    (
        "no restack",
        resolving,
        "begin",
        without_restack,
        told.test_lend_me_a_buck_restacks_before_a_position_is_named,
    ),
    (
        "a hand that all have seen is open",
        rules,
        "RESUMING",
        MappingProxyType({**rules.RESUMING, Phase.CARD_SELECTION: opened_hand}),
        told.test_with_two_seats_a_hand_that_was_shown_stays_closed_and_can_be_taken_from,
    ),
    (
        "the stock is not shuffled",
        resolving,
        "_RUNAWAY_STAGES",
        (resolving._hands_restacked, without_stock, resolving._stock_mixed),
        told.test_runaway_takes_a_card_of_every_other_hand_into_the_stock,
    ),
    (
        "one hand is given",
        resolving,
        "_gives",
        one_way,
        lambda: told.test_spider_exchanges_two_hands([0, 1], [3, 1, 2]),
    ),
    (
        "the wrong victim",
        resolving,
        "_turned",
        toward_the_new,
        told.test_papageddon_takes_from_who_would_be_next_and_turns_the_direction,
    ),
    (
        "no way back",
        resolving,
        "_turned",
        never_back,
        told.test_a_second_papageddon_turns_the_direction_back,
    ),
    (
        "the top card stays",
        turns,
        "draw_on",
        top_kept,
        told.test_a_draw_takes_the_stock_then_all_discards_are_shuffled_into_it,
    ),
    (
        "less than none",
        resolving,
        "_CARRYING",
        MappingProxyType({**resolving._CARRYING, cards.AHEAD: destroyed_of_nothing}),
        lambda: told.test_who_has_no_golden_potato_loses_none("ahead"),
    ),
    (
        "gained from nobody",
        resolving,
        "_CARRYING",
        MappingProxyType({**resolving._CARRYING, cards.PONY: robbed_of_nothing}),
        lambda: told.test_who_has_no_golden_potato_loses_none("pony"),
    ),
    (
        "a draw at the threshold",
        turns,
        "next_player",
        drawn_at_the_threshold,
        lambda: told.test_the_threshold_ends_the_game_without_a_draw("pony"),
    ),
    (
        "the last card at any time",
        turns,
        "go_on",
        at_the_beginning,
        lambda: told.test_whether_the_last_card_is_changed_after_a_play(
            "turn-start", changes=False
        ),
    ),
    (
        "not all are asked",
        reactions,
        "_asked",
        only_holders,
        window.test_everybody_is_asked_whatever_they_hold,
    ),
    (
        "the player is asked",
        reactions,
        "_asked",
        all_asked,
        window.test_all_but_the_player_who_have_cards_are_asked,
    ),
    ("no poh to a trio", reactions, "answers", anything, window.test_no_poh_is_not_said_to_a_trio),
    ("the lowest counts", reactions, "seats_after", lowest_counts, of_several(1, 3)),
    (
        "wildcards have a value",
        deeds,
        "trio_pays",
        wild_values,
        told.test_wildcards_are_of_no_value,
    ),
    (
        "two kinds of potatoes",
        deeds,
        "trio_pays",
        two_kinds,
        told.test_potatoes_of_two_kinds_are_no_trio,
    ),
    (
        "a turn begins anew",
        dealing,
        "_without",
        with_its_play,
        leaving.test_a_discard_that_is_owed_is_owed_again,
    ),
    (
        "the direction is forgotten",
        dealing,
        "_without",
        without_direction,
        leaving.test_direction_and_mark_stay,
    ),
    ("five cards for all", dealing, "_sizes", of_five, kept(*leaving.MAKING[0])),
    (
        "a hand is lost",
        dealing,
        "_sizes",
        as_it_lies,
        lambda: leaving.test_a_hand_that_was_being_discarded_goes_back((2,), [1, 3, 2]),
    ),
    (
        "nobody is skipped",
        turns,
        "_passed_on",
        not_skipped,
        told.test_jump_draws_one_and_the_next_seat_is_skipped,
    ),
    (
        "nothing is known",
        State,
        "looked_into",
        never_known,
        lambda: told.test_spider_exchanges_two_hands([0, 1], [3, 1, 2]),
    ),
    (
        "any card is taken",
        deeds,
        "_one_of",
        any_slot,
        told.test_a_card_is_taken_from_the_target_alone,
    ),
    ("two cards are changed", deeds, "may_change", any_size, told.test_two_cards_are_not_changed),
    ("eight cards are kept", turns, "HAND_MAX", 8, told.test_the_last_turn_ends_with_its_discards),
    (
        "two cards at the end",
        turns,
        "DRAWN_AT_THE_END",
        2,
        told.test_a_turn_may_end_without_a_play_and_draws_one,
    ),
    ("two cards for an empty hand", turns, "DRAWN_WITHOUT_CARDS", 2, oracle),
    (
        "other thresholds",
        dealing,
        "THRESHOLDS",
        dict.fromkeys(range(2, 7), 8),
        lambda: told.test_five_cards_each_and_a_threshold_by_the_seats(4, 6),
    ),
]
"""What is wrong, where it is planted, and the test that notices."""


@each(PLANTS)
def test_a_planted_flaw_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    require_noticed(plant, monkeypatch)


@each_test(PLANTS)
def test_without_a_flaw_nothing_is_noticed(noticing: Callable[[], None]) -> None:
    noticing()

"""Flaws planted in the rules of 6 nimmt!, and in how choices are held, are noticed by the tests.

Each row of `PLANTS` changes one thing and names a test that must fail then, with its arguments. A
row whose test still passes shows a rule that nobody watches. `second` plays whole games beside the
other program; it must notice whatever changes a score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nodealer.cards import Board
from nodealer.games import dealer
from nodealer.games.api import Action, Event, Step
from nodealer.games.base import ranked
from nodealer.games.choosing import NOTHING_CHOSEN, Chosen
from nodealer.games.effects import CarriedOut, Choose, Effect, Move, OpenTable, Outcome
from nodealer.games.take5 import dealing, placing, rules, settings
from nodealer.games.take5.settings import STACK_NAMES, Settings
from nodealer.games.take5.stacks import Stacks
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat
from tests.games import test_choosing as choices
from tests.games.plants import Plant, each, each_test, require_noticed
from tests.games.take5 import test_leaving as leaving
from tests.games.take5 import test_rules as told
from tests.games.take5.test_second import play_both

original_hand_out = dealing.hand_out
original_continued = dealing._continued
original_ended = dealing._ended
original_lowest = dealing._lowest
original_laid = placing._laid
original_taking = placing._taking
original_totals = dealing.totals


def second() -> None:
    """Play whole games beside the other program."""
    play_both(8)


def row(table: Sequence[tuple[Any, ...]], *start: object) -> tuple[Any, ...]:
    """Return the first row of a table that begins so."""
    return next(entry for entry in table if entry[: len(start)] == start)


def bulls_of(card: int) -> Callable[[], None]:
    """Return the test of the bull heads of a card."""

    def test() -> None:
        # What cards are worth is remembered from one game to the next.
        settings._heads.cache_clear()
        try:
            told.test_bull_heads_of_a_card(*row(told.BULLS, card))
        finally:
            settings._heads.cache_clear()

    return test


def over(*start: object) -> Callable[[], None]:
    """Return the test of one row of the table of ends."""
    return lambda: told.test_when_the_game_is_over(*row(told.ENDS, *start))


def lowest_of_all(face: str, stacks: Stacks) -> str | None:
    """Put a card to the lowest stack that takes it."""
    tops = {int(stacks[name][-1]): name for name in STACK_NAMES}
    lower = [top for top in tops if top < int(face)]
    return tops[min(lower)] if lower else None


def by_the_bottom(face: str, stacks: Stacks) -> str | None:
    """Look at the bottom cards."""
    tops = {int(stacks[name][0]): name for name in STACK_NAMES}
    lower = [top for top in tops if top < int(face)]
    return tops[max(lower)] if lower else None


def never_below(face: str, stacks: Stacks) -> str:
    """Let nobody choose a stack."""
    return lowest_of_all(face, stacks) or STACK_NAMES[0]


def one_card_more(state: State, board: Board, name: str, events: tuple[Event, ...]) -> Step[State]:
    """Take a stack one card later."""
    later = replace(state.settings, stack_size=state.settings.stack_size + 1)
    step = original_laid(replace(state, settings=later), board, name, events)
    return replace(step, state=replace(step.state, settings=state.settings))


def nothing_taken(state: State, board: Board, name: str, events: tuple[Event, ...]) -> Step[State]:
    """Let a stack that was taken lie under the card."""
    step = original_taking(state, board, name, events)
    return replace(step, effects=step.effects[1:])


def by_seat(state: State, board: Board) -> Step[State]:
    """Place the cards in the order of the seats."""
    return placing.place(state, board, "revealed")


def in_blocks(state: State, outcome: Outcome) -> Step[State]:
    """Deal all cards of a seat at once."""
    slots, seats, turns = outcome.slots(0), len(state.seats), state.settings.turn_count
    blocks = [slots[seat * turns + turn] for turn in range(turns) for seat in range(seats)]
    dealt = (*blocks, *slots[seats * turns :])
    return original_hand_out(state, Outcome((dealt, *outcome.results[1:])))


def counted_at_once(state: State, board: Board) -> tuple[tuple[Seat, int], ...]:
    """Count cards, not bull heads."""
    return tuple((seat, score + len(board.at(placing.taken(seat)))) for seat, score in state.scores)


def counted_twice(state: State, board: Board) -> tuple[tuple[Seat, int], ...]:
    """Count what was taken in the last round again while cards are dealt."""
    if state.phase is Phase.SHUFFLING:
        return original_totals(replace(state, phase=Phase.PLACING), board)
    return original_totals(state, board)


def with_those_gone(state: State) -> tuple[Seat, ...]:
    """Let those who have left win."""
    everybody = tuple(seat for seat, _ in state.scores)
    return original_lowest(replace(state, seats=everybody))


def ties_shared(state: State, board: Board) -> Step[State]:
    """End the game with a tie."""
    scores = [score for _, score in original_totals(state, board)]
    limit = state.round if max(scores) >= state.settings.win_score else state.settings.max_rounds
    return original_ended(replace(state, settings=replace(state.settings, max_rounds=limit)), board)


def still_there(state: State, board: Board, gone: Sequence[Seat], left: Event) -> Step[State]:
    """Let the hands of those who have left lie where they are."""
    step = original_continued(state, board, gone, left)
    kept = tuple(effect for effect in step.effects if not isinstance(effect, Move))
    return replace(step, effects=kept)


def asked_again(_: Effect | None, __: Effect | None, ___: Chosen, ____: Board) -> Chosen:
    """Let everybody choose anew when a seat has left."""
    return NOTHING_CHOSEN


def in_any_order(_: Choose, on: OpenTable) -> CarriedOut:
    """Give what was chosen in the order in which it was chosen."""
    slots = [one for one in on.chosen.values() if not isinstance(one, Action)]
    return CarriedOut(on.pack, tuple(slots))


def most(
    seats: Iterable[Seat], left: Sequence[tuple[Seat, ...]], score: Callable[[Seat], int]
) -> tuple[tuple[Seat, ...], ...]:
    """Rank by the most bull heads."""
    return ranked(seats, left, lambda seat: -score(seat))


def worth_one(_: Settings, faces: Iterable[str]) -> int:
    """Take every card for one bull head."""
    return len(list(faces))


PLANTS: list[Plant] = [
    # what is wrong, where, what it becomes, the test that notices
    ("55 is like 11", settings, "FIFTY_FIVE_BULLS", 5, bulls_of(55)),
    ("110 is like 55", settings, "MULTIPLES", ((55, 7), *settings.MULTIPLES), bulls_of(110)),
    ("10 goes before 11", settings, "MULTIPLES", settings.MULTIPLES[1:], bulls_of(11)),
    ("the lowest stack takes a card", placing, "stack_for", lowest_of_all, second),
    ("the bottom card counts", placing, "stack_for", by_the_bottom, second),
    ("nobody has to choose a stack", placing, "stack_for", never_below, second),
    (
        "the sixth card is free",
        placing,
        "_laid",
        one_card_more,
        told.test_the_sixth_card_takes_the_five,
    ),
    ("the sixth card is free, in games", placing, "_laid", one_card_more, second),
    ("a taken stack stays", placing, "_taking", nothing_taken, second),
    ("cards are placed by seat", placing, "revealed", by_seat, second),
    ("hands are dealt otherwise", dealing, "hand_out", in_blocks, second),
    ("cards are counted", dealing, "totals", counted_at_once, second),
    ("every card has one bull head", Settings, "worth", worth_one, second),
    ("rounds are counted twice", dealing, "totals", counted_twice, second),
    ("the most bull heads win", rules, "ranked", most, over((66, 0))),
    ("the most bull heads win, in games", rules, "ranked", most, second),
    ("ties are shared", dealing, "_ended", ties_shared, over((66, 66))),
    (
        "those who have left can win",
        dealing,
        "_lowest",
        with_those_gone,
        leaving.test_a_leaver_is_ranked_last_and_keeps_the_score,
    ),
    (
        "the cards of a leaver stay",
        dealing,
        "_continued",
        still_there,
        leaving.test_the_round_goes_on_without_the_cards_of_the_leaver,
    ),
    (
        "choices do not bind",
        dealer,
        "still_bound",
        asked_again,
        leaving.test_who_has_chosen_does_not_choose_again,
    ),
    (
        "choices are mixed up",
        Choose,
        "carry_out",
        in_any_order,
        choices.test_the_order_of_choosing_makes_no_difference,
    ),
    ("choices are mixed up, in games", Choose, "carry_out", in_any_order, second),
]


@each(PLANTS)
def test_a_planted_flaw_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    require_noticed(plant, monkeypatch)


@each_test(PLANTS)
def test_without_a_flaw_they_pass(noticing: Callable[[], None]) -> None:
    noticing()


def test_there_are_flaws_enough() -> None:
    assert len(PLANTS) >= 12

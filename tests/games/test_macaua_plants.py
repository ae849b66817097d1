"""Flaws planted in the rules of Macaua are noticed by the tests.

Each row of `PLANTS` changes one thing in the rules and names a test that must fail then, with its
arguments. A row whose test still passes shows a rule that nobody watches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nodealer.cards import Board
from nodealer.games.api import Action, Event, Step
from nodealer.games.base import ranked
from nodealer.games.effects import Effect, Outcome
from nodealer.games.macaua import dealing, drawing, legality, rules, state, turns
from nodealer.games.macaua.cards import rank_of
from nodealer.games.macaua.legality import Situation
from nodealer.games.macaua.state import State
from nodealer.kernel import Seat
from tests.games import test_macaua_leaving as leaving
from tests.games import test_macaua_rules as told
from tests.games.plants import Plant, each, each_test, require_noticed
from tests.games.test_macaua_oracle import compare
from tests.games.test_macaua_second import play_both


def compared() -> None:
    """Compare with the oracle, quickly."""
    for seed in range(150):
        compare(seed)


def row(table: Sequence[tuple[Any, ...]], *start: object) -> tuple[Any, ...]:
    """Return the first row of a table that begins so."""
    return next(entry for entry in table if entry[: len(start)] == start)


def legality_of(*start: object) -> Callable[[], None]:
    """Return the test of one row of the table of legal cards."""
    return lambda: told.test_which_cards_may_be_played(*row(told.LEGALITY, *start))


def challenge_of(*start: object) -> Callable[[], None]:
    """Return the test of one row of the table of challenges."""
    return lambda: told.test_challenges_add_up(*row(told.CHALLENGES, *start))


original_turn = state.turn_after
original_burdened = turns._burdened
original_drawn = drawing.drawn
original_fits = Situation._fits
original_play = turns.play
original_hand_out = dealing.hand_out

Misses = Mapping[Seat, int]
Seats = tuple[Seat, ...]


def stay(
    seat: Seat, order: Seats, seats: Seats, misses: Misses
) -> tuple[Seat, tuple[tuple[Seat, int], ...], list[Seat]]:
    """Pass over nobody."""
    turn, _, over = original_turn(seat, order, seats, {})
    return turn, tuple(sorted(misses.items())), over


def not_added(before: State, seat: Seat, faces: Sequence[str]) -> State:
    """Forget the challenge before."""
    return original_burdened(replace(before, challenge=0), seat, faces)


def one_more(before: State, board: Board, seat: Seat, count: int, why: str) -> tuple[State, Event]:
    """Draw a card too many."""
    return original_drawn(before, board, seat, count + 1, why)


def all_fit(self: Situation, faces: Sequence[str]) -> bool:
    """Ask of every card, not of one, that it may be played."""
    return len({rank_of(face) for face in faces}) == 1 and all(map(self.allows_card, faces))


def any_ranks(self: Situation, faces: Sequence[str]) -> bool:
    """Take cards of different ranks."""
    return any(map(self.allows_card, faces))


def no_declared_suit(self: Situation, face: str) -> bool:
    """Overlook the declared suit."""
    return original_fits(replace(self, suit=None), face)


def aces_always(self: Situation, face: str) -> bool:
    """Take aces under a challenge."""
    return rank_of(face) == "A" or original_fits(self, face)


def everything(_: Situation, __: str) -> bool:
    """Take every card."""
    return True


def open_ended(
    before: State,
    board: Board,
    trigger: str,
    effects: Sequence[Effect] = (),
    events: Sequence[Event] = (),
) -> Step[State]:
    """Let the turn go on where nobody has cards left."""
    return drawing.go_on(replace(before, turn=before.seats[-1]), board, trigger, effects, events)


def dropped(before: State, staying: Seats) -> tuple[State, list[Event]]:
    """Drop the challenge of a leaver."""
    return replace(before.relieved(), turn=staying[0]), []


def draw_lost(
    before: State,
    board: Board,
    trigger: str,
    effects: Sequence[Effect] = (),
    events: Sequence[Event] = (),
) -> Step[State]:
    """Forget a draw that a redeal came into."""
    return drawing.go_on(replace(before, drawing=None), board, trigger, effects, events)


def all_anew(before: State, _: Board, staying: Seats, __: Event) -> Step[State]:
    """Deal five cards to everybody in a redeal."""
    return dealing.begin(staying, before.settings, before.left)


def nothing(*_: object) -> None:
    """Check nothing, declare nothing."""


def no_cards(_: Board) -> int:
    """Find nothing to draw."""
    return 0


def one_too_many(board: Board) -> int:
    """Count the top card among those that can be drawn."""
    return len(board.faces) + 1


def most(
    seats: Iterable[Seat], left: Sequence[tuple[Seat, ...]], score: Callable[[Seat], int]
) -> tuple[tuple[Seat, ...], ...]:
    """Rank by the most cards."""
    return ranked(seats, left, lambda seat: -score(seat))


def calls(number: int) -> Callable[[], None]:
    """Return the test of one row of the table of calls."""
    return lambda: told.test_macaua_is_said_with_the_last_card_but_one(*told.CALLS[number])


def wins() -> None:
    """Run the test of a last card."""
    told.test_the_first_without_cards_wins_at_once("QH")


def declares() -> None:
    """Run the test of a suit declared with the last card."""
    told.test_a_suit_is_declared_with_aces_unless_they_are_the_last_cards("AH", "AH", "C", False)


def second() -> None:
    """Play whole games beside the other program."""
    play_both(25)


def keep_passes(before: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Count passes from before a play as well."""
    step = original_play(before, board, seat, chosen)
    return replace(step, state=replace(step.state, passed=before.passed))


def from_behind(before: State, board: Board, outcome: Outcome) -> Step[State]:
    """Deal the deck from its end."""
    made = outcome.slots(0)[::-1]
    return original_hand_out(before, board, Outcome((made, *outcome.results[1:]), outcome.coins))


PLANTS: list[Plant] = [
    # what is wrong, where, what it becomes, the test that notices
    (
        "a 2 asks for 3 cards",
        legality,
        "CHALLENGES",
        {"2": 3, "3": 3, "joker": 5},
        challenge_of("7H", 0, "2H"),
    ),
    (
        "a joker asks for 4",
        legality,
        "CHALLENGES",
        {"2": 2, "3": 3, "joker": 4},
        challenge_of("7H", 0, "black-joker"),
    ),
    (
        "the red joker asks for 9",
        legality,
        "RED_JOKER_RAISED",
        9,
        challenge_of("7H", 0, "red-joker", ("red_joker_ten",)),
    ),
    ("a counter does not add", turns, "_burdened", not_added, challenge_of("2C", 2, "2H")),
    (
        "all cards must fit",
        Situation,
        "allows",
        all_fit,
        legality_of("7H", None, 0, (), "QC QH"),
    ),
    (
        "cards of any ranks go together",
        Situation,
        "allows",
        any_ranks,
        legality_of("7H", None, 0, (), "QH KH"),
    ),
    ("aces must fit", legality, "ACE", "none", legality_of("7H", None, 0, (), "AC")),
    (
        "aces go under a challenge",
        Situation,
        "allows_card",
        aces_always,
        legality_of("2H", None, 2, (), "AH"),
    ),
    (
        "a declared suit is overlooked",
        Situation,
        "_fits",
        no_declared_suit,
        legality_of("AH", "S", 0, (), "QH"),
    ),
    (
        "5s are stoppers",
        legality,
        "STOPPER",
        "5",
        legality_of("2H", None, 2, ("seven_stops",), "7H"),
    ),
    (
        "no suit is declared",
        turns,
        "_suit",
        nothing,
        told.test_an_ace_declares_a_suit_which_the_next_card_clears,
    ),
    ("a suit is declared with the last ace", turns, "_require_suit", nothing, declares),
    (
        "4 cards are dealt",
        dealing,
        "HAND_CARDS",
        4,
        told.test_five_cards_each_and_an_open_start_card,
    ),
    (
        "the penalty has a card too many",
        turns,
        "drawn",
        one_more,
        told.test_whoever_takes_a_challenge_draws_all_of_it_and_the_turn_is_over,
    ),
    (
        "the top card is reshuffled too",
        drawing,
        "available",
        one_too_many,
        told.test_a_penalty_is_capped_by_the_cards_that_there_are,
    ),
    ("forgetting macaua costs 3", turns, "CALL_PENALTY", 3, calls(1)),
    ("macaua is said at any time", turns, "_require_call", nothing, calls(3)),
    (
        "turns are not missed",
        turns,
        "turn_after",
        stay,
        told.test_fours_are_added_and_whoever_accepts_misses_all_turns,
    ),
    ("nobody wins", turns, "over", open_ended, wins),
    (
        "most cards win",
        rules,
        "ranked",
        most,
        told.test_the_game_ends_when_all_pass_and_the_fewest_cards_win,
    ),
    (
        "one can pass at any time",
        turns,
        "available",
        no_cards,
        told.test_passing_is_for_whoever_can_draw_nothing,
    ),
    (
        "a leaver's challenge is dropped",
        dealing,
        "_passed_on",
        dropped,
        leaving.test_the_turn_of_a_leaver_goes_to_the_next_with_its_challenge,
    ),
    (
        "a draw under way is lost",
        dealing,
        "go_on",
        draw_lost,
        leaving.test_a_draw_under_way_is_finished_after_the_redeal,
    ),
    (
        "a redeal deals five",
        dealing,
        "_redeal",
        all_anew,
        leaving.test_a_redeal_keeps_discards_hand_sizes_suit_and_turn,
    ),
    ("4s do not answer 4s", legality, "SKIPPER", "none", told.test_only_fours_answer_a_skip),
    ("hands are dealt from behind", dealing, "hand_out", from_behind, second),
    ("passes outlive a play", rules, "DOINGS", {**turns.DOINGS, "play": keep_passes}, second),
    ("the penalty for not calling is 4", turns, "CALL_PENALTY", 4, second),
    ("4s skip nobody", turns, "skips_of", lambda *_: 0, second),
    ("a leaver's turn is a fresh one", dealing, "_passed_on", dropped, second),
    ("counters are free", Situation, "allows_card", everything, compared),
]


@each(PLANTS)
def test_a_planted_flaw_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    require_noticed(plant, monkeypatch)


@each_test(PLANTS)
def test_without_a_flaw_they_pass(noticing: Callable[[], None]) -> None:
    noticing()


def test_there_are_flaws_enough() -> None:
    assert len(PLANTS) >= 12

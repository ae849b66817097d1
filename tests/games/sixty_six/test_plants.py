"""Flaws planted in the rules of 66, each noticed by a test.

One that passes shows a rule that nobody watches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, Board, hand
from nodealer.games.api import Action, Event, Standing, Step
from nodealer.games.effects import CarriedOut, Compare, Effect, Move, OpenTable, Outcome, Show
from nodealer.games.sixty_six import choices, going_on, rounds, rules, scoring, turns
from nodealer.games.sixty_six.cards import Power
from nodealer.games.sixty_six.state import Phase, State
from nodealer.kernel import Seat, SlotId
from tests.games.plants import Plant, each, each_test, require_noticed
from tests.games.sixty_six import test_leaving as leaving
from tests.games.sixty_six import test_oracle as oracle
from tests.games.sixty_six import test_rules as told
from tests.games.sixty_six.test_second import play_both

original_points = scoring.points_of
original_turn_done = rounds.turn_done
original_leave = rounds.leave
original_claim = turns.claim
original_replaced = turns.replaced
original_shown = going_on._shown
original_exchange = turns._exchange
original_best = rounds._best
original_standing = rounds.standing
original_peek = turns._peek


def tallied() -> None:
    """Compare the points of some games with the oracle; in the first a total comes to 66."""
    assert oracle.compare(114)["halved"]
    oracle.compare_many(6)


def second() -> None:
    """Play some games beside the other program."""
    play_both(8)


def leaves() -> None:
    """Play games that seats leave, beside the other program."""
    assert play_both(20)["event voided"]


Sums = Mapping[Seat, int]


def no_penalty(sums: Sums, stopper: Seat | None) -> dict[Seat, int]:  # noqa: ARG001 - as the original
    """Let stopping cost nothing."""
    return original_points(sums, None)


def shared_stop(sums: Sums, stopper: Seat | None) -> dict[Seat, int]:
    """Let a stopper who shares the lowest hand get away with nothing."""
    lowest = [seat for seat in sums if sums[seat] == min(sums.values())]
    return original_points(sums, None if stopper in lowest else stopper)


def winner_pays(sums: Sums, stopper: Seat | None) -> dict[Seat, int]:
    """Let the lowest hand cost its points."""
    return {**original_points(sums, stopper), **{s: v for s, v in sums.items() if s != stopper}}


def never_halved(total: int, points: int, limit: int) -> int:  # noqa: ARG001 - it would be asked
    """Let 66 stay 66."""
    return total + points


def one_too_many(total: int, points: int, limit: int) -> int:
    """Let 34 be the half of 66."""
    return limit // 2 + 1 if total + points == limit else total + points


def beyond_60(totals: Sums, limit: int) -> bool:  # noqa: ARG001 - as above
    """End the game above 60 already."""
    return max(totals.values()) > 60


def beyond_67(totals: Sums, limit: int) -> bool:
    """Let a total of one above the limit go on."""
    return max(totals.values()) > limit + 1


def straight_on(
    state: State, board: Board, trigger: str, events: Sequence[Event] = ()
) -> Step[State]:
    """Never end a round by a stop."""
    counter = None if state.stop_counter is None else state.stop_counter + 5
    return original_turn_done(replace(state, stop_counter=counter), board, trigger, events)


def count_at_once(
    state: State, board: Board, trigger: str, events: Sequence[Event] = ()
) -> Step[State]:
    """Count the turn of the stop among those that are left."""
    if state.phase is Phase.ROUND_STOPPING and state.stop_counter:
        state = replace(state, stop_counter=state.stop_counter - 1)
    return original_turn_done(state, board, trigger, events)


def keep_round(state: State, seats: Sequence[Seat], policy: str) -> Step[State]:
    """Count a round as another one when it is dealt again."""
    step = original_leave(state, seats, policy)
    return replace(step, state=replace(step.state, round=step.state.round + 1))


def shown_to_owner(state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
    """Show claimed cards to everybody."""
    step = original_claim(state, board, seat, chosen)
    slots = chosen.slots("cards")
    return replace(step, effects=(Show(slots), Compare(slots)))


def new_card_shown(state: State, board: Board, trigger: str) -> Step[State]:
    """Let the owner see the card that replaces others."""
    step = original_replaced(state, board, trigger)
    (move, *others) = step.effects
    assert isinstance(move, Move)
    return replace(step, effects=(move, *others, Show(move.slots, (state.on_turn,))))


def at_the_end(state: State, board: Board, trigger: str) -> Step[State]:
    """Put the new card behind the others."""
    step = original_replaced(state, board, trigger)
    (move, *others) = step.effects
    assert isinstance(move, Move)
    lying = board.at(hand(state.on_turn))
    new = [slot for slot in move.slots if slot not in lying]
    kept = [slot for slot in move.slots if slot in lying]
    return replace(step, effects=(replace(move, slots=(*kept, *new)), *others))


def always_right(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Take every claim for right."""
    return original_shown(state, board, Outcome((None, True), outcome.coins))


def always_wrong(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Take every claim for wrong."""
    return original_shown(state, board, Outcome((None, False), outcome.coins))


def no_power(_: Board, __: Power) -> None:
    """Take every power for every card."""


def exchange_shown(
    state: State, board: Board, seat: Seat, place: int, chosen: Action, field: str
) -> Step[State]:
    """Let the seat see the card that it gets."""
    other, other_place = turns._anothers(state, board, seat, chosen, field)
    step = original_exchange(state, board, seat, place, chosen, field)
    card = board.at(hand(other))[other_place]
    return replace(step, effects=(*step.effects, Show((card,), (seat,))))


def from_behind(state: State, board: Board) -> SlotId:
    """Take the last card of the deck for claimed ones."""
    return (board.at(turns.taken(state.on_turn)) or board.at(STOCK))[-1]


def peek_with_owner(
    state: State, seat: Seat, owner: Seat, lying: Sequence[SlotId], place: int
) -> Step[State]:
    """Let the owner of a card see it as well."""
    step = original_peek(state, seat, owner, lying, place)
    return replace(step, effects=(Show((lying[place],), tuple({seat, owner})), *step.effects[1:]))


def two_of_three(compare: Compare, on: OpenTable) -> CarriedOut:
    """Compare the first two cards alone."""
    first, second, *_ = (on.pack.faces[slot] for slot in compare.slots)
    return CarriedOut(on.pack, first == second)


def forgotten(state: State) -> Standing:
    """Have no place for those who have left."""
    return original_standing(replace(state, left=()))


def lowest_starts(state: State) -> Seat:
    """Let the lowest seat start everything."""
    return state.seats[0] if state.active is None else state.active


def opened_to_one(_: Board, slots: Sequence[SlotId]) -> Effect:
    """Show the replaced cards to one seat alone."""
    return Show(tuple(slots), (Seat(0),))


Doings = Mapping[str, Mapping[Phase, Mapping[str, turns.Doing]]]


def doings(change: Callable[[str, turns.Doing], turns.Doing | None]) -> Doings:
    """Return the table of doings with some changed or left out."""
    return {
        variant: {
            phase: {
                name: new for name, old in kinds.items() if (new := change(name, old)) is not None
            }
            for phase, kinds in phases.items()
        }
        for variant, phases in turns.DOINGS.items()
    }


def without(kind: str) -> Doings:
    """Return the doings without one kind."""
    return doings(lambda name, old: None if name == kind else old)


def planted(kind: str, new: turns.Doing) -> Doings:
    """Return the doings with another one for a kind."""
    return doings(lambda name, old: new if name == kind else old)


def deciding(new: going_on.GoingOn) -> Mapping[Phase, going_on.GoingOn]:
    """Return what follows, with another way to decide claims."""
    return {**going_on._GOING_ON, Phase.SHOWING_CARDS: new}


def powers() -> None:
    """Run the test of powers that are for other cards."""
    told.test_powers_are_for_the_right_cards("v1")


def stops() -> None:
    """Run the test of a stop with a hand that somebody else has as well."""
    told.test_a_stop_without_the_lowest_hand_costs_five("v2")


def claims() -> None:
    """Run the test of a claim that is wrong in its last card."""
    told.test_all_claimed_cards_have_to_be_alike("v2")


def tops() -> None:
    """Run the test of a tie in a round."""
    told.test_a_coin_breaks_the_tie_of_winners("v2")


def left_last() -> None:
    """Run the test of those who have left."""
    leaving.test_leavers_keep_their_totals_and_come_last("v2")


PLANTS: list[Plant] = [
    # what is wrong, where, what it becomes, the test that notices
    ("stopping costs nothing", rounds, "points_of", no_penalty, tallied),
    ("a shared stop is free", rounds, "points_of", shared_stop, stops),
    ("winners pay", rounds, "points_of", winner_pays, tallied),
    ("the penalty is 4", scoring, "PENALTY", 4, tallied),
    ("66 stays", rounds, "added", never_halved, tallied),
    ("66 becomes 34", rounds, "added", one_too_many, tallied),
    ("the game ends at 61", rounds, "ends_game", beyond_60, tallied),
    ("a total of 67 goes on", rounds, "ends_game", beyond_67, tallied),
    ("a 13 costs nothing", rounds, "value_of", lambda face: int(face) % 13, tallied),
    ("the first winner begins", rounds, "_best", lambda state: original_best(state)[:1], tops),
    ("a stop does not stop", going_on, "turn_done", straight_on, second),
    ("the stop counts as a turn", going_on, "turn_done", count_at_once, second),
    ("3 cards are dealt", rounds, "HAND_CARDS", 3, second),
    ("3 cards are seen", rounds, "SEEN_CARDS", 3, second),
    ("a void round counts", rounds, "leave", keep_round, leaves),
    ("claims are open", rules, "DOINGS", planted("show-cards", shown_to_owner), second),
    ("the new card is seen", turns, "replaced", new_card_shown, second),
    ("a new card for claimed ones is seen", going_on, "replaced", new_card_shown, second),
    ("the new card comes last", turns, "replaced", at_the_end, second),
    ("claims are always right", going_on, "_GOING_ON", deciding(always_right), second),
    ("claims are always wrong", going_on, "_GOING_ON", deciding(always_wrong), second),
    ("any power for any card", turns, "_require_power", no_power, powers),
    ("an exchange is seen", turns, "_exchange", exchange_shown, second),
    ("a peek is seen by the owner", turns, "_peek", peek_with_owner, second),
    ("the deck is taken from behind", turns, "_incoming", from_behind, second),
    ("of three cards two are compared", Compare, "carry_out", two_of_three, claims),
    ("the lowest seat starts all rounds", rules, "_acting", lowest_starts, second),
    ("replaced cards stay hidden", turns, "opening", opened_to_one, second),
    ("nobody can stop", rules, "DOINGS", without("stop-round"), second),
    ("no card has a power", turns, "POWERS", {}, second),
    ("powers are not listed", choices, "POWERS", {}, second),
    ("leavers are forgotten", rounds, "standing", forgotten, left_last),
]


@each(PLANTS)
def test_a_planted_flaw_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    require_noticed(plant, monkeypatch)


@each_test(PLANTS)
def test_without_a_flaw_they_pass(noticing: Callable[[], None]) -> None:
    noticing()

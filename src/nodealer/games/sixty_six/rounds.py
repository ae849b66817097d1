"""Rounds: the deal, the end of a turn and of a round, and what becomes of it when seats leave.

A round begins with a fresh deck. The first slots go to the hands, four to the first seat, four to
the second and so on, and every seat sees the first two of its own; the rest is the stock. Every
turn ends in `turn_done`, whatever was done in it, so that a round can end after each. Then all
hands are opened, the points are counted, and whoever has won the round begins the next one.

A round that a seat leaves is void: it is dealt again, with the same number. Once its points are
counted it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.cards import STOCK, Board, hand
from nodealer.games.api import Event, Standing, Step, event
from nodealer.games.base import VOID, parted, ranked
from nodealer.games.effects import Acks, Coin, Effect, Move, NewDeck, Outcome, Show
from nodealer.games.sixty_six.cards import DECK, HAND_CARDS, SEEN_CARDS, value_of
from nodealer.games.sixty_six.scoring import added, ends_game, points_of
from nodealer.games.sixty_six.state import V1, LimitedState, Phase, State, next_seat
from nodealer.kernel import Seat, changed

FIRST: Final = "first"
"""The purpose of the coin for the first turn of the game."""

NEXT: Final = "next"
"""The purpose of the coin between the winners of a round: one of them begins the next."""


def begin(seats: tuple[Seat, ...], variant: str, limit: int | None) -> Step[State]:
    """Begin a game: somebody has to say that it starts. Version 1 of it says no limit."""
    started = (Phase.AWAITING_START, variant, seats, tuple((seat, 0) for seat in seats))
    return Step(State(*started) if limit is None else LimitedState(*started, limit=limit))


def begin_round(state: State, trigger: str, events: Sequence[Event] = ()) -> Step[State]:
    """Shuffle a fresh deck; without somebody to begin, a coin decides that as well."""
    fresh = changed(
        state,
        turn=0,
        active=None,
        stopper=None,
        stop_counter=None,
        source=None,
        chosen=(),
        points=(),
    )
    coin = Coin(FIRST, len(state.seats)) if state.starter is None else None
    deck = NewDeck(DECK, STOCK, coin=coin)
    return Step(fresh.moved(trigger, Phase.ROUND_STARTING), (deck,), tuple(events))


def go_on_starting(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Deal the shuffled cards, and once they are dealt begin with the turns."""
    if not board.at(hand(state.seats[0])):
        return _dealt(state, outcome)
    told = event("dealt", round=state.round, seat=state.starter)
    ready = changed(state, active=state.starter, turn=1)
    return Step(ready.moved("acks", Phase.READY_FOR_TURN), (), (told,))


def turn_done(
    state: State, board: Board, trigger: str, events: Sequence[Event] = ()
) -> Step[State]:
    """Give the turn to the next seat, or open all hands if this was the last turn."""
    counter = state.stop_counter
    if counter is not None and state.phase is not Phase.ROUND_STOPPING:
        counter -= 1
    after = changed(state, stop_counter=counter, source=None, chosen=())
    if not board.at(STOCK):
        return _last(after, board, trigger, (*events, event("exhausted")))
    if counter == 0:
        return _last(after, board, trigger, events)
    following = next_seat(state.on_turn, state.seats, state.seats)
    ready = changed(after, active=following, turn=state.turn + 1)
    return Step(ready.moved(trigger, Phase.READY_FOR_TURN), (), tuple(events))


def go_on_scoring(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Count the points of the open hands; then, if winners tied, take the one that the coin names.

    Who has won a round has no points in it; of those who are left, if its winners have left, it is
    who has the fewest.
    """
    if state.points:
        starter = _best(state)[outcome.coin(NEXT)]
        return _finished_round(state, starter, "tossed", ())
    sums = {seat: sum(map(value_of, board.faces_at(hand(seat)))) for seat in state.seats}
    points = points_of(sums, state.stopper)
    totals = tuple(
        (seat, added(total, points.get(seat, 0), state.limit)) for seat, total in state.totals
    )
    after = changed(state, points=tuple(sorted(points.items())), totals=totals)
    return _counted(after, "opened", _told(state, after))


def go_on_finished(state: State, board: Board, outcome: Outcome) -> Step[State]:  # noqa: ARG001 - every one
    """Wait for the next round to be started, or end the game."""
    if ends_game(dict(state.totals), state.limit):
        return _finished(state, "acks", ())
    return Step(state)


def leave(state: State, seats: Sequence[Seat], policy: str) -> Step[State]:
    """Go on without these seats."""
    if state.phase is Phase.GAME_FINISHED:
        return Step(state)
    gone, staying = parted(state.seats, seats, policy, (VOID,))
    told = (event("left", seats=gone),)
    after = changed(state, seats=staying, left=(*state.left, gone))
    if len(staying) == 1:
        return _finished(after, "leave", told)
    if state.phase is Phase.AWAITING_START:
        return Step(after.moved("leave", Phase.AWAITING_START), (), told)
    if not state.points:
        return _voided(state, after, told)
    if state.starter in staying:
        return Step(after.moved("leave", Phase.ROUND_FINISHED), (Acks(),), told)
    return _counted(after, "leave", told)


def standing(state: State) -> Standing:
    """Return the places: by the totals, then those who have left, the last of them first."""
    totals = dict(state.totals)
    return Standing(ranked(state.seats, state.left, totals.__getitem__), totals)


def _dealt(state: State, outcome: Outcome) -> Step[State]:
    slots = outcome.slots(0)
    moves: list[Effect] = []
    shows: list[Effect] = []
    for place, seat in enumerate(state.seats):
        given = slots[place * HAND_CARDS : (place + 1) * HAND_CARDS]
        moves.append(Move(given, hand(seat)))
        shows.append(Show(given[:SEEN_CARDS], (seat,)))
    starter = state.seats[outcome.coin(FIRST)] if state.starter is None else state.starter
    dealing = changed(state, starter=starter).moved("shuffled", Phase.ROUND_STARTING)
    return Step(dealing, (*moves, *shows))


def _last(state: State, board: Board, trigger: str, events: Sequence[Event]) -> Step[State]:
    lying = (slot for seat in state.seats for slot in board.at(hand(seat)))
    hidden = tuple(slot for slot in lying if slot not in board.faces)
    scoring = changed(state, active=None).moved(trigger, Phase.ROUND_SCORING)
    return Step(scoring, (Show(hidden),), tuple(events))


def _counted(state: State, trigger: str, events: Sequence[Event]) -> Step[State]:
    """Go on with a round whose points are counted: end the game, or find who begins the next."""
    if ends_game(dict(state.totals), state.limit):
        if state.variant == V1:
            return _finished(state, trigger, events)
        ended = changed(state, starter=None).moved(trigger, Phase.ROUND_FINISHED)
        return Step(ended, (Acks(),), tuple(events))
    best = _best(state)
    if len(best) == 1:
        return _finished_round(state, best[0], trigger, events)
    tied = changed(state, starter=None).moved(trigger, Phase.ROUND_SCORING)
    return Step(tied, (Coin(NEXT, len(best)),), tuple(events))


def _best(state: State) -> tuple[Seat, ...]:
    points = {seat: count for seat, count in state.points if seat in state.seats}
    return tuple(seat for seat in state.seats if points[seat] == min(points.values()))


def _finished_round(
    state: State, starter: Seat, trigger: str, events: Sequence[Event]
) -> Step[State]:
    after = changed(state, starter=starter).moved(trigger, Phase.ROUND_FINISHED)
    return Step(after, (Acks(),), (*events, event("begins", seat=starter)))


def _finished(state: State, trigger: str, events: Sequence[Event]) -> Step[State]:
    """End the game with the totals as they are."""
    ended = changed(
        state,
        active=None,
        starter=None,
        stopper=None,
        stop_counter=None,
        source=None,
        chosen=(),
    )
    totals = dict(state.totals)
    least = min(totals[seat] for seat in state.seats)
    winners = tuple(seat for seat in state.seats if totals[seat] == least)
    told = event("won", seats=winners, points=least)
    return Step(ended.moved(trigger, Phase.GAME_FINISHED), (), (*events, told))


def _told(before: State, after: State) -> tuple[Event, ...]:
    """Return what a counted round is for people."""
    winners = tuple(seat for seat, count in after.points if not count)
    counted = event(
        "round-finished",
        round=after.round,
        turns=after.turn,
        seats=winners,
        points=after.points,
        totals=after.totals,
    )
    events = [counted]
    if after.stopper is not None and after.stopper not in winners:
        events.append(event("stopped-in-vain", seat=after.stopper))
    counts = dict(after.points)
    for (seat, old), (_, new) in zip(before.totals, after.totals, strict=True):
        if new != old + counts.get(seat, 0):
            events.append(event("halved", seat=seat))
    return tuple(events)


def _voided(before: State, after: State, told: Sequence[Event]) -> Step[State]:
    """Deal the round again. The first is begun by whom a new coin names, others as they were."""
    starter = None if before.round == 1 else before.starter
    if starter is not None and starter not in after.seats:
        starter = next_seat(starter, before.seats, after.seats)
    voided = event("voided", round=before.round)
    return begin_round(changed(after, starter=starter), "leave", (*told, voided))

"""Every row of both tables of transitions happens in some game; what never could is not there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.games.api import Step, Turn
from nodealer.games.dealer import PlainDealer
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX, rounds
from nodealer.games.sixty_six.state import TRANSITIONS, Phase, State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.sixty_six import test_rules as told
from tests.games.sixty_six.positions import KindBot, act, position

Row = tuple[str | None, str, str]

GAMES = 8
ACTIONS_MAX = 8000


def play(variant: str, seed: int) -> None:
    """Play a game; at every halt not seen in this game before, leave seats out in a fork of it."""
    chance = Chance("transitions", variant, seed)
    seats = [Seat(number) for number in range(2 + seed % 4)]
    options = resolve(SIXTY_SIX, len(seats), {"variant": variant})
    dealer: PlainDealer[State] = PlainDealer(SIXTY_SIX, seats, options, chance.branch("cards"))
    halts: set[tuple[Phase, int]] = set()
    for _ in range(ACTIONS_MAX):
        if dealer.result() is not None and not dealer.underway:
            return
        halt = (dealer.state.phase, len(dealer._effects))
        if halt not in halts:
            halts.add(halt)
            leave(dealer, seats[:1])
            leave(dealer, seats[1:])
        if dealer.underway:
            dealer.advance()
        else:
            begin_somehow(dealer, chance, never_stops=seed % 3 == 0)
    raise AssertionError("the game does not end")


def begin_somehow(dealer: PlainDealer[State], chance: Chance, *, never_stops: bool) -> None:
    duty = dealer.view().duty
    assert isinstance(duty, Turn)
    legal = dealer.legal(duty.seat)
    some = [one for one in legal if not (never_stops and one.kind == "stop-round")]
    dealer.begin(duty.seat, KindBot().choose(dealer.view(), some, chance))


def leave(dealer: PlainDealer[State], seats: Sequence[Seat]) -> None:
    dealer.fork(Chance("left")).leave(seats, "void")


def tied() -> None:
    """Let a seat leave while a coin is tossed between three winners, and one of two."""
    for variant in TRANSITIONS:
        for hands in (["1 2", "2 1", "3 0", "9"], ["1 2", "2 1", "9", "8"]):
            dealer = position(variant, hands, stock="6")
            act(dealer, "take-card-from-deck")
            dealer.begin(Seat(0), dealer.legal(Seat(0))[-1])
            while not dealer.state.points:
                dealer.advance()
            assert dealer.state.phase is Phase.ROUND_SCORING
            for gone in (0, 3):
                leave(dealer, [Seat(gone)])
            twin = dealer.fork(Chance("tied"))
            twin.settle()
            leave(twin, [twin.state.starter or Seat(0)])


def test_every_transition_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, set[Row]] = {
        variant: {(None, "setup", Phase.AWAITING_START.value)} for variant in TRANSITIONS
    }
    original_moved, original_leave = State.moved, rounds.leave

    def moved(state: State, trigger: str, phase: Phase) -> State:
        after = original_moved(state, trigger, phase)
        seen[state.variant].add((state.phase.value, trigger, after.phase.value))
        return after

    def leaving(state: State, seats: Sequence[Seat], policy: str) -> Step[State]:
        step = original_leave(state, seats, policy)
        row = (state.phase.value, "leave", step.state.phase.value)
        if state.phase is not Phase.GAME_FINISHED:
            seen[state.variant].add(row)
        return step

    monkeypatch.setattr(State, "moved", moved)
    monkeypatch.setattr(rounds, "leave", leaving)
    for variant in TRANSITIONS:
        for seed in range(GAMES):
            play(variant, seed)
    tied()
    for variant, acts in told.LAST_TURNS:
        told.test_every_turn_can_be_the_last(variant, acts)
    for variant, rows in TRANSITIONS.items():
        assert {(row.source, row.trigger, row.target) for row in rows} == seen[variant]

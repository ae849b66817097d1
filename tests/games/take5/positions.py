"""Positions of 6 nimmt!, made card by card, and short ways to act in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from nodealer.cards import hand
from nodealer.games.api import Action, Choice, Event, Options, Turn, action
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.dealing import choose, totals
from nodealer.games.take5.placing import taken
from nodealer.games.take5.settings import STACK_NAMES
from nodealer.games.take5.stacks import stack
from nodealer.games.take5.state import Phase, State
from nodealer.games.views import NOTHING_KNOWN
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

STACKS = ("20", "40", "60", "80")


def begun(seats: int = 3, seed: int = 1, **options: Any) -> Dealer:  # noqa: ANN401 - whatever an option holds
    """Return a real game at its first choice."""
    numbers = [Seat(number) for number in range(seats)]
    return deal(TAKE5, numbers, resolve(TAKE5, seats, options), Chance("begun", seed))


def fresh(seats: int, advanced: int) -> Dealer:
    """Return a game in the middle of its first deal."""
    numbers = [Seat(number) for number in range(seats)]
    dealer: Dealer = PlainDealer(TAKE5, numbers, resolve(TAKE5, seats, {}), Chance("fresh"))
    for _ in range(advanced):
        dealer.advance()
    return dealer


def position(
    hands: Sequence[str],
    stacks: Sequence[str] = STACKS,
    options: Options = MappingProxyType({}),
    piles: Sequence[str] = (),
    scores: Sequence[int] = (),
) -> Dealer:
    """Return a game in which everybody owes a choice.

    Hands, stacks from the bottom to the top, and what was taken in this round are faces; scores
    are those of the rounds before.
    """
    seats = tuple(Seat(number) for number in range(len(hands)))
    dealer: Dealer = PlainDealer(TAKE5, seats, resolve(TAKE5, len(seats), options), Chance("made"))
    pack = Pack(notebooks=MappingProxyType(dict.fromkeys(seats, NOTHING_KNOWN)))
    for name, faces in zip(STACK_NAMES, stacks, strict=True):
        pack, slots = pack.placed(faces.split(), stack(name))
        pack = pack.opened(slots)
    for seat, faces in enumerate(piles):
        pack, slots = pack.placed(faces.split(), taken(Seat(seat)))
        pack = pack.opened(slots)
    for seat, faces in enumerate(hands):
        pack, slots = pack.placed(faces.split(), hand(Seat(seat)))
        pack = pack.shown(slots, [Seat(seat)])
    before = dict(dealer.state.scores) | dict(zip(seats, scores, strict=False))
    state = replace(dealer.state, phase=Phase.CHOOSING, scores=tuple(before.items()))
    dealer.pack, dealer.state, dealer._effects = pack, state, choose(state).effects
    return dealer


def playing(dealer: Dealer, seat: int, face: str) -> Action:
    """Return the action of choosing a card by its face."""
    slots = dealer.board.at(hand(Seat(seat)))
    return action("play", card=tuple(s for s in slots if dealer.pack.faces[s] == face))


def play(dealer: Dealer, *faces: str) -> list[Event]:
    """Let every seat play a card, in the order of the seats, and return what has happened."""
    told = len(dealer.events)
    chosen = {seat: playing(dealer, seat, f) for seat, f in zip(dealer.seats, faces, strict=True)}
    for seat, card in chosen.items():
        dealer.act(seat, card)
    return dealer.events[told:]


def take(dealer: Dealer, name: str) -> list[Event]:
    """Let the seat on turn take a stack, and return what has happened."""
    told = len(dealer.events)
    duty = dealer.view().duty
    assert isinstance(duty, Turn)
    dealer.act(duty.seat, action("take", stack=name))
    return dealer.events[told:]


def leave(dealer: Dealer, *seats: int, policy: str = "continue") -> list[str]:
    """Leave seats out, carry out what follows, and return the kinds of what has happened."""
    told = len(dealer.events)
    dealer.leave([Seat(seat) for seat in seats], policy)
    dealer.settle()
    return kinds(dealer.events[told:])


def owing(dealer: Dealer) -> tuple[Seat, ...]:
    """Return who owes a choice."""
    duty = dealer.view().duty
    return duty.owing if isinstance(duty, Choice) else ()


def lying(dealer: Dealer) -> list[str]:
    """Return the faces of the stacks."""
    return [" ".join(dealer.board.faces_at(stack(name))) for name in STACK_NAMES]


def pile(dealer: Dealer, seat: int) -> str:
    """Return what a seat has taken in this round."""
    return " ".join(dealer.board.faces_at(taken(Seat(seat))))


def scores(dealer: Dealer) -> list[int]:
    """Return the scores, with what was taken in this round."""
    return [score for _, score in totals(dealer.state, dealer.board)]


def kinds(events: Sequence[Event]) -> list[str]:
    """Return the kinds of events."""
    return [happened.kind for happened in events]

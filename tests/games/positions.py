"""Positions of Macaua, made card by card, and short ways to act in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from nodealer.cards import DISCARD, STOCK, Board, hand
from nodealer.games.api import Action, Event, action
from nodealer.games.dealer import PlainDealer
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.legality import Settings
from nodealer.games.macaua.state import PHASES_OF_TURN, State
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance

FILLER = "9C 9D 9S 8C 8D 8S 10C 10D 10S JC JD JS QC QD QS KC KD KS"
"""Cards that few cases care about, for hands and stocks of which only the number counts."""

Dealer = PlainDealer[State]


def position(
    hands: Sequence[str],
    discards: str,
    stock: str = FILLER,
    options: Sequence[str] = (),
    **facts: Any,  # noqa: ANN401 - whatever a state holds
) -> Dealer:
    """Return a game in which seat 0 has the turn; the last of the discards is the top card."""
    seats = tuple(Seat(number) for number in range(len(hands)))
    given = resolve(MACAUA, len(seats), dict.fromkeys(options, True))
    dealer: Dealer = PlainDealer(MACAUA, seats, given, Chance("position"))
    dealer.pack = _pack(hands, discards, stock)
    state = replace(dealer.state, settings=Settings.of(given), turn=Seat(0), hands=(), **facts)
    if (state.challenge or state.skip) and state.challenger is None:
        state = replace(state, challenger=seats[-1])
    dealer.state = replace(state, phase=PHASES_OF_TURN[state.burden])
    dealer._effects = ()
    return dealer


def _pack(hands: Sequence[str], discards: str, stock: str) -> Pack:
    pack, board = Pack(), Board()
    zones = [*((hand(Seat(seat)), cards) for seat, cards in enumerate(hands))]
    for zone, cards in [*zones, (STOCK, stock), (DISCARD, discards)]:
        pack, _ = pack.placed(cards.split(), zone)
    pack = replace(
        pack, notebooks=MappingProxyType({Seat(n): MappingProxyType({}) for n in range(len(hands))})
    )
    board = pack.board
    for number in range(len(hands)):
        pack = pack.shown(board.at(hand(Seat(number))), [Seat(number)])
    return pack.opened(board.at(DISCARD))


def cards(dealer: Dealer, seat: int, faces: str) -> tuple[SlotId, ...]:
    """Return the slots of these faces in a hand, in their order."""
    lying = list(dealer.board.at(hand(Seat(seat))))
    found = []
    for face in faces.split():
        slot = next(slot for slot in lying if dealer.pack.faces[slot] == face)
        lying.remove(slot)
        found.append(slot)
    return tuple(found)


def playing(
    dealer: Dealer, faces: str, suit: str | None = None, *, macaua: bool = False, seat: int = 0
) -> Action:
    """Return the action of playing these cards."""
    return action("play", cards=cards(dealer, seat, faces), suit=suit, macaua=macaua)


def on_turn(dealer: Dealer) -> int:
    """Return who has the turn."""
    return dealer.state.on_turn


def play(
    dealer: Dealer, faces: str, suit: str | None = None, *, macaua: bool = False
) -> list[Event]:
    """Let the seat on turn play, and return what has happened."""
    seat = on_turn(dealer)
    return act(dealer, playing(dealer, faces, suit, macaua=macaua, seat=seat))


def act(dealer: Dealer, chosen: Action | str) -> list[Event]:
    """Let the seat on turn act, and return what has happened."""
    told = len(dealer.events)
    dealer.act(Seat(on_turn(dealer)), action(chosen) if isinstance(chosen, str) else chosen)
    return dealer.events[told:]


def faces(dealer: Dealer, seat: int) -> str:
    """Return the faces of a hand."""
    return " ".join(dealer.pack.faces[slot] for slot in dealer.board.at(hand(Seat(seat))))


def sizes(dealer: Dealer) -> list[int]:
    """Return how many cards the seats in the game hold."""
    return [len(dealer.board.at(hand(seat))) for seat in dealer.seats]


def top(dealer: Dealer) -> str:
    """Return the top card."""
    return dealer.board.face(dealer.board.at(DISCARD)[-1])


def kinds(events: Sequence[Event]) -> list[str]:
    """Return the kinds of events."""
    return [happened.kind for happened in events]

"""Positions of 66, made card by card, and short ways to act in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import Action, Event, View, action
from nodealer.games.dealer import PlainDealer
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.state import Phase, State
from nodealer.games.views import NOTHING_KNOWN
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

FILLER = "1 2 3 4 5 6 7 8 9 10 11 12 1 2 3 4 5 6"
"""Cards for decks of which few cases care about more than the first ones."""


def position(
    variant: str,
    hands: Sequence[str],
    discards: str = "",
    stock: str = FILLER,
    **facts: Any,  # noqa: ANN401 - whatever a state holds
) -> Dealer:
    """Return a game in its first round, in which seat 0 has the turn.

    Every seat has seen the first two of its cards, as at the beginning.
    """
    seats = tuple(Seat(number) for number in range(len(hands)))
    given = resolve(SIXTY_SIX, len(seats), {"variant": variant})
    dealer: Dealer = PlainDealer(SIXTY_SIX, seats, given, Chance("position"))
    pack = Pack(notebooks=MappingProxyType(dict.fromkeys(seats, NOTHING_KNOWN)))
    for zone, cards in [*zip(map(hand, seats), hands, strict=True), (STOCK, stock)]:
        pack, _ = pack.placed(cards.split(), zone)
    pack, open_ones = pack.placed(discards.split(), DISCARD)
    pack = pack.opened(open_ones)
    for seat in seats:
        pack = pack.shown(pack.board.at(hand(seat))[:2], [seat])
    dealer.pack = pack
    begun = {"round": 1, "turn": 1, "active": seats[0], "starter": seats[0]}
    dealer.state = replace(dealer.state, phase=Phase.READY_FOR_TURN, **{**begun, **facts})
    return dealer


def act(dealer: Dealer, kind: str, *named: Any, settle: bool = True) -> list[Event]:  # noqa: ANN401 - see below
    """Let the seat on turn act, and return what has happened.

    Cards are named by places: numbers are those of the own hand, pairs those of another seat;
    several numbers in a tuple of their own are the cards of a claim.
    """
    told, seat = len(dealer.events), on_turn(dealer)
    chosen = acting(dealer, kind, *named)
    if settle:
        dealer.act(seat, chosen)
    else:
        dealer.begin(seat, chosen)
    return dealer.events[told:]


def acting(dealer: Dealer, kind: str, *named: Any) -> Action:  # noqa: ANN401 - numbers and pairs
    """Return an action of the seat on turn."""
    seat = on_turn(dealer)
    own = dealer.board.at(hand(seat))
    if kind == "show-cards":
        return action(kind, cards=tuple(own[place] for place in named))
    if kind == "discard":
        (taken,) = (zone for zone in dealer.board.layout.zones if zone.name == "taken")
        return action(kind, card=dealer.board.at(taken))
    slots = [(own[n],) if isinstance(n, int) else (slot_at(dealer, *n),) for n in named]
    return action(kind, **dict(zip(("card", "other"), slots, strict=False)))


def slot_at(dealer: Dealer, seat: int, place: int) -> SlotId:
    """Return the slot at a place of a hand."""
    return dealer.board.at(hand(Seat(seat)))[place]


def on_turn(dealer: Dealer) -> Seat:
    """Return who has the turn."""
    duty: Any = SIXTY_SIX.duty(dealer.state)
    seat: Seat = duty.seat
    return seat


def faces(dealer: Dealer, seat: int) -> str:
    """Return the faces of a hand, in their order."""
    return " ".join(dealer.pack.faces[slot] for slot in dealer.board.at(hand(Seat(seat))))


def seen(dealer: Dealer, viewer: int, seat: int) -> str:
    """Return a hand as a seat sees it, with a question mark for what it does not know."""
    cards = dealer.view(Seat(viewer)).zone("hand", Seat(seat))
    return " ".join(card.face or "?" for card in cards)


def discarded(dealer: Dealer) -> str:
    """Return the discarded card."""
    return dealer.board.face(dealer.board.at(DISCARD)[-1])


def phase(dealer: Dealer) -> str:
    """Return the phase."""
    return dealer.state.phase.value


def kinds(events: Sequence[Event]) -> list[str]:
    """Return the kinds of events."""
    return [happened.kind for happened in events]


def listed(dealer: Dealer) -> set[str]:
    """Return the kinds of what the seat on turn may do."""
    return {chosen.kind for chosen in dealer.legal(on_turn(dealer))}


@dataclass(frozen=True)
class KindBot:
    """Chooses each kind of action equally often; of claims alone there would be eleven."""

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:  # noqa: ARG002 - every bot
        """Return any of the legal actions."""
        kind = chance.pick(sorted({chosen.kind for chosen in legal}))
        return chance.pick([chosen for chosen in legal if chosen.kind == kind])

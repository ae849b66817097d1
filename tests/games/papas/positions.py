"""Positions of Papas, made card by card, and short ways to act in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from nodealer.cards import DISCARD, STOCK, Zone, hand
from nodealer.games.api import Action, Event, Options, action
from nodealer.games.dealer import PlainDealer, deal
from nodealer.games.pack import Pack
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import CARDS, DECK
from nodealer.games.papas.state import Phase, State
from nodealer.games.registry import resolve
from nodealer.games.views import NOTHING_KNOWN
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance

Dealer = PlainDealer[State]

NO_OPTIONS: Final[Options] = MappingProxyType({})

SHORT: Final[Mapping[str, str]] = {
    **{face: face for face in CARDS},
    **dict(
        zip(
            ("po", "du", "fr", "wi", "no", "te", "pony", "buck", "run", "harry", "pope", "ahead"),
            CARDS,
            strict=False,
        )
    ),
    "year": "potato-of-the-year",
    "destiny": "potato-of-destiny",
    "dawan": "potato-dawan",
    "jump": "jump-to-the-side",
    "papa": "papageddon",
    "spider": "spider-potato",
}
"""Short words for cards: `po` is a potato."""


def faces(words: str) -> list[str]:
    """Return the cards that these words mean."""
    return [SHORT[word] for word in words.split()]


def begun(seats: int = 3, seed: int = 1, **options: Any) -> Dealer:  # noqa: ANN401 - whatever an option holds
    """Return a real game at its first turn."""
    numbers = [Seat(number) for number in range(seats)]
    return deal(PAPAS, numbers, resolve(PAPAS, seats, options), Chance("begun", seed))


def fresh(seats: int, advanced: int) -> Dealer:
    """Return a game in the middle of its first deal."""
    numbers = [Seat(number) for number in range(seats)]
    dealer: Dealer = PlainDealer(PAPAS, numbers, resolve(PAPAS, seats, {}), Chance("fresh"))
    for _ in range(advanced):
        dealer.advance()
    return dealer


def position(
    hands: Sequence[str],
    stock: str = "",
    discards: str = "",
    rest: Zone = STOCK,
    options: Options = NO_OPTIONS,
    **state: Any,  # noqa: ANN401 - whatever a state holds
) -> Dealer:
    """Return a game in which the first seat has the turn.

    Hands, the top of the stock and the discards are short words; all cards that are not named lie
    behind those of the zone `rest`. The golden potatoes may be given as a list.
    """
    seats = tuple(Seat(number) for number in range(len(hands)))
    dealer: Dealer = PlainDealer(PAPAS, seats, resolve(PAPAS, len(seats), options), Chance("made"))
    pack = Pack(notebooks=MappingProxyType(dict.fromkeys(seats, NOTHING_KNOWN)))
    lying = {hand(seat): faces(words) for seat, words in zip(seats, hands, strict=True)}
    lying |= {STOCK: faces(stock), DISCARD: faces(discards)}
    named = [face for zone in lying.values() for face in zone]
    lying[rest] += DECK.without(named).faces
    for zone, cards in lying.items():
        pack, slots = pack.placed(cards, zone)
        if zone.seat is not None:
            pack = pack.shown(slots, [zone.seat])
        elif zone == DISCARD:
            pack = pack.opened(slots)
    golden = tuple(zip(seats, state.pop("golden", [0] * len(seats)), strict=True))
    made = {"phase": Phase.PLAYER_TURN, "turn": Seat(0), "hands": (), "golden": golden, **state}
    dealer.pack, dealer.state, dealer._effects = pack, replace(dealer.state, **made), ()
    return dealer


def slots_of(dealer: Dealer, seat: int, words: str) -> tuple[SlotId, ...]:
    """Return slots of a hand by their cards, in the order in which they lie."""
    wanted, found = faces(words), []
    for slot in dealer.board.at(hand(Seat(seat))):
        if dealer.pack.faces[slot] in wanted:
            wanted.remove(dealer.pack.faces[slot])
            found.append(slot)
    assert not wanted, f"{wanted} is not in the hand"
    return tuple(found)


def on_turn(dealer: Dealer) -> int:
    """Return whose turn it is."""
    return dealer.state.on_turn


def do(dealer: Dealer, chosen: Action, seat: int | None = None) -> list[Event]:
    """Let a seat act, the one whose turn it is if none is named; return what has happened."""
    told = len(dealer.events)
    dealer.act(Seat(on_turn(dealer) if seat is None else seat), chosen)
    return dealer.events[told:]


def play(dealer: Dealer, word: str, at: Sequence[int] = ()) -> list[Event]:
    """Play a card, and aim it."""
    events = do(dealer, action("play-card", card=slots_of(dealer, on_turn(dealer), word)))
    return [*events, *do(dealer, action("select-targets", seats=tuple(at)))] if at else events


def trio(dealer: Dealer, words: str) -> list[Event]:
    """Play a trio."""
    return do(dealer, action("play-threesome", cards=slots_of(dealer, on_turn(dealer), words)))


def end(dealer: Dealer) -> list[Event]:
    """End the turn."""
    return do(dealer, action("end-turn"))


def asked(dealer: Dealer) -> tuple[int, ...]:
    """Return who is asked and has not answered."""
    return () if dealer.choice is None else dealer.choice.owing


def answer(dealer: Dealer, **said: str) -> list[Event]:
    """Let all who are asked answer: `s1` is what seat 1 says, and the others say nothing."""
    told = len(dealer.events)
    for seat in asked(dealer):
        word = said.pop(f"s{seat}", None)
        if word is None:
            chosen = action("skip-reaction")
        else:
            (face,) = faces(word)
            chosen = action(face, card=slots_of(dealer, seat, word)[:1])
        dealer.act(Seat(seat), chosen)
    assert not said, f"{said} is not asked"
    return dealer.events[told:]


def discard(dealer: Dealer, word: str) -> list[Event]:
    """Discard a card of those that are too many."""
    return do(dealer, action("discard-card", card=slots_of(dealer, on_turn(dealer), word)[:1]))


def take(dealer: Dealer, target: int, position: int) -> list[Event]:
    """Take the card of a hand at a position."""
    slot = dealer.board.at(hand(Seat(target)))[position]
    return do(dealer, action("select-card", card=(slot,)))


def leave(dealer: Dealer, *seats: int, policy: str = "redeal") -> list[str]:
    """Let seats leave; return what has happened since."""
    told = len(dealer.events)
    dealer.leave([Seat(seat) for seat in seats], policy)
    dealer.settle()
    return kinds(dealer.events[told:])


def held(dealer: Dealer, seat: int) -> list[str]:
    """Return the cards of a hand, sorted."""
    return sorted(dealer.pack.faces[slot] for slot in dealer.board.at(hand(Seat(seat))))


def sizes(dealer: Dealer) -> list[int]:
    """Return how many cards each seat of the game holds."""
    return [len(dealer.board.at(hand(seat))) for seat in dealer.seats]


def golden(dealer: Dealer) -> list[int]:
    """Return how many golden potatoes each seat of the game has."""
    return [count for _, count in dealer.state.golden]


def kinds(events: Sequence[Event]) -> list[str]:
    """Return the kinds of events; that a turn begins is told after each that ends."""
    return [event.kind for event in events if event.kind != "turn"]


def number(dealer: Dealer) -> int:
    """Return the number of the state that the game is in."""
    return int(dealer.state.phase.value.rpartition("-")[2])

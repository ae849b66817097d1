"""What rules can ask of the cards: the vocabulary between games and whoever holds the deck.

A game never touches a card. Its transitions return a list of effects; the table carries them out
in order, by joint steps of all seats where keys are needed, and then asks the game to go on
(`Game.resume`) with their results. A plain dealer (`games.dealer`) carries out the same effects.

    effect      result, as `resume` gets it
    NewDeck     the slots of the shuffled deck, in the order in which they lie
    Reshuffle   the new slots of the cards that were shuffled, in the order in which they lie
    Coin        a number from 0 to sides - 1 that nobody could influence
    Move        nothing; the board has changed
    Show        nothing; the faces that everybody may see are on the board
    Choose      the slots that were chosen, in the order of the zones
    Compare     whether all the slots have one face
    Acks        nothing

Some operations of games are combinations. To show cards to all but their owner and tell the owner
whether they are alike is `Show` and `Compare`. To exchange cards between hands that keep their
order is a `Move` of each hand in its new order; who has seen a card knows it where it lies then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from nodealer.cards import Composition, Zone
from nodealer.kernel import Seat, SlotId


@dataclass(frozen=True, slots=True)
class Coin:
    """A joint coin with so many sides; the purpose names it among others of the same step."""

    purpose: str
    sides: int


@dataclass(frozen=True, slots=True)
class NewDeck:
    """Shuffle these cards into a zone, in a new epoch.

    Every slot is retired, wherever it lies and whatever is known of it, but for those to keep.
    What is kept must be open, stays where it is, and must not be in the composition: kept cards
    and new deck together are the cards that were there before. A coin may ride along: it costs no
    time of its own.
    """

    composition: Composition
    into: Zone
    keep: tuple[SlotId, ...] = ()
    coin: Coin | None = None


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Take these cards back, open or hidden, and shuffle them in behind those of a zone.

    The old slots are retired. The cards that lie in the zone already are not mixed with these.
    """

    slots: tuple[SlotId, ...]
    into: Zone


@dataclass(frozen=True, slots=True)
class Move:
    """Let slots lie behind those of another zone, in this order."""

    slots: tuple[SlotId, ...]
    to: Zone


@dataclass(frozen=True, slots=True)
class Show:
    """Let these seats see these slots; without seats, let everybody.

    What all seats of the game may see is open to everybody.
    """

    slots: tuple[SlotId, ...]
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose:
    """Let the seats of these zones choose a slot each from their own zone, all before any is known.

    Every seat chooses by an action of this kind, at its own time. Naming a slot is as good as a
    sealed envelope where its seat alone has been shown what lies there, so that must be the case
    for the whole zone. Nothing is opened or moved: a game has what was chosen in its state, and
    asks for a `Show` of it next. The purpose names the choice among others.
    """

    purpose: str
    kind: str
    zones: tuple[Zone, ...]

    @property
    def asked(self) -> tuple[tuple[Seat, Zone], ...]:
        """The seats that are asked, each with its zone, in their order."""
        return tuple((zone.seat, zone) for zone in self.zones if zone.seat is not None)


@dataclass(frozen=True, slots=True)
class Compare:
    """Tell everybody whether these slots have one face, and nothing else about them.

    Some seat of the game must have seen all of them; it proves the verdict, so that whoever has
    not seen them, their owner above all, need not believe anybody.
    """

    slots: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class Acks:
    """Go on when every seat has sealed that it has taken notice; nothing else is due.

    For games in which nobody may act before everybody has been told, where no other effect makes
    the seats seal a step.
    """


JOINT_EFFECTS = (NewDeck, Reshuffle, Coin, Show, Compare, Acks)
"""Effects that take steps of the table. While one is awaited, a seat can be left out; all that
stands before it is done then, and it and all that follows is never carried out."""

ASKING_EFFECTS = (Choose,)
"""Effects that take steps of the table like those, and await what players decide."""

Effect: TypeAlias = NewDeck | Reshuffle | Coin | Show | Compare | Acks | Choose | Move

EFFECTS: Final[tuple[type[Effect], ...]] = get_args(Effect)
"""All kinds of effects."""

Result: TypeAlias = tuple[SlotId, ...] | int | bool | None
"""What an effect comes to; a deck with a coin gives its slots, and the coin is in `Outcome`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a transition's effects, one for each, and those of coins by their purpose."""

    results: tuple[Result, ...]
    coins: tuple[tuple[str, int], ...] = ()

    def slots(self, index: int) -> tuple[SlotId, ...]:
        """Return the slots that the effect at an index made."""
        made = self.results[index]
        assert isinstance(made, tuple), "the effect makes slots"
        return made

    def verdict(self, index: int) -> bool:
        """Return whether the slots that the effect at an index has compared have one face."""
        told = self.results[index]
        assert isinstance(told, bool), "the effect compares slots"
        return told

    def coin(self, purpose: str) -> int:
        """Return how a coin fell."""
        return dict(self.coins)[purpose]

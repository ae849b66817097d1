"""The queue of a table: the effects that rules have asked for, and how far they are carried out.

Rules return effects; some of them take joint steps of all seats. `STEPS` says which, in order:

    effect       steps
    NewDeck      keys, shuffle, mask
    Reshuffle    shuffle, mask
    Coin         commit, open
    Show         release
    Compare      verdict
    Acks         acks
    Choose       choose
    Move         none: it is done at once

A coin that rides along with a new deck is committed with the keys and opened with the masks. Shows
that stand next to one another are one release. While the queue is not empty, its head is due and
nobody has a turn.

A `Program` is the queue as data: the effects still to be carried out, the step of the first one,
and what the effects before it have come to. It is part of the state that all seats hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, assert_never

from nodealer.cards import Zone
from nodealer.games.effects import (
    Acks,
    Choose,
    Coin,
    Compare,
    Effect,
    Move,
    NewDeck,
    Outcome,
    Reshuffle,
    Result,
    Show,
)
from nodealer.kernel import Seat, SlotId, Value, changed


class Joint(Enum):
    """A due step that an effect takes; the value names the part of it that seats owe."""

    KEYS = "keys"
    SHUFFLE = "shuffle"
    MASK = "mask"
    COMMIT = "commit"
    OPEN = "open"
    RELEASE = "release"
    VERDICT = "verdict"
    ACKS = "acks"
    CHOOSE = "choose"


STEPS: Final[Mapping[type[Effect], tuple[Joint, ...]]] = MappingProxyType(
    {
        NewDeck: (Joint.KEYS, Joint.SHUFFLE, Joint.MASK),
        Reshuffle: (Joint.SHUFFLE, Joint.MASK),
        Coin: (Joint.COMMIT, Joint.OPEN),
        Show: (Joint.RELEASE,),
        Compare: (Joint.VERDICT,),
        Acks: (Joint.ACKS,),
        Choose: (Joint.CHOOSE,),
        Move: (),
    }
)
"""The joint steps of every effect, in order."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A coin under way: the label that its commitments were made under, and these, by seat."""

    label: bytes
    commitments: tuple[tuple[Seat, bytes], ...]


@dataclass(frozen=True)
class Program:
    """Effects to be carried out, from the first on; `step` is that of the first, if it has one."""

    effects: tuple[Effect, ...] = ()
    step: Joint | None = None
    committed: Committed | None = None
    results: tuple[Result, ...] = ()
    coins: tuple[tuple[str, int], ...] = ()

    @property
    def head(self) -> Effect | None:
        """The effect under way."""
        return self.effects[0] if self.effects else None

    @property
    def shows(self) -> tuple[Show, ...]:
        """The shows at the head; they are one release."""
        count = 0
        while count < len(self.effects) and isinstance(self.effects[count], Show):
            count += 1
        return tuple(effect for effect in self.effects[:count] if isinstance(effect, Show))

    @property
    def coin(self) -> Coin | None:
        """The coin that the effect under way throws."""
        if isinstance(self.head, NewDeck):
            return self.head.coin
        return self.head if isinstance(self.head, Coin) else None

    @property
    def asking(self) -> Choose:
        """The choice under way."""
        assert isinstance(self.head, Choose), "somebody is asked"
        return self.head

    @property
    def compared(self) -> tuple[SlotId, ...]:
        """The slots of the comparison under way."""
        assert isinstance(self.head, Compare), "slots are compared"
        return self.head.slots

    def begun(self) -> Program:
        """Return the program at the first step of its head."""
        assert self.head is not None, "there is something to begin"
        return changed(self, step=STEPS[type(self.head)][0])

    def next_step(self) -> Joint | None:
        """Return the step after the present one, if the head has another."""
        assert self.head is not None, "something is under way"
        assert self.step is not None, "it has begun"
        steps = STEPS[type(self.head)]
        after = steps.index(self.step) + 1
        return steps[after] if after < len(steps) else None

    def done(self, *results: Result) -> Program:
        """Return the program after as many effects as there are results."""
        return changed(
            self,
            effects=self.effects[len(results) :],
            step=None,
            committed=None,
            results=(*self.results, *results),
        )

    def fallen(self, number: int) -> Program:
        """Return the program once the coin under way has fallen."""
        assert self.coin is not None, "there is a coin"
        return changed(self, coins=(*self.coins, (self.coin.purpose, number)))

    def outcome(self) -> Outcome:
        """Return what the rules get once all effects are carried out."""
        return Outcome(self.results, self.coins)

    def value(self) -> Value:
        """Return the queue as it is hashed."""
        step = None if self.step is None else self.step.value
        effects = tuple(_effect_value(effect) for effect in self.effects)
        made = self.committed
        committed = None if made is None else (made.label, made.commitments)
        return (step, effects, committed, self.results, self.coins)


def _effect_value(effect: Effect) -> Value:
    match effect:
        case NewDeck(composition, into, keep, coin):
            thrown = None if coin is None else _effect_value(coin)
            value: Value = ("new-deck", composition.faces, zone_value(into), keep, thrown)
        case Reshuffle(slots, into):
            value = ("reshuffle", slots, zone_value(into))
        case Coin(purpose, sides):
            value = ("coin", purpose, sides)
        case Move(slots, to):
            value = ("move", slots, zone_value(to))
        case Show(slots, seats):
            value = ("show", slots, seats)
        case Compare(slots):
            value = ("compare", slots)
        case Choose(purpose, kind, zones):
            value = ("choose", purpose, kind, tuple(zone_value(zone) for zone in zones))
        case Acks():
            value = ("acks",)
        case _:
            assert_never(effect)
    return value


def zone_value(zone: Zone) -> Value:
    """Return a zone as it is hashed."""
    return (zone.name, zone.seat)

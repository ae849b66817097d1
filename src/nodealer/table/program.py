"""The queue of a table: the effects that rules have asked for, and how far they are carried out.

Rules return effects. Which joint steps of all seats each of them takes, in which order, stands in
`operations`. While the queue is not empty, its head is due and nobody has a turn.

A `Program` is the queue as data: the effects still to be carried out, the step of the first one,
and what the effects before it have come to. It is part of the state that all seats hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import takewhile
from types import MappingProxyType
from typing import Final, TypeVar, cast

from nodealer.cards import Composition, Zone
from nodealer.games import EFFECTS, Action, Effect, Outcome, Result, encode_named
from nodealer.kernel import Seat, Value, changed

EffectT = TypeVar("EffectT", bound=Effect)


@dataclass(frozen=True, slots=True)
class Committed:
    """A coin under way: the label that its commitments were made under, and these, by seat."""

    label: bytes
    commitments: tuple[tuple[Seat, bytes], ...]


@dataclass(frozen=True)
class Program:
    """Effects to be carried out, from the first on; `step` is the word of the one that is due."""

    effects: tuple[Effect, ...] = ()
    step: str | None = None
    committed: Committed | None = None
    results: tuple[Result, ...] = ()
    coins: tuple[tuple[str, int], ...] = ()

    @property
    def head(self) -> Effect | None:
        """The effect under way."""
        return self.effects[0] if self.effects else None

    def under_way(self, kind: type[EffectT]) -> EffectT:
        """Return the effect under way, which is of this kind."""
        assert isinstance(self.head, kind), f"a {kind.__name__} is under way"
        return self.head

    def neighbours(self, kind: type[EffectT]) -> tuple[EffectT, ...]:
        """Return the effects of this kind at the head of the queue."""
        alike = takewhile(lambda effect: isinstance(effect, kind), self.effects)
        return tuple(effect for effect in alike if isinstance(effect, kind))

    def done(self, *results: Result) -> Program:
        """Return the program after as many effects as there are results."""
        return changed(
            self,
            effects=self.effects[len(results) :],
            step=None,
            committed=None,
            results=(*self.results, *results),
        )

    def fallen(self, purpose: str, number: int) -> Program:
        """Return the program once a coin under way has fallen."""
        return changed(self, coins=(*self.coins, (purpose, number)))

    def outcome(self) -> Outcome:
        """Return what the rules get once all effects are carried out."""
        return Outcome(self.results, self.coins)

    def value(self) -> Value:
        """Return the queue as it is hashed."""
        effects = tuple(map(effect_value, self.effects))
        made = self.committed
        committed = None if made is None else (made.label, made.commitments)
        results = tuple(map(_result_value, self.results))
        return (self.step, effects, committed, results, self.coins)


def effect_value(effect: Effect) -> Value:
    """Return an effect as it is hashed: the name of its class in small letters, then its fields.

    A field that can be given by its name alone is there where it is not as it mostly is.
    """
    values = [_field_value(getattr(effect, name)) for name in effect.__match_args__]
    unusual = [
        _field_value(getattr(effect, one.name))
        for one in fields(effect)
        if one.kw_only and getattr(effect, one.name) != one.default
    ]
    return (_NAMES[type(effect)], *values, *unusual)


def zone_value(zone: Zone) -> Value:
    """Return a zone as it is hashed."""
    return (zone.name, zone.seat)


def _result_value(result: Result) -> Value:
    if isinstance(result, tuple):
        return tuple([encode_named(one) if isinstance(one, Action) else one for one in result])
    return result


_NAMES: Final[Mapping[type[Effect], str]] = MappingProxyType(
    {kind: re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower() for kind in EFFECTS}
)


def _field_value(item: object) -> Value:
    if type(item) is tuple:
        is_plain = not item or type(item[0]) is int
        return cast("Value", item) if is_plain else tuple([_field_value(one) for one in item])
    if isinstance(item, Zone):
        return zone_value(item)
    if isinstance(item, Composition):
        return item.faces
    if type(item) in _NAMES:
        return effect_value(cast("Effect", item))
    return cast("Value", item)

"""The tables on which a game is tried: option values so that every pair of them meets once.

Not all values go together, with any number of seats. Where a set of values is refused, its pairs
are tried again one by one, each with the first other values that it goes with, defaults first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, product

from nodealer.games.api import Option, Options
from nodealer.games.base import AnyGame
from nodealer.games.registry import resolve
from nodealer.kernel import LocalError

OptionValue = int | str | bool
Pair = tuple[str, OptionValue, str, OptionValue]


def option_tables(game: AnyGame, seats: int) -> list[Options]:
    """Return sets of options that the game takes: the defaults first, then until all pairs met."""
    rows = option_rows(game.options)
    resolved = [options for row in rows for options in _resolved(game, seats, row)]
    waiting = {pair for row in rows for pair in _met(row)}
    for options in resolved:
        waiting -= _met(options)
    for pair in sorted(waiting, key=repr):
        if pair in waiting:
            found = next(_completed(game, seats, pair), None)
            if found is not None:
                resolved.append(found)
                waiting -= _met(found)
    return resolved


def _resolved(game: AnyGame, seats: int, row: Mapping[str, OptionValue]) -> Iterator[Options]:
    """Return the options of a table if these go together, or nothing."""
    with suppress(LocalError):
        yield resolve(game, seats, row)


def _completed(game: AnyGame, seats: int, pair: Pair) -> Iterator[Options]:
    """Return all options of tables in which these two values meet."""
    one, value, other, other_value = pair
    fixed = {one: value, other: other_value}
    names = [option.name for option in game.options]
    tried = [
        (fixed[option.name],) if option.name in fixed else _usual_first(option)
        for option in game.options
    ]
    for values in product(*tried):
        yield from _resolved(game, seats, dict(zip(names, values, strict=True)))


def _usual_first(option: Option) -> tuple[OptionValue, ...]:
    others = (value for value in values_tried(option) if value != option.default)
    return (option.default, *others)


def option_rows(options: Sequence[Option]) -> list[dict[str, OptionValue]]:
    """Return sets of values in which every pair of values of two options occurs."""
    rows: list[dict[str, OptionValue]] = [{option.name: option.default for option in options}]
    values = {option.name: values_tried(option) for option in options}
    if len(options) == 1:
        (name,) = values
        return rows + [{name: value} for value in values[name] if value != options[0].default]
    waiting = _pairs(values) - _met(rows[0])
    while waiting:
        row = _row(values, waiting)
        waiting -= _met(row)
        rows.append(row)
    return rows


def values_tried(option: Option) -> tuple[OptionValue, ...]:
    """Return the values of an option that are tried; of numbers the ends and the default."""
    if isinstance(option.default, bool):
        return (False, True)
    if isinstance(option.default, int):
        return tuple(sorted({option.minimum, option.default, option.maximum}))
    return option.choices or (option.default, *option.examples)


def _row(values: dict[str, tuple[OptionValue, ...]], waiting: set[Pair]) -> dict[str, OptionValue]:
    """Return a set of values with one pair that waits, and greedily many others."""
    one, value, other, other_value = min(waiting, key=repr)
    row = {one: value, other: other_value}
    for name, tried in values.items():
        if name not in row:
            row[name] = max(tried, key=lambda item: len(_met({**row, name: item}) & waiting))
    return row


def _pairs(values: dict[str, tuple[OptionValue, ...]]) -> set[Pair]:
    return {
        (one, value, other, other_value)
        for one, other in combinations(sorted(values), 2)
        for value in values[one]
        for other_value in values[other]
    }


def _met(row: Mapping[str, OptionValue]) -> set[Pair]:
    return {(one, row[one], other, row[other]) for one, other in combinations(sorted(row), 2)}

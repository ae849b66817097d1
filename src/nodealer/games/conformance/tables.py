"""The tables on which a game is tried: option values so that every pair of them meets once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from nodealer.games.api import AnyGame, Option, Options
from nodealer.games.registry import resolve
from nodealer.kernel import LocalError

OptionValue = int | str | bool
Pair = tuple[str, OptionValue, str, OptionValue]


def option_tables(game: AnyGame, seats: int) -> list[Options]:
    """Return sets of options that the game takes: the defaults first, then until all pairs met."""
    resolved: list[Options] = []
    for row in option_rows(game.options):
        try:
            resolved.append(resolve(game, seats, row))
        except LocalError:
            continue  # these do not go together
    return resolved


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
    return option.choices


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


def _met(row: dict[str, OptionValue]) -> set[Pair]:
    return {(one, row[one], other, row[other]) for one, other in combinations(sorted(row), 2)}

"""Statements over a toy group as tables of small numbers, in which every witness can be tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from nodealer.crypto import Group, Point, Statement

Row = tuple[int, tuple[tuple[int, int], ...]]


def log(point: Point) -> int:
    """Return the discrete logarithm of a point of a toy group, which stands in its encoding."""
    return int.from_bytes(point.encode()[1:], "big")


def table(group: Group, statement: Statement) -> list[Row]:
    """Return for each equation its target and (witness, factor) of each term."""
    return [
        (
            log(equation.target_point(group)),
            tuple((term.witness, term.coefficient * log(term.base)) for term in equation.terms),
        )
        for equation in statement.equations
    ]


def value(row: Row, witness: Sequence[int]) -> int:
    """Return what the right side of an equation amounts to."""
    return sum(factor * witness[index] for index, factor in row[1])


def solves(q: int, rows: list[Row], witness: Sequence[int]) -> bool:
    """Return whether the witness satisfies all equations."""
    return all((value(row, witness) - row[0]) % q == 0 for row in rows)


def is_satisfiable(group: Group, statement: Statement) -> bool:
    """Return whether any witness at all satisfies the statement, by trying every one."""
    q = group.order
    rows = table(group, statement)
    every = product(range(q), repeat=len(statement.witnesses))
    return any(solves(q, rows, witness) for witness in every)


def sample(q: int, width: int, count: int) -> Iterator[tuple[int, ...]]:
    """Return all rows of `width` numbers below q, or `count` of them spread evenly if too many."""
    total = q**width
    step = max(1, total * 618 // 1000)
    while step % q == 0:
        step += 1
    for i in range(min(count, total)):
        number = i * step % total
        yield tuple(number // q**place % q for place in range(width))

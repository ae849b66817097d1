"""Two different statements never put the same bytes into the hash.

The commitments of a proof depend on the statement as well, so most of this is a second lock. It is
the one that holds when two statements have the same solutions.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from nodealer.crypto import SECP256K1, Equation, Point, ProofTranscript, Statement, Sum, Term
from tests.crypto.shapes import Shape
from tests.crypto.test_sigma_tamper import free_values, statements_changed
from tests.crypto.tools import G, Q
from tests.crypto.view_shapes import SHAPES

O = SECP256K1.identity  # noqa: E741 - the letter that the specs use
A, B, C = 2 * G, 3 * G, 5 * G


def absorbed(statement: Statement) -> bytes:
    transcript = ProofTranscript(SECP256K1, b"")
    statement.absorb_into(transcript)
    return transcript.digest()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_every_change_of_a_statement_changes_what_is_hashed(shape: Shape) -> None:
    logs, _ = shape.at(Q, free_values(shape))
    statement = shape.statement(SECP256K1, logs)
    others = {other for other in statements_changed(statement) if other != statement}
    digests = {absorbed(other) for other in others}
    assert absorbed(statement) not in digests
    assert len(digests) == len(others)


def of(*equations: Equation, names: tuple[str, ...] = ("x", "y")) -> Statement:
    return Statement(names, equations)


def plus(*points: Point) -> Sum:
    return Sum(tuple((1, point) for point in points))


ALIKE = [
    of(),
    of(names=("x",)),
    of(names=("xy",)),
    of(names=("x", "y", "z")),
    of(names=("x", "yz")),
    # Where one sum ends and the next begins.
    of(Equation(A, ()), Equation(plus(B, C), ())),
    of(Equation(plus(A, B), ()), Equation(C, ())),
    of(Equation(plus(A, B, C), ())),
    of(Equation(A, ()), Equation(B, ()), Equation(C, ())),
    # Where the terms of one equation end and the next begins.
    of(Equation(A, (Term(1, B),)), Equation(C, ())),
    of(Equation(A, ()), Equation(B, (Term(1, C),))),
    of(Equation(A, (Term(1, B), Term(1, C)))),
    # Where the target ends and the terms begin.
    of(Equation(plus(A, B), (Term(0, C),))),
    of(Equation(A, (Term(0, B), Term(0, C)))),
    of(Equation(A, (Term(0, B), Term(1, C)))),
    of(Equation(A, (Term(1, B), Term(0, C)))),
    # O is one byte and takes part like every other point.
    of(Equation(O, ())),
    of(Equation(plus(), ())),
    of(Equation(plus(O, O), ())),
    of(Equation(O, ()), Equation(O, ())),
    of(Equation(O, (Term(0, O),))),
    of(Equation(O, (Term(0, O), Term(0, O)))),
    of(Equation(A, (Term(0, O),))),
    of(Equation(O, (Term(0, A),))),
    # Coefficients.
    of(Equation(A, (Term(0, B, 2),))),
    of(Equation(A, (Term(0, B, 0),))),
    of(Equation(A, (Term(0, B, Q - 1),))),
    of(Equation(A, (Term(0, B, 256),))),
    of(Equation(Sum(((2, A),)), (Term(0, B),))),
    of(Equation(A, (Term(0, B),))),
    of(Equation(A, (Term(256, B),))),
]


def test_statements_that_might_be_mistaken_for_each_other_are_not() -> None:
    for one, other in combinations(ALIKE, 2):
        assert one != other
        assert absorbed(one) != absorbed(other)


def test_one_point_and_the_sum_of_one_point_are_the_same() -> None:
    term = (Term(0, B),)
    assert absorbed(of(Equation(A, term))) == absorbed(of(Equation(plus(A), term)))
    assert Equation(plus(A), term).target_point(SECP256K1) == A
    assert Equation(plus(A, B, -A), term).target_point(SECP256K1) == B
    assert Equation(Sum(((3, A), (Q - 1, B))), term).target_point(SECP256K1) == B


def test_more_than_two_bytes_can_count_is_not_written() -> None:
    with pytest.raises(OverflowError):
        absorbed(of(Equation(A, (Term(1 << 16, B),))))

"""No equation of a relation can be left out.

For every equation of every relation there is a lie that keeps all the others. Here each lie is
told: the attacker builds the statement as the verifier would, with false points, takes witnesses
that satisfy every equation but the named one, and runs the prover. The proof must be void. If the
named equation were missing, on both sides, the same proof would convince everybody.

What each lie would be good for stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from nodealer.crypto import Point, ProofTranscript, Statement, prove, relations, verify
from nodealer.crypto.relations import SlotView
from nodealer.kernel import Reason
from tests.attacks.tools import GROUP, G, Q, attacker_nonces, nowhere, refused, scalars


@dataclass(frozen=True)
class Lie:
    """A false statement, and witnesses that satisfy all of it but one equation."""

    statement: Statement
    witness: Sequence[int]


def key_of_others(_: int) -> Lie:
    """Equation 0: a key made from those of the other seats, its secret known to nobody."""
    return Lie(relations.key(GROUP, nowhere("X")), scalars(count=1))


def share(false: int) -> Lie:
    """Equation 0: the share of another layer. 1: any share, which shows any face wanted."""
    (k, other), E = scalars(count=2), nowhere("E")
    L = (other if false == 0 else k) * G
    S = nowhere("S") if false == 1 else k * E
    return Lie(relations.share(GROUP, L, E, S), [k])


def seal(false: int) -> Lie:
    """Equation 0: a share of no layer: the viewer sees a chosen wrong face.

    Equation 1: a U whose exponent nobody knows, such as that of a victim. 2: an unreadable V.
    """
    (k, rho, other), E, Y = scalars(count=3), nowhere("E"), nowhere("Y")
    L = (other if false == 0 else k) * G
    U = nowhere("U") if false == 1 else rho * G
    V = k * E + rho * Y + (nowhere("V") if false == 2 else GROUP.identity)
    return Lie(relations.seal(GROUP, L, E, U, [(Y, V)]), [k, rho])


def handover(false: int) -> Lie:
    """Equation 0: the card of another layer. 1: the E of a victim's slot. 2: another card."""
    (k, rho, other), E, N, P = scalars(count=3), nowhere("E"), nowhere("N"), nowhere("P")
    L = (other if false == 0 else k) * G
    Ep = nowhere("E of a victim") if false == 1 else rho * G
    Mp = N + rho * P - k * E + (nowhere("card") if false == 2 else GROUP.identity)
    return Lie(relations.handover(GROUP, L, E, N, Ep, Mp, P), [k, rho])


def exchange(false: int) -> Lie:
    """Equation 0: a new key whose secret nobody knows. 1: a change that swaps the card."""
    (d, weight), E, old = scalars(count=2), nowhere("E"), nowhere("L")
    new = nowhere("L'") if false == 0 else old + d * G
    delta = nowhere("delta") if false == 1 else d * E
    return Lie(relations.exchange(GROUP, [(old, new)], [E], [delta], [weight]), [d])


def face(false: int) -> Lie:
    """Equation 0: the face that another key would show. 1: any face."""
    (k, other), E, C = scalars(count=2), nowhere("E"), nowhere("C")
    L = (other if false == 0 else k) * G
    N = nowhere("N") if false == 1 else C + k * E
    return Lie(relations.face(GROUP, L, E, N, C), [k])


def absent(false: int) -> Lie:
    """The hand *has* the face. Equation 0: any T. 1: a T made with a wrong gamma."""
    (k, beta, gamma), E, C = scalars(count=3), nowhere("E"), nowhere("C")
    N = C + k * E
    if false == 0:
        T, gamma = nowhere("T"), beta * k % Q
    else:
        T = beta * (N - C) - gamma * E
    return Lie(relations.absent(GROUP, [(k * G, E, N)], C, [T]), [beta, gamma])


def view_face(false: int) -> Lie:
    """Equation 0: another seat's view. 1: another layer's part. 2: another face."""
    (y, k, other), E, W, C = scalars(count=3), nowhere("E"), nowhere("W"), nowhere("C")
    Y = (other if false == 0 else y) * G
    L = (other if false == 1 else k) * G
    Q_ = C - y * W + k * E + (nowhere("face") if false == 2 else GROUP.identity)
    return Lie(relations.view_face(GROUP, Y, SlotView(E, Q_, W, L), C), [y, k])


def view_face_of_a_guest(false: int) -> Lie:
    """As before, by a viewer without a layer of its own."""
    (y, other), E, W, C = scalars(count=2), nowhere("E"), nowhere("W"), nowhere("C")
    Y = (other if false == 0 else y) * G
    Q_ = C - y * W + (nowhere("face") if false == 1 else GROUP.identity)
    return Lie(relations.view_face(GROUP, Y, SlotView(E, Q_, W, None), C), [y])


def seen(name: str, y: int, k: int, key: int, face: Point) -> SlotView:
    """Return a view of a face by a viewer whose layer k is declared to have the key of `key`."""
    E, W = nowhere("E", name), nowhere("W", name)
    return SlotView(E, face - y * W + k * E, W, key * G)


def equal(false: int) -> Lie:
    """Equation 0: another seat's view. 1, 2: another layer's part. 3: unequal cards."""
    (y, first, second, other), C = scalars(count=4), nowhere("C")
    Y = (other if false == 0 else y) * G
    one = seen("one", y, first, other if false == 1 else first, C)
    D = nowhere("D") if false == 3 else C
    two = seen("two", y, second, other if false == 2 else second, D)
    return Lie(relations.equal(GROUP, Y, [one, two]), [y, first, second])


def not_equal(false: int) -> Lie:
    """The cards *are* equal. Equation 0: any T. 1, 2, 3: a T made with a wrong product."""
    (y, first, second, beta, w), C = scalars(count=5), nowhere("C")
    one, two = seen("one", y, first, first, C), seen("two", y, second, second, C)
    witness = [beta, beta * y % Q, beta * first % Q, beta * second % Q]
    if false == 0:
        T = nowhere("T")
    else:
        witness[false] += 1
        xi, kappa1, kappa2 = witness[1:]
        Qs, Ws = two.Q - one.Q, two.W - one.W
        T = w * (beta * Qs + xi * Ws - kappa2 * two.E + kappa1 * one.E)
    return Lie(relations.not_equal(GROUP, y * G, [one, two], [w], T), witness)


LIES: dict[str, tuple[Callable[[int], Lie], int]] = {
    # Each relation with the number of equations that it has here.
    "key": (key_of_others, 1),
    "share": (share, 2),
    "seal": (seal, 3),
    "handover": (handover, 3),
    "exchange": (exchange, 2),
    "face": (face, 2),
    "absent": (absent, 2),
    "view_face": (view_face, 3),
    "view_face_of_a_guest": (view_face_of_a_guest, 2),
    "equal": (equal, 4),
    "not_equal": (not_equal, 4),
}

CASES = [
    pytest.param(name, false, id=f"{name}-{false}")
    for name, (_, equations) in LIES.items()
    for false in range(equations)
]


@pytest.mark.parametrize(("name", "false"), CASES)
def test_a_lie_that_breaks_one_equation_is_refused(name: str, false: int) -> None:
    lie = LIES[name][0](false)
    proof = prove(
        GROUP, ProofTranscript(GROUP, b"lie"), lie.statement, lie.witness, attacker_nonces()
    )
    with refused(Reason.PROOF_FACE):
        verify(GROUP, ProofTranscript(GROUP, b"lie"), lie.statement, proof, Reason.PROOF_FACE)


@pytest.mark.parametrize(("name", "false"), CASES)
def test_the_lie_breaks_that_equation_only(name: str, false: int) -> None:
    lie = LIES[name][0](false)
    broken = [
        index
        for index, equation in enumerate(lie.statement.equations)
        if equation.target_point(GROUP)
        != GROUP.total(
            (term.coefficient * lie.witness[term.witness]) * term.base for term in equation.terms
        )
    ]
    assert broken == [false]
    assert len(lie.statement.equations) == LIES[name][1]


# Of the other relations the claim itself is the lie.
@pytest.mark.parametrize("name", sorted(LIES.keys() - {"key", "absent", "not_equal"}))
def test_the_same_statement_without_a_lie_is_accepted(name: str) -> None:
    build, beyond = LIES[name]
    honest = build(beyond)
    proof = prove(
        GROUP, ProofTranscript(GROUP, b""), honest.statement, honest.witness, attacker_nonces()
    )
    verify(GROUP, ProofTranscript(GROUP, b""), honest.statement, proof, Reason.PROOF_FACE)

"""No equation may be dropped, and none merged that must stay alone.

For every relation and each of its equations there is a claim that is false, whose author satisfies
all the other equations. A verifier that has lost this equation accepts it; the real one refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from nodealer.crypto import (
    SECP256K1,
    Equation,
    ProofTranscript,
    Statement,
    Term,
    prove,
    relations,
    toy_group,
    verify,
)
from nodealer.kernel import PeerError, Reason
from tests.crypto.shapes import Logs, Shape, absent, exchange, handover
from tests.crypto.tools import G, Q, chosen, nonces, refused
from tests.crypto.toy_algebra import is_satisfiable, sample, solves, table
from tests.crypto.view_shapes import SHAPES

CONTEXT = b"here"


def free_logs(shape: Shape) -> Logs:
    return {name: chosen(shape.name, name) for name in shape.free}


CASES = [
    pytest.param(shape, dropped, id=f"{shape.name}-{dropped}")
    for shape in SHAPES
    for dropped in range(len(shape.forgeries(Q, free_logs(shape))))
]


def passes(statement: Statement, witness: Sequence[int], reason: Reason) -> bool:
    """Return whether a prover with this witness convinces a verifier of this statement."""
    here, there = ProofTranscript(SECP256K1, CONTEXT), ProofTranscript(SECP256K1, CONTEXT)
    proof = prove(SECP256K1, here, statement, witness, nonces())
    found = None
    try:
        verify(SECP256K1, there, statement, proof, reason)
    except PeerError as error:
        found = error.reason
    assert found in (None, reason)
    return found is None


def without(statement: Statement, dropped: int) -> Statement:
    kept = statement.equations[:dropped] + statement.equations[dropped + 1 :]
    return replace(statement, equations=kept)


def test_the_forgeries_cover_every_equation_of_every_relation() -> None:
    for shape in SHAPES:
        logs = free_logs(shape)
        statement = shape.statement(SECP256K1, shape.honest(Q, logs)[0])
        assert len(shape.forgeries(Q, logs)) == len(statement.equations)


@pytest.mark.parametrize(("shape", "dropped"), CASES)
def test_a_false_claim_passes_once_an_equation_is_dropped(shape: Shape, dropped: int) -> None:
    logs, witness = shape.forgeries(Q, free_logs(shape))[dropped]
    statement = shape.statement(SECP256K1, logs)
    assert shape.name == "key" or not shape.truth(Q, logs)
    assert passes(without(statement, dropped), witness, shape.reason)
    assert not passes(statement, witness, shape.reason)


@pytest.mark.parametrize(("shape", "dropped"), CASES)
def test_the_dropped_equation_is_the_only_one_that_the_forger_breaks(
    shape: Shape, dropped: int
) -> None:
    """Count it in a toy group: no witness at all for the whole statement, one for the rest."""
    for order in (7, 13):
        group = toy_group(order)
        for values in sample(order, len(shape.free), 30):
            logs = dict(zip(shape.free, values, strict=True))
            claim, witness = shape.forgeries(order, logs)[dropped]
            statement = shape.statement(group, claim)
            rows = table(group, statement)
            assert solves(order, rows[:dropped] + rows[dropped + 1 :], witness)
            if order == 7 and shape.name != "key" and not shape.truth(order, claim):
                assert not is_satisfiable(group, statement)


def test_a_handed_over_card_that_is_built_on_a_victims_card_is_refused() -> None:
    """Attack A3: E' = E_victim + t G makes the receiver open somebody else's hidden card."""
    shape = handover(Reason.PROOF_TRANSFER)
    logs, (k, _) = shape.honest(Q, free_logs(shape))
    t = chosen("shift")
    victim = {"E": chosen("victim's E"), "M": chosen("victim's M")}
    stolen = {
        **logs,
        "E'": (victim["E"] + t) % Q,
        "M'": (logs["N"] - k * logs["E"] + t * logs["P"]) % Q,
    }
    statement = shape.statement(SECP256K1, stolen)
    assert passes(without(statement, 1), (k, t), shape.reason)
    assert not passes(statement, (k, t), shape.reason)


def merged(equations: Sequence[Equation], weights: Sequence[int]) -> Equation:
    """Return the weighted sum of equations, as a careless optimisation would make it."""
    parts = [
        weight * equation.target_point(SECP256K1)
        for weight, equation in zip(weights, equations, strict=True)
    ]
    terms = tuple(
        replace(term, coefficient=weight * term.coefficient % Q)
        for weight, equation in zip(weights, equations, strict=True)
        for term in equation.terms
    )
    return Equation(SECP256K1.total(parts), terms)


def test_a_card_of_the_hand_could_be_denied_if_the_equations_of_absence_were_merged() -> None:
    """The aggregation trap: one of two cards has the face; its T is paid for by the other card."""
    shape = absent(2)
    logs = free_logs(shape)
    logs = {**logs, "F0": logs["C"]}
    public, (_, _, beta1, _) = shape.honest(Q, logs)
    public = {**public, "T0": chosen("T0"), "T1": chosen("T1")}
    weights = [chosen("w", i) for i in range(2)]
    # One equation for both T, one for both O: four unknowns. Leave beta_0 and gamma_0 at will, and
    # solve for those of the card that is not the face.
    k0, k1, E0, E1 = logs["k0"], logs["k1"], logs["E0"], logs["E1"]
    difference = logs["F1"] - logs["C"]
    beta0, gamma0 = beta1, chosen("gamma0")
    w0, w1 = weights
    excess = w0 * (beta0 * k0 - gamma0)
    wanted = w0 * public["T0"] + w1 * public["T1"] - E0 * excess
    # w1 (beta1 k1 - gamma1) = -excess and w1 (beta1 difference + E1 (beta1 k1 - gamma1)) = wanted
    beta = (wanted + E1 * excess) * pow(w1 * difference, -1, Q) % Q
    gamma = (beta * k1 + excess * pow(w1, -1, Q)) % Q
    statement = shape.statement(SECP256K1, public)
    blinded, forced = statement.equations[::2], statement.equations[1::2]
    careless = replace(statement, equations=(merged(blinded, weights), merged(forced, weights)))
    witness = (beta0, gamma0, beta, gamma)
    assert not shape.truth(Q, public)
    assert passes(careless, witness, shape.reason)
    assert not passes(statement, witness, shape.reason)


@pytest.mark.parametrize("weights_known_before", [True, False])
def test_weights_of_an_exchange_must_come_after_all_points(*, weights_known_before: bool) -> None:
    """Whoever knows the weights bends two cards so that the errors cancel."""
    shape = exchange(2)
    honest, ds = shape.honest(Q, free_logs(shape))
    w0, w1 = honest["w0"], honest["w1"]
    bend = chosen("bend")
    bent = {
        **honest,
        "Z0": (honest["Z0"] + bend) % Q,
        "Z1": (honest["Z1"] - bend * w0 * pow(w1, -1, Q)) % Q,
    }
    if not weights_known_before:
        transcript = ProofTranscript(SECP256K1, CONTEXT)
        transcript.absorb_points("delta", [bent["Z0"] * G, bent["Z1"] * G])
        bent["w0"], bent["w1"] = transcript.weights("w", 2)
    assert passes(shape.statement(SECP256K1, bent), ds, shape.reason) == weights_known_before


def test_keys_of_several_slots_are_pinned_one_by_one() -> None:
    """A seat must not move the secret of one layer to another in a merged statement."""
    L0, L1, K0, K1 = (chosen(name) for name in ("L0", "L1", "K0", "K1"))
    Es, weights = [5 * G, 7 * G], [chosen("w0"), chosen("w1")]
    keys = [(L0 * G, K0 * G), (L1 * G, K1 * G)]
    swapped = ((K1 - L1) % Q, (K0 - L0) % Q)
    deltas = [d * E for d, E in zip(swapped, Es, strict=True)]
    statement = relations.exchange(SECP256K1, keys, Es, deltas, weights)
    assert not passes(statement, swapped, Reason.PROOF_CONVERT)
    with refused(Reason.PROOF_LENGTH):
        transcript = ProofTranscript(SECP256K1, CONTEXT)
        proof = prove(SECP256K1, transcript, statement, swapped, nonces())
        short = replace(proof, responses=proof.responses[:1])
        again = ProofTranscript(SECP256K1, CONTEXT)
        verify(SECP256K1, again, statement, short, Reason.PROOF_CONVERT)


def test_terms_may_share_witnesses_and_bases() -> None:
    """The engine adds up what belongs together: w B + 2 w B = 3 w B."""
    w, B = chosen("w"), chosen("B") * G
    doubled = Statement(("w",), (Equation(3 * w * B, (Term(0, B), Term(0, B, 2))),))
    assert passes(doubled, (w,), Reason.PROOF_SHARE)
    assert not passes(doubled, ((w + 1) % Q,), Reason.PROOF_SHARE)

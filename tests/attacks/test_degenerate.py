"""Attacks with points that cancel.

The identity O cannot be sent, but a seat can choose its randomness so that O appears in a statement
that an *honest* seat has to prove or check: one exponent for two seals makes a difference of two U
vanish, opposite ones a sum, one exponent for two cards handed over a difference of two E. Where the
curve library answers O with an exception, or with an abort of the process, such a seat would stop
the table or have an honest seat blamed. Here every operation goes on, and what is false stays
refused.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from nodealer.cards import hand
from nodealer.crypto import (
    AnyProof,
    Masked,
    Point,
    ProofTranscript,
    Statement,
    prove,
    prove_any,
    prove_shuffle,
    relations,
    shuffled,
    verify,
    verify_any,
    verify_shuffle,
)
from nodealer.crypto.derive import Nonces
from nodealer.deck import (
    check_absent,
    check_equal,
    check_member,
    check_not_equal,
    make_absent,
    make_equal,
    make_member,
    make_not_equal,
)
from nodealer.kernel import Reason, SlotId
from tests.attacks.tools import (
    GROUP,
    PAIRS,
    SEAT_0,
    SEAT_1,
    SEAT_2,
    G,
    Q,
    attacker_nonces,
    careless,
    held,
    moment,
    nowhere,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, mixed

O = GROUP.identity  # noqa: E741 - its name in the specs


def verdict_stands(table: Fleet, seat_faces: list[str], numbers: tuple[SlotId, ...]) -> None:
    """Have seat 1 prove what it sees of the first two slots, and refuse the opposite."""
    deck, ring, at = table.deck, table.rings[SEAT_1], moment(table)
    pair = numbers[:2]
    if seat_faces[0] == seat_faces[1]:
        check_equal(deck, at, SEAT_1, pair, make_equal(deck, ring, at, pair))
    else:
        check_not_equal(deck, at, SEAT_1, pair, make_not_equal(deck, ring, at, pair))


def test_one_exponent_for_two_seals_stops_nobody() -> None:
    table = mixed(3, PAIRS)
    numbers = table.deal(SEAT_0, 3)
    careless(table, SEAT_0)
    table.grant([(number, (SEAT_1,)) for number in numbers])
    sealed = [table.deck.slots[n].layers[SEAT_0].sealed[SEAT_1] for n in numbers]
    assert sealed[0].U - sealed[1].U == O
    faces = table.faces(SEAT_1, numbers)
    assert faces == table.faces(SEAT_0, numbers)
    for one in range(3):
        for two in range(3):
            if one != two:
                verdict_stands(table, [faces[one], faces[two]], (numbers[one], numbers[two]))
    table.reveal(SEAT_1, numbers[0])


def test_one_exponent_for_two_cards_handed_over_stops_nobody() -> None:
    table = mixed(4, PAIRS)
    numbers = table.deal(SEAT_0, 4)
    careless(table, SEAT_0)
    table.transfer(SEAT_0, numbers, SEAT_1)
    got = held(table, SEAT_1)
    assert len({table.deck.slots[number].E for number in got}) == 1
    table.grant([(got[0], (SEAT_2,)), (got[1], (SEAT_2,))])
    faces = table.faces(SEAT_1, got)
    verdict_stands(table, faces, got)
    deck, ring, at = table.deck, table.rings[SEAT_1], moment(table)
    check_member(
        deck, at, SEAT_1, got[2], ("a", "b"), make_member(deck, ring, at, got[2], ("a", "b"))
    )
    table.restack(SEAT_1)
    table.reveal(SEAT_1, held(table, SEAT_1)[0])
    rest = held(table, SEAT_1)[1:]
    table.gather(rest)
    table.mix()


def test_a_claim_about_cards_with_one_exponent_stands() -> None:
    table = mixed(2, PAIRS)
    table.deal(SEAT_0, 4)
    faces = table.faces(SEAT_0, held(table, SEAT_0))
    keep, other = ("a", "b") if faces.count("a") >= 2 else ("b", "a")
    chosen = [n for n, f in zip(held(table, SEAT_0), faces, strict=True) if f == keep]
    careless(table, SEAT_0)
    table.transfer(SEAT_0, chosen, SEAT_1)
    deck, ring, at = table.deck, table.rings[SEAT_1], moment(table)
    part = make_absent(deck, ring, at, hand(SEAT_1), other)
    check_absent(deck, at, SEAT_1, hand(SEAT_1), other, part)


def test_seals_that_cancel_leave_a_view_that_still_proves() -> None:
    y, k, rho = scalars(count=3)
    E, C, Y = nowhere("E"), nowhere("C"), y * G
    Us = [rho * G, (Q - rho) * G]
    W = GROUP.total(Us)
    assert W == O
    view = relations.SlotView(E, C + k * E, W, k * G)
    for face, true in ((C, True), (nowhere("other"), False)):
        statement = relations.view_face(GROUP, Y, view, face)
        proof = prove(GROUP, ProofTranscript(GROUP, b""), statement, [y, k], attacker_nonces())
        if true:
            verify(GROUP, ProofTranscript(GROUP, b""), statement, proof, Reason.PROOF_VIEW_FACE)
        else:
            with refused(Reason.PROOF_VIEW_FACE):
                verify(GROUP, ProofTranscript(GROUP, b""), statement, proof, Reason.PROOF_VIEW_FACE)


def test_a_shuffle_with_randomness_that_cancels_is_judged_as_any_other() -> None:
    key, fresh = nowhere("key"), scalars(count=2)
    before = [Masked(nowhere("E", i), nowhere("M", i)) for i in range(2)]
    after = shuffled(GROUP, key, before, [1, 0], fresh)

    def cancelling(digest: bytes, witness: object) -> Nonces:
        del digest, witness
        return lambda index: 5 if index % 2 else Q - 5

    proof = prove_shuffle(
        GROUP, ProofTranscript(GROUP, b""), key, before, after, [1, 0], fresh, cancelling
    )
    generators = [GROUP.hash_to_point("nodealer/1/tw-gen", index) for index in (1, 2)]
    assert GROUP.total(proof.c) - GROUP.total(generators) == O
    verify_shuffle(GROUP, ProofTranscript(GROUP, b""), key, before, after, proof)


def branches() -> list[Statement]:
    (k,) = scalars("branch", count=1)
    E = nowhere("E")
    return [
        relations.face(GROUP, k * G, E, nowhere("C") + k * E, C)
        for C in (nowhere("other"), nowhere("C"))
    ]


@pytest.mark.parametrize("column", [0, 1])
def test_a_branch_with_challenge_or_response_zero_is_judged_as_any_other(column: int) -> None:
    (k,) = scalars("branch", count=1)

    def zero(digest: bytes, witness: object) -> Nonces:
        inner = attacker_nonces()(digest, [1])
        del witness
        return lambda index: 0 if index == column else inner(index)

    proof = prove_any(GROUP, ProofTranscript(GROUP, b""), branches(), 1, [k], zero)
    challenge, responses = proof.branches[0]
    assert (challenge, *responses)[column] == 0
    verify_any(GROUP, ProofTranscript(GROUP, b""), branches(), proof, Reason.PROOF_MEMBER)
    with refused(Reason.PROOF_MEMBER):
        nothing = AnyProof(tuple((0, (0,)) for _ in branches()))
        verify_any(GROUP, ProofTranscript(GROUP, b""), branches(), nothing, Reason.PROOF_MEMBER)


def zero_sums() -> list[Point]:
    P = nowhere("P")
    return [0 * P, Q * P, P - P, GROUP.total([P, -P]), GROUP.linear([0], [P]), 5 * O, O + O, -O]


def test_whatever_cancels_is_the_identity() -> None:
    assert set(zero_sums()) == {O}
    assert nowhere("P") + O == nowhere("P")
    assert 0 * G == O == GROUP.times_generator(Q)


def test_an_empty_sum_does_not_end_the_process() -> None:
    program = (
        "from nodealer.crypto import SECP256K1 as g\n"
        "assert g.total([]) == g.identity == g.total([g.identity]) == g.linear([], [])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr

"""Attacks that replay: a proof is good for one table, height, parent, step, epoch, seat and claim.

A proof that is not bound to its place can be shown again elsewhere, by anybody. Every kind of proof
is made here once and then shown at places that differ in one item only; all of them must refuse it.

The second half is about the challenge. It is one hash of 128 bits over everything: a challenge that
leaves a part of the statement out lets that part be chosen *after* the challenge, and one that
comes in rounds of single bits can be ground round by round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest

from nodealer.cards import hand
from nodealer.crypto import (
    Equation,
    Proof,
    ProofTranscript,
    Statement,
    Term,
    prove,
    relations,
    verify,
)
from nodealer.crypto.sigma import _absorb_commitments
from nodealer.deck import (
    PUBLIC,
    Deck,
    ProofMoment,
    announce,
    check_absent,
    check_deck_key,
    check_equal,
    check_face,
    check_mask,
    check_member,
    check_not_equal,
    check_releases,
    check_restack,
    check_return,
    check_reveal,
    check_shuffle,
    check_transfer,
    make_absent,
    make_deck_key,
    make_equal,
    make_face,
    make_mask,
    make_member,
    make_not_equal,
    make_releases,
    make_restack,
    make_return,
    make_reveal,
    make_shuffle,
    make_transfer,
)
from nodealer.kernel import EntryId, EpochId, Height, Reason, Seat, SlotId, TableId
from tests.attacks.tools import (
    GROUP,
    PAIRS,
    SEAT_0,
    SEAT_1,
    SIX,
    G,
    attacker_nonces,
    held,
    inverse,
    moment,
    nowhere,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, fleet, hashed, mixed


@dataclass(frozen=True)
class Shown:
    """A proof that was made once: how others check it, and by which name they refuse it."""

    deck: Deck
    check: Callable[[Deck, ProofMoment], object]
    reason: Reason


def of_keys() -> Shown:
    table = fleet(2, SIX)
    part = make_deck_key(table.deck, table.rings[SEAT_0], moment(table))
    return Shown(
        table.deck, lambda deck, at: check_deck_key(deck, at, SEAT_0, part), Reason.PROOF_KEY
    )


def of_a_shuffle() -> Shown:
    table = fleet(2, SIX)
    table.keys()
    part = make_shuffle(table.deck, table.rings[SEAT_0], moment(table))
    return Shown(
        table.deck, lambda deck, at: check_shuffle(deck, at, SEAT_0, part), Reason.PROOF_SHUFFLE
    )


def of_a_mask() -> Shown:
    table = fleet(2, SIX)
    table.keys()
    table.shuffle()
    part = make_mask(table.deck, table.rings[SEAT_0], moment(table))
    return Shown(table.deck, lambda deck, at: check_mask(deck, at, SEAT_0, part), Reason.PROOF_MASK)


def dealt() -> tuple[Fleet, tuple[SlotId, ...]]:
    table = mixed(3, PAIRS)
    return table, table.deal(SEAT_0, 5)


def of_a_seal() -> Shown:
    table, numbers = dealt()
    deck = announce(table.deck, [(numbers[0], (SEAT_1,))])
    part = make_releases(deck, table.rings[SEAT_0], moment(table))
    return Shown(deck, lambda deck, at: check_releases(deck, at, SEAT_0, part), Reason.PROOF_SEAL)


def of_a_share() -> Shown:
    table, numbers = dealt()
    table.transfer(SEAT_0, numbers[:1], SEAT_1)
    deck = announce(table.deck, [(held(table, SEAT_1)[0], (PUBLIC,))])
    part = make_releases(deck, table.rings[SEAT_1], moment(table))
    return Shown(deck, lambda deck, at: check_releases(deck, at, SEAT_1, part), Reason.PROOF_SHARE)


def of_a_transfer() -> Shown:
    table, numbers = dealt()
    part = make_transfer(table.deck, table.rings[SEAT_0], moment(table), numbers[:1], SEAT_1)
    return Shown(
        table.deck,
        lambda deck, at: check_transfer(deck, at, SEAT_0, numbers[:1], SEAT_1, part),
        Reason.PROOF_TRANSFER,
    )


def of_a_return() -> Shown:
    table, _ = dealt()
    table.restack(SEAT_0)
    numbers = held(table, SEAT_0)
    part = make_return(table.deck, table.rings[SEAT_0], moment(table), numbers)
    return Shown(
        table.deck,
        lambda deck, at: check_return(deck, at, SEAT_0, numbers, part),
        Reason.PROOF_RETURN,
    )


def of_a_restack() -> Shown:
    table, _ = dealt()
    part = make_restack(table.deck, table.rings[SEAT_0], moment(table), hand(SEAT_0))
    return Shown(
        table.deck,
        lambda deck, at: check_restack(deck, at, SEAT_0, hand(SEAT_0), part),
        Reason.PROOF_CONVERT,
    )


def of_a_face() -> Shown:
    table, numbers = dealt()
    (face,) = table.faces(SEAT_0, numbers[:1])
    part = make_face(table.deck, table.rings[SEAT_0], moment(table), numbers[0], face)
    return Shown(
        table.deck,
        lambda deck, at: check_face(deck, at, SEAT_0, numbers[0], face, part),
        Reason.PROOF_FACE,
    )


def of_one_of_several_faces() -> Shown:
    table, numbers = dealt()
    faces = ("a", "b")
    part = make_member(table.deck, table.rings[SEAT_0], moment(table), numbers[0], faces)
    return Shown(
        table.deck,
        lambda deck, at: check_member(deck, at, SEAT_0, numbers[0], faces, part),
        Reason.PROOF_MEMBER,
    )


def of_an_absence() -> Shown:
    table = mixed(3, SIX)
    numbers = table.deal(SEAT_0, 3)
    missing = next(face for face in SIX.faces if face not in table.faces(SEAT_0, numbers))
    part = make_absent(table.deck, table.rings[SEAT_0], moment(table), hand(SEAT_0), missing)
    return Shown(
        table.deck,
        lambda deck, at: check_absent(deck, at, SEAT_0, hand(SEAT_0), missing, part),
        Reason.PROOF_ABSENT,
    )


def of_a_viewed_face() -> Shown:
    table, numbers = dealt()
    table.grant([(numbers[0], (SEAT_1,))])
    part = make_reveal(table.deck, table.rings[SEAT_1], moment(table), numbers[0])
    return Shown(
        table.deck,
        lambda deck, at: check_reveal(deck, at, SEAT_1, numbers[0], part),
        Reason.PROOF_VIEW_FACE,
    )


def of_equality() -> Shown:
    table, numbers = dealt()
    faces = table.faces(SEAT_0, numbers)
    pair = [n for n, face in zip(numbers, faces, strict=True) if face == faces[0]][:2]
    part = make_equal(table.deck, table.rings[SEAT_0], moment(table), pair)
    return Shown(
        table.deck,
        lambda deck, at: check_equal(deck, at, SEAT_0, pair, part),
        Reason.PROOF_EQUAL,
    )


def of_inequality() -> Shown:
    table, numbers = dealt()
    part = make_not_equal(table.deck, table.rings[SEAT_0], moment(table), numbers)
    return Shown(
        table.deck,
        lambda deck, at: check_not_equal(deck, at, SEAT_0, numbers, part),
        Reason.PROOF_NOT_EQUAL,
    )


PROOFS: dict[str, Callable[[], Shown]] = {
    "key": of_keys,
    "shuffle": of_a_shuffle,
    "mask": of_a_mask,
    "seal": of_a_seal,
    "share": of_a_share,
    "transfer": of_a_transfer,
    "return": of_a_return,
    "restack": of_a_restack,
    "face": of_a_face,
    "member": of_one_of_several_faces,
    "absent": of_an_absence,
    "view-face": of_a_viewed_face,
    "equal": of_equality,
    "not-equal": of_inequality,
}

ELSEWHERE: dict[str, Callable[[ProofMoment], ProofMoment]] = {
    "table": lambda at: replace(at, table=TableId(hashed("other table"))),
    "height": lambda at: replace(at, height=Height(at.height + 1)),
    "parent": lambda at: replace(at, parent=EntryId(hashed("other parent"))),
    "step": lambda at: replace(at, step=b"another step"),
}


@cache
def shown(name: str) -> Shown:
    """Return the proof of a kind, made once for all tests."""
    return PROOFS[name]()


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_holds_where_it_was_made(name: str) -> None:
    proof = shown(name)
    proof.check(proof.deck, moment(proof.deck))


@pytest.mark.parametrize("item", [*ELSEWHERE, "epoch"])
@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_is_void_elsewhere(name: str, item: str) -> None:
    proof, at = shown(name), moment(shown(name).deck)
    deck = proof.deck
    if item == "epoch":
        deck = replace(deck, epoch=EpochId(hashed("other epoch")))
    else:
        at = ELSEWHERE[item](at)
    with refused(proof.reason):
        proof.check(deck, at)


CONTEXTS: dict[str, tuple[EpochId, Seat, str, Sequence[SlotId]]] = {
    "same": (EpochId(bytes(32)), SEAT_0, "seal", [SlotId(1), SlotId(2)]),
    "epoch": (EpochId(hashed(1)), SEAT_0, "seal", [SlotId(1), SlotId(2)]),
    "seat": (EpochId(bytes(32)), SEAT_1, "seal", [SlotId(1), SlotId(2)]),
    "relation": (EpochId(bytes(32)), SEAT_0, "share", [SlotId(1), SlotId(2)]),
    "slots": (EpochId(bytes(32)), SEAT_0, "seal", [SlotId(1), SlotId(3)]),
    "order of slots": (EpochId(bytes(32)), SEAT_0, "seal", [SlotId(2), SlotId(1)]),
}


@pytest.mark.parametrize("item", [*ELSEWHERE, *(name for name in CONTEXTS if name != "same")])
def test_every_item_of_a_context_counts(item: str) -> None:
    at = ProofMoment(TableId(bytes(32)), Height(1), EntryId(bytes(32)), b"step")
    here = at.context(*CONTEXTS["same"])
    there = ELSEWHERE[item](at) if item in ELSEWHERE else at
    assert there.context(*CONTEXTS.get(item, CONTEXTS["same"])) != here


def test_items_of_a_context_do_not_run_into_each_other() -> None:
    def at(step: bytes) -> ProofMoment:
        return ProofMoment(TableId(bytes(32)), Height(1), EntryId(bytes(32)), step)

    epoch, long = EpochId(bytes(32)), EpochId(b"x" + bytes(32))
    assert at(b"ab").context(epoch, SEAT_0, "c") != at(b"a").context(epoch, SEAT_0, "bc")
    assert at(b"ax").context(epoch, SEAT_0, "") != at(b"a").context(long, SEAT_0, "")


def two_equations() -> Statement:
    return relations.share(GROUP, nowhere("L"), nowhere("E"), nowhere("S"))


def altered(change: Callable[[Equation], Equation]) -> Statement:
    """Return the statement with its second equation changed."""
    statement = two_equations()
    first, second = statement.equations
    return replace(statement, equations=(first, change(second)))


OTHER_STATEMENTS: dict[str, Callable[[], Statement]] = {
    "target": lambda: altered(lambda e: replace(e, target=nowhere("other"))),
    "base": lambda: altered(lambda e: replace(e, terms=(Term(0, nowhere("other")),))),
    "coefficient": lambda: altered(
        lambda e: replace(e, terms=(replace(e.terms[0], coefficient=2),))
    ),
    "witness": lambda: altered(lambda e: replace(e, terms=(replace(e.terms[0], witness=1),))),
    "terms": lambda: altered(lambda e: replace(e, terms=e.terms * 2)),
    "names": lambda: replace(two_equations(), witnesses=("k",)),
    "equations": lambda: replace(two_equations(), equations=two_equations().equations[:1]),
}


@pytest.mark.parametrize("part", OTHER_STATEMENTS)
def test_every_part_of_a_statement_is_hashed(part: str) -> None:
    digests = []
    for statement in (two_equations(), OTHER_STATEMENTS[part]()):
        transcript = ProofTranscript(GROUP, b"")
        statement.absorb_into(transcript)
        digests.append(transcript.digest())
    assert digests[0] != digests[1]


def test_a_share_cannot_be_chosen_after_the_challenge() -> None:
    (k, n), E = scalars(count=2), nowhere("E")
    # The attacker commits to anything for the share, sees the challenge, and then computes the
    # share that fits. This works exactly if the share is not hashed.
    commitment = nowhere("commitment")
    transcript = ProofTranscript(GROUP, b"")
    relations.share(GROUP, k * G, E, nowhere("placeholder")).absorb_into(transcript)
    _absorb_commitments(transcript, [n * G, commitment])
    challenge = transcript.challenge("challenge")
    c = GROUP.short_scalar(challenge)
    s = (n + c * k) % GROUP.order
    S = inverse(c) * (s * E - commitment)
    assert k * E != S
    with refused(Reason.PROOF_SHARE):
        verify(
            GROUP,
            ProofTranscript(GROUP, b""),
            relations.share(GROUP, k * G, E, S),
            Proof(challenge, (s,)),
            Reason.PROOF_SHARE,
        )


def test_a_response_cannot_be_chosen_before_the_challenge() -> None:
    # If the commitments were not hashed, the challenge would be known from the start.
    L, E, S = nowhere("L"), nowhere("E"), nowhere("S")
    statement = relations.share(GROUP, L, E, S)
    for guessed in ([], [GROUP.identity] * 2):
        transcript = ProofTranscript(GROUP, b"")
        statement.absorb_into(transcript)
        _absorb_commitments(transcript, guessed)
        challenge = transcript.challenge("challenge")
        with refused(Reason.PROOF_SHARE):
            verify(
                GROUP,
                ProofTranscript(GROUP, b""),
                statement,
                Proof(challenge, (5,)),
                Reason.PROOF_SHARE,
            )


def test_the_challenge_is_one_hash_without_a_weak_bit() -> None:
    (k,), E = scalars(count=1), nowhere("E")
    statement = relations.share(GROUP, k * G, E, k * E)
    proof = prove(GROUP, ProofTranscript(GROUP, b""), statement, [k], attacker_nonces())
    assert len(proof.challenge) == 16
    verify(GROUP, ProofTranscript(GROUP, b""), statement, proof, Reason.PROOF_SHARE)
    for bit in range(128):
        flipped = (int.from_bytes(proof.challenge, "big") ^ 1 << bit).to_bytes(16, "big")
        with refused(Reason.PROOF_SHARE):
            worse = replace(proof, challenge=flipped)
            verify(GROUP, ProofTranscript(GROUP, b""), statement, worse, Reason.PROOF_SHARE)
    for bit in range(256):
        response = (proof.responses[0] ^ 1 << bit) % GROUP.order
        with refused(Reason.PROOF_SHARE):
            worse = replace(proof, responses=(response,))
            verify(GROUP, ProofTranscript(GROUP, b""), statement, worse, Reason.PROOF_SHARE)


def test_challenges_do_not_come_from_a_small_set() -> None:
    found = set()
    for index in range(200):
        transcript = ProofTranscript(GROUP, hashed(index))
        found.add(GROUP.short_scalar(transcript.challenge("challenge")))
    assert len(found) == 200
    halves = {GROUP.short_scalar(bytes(8) + bytes([n]) + bytes(7)) for n in range(256)}
    halves |= {GROUP.short_scalar(bytes([n]) + bytes(15)) for n in range(256)}
    assert len(halves) == 511
